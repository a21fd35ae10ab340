//! The receiving side: one task reads, records, answers pings and close frames, and queues what it saw.

use super::assembler::{Assembled, Assembler, Sender};
use super::event::{Ended, Event, Violation};
use super::frame_decoder::FrameDecoder;
use super::options::{SocketOptions, Stage};
use super::recorder::ConnectionRecorder;
use super::stream::Stream;
use super::writer::{PeerResponder, Reading};
use iolite_protocol::transcript::Direction;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, ReadHalf};
use tokio::sync::mpsc;

/// What arrives on one connection, in order.
#[derive(Debug)]
pub struct SocketEvents {
    queue: mpsc::UnboundedReceiver<Event>,
    backlog: Arc<AtomicUsize>,
    over: bool,
}

impl SocketEvents {
    /// The next event; waits for it. Behind the end it is [`Event::Ended`] with [`Ended::Local`] for ever.
    pub async fn next(&mut self) -> Event {
        let end = Event::Ended(Ended::Local);
        if self.over {
            return end;
        }
        // Without an end event the reading task was stopped together with its runtime.
        let event = self.queue.recv().await.unwrap_or(end);
        self.backlog.fetch_sub(event.weight(), Ordering::SeqCst);
        self.over = matches!(event, Event::Ended(_));
        event
    }
}

/// Starts the reading task. `behind` came together with the upgrade's answer.
pub(super) fn start(
    stream: ReadHalf<Stream>,
    behind: Vec<u8>,
    options: &SocketOptions,
    responder: PeerResponder,
    recorder: ConnectionRecorder,
) -> SocketEvents {
    let (events, queue) = mpsc::unbounded_channel();
    let backlog = Arc::new(AtomicUsize::new(0));
    let reader = Reader {
        stream,
        responder,
        framed: options.stage == Stage::WebSocket,
        received: ReceivedFrames {
            decoder: FrameDecoder::new(options.backlog_limit),
            assembler: Assembler::new(Sender::Server),
            events,
            backlog: backlog.clone(),
            limit: options.backlog_limit,
            recorder,
        },
    };
    tokio::spawn(reader.run(behind));
    SocketEvents { queue, backlog, over: false }
}

struct Reader {
    stream: ReadHalf<Stream>,
    responder: PeerResponder,
    framed: bool,
    received: ReceivedFrames,
}

impl Reader {
    async fn run(mut self, behind: Vec<u8>) {
        let ended = self.read_to_the_end(behind).await;
        self.received.finish(ended);
        self.responder.peer_is_gone();
    }

    async fn read_to_the_end(&mut self, behind: Vec<u8>) -> Ended {
        let mut reading = self.responder.reading();
        let mut bytes = behind;
        loop {
            if let Err(ended) = self.digest(&bytes) {
                return ended;
            }
            bytes.clear();
            let state = match reading.wait_for(|state| *state != Reading::Paused).await {
                Ok(state) => *state,
                Err(_) => Reading::Over,
            };
            if state == Reading::Over {
                return Ended::Local;
            }
            bytes.reserve(CHUNK);
            tokio::select! {
                read = self.stream.read_buf(&mut bytes) => match read {
                    Ok(0) => return Ended::Eof { close_notify: true },
                    Ok(_) => {}
                    Err(error) => return why(&error),
                },
                _ = reading.changed() => {}
            }
        }
    }

    fn digest(&mut self, bytes: &[u8]) -> Result<(), Ended> {
        if !self.framed {
            if bytes.is_empty() {
                return Ok(());
            }
            let raw = Assembled::Event(Event::Raw(bytes.to_vec()));
            return self.received.accept(raw, &[]);
        }
        let received = &mut self.received;
        received.decoder.push(bytes);
        loop {
            let flood = Ended::Flood { limit: received.limit };
            let Some(frame) = received.decoder.next_frame().map_err(|_| flood.clone())? else {
                return Ok(());
            };
            let payload = frame.payload.clone();
            for assembled in received.assembler.take(frame) {
                match &assembled {
                    Assembled::Event(Event::Ping(payload)) => self.responder.answer_ping(payload),
                    Assembled::Event(Event::Close { code, .. }) => self.responder.answer_close(*code),
                    _ => {}
                }
                received.accept(assembled, &payload)?;
            }
            if received.assembler.held() > received.limit {
                return Err(flood);
            }
        }
    }
}

/// Where seen things go: the transcript and the queue.
struct ReceivedFrames {
    decoder: FrameDecoder,
    assembler: Assembler,
    events: mpsc::UnboundedSender<Event>,
    backlog: Arc<AtomicUsize>,
    limit: usize,
    recorder: ConnectionRecorder,
}

impl ReceivedFrames {
    fn accept(&self, assembled: Assembled, frame: &[u8]) -> Result<(), Ended> {
        self.recorder.record(Direction::FromDaemon, assembled.to_payload(frame));
        let Assembled::Event(event) = assembled else {
            return Ok(());
        };
        let weight = event.weight();
        let waiting = self.backlog.fetch_add(weight, Ordering::SeqCst) + weight;
        // Nobody may be listening any more: the transcript goes on.
        let _ = self.events.send(event);
        if waiting > self.limit {
            return Err(Ended::Flood { limit: self.limit });
        }
        Ok(())
    }

    fn finish(&self, ended: Ended) {
        let cut_short = self.decoder.is_inside_frame() || self.assembler.is_inside_message();
        if cut_short && matches!(ended, Ended::Eof { .. }) {
            let truncated = Assembled::Event(Event::Violation(Violation::Truncated));
            // The end follows anyway.
            let _ = self.accept(truncated, &[]);
        }
        let end = Event::Ended(ended);
        self.backlog.fetch_add(end.weight(), Ordering::SeqCst);
        if end != Event::Ended(Ended::Local) {
            let payload = Assembled::Event(end.clone()).to_payload(&[]);
            self.recorder.record(Direction::FromDaemon, payload);
        }
        let _ = self.events.send(end);
    }
}

fn why(error: &io::Error) -> Ended {
    match error.kind() {
        // The TLS library's word for a TCP end without close_notify.
        io::ErrorKind::UnexpectedEof => Ended::Eof { close_notify: false },
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Ended::Reset,
        _ => Ended::Error(error.to_string()),
    }
}

const CHUNK: usize = 16 * 1024;

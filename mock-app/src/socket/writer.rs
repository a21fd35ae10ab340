//! The sending side: one task writes, in the order things were asked for, and records what it writes.

use super::assembler::{Assembler, Sender};
use super::frame::{MaskKeys, RawFrame};
use super::frame_decoder::SeenFrame;
use super::options::SocketOptions;
use super::recorder::ConnectionRecorder;
use super::stream::Stream;
use base64::{Engine, engine::general_purpose::STANDARD};
use iolite_protocol::transcript::{Direction, Payload};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncWriteExt, WriteHalf};
use tokio::sync::{mpsc, oneshot, watch};

/// How this side ends a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowToEnd {
    /// TLS goodbye and TCP end, no close frame. What the daemon still sends is read.
    Eof,
    /// TCP end without a TLS goodbye and without a close frame. What the daemon still sends is read.
    Fin,
    /// TCP reset (`SO_LINGER` 0): unsent bytes are thrown away, nothing is read any more.
    Reset,
    /// The socket is closed and forgotten at once, without close frame or TLS goodbye.
    Drop,
}

/// The connection can no longer be written to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection can no longer be written to: {why}")]
pub struct ConnectionGone {
    /// The reason.
    pub why: String,
}

/// Sends on one connection. Cheap to clone; every clone keeps the connection open.
#[derive(Clone, Debug)]
pub struct SocketSender {
    commands: mpsc::UnboundedSender<Command>,
    behaviour: Arc<SocketBehaviour>,
}

impl SocketSender {
    /// Sends one frame and waits until the operating system has taken it.
    ///
    /// # Errors
    /// [`ConnectionGone`] when the connection is over. Waits for as long as the daemon does not read.
    pub async fn send(&self, frame: RawFrame) -> Result<(), ConnectionGone> {
        self.send_all(vec![frame]).await
    }

    /// Sends several frames as one write, so that the daemon finds them together.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn send_all(&self, frames: Vec<RawFrame>) -> Result<(), ConnectionGone> {
        self.finish(|done| Command::Frames(frames, Some(done))).await
    }

    /// Puts one frame in line and does not wait. Frames keep their order with everything else that is sent.
    pub fn queue(&self, frame: RawFrame) {
        self.queue_all(vec![frame]);
    }

    /// Puts several frames in line as one write and does not wait.
    pub fn queue_all(&self, frames: Vec<RawFrame>) {
        // A connection that is over swallows what is queued: the end has been reported as an event.
        let _ = self.commands.send(Command::Frames(frames, None));
    }

    /// Sends the first `bytes` bytes of a frame and nothing of the rest.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn send_part(&self, frame: RawFrame, bytes: usize) -> Result<(), ConnectionGone> {
        self.finish(|done| Command::Part(frame, bytes, done)).await
    }

    /// Sends bytes as they are: below the frames, above TLS (if there is TLS).
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn send_bytes(&self, bytes: Vec<u8>) -> Result<(), ConnectionGone> {
        self.finish(|done| Command::Bytes(bytes, done)).await
    }

    /// Ends the connection, after everything that was sent before; [`HowToEnd::Reset`] and [`HowToEnd::Drop`] do not wait
    /// for a daemon that does not read.
    pub async fn end(&self, ending: HowToEnd) {
        if matches!(ending, HowToEnd::Reset | HowToEnd::Drop) {
            self.behaviour.abandon.send_replace(true);
        }
        // An error says that it had ended already.
        let _ = self.finish(|done| Command::End(ending, done)).await;
    }

    /// Whether pings are answered from now on. A daemon that misses pongs takes the socket for lost (BRG-CON-09).
    pub fn answer_pings(&self, answer: bool) {
        self.behaviour.answer_pings.store(answer, Ordering::SeqCst);
    }

    /// Whether a close frame is answered with a close frame from now on. If not, this side can go on sending.
    pub fn answer_close(&self, answer: bool) {
        self.behaviour.answer_close.store(answer, Ordering::SeqCst);
    }

    /// Whether the connection is read. Not reading, and staying open, is a half-open peer.
    pub fn read(&self, read: bool) {
        self.behaviour.reading.send_if_modified(|state| {
            let wanted = if read { Reading::On } else { Reading::Paused };
            let change = *state != Reading::Over && *state != wanted;
            if change {
                *state = wanted;
            }
            change
        });
    }

    /// Whether the connection can still be written to, as far as this side knows.
    pub fn is_open(&self) -> bool {
        !self.commands.is_closed()
    }

    async fn finish(
        &self,
        command: impl FnOnce(oneshot::Sender<Result<(), ConnectionGone>>) -> Command,
    ) -> Result<(), ConnectionGone> {
        let over = || ConnectionGone { why: "it was ended by this side".to_owned() };
        let (done, mut finished) = oneshot::channel();
        self.commands.send(command(done)).map_err(|_| over())?;
        // A command that is sent while the queue is being dropped may stay in it unheard for as long as there are senders.
        let answered = tokio::select! {
            biased;
            answered = &mut finished => answered.ok(),
            () = self.commands.closed() => finished.try_recv().ok(),
        };
        answered.unwrap_or_else(|| Err(over()))
    }
}

/// What the reading side has to know of the writing side, and the other way round.
#[derive(Debug)]
struct SocketBehaviour {
    answer_pings: AtomicBool,
    answer_close: AtomicBool,
    reading: watch::Sender<Reading>,
    abandon: watch::Sender<bool>,
}

/// Whether the connection is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    On,
    Paused,
    Over,
}

/// The courtesies of the reading side: it can ask for answers, but does not keep the connection open.
#[derive(Debug)]
pub(super) struct PeerResponder {
    commands: mpsc::WeakUnboundedSender<Command>,
    behaviour: Arc<SocketBehaviour>,
}

impl PeerResponder {
    pub(super) fn answer_ping(&self, payload: &[u8]) {
        if self.behaviour.answer_pings.load(Ordering::SeqCst) {
            self.queue_frame(RawFrame::pong(payload));
        }
    }

    /// Echoes the code, as RFC 6455 §5.5.1 advises.
    pub(super) fn answer_close(&self, code: Option<u16>) {
        if self.behaviour.answer_close.load(Ordering::SeqCst) {
            self.queue_frame(match code {
                Some(code) => RawFrame::close(code, ""),
                None => RawFrame::bare_close(),
            });
        }
    }

    /// Nothing more will come: the writing side lets go of the socket.
    pub(super) fn peer_is_gone(&self) {
        self.behaviour.abandon.send_replace(true);
        self.queue(Command::PeerIsGone);
    }

    pub(super) fn reading(&self) -> watch::Receiver<Reading> {
        self.behaviour.reading.subscribe()
    }

    fn queue_frame(&self, frame: RawFrame) {
        self.queue(Command::Frames(vec![frame], None));
    }

    fn queue(&self, command: Command) {
        if let Some(commands) = self.commands.upgrade() {
            // As in `SocketSender::queue_all`.
            let _ = commands.send(command);
        }
    }
}

#[derive(Debug)]
enum Command {
    Frames(Vec<RawFrame>, Option<oneshot::Sender<Result<(), ConnectionGone>>>),
    Part(RawFrame, usize, oneshot::Sender<Result<(), ConnectionGone>>),
    Bytes(Vec<u8>, oneshot::Sender<Result<(), ConnectionGone>>),
    End(HowToEnd, oneshot::Sender<Result<(), ConnectionGone>>),
    PeerIsGone,
}

/// Starts the writing task.
pub(super) fn start(
    stream: WriteHalf<Stream>,
    handle: socket2::Socket,
    options: &SocketOptions,
    recorder: ConnectionRecorder,
) -> (SocketSender, PeerResponder) {
    let (commands, queue) = mpsc::unbounded_channel();
    let behaviour = Arc::new(SocketBehaviour {
        answer_pings: AtomicBool::new(options.answer_pings),
        answer_close: AtomicBool::new(options.answer_close),
        reading: watch::Sender::new(Reading::On),
        abandon: watch::Sender::new(false),
    });
    let responder = PeerResponder { commands: commands.downgrade(), behaviour: behaviour.clone() };
    let writer = Writer {
        stream,
        handle,
        recorder,
        abandoned: behaviour.abandon.subscribe(),
        keys: MaskKeys::default(),
        assembler: Assembler::new(Sender::Client),
    };
    let reading = behaviour.reading.clone();
    tokio::spawn(async move {
        writer.run(queue).await;
        reading.send_replace(Reading::Over);
    });
    (SocketSender { commands, behaviour }, responder)
}

struct Writer {
    stream: WriteHalf<Stream>,
    handle: socket2::Socket,
    recorder: ConnectionRecorder,
    abandoned: watch::Receiver<bool>,
    keys: MaskKeys,
    assembler: Assembler,
}

impl Writer {
    async fn run(mut self, mut queue: mpsc::UnboundedReceiver<Command>) {
        loop {
            match queue.recv().await {
                Some(Command::Frames(frames, done)) => {
                    let encoded: Vec<_> = frames.iter().map(|frame| self.encode_and_record(frame)).collect();
                    let written = self.write(encoded.concat()).await;
                    if let Some(done) = done {
                        tell(done, written);
                    }
                }
                Some(Command::Part(frame, length, done)) => {
                    let mut bytes = frame.encode(self.keys.next_key());
                    bytes.truncate(length);
                    self.record_bytes("part of a frame", &bytes);
                    tell(done, self.write(bytes).await);
                }
                Some(Command::Bytes(bytes, done)) => {
                    self.record_bytes("raw", &bytes);
                    tell(done, self.write(bytes).await);
                }
                Some(Command::End(ending, done)) => {
                    let over = self.end(ending).await;
                    tell(done, Ok(()));
                    if over {
                        return;
                    }
                }
                Some(Command::PeerIsGone) => return,
                None => {
                    self.record_end("local");
                    return;
                }
            }
        }
    }

    fn encode_and_record(&mut self, frame: &RawFrame) -> Vec<u8> {
        let bytes = frame.encode(self.keys.next_key());
        match SeenFrame::of_raw(frame) {
            Some(seen) => {
                for assembled in self.assembler.take(seen) {
                    self.recorder.record(Direction::ToDaemon, assembled.to_payload(&bytes));
                }
            }
            None => self.record_bytes("frame with a false length", &bytes),
        }
        bytes
    }

    async fn write(&mut self, bytes: Vec<u8>) -> Result<(), ConnectionGone> {
        let stream = &mut self.stream;
        let writing = async {
            stream.write_all(&bytes).await?;
            stream.flush().await
        };
        let written = tokio::select! {
            biased;
            written = writing => written.map_err(|error| error.to_string()),
            _ = self.abandoned.wait_for(|abandoned| *abandoned) => Err("it was abandoned".to_owned()),
        };
        written.map_err(|why| ConnectionGone { why })
    }

    /// Whether the connection is over for reading, too.
    async fn end(&mut self, ending: HowToEnd) -> bool {
        match ending {
            HowToEnd::Eof => {
                self.record_end("eof");
                tokio::select! {
                    biased;
                    // What goes wrong here was gone already, and the reading side reports it.
                    _ = self.stream.shutdown() => {}
                    _ = self.abandoned.wait_for(|abandoned| *abandoned) => {}
                }
                false
            }
            HowToEnd::Fin => {
                self.record_end("eof");
                let _ = self.handle.shutdown(Shutdown::Write);
                false
            }
            HowToEnd::Reset => {
                self.record_end("reset");
                let _ = self.handle.set_linger(Some(Duration::ZERO));
                true
            }
            HowToEnd::Drop => {
                self.record_end("local");
                true
            }
        }
    }

    fn record_bytes(&self, what: &str, bytes: &[u8]) {
        let payload = Payload::Bytes { what: what.to_owned(), base64: STANDARD.encode(bytes) };
        self.recorder.record(Direction::ToDaemon, payload);
    }

    fn record_end(&self, how: &str) {
        let how = how.to_owned();
        self.recorder.record(Direction::ToDaemon, Payload::Ended { how });
    }
}

fn tell(done: oneshot::Sender<Result<(), ConnectionGone>>, result: Result<(), ConnectionGone>) {
    // Whoever asked may have stopped waiting.
    let _ = done.send(result);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::task::Poll;

    #[tokio::test]
    async fn a_command_in_a_queue_that_is_given_up_is_answered_all_the_same() {
        let (commands, mut queue) = mpsc::unbounded_channel();
        let behaviour = SocketBehaviour {
            answer_pings: AtomicBool::new(true),
            answer_close: AtomicBool::new(true),
            reading: watch::Sender::new(Reading::On),
            abandon: watch::Sender::new(false),
        };
        let sender = SocketSender { commands, behaviour: Arc::new(behaviour) };
        let mut sending = Box::pin(sender.send(RawFrame::text("late")));
        // It is put in line, and then nobody takes it out any more.
        let waits = poll_fn(|context| Poll::Ready(sending.as_mut().poll(context).is_pending())).await;
        assert!(waits);
        queue.close();
        assert_eq!(sending.await, Err(ConnectionGone { why: "it was ended by this side".into() }));
        assert!(!sender.is_open());
    }
}

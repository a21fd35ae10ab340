//! One WebSocket, from its upgrade to its end: what arrives becomes events, what the core sends is written.

use super::frame::{self, close_frame, server_frame};
use super::message_decoder::{DecoderRules, MessageDecoder, Received};
use crate::core::io::{Input, SocketId};
use crate::rules::{BadMessage, Rules};
use crate::shell::engine::Event;
use crate::shell::outbox::{Outbox, OutboxReceiver, PATIENCE};
use std::pin::pin;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

/// Close code of a peer that breaks RFC 6455.
pub const PROTOCOL_ERROR: u16 = 1002;

/// What all sockets have in common: the part of the rule table they consult.
#[derive(Clone, Copy, Debug)]
pub struct PeerRules {
    rules: DecoderRules,
    pings_are_answered: bool,
    invalid_utf8: BadMessage,
    oversized: BadMessage,
    /// Once our close frame is queued, nothing that arrives is passed on. A bent rule table wants it passed on.
    ignore_after_close: bool,
}

impl PeerRules {
    /// The sockets' part of the table.
    pub fn of(rules: &Rules) -> Self {
        let shell = &rules.shell;
        Self {
            rules: DecoderRules {
                limit: rules.contract.limits.frame_bytes as u64,
                fragments: shell.fragments,
                utf8: shell.utf8,
                strict: shell.strict_framing,
                waives_one_rule: rules.foundation.waives_one_rule,
                binary_is_text: shell.binary_is_text,
                control_between_fragments: shell.control_between_fragments,
            },
            pings_are_answered: shell.pings_are_answered,
            invalid_utf8: shell.invalid_utf8,
            oversized: shell.oversized,
            ignore_after_close: rules.connection.powerless_when_closing && rules.session.replaced_is_powerless,
        }
    }
}

/// One socket's own task.
#[derive(Debug)]
pub struct Peer {
    /// The socket.
    pub socket: SocketId,
    /// What its frames are judged by.
    pub rules: PeerRules,
    /// Where pongs and close frames of the shell's own go.
    pub outbox: Outbox,
    /// Where what arrives goes.
    pub events: mpsc::Sender<Event>,
}

/// How the listening side came to its end.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// The stream is of no further use.
    Gone,
    /// The close frames of both sides are on their way or through.
    Closed,
}

impl Peer {
    /// Serves the socket until it has ended. `early` is what the peer sent behind its HTTP request. The engine is not
    /// told of the end here.
    pub async fn serve<S>(&self, stream: S, early: Vec<u8>, outgoing: &mut OutboxReceiver)
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let (mut read, mut write) = tokio::io::split(stream);
        let decoder = MessageDecoder::new(self.rules.rules, early);
        let end = {
            let mut hearing = pin!(self.read_messages(&mut read, decoder));
            let mut writing = pin!(outgoing.write_to(&mut write));
            tokio::select! {
                end = &mut hearing => match end {
                    // Our close frame may still be queued.
                    End::Closed => timeout(PATIENCE, writing.as_mut()).await.map_or(End::Gone, |_| End::Closed),
                    End::Gone => End::Gone,
                },
                written = &mut writing => match written {
                    Ok(()) => hearing.await,
                    Err(_) => End::Gone,
                },
            }
        };
        if end == End::Closed {
            let _late = timeout(PATIENCE, write.shutdown()).await;
        }
    }

    async fn read_messages<S: AsyncRead + Unpin>(&self, stream: &mut S, mut decoder: MessageDecoder) -> End {
        let stop_reading = self.outbox.stop_reading();
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut patience: Option<Instant> = None;
        loop {
            if patience.is_none() && stop_reading.is_cancelled() {
                patience = Some(Instant::now() + PATIENCE);
                if self.rules.ignore_after_close {
                    decoder.skip_to_close();
                }
            }
            if let Some(received) = decoder.next_message() {
                match self.handle(received, patience.is_some() && self.rules.ignore_after_close).await {
                    Some(end) => return end,
                    None => continue,
                }
            }
            let until = patience.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                () = stop_reading.cancelled(), if patience.is_none() => {}
                () = sleep_until(until), if patience.is_some() => return End::Gone,
                read = stream.read(&mut chunk) => match read {
                    Ok(size @ 1..) => decoder.feed(&chunk[..size]),
                    Ok(0) | Err(_) => return End::Gone,
                },
            }
        }
    }

    async fn handle(&self, received: Received, stop_reading: bool) -> Option<End> {
        let socket = self.socket;
        if stop_reading {
            return matches!(received, Received::Close(_)).then_some(End::Closed);
        }
        let received = match received {
            Received::Waived { readings, refusal } => {
                self.send(Input::SocketWaived { socket, readings }).await;
                *refusal
            }
            other => other,
        };
        match received {
            Received::Text(text) => self.send(Input::SocketText { socket, text }).await,
            Received::Binary => self.send(Input::SocketBinary { socket }).await,
            Received::Pong => self.send(Input::SocketPong { socket }).await,
            Received::InvalidUtf8 => {
                return self.refuse(self.rules.invalid_utf8, Input::SocketInvalidUtf8 { socket }).await;
            }
            Received::TooBig => {
                return self.refuse(self.rules.oversized, Input::SocketTooBig { socket }).await;
            }
            Received::Ping(payload) if self.rules.pings_are_answered => {
                if self.outbox.send(server_frame(frame::PONG, &payload)).is_err() {
                    return Some(End::Gone);
                }
            }
            Received::Ping(_) => {}
            // The engine answers both: it may have decided on another close for what arrived before.
            Received::Close(code) => {
                let echo = code.map(u16::to_be_bytes);
                let close_frame = server_frame(frame::CLOSE, echo.as_ref().map_or(&[], |code| code.as_slice()));
                self.end(close_frame).await;
                return Some(End::Closed);
            }
            // A refusal is none of these.
            Received::Waived { .. } => {}
            Received::Violation(violation) => {
                tracing::info!(socket = socket.0, %violation, "closing with 1002");
                self.end(close_frame(PROTOCOL_ERROR, "")).await;
            }
        }
        None
    }

    /// Tells the engine of a message that cannot be served; the core then decides on the close.
    async fn refuse(&self, rule: BadMessage, input: Input) -> Option<End> {
        match rule {
            BadMessage::CloseFrame => self.send(input).await,
            BadMessage::Cut => return Some(End::Gone),
            // A send fails only when the engine has ended; the event is of no use then.
            BadMessage::Die => drop(self.events.send(Event::Die).await),
        }
        None
    }

    async fn end(&self, close_frame: Vec<u8>) {
        // See above.
        let _ended = self.events.send(Event::ProtocolClose { socket: self.socket, close_frame }).await;
    }

    async fn send(&self, input: Input) {
        // See above.
        let _ended = self.events.send(Event::Input(input)).await;
    }
}

const CHUNK_BYTES: usize = 16 * 1024;

//! The place where one connection writes down what it saw.

use crate::process::Exit;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use std::sync::Arc;

/// A [`Tap`] together with who is seen on it: the actor's name, the wire, and which of the actor's connections it is.
#[derive(Clone, Debug)]
pub struct Witness {
    tap: Tap,
    wire: Wire,
    actor: Arc<str>,
    connection: u32,
}

impl Witness {
    /// A witness of `actor`'s connection number `connection` (from 1) on the MCP wire.
    #[must_use]
    pub fn new(tap: Tap, actor: &str, connection: u32) -> Self {
        Self { tap, wire: Wire::Mcp, actor: actor.into(), connection }
    }

    /// A witness whose records go nowhere.
    #[must_use]
    pub fn none() -> Self {
        Self::new(Tap::none(), "agent", 1)
    }

    /// The same witness on another wire, for processes that do not speak MCP.
    #[must_use]
    pub fn on(self, wire: Wire) -> Self {
        Self { wire, ..self }
    }

    /// Records that a connection was opened or a process started; `detail` says where to, for people.
    pub fn opened(&self, detail: impl Into<String>) {
        let detail = detail.into();
        self.record(Direction::Local, Payload::Opened { detail });
    }

    /// Records `bytes` as text where they are UTF-8, else as bytes labelled `invalid_utf8`.
    pub fn line(&self, direction: Direction, bytes: &[u8]) {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.record(direction, Payload::Text { text: text.into() }),
            Err(_) => self.bytes(direction, "invalid_utf8", bytes),
        }
    }

    /// Records bytes that are not, or were not meant as, one line of text. `what` labels them.
    pub fn bytes(&self, direction: Direction, what: &str, bytes: &[u8]) {
        let base64 = STANDARD.encode(bytes);
        let what = what.into();
        self.record(direction, Payload::Bytes { what, base64 });
    }

    /// Records one line of the peer's standard error.
    pub fn stderr(&self, text: impl Into<String>) {
        let text = text.into();
        self.record(Direction::FromDaemon, Payload::Stderr { text });
    }

    /// Records that the connection ended; `how` is `eof`, `local`, or a text of its own.
    pub fn ended(&self, how: impl Into<String>) {
        let how = how.into();
        self.record(Direction::Local, Payload::Ended { how });
    }

    /// Records how the process ended.
    pub fn exit(&self, exit: Exit) {
        let Exit { code, signal, .. } = exit;
        self.record(Direction::Local, Payload::Exit { code, signal });
    }

    /// Records a remark about the connection itself.
    pub fn note(&self, text: impl Into<String>) {
        let text = text.into();
        self.record(Direction::Local, Payload::Note { text });
    }

    fn record(&self, direction: Direction, payload: Payload) {
        self.tap.record(Record::seen(self.wire, &self.actor, self.connection, direction, payload));
    }
}

//! Lines from the daemon, and how they and ours are recorded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use serde_json::Value;
use std::sync::Arc;

/// One line from the daemon.
#[derive(Clone, Debug)]
pub struct Line {
    /// The line, decoded as JSON; text that is no JSON is a string, bytes that are no UTF-8 are `{ "$base64": … }`.
    pub value: Arc<Value>,
    /// What kind of line it is.
    pub kind: LineKind,
    /// A step has used it.
    pub taken: bool,
    /// The engine's own doing (a fence), not the scenario's.
    pub ours: bool,
}

/// The kinds of line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// An answer; the text is its id as compact JSON (`null` when it has none).
    Answer(String),
    /// An `event` notification.
    Event,
    /// Anything else.
    Other,
}

/// Who is speaking, for the transcript.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) tap: Tap,
    pub(super) actor: String,
    pub(super) connection: u32,
}

impl Seen {
    pub(super) fn record(&self, direction: Direction, payload: Payload) {
        self.tap.record(Record::seen(Wire::Rpc, &self.actor, self.connection, direction, payload));
    }

    /// A line from the daemon, and what it says.
    pub(super) fn line(&self, text: &str, says: Option<Arc<Value>>) {
        let payload = Payload::Text { text: text.to_owned() };
        let seen = Record::seen(Wire::Rpc, &self.actor, self.connection, Direction::FromDaemon, payload);
        self.tap.record(Record { says, ..seen });
    }

    /// Whole lines become text records without their newline, everything else bytes.
    pub(super) fn bytes(&self, direction: Direction, bytes: &[u8]) {
        let whole = bytes.strip_suffix(b"\n").filter(|line| !line.contains(&b'\n'));
        match whole.map(std::str::from_utf8) {
            Some(Ok(text)) => self.record(direction, Payload::Text { text: text.to_owned() }),
            Some(Err(_)) => self.record(direction, bytes_payload("invalid_utf8", bytes)),
            None => self.record(direction, bytes_payload("raw", bytes)),
        }
    }
}

/// A payload of bytes.
pub(super) fn bytes_payload(what: &str, bytes: &[u8]) -> Payload {
    Payload::Bytes { what: what.to_owned(), base64: STANDARD.encode(bytes) }
}

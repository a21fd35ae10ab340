//! A transcript, read once: every text parsed, every connection in its own order.

use iolite_mock_app::socket::Violation;
use iolite_protocol::strict::{self, Strictness};
use iolite_protocol::transcript::{Direction, Payload, Record, Wire};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A transcript and what its texts say.
pub(super) struct ParsedTranscript<'a> {
    entries: Vec<Entry<'a>>,
}

/// One record and its text as JSON.
pub(super) struct Entry<'a> {
    /// The record.
    pub(super) record: &'a Record,
    /// What its text says: `None` when it is no text of a JSON wire.
    pub(super) json: Option<Result<Arc<Value>, String>>,
}

impl Entry<'_> {
    /// The value, when the text is valid.
    pub(super) fn value(&self) -> Option<&Value> {
        self.json.as_ref()?.as_deref().ok()
    }

    /// The same, to be kept.
    pub(super) fn shared(&self) -> Option<Arc<Value>> {
        self.json.as_ref()?.as_ref().ok().cloned()
    }

    /// Whether it came from the daemon.
    pub(super) fn is_from_daemon(&self) -> bool {
        self.record.direction == Direction::FromDaemon
    }

    /// Its place in the transcript.
    pub(super) fn seq(&self) -> u64 {
        self.record.seq
    }
}

/// One actor's one connection.
pub(super) type Connection<'a> = (&'a str, u32);

impl<'a> ParsedTranscript<'a> {
    /// Reads the records.
    pub(super) fn new(records: &'a [Record]) -> Self {
        Self { entries: records.iter().map(|record| Entry { record, json: parse(record) }).collect() }
    }

    /// All entries.
    pub(super) fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// The entries of one wire.
    pub(super) fn wire(&self, wire: Wire) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(move |entry| entry.record.wire == wire)
    }

    /// The entries of one wire, by connection.
    pub(super) fn connections(&self, wire: Wire) -> BTreeMap<Connection<'a>, Vec<&Entry<'a>>> {
        let mut connections: BTreeMap<Connection<'a>, Vec<&Entry<'a>>> = BTreeMap::new();
        for entry in self.wire(wire) {
            connections.entry((entry.record.actor.as_str(), entry.record.connection)).or_default().push(entry);
        }
        connections
    }

    /// Whether this is what was left of a message when this side killed the process that was writing it: nobody can finish
    /// what it was saying then.
    pub(super) fn was_cut_short(&self, entry: &Entry<'_>) -> bool {
        let Payload::Bytes { what, .. } = &entry.record.payload else { return false };
        let is_rest = matches!(what.as_str(), "unfinished" | "unterminated");
        if !is_rest && *what != format!("violation: {}", Violation::Truncated) {
            return false;
        }
        let is_about = |other: &&Entry<'_>| match entry.record.wire {
            Wire::Mcp => {
                let (record, other) = (entry.record, other.record);
                (other.wire, &other.actor, other.connection) == (Wire::Mcp, &record.actor, record.connection)
            }
            _ => other.record.wire == Wire::Process,
        };
        let before = self.entries.iter().take_while(|other| other.seq() < entry.seq());
        let fates = before.filter(is_about).filter_map(|other| match &other.record.payload {
            Payload::Opened { .. } => Some(false),
            Payload::Note { text } if text.contains("SIGKILL") => Some(true),
            _ => None,
        });
        fates.last() == Some(true)
    }

    /// Records as they are shown in a report.
    pub(super) fn shown(&self, records: &[u64]) -> Vec<Value> {
        self.entries
            .iter()
            .filter(|entry| records.binary_search(&entry.seq()).is_ok())
            .map(|entry| match (&entry.record.payload, entry.value()) {
                (_, Some(value)) => value.clone(),
                (payload, None) => json!(payload),
            })
            .collect()
    }
}

fn parse(record: &Record) -> Option<Result<Arc<Value>, String>> {
    if let Some(says) = &record.says {
        return Some(Ok(Arc::clone(says)));
    }
    let is_json_wire = matches!(record.wire, Wire::App | Wire::Rpc | Wire::Mcp);
    match &record.payload {
        Payload::Text { text } if is_json_wire => {
            Some(strict::read(text.as_bytes(), Strictness::default()).map(Arc::new).map_err(|error| error.to_string()))
        }
        _ => None,
    }
}

/// The method of a request or notification.
pub(super) fn method(value: &Value) -> Option<&str> {
    value.get("method").and_then(Value::as_str)
}

/// The id of a request: a message with a method and an id.
pub(super) fn request_id(value: &Value) -> Option<&Value> {
    method(value)?;
    value.get("id")
}

/// Whether it is an answer: no method, and a result or an error.
pub(super) fn is_answer(value: &Value) -> bool {
    value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some())
}

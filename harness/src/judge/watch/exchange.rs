//! Requests and answers: each answer belongs to a request that waits, and to it alone.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{Entry, ParsedTranscript, is_answer, method, request_id};
use crate::transcript::metadata::RunMetadata;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::strict::{self, Strictness};
use iolite_protocol::transcript::{Direction, Payload, Wire};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The control RPC.
pub(super) fn rpc(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    answers(transcript, Wire::Rpc)
}

/// MCP.
pub(super) fn mcp(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    answers(transcript, Wire::Mcp)
}

/// The numbers of a session's events, on each connection of the control RPC.
pub(super) fn event_numbers(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(Wire::Rpc).values() {
        // A second subscription on one connection may send an event again, so that only one is judged.
        let subscriptions = entries
            .iter()
            .filter_map(|entry| entry.value())
            .filter(|value| method(value) == Some("events.subscribe"))
            .count();
        if subscriptions != 1 {
            continue;
        }
        let mut newest: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.is_from_daemon()) {
            let Some(params) =
                entry.value().filter(|value| method(value) == Some("event")).and_then(|v| v.get("params"))
            else {
                continue;
            };
            let Some(session) = params.get("sessionId").and_then(Value::as_str) else { continue };
            seen = true;
            let Some(number) = params.get("seq").and_then(Value::as_u64) else {
                breaches.push(Breach::new("an event of a session without `seq`", [entry.seq()]));
                continue;
            };
            if let Some((before, at)) = newest.insert(session.to_string(), (number, entry.seq()))
                && number <= before
            {
                let why = format!("event {number} of session {session} came after event {before}");
                breaches.push(Breach::new(why, [at, entry.seq()]));
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

fn answers(transcript: &ParsedTranscript<'_>, wire: Wire) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(wire).values() {
        let mut waiting: BTreeMap<String, usize> = BTreeMap::new();
        // What could not be read as a request may be answered with an id of null, or with whatever id was in it.
        let mut unreadable = 0_usize;
        let mut pieces = Vec::new();
        for entry in entries {
            match (entry.record.direction, &entry.json) {
                (Direction::ToDaemon, _) => {
                    // A line over the limit may be told so before its connection ends, whatever was in it.
                    if size(&entry.record.payload) > LINE_MAX {
                        unreadable += 1;
                    }
                    for line in lines(entry, &mut pieces) {
                        match line.as_deref().and_then(request_id) {
                            Some(id) if id.is_string() || id.is_number() => {
                                *waiting.entry(id.to_string()).or_default() += 1;
                            }
                            _ => {
                                unreadable += 1;
                                if let Some(id) = line.as_deref().and_then(|line| line.get("id")) {
                                    *waiting.entry(id.to_string()).or_default() += 1;
                                }
                            }
                        }
                    }
                }
                (Direction::FromDaemon, Some(Ok(value))) if is_answer(value) => {
                    seen = true;
                    let id = value.get("id").unwrap_or(&Value::Null);
                    let waits = waiting.get_mut(&id.to_string()).filter(|count| **count > 0);
                    if let Some(count) = waits {
                        *count -= 1;
                    } else if !(id.is_null() && unreadable > 0) {
                        let why = format!("{} got an answer with id {id}, which nothing waits for", entry.record.actor);
                        breaches.push(Breach::new(why, [entry.seq()]));
                    }
                }
                _ => {}
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// Roughly how many bytes were written in one go.
fn size(payload: &Payload) -> usize {
    match payload {
        Payload::Text { text } => text.len(),
        Payload::Bytes { base64, .. } => base64.len() / 4 * 3,
        _ => 0,
    }
}

/// The longest line of the control RPC, in bytes.
const LINE_MAX: usize = 1024 * 1024;

/// The lines that an entry completes: `None` for one that cannot be read. What was written in pieces waits in `pieces` for
/// its newline.
fn lines(entry: &Entry<'_>, pieces: &mut Vec<u8>) -> Vec<Option<Arc<Value>>> {
    match &entry.record.payload {
        Payload::Text { text } if pieces.is_empty() => {
            return vec![entry.shared().or_else(|| doubled(text.as_bytes()))];
        }
        Payload::Text { text } => {
            pieces.extend_from_slice(text.as_bytes());
            pieces.push(b'\n');
        }
        Payload::Bytes { base64, .. } => pieces.extend(STANDARD.decode(base64).unwrap_or_default()),
        _ => return Vec::new(),
    }
    let Some(end) = pieces.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
    let rest = pieces.split_off(end + 1);
    let whole = std::mem::replace(pieces, rest);
    let texts = whole[..end].split(|byte| *byte == b'\n');
    let read = |text| strict::read(text, Strictness::default()).ok().map(Arc::new).or_else(|| doubled(text));
    texts.map(|text| read(text.trim_ascii())).collect()
}

/// What an answer to a line with doubled members may name: such a line may be refused, with an id of null or with its
/// own, or served.
fn doubled(text: &[u8]) -> Option<Arc<Value>> {
    let lenient = Strictness { refuse_duplicate_keys: false, ..Strictness::default() };
    let line = strict::read(text, lenient).ok()?;
    line.get("id").map(|id| Arc::new(serde_json::json!({ "id": id })))
}

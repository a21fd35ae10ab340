//! What the daemon sends to apps.

use super::observation::{Breach, Observation};
use super::parsed_transcript::ParsedTranscript;
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::{Payload, Wire};
use serde_json::Value;
use std::collections::BTreeMap;

/// Ids of calls and reads are fresh, and each frame names the session that was acknowledged on its socket.
pub(super) fn call_ids(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut used: BTreeMap<&str, u64> = BTreeMap::new();
    let mut sessions: BTreeMap<(&str, u32), &str> = BTreeMap::new();
    let mut seen = false;
    let mut breaches = Vec::new();
    for entry in transcript.wire(Wire::App).filter(|entry| entry.is_from_daemon()) {
        let Some(value) = entry.value() else { continue };
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let socket = (entry.record.actor.as_str(), entry.record.connection);
        match text("type") {
            Some("session_ack") => {
                sessions.extend(text("session_id").map(|session| (socket, session)));
            }
            Some(kind @ ("tool_call" | "resource_read")) => {
                seen = true;
                let id = text("id").unwrap_or_default();
                if let Some(before) = used.insert(id, entry.seq()) {
                    let why = format!("the id {id:?} of a {kind} had been used before");
                    breaches.push(Breach::new(why, [before, entry.seq()]));
                }
                if text("session_id") != sessions.get(&socket).copied() {
                    let why = format!("{} got a {kind} for a session that is not its own", entry.record.actor);
                    breaches.push(Breach::new(why, [entry.seq()]));
                }
            }
            _ => {}
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// After its close frame the daemon sends nothing more on that socket.
pub(super) fn silent_after_close(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(Wire::App).values() {
        let mut closed: Option<u64> = None;
        for entry in entries.iter().filter(|entry| entry.is_from_daemon()) {
            // Every socket that was spoken on could have gone on after a close, whether or not one was seen in time.
            seen = true;
            match (&entry.record.payload, closed) {
                (Payload::Close { .. }, None) => closed = Some(entry.seq()),
                (Payload::Text { .. } | Payload::Bytes { .. } | Payload::Ping | Payload::Close { .. }, Some(close)) => {
                    let why = format!("{} got something after the close frame", entry.record.actor);
                    breaches.push(Breach::new(why, [close, entry.seq()]));
                }
                _ => {}
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

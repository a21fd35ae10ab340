//! Progress: only for a request that waits and gave a token, with that very token, and growing.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{ParsedTranscript, is_answer, method, request_id};
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::Wire;
use serde_json::Value;
use std::collections::BTreeMap;

/// Progress notifications of every MCP connection.
pub(super) fn tokens(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(Wire::Mcp).values() {
        // Token by request id, and the newest progress by token.
        let mut waiting: BTreeMap<String, String> = BTreeMap::new();
        let mut newest: BTreeMap<String, f64> = BTreeMap::new();
        for entry in entries {
            let Some(value) = entry.value() else { continue };
            if !entry.is_from_daemon() {
                if let (Some(id), Some(token)) = (request_id(value), value.pointer("/params/_meta/progressToken")) {
                    seen = true;
                    newest.remove(&token.to_string());
                    waiting.insert(id.to_string(), token.to_string());
                }
                continue;
            }
            if is_answer(value) {
                waiting.remove(&value.get("id").map(Value::to_string).unwrap_or_default());
            } else if method(value) == Some("notifications/progress") {
                seen = true;
                let token = value.pointer("/params/progressToken").unwrap_or(&Value::Null).to_string();
                if !waiting.values().any(|known| *known == token) {
                    let why = format!(
                        "{} got progress for the token {token}, which no waiting request has",
                        entry.record.actor
                    );
                    breaches.push(Breach::new(why, [entry.seq()]));
                }
                let Some(progress) = value.pointer("/params/progress").and_then(Value::as_f64) else {
                    breaches.push(Breach::new("a progress notification without a number", [entry.seq()]));
                    continue;
                };
                if let Some(before) = newest.insert(token.clone(), progress)
                    && progress <= before
                {
                    let why = format!("progress of token {token} went from {before} to {progress}");
                    breaches.push(Breach::new(why, [entry.seq()]));
                }
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

//! Every byte the daemon sends is read again by a reader that overlooks nothing.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{Entry, ParsedTranscript};
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::contract::Contract;
use iolite_protocol::frame::DaemonFrame;
use iolite_protocol::transcript::{Payload, Wire};
use serde_json::Value;

/// Frames sent to apps: text only, strict JSON, each of a known type with its field rules kept, within the size limit.
pub(super) fn app_frames(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let contract = Contract::default();
    let mut seen = false;
    let mut breaches = Vec::new();
    for entry in transcript.wire(Wire::App).filter(|entry| entry.is_from_daemon()) {
        match &entry.record.payload {
            Payload::Text { text } => {
                seen = true;
                if text.len() > contract.limits.frame_bytes {
                    breaches.push(breach(entry, &format!("a frame of {} bytes", text.len())));
                } else if let Err(error) = DaemonFrame::decode(text, &contract) {
                    breaches.push(breach(entry, &format!("a frame that breaks its rules: {error}")));
                }
            }
            Payload::Bytes { .. } if transcript.was_cut_short(entry) => {}
            // What comes on a connection that was never upgraded, such as an HTTP answer, is no frame.
            Payload::Bytes { what, .. } if what == "raw" => {}
            // An exchange of HTTP beside the sockets (`BRG-CON-19`).
            Payload::Bytes { what, .. } if what == "http" => {}
            Payload::Bytes { what, .. } => {
                seen = true;
                breaches.push(breach(entry, &format!("{what} bytes where only text frames belong")));
            }
            _ => {}
        }
    }
    observation(seen, breaches)
}

/// Lines of the control RPC.
pub(super) fn rpc_lines(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    lines(transcript, Wire::Rpc)
}

/// Lines of the MCP server.
pub(super) fn mcp_lines(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    lines(transcript, Wire::Mcp)
}

fn lines(transcript: &ParsedTranscript<'_>, wire: Wire) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entry in transcript.wire(wire).filter(|entry| entry.is_from_daemon()) {
        match (&entry.record.payload, &entry.json) {
            (Payload::Text { .. }, Some(Err(why))) => breaches.push(breach(entry, &format!("a line that is {why}"))),
            (Payload::Text { .. }, Some(Ok(value))) => {
                seen = true;
                breaches.extend(shape(value).map(|why| breach(entry, &why)));
            }
            (Payload::Bytes { .. }, _) if transcript.was_cut_short(entry) => {}
            (Payload::Bytes { what, .. }, _) => breaches.push(breach(entry, &format!("bytes that are {what}"))),
            _ => {}
        }
    }
    observation(seen || !breaches.is_empty(), breaches)
}

/// What is wrong with a message as JSON-RPC 2.0.
fn shape(value: &Value) -> Option<String> {
    let Some(message) = value.as_object() else { return Some("a message that is no object".into()) };
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Some("a message without `jsonrpc: \"2.0\"`".into());
    }
    let id = message.get("id");
    if let Some(method) = message.get("method") {
        if !method.is_string() {
            return Some("a method that is no string".into());
        }
        if matches!(id, Some(id) if !id.is_string() && !id.is_i64() && !id.is_u64()) {
            return Some("a request whose id is neither a string nor an integer".into());
        }
        if matches!(message.get("params"), Some(params) if !params.is_object()) {
            return Some("params that are no object".into());
        }
        return None;
    }
    match (message.get("result"), message.get("error")) {
        (Some(_), Some(_)) => Some("an answer with both a result and an error".into()),
        (None, None) => Some("a message that is neither request, notification nor answer".into()),
        (Some(_), None) if !matches!(id, Some(id) if !id.is_null()) => Some("a result without an id".into()),
        (Some(_), None) => None,
        (None, Some(error)) => error_shape(error, id),
    }
}

fn error_shape(error: &Value, id: Option<&Value>) -> Option<String> {
    if id.is_none() {
        return Some("an error without the member `id`".into());
    }
    if !error.get("code").is_some_and(|code| code.is_i64() || code.is_u64()) {
        return Some("an error whose code is no integer".into());
    }
    if !error.get("message").is_some_and(Value::is_string) {
        return Some("an error without a message".into());
    }
    None
}

fn breach(entry: &Entry<'_>, why: &str) -> Breach {
    Breach::new(format!("{} was sent {why}", entry.record.actor), [entry.seq()])
}

fn observation(seen: bool, breaches: Vec<Breach>) -> Observation {
    if seen || !breaches.is_empty() { Observation::Seen(breaches) } else { Observation::Nothing }
}

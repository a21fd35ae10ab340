//! Events as they stand on the lines of the control RPC.

use super::line::{Line, LineKind};
use serde_json::Value;

/// An event's session and sequence number.
pub type EventId = (String, u64);

/// Whether a line is an `app_event` of that name. The contract does not say where in `data` the name stands, so any string in it counts.
pub fn is_app_event(line: &Line, name: &str) -> bool {
    line.kind == LineKind::Event
        && event_kind(&line.value) == Some("app_event")
        && line.value.pointer("/params/data").is_some_and(|data| holds(data, name))
}

/// The kind of an event line.
pub fn event_kind(line: &Value) -> Option<&str> {
    line.pointer("/params/kind").and_then(Value::as_str)
}

/// What identifies an event on every connection.
pub fn event_id(line: &Value) -> Option<EventId> {
    let session = line.pointer("/params/sessionId")?.as_str()?.to_owned();
    Some((session, line.pointer("/params/seq")?.as_u64()?))
}

/// The event's params of an event line.
pub fn event_params(value: &Value) -> Value {
    value.get("params").cloned().unwrap_or(Value::Null)
}

/// Whether this text is one of the strings in a value.
pub fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found == text,
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}

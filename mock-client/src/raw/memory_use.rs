//! How much memory a message holds, roughly: what keeps a hostile server from filling ours.

use super::message::Message;
use crate::outcome::Outcome;
use serde_json::Value;

/// Estimated bytes on the heap. Never less than a third of the truth, which is what a bound needs.
pub(super) fn weight(message: &Message) -> usize {
    const ENTRY: usize = 256;
    let content = match message {
        Message::Response(response) => match &response.outcome {
            Outcome::Result(value) => of(value),
            Outcome::Error { message, data, .. } => message.len() + data.as_ref().map_or(0, of),
        },
        Message::Notification { method, params } | Message::Request { method, params, .. } => {
            method.len() + params.as_ref().map_or(0, of)
        }
        Message::Violation(violation) => violation.detail.len() + violation.ids.iter().map(of).sum::<usize>(),
    };
    ENTRY + content
}

/// Without recursion: nesting is the sender's choice.
fn of(value: &Value) -> usize {
    const MEMBER: usize = 64;
    let mut total = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        total += size_of::<Value>();
        match value {
            Value::String(text) => total += text.len(),
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                for (key, value) in members {
                    total += MEMBER + key.len();
                    open.push(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    total
}

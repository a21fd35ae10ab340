//! Lines that wait to be written to a client, in their order.

use crate::rules::Rules;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;

/// The queue of one connection.
#[derive(Debug)]
pub struct OutgoingQueue {
    rules: Arc<Rules>,
    waiting: VecDeque<Outgoing>,
}

#[derive(Debug)]
struct Outgoing {
    line: String,
    /// Set for notifications of which one waiting is as good as two.
    key: Option<String>,
}

impl OutgoingQueue {
    /// Nothing waits.
    pub fn new(rules: Arc<Rules>) -> Self {
        Self { rules, waiting: VecDeque::new() }
    }

    /// Queues the answer to the request with this id.
    pub fn answer(&mut self, id: Value, outcome: Result<Value, Value>) {
        let id = match id {
            Value::Number(number) if !self.rules.mcp.ids_verbatim => number.to_string().into(),
            Value::String(text) if text.is_empty() && !self.rules.mcp.empty_ids_kept => Value::Null,
            id => id,
        };
        let answer = match outcome {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        self.push(&answer, None);
    }

    /// Queues a notification, unless one with this key waits already.
    pub fn notify(&mut self, method: &str, params: Option<Value>, key: Option<String>) {
        if key.is_some() && self.waiting.iter().any(|outgoing| outgoing.key == key) {
            return;
        }
        let mut notification = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            notification["params"] = params;
        }
        self.push(&notification, key);
    }

    /// The next line to write, without its newline.
    pub fn next_line(&mut self) -> Option<String> {
        self.waiting.pop_front().map(|outgoing| outgoing.line)
    }

    fn push(&mut self, message: &Value, key: Option<String>) {
        self.waiting.push_back(Outgoing { line: message.to_string(), key });
    }
}

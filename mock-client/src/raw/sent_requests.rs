//! The requests this client has sent, read off the bytes it wrote.

use super::classify::is_id;
use super::message::Relation;
use crate::lines::Lines;
use serde_json::Value;
use std::collections::HashMap;

/// Knows every request that left, however it was sent: as a value, as text, or byte by byte.
#[derive(Debug)]
pub(super) struct SentRequests {
    /// By the id's JSON text, so that `1` and `"1"` are two.
    requests: HashMap<String, Counts>,
    /// The outgoing stream, cut into lines.
    lines: Lines,
    /// The line being written outgrew the limit; it is no request we take note of.
    skipping: bool,
    next_id: i64,
}

#[derive(Debug)]
struct Counts {
    method: String,
    asked: u64,
    answered: u64,
}

impl SentRequests {
    pub(super) fn new(line_bytes: usize) -> Self {
        Self { requests: HashMap::new(), lines: Lines::new(line_bytes), skipping: false, next_id: 1 }
    }

    /// The next number nobody has used as an id.
    pub(super) fn next_id(&mut self) -> Value {
        loop {
            let id = Value::from(self.next_id);
            self.next_id = self.next_id.wrapping_add(1);
            if !self.requests.contains_key(&id.to_string()) {
                return id;
            }
        }
    }

    /// Takes note of bytes that are about to be written.
    pub(super) fn sent(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.skipping {
                let Some(newline) = bytes.iter().position(|&byte| byte == b'\n') else {
                    return;
                };
                bytes = &bytes[newline + 1..];
                self.skipping = false;
                continue;
            }
            match self.lines.next(&mut bytes) {
                Ok(Some(line)) => self.line(&line),
                Ok(None) => {}
                Err(_) => self.skipping = true,
            }
        }
    }

    /// Takes note of one whole message.
    pub(super) fn line(&mut self, line: &[u8]) {
        match serde_json::from_slice(line) {
            Ok(Value::Array(items)) => items.iter().for_each(|item| self.message(item)),
            Ok(value) => self.message(&value),
            Err(_) => {}
        }
    }

    fn message(&mut self, value: &Value) {
        let (Some(id), Some(method)) = (value.get("id"), value.get("method")) else {
            return;
        };
        let method = method.as_str().unwrap_or_default();
        let counts =
            self.requests.entry(id.to_string()).or_insert(Counts { method: method.into(), asked: 0, answered: 0 });
        counts.method = method.into();
        counts.asked += 1;
    }

    /// Takes note of a response and says how it relates to what was asked.
    pub(super) fn answered(&mut self, id: &Value) -> Relation {
        let Some(counts) = self.requests.get_mut(&id.to_string()) else {
            return match self.other_type(id) {
                Some(asked) => Relation::OtherType { asked },
                None => Relation::Unasked,
            };
        };
        let method = counts.method.clone();
        if counts.answered < counts.asked {
            counts.answered += 1;
            Relation::Answer { method }
        } else {
            Relation::Again { method }
        }
    }

    fn other_type(&self, id: &Value) -> Option<Value> {
        let other = match id {
            Value::String(text) => serde_json::from_str(text).ok().filter(is_id)?,
            number => Value::from(number.to_string()),
        };
        self.requests.contains_key(&other.to_string()).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ids_of_two_types_are_two_ids() {
        let mut asked = SentRequests::new(1_000);
        asked.line(br#"{"id":1,"method":"ping"}"#);
        let other = Relation::OtherType { asked: json!(1) };
        assert_eq!(asked.answered(&json!("1")), other);
        let method = String::from("ping");
        assert_eq!(asked.answered(&json!(1)), Relation::Answer { method: method.clone() });
        assert_eq!(asked.answered(&json!(1)), Relation::Again { method });
        assert_eq!(asked.answered(&json!(2)), Relation::Unasked);
    }

    #[test]
    fn requests_are_seen_however_the_bytes_are_cut() {
        let mut asked = SentRequests::new(1_000);
        for byte in b"{\"id\":\"a\",\"method\":\"ping\"}\r\n" {
            asked.sent(&[*byte]);
        }
        assert!(matches!(asked.answered(&json!("a")), Relation::Answer { .. }));
    }

    #[test]
    fn an_overlong_line_is_skipped_up_to_its_newline() {
        let mut asked = SentRequests::new(30);
        asked.sent(b"0123456789012345678901234567890123456789\n{\"id\":1,\"method\":\"ping\"}\n");
        assert!(matches!(asked.answered(&json!(1)), Relation::Answer { .. }));
        asked.sent(b"0123456789012345678901234567890123456789");
        asked.sent(b"{\"id\":2,\"method\":\"ping\"}\n{\"id\":3,\"method\":\"ping\"}\n");
        assert_eq!(asked.answered(&json!(2)), Relation::Unasked);
        assert!(matches!(asked.answered(&json!(3)), Relation::Answer { .. }));
    }

    #[test]
    fn the_counter_avoids_ids_in_use() {
        let mut asked = SentRequests::new(1_000);
        asked.line(br#"{"id":1,"method":"ping"}"#);
        assert_eq!(asked.next_id(), json!(2));
    }
}

//! From the bytes of a line to a [`Message`].

use super::message::{Message, Relation, Response, Violation, Why};
use crate::outcome::Outcome;
use iolite_protocol::contract::Rule;
use iolite_protocol::strict::{Strictness, read as read_json};
use serde_json::{Map, Value};

/// Reads one line (without its newline). `relate` says how a response's id relates to what was asked.
///
/// A carriage return before the newline is white space to JSON and passes.
pub(super) fn classify(line: &[u8], relate: impl FnOnce(&Value) -> Relation) -> Message {
    let value = match decode(line) {
        Ok(value) => value,
        Err(violation) => return Message::Violation(violation),
    };
    let ids = ids_in(&value);
    read(value, relate).unwrap_or_else(|(why, detail)| Message::Violation(Violation { why, detail, ids }))
}

type Broken = (Why, String);

fn read(value: Value, relate: impl FnOnce(&Value) -> Relation) -> Result<Message, Broken> {
    let mut object = match value {
        Value::Object(object) => object,
        Value::Array(items) => return Err((Why::Batch, format!("{} elements", items.len()))),
        other => return Err((Why::NotAnObject, other.to_string())),
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err((Why::NotJsonRpc, shown(object.get("jsonrpc"))));
    }
    let kinds = ["method", "result", "error"].map(|key| object.contains_key(key));
    match kinds {
        [true, false, false] => call(&mut object),
        [false, true, false] => {
            let id = required_id(&object)?;
            let result = object.remove("result").unwrap_or(Value::Null);
            if !result.is_object() {
                return Err((Why::BadResult, shown(Some(&result))));
            }
            let relation = relate(&id);
            Ok(Message::Response(Response { id, outcome: Outcome::Result(result), relation }))
        }
        [false, false, true] => {
            let id = match object.get("id") {
                None | Some(Value::Null) => Value::Null,
                Some(_) => required_id(&object)?,
            };
            let outcome = error(&mut object)?;
            let relation = match id {
                Value::Null => Relation::Uncorrelated,
                ref id => relate(id),
            };
            Ok(Message::Response(Response { id, outcome, relation }))
        }
        [false, false, false] => Err((Why::Empty, String::new())),
        _ => Err((Why::Ambiguous, keys(&object))),
    }
}

fn call(object: &mut Map<String, Value>) -> Result<Message, Broken> {
    let method = match object.remove("method") {
        Some(Value::String(method)) if !method.is_empty() => method,
        other => return Err((Why::BadMethod, shown(other.as_ref()))),
    };
    let params = object.remove("params");
    if params.as_ref().is_some_and(|params| !params.is_object()) {
        return Err((Why::BadParams, shown(params.as_ref())));
    }
    if !object.contains_key("id") {
        return Ok(Message::Notification { method, params });
    }
    let id = required_id(object)?;
    Ok(Message::Request { id, method, params })
}

fn error(object: &mut Map<String, Value>) -> Result<Outcome, Broken> {
    let error = object.remove("error").unwrap_or(Value::Null);
    let broken = (Why::BadError, shown(Some(&error)));
    let Value::Object(mut error) = error else {
        return Err(broken);
    };
    let code = error.get("code").and_then(Value::as_i64);
    let (Some(code), Some(Value::String(message))) = (code, error.remove("message")) else {
        return Err(broken);
    };
    let data = error.remove("data");
    Ok(Outcome::Error { code, message, data })
}

fn required_id(object: &Map<String, Value>) -> Result<Value, Broken> {
    match object.get("id") {
        Some(id) if is_id(id) => Ok(id.clone()),
        other => Err((Why::BadId, shown(other))),
    }
}

/// A string or an integer; `1.0` is no integer as JSON text goes.
pub(super) fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64() || value.is_u64()
}

fn ids_in(value: &Value) -> Vec<Value> {
    let one = |value: &Value| value.get("id").cloned();
    match value {
        Value::Array(items) => items.iter().filter_map(one).take(1_000).collect(),
        value => one(value).into_iter().collect(),
    }
}

fn keys(object: &Map<String, Value>) -> String {
    let keys: Vec<&str> = object.keys().map(String::as_str).take(20).collect();
    keys.join(", ")
}

fn shown(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| "absent".into(), Value::to_string);
    match text.char_indices().nth(100) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Strict reading first; what it refuses is read once more, leniently, for the ids in it.
fn decode(line: &[u8]) -> Result<Value, Violation> {
    let error = match read_json(line, Strictness::default()) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let why = match error.rule {
        Rule::Utf8 => Why::NotUtf8,
        Rule::JsonSyntax if line.trim_ascii().is_empty() => Why::Blank,
        Rule::JsonSyntax => Why::NotJson,
        _ => Why::NotStrictJson,
    };
    let lenient = Strictness { max_depth: usize::MAX, refuse_duplicate_keys: false, refuse_lone_surrogates: false };
    let ids = match why {
        Why::NotStrictJson => read_json(line, lenient).map_or_else(|_| Vec::new(), |value| ids_in(&value)),
        _ => Vec::new(),
    };
    Err(Violation { why, detail: error.to_string(), ids })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn seen(line: &str) -> Message {
        classify(line.as_bytes(), |_| Relation::Unasked)
    }

    fn why(line: &[u8]) -> Option<Why> {
        match classify(line, |_| Relation::Unasked) {
            Message::Violation(violation) => Some(violation.why),
            _ => None,
        }
    }

    #[test]
    fn each_kind_of_message_is_told_apart() {
        let params = Some(json!({}));
        let method = || String::from("m");
        assert_eq!(
            seen(r#"{"jsonrpc":"2.0","method":"m","params":{}}"#),
            Message::Notification { method: method(), params: params.clone() }
        );
        assert_eq!(
            seen("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"m\",\"params\":{}}\r"),
            Message::Request { id: json!("x"), method: method(), params }
        );
        assert_eq!(
            seen(r#"{"jsonrpc":"2.0","id":7,"result":{"a":1}}"#),
            Message::Response(Response {
                id: json!(7),
                outcome: Outcome::Result(json!({ "a": 1 })),
                relation: Relation::Unasked
            })
        );
        for id in [r#""id":null,"#, ""] {
            let line = format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32700,"message":"?","data":null}}}}"#);
            assert_eq!(
                seen(&line),
                Message::Response(Response {
                    id: Value::Null,
                    outcome: Outcome::Error { code: -32700, message: "?".into(), data: Some(Value::Null) },
                    relation: Relation::Uncorrelated
                })
            );
        }
    }

    #[test]
    fn each_rule_can_be_broken() {
        let cases: [(&[u8], Why); 27] = [
            (b"\xff", Why::NotUtf8),
            (b"hello", Why::NotJson),
            (b"{} {}", Why::NotJson),
            (b"\xef\xbb\xbf{}", Why::NotJson),
            (b"", Why::Blank),
            (b" \t\r", Why::Blank),
            (br#"{"jsonrpc":"2.0","method":"m","method":"m"}"#, Why::NotStrictJson),
            (br#"{"jsonrpc":"2.0","method":"\ud800"}"#, Why::NotStrictJson),
            (b"[]", Why::Batch),
            (br#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, Why::Batch),
            (b"1", Why::NotAnObject),
            (b"null", Why::NotAnObject),
            (br#"{"id":1,"result":{}}"#, Why::NotJsonRpc),
            (br#"{"jsonrpc":2.0,"id":1,"result":{}}"#, Why::NotJsonRpc),
            (br#"{"jsonrpc":"2.0","id":null,"result":{}}"#, Why::BadId),
            (br#"{"jsonrpc":"2.0","result":{}}"#, Why::BadId),
            (br#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#, Why::BadId),
            (br#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, Why::BadId),
            (br#"{"jsonrpc":"2.0","method":5}"#, Why::BadMethod),
            (br#"{"jsonrpc":"2.0","method":"m","params":[]}"#, Why::BadParams),
            (br#"{"jsonrpc":"2.0","method":"m","params":null}"#, Why::BadParams),
            (br#"{"jsonrpc":"2.0","id":1,"result":null}"#, Why::BadResult),
            (br#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#, Why::BadError),
            (br#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, Why::BadError),
            (br#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""},"result":{}}"#, Why::Ambiguous),
            (br#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#, Why::Ambiguous),
            (br#"{"jsonrpc":"2.0","id":1}"#, Why::Empty),
        ];
        for (line, expected) in cases {
            assert_eq!(why(line), Some(expected), "{}", line.escape_ascii());
        }
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(300), "]".repeat(300));
        assert_eq!(why(deep.as_bytes()), Some(Why::NotStrictJson));
    }

    #[test]
    fn a_broken_line_still_shows_its_ids() {
        let ids = |line: &str| match seen(line) {
            Message::Violation(violation) => violation.ids,
            other => panic!("{other:?}"),
        };
        assert_eq!(ids(r#"{"jsonrpc":"2.0","id":5,"result":{"a":1,"a":2}}"#), [json!(5)]);
        assert_eq!(ids(r#"[{"id":1},{"id":"2"},{}]"#), [json!(1), json!("2")]);
        assert_eq!(ids(r#"{"id":3}"#), [json!(3)]);
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            classify(&line, |_| Relation::Unasked);
        }
    }
}

//! The shape of what a client may send, checked on raw JSON before any typed decoder can turn one mistake into another.

use serde_json::{Map, Value};

/// An error object's code and message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// JSON-RPC code.
    pub code: i32,
    /// What is wrong, naming the member.
    pub message: String,
}

/// -32700: the line is no JSON.
pub const PARSE_ERROR: i32 = -32700;
/// -32600: JSON, and no request.
pub const INVALID_REQUEST: i32 = -32600;
/// -32601: no such method.
pub const METHOD_NOT_FOUND: i32 = -32601;
/// -32602: params of the wrong shape.
pub const INVALID_PARAMS: i32 = -32602;
/// -32603: it could not be done.
pub const INTERNAL_ERROR: i32 = -32603;

/// A message, sorted by what it is. Ids are kept as they came.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Wants an answer.
    Request {
        /// String or integer.
        id: Value,
        /// The method.
        method: String,
        /// The params, if any.
        params: Option<Value>,
    },
    /// Wants none.
    Notification {
        /// The method.
        method: String,
        /// The params, if any.
        params: Option<Value>,
    },
    /// An answer. This server never asks, so there is nothing it could belong to.
    Answer {
        /// Whether it is an error.
        is_error: bool,
    },
}

impl Message {
    /// Sorts one JSON value.
    ///
    /// # Errors
    ///
    /// The id to answer under (`null` where none could be read) and an error of code -32600.
    pub fn sort(value: Value) -> Result<Self, (Value, RequestError)> {
        let invalid = |id: Value, message: &str| (id, RequestError::new(INVALID_REQUEST, message));
        let mut object = match value {
            Value::Object(object) => object,
            Value::Array(_) => {
                return Err(invalid(Value::Null, "batches are not part of this revision: send one object per line"));
            }
            _ => return Err(invalid(Value::Null, "a message is a JSON object")),
        };
        let id = object.shift_remove("id");
        if let Some(id) = &id
            && !is_id(id)
        {
            return Err(invalid(Value::Null, "id must be a string or an integer"));
        }
        let answer_to = id.clone().unwrap_or_default();
        if object.get("jsonrpc") != Some(&Value::from("2.0")) {
            return Err(invalid(answer_to, "jsonrpc must be \"2.0\""));
        }
        let method = match object.shift_remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return Err(invalid(answer_to, "method must be a string")),
            None if object.contains_key("result") || object.contains_key("error") => {
                return Ok(Self::Answer { is_error: object.contains_key("error") });
            }
            None => return Err(invalid(answer_to, "method is missing")),
        };
        let params = object.shift_remove("params");
        Ok(match id {
            Some(id) => Self::Request { id, method, params },
            None => Self::Notification { method, params },
        })
    }
}

/// The requests this server serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `initialize`
    Initialize,
    /// `ping`
    Ping,
    /// `tools/list`
    ListTools,
    /// `tools/call`
    CallTool,
    /// `resources/list`
    ListResources,
    /// `resources/templates/list`
    ListTemplates,
    /// `resources/read`
    ReadResource,
    /// `resources/subscribe`
    Subscribe,
    /// `resources/unsubscribe`
    Unsubscribe,
}

impl Method {
    /// The method with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "initialize" => Self::Initialize,
            "ping" => Self::Ping,
            "tools/list" => Self::ListTools,
            "tools/call" => Self::CallTool,
            "resources/list" => Self::ListResources,
            "resources/templates/list" => Self::ListTemplates,
            "resources/read" => Self::ReadResource,
            "resources/subscribe" => Self::Subscribe,
            "resources/unsubscribe" => Self::Unsubscribe,
            _ => return None,
        })
    }

    /// Checks the params' shape (`BRG-MCP-27`). Whether a cursor leads anywhere, the list itself says.
    ///
    /// # Errors
    ///
    /// What is wrong, naming the member.
    pub fn check(self, params: Option<&Value>) -> Result<(), String> {
        let empty = Map::new();
        let params = match params {
            Some(Value::Object(params)) => params,
            Some(_) => return Err("params must be an object".to_owned()),
            None => &empty,
        };
        if let Some(meta) = params.get("_meta") {
            let Some(meta) = meta.as_object() else {
                return Err("_meta must be an object".to_owned());
            };
            if meta.get("progressToken").is_some_and(|token| !is_id(token)) {
                return Err("_meta.progressToken must be a string or an integer".to_owned());
            }
        }
        match self {
            Self::Initialize => check_initialize(params),
            Self::Ping => Ok(()),
            Self::ListTools | Self::ListResources | Self::ListTemplates => match params.get("cursor") {
                None => Ok(()),
                Some(Value::String(_)) => Ok(()),
                Some(_) => Err("cursor must be a string".to_owned()),
            },
            Self::CallTool => {
                text(params, "name")?;
                match params.get("arguments") {
                    None | Some(Value::Object(_)) => Ok(()),
                    Some(_) => Err("arguments must be an object".to_owned()),
                }
            }
            Self::ReadResource | Self::Subscribe | Self::Unsubscribe => text(params, "uri"),
        }
    }
}

fn check_initialize(params: &Map<String, Value>) -> Result<(), String> {
    text(params, "protocolVersion")?;
    if !params.get("capabilities").is_some_and(Value::is_object) {
        return Err("capabilities must be an object".to_owned());
    }
    let Some(info) = params.get("clientInfo").and_then(Value::as_object) else {
        return Err("clientInfo must be an object".to_owned());
    };
    for key in ["name", "version"] {
        if !info.get(key).is_some_and(Value::is_string) {
            return Err(format!("clientInfo.{key} must be a string"));
        }
    }
    Ok(())
}

fn text(params: &Map<String, Value>, key: &str) -> Result<(), String> {
    match params.get(key) {
        Some(Value::String(_)) => Ok(()),
        Some(_) => Err(format!("{key} must be a string")),
        None => Err(format!("{key} is missing")),
    }
}

/// Whether a value can be a request id or a progress token: a string or an integer.
pub fn is_id(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Number(number) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}

impl RequestError {
    /// An error with this code and message.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_no_request_is_minus_32600_under_the_id_that_could_be_read() {
        let cases = [
            (json!([]), Value::Null),
            (json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]), Value::Null),
            (json!(5), Value::Null),
            (json!(null), Value::Null),
            (json!({}), Value::Null),
            (json!({"jsonrpc": "1.0", "id": 4, "method": "ping"}), json!(4)),
            (json!({"id": "x", "method": "ping"}), json!("x")),
            (json!({"jsonrpc": "2.0", "id": 4, "method": 7}), json!(4)),
            (json!({"jsonrpc": "2.0", "id": 4}), json!(4)),
            (json!({"jsonrpc": "2.0", "id": null, "method": "ping"}), Value::Null),
            (json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}), Value::Null),
            (json!({"jsonrpc": "2.0", "id": {}, "method": "ping"}), Value::Null),
        ];
        for (message, id) in cases {
            let (answer_to, error) = Message::sort(message.clone()).unwrap_err();
            assert_eq!((answer_to, error.code), (id, INVALID_REQUEST), "{message}");
        }
    }

    #[test]
    fn answers_are_no_requests_and_wrong() {
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
        assert_eq!(Message::sort(answer), Ok(Message::Answer { is_error: false }));
    }

    #[test]
    fn every_method_names_the_member_that_is_wrong() {
        let cases = [
            ("tools/list", json!([]), "params"),
            ("tools/list", json!({"cursor": 5}), "cursor"),
            ("tools/call", json!({}), "name"),
            ("tools/call", json!({"name": 1}), "name"),
            ("tools/call", json!({"name": "x", "arguments": [1]}), "arguments"),
            ("tools/call", json!({"name": "x", "arguments": null}), "arguments"),
            ("tools/call", json!({"name": "x", "_meta": 1}), "_meta"),
            ("tools/call", json!({"name": "x", "_meta": {"progressToken": 0.5}}), "_meta.progressToken"),
            ("resources/read", json!({}), "uri"),
            ("resources/read", json!({"uri": null}), "uri"),
            ("resources/subscribe", json!({"uri": 1}), "uri"),
            ("initialize", json!({"capabilities": {}, "clientInfo": {"name": "", "version": ""}}), "protocolVersion"),
            ("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}}), "clientInfo"),
            (
                "initialize",
                json!({"protocolVersion": "2025-11-25", "clientInfo": {"name": "", "version": ""}}),
                "capabilities",
            ),
        ];
        for (method, params, member) in cases {
            let method = Method::parse(method).unwrap();
            let message = method.check(Some(&params)).unwrap_err();
            assert!(message.starts_with(member), "{params}: {message}");
        }
    }

    #[test]
    fn ids_and_tokens_are_strings_or_integers() {
        for good in [json!(0), json!(-1), json!(9_007_199_254_740_993_u64), json!(u64::MAX), json!("")] {
            assert!(is_id(&good), "{good}");
        }
        for bad in [json!(null), json!(1.5), json!(true), json!([]), json!({}), json!(1e300)] {
            assert!(!is_id(&bad), "{bad}");
        }
    }
}

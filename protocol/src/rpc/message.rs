//! What a daemon writes on the control RPC, as the operator reads it.

use super::fields::Shape;
use super::{EventRecord, RpcError, RpcId, ShapeError};
use crate::strict::{Strictness, read};
use serde_json::{Value, json};

/// One line of a daemon.
#[derive(Clone, Debug, PartialEq)]
pub enum RpcMessage {
    /// An answer: the result, or the error.
    Answer {
        /// The id of the request.
        id: RpcId,
        /// What came of it.
        outcome: Result<Value, RpcError>,
    },
    /// A notification of method `event` (BRG-RPC-06).
    Event(EventRecord),
}

impl RpcMessage {
    /// An answer that succeeded.
    pub fn success(id: RpcId, result: Value) -> Self {
        Self::Answer { id, outcome: Ok(result) }
    }

    /// An answer that failed.
    pub fn failure(id: RpcId, error: RpcError) -> Self {
        Self::Answer { id, outcome: Err(error) }
    }

    /// Reads a line without its newline, strictly: no key twice, JSON-RPC 2.0, exactly one of `result` and `error`.
    ///
    /// # Errors
    /// It is neither an answer nor an event.
    pub fn decode(line: &[u8]) -> Result<Self, ShapeError> {
        let value = read(line, Strictness::default())
            .map_err(|error| ShapeError { pointer: String::new(), explanation: error.to_string() })?;
        let shape = Shape::of(&value, "")?;
        if shape.any("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(shape.wrong("jsonrpc", "`jsonrpc` is \"2.0\""));
        }
        if let Some(method) = shape.any("method") {
            if method.as_str() != Some("event") || shape.any("id").is_some() {
                return Err(shape.wrong("method", "a daemon sends answers and notifications of method `event`"));
            }
            return EventRecord::read(&Shape::of(shape.required("params")?, "/params")?).map(Self::Event);
        }
        let id = RpcId::decode(shape.required("id")?);
        let id = id.ok_or_else(|| shape.wrong("id", "`id` is a string, a number or null"))?;
        match (shape.any("result"), shape.any("error")) {
            (Some(result), None) => Ok(Self::success(id, result.clone())),
            (None, Some(error)) => Ok(Self::failure(id, RpcError::read(&Shape::of(error, "/error")?)?)),
            _ => Err(shape.wrong("result", "an answer has exactly one of `result` and `error`")),
        }
    }

    /// The line, without its newline.
    pub fn encode(&self) -> String {
        let line = match self {
            Self::Answer { id, outcome: Ok(result) } => {
                json!({ "jsonrpc": "2.0", "id": id.as_json(), "result": result })
            }
            Self::Answer { id, outcome: Err(error) } => {
                json!({ "jsonrpc": "2.0", "id": id.as_json(), "error": error.to_json() })
            }
            Self::Event(event) => {
                json!({ "jsonrpc": "2.0", "method": "event", "params": event.to_json() })
            }
        };
        line.to_string()
    }
}

//! What a server said, whichever lane heard it.

use serde_json::Value;

/// The answer to a request, as it stood on the wire: nothing is typed away.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The response carried `result`. For `tools/call` this includes results with `isError: true`.
    Result(Value),
    /// The response carried `error`.
    Error {
        /// `error.code`, an integer by JSON-RPC's own rule.
        code: i64,
        /// `error.message`.
        message: String,
        /// `error.data`, absent when the member was missing (an explicit null stays a null).
        data: Option<Value>,
    },
}

impl Outcome {
    /// The result, if it is one.
    #[must_use]
    pub fn result(&self) -> Option<&Value> {
        match self {
            Self::Result(value) => Some(value),
            Self::Error { .. } => None,
        }
    }

    /// The error code, if it is an error.
    #[must_use]
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Result(_) => None,
            Self::Error { code, .. } => Some(*code),
        }
    }

    /// The outcome as the one JSON object it came from: `{"result": …}` or `{"error": {…}}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Result(value) => serde_json::json!({ "result": value }),
            Self::Error { code, message, data } => {
                let mut error = serde_json::json!({ "code": code, "message": message });
                if let (Some(data), Some(error)) = (data, error.as_object_mut()) {
                    error.insert("data".into(), data.clone());
                }
                serde_json::json!({ "error": error })
            }
        }
    }
}

/// A notification from the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// `method`.
    pub method: String,
    /// `params`, absent when the member was missing.
    pub params: Option<Value>,
}

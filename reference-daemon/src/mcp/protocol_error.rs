//! An error as JSON-RPC has it.

use serde_json::Value;

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolError {
    /// The code.
    pub code: i32,
    /// The message.
    pub message: String,
    /// The data, if any.
    pub data: Option<Value>,
}

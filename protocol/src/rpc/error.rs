//! Errors of the control RPC.

use super::fields::{Shape, ShapeError};
use crate::error_type::{AppError, RpcErrorType};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// The `error` of an answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct RpcError {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl RpcError {
    /// The line is no JSON (BRG-RPC-08).
    pub const PARSE: i64 = -32_700;
    /// The JSON is no request (BRG-RPC-08).
    pub const INVALID_REQUEST: i64 = -32_600;
    /// There is no such method (BRG-RPC-11).
    pub const METHOD_NOT_FOUND: i64 = -32_601;
    /// Everything that has a type, in `data.type`.
    pub const TYPED: i64 = -32_000;

    /// An error of any code.
    pub fn new(code: i64, message: impl Into<String>, data: Option<Value>) -> Self {
        Self { code, message: message.into(), data }
    }

    /// An error with a type (code -32000).
    pub fn typed(kind: impl Into<RpcErrorType>, message: impl Into<String>) -> Self {
        Self::new(Self::TYPED, message, Some(json!({ "type": kind.into().as_str() })))
    }

    /// The same error with `details` in its data.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        let data = self.data.get_or_insert_with(|| Value::Object(Map::new()));
        if let Some(object) = data.as_object_mut() {
            object.insert("details".into(), details);
        }
        self
    }

    /// An app's error, verbatim (BRG-TOL-08, BRG-RES-10).
    pub fn of_app(error: &AppError) -> Self {
        let mut data = json!({ "type": error.type_text() });
        if let Some(details) = error.details() {
            data["details"] = details.clone();
        }
        Self::new(Self::TYPED, error.message(), Some(data))
    }

    /// The line is no JSON.
    pub fn parse_error(why: &str) -> Self {
        Self::new(Self::PARSE, format!("the line is no JSON: {why}"), None)
    }

    /// The JSON is no request.
    pub fn not_a_request(why: &str) -> Self {
        Self::new(Self::INVALID_REQUEST, format!("this is no JSON-RPC 2.0 request: {why}"), None)
    }

    /// There is no such method.
    pub fn method_not_found(method: &str) -> Self {
        Self::new(Self::METHOD_NOT_FOUND, format!("there is no method {method:?}"), None)
    }

    /// The JSON-RPC code.
    pub fn code(&self) -> i64 {
        self.code
    }

    /// The message, for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The data, as it is on the wire.
    pub fn data(&self) -> Option<&Value> {
        self.data.as_ref()
    }

    /// `data.type`, as spelled.
    pub fn type_text(&self) -> Option<&str> {
        self.data()?.get("type")?.as_str()
    }

    /// `data.type`, where it is one of the contract's.
    pub fn error_type(&self) -> Option<RpcErrorType> {
        RpcErrorType::parse(self.type_text()?)
    }

    /// `data.details`.
    pub fn details(&self) -> Option<&Value> {
        self.data()?.get("details")
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let mut object = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            object["data"] = data.clone();
        }
        object
    }

    /// Reads an error.
    ///
    /// # Errors
    /// It is no object with an integer `code` and a string `message`; or its code is -32000 and it has no
    /// `data.type`.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        Self::read(&Shape::of(value, "")?)
    }

    pub(super) fn read(shape: &Shape<'_>) -> Result<Self, ShapeError> {
        let code = shape.any("code").and_then(Value::as_i64);
        let code = code.ok_or_else(|| shape.wrong("code", "an error's `code` is an integer"))?;
        let error = Self { code, message: shape.text("message")?, data: shape.any("data").cloned() };
        if code == Self::TYPED && error.type_text().is_none() {
            return Err(shape.wrong("data", "an error of code -32000 has its type in `data.type`"));
        }
        Ok(error)
    }
}

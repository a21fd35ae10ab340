//! What comes of calls, reads and cancellations.

use super::ShapeError;
use super::fields::Shape;
use crate::contract::Contract;
use crate::descriptor::ContentItem;
use serde_json::{Value, json};

/// The result of `tools.call`: `{result, callId}` (BRG-TOL-07).
#[derive(Clone, Debug, PartialEq)]
pub struct CallOutcome {
    /// The app's result, verbatim.
    pub result: Value,
    /// The id that the call had.
    pub call_id: String,
}

impl CallOutcome {
    /// Reads an outcome.
    ///
    /// # Errors
    /// A part is missing or has the wrong type.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        let shape = Shape::of(value, "")?;
        Ok(Self { result: shape.required("result")?.clone(), call_id: shape.text("callId")? })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        json!({ "result": self.result, "callId": self.call_id })
    }
}

/// The result of `resources.read`: `{contents, readId}` (BRG-RPC-03).
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOutcome {
    /// The app's contents, verbatim.
    pub contents: Vec<ContentItem>,
    /// The id that the read had.
    pub read_id: String,
}

impl ReadOutcome {
    /// Reads an outcome.
    ///
    /// # Errors
    /// A part is missing or has the wrong type, or an item breaks a rule.
    pub fn decode(value: &Value, contract: &Contract) -> Result<Self, ShapeError> {
        let shape = Shape::of(value, "")?;
        let contents = ContentItem::decode_all(shape.array("contents")?, "/contents", contract);
        let contents =
            contents.map_err(|error| ShapeError { pointer: error.pointer, explanation: error.explanation })?;
        Ok(Self { contents, read_id: shape.text("readId")? })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let contents: Value = self.contents.iter().map(ContentItem::to_json).collect();
        json!({ "contents": contents, "readId": self.read_id })
    }
}

/// The result of `tools.cancel`: `{cancelled}` (BRG-TOL-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CancelOutcome {
    /// Whether the call was pending and the app was told.
    pub cancelled: bool,
}

impl CancelOutcome {
    /// Reads an outcome.
    ///
    /// # Errors
    /// `cancelled` is no boolean.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        Ok(Self { cancelled: Shape::of(value, "")?.flag("cancelled")? })
    }

    /// The wire form.
    pub fn to_json(self) -> Value {
        json!({ "cancelled": self.cancelled })
    }
}

//! What an app answers to a call.

use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::fields::Fields;
use serde_json::{Map, Number, Value};

/// `tool_result`: a call succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    session_id: String,
    id: String,
    result: Value,
}

impl ToolResult {
    /// The frame's `type`.
    pub const TYPE: &str = "tool_result";

    /// The success of call `id`.
    pub fn new(session_id: &str, id: &str, result: Value) -> Self {
        Self { session_id: session_id.to_owned(), id: id.to_owned(), result }
    }

    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = Fields::new(object, "", contract, Rule::ToolResultPresent);
        let id = fields.required_text("id", Rule::ToolResultIdPresent, Rule::ToolResultIdType)?;
        let result = match fields.any("result") {
            Some(result) => result.clone(),
            None => fields.missing(Rule::ToolResultPresent, "result").map(|()| Value::Null)?,
        };
        fields.nothing_else(&["type", "session_id", "id", "result"])?;
        Ok(Self { session_id: session_id.to_owned(), id, result })
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The call. Any text: an id that no call has is ignored (BRG-TOL-10).
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The result, verbatim; `null` is one (BRG-TOL-15).
    pub fn result(&self) -> &Value {
        &self.result
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let fields = [("id", self.id.as_str().into()), ("result", self.result.clone())];
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

/// `tool_call_progress`: a call goes on (BRG-TOL-14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCallProgress {
    session_id: String,
    id: String,
    progress: Option<Number>,
    message: Option<String>,
}

impl ToolCallProgress {
    /// The frame's `type`.
    pub const TYPE: &str = "tool_call_progress";

    /// Progress of call `id`.
    pub fn new(session_id: &str, id: &str, progress: Option<Number>, message: Option<&str>) -> Self {
        Self { session_id: session_id.to_owned(), id: id.to_owned(), progress, message: message.map(str::to_owned) }
    }

    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = Fields::new(object, "", contract, Rule::ProgressIdPresent);
        let id = fields.required_text("id", Rule::ProgressIdPresent, Rule::ProgressIdType)?;
        let progress = match fields.any("progress") {
            None => None,
            Some(Value::Number(number)) => Some(number.clone()),
            Some(other) => fields.wrong_type(Rule::ProgressValueType, "progress", other).map(|()| None)?,
        };
        let message = fields.optional_text("message", Rule::ProgressMessageType)?;
        fields.nothing_else(&["type", "session_id", "id", "progress", "message"])?;
        Ok(Self { session_id: session_id.to_owned(), id, progress, message })
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The call.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How far it is; the contract gives the number no unit.
    pub fn progress(&self) -> Option<&Number> {
        self.progress.as_ref()
    }

    /// What it does now.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let id = ("id", Value::from(self.id.as_str()));
        let progress = self.progress.clone().map(|progress| ("progress", progress.into()));
        let message = self.message().map(|message| ("message", message.into()));
        let fields = std::iter::once(id).chain(progress).chain(message);
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

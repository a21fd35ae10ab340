//! What a daemon asks of an app's tools.

use super::texts::{name, text};
use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::fields::Fields;
use serde_json::{Map, Value};

/// `tool_call`: the app is to run a tool (BRG-TOL-07).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    session_id: String,
    id: String,
    name: String,
    args: Map<String, Value>,
}

impl ToolCall {
    /// The frame's `type`.
    pub const TYPE: &str = "tool_call";

    /// A call.
    ///
    /// # Errors
    /// An id is not 1 to 128 characters long, or `name` is no tool name.
    pub fn new(
        session_id: &str,
        id: &str,
        name: &str,
        args: Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = [("id", id.into()), ("name", name.into()), ("args", Value::Object(args))];
        Self::decode(&envelope::write(Self::TYPE, session_id, fields), contract)
    }

    pub(super) fn decode(object: &Map<String, Value>, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::new(object, "", contract, Rule::ToolCallId);
        let call = Self {
            session_id: text(&fields, "session_id", Rule::DaemonSessionId, limits.session_id_max)?,
            id: text(&fields, "id", Rule::ToolCallId, limits.call_id_max)?,
            name: name(&fields, Rule::ToolCallName, limits.tool_name_max)?,
            args: match fields.any("args") {
                None => fields.missing(Rule::ToolCallArgs, "args").map(|()| Map::new())?,
                Some(_) => fields.optional_object("args", Rule::ToolCallArgs)?.cloned().unwrap_or_default(),
            },
        };
        fields.nothing_else(&["type", "session_id", "id", "name", "args"])?;
        Ok(call)
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The call's id, which its answer repeats.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments, as the caller gave them.
    pub fn args(&self) -> &Map<String, Value> {
        &self.args
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let fields = [
            ("id", self.id.as_str().into()),
            ("name", self.name.as_str().into()),
            ("args", Value::Object(self.args.clone())),
        ];
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

/// `tool_cancel`: nobody waits for a call any more (BRG-TOL-13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCancel {
    session_id: String,
    id: String,
    reason: String,
}

impl ToolCancel {
    /// The frame's `type`.
    pub const TYPE: &str = "tool_cancel";
    /// The reason when the caller's connection closed (BRG-TOL-17).
    pub const CONNECTION_CLOSED: &str = "connection_closed";

    /// A cancellation.
    ///
    /// # Errors
    /// An id is not 1 to 128 characters long, or the reason not 1 to 4,096.
    pub fn new(session_id: &str, id: &str, reason: &str, contract: &Contract) -> Result<Self, FrameError> {
        let fields = [("id", id.into()), ("reason", reason.into())];
        Self::decode(&envelope::write(Self::TYPE, session_id, fields), contract)
    }

    pub(super) fn decode(object: &Map<String, Value>, contract: &Contract) -> Result<Self, FrameError> {
        let fields = Fields::new(object, "", contract, Rule::ToolCancelId);
        let cancel = Self {
            session_id: text(&fields, "session_id", Rule::DaemonSessionId, contract.limits.session_id_max)?,
            id: text(&fields, "id", Rule::ToolCancelId, contract.limits.call_id_max)?,
            reason: text(&fields, "reason", Rule::ToolCancelReason, contract.limits.reason_max)?,
        };
        fields.nothing_else(&["type", "session_id", "id", "reason"])?;
        Ok(cancel)
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The call.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Why.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let fields = [("id", self.id.as_str().into()), ("reason", self.reason.as_str().into())];
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

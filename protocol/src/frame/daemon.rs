//! What daemons send. Decoding is strict: the daemon keeps the protocol's own limits (BRG-CON-18).

use super::{FrameError, ResourceRead, SessionAck, ToolCall, ToolCancel, envelope};
use crate::contract::{Contract, Rule};
use serde_json::Value;

/// A frame of a daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DaemonFrame {
    /// `session_ack`.
    SessionAck(SessionAck),
    /// `tool_call`.
    ToolCall(ToolCall),
    /// `tool_cancel`.
    ToolCancel(ToolCancel),
    /// `resource_read`.
    ResourceRead(ResourceRead),
}

impl DaemonFrame {
    /// The types that daemons send.
    pub const TYPES: &[&str] = &[SessionAck::TYPE, ToolCall::TYPE, ToolCancel::TYPE, ResourceRead::TYPE];

    /// Reads a text message of a daemon. Keys that the contract does not name are tolerated, but a read that brings
    /// input is not (BRG-RES-06).
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn decode(text: &str, contract: &Contract) -> Result<Self, FrameError> {
        let object = envelope::object(text, contract)?;
        Ok(match envelope::type_of(&object) {
            Some(SessionAck::TYPE) => Self::SessionAck(SessionAck::decode(&object, contract)?),
            Some(ToolCall::TYPE) => Self::ToolCall(ToolCall::decode(&object, contract)?),
            Some(ToolCancel::TYPE) => Self::ToolCancel(ToolCancel::decode(&object, contract)?),
            Some(ResourceRead::TYPE) => Self::ResourceRead(ResourceRead::decode(&object, contract)?),
            _ => return Err(envelope::wrong_type_name(Rule::DaemonMessageType, &object)),
        })
    }

    /// The frame's `type`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::SessionAck(_) => SessionAck::TYPE,
            Self::ToolCall(_) => ToolCall::TYPE,
            Self::ToolCancel(_) => ToolCancel::TYPE,
            Self::ResourceRead(_) => ResourceRead::TYPE,
        }
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        match self {
            Self::SessionAck(frame) => frame.session_id(),
            Self::ToolCall(frame) => frame.session_id(),
            Self::ToolCancel(frame) => frame.session_id(),
            Self::ResourceRead(frame) => frame.session_id(),
        }
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        match self {
            Self::SessionAck(frame) => frame.to_json(),
            Self::ToolCall(frame) => frame.to_json(),
            Self::ToolCancel(frame) => frame.to_json(),
            Self::ResourceRead(frame) => frame.to_json(),
        }
    }

    /// The frame's text on the wire, whatever its size.
    pub fn encode(&self) -> String {
        self.to_json().to_string()
    }

    /// The frame's text on the wire, if it keeps the size limit (BRG-CON-18).
    ///
    /// # Errors
    /// [`Rule::FrameBytes`]: it is longer than a frame may be.
    pub fn encode_within(&self, contract: &Contract) -> Result<String, FrameError> {
        let text = self.encode();
        if text.len() > contract.limits.frame_bytes && contract.applies(Rule::FrameBytes) {
            let found = format!("this one has {}", text.len());
            return Err(FrameError::new(Rule::FrameBytes, String::new(), &found));
        }
        Ok(text)
    }
}

//! What apps send once the socket has a session.

use super::registry::{Delta, Registered, Snapshot};
use super::{
    AppEvent, ClaimFrame, DaemonFrame, FirstFrame, FrameError, ResourceDelta, ResourceErrorFrame, ResourceResult,
    ResourceSnapshot, ResumeFrame, ToolCallProgress, ToolDelta, ToolErrorFrame, ToolResult, ToolSnapshot, envelope,
};
use crate::contract::{Contract, Rule};
use crate::descriptor::{ResourceDescriptor, ToolDescriptor};
use serde_json::{Map, Value};

/// A frame of an app in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppFrame {
    /// `tool_registry_snapshot`.
    ToolSnapshot(ToolSnapshot),
    /// `tool_registry_delta`.
    ToolDelta(ToolDelta),
    /// `tool_result`.
    ToolResult(ToolResult),
    /// `tool_error`.
    ToolError(ToolErrorFrame),
    /// `tool_call_progress`.
    ToolCallProgress(ToolCallProgress),
    /// `event`.
    Event(AppEvent),
    /// `resource_registry_snapshot`.
    ResourceSnapshot(ResourceSnapshot),
    /// `resource_registry_delta`.
    ResourceDelta(ResourceDelta),
    /// `resource_result`.
    ResourceResult(ResourceResult),
    /// `resource_error`.
    ResourceError(ResourceErrorFrame),
    /// Something that means nothing, which only a bent contract lets through; its `type`, if it has one.
    Ignored(Option<String>),
}

impl AppFrame {
    /// The types that apps send in a session.
    pub const TYPES: &[&str] = &[
        <ToolDescriptor as Registered>::RULES.snapshot_type,
        <ToolDescriptor as Registered>::RULES.delta_type,
        ToolResult::TYPE,
        ToolErrorFrame::TYPE,
        ToolCallProgress::TYPE,
        AppEvent::TYPE,
        <ResourceDescriptor as Registered>::RULES.snapshot_type,
        <ResourceDescriptor as Registered>::RULES.delta_type,
        ResourceResult::TYPE,
        ResourceErrorFrame::TYPE,
    ];

    /// Reads the first text message of a connection: claim rules, then resume rules (BRG-CON-16).
    ///
    /// # Errors
    /// It is no JSON object, or neither a valid claim nor a valid resume (BRG-CON-02, BRG-CON-03).
    pub fn decode_first(text: &str, contract: &Contract) -> Result<FirstFrame, FrameError> {
        FirstFrame::decode(text, contract)
    }

    /// Reads a text message of a socket whose session is `session_id`. It is judged in this order (BRG-CON-16): JSON,
    /// `type`, `session_id`, the type's own rules. Claim and resume count as unknown types here: a socket has its
    /// session already.
    ///
    /// # Errors
    /// The first rule it breaks.
    ///
    /// ```
    /// use iolite_protocol::close::Close;
    /// use iolite_protocol::contract::Contract;
    /// use iolite_protocol::frame::AppFrame;
    ///
    /// let text = r#"{"type":"resource_registry_delta","session_id":"s1","operation":"remove","name":""}"#;
    /// let error = AppFrame::decode_in_session(text, "s1", &Contract::default()).unwrap_err();
    /// assert_eq!(error.close, Close::INVALID_REGISTRY);
    /// assert_eq!(error.pointer, "/name");
    /// // The session is judged before the type's own rules.
    /// let error = AppFrame::decode_in_session(text, "s2", &Contract::default()).unwrap_err();
    /// assert_eq!(error.close, Close::SESSION_MISMATCH);
    /// ```
    pub fn decode_in_session(text: &str, session_id: &str, contract: &Contract) -> Result<Self, FrameError> {
        let object = envelope::object(text, contract)?;
        let kind = envelope::type_of(&object);
        if let Some(rule) = broken_type_rule(kind).filter(|rule| contract.applies(*rule)) {
            return Err(envelope::wrong_type_name(rule, &object));
        }
        check_session(&object, session_id, contract)?;
        Self::decode_known(kind.unwrap_or_default(), session_id, &object, contract)
    }

    fn decode_known(
        kind: &str,
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let ignored = || Self::Ignored(envelope::type_of(object).map(str::to_owned));
        Ok(match kind {
            "tool_registry_snapshot" => Self::ToolSnapshot(Snapshot::decode(session_id, object, contract)?),
            "tool_registry_delta" => Delta::decode(session_id, object, contract)?.map_or_else(ignored, Self::ToolDelta),
            "resource_registry_snapshot" => Self::ResourceSnapshot(Snapshot::decode(session_id, object, contract)?),
            "resource_registry_delta" => {
                Delta::decode(session_id, object, contract)?.map_or_else(ignored, Self::ResourceDelta)
            }
            ToolResult::TYPE => Self::ToolResult(ToolResult::decode(session_id, object, contract)?),
            ToolErrorFrame::TYPE => Self::ToolError(ToolErrorFrame::decode(session_id, object, contract)?),
            ToolCallProgress::TYPE => Self::ToolCallProgress(ToolCallProgress::decode(session_id, object, contract)?),
            AppEvent::TYPE => Self::Event(AppEvent::decode(session_id, object, contract)?),
            ResourceResult::TYPE => Self::ResourceResult(ResourceResult::decode(session_id, object, contract)?),
            ResourceErrorFrame::TYPE => Self::ResourceError(ResourceErrorFrame::decode(session_id, object, contract)?),
            _ => ignored(),
        })
    }

    /// The frame's `type`; empty for an ignored frame that has none.
    pub fn type_name(&self) -> &str {
        match self {
            Self::ToolSnapshot(_) => <ToolDescriptor as Registered>::RULES.snapshot_type,
            Self::ToolDelta(_) => <ToolDescriptor as Registered>::RULES.delta_type,
            Self::ToolResult(_) => ToolResult::TYPE,
            Self::ToolError(_) => ToolErrorFrame::TYPE,
            Self::ToolCallProgress(_) => ToolCallProgress::TYPE,
            Self::Event(_) => AppEvent::TYPE,
            Self::ResourceSnapshot(_) => <ResourceDescriptor as Registered>::RULES.snapshot_type,
            Self::ResourceDelta(_) => <ResourceDescriptor as Registered>::RULES.delta_type,
            Self::ResourceResult(_) => ResourceResult::TYPE,
            Self::ResourceError(_) => ResourceErrorFrame::TYPE,
            Self::Ignored(kind) => kind.as_deref().unwrap_or_default(),
        }
    }

    /// The wire form. An ignored frame has only its `type`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::ToolSnapshot(frame) => frame.to_json(),
            Self::ToolDelta(frame) => frame.to_json(),
            Self::ToolResult(frame) => frame.to_json(),
            Self::ToolError(frame) => frame.to_json(),
            Self::ToolCallProgress(frame) => frame.to_json(),
            Self::Event(frame) => frame.to_json(),
            Self::ResourceSnapshot(frame) => frame.to_json(),
            Self::ResourceDelta(frame) => frame.to_json(),
            Self::ResourceResult(frame) => frame.to_json(),
            Self::ResourceError(frame) => frame.to_json(),
            Self::Ignored(kind) => serde_json::json!({ "type": kind }),
        }
    }

    /// The frame's text on the wire.
    pub fn encode(&self) -> String {
        self.to_json().to_string()
    }
}

/// The rule that a `type` breaks in a session, if it breaks one (BRG-CON-05).
fn broken_type_rule(kind: Option<&str>) -> Option<Rule> {
    match kind {
        Some(kind) if AppFrame::TYPES.contains(&kind) => None,
        Some(kind) if DaemonFrame::TYPES.contains(&kind) => Some(Rule::DaemonTypeFromApp),
        Some(ClaimFrame::TYPE | ResumeFrame::TYPE) => Some(Rule::HandshakeTypeInSession),
        _ => Some(Rule::MessageType),
    }
}

fn check_session(object: &Map<String, Value>, session_id: &str, contract: &Contract) -> Result<(), FrameError> {
    let (rule, found) = match object.get("session_id") {
        Some(Value::String(text)) if text == session_id => return Ok(()),
        Some(other) => (Rule::SessionIdMatch, format!("this one is {other}")),
        None => (Rule::SessionIdPresent, "it is missing".to_owned()),
    };
    if !contract.applies(rule) {
        return Ok(());
    }
    Err(FrameError::new(rule, "/session_id".into(), &found))
}

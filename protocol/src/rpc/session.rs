//! Sessions as the operator sees them.

use super::fields::{Shape, list};
use super::{ShapeError, Timestamp};
use crate::fields::child;
use crate::frame::Device;
use serde_json::{Value, json};
use std::fmt;

/// The state of a session (section 3 of the contract).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionState {
    /// A link that nobody has claimed yet. Never listed (BRG-RPC-13).
    Pending,
    /// An app holds it.
    Active,
    /// Its app lost the socket and may come back.
    Suspended,
    /// Its app did not come back. Terminal.
    Expired,
    /// A link that nobody claimed in time. Terminal.
    Discarded,
    /// The operator ended it. Terminal.
    Revoked,
}

impl SessionState {
    /// Every state.
    pub const ALL: &[Self] =
        &[Self::Pending, Self::Active, Self::Suspended, Self::Expired, Self::Discarded, Self::Revoked];

    /// The spelling on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Expired => "expired",
            Self::Discarded => "discarded",
            Self::Revoked => "revoked",
        }
    }

    /// The state with this spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|state| state.as_str() == text)
    }

    /// Whether a session in it is live: active or suspended.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Active | Self::Suspended)
    }
}

impl fmt::Display for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One session: `{sessionId, alias, state, device, createdAt, claimedAt, suspendedAt?, toolCount, resourceCount}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// The id.
    pub session_id: String,
    /// The readable name (BRG-SES-05).
    pub alias: String,
    /// The state.
    pub state: SessionState,
    /// What the app says it runs on.
    pub device: Device,
    /// When its link was minted.
    pub created_at: Timestamp,
    /// When it was claimed.
    pub claimed_at: Timestamp,
    /// Since when it has no socket; absent while it has one.
    pub suspended_at: Option<Timestamp>,
    /// How many tools it has.
    pub tool_count: u64,
    /// How many resources it has (BRG-RPC-05).
    pub resource_count: u64,
}

impl SessionSummary {
    /// Reads a summary.
    ///
    /// # Errors
    /// A required part is missing or has the wrong type.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        Self::read(&Shape::of(value, "")?)
    }

    fn read(shape: &Shape<'_>) -> Result<Self, ShapeError> {
        let state = SessionState::parse(&shape.text("state")?);
        Ok(Self {
            session_id: shape.text("sessionId")?,
            alias: shape.text("alias")?,
            state: state.ok_or_else(|| shape.wrong("state", "`state` is a session's state"))?,
            device: device(&Shape::of(shape.required("device")?, &shape.pointer_to("device"))?)?,
            created_at: shape.time("createdAt")?,
            claimed_at: shape.time("claimedAt")?,
            suspended_at: shape.optional_time("suspendedAt")?,
            tool_count: shape.count("toolCount")?,
            resource_count: shape.count("resourceCount")?,
        })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "sessionId": self.session_id,
            "alias": self.alias,
            "state": self.state.as_str(),
            "device": self.device.to_json(),
            "createdAt": self.created_at.to_json(),
            "claimedAt": self.claimed_at.to_json(),
        });
        if let Some(suspended_at) = self.suspended_at {
            object["suspendedAt"] = suspended_at.to_json();
        }
        object["toolCount"] = self.tool_count.into();
        object["resourceCount"] = self.resource_count.into();
        object
    }
}

/// The result of `sessions.list`: `{sessions: […]}`, in claim order, without pending links (BRG-RPC-13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionsListing {
    /// The sessions.
    pub sessions: Vec<SessionSummary>,
}

impl SessionsListing {
    /// Reads a list: under `sessions`, or bare.
    ///
    /// # Errors
    /// A summary has not the form of the contract.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        let (items, pointer) = list(value, "sessions")?;
        let items = items.iter().enumerate();
        let sessions =
            items.map(|(index, item)| SessionSummary::read(&Shape::of(item, &child(&pointer, &index.to_string()))?));
        Ok(Self { sessions: sessions.collect::<Result<_, _>>()? })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let sessions: Value = self.sessions.iter().map(SessionSummary::to_json).collect();
        json!({ "sessions": sessions })
    }
}

fn device(shape: &Shape<'_>) -> Result<Device, ShapeError> {
    let (manufacturer, model, os) =
        (shape.optional_text("manufacturer")?, shape.optional_text("model")?, shape.optional_text("os")?);
    let device = Device::new(manufacturer.as_deref(), model.as_deref(), os.as_deref());
    device.map_err(|error| ShapeError { pointer: shape.pointer_to("model"), explanation: error.explanation })
}

crate::serialized_as_text!(SessionState);

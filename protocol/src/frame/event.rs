//! What an app reports by itself.

use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::fields::{Fields, check_text};
use serde_json::{Map, Number, Value};

/// `event`: something happened in the app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppEvent {
    session_id: String,
    name: String,
    payload: Option<Value>,
    ts: Number,
}

impl AppEvent {
    /// The frame's `type`.
    pub const TYPE: &str = "event";
    /// The `name` of the event that marks a resource stale; its payload is `{name}` (BRG-RES-12).
    pub const RESOURCE_UPDATED: &str = "resource_updated";

    /// An event. `ts` is the app's own clock; the contract gives it no unit.
    ///
    /// # Errors
    /// `name` is not 1 to 4,096 characters long.
    pub fn new(session_id: &str, name: &str, payload: Option<Value>, ts: Number) -> Result<Self, FrameError> {
        let limit = Contract::default().limits.event_name_max;
        check_text(name, Rule::EventNameLength, 1, limit, "/name")?;
        Ok(Self { session_id: session_id.to_owned(), name: name.to_owned(), payload, ts })
    }

    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = Fields::new(object, "", contract, Rule::EventNamePresent);
        let name = fields.required_text("name", Rule::EventNamePresent, Rule::EventNameType)?;
        fields.length(&name, "name", Rule::EventNameLength, 1, contract.limits.event_name_max)?;
        let payload = fields.any("payload").cloned();
        let ts = match fields.any("ts") {
            Some(Value::Number(ts)) => ts.clone(),
            Some(other) => fields.wrong_type(Rule::EventTsType, "ts", other).map(|()| 0.into())?,
            None => fields.missing(Rule::EventTsPresent, "ts").map(|()| 0.into())?,
        };
        fields.nothing_else(&["type", "session_id", "name", "payload", "ts"])?;
        Ok(Self { session_id: session_id.to_owned(), name, payload, ts })
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// What happened.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// More about it, verbatim: `None` when the key was absent.
    pub fn payload(&self) -> Option<&Value> {
        self.payload.as_ref()
    }

    /// When, by the app's clock.
    pub fn ts(&self) -> &Number {
        &self.ts
    }

    /// The name of the resource that this event marks stale, if it is such an event (BRG-RES-12).
    pub fn stale_resource(&self) -> Option<&str> {
        if self.name != Self::RESOURCE_UPDATED {
            return None;
        }
        self.payload()?.get("name")?.as_str()
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let name = ("name", Value::from(self.name.as_str()));
        let payload = self.payload.clone().map(|payload| ("payload", payload));
        let ts = ("ts", Value::Number(self.ts.clone()));
        envelope::write(Self::TYPE, &self.session_id, std::iter::once(name).chain(payload).chain([ts])).into()
    }
}

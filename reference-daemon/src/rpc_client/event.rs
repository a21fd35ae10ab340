//! Events as they arrive on a subscribed connection.

use serde_json::Value;

/// One `event` notification (`BRG-RPC-06`).
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The kind, e.g. `tools_changed`.
    pub kind: String,
    /// The session it is about, if any.
    pub session_id: Option<String>,
    /// That session's alias, if it has one.
    pub alias: Option<String>,
    /// Its number within the session.
    pub seq: Option<u64>,
    /// What happened, by kind. `Null` where there is nothing to say.
    pub data: Value,
}

impl Event {
    /// Reads the `params` of an `event` notification.
    pub(super) fn read(params: &Value) -> Option<Self> {
        let text = |key: &str| params.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            kind: text("kind")?,
            session_id: text("sessionId"),
            alias: text("alias"),
            seq: params.get("seq").and_then(Value::as_u64),
            data: params.get("data").cloned().unwrap_or_default(),
        })
    }

    /// A string in `data`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).and_then(Value::as_str)
    }
}

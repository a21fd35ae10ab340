//! Connections of operators, and the requests made on them.

use super::event_log::Filter;
use super::io::ConnectionId;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// One connection on the control socket.
#[derive(Debug, Default)]
pub(super) struct Connection {
    /// Which events it subscribed to, if it did.
    pub(super) filter: Option<Filter>,
    /// Requests not answered yet, in their order, and answers held up by them. Only a bent rule table fills these.
    pub(super) waiting: VecDeque<u64>,
    pub(super) held_up: BTreeMap<u64, String>,
    pub(super) requests: u64,
    /// The first text id that was answered. Only a bent rule table keeps it.
    pub(super) first_text_id: Option<Value>,
}

/// Who asked, and under which id.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RequestRef {
    pub(super) connection: ConnectionId,
    /// The id to answer under; a notification has none.
    pub(super) id: Option<Value>,
    pub(super) number: u64,
}

//! What sockets and frames decide (`CON`). Limits and field rules stand in the contract itself.

use iolite_protocol::close::{Close, CloseCode, CloseReason};
use std::collections::BTreeMap;

/// Decisions about sockets and frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectionRules {
    /// Closes that go out as another one (contract: none).
    pub replaced_closes: BTreeMap<Close, Close>,
    /// What a binary frame does (`CON-01`).
    pub binary: Violation,
    /// What text that is no JSON object does (`CON-02`).
    pub invalid_json: Violation,
    /// What a first frame that is neither claim nor resume does (`CON-03`).
    pub bad_first_frame: Violation,
    /// A socket that claims nothing in time is closed (`CON-04`).
    pub pre_claim_timeout: bool,
    /// What an unknown type does (`CON-05`).
    pub unknown_type: Violation,
    /// What a missing or other session id does (`CON-06`).
    pub session_mismatch: Violation,
    /// What a broken field rule of an ordinary frame does (`CON-07`).
    pub invalid_message: Violation,
    /// What a broken field rule of a registry frame does (`CON-07`, `TOL-02`, `RES-02`).
    pub invalid_registry: Violation,
    /// What text over the limit, or no UTF-8, does (`CON-08`, `CON-12`).
    pub unreadable: Violation,
    /// In which order a frame is judged (`CON-16`).
    pub order: Order,
    /// Pings are sent (`CON-09`).
    pub pings: bool,
    /// Most pings on one socket (`CON-09`: no end).
    pub most_pings: Option<u32>,
    /// A socket that was replaced is pinged no more (`CON-09`); otherwise its missed pongs suspend the session.
    pub replaced_is_unpinged: bool,
    /// Time between pings, in percent of the configured interval (`CON-09`: 100).
    pub ping_interval_percent: u64,
    /// Missed pongs lose the socket (`CON-09`).
    pub drop_silent_peers: bool,
    /// Pongs count (`CON-09`).
    pub count_pongs: bool,
    /// A violation gets a close frame (`CON-02` … `CON-07`); otherwise the connection is cut.
    pub violations_are_told: bool,
    /// Each frame is served once (`CON-10`); otherwise twice.
    pub frames_count_once: bool,
    /// Text beyond ASCII is served (`CON-12`); otherwise it is invalid JSON.
    pub unusual_text: bool,
    /// A violation hits its own session only (`CON-11`); otherwise every session is suspended.
    pub own_blast_radius: bool,
    /// A socket about to be closed is powerless (`CON-15`, `SES-15`); otherwise what arrives on it until the peer
    /// has closed is served.
    pub powerless_when_closing: bool,
    /// Frames over the limit are refused before sending (`CON-18`).
    pub check_outgoing: bool,
}

/// What breaking a rule does to the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The socket is closed, its session suspended.
    Close,
    /// The frame is ignored.
    Ignore,
}

/// In which order a frame after the claim is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Type, session id, the type's own rules.
    TypeSessionRules,
    /// Session id, type, the type's own rules.
    SessionTypeRules,
    /// Type, the type's own rules, session id.
    TypeRulesSession,
}

impl Default for ConnectionRules {
    fn default() -> Self {
        Self {
            replaced_closes: BTreeMap::new(),
            binary: Violation::Close,
            invalid_json: Violation::Close,
            bad_first_frame: Violation::Close,
            pre_claim_timeout: true,
            unknown_type: Violation::Close,
            session_mismatch: Violation::Close,
            invalid_message: Violation::Close,
            invalid_registry: Violation::Close,
            unreadable: Violation::Close,
            order: Order::TypeSessionRules,
            pings: true,
            most_pings: None,
            replaced_is_unpinged: true,
            ping_interval_percent: 100,
            drop_silent_peers: true,
            count_pongs: true,
            violations_are_told: true,
            frames_count_once: true,
            unusual_text: true,
            own_blast_radius: true,
            powerless_when_closing: true,
            check_outgoing: true,
        }
    }
}

impl ConnectionRules {
    /// The close that goes out where the contract asks for `close`.
    pub fn close(&self, close: Close) -> Close {
        self.replaced_closes.get(&close).copied().unwrap_or(close)
    }

    pub(crate) fn recode(&mut self, close: Close, code: u16) {
        let code = CloseCode(code);
        self.replaced_closes.insert(close, Close { code, ..close });
    }

    pub(crate) fn rename(&mut self, close: Close, reason: CloseReason) {
        self.replaced_closes.insert(close, Close { reason, ..close });
    }
}

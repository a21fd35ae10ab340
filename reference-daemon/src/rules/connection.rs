//! What sockets and frames decide (`CON`). Limits and field rules stand in the contract itself.

use super::fault::beneath;
use super::{EVERYTHING, Fault};
use iolite_protocol::close::{Close, CloseCode, CloseReason};
use iolite_protocol::contract::Rule;
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

    fn recode(&mut self, close: Close, code: u16) {
        let code = CloseCode(code);
        self.replaced_closes.insert(close, Close { code, ..close });
    }

    fn rename(&mut self, close: Close, reason: CloseReason) {
        self.replaced_closes.insert(close, Close { reason, ..close });
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "con-binary-ignored",
        promises: &["BRG-CON-01", "BRG-SES-16"],
        title: "Binary frames are ignored",
        bend: |rules| rules.connection.binary = Violation::Ignore,
    },
    Fault {
        id: "con-binary-wrong-code",
        promises: &["BRG-CON-01"],
        title: "A binary frame closes with 1008",
        bend: |rules| rules.connection.recode(Close::BINARY_FRAME_NOT_SUPPORTED, 1008),
    },
    Fault {
        id: "con-binary-wrong-reason",
        promises: &["BRG-CON-01"],
        title: "A binary frame closes with reason invalid_message",
        bend: |rules| {
            rules.connection.rename(Close::BINARY_FRAME_NOT_SUPPORTED, CloseReason::InvalidMessage);
        },
    },
    Fault {
        id: "con-invalid-json-ignored",
        promises: &["BRG-CON-02", "BRG-SES-16"],
        title: "Text that is no JSON object is ignored",
        bend: |rules| rules.connection.invalid_json = Violation::Ignore,
    },
    Fault {
        id: "con-invalid-json-wrong-code",
        promises: &["BRG-CON-02"],
        title: "Text that is no JSON closes with 1007",
        bend: |rules| rules.connection.recode(Close::INVALID_JSON, 1007),
    },
    Fault {
        id: "con-invalid-json-wrong-reason",
        promises: &["BRG-CON-02"],
        title: "Text that is no JSON closes with reason invalid_message",
        bend: |rules| rules.connection.rename(Close::INVALID_JSON, CloseReason::InvalidMessage),
    },
    Fault {
        id: "con-first-frame-ignored",
        promises: &["BRG-CON-03", "BRG-SES-02"],
        title: "A first frame that is neither claim nor resume is ignored",
        bend: |rules| rules.connection.bad_first_frame = Violation::Ignore,
    },
    Fault {
        id: "con-first-frame-wrong-reason",
        promises: &["BRG-CON-03", "BRG-SES-02"],
        title: "A first frame that is neither claim nor resume closes with reason unknown_message_type",
        bend: |rules| {
            rules.connection.rename(Close::EXPECTED_CLAIM_OR_RESUME, CloseReason::UnknownMessageType);
        },
    },
    Fault {
        id: "con-pre-claim-never",
        promises: &["BRG-CON-04"],
        title: "A socket may stay for ever without claiming",
        bend: |rules| rules.connection.pre_claim_timeout = false,
    },
    Fault {
        id: "con-pre-claim-early",
        promises: &["BRG-CON-04"],
        title: "A socket must claim within 5 seconds",
        bend: |rules| rules.contract.limits.pre_claim_ms = 5_000,
    },
    Fault {
        id: "con-pre-claim-late",
        promises: &["BRG-CON-04"],
        title: "A socket has 15 seconds to claim",
        bend: |rules| rules.contract.limits.pre_claim_ms = 15_000,
    },
    Fault {
        id: "con-pre-claim-wrong-reason",
        promises: &["BRG-CON-04"],
        title: "A socket that claimed nothing closes with reason expected_claim_or_resume",
        bend: |rules| {
            rules.connection.rename(Close::PRE_CLAIM_TIMEOUT, CloseReason::ExpectedClaimOrResume);
        },
    },
    Fault {
        id: "con-unknown-type-ignored",
        promises: &["BRG-CON-05", "BRG-SES-16"],
        title: "Frames of an unknown type are ignored",
        bend: |rules| rules.connection.unknown_type = Violation::Ignore,
    },
    Fault {
        id: "con-unknown-type-wrong-reason",
        promises: &["BRG-CON-05"],
        title: "An unknown type closes with reason invalid_message",
        bend: |rules| {
            rules.connection.rename(Close::UNKNOWN_MESSAGE_TYPE, CloseReason::InvalidMessage);
        },
    },
    Fault {
        id: "con-session-mismatch-ignored",
        promises: &["BRG-CON-06", "BRG-SES-16"],
        title: "Frames of a missing or other session id are ignored",
        bend: |rules| rules.connection.session_mismatch = Violation::Ignore,
    },
    Fault {
        id: "con-other-session-served",
        promises: &["BRG-CON-06", "BRG-SES-16"],
        title: "Frames with another session's id are served",
        bend: |rules| {
            rules.contract.waived.insert(Rule::SessionIdMatch);
        },
    },
    Fault {
        id: "con-missing-session-served",
        promises: &["BRG-CON-06", "BRG-SES-16"],
        title: "Frames without a session id are served",
        bend: |rules| {
            rules.contract.waived.insert(Rule::SessionIdPresent);
            rules.contract.waived.insert(Rule::SessionIdMatch);
        },
    },
    Fault {
        id: "con-session-mismatch-wrong-reason",
        promises: &["BRG-CON-06"],
        title: "Another session's id closes with reason unknown_session",
        bend: |rules| rules.connection.rename(Close::SESSION_MISMATCH, CloseReason::UnknownSession),
    },
    Fault {
        id: "con-invalid-message-ignored",
        promises: &["BRG-CON-07", "BRG-TOL-15", "BRG-RES-09", "BRG-SES-16"],
        title: "Frames that break a field rule are ignored",
        bend: |rules| rules.connection.invalid_message = Violation::Ignore,
    },
    Fault {
        id: "con-invalid-message-wrong-reason",
        promises: &["BRG-CON-07", "BRG-TOL-15", "BRG-RES-09"],
        title: "A broken field rule closes with reason invalid_json",
        bend: |rules| rules.connection.rename(Close::INVALID_MESSAGE, CloseReason::InvalidJson),
    },
    Fault {
        id: "con-invalid-registry-ignored",
        promises: &["BRG-CON-07", "BRG-TOL-02", "BRG-TOL-04", "BRG-RES-02", "BRG-SES-16"],
        title: "Registry frames that break a rule are ignored",
        bend: |rules| rules.connection.invalid_registry = Violation::Ignore,
    },
    Fault {
        id: "con-invalid-registry-wrong-reason",
        promises: &["BRG-CON-07", "BRG-TOL-02", "BRG-TOL-04", "BRG-RES-02"],
        title: "A broken registry rule closes with reason invalid_message",
        bend: |rules| rules.connection.rename(Close::INVALID_REGISTRY, CloseReason::InvalidMessage),
    },
    Fault {
        id: "con-frame-limit-short",
        promises: &["BRG-CON-08", "BRG-RES-11", "BRG-TOL-11"],
        title: "A frame of exactly 256 KiB is refused",
        bend: |rules| rules.contract.limits.frame_bytes = 262_143,
    },
    Fault {
        id: "con-frame-limit-long",
        promises: &["BRG-CON-08", "BRG-RES-11", "BRG-TOL-11"],
        title: "A frame of one byte over 256 KiB is served",
        bend: |rules| rules.contract.limits.frame_bytes = 262_145,
    },
    Fault {
        id: "con-frame-limit-absent",
        promises: &["BRG-CON-08", "BRG-CON-18", "BRG-AUD-04", "BRG-RES-11", "BRG-TOL-07", "BRG-TOL-11"],
        title: "Frames of 16 MiB are served",
        bend: |rules| rules.contract.limits.frame_bytes = 16 << 20,
    },
    Fault {
        id: "con-too-big-wrong-code",
        promises: &["BRG-CON-08"],
        title: "A frame over the limit closes with 1008",
        bend: |rules| rules.connection.recode(Close::MESSAGE_TOO_BIG, 1008),
    },
    Fault {
        id: "con-unreadable-ignored",
        promises: &["BRG-CON-12", "BRG-CON-08", "BRG-SES-16", "BRG-RES-11", "BRG-TOL-11"],
        title: "Text that is too long or no UTF-8 is ignored",
        bend: |rules| rules.connection.unreadable = Violation::Ignore,
    },
    Fault {
        id: "con-utf8-wrong-code",
        promises: &["BRG-CON-12"],
        title: "Text that is no UTF-8 closes with 1011",
        bend: |rules| rules.connection.recode(Close::INVALID_UTF8, 1011),
    },
    Fault {
        id: "con-pings-missing",
        promises: &["BRG-CON-09"],
        title: "No pings are sent",
        bend: |rules| rules.connection.pings = false,
    },
    Fault {
        id: "con-pings-slow",
        promises: &["BRG-CON-09"],
        title: "Pings come at twice the announced interval",
        bend: |rules| rules.connection.ping_interval_percent = 200,
    },
    Fault {
        id: "con-one-missed-pong",
        promises: &["BRG-CON-09"],
        title: "One missed pong loses the socket",
        bend: |rules| rules.contract.limits.missed_pongs = 1,
    },
    Fault {
        id: "con-three-missed-pongs",
        promises: &["BRG-CON-09"],
        title: "The socket is lost at the third missed pong",
        bend: |rules| rules.contract.limits.missed_pongs = 3,
    },
    Fault {
        id: "con-silent-peer-kept",
        promises: &["BRG-CON-09"],
        title: "A peer that answers no ping stays active for ever",
        bend: |rules| rules.connection.drop_silent_peers = false,
    },
    Fault {
        id: "con-pongs-not-counted",
        promises: &["BRG-CON-09"],
        title: "A peer that answers every ping is lost all the same",
        bend: |rules| rules.connection.count_pongs = false,
    },
    Fault {
        id: "con-violation-suspends-everybody",
        promises: &["BRG-CON-11", "BRG-TOL-07", "BRG-SES-16", "BRG-CON-04"],
        title: "One app's violation suspends every session",
        bend: |rules| rules.connection.own_blast_radius = false,
    },
    Fault {
        id: "con-duplicate-keys-accepted",
        promises: &["BRG-CON-13"],
        title: "Of a key that stands twice in an object, the last one counts",
        bend: |rules| {
            rules.contract.waived.insert(Rule::DuplicateKey);
        },
    },
    Fault {
        id: "con-shutdown-wrong-code",
        promises: &["BRG-CON-14"],
        title: "On shutdown, app sockets close with 1000",
        bend: |rules| rules.connection.recode(Close::DAEMON_SHUTDOWN, 1000),
    },
    Fault {
        id: "con-closing-socket-served",
        promises: &["BRG-CON-15", "BRG-SES-15"],
        title: "What arrives on a socket being closed is still served",
        bend: |rules| rules.connection.powerless_when_closing = false,
    },
    Fault {
        id: "con-session-judged-before-type",
        promises: &["BRG-CON-16"],
        title: "The session id is judged before the type",
        bend: |rules| rules.connection.order = Order::SessionTypeRules,
    },
    Fault {
        id: "con-rules-judged-before-session",
        promises: &["BRG-CON-16"],
        title: "A type's own rules are judged before the session id",
        bend: |rules| rules.connection.order = Order::TypeRulesSession,
    },
    Fault {
        id: "con-unknown-keys-refused",
        promises: &["BRG-CON-17", "BRG-RES-02", "BRG-TOL-04", "BRG-TOL-03", "BRG-TOL-01", "BRG-TOL-02"],
        title: "Unknown extra keys break a rule",
        bend: |rules| rules.contract.refuse_unknown_keys = true,
    },
    Fault {
        id: "con-oversize-call-sent",
        promises: &["BRG-CON-18", "BRG-TOL-07", "BRG-AUD-04"],
        title: "A call whose frame is over 256 KiB is sent to the app",
        bend: |rules| rules.connection.check_outgoing = false,
    },
    Fault {
        id: "con-alias-overlong",
        promises: &["BRG-CON-18", "BRG-SES-05"],
        title: "Aliases grow as long as the device model makes them",
        bend: |rules| rules.contract.limits.alias_max = 4_096,
    },
    Fault {
        id: "con-pings-end",
        promises: &["BRG-CON-09"],
        title: "A socket is pinged three times and never again",
        bend: |rules| rules.connection.most_pings = Some(3),
    },
    Fault {
        id: "con-replaced-socket-pinged",
        promises: &["BRG-CON-09", "BRG-SES-09", "BRG-SES-15"],
        title: "Pongs that a replaced socket misses suspend its session",
        bend: |rules| rules.connection.replaced_is_unpinged = false,
    },
    Fault {
        id: "con-violations-ignored",
        promises: &["BRG-CON-05", EVERYTHING],
        title: "Frames that break a rule are ignored",
        bend: |rules| {
            let connection = &mut rules.connection;
            connection.binary = Violation::Ignore;
            connection.invalid_json = Violation::Ignore;
            connection.bad_first_frame = Violation::Ignore;
            connection.unknown_type = Violation::Ignore;
            connection.session_mismatch = Violation::Ignore;
            connection.invalid_message = Violation::Ignore;
            connection.invalid_registry = Violation::Ignore;
            connection.unreadable = Violation::Ignore;
        },
    },
    beneath!(
        "con-violations-cut",
        "BRG-CON-05",
        "A broken rule cuts the connection without a close frame",
        connection.violations_are_told = false
    ),
    beneath!(
        "con-frames-served-twice",
        "BRG-CON-10",
        "Every frame is served twice",
        connection.frames_count_once = false
    ),
    beneath!(
        "con-unusual-text-refused",
        "BRG-CON-12",
        "Text beyond ASCII is refused as invalid JSON",
        connection.unusual_text = false
    ),
];

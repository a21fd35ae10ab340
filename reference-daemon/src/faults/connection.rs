//! Faults of sockets and frames.

use super::fault::{EVERYTHING, Fault, beneath, waives};
use crate::rules::{Order, Violation};
use iolite_protocol::close::{Close, CloseReason};
use iolite_protocol::contract::Rule;

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
        promises: &["BRG-CON-02", "BRG-CON-13"],
        title: "Text that is no JSON closes with 1007",
        bend: |rules| rules.connection.recode(Close::INVALID_JSON, 1007),
    },
    Fault {
        id: "con-invalid-json-wrong-reason",
        promises: &["BRG-CON-02", "BRG-CON-13"],
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
    waives!(
        "con-other-session-served",
        ["BRG-CON-06", "BRG-SES-16"],
        "Frames with another session's id are served",
        [SessionIdMatch]
    ),
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
        promises: &["BRG-CON-07", "BRG-TOL-02", "BRG-TOL-04", "BRG-RES-02", "BRG-TOL-05"],
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

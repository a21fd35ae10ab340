//! What minting a link decides (`LNK`).

use super::{EVERYTHING, Fault};
use iolite_protocol::contract::Rule;

/// Decisions of `link.create`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRules {
    /// The answer names the link's own session (`LNK-02`); otherwise that of the link before.
    pub told_session: bool,
    /// The payload names the link's own session (`LNK-01`); otherwise a fresh id that nobody knows.
    pub payload_session: bool,
    /// Added to the port in the payload (`LNK-01`: 0).
    pub payload_port_shift: u16,
    /// Seconds added to the expiry in the payload (`LNK-01`: 0).
    pub payload_expiry_shift: u64,
    /// Version byte of the payload (`LNK-01`: 2).
    pub payload_version: u8,
    /// A member missing from the answer (`LNK-01`: none).
    pub dropped_member: Option<&'static str>,
    /// Random bytes in a session id (`LNK-02`: 12).
    pub session_id_bytes: usize,
    /// Random bytes in a token (`LNK-02`: 32); the rest is zero.
    pub token_random_bytes: usize,
    /// Every link has a token of its own (`LNK-02`); otherwise all share the first one's.
    pub fresh_token: bool,
    /// Every request makes a link of its own (`LNK-02`); otherwise the last one's answer comes again.
    pub fresh_link: bool,
    /// `ttlSeconds` is obeyed (`LNK-03`).
    pub obey_ttl: bool,
    /// Milliseconds in a second of `ttlSeconds` (`LNK-03`: 1,000).
    pub ttl_unit_ms: u64,
    /// The configured TTL is obeyed without `ttlSeconds` (`LNK-03`); otherwise it is an hour.
    pub obey_configured_ttl: bool,
    /// `addressOverride` is obeyed (`LNK-03`).
    pub obey_address_override: bool,
    /// The pin is the leaf's (`LNK-04`); otherwise the pin of some other key.
    pub true_pin: bool,
    /// `daemon.status.pinnedKeys` lists the pins (`LNK-04`).
    pub status_lists_pins: bool,
}

impl Default for LinkRules {
    fn default() -> Self {
        Self {
            told_session: true,
            payload_session: true,
            payload_port_shift: 0,
            payload_expiry_shift: 0,
            payload_version: 2,
            dropped_member: None,
            session_id_bytes: 12,
            token_random_bytes: 32,
            fresh_token: true,
            fresh_link: true,
            obey_ttl: true,
            ttl_unit_ms: 1_000,
            obey_configured_ttl: true,
            obey_address_override: true,
            true_pin: true,
            status_lists_pins: true,
        }
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "lnk-payload-names-other-session",
        promises: &["BRG-LNK-01"],
        title: "The payload names a session id that nobody knows",
        bend: |rules| rules.link.payload_session = false,
    },
    Fault {
        id: "lnk-payload-wrong-port",
        promises: &["BRG-LNK-01"],
        title: "The payload names another port than the answer",
        bend: |rules| rules.link.payload_port_shift = 1,
    },
    Fault {
        id: "lnk-payload-wrong-expiry",
        promises: &["BRG-LNK-01"],
        title: "The payload names another expiry than the answer",
        bend: |rules| rules.link.payload_expiry_shift = 3_600,
    },
    Fault {
        id: "lnk-payload-wrong-version",
        promises: &["BRG-LNK-01"],
        title: "The payload is of another version",
        bend: |rules| rules.link.payload_version = 1,
    },
    Fault {
        id: "lnk-answer-without-pin",
        promises: &["BRG-LNK-01", "BRG-LNK-04"],
        title: "The answer lacks the pin",
        bend: |rules| rules.link.dropped_member = Some("pin"),
    },
    Fault {
        id: "lnk-answer-without-expiry",
        promises: &["BRG-LNK-01"],
        title: "The answer lacks the expiry",
        bend: |rules| rules.link.dropped_member = Some("expiresAt"),
    },
    Fault {
        id: "lnk-session-id-of-link-before",
        promises: &["BRG-LNK-02", "BRG-LNK-01"],
        title: "The answer names the session of the link before",
        bend: |rules| rules.link.told_session = false,
    },
    Fault {
        id: "lnk-session-id-short",
        promises: &["BRG-LNK-02"],
        title: "Session ids carry 6 random bytes",
        bend: |rules| rules.link.session_id_bytes = 6,
    },
    Fault {
        id: "lnk-token-weak",
        promises: &["BRG-LNK-02"],
        title: "Tokens carry 4 random bytes, the others are zero",
        bend: |rules| rules.link.token_random_bytes = 4,
    },
    Fault {
        id: "lnk-token-shared",
        promises: &["BRG-LNK-02"],
        title: "All links share one token",
        bend: |rules| rules.link.fresh_token = false,
    },
    Fault {
        id: "lnk-ttl-ignored",
        promises: &["BRG-LNK-03", "BRG-SES-04"],
        title: "ttlSeconds is ignored",
        bend: |rules| rules.link.obey_ttl = false,
    },
    Fault {
        id: "lnk-ttl-tenfold",
        promises: &["BRG-LNK-03", "BRG-SES-04"],
        title: "A link lives ten times as long as asked",
        bend: |rules| rules.link.ttl_unit_ms = 10_000,
    },
    Fault {
        id: "lnk-configured-ttl-ignored",
        promises: &["BRG-LNK-03"],
        title: "The configured TTL is ignored",
        bend: |rules| rules.link.obey_configured_ttl = false,
    },
    Fault {
        id: "lnk-address-override-ignored",
        promises: &["BRG-LNK-03"],
        title: "addressOverride is ignored",
        bend: |rules| rules.link.obey_address_override = false,
    },
    Fault {
        id: "lnk-bad-params-ignored",
        promises: &["BRG-LNK-03", "BRG-RPC-11"],
        title: "A zero, negative or fractional ttlSeconds, or an override that is no address, counts as absent",
        bend: |rules| {
            rules.contract.waived.extend([Rule::ParamTtlPositive, Rule::ParamAddressOverride]);
        },
    },
    Fault {
        id: "lnk-pin-of-another-key",
        promises: &["BRG-LNK-04"],
        title: "The pin is not that of the certificate served",
        bend: |rules| rules.link.true_pin = false,
    },
    Fault {
        id: "lnk-status-lists-no-pins",
        promises: &["BRG-LNK-04", "BRG-RPC-10", "BRG-CLI-04"],
        title: "daemon.status lists no pinned keys",
        bend: |rules| rules.link.status_lists_pins = false,
    },
    Fault {
        id: "lnk-link-handed-out-again",
        promises: &["BRG-LNK-02", EVERYTHING],
        title: "A request for a link is answered with the one before",
        bend: |rules| rules.link.fresh_link = false,
    },
];

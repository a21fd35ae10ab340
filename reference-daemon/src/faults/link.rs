//! Faults of minting a link.

use super::fault::{EVERYTHING, Fault, waives};

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
    waives!(
        "lnk-bad-params-ignored",
        ["BRG-LNK-03", "BRG-RPC-11"],
        "A zero, negative or fractional ttlSeconds, or an override that is no address, counts as absent",
        [ParamTtlPositive, ParamAddressOverride]
    ),
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

//! Faults of claims, the time of links, the ack and the alias.

use super::fault::{EVERYTHING, Fault, beneath, waives};
use crate::rules::SecondClaim;
use iolite_protocol::close::Close;
use iolite_protocol::contract::Rule;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "ses-ack-lacks-grace",
        promises: &["BRG-SES-01"],
        title: "The ack lacks grace_s",
        bend: |rules| rules.claim.dropped_ack_member = Some("grace_s"),
    },
    Fault {
        id: "ses-ack-lacks-alias",
        promises: &["BRG-SES-01", "BRG-SES-08", "BRG-SES-05"],
        title: "The ack lacks the alias",
        bend: |rules| rules.claim.dropped_ack_member = Some("alias"),
    },
    Fault {
        id: "ses-ack-lacks-keepalive",
        promises: &["BRG-SES-01"],
        title: "The ack lacks keepalive_interval_s",
        bend: |rules| rules.claim.dropped_ack_member = Some("keepalive_interval_s"),
    },
    Fault {
        id: "ses-ack-announces-longer-grace",
        promises: &["BRG-SES-01", "BRG-SES-08"],
        title: "The ack announces a longer grace than is given",
        bend: |rules| rules.claim.announced_grace_shift = 600,
    },
    Fault {
        id: "ses-version-unchecked",
        promises: &["BRG-SES-02"],
        title: "Any protocol_version is accepted",
        bend: |rules| {
            let waived = &mut rules.contract.waived;
            waived.extend([Rule::ClaimVersionPresent, Rule::ClaimVersionValue]);
            waived.extend([Rule::ResumeVersionPresent, Rule::ResumeVersionValue]);
        },
    },
    waives!(
        "ses-device-type-unchecked",
        ["BRG-SES-02"],
        "Device fields may be no strings",
        [ClaimDeviceManufacturerType, ClaimDeviceModelType, ClaimDeviceOsType]
    ),
    Fault {
        id: "ses-device-limit-short",
        promises: &["BRG-SES-02"],
        title: "A device field of exactly 256 characters is refused",
        bend: |rules| rules.contract.limits.device_field_max = 255,
    },
    Fault {
        id: "ses-device-limit-long",
        promises: &["BRG-SES-02"],
        title: "A device field of 257 characters is accepted",
        bend: |rules| rules.contract.limits.device_field_max = 257,
    },
    Fault {
        id: "ses-token-limit-long",
        promises: &["BRG-SES-02"],
        title: "A token of 129 characters is judged as a token",
        bend: |rules| rules.contract.limits.token_max = 129,
    },
    Fault {
        id: "ses-token-limit-short",
        promises: &["BRG-SES-02"],
        title: "A token of exactly 128 characters is no token",
        bend: |rules| rules.contract.limits.token_max = 127,
    },
    Fault {
        id: "ses-id-limit-long",
        promises: &["BRG-SES-02"],
        title: "A session id of 129 characters is judged as an id",
        bend: |rules| rules.contract.limits.session_id_max = 129,
    },
    Fault {
        id: "ses-id-limit-short",
        promises: &["BRG-SES-02"],
        title: "A session id of exactly 128 characters is no id",
        bend: |rules| rules.contract.limits.session_id_max = 127,
    },
    Fault {
        id: "ses-token-unchecked",
        promises: &["BRG-SES-03", "BRG-SES-17", "BRG-SES-04"],
        title: "Any token claims",
        bend: |rules| rules.claim.check_token = false,
    },
    Fault {
        id: "ses-failures-uncounted",
        promises: &["BRG-SES-03"],
        title: "A token may be guessed for ever",
        bend: |rules| rules.claim.count_failures = false,
    },
    Fault {
        id: "ses-four-attempts",
        promises: &["BRG-SES-03"],
        title: "The 4th failed claim kills the link",
        bend: |rules| rules.contract.limits.claim_attempts = 4,
    },
    Fault {
        id: "ses-six-attempts",
        promises: &["BRG-SES-03"],
        title: "The link survives the 5th failed claim",
        bend: |rules| rules.contract.limits.claim_attempts = 6,
    },
    Fault {
        id: "ses-link-survives-attempts",
        promises: &["BRG-SES-03"],
        title: "After too many failed claims the right token still works",
        bend: |rules| rules.claim.kill_link = false,
    },
    Fault {
        id: "ses-wrong-token-wrong-reason",
        promises: &["BRG-SES-03"],
        title: "A wrong token closes with reason unknown_session",
        bend: |rules| {
            rules.connection.replaced_closes.insert(Close::INVALID_TOKEN, Close::UNKNOWN_SESSION);
        },
    },
    Fault {
        id: "ses-last-attempt-wrong-reason",
        promises: &["BRG-SES-03"],
        title: "The 5th failed claim closes with reason invalid_token",
        bend: |rules| {
            rules.connection.replaced_closes.insert(Close::CLAIM_ATTEMPTS_EXCEEDED, Close::INVALID_TOKEN);
        },
    },
    Fault {
        id: "ses-token-works-twice",
        promises: &["BRG-SES-04", "BRG-SES-14", "BRG-SES-17"],
        title: "A second claim with the same token takes the session over",
        bend: |rules| rules.claim.second_claim = SecondClaim::TakeOver,
    },
    Fault {
        id: "ses-second-claim-unknown",
        promises: &["BRG-SES-04", "BRG-SES-17"],
        title: "A second claim closes with reason unknown_session",
        bend: |rules| rules.claim.second_claim = SecondClaim::DenyKnowledge,
    },
    Fault {
        id: "ses-links-never-expire",
        promises: &["BRG-SES-04", "BRG-LNK-03"],
        title: "Links never expire",
        bend: |rules| rules.claim.links_expire = false,
    },
    Fault {
        id: "ses-expired-link-unknown",
        promises: &["BRG-SES-04", "BRG-SES-17"],
        title: "A claim after the TTL closes with reason unknown_session",
        bend: |rules| rules.claim.expired_claim = [Close::UNKNOWN_SESSION; 2],
    },
    Fault {
        id: "ses-expired-link-told-again",
        promises: &["BRG-SES-17"],
        title: "Every claim after the TTL is told that the link expired",
        bend: |rules| rules.claim.expired_claim = [Close::LINK_EXPIRED; 2],
    },
    Fault {
        id: "ses-alias-case-kept",
        promises: &["BRG-SES-05", EVERYTHING],
        title: "Aliases keep capital letters as separators",
        bend: |rules| rules.claim.alias_lower_case = false,
    },
    Fault {
        id: "ses-alias-underscore",
        promises: &["BRG-SES-05", EVERYTHING],
        title: "Aliases join words with an underscore",
        bend: |rules| rules.claim.alias_separator = '_',
    },
    Fault {
        id: "ses-alias-runs-kept",
        promises: &["BRG-SES-05"],
        title: "Every other character of a model becomes a separator of its own",
        bend: |rules| rules.claim.alias_collapse = false,
    },
    Fault {
        id: "ses-alias-untrimmed",
        promises: &["BRG-SES-05"],
        title: "Aliases begin or end with a separator",
        bend: |rules| rules.claim.alias_trim = false,
    },
    Fault {
        id: "ses-alias-other-default",
        promises: &["BRG-SES-05"],
        title: "A device without a model is called app",
        bend: |rules| rules.claim.alias_empty = "app",
    },
    Fault {
        id: "ses-alias-suffix-from-one",
        promises: &["BRG-SES-05", "BRG-POL-01"],
        title: "The second session of an alias gets -1",
        bend: |rules| rules.claim.alias_first_suffix = 1,
    },
    Fault {
        id: "ses-alias-shared",
        promises: &["BRG-SES-05", "BRG-RPC-01", "BRG-POL-01"],
        title: "Two sessions share one alias",
        bend: |rules| rules.claim.alias_unique = false,
    },
    Fault {
        id: "ses-alias-never-freed",
        promises: &[
            "BRG-SES-05",
            "BRG-SES-08",
            "BRG-SES-10",
            "BRG-POL-01",
            "BRG-RPC-01",
            "BRG-RPC-07",
            "BRG-TOL-07",
            "BRG-TOL-11",
            "BRG-CON-17",
            "BRG-SES-09",
            "BRG-SES-16",
            "BRG-RES-06",
        ],
        title: "An ended session keeps its alias from others",
        bend: |rules| rules.claim.alias_freed = false,
    },
    Fault {
        id: "ses-alias-freed-while-suspended",
        promises: &[
            "BRG-SES-05",
            "BRG-SES-07",
            "BRG-RPC-07",
            "BRG-TOL-11",
            "BRG-RPC-03",
            "BRG-RPC-13",
            "BRG-CLI-03",
            "BRG-POL-01",
            "BRG-CLI-04",
            "BRG-RES-11",
            "BRG-CLI-01",
            "BRG-AUD-04",
        ],
        title: "A new session takes the alias of a suspended one",
        bend: |rules| rules.claim.alias_kept_while_suspended = false,
    },
    Fault {
        id: "ses-racing-claims-both-win",
        promises: &["BRG-SES-14", "BRG-SES-04"],
        title: "Of two claims at the same moment both are acked",
        bend: |rules| rules.claim.race_window_ms = 500,
    },
    Fault {
        id: "ses-links-expire-early",
        promises: &["BRG-SES-04", "BRG-LNK-03", "BRG-SES-17"],
        title: "Links end when a third of their time is over",
        bend: |rules| rules.claim.link_life_percent = 33,
    },
    Fault {
        id: "ses-link-time-ends-session",
        promises: &["BRG-SES-04", "BRG-LNK-03", "BRG-SES-17"],
        title: "The end of a claimed link's time ends its session",
        bend: |rules| rules.claim.claim_stops_expiry = false,
    },
    Fault {
        id: "ses-unknown-id-wrong-reason",
        promises: &["BRG-SES-04", "BRG-SES-02", "BRG-SES-03", "BRG-SES-13", "BRG-SES-17"],
        title: "A claim of an id that nobody knows closes with `invalid_token`",
        bend: |rules| rules.claim.unknown_claim = Close::INVALID_TOKEN,
    },
    beneath!(
        "ses-refusals-untold",
        "BRG-SES-04",
        "A claim or resume that is refused hears nothing",
        claim.refusals_are_told = false
    ),
    Fault {
        id: "ses-claimed-before-made",
        promises: &["BRG-SES-01"],
        title: "Sessions say they were claimed a second too early",
        bend: |rules| rules.claim.claimed_shift_ms = 1_000,
    },
    beneath!("ses-claims-unacknowledged", "BRG-SES-01", "Claims and resumes are not acked", claim.acknowledges = false),
    Fault {
        id: "ses-capped",
        promises: &["BRG-SES-11"],
        title: "The 101st session at once is refused",
        bend: |rules| rules.claim.cap = Some(100),
    },
    Fault {
        id: "ses-oldest-ends-at-a-hundred",
        promises: &["BRG-SES-11"],
        title: "With more than a hundred sessions the oldest is ended",
        bend: |rules| rules.claim.oldest_ends_beyond = Some(100),
    },
    Fault {
        id: "ses-capped-at-two-hundred-and-one",
        promises: &["BRG-SES-11"],
        title: "There is no room for more than 201 sessions",
        bend: |rules| rules.claim.cap = Some(201),
    },
];

//! What a claim decides: tokens, the time of links, the ack and the alias (`SES`).

use super::fault::beneath;
use super::{EVERYTHING, Fault};
use iolite_protocol::close::Close;
use iolite_protocol::contract::Rule;

/// Decisions about claims: who may, what they are told, and under which name they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimRules {
    /// A member missing from the ack (`SES-01`: none).
    pub dropped_ack_member: Option<&'static str>,
    /// Seconds added to the grace announced in the ack (`SES-01`: 0).
    pub announced_grace_shift: u64,
    /// The token of a claim is compared (`SES-03`).
    pub check_token: bool,
    /// Failed claims are counted (`SES-03`).
    pub count_failures: bool,
    /// Too many failed claims kill the link (`SES-03`).
    pub kill_link: bool,
    /// What a claim for a session that lives already does (`SES-04`, `SES-17`).
    pub second_claim: SecondClaim,
    /// How long after a claim its token works once more, in milliseconds (`SES-14`: 0).
    pub race_window_ms: u64,
    /// Links expire (`SES-04`).
    pub links_expire: bool,
    /// How long links live, in percent of what they say (`SES-04`: 100).
    pub link_life_percent: u64,
    /// A claim ends the link's time (`SES-04`); otherwise the end of that time ends the session.
    pub claim_stops_expiry: bool,
    /// What a claim of an id that nobody knows gets (`SES-04`).
    pub unknown_claim: Close,
    /// A claim or resume that is refused gets a close frame (`SES-03`, `SES-04`, `SES-06`); otherwise it waits for ever.
    pub refusals_are_told: bool,
    /// A right claim or resume is acked (`SES-01`); otherwise it counts in silence.
    pub acknowledges: bool,
    /// Milliseconds by which sessions say they were claimed too early (`SES-01`: 0).
    pub claimed_shift_ms: u64,
    /// What claims for an expired link get, first and later (`SES-17`).
    pub expired_claim: [Close; 2],
    /// The alias is lower-cased (`SES-05`).
    pub alias_lower_case: bool,
    /// What runs of other characters become (`SES-05`: `-`).
    pub alias_separator: char,
    /// A run becomes one separator (`SES-05`); otherwise one per character.
    pub alias_collapse: bool,
    /// Separators at both ends are taken off (`SES-05`).
    pub alias_trim: bool,
    /// The alias of a device without a usable model (`SES-05`).
    pub alias_empty: &'static str,
    /// The first suffix of an alias that is taken (`SES-05`: 2).
    pub alias_first_suffix: u64,
    /// An alias that is taken gets a suffix (`SES-05`).
    pub alias_unique: bool,
    /// A terminal state frees the alias (`SES-05`).
    pub alias_freed: bool,
    /// Suspension keeps the alias from others (`SES-05`).
    pub alias_kept_while_suspended: bool,
    /// Most sessions at once (`SES-11`: no cap).
    pub cap: Option<usize>,
    /// With more sessions than this the oldest is ended (`SES-11`: never).
    pub oldest_ends_beyond: Option<usize>,
}

/// What a claim for a session that lives already does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondClaim {
    /// It is refused with `already_claimed`.
    Refuse,
    /// With the right token it takes the session over.
    TakeOver,
    /// It is refused with `unknown_session`.
    DenyKnowledge,
}

impl Default for ClaimRules {
    fn default() -> Self {
        Self {
            dropped_ack_member: None,
            announced_grace_shift: 0,
            check_token: true,
            count_failures: true,
            kill_link: true,
            second_claim: SecondClaim::Refuse,
            race_window_ms: 0,
            links_expire: true,
            link_life_percent: 100,
            claim_stops_expiry: true,
            unknown_claim: Close::UNKNOWN_SESSION,
            refusals_are_told: true,
            acknowledges: true,
            claimed_shift_ms: 0,
            expired_claim: [Close::LINK_EXPIRED, Close::UNKNOWN_SESSION],
            alias_lower_case: true,
            alias_separator: '-',
            alias_collapse: true,
            alias_trim: true,
            alias_empty: "device",
            alias_first_suffix: 2,
            alias_unique: true,
            alias_freed: true,
            alias_kept_while_suspended: true,
            cap: None,
            oldest_ends_beyond: None,
        }
    }
}

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
    Fault {
        id: "ses-device-type-unchecked",
        promises: &["BRG-SES-02"],
        title: "Device fields may be no strings",
        bend: |rules| {
            rules.contract.waived.extend([
                Rule::ClaimDeviceManufacturerType,
                Rule::ClaimDeviceModelType,
                Rule::ClaimDeviceOsType,
            ]);
        },
    },
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

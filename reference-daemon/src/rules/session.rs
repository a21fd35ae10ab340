//! What the life of a session decides (`SES`).

use super::fault::beneath;
use super::{EVERYTHING, Fault};
use iolite_protocol::close::Close;
use iolite_protocol::contract::Rule;

/// Decisions about claims, resumes, aliases and ends.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRules {
    /// A member missing from the ack (`SES-01`: none).
    pub dropped_ack_member: Option<&'static str>,
    /// Seconds added to the grace announced in the ack (`SES-01`: 0).
    pub announced_grace_shift: u64,
    /// A member missing from summaries (`SES-01`: none).
    pub dropped_summary_member: Option<&'static str>,
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
    /// A restart forgets sessions (`SES-13`); otherwise those that lived at an orderly end are there again, suspended.
    pub restart_forgets: bool,
    /// A daemon takes claims also in a folder that was used before (`SES-13`).
    pub serves_after_restart: bool,
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
    /// Every resume issues a fresh token (`SES-06`).
    pub rotate_resume_token: bool,
    /// Only the newest resume token works (`SES-06`); otherwise the one before does too.
    pub refuse_old_resume_token: bool,
    /// The resume token is compared at all (`SES-06`).
    pub check_resume_token: bool,
    /// A lost socket suspends (`SES-07`); otherwise it ends the session.
    pub suspend_on_loss: bool,
    /// Tools are kept while suspended (`SES-07`).
    pub keep_tools: bool,
    /// A lost socket is told for its own session only (`SES-07`); otherwise for all.
    pub loss_is_told_once: bool,
    /// A loss or a resume changes no tools, and is told as no such change (`SES-07`).
    pub loss_is_no_change: bool,
    /// Resources are kept while suspended (`SES-07`).
    pub keep_resources: bool,
    /// Suspended sessions are listed (`SES-07`).
    pub list_suspended: bool,
    /// A resume keeps the alias (`SES-08`); otherwise it gets the next free one.
    pub resume_keeps_alias: bool,
    /// Grace in percent of the configured one (`SES-08`: 100).
    pub grace_percent: u64,
    /// Suspended sessions expire (`SES-08`).
    pub sessions_expire: bool,
    /// What a resume with an open old socket does (`SES-09`).
    pub replacement: Replacement,
    /// A replacement is no suspension, and told as none (`SES-09`).
    pub replacement_is_quiet: bool,
    /// A replaced socket has no power (`SES-15`); otherwise what it still says is served.
    pub replaced_is_powerless: bool,
    /// The late close of a replaced socket changes nothing (`SES-09`); otherwise it suspends the session.
    pub ignore_late_close: bool,
    /// Revoking closes the socket (`SES-10`).
    pub revoke_closes: bool,
    /// A revoked session cannot resume (`SES-10`); otherwise it is suspended only.
    pub revoke_ends: bool,
    /// Revoking a pending link's id discards it (`SES-10`).
    pub revoke_pending: bool,
    /// Most sessions at once (`SES-11`: no cap).
    pub cap: Option<usize>,
    /// With more sessions than this the oldest is ended (`SES-11`: never).
    pub oldest_ends_beyond: Option<usize>,
    /// Where a resume token leaks (`SES-12`: nowhere).
    pub leak: Option<Leak>,
    /// What a resume of an id that nobody knows gets (`SES-13`).
    pub unknown_resume: Close,
    /// A resume of an id nobody knows is refused (`SES-13`); otherwise it makes a new session of that id.
    pub refuse_unknown_resume: bool,
    /// A violation suspends the moment it is judged (`SES-16`); otherwise when the peer has closed.
    pub suspend_at_once: bool,
    /// What a resume with a pending link's id gets (`SES-17`).
    pub pending_resume: Close,
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

/// What a resume with an open old socket does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// It takes over, the old socket is closed.
    Replace,
    /// It is refused with `already_claimed`.
    Refuse,
    /// It takes over, the old socket is left open, and stays powerless.
    LeaveOpen,
}

/// Where a resume token leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// Into the session's summary.
    Summary,
    /// Into `session_claimed` and `session_resumed` events.
    Event,
    /// Into the log.
    Log,
}

impl Default for SessionRules {
    fn default() -> Self {
        Self {
            dropped_ack_member: None,
            announced_grace_shift: 0,
            dropped_summary_member: None,
            check_token: true,
            count_failures: true,
            kill_link: true,
            second_claim: SecondClaim::Refuse,
            race_window_ms: 0,
            links_expire: true,
            link_life_percent: 100,
            claim_stops_expiry: true,
            unknown_claim: Close::UNKNOWN_SESSION,
            unknown_resume: Close::UNKNOWN_SESSION,
            refusals_are_told: true,
            acknowledges: true,
            restart_forgets: true,
            serves_after_restart: true,
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
            rotate_resume_token: true,
            refuse_old_resume_token: true,
            check_resume_token: true,
            suspend_on_loss: true,
            keep_tools: true,
            loss_is_told_once: true,
            loss_is_no_change: true,
            keep_resources: true,
            list_suspended: true,
            resume_keeps_alias: true,
            grace_percent: 100,
            sessions_expire: true,
            replacement: Replacement::Replace,
            replacement_is_quiet: true,
            replaced_is_powerless: true,
            ignore_late_close: true,
            revoke_closes: true,
            revoke_ends: true,
            revoke_pending: true,
            cap: None,
            oldest_ends_beyond: None,
            leak: None,
            refuse_unknown_resume: true,
            suspend_at_once: true,
            pending_resume: Close::UNKNOWN_SESSION,
        }
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "ses-ack-lacks-grace",
        promises: &["BRG-SES-01"],
        title: "The ack lacks grace_s",
        bend: |rules| rules.session.dropped_ack_member = Some("grace_s"),
    },
    Fault {
        id: "ses-ack-lacks-alias",
        promises: &["BRG-SES-01", "BRG-SES-08"],
        title: "The ack lacks the alias",
        bend: |rules| rules.session.dropped_ack_member = Some("alias"),
    },
    Fault {
        id: "ses-ack-lacks-keepalive",
        promises: &["BRG-SES-01"],
        title: "The ack lacks keepalive_interval_s",
        bend: |rules| rules.session.dropped_ack_member = Some("keepalive_interval_s"),
    },
    Fault {
        id: "ses-ack-announces-longer-grace",
        promises: &["BRG-SES-01", "BRG-SES-08"],
        title: "The ack announces a longer grace than is given",
        bend: |rules| rules.session.announced_grace_shift = 600,
    },
    Fault {
        id: "ses-summary-lacks-device",
        promises: &["BRG-SES-01"],
        title: "Session summaries lack the device",
        bend: |rules| rules.session.dropped_summary_member = Some("device"),
    },
    Fault {
        id: "ses-summary-lacks-claimed-at",
        promises: &["BRG-SES-01"],
        title: "Session summaries lack claimedAt",
        bend: |rules| rules.session.dropped_summary_member = Some("claimedAt"),
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
        bend: |rules| rules.session.check_token = false,
    },
    Fault {
        id: "ses-failures-uncounted",
        promises: &["BRG-SES-03"],
        title: "A token may be guessed for ever",
        bend: |rules| rules.session.count_failures = false,
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
        bend: |rules| rules.session.kill_link = false,
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
        bend: |rules| rules.session.second_claim = SecondClaim::TakeOver,
    },
    Fault {
        id: "ses-second-claim-unknown",
        promises: &["BRG-SES-04", "BRG-SES-17"],
        title: "A second claim closes with reason unknown_session",
        bend: |rules| rules.session.second_claim = SecondClaim::DenyKnowledge,
    },
    Fault {
        id: "ses-links-never-expire",
        promises: &["BRG-SES-04", "BRG-LNK-03"],
        title: "Links never expire",
        bend: |rules| rules.session.links_expire = false,
    },
    Fault {
        id: "ses-expired-link-unknown",
        promises: &["BRG-SES-04", "BRG-SES-17"],
        title: "A claim after the TTL closes with reason unknown_session",
        bend: |rules| rules.session.expired_claim = [Close::UNKNOWN_SESSION; 2],
    },
    Fault {
        id: "ses-expired-link-told-again",
        promises: &["BRG-SES-17"],
        title: "Every claim after the TTL is told that the link expired",
        bend: |rules| rules.session.expired_claim = [Close::LINK_EXPIRED; 2],
    },
    Fault {
        id: "ses-alias-case-kept",
        promises: &[
            "BRG-SES-05",
            "BRG-POL-01",
            "BRG-RPC-01",
            "BRG-SES-07",
            "BRG-SES-10",
            "BRG-TOL-07",
            "BRG-RPC-07",
            "BRG-SES-08",
        ],
        title: "Aliases keep capital letters as separators",
        bend: |rules| rules.session.alias_lower_case = false,
    },
    Fault {
        id: "ses-alias-underscore",
        promises: &["BRG-SES-05", "BRG-POL-01", "BRG-RPC-01", "BRG-RPC-07"],
        title: "Aliases join words with an underscore",
        bend: |rules| rules.session.alias_separator = '_',
    },
    Fault {
        id: "ses-alias-runs-kept",
        promises: &["BRG-SES-05"],
        title: "Every other character of a model becomes a separator of its own",
        bend: |rules| rules.session.alias_collapse = false,
    },
    Fault {
        id: "ses-alias-untrimmed",
        promises: &["BRG-SES-05"],
        title: "Aliases begin or end with a separator",
        bend: |rules| rules.session.alias_trim = false,
    },
    Fault {
        id: "ses-alias-other-default",
        promises: &["BRG-SES-05"],
        title: "A device without a model is called app",
        bend: |rules| rules.session.alias_empty = "app",
    },
    Fault {
        id: "ses-alias-suffix-from-one",
        promises: &["BRG-SES-05", "BRG-POL-01"],
        title: "The second session of an alias gets -1",
        bend: |rules| rules.session.alias_first_suffix = 1,
    },
    Fault {
        id: "ses-alias-shared",
        promises: &["BRG-SES-05", "BRG-RPC-01", "BRG-POL-01"],
        title: "Two sessions share one alias",
        bend: |rules| rules.session.alias_unique = false,
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
        ],
        title: "An ended session keeps its alias from others",
        bend: |rules| rules.session.alias_freed = false,
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
        ],
        title: "A new session takes the alias of a suspended one",
        bend: |rules| rules.session.alias_kept_while_suspended = false,
    },
    Fault {
        id: "ses-resume-token-kept",
        promises: &["BRG-SES-06"],
        title: "A resume issues the same resume token again",
        bend: |rules| rules.session.rotate_resume_token = false,
    },
    Fault {
        id: "ses-old-resume-token-accepted",
        promises: &["BRG-SES-06"],
        title: "The resume token before the newest still works",
        bend: |rules| rules.session.refuse_old_resume_token = false,
    },
    Fault {
        id: "ses-resume-token-unchecked",
        promises: &["BRG-SES-06", "BRG-CON-11"],
        title: "Any resume token resumes",
        bend: |rules| rules.session.check_resume_token = false,
    },
    Fault {
        id: "ses-resume-token-wrong-reason",
        promises: &["BRG-SES-06"],
        title: "A wrong resume token closes with reason invalid_token",
        bend: |rules| {
            rules.connection.replaced_closes.insert(Close::INVALID_RESUME_TOKEN, Close::INVALID_TOKEN);
        },
    },
    Fault {
        id: "ses-loss-ends-session",
        promises: &["BRG-SES-07", EVERYTHING],
        title: "A lost socket ends the session",
        bend: |rules| rules.session.suspend_on_loss = false,
    },
    Fault {
        id: "ses-suspended-loses-tools",
        promises: &[
            "BRG-SES-07",
            "BRG-TOL-06",
            "BRG-CON-11",
            "BRG-TOL-02",
            "BRG-CON-01",
            "BRG-RPC-01",
            "BRG-RPC-05",
            "BRG-RPC-07",
            "BRG-RPC-13",
            "BRG-SES-08",
        ],
        title: "A suspended session loses its tools",
        bend: |rules| rules.session.keep_tools = false,
    },
    Fault {
        id: "ses-suspended-loses-resources",
        promises: &[
            "BRG-SES-07",
            "BRG-RES-05",
            "BRG-RES-02",
            "BRG-CON-11",
            "BRG-RPC-01",
            "BRG-RPC-05",
            "BRG-RPC-03",
            "BRG-RPC-13",
        ],
        title: "A suspended session loses its resources",
        bend: |rules| rules.session.keep_resources = false,
    },
    Fault {
        id: "ses-suspended-unlisted",
        promises: &["BRG-SES-07", "BRG-RPC-13", "BRG-CON-11", "BRG-CLI-04", "BRG-RES-05", "BRG-RPC-05", "BRG-SES-08"],
        title: "Suspended sessions are not listed",
        bend: |rules| rules.session.list_suspended = false,
    },
    Fault {
        id: "ses-resume-changes-alias",
        promises: &[
            "BRG-SES-08",
            "BRG-SES-05",
            "BRG-SES-07",
            "BRG-RPC-13",
            "BRG-RPC-07",
            "BRG-POL-01",
            "BRG-RES-05",
            "BRG-RPC-03",
        ],
        title: "A resumed session gets another alias",
        bend: |rules| rules.session.resume_keeps_alias = false,
    },
    Fault {
        id: "ses-grace-halved",
        promises: &["BRG-SES-08", "BRG-SES-01", "BRG-SES-07"],
        title: "Grace lasts half as long as announced",
        bend: |rules| rules.session.grace_percent = 50,
    },
    Fault {
        id: "ses-grace-doubled",
        promises: &["BRG-SES-08", "BRG-SES-01", "BRG-SES-05", "BRG-RPC-01", "BRG-RES-11", "BRG-RPC-07", "BRG-TOL-11"],
        title: "Grace lasts twice as long as announced",
        bend: |rules| rules.session.grace_percent = 200,
    },
    Fault {
        id: "ses-grace-endless",
        promises: &["BRG-SES-08", "BRG-RES-11", "BRG-SES-05", "BRG-TOL-11"],
        title: "Suspended sessions never expire",
        bend: |rules| rules.session.sessions_expire = false,
    },
    Fault {
        id: "ses-replacement-refused",
        promises: &["BRG-SES-09", "BRG-CON-09"],
        title: "A resume is refused while the old socket is open",
        bend: |rules| rules.session.replacement = Replacement::Refuse,
    },
    Fault {
        id: "ses-replaced-socket-left-open",
        promises: &["BRG-SES-09"],
        title: "A replaced socket is not closed",
        bend: |rules| rules.session.replacement = Replacement::LeaveOpen,
    },
    Fault {
        id: "ses-replaced-wrong-reason",
        promises: &["BRG-SES-09"],
        title: "A replaced socket closes with reason revoked",
        bend: |rules| {
            rules.connection.replaced_closes.insert(Close::SESSION_REPLACED, Close::REVOKED);
        },
    },
    Fault {
        id: "ses-late-close-suspends",
        promises: &["BRG-SES-09", "BRG-SES-15"],
        title: "The late close of a replaced socket suspends the resumed session",
        bend: |rules| rules.session.ignore_late_close = false,
    },
    Fault {
        id: "ses-replaced-socket-served",
        promises: &["BRG-SES-15", "BRG-SES-09"],
        title: "What a replaced socket still says is served",
        bend: |rules| rules.session.replaced_is_powerless = false,
    },
    Fault {
        id: "ses-revoke-leaves-socket",
        promises: &["BRG-SES-10"],
        title: "Revoking leaves the socket open",
        bend: |rules| rules.session.revoke_closes = false,
    },
    Fault {
        id: "ses-revoke-only-suspends",
        promises: &["BRG-SES-10", "BRG-SES-05", "BRG-RPC-01", "BRG-RES-11", "BRG-POL-01", "BRG-MCP-04", "BRG-CLI-04"],
        title: "A revoked session can resume",
        bend: |rules| rules.session.revoke_ends = false,
    },
    Fault {
        id: "ses-revoke-wrong-code",
        promises: &["BRG-SES-10"],
        title: "A revoked session's socket closes with 1008",
        bend: |rules| {
            let code = Close::INVALID_MESSAGE.code;
            let close = Close { code, ..Close::REVOKED };
            rules.connection.replaced_closes.insert(Close::REVOKED, close);
        },
    },
    Fault {
        id: "ses-pending-link-irrevocable",
        promises: &["BRG-SES-10"],
        title: "A pending link cannot be revoked",
        bend: |rules| rules.session.revoke_pending = false,
    },
    Fault {
        id: "ses-capped",
        promises: &["BRG-SES-11"],
        title: "The 101st session at once is refused",
        bend: |rules| rules.session.cap = Some(100),
    },
    Fault {
        id: "ses-token-in-summary",
        promises: &["BRG-SES-12"],
        title: "Session summaries show the resume token",
        bend: |rules| rules.session.leak = Some(Leak::Summary),
    },
    Fault {
        id: "ses-token-in-event",
        promises: &["BRG-SES-12"],
        title: "Claim and resume events show the resume token",
        bend: |rules| rules.session.leak = Some(Leak::Event),
    },
    Fault {
        id: "ses-resume-token-in-log",
        promises: &["BRG-SES-12"],
        title: "The log shows resume tokens",
        bend: |rules| rules.session.leak = Some(Leak::Log),
    },
    Fault {
        id: "ses-unknown-resume-accepted",
        promises: &["BRG-SES-13", "BRG-SES-08", "BRG-SES-10", "BRG-RPC-06"],
        title: "A resume of a session nobody knows makes a new one",
        bend: |rules| rules.session.refuse_unknown_resume = false,
    },
    Fault {
        id: "ses-racing-claims-both-win",
        promises: &["BRG-SES-14", "BRG-SES-04"],
        title: "Of two claims at the same moment both are acked",
        bend: |rules| rules.session.race_window_ms = 500,
    },
    Fault {
        id: "ses-violation-suspends-late",
        promises: &["BRG-SES-16", "BRG-TOL-11", "BRG-RES-11"],
        title: "A violation suspends the session only when the peer has closed",
        bend: |rules| rules.session.suspend_at_once = false,
    },
    Fault {
        id: "ses-pending-resume-wrong-reason",
        promises: &["BRG-SES-17"],
        title: "A resume with a pending link's id closes with reason invalid_resume_token",
        bend: |rules| rules.session.pending_resume = Close::INVALID_RESUME_TOKEN,
    },
    Fault {
        id: "ses-links-expire-early",
        promises: &["BRG-SES-04", "BRG-LNK-03", "BRG-SES-17"],
        title: "Links end when a third of their time is over",
        bend: |rules| rules.session.link_life_percent = 33,
    },
    Fault {
        id: "ses-link-time-ends-session",
        promises: &["BRG-SES-04", "BRG-LNK-03", "BRG-SES-17"],
        title: "The end of a claimed link's time ends its session",
        bend: |rules| rules.session.claim_stops_expiry = false,
    },
    Fault {
        id: "ses-unknown-id-wrong-reason",
        promises: &["BRG-SES-04", "BRG-SES-02", "BRG-SES-03", "BRG-SES-13", "BRG-SES-17"],
        title: "A claim of an id that nobody knows closes with `invalid_token`",
        bend: |rules| rules.session.unknown_claim = Close::INVALID_TOKEN,
    },
    Fault {
        id: "ses-unknown-resume-wrong-reason",
        promises: &["BRG-SES-13", "BRG-SES-06", "BRG-SES-08", "BRG-SES-10", "BRG-SES-17", "BRG-SES-02", "BRG-SES-04"],
        title: "A resume of an id that nobody knows closes with `invalid_resume_token`",
        bend: |rules| rules.session.unknown_resume = Close::INVALID_RESUME_TOKEN,
    },
    beneath!(
        "ses-loss-told-of-all",
        "BRG-CON-11",
        "A lost socket is told as the suspension of all sessions",
        session.loss_is_told_once = false
    ),
    beneath!(
        "ses-refusals-untold",
        "BRG-SES-04",
        "A claim or resume that is refused hears nothing",
        session.refusals_are_told = false
    ),
    Fault {
        id: "ses-claimed-before-made",
        promises: &["BRG-SES-01"],
        title: "Sessions say they were claimed a second too early",
        bend: |rules| rules.session.claimed_shift_ms = 1_000,
    },
    Fault {
        id: "ses-replacement-told-as-suspension",
        promises: &["BRG-SES-09", "BRG-SES-15"],
        title: "A replaced socket is told as a suspension",
        bend: |rules| rules.session.replacement_is_quiet = false,
    },
    Fault {
        id: "ses-oldest-ends-at-a-hundred",
        promises: &["BRG-SES-11"],
        title: "With more than a hundred sessions the oldest is ended",
        bend: |rules| rules.session.oldest_ends_beyond = Some(100),
    },
    Fault {
        id: "ses-capped-at-two-hundred-and-one",
        promises: &["BRG-SES-11"],
        title: "There is no room for more than 201 sessions",
        bend: |rules| rules.session.cap = Some(201),
    },
    Fault {
        id: "ses-loss-told-as-tools-changed",
        promises: &["BRG-SES-07", EVERYTHING],
        title: "A lost socket is told as a change of the tools",
        bend: |rules| rules.session.loss_is_no_change = false,
    },
    beneath!(
        "ses-claims-unacknowledged",
        "BRG-SES-01",
        "Claims and resumes are not acked",
        session.acknowledges = false
    ),
    Fault {
        id: "ses-restart-remembers",
        promises: &["BRG-SES-13", "BRG-CON-14"],
        title: "Sessions that lived at an orderly end are listed after the next start",
        bend: |rules| rules.session.restart_forgets = false,
    },
    beneath!(
        "ses-restart-takes-no-claims",
        "BRG-SES-13",
        "A daemon in a folder that was used before refuses every claim",
        session.serves_after_restart = false
    ),
    beneath!(
        "ses-summary-lacks-state",
        "BRG-SES-01",
        "Session summaries lack the state",
        session.dropped_summary_member = Some("state")
    ),
];

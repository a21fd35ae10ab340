//! What a claim decides: tokens, the time of links, the ack and the alias (`SES`).

use iolite_protocol::close::Close;

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
    /// How long links live, in percent of the expiry they carry (`SES-04`: 100).
    pub link_life_percent: u64,
    /// A claim ends the link's time (`SES-04`); otherwise the end of that time ends the session.
    pub claim_stops_expiry: bool,
    /// What a claim of an id that nobody knows gets (`SES-04`).
    pub unknown_claim: Close,
    /// A claim or resume that is refused gets a close frame (`SES-03`, `SES-04`, `SES-06`); otherwise it waits for
    /// ever.
    pub refusals_are_told: bool,
    /// A right claim or resume is acked (`SES-01`); otherwise it counts in silence.
    pub acknowledges: bool,
    /// Milliseconds by which `claimedAt` is too early (`SES-01`: 0).
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

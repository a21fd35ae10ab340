//! Decisions that everything stands on: a daemon that takes one of them wrongly fails wherever it is used.

/// The decisions. [`Default`] is the contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundationRules {
    /// Every n-th call fails for no reason, unsent (`TOL-07`: none).
    pub failing_calls: Option<u64>,
    /// Every n-th read fails for no reason, unsent (`RES-06`: none).
    pub failing_reads: Option<u64>,
    /// Reads are answered with nothing in them, unsent (`RES-06`: no).
    pub invented_contents: bool,
    /// Every n-th request of the control RPC fails for no reason, on connections other than the daemon's first
    /// (`RPC-09`: none).
    pub failing_requests: Option<u64>,
    /// Every n-th snapshot is ignored (`TOL-01`, `RES-01`: none).
    pub ignored_snapshots: Option<u64>,
    /// Every n-th answer of an app is taken for a failure (`TOL-10`: none).
    pub lost_answers: Option<u64>,
    /// Every n-th claim is refused (`SES-01`: none).
    pub refused_claims: Option<u64>,
    /// Every n-th resume is refused (`SES-08`: none).
    pub refused_resumes: Option<u64>,
    /// Every n-th frame in a session closes its socket (`CON-07`: none).
    pub refused_frames: Option<u64>,
    /// Every n-th event is not told on connections other than the daemon's first (`RPC-06`: none).
    pub lost_events: Option<u64>,
    /// Every n-th read never reaches its app (`RES-11`: none).
    pub lost_reads: Option<u64>,
    /// Events are told on the daemon's first connection only (`RPC-06`: on all).
    pub events_to_first_only: bool,
    /// What one app sends makes the daemon send something to all others (`CON-11`: no).
    pub frames_reach_others: bool,
    /// Every request of the control RPC makes the daemon send something to all apps (`TOL-13`: no).
    pub stray_cancels: bool,
    /// What a frame says takes effect even when it breaks a rule, before its socket is closed (`TOL-02`, `SES-01`: no).
    pub violations_take_effect: bool,
    /// Input that breaks exactly one rule takes effect before it is refused. This is how the suite is measured, not a
    /// way to be wrong (see `core/waiver.rs`).
    pub waives_one_rule: bool,
    /// A broken rule ends the session instead of suspending it (`SES-16`: no).
    pub violations_end_sessions: bool,
    /// A broken rule discards all pending links (`CON-11`: no).
    pub violations_discard_links: bool,
}

/// How a daemon that waives one rule begins to say that input broke a second one.
pub const SECOND_RULE: &str = "wrong in more than one way";

/// The message of a failure that has no cause but a bent rule table.
pub const NO_REASON: &str = "it fails for no reason";

/// Whether number `number`, counted from 1, is one of every `every`.
pub fn is_due(every: Option<u64>, number: u64) -> bool {
    every.is_some_and(|every| every > 0 && number.is_multiple_of(every))
}

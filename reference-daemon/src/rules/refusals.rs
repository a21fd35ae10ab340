//! What a request that is refused leaves behind: nothing (`RPC-16`), and what is told of lost events (`RPC-15`).

/// Decisions about requests that are refused.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusalRules {
    /// What a refused `events.subscribe` does to the subscription there was (`RPC-16`).
    pub subscribe: RefusedSubscription,
    /// A refused `sessions.revoke` revokes nobody (`RPC-16`); otherwise, where several live, the first.
    pub revoke_nobody: bool,
    /// A request without the right version is not done (`RPC-16`).
    pub undone_without_version: bool,
    /// A request whose id is no id is not done (`RPC-16`).
    pub undone_with_odd_id: bool,
    /// `daemon.shutdown` with params of the wrong shape ends nothing (`RPC-16`).
    pub shutdown_with_right_params: bool,
    /// A refused call is not told as started (`RPC-16`).
    pub untold_calls: bool,
    /// Whole numbers count however they are spelled (`RPC-11`); otherwise `2.0` is refused.
    pub any_spelling: bool,
    /// When `events.since` says that events were lost (`RPC-15`).
    pub lost_events: LostEvents,
}

/// What a refused subscription does to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedSubscription {
    /// Nothing.
    Nothing,
    /// It ends it.
    Ends,
    /// It makes it one to everything.
    Widens,
}

/// When `events.since` says that events were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostEvents {
    /// When they were.
    WhenLost,
    /// Never.
    Never,
    /// Always.
    Always,
    /// When they were, but not where there is a limit.
    WithoutLimit,
}

impl Default for RefusalRules {
    fn default() -> Self {
        Self {
            subscribe: RefusedSubscription::Nothing,
            revoke_nobody: true,
            undone_without_version: true,
            undone_with_odd_id: true,
            shutdown_with_right_params: true,
            untold_calls: true,
            any_spelling: true,
            lost_events: LostEvents::WhenLost,
        }
    }
}

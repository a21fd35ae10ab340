//! What cancelling decides about its call, its reason and its parameters (`TOL-18`, `TOL-19`).

/// Decisions about cancels. [`Default`] is the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct CancelRules {
    /// Which call is cancelled (`TOL-18`).
    pub aim: Aim,
    /// A call that has told of its progress can be cancelled (`TOL-18`).
    pub after_progress: bool,
    /// A call can be cancelled while others of its caller are open (`TOL-18`).
    pub beside_others: bool,
    /// The app is told of a cancel that comes too late (`TOL-18`: no).
    pub late_is_sent: bool,
    /// The selector is obeyed (`TOL-19`).
    pub obey_selector: bool,
    /// Without a selector a call is looked for in every session (left open); otherwise several sessions are ambiguous.
    pub in_every_session: bool,
    /// A cancel that is refused is sent all the same (`TOL-19`: no).
    pub refused_is_sent: bool,
    /// The reason that the app is told where none is given (`TOL-19`: one of 1 to 4,096 characters).
    pub own_reason: &'static str,
    /// The length of a reason is counted in bytes (`TOL-19`: in characters).
    pub reason_in_bytes: bool,
}

/// Which call a cancel ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The one it names.
    Named,
    /// The newest of that app.
    Newest,
    /// The oldest of that app.
    Oldest,
}

impl Default for CancelRules {
    fn default() -> Self {
        Self {
            aim: Aim::Named,
            after_progress: true,
            beside_others: true,
            late_is_sent: false,
            obey_selector: true,
            in_every_session: true,
            refused_is_sent: false,
            own_reason: "cancelled",
            reason_in_bytes: false,
        }
    }
}

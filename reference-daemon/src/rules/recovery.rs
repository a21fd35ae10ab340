//! What a session has been through changes nothing about its rights (`SES-18`, `SES-19`).

/// Decisions that look at a session's past. [`Default`] is the contract: none does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecoveryRules {
    /// What the loss of an app does that never sent a frame after its claim (`SES-18`).
    pub silent_loss: SilentLoss,
    /// An app that never sent a frame cannot resume (`SES-18`: it can).
    pub silent_cannot_resume: bool,
    /// From when the grace counts (`SES-18`: the loss).
    pub grace_from: GraceFrom,
    /// A session that sent nothing for so long is suspended at its next ping (`SES-18`: none is).
    pub idle_limit_ms: Option<u64>,
    /// The timer of a grace goes on after the resume and ends the session (`SES-18`: no).
    pub grace_goes_on: bool,
    /// The resume after so many is refused (`SES-18`: none is).
    pub most_resumes: Option<u64>,
    /// After so many resumes a loss is not noticed (`SES-18`: always).
    pub deaf_after_resumes: Option<u64>,
    /// After so many resumes a suspended session never expires (`SES-18`: always).
    pub endless_after_resumes: Option<u64>,
    /// Every resume halves the grace (`SES-18`: no).
    pub grace_shrinks: bool,
    /// After so many losses the tools are lost as well (`SES-07`: never).
    pub tools_lost_with_loss: Option<u64>,
    /// A session keeps its `suspendedAt` after the resume (`SES-08`: no).
    pub suspended_at_stays: bool,
    /// What guesses of a resume token do to the session (`SES-19`).
    pub guesses: Guesses,
    /// The events of a suspended session cannot be asked for (`RPC-07`: they can).
    pub suspended_has_no_events: bool,
    /// A suspended session cannot be subscribed to (`RPC-06`: it can).
    pub suspended_is_unheard: bool,
    /// A suspended session cannot be revoked (`SES-10`: it can).
    pub suspended_is_irrevocable: bool,
    /// A suspended session cannot be described (`SES-07`: it can).
    pub suspended_is_indescribable: bool,
}

/// What the loss of an app does that never sent a frame after its claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SilentLoss {
    /// What it does to any.
    #[default]
    Suspends,
    /// The session is over.
    Ends,
    /// It is suspended and never expires.
    Endless,
    /// Nothing: it stays active.
    Unnoticed,
}

/// From when the grace counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraceFrom {
    /// From the loss.
    #[default]
    Loss,
    /// From the last frame of the app.
    LastFrame,
    /// From the claim.
    Claim,
    /// From the first loss there was.
    FirstLoss,
}

/// What guesses of a resume token do to the session they are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guesses {
    /// Nothing.
    #[default]
    Harmless,
    /// After so many it is over.
    EndAfter(u64),
    /// After so many its right token is worth nothing any more.
    SpoilAfter(u64),
    /// Each takes the socket of the session away.
    Suspend,
}

//! What the life of a claimed session decides (`SES`).

use iolite_protocol::close::Close;

/// Decisions about losses, resumes, replacements, restarts and ends.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRules {
    /// A member missing from summaries (`SES-01`: none).
    pub dropped_summary_member: Option<&'static str>,
    /// A restart forgets sessions (`SES-13`); otherwise those that lived at an orderly end are there again, suspended.
    pub restart_forgets: bool,
    /// A daemon takes claims also in a folder that was used before (`SES-13`).
    pub serves_after_restart: bool,
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
    /// A lost socket is an event of its own session only (`SES-07`); otherwise for all.
    pub loss_is_told_once: bool,
    /// A loss or a resume changes no tools, so it is no `tools_changed` event (`SES-07`).
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
    /// A replacement is no suspension, so it is no `session_suspended` event (`SES-09`).
    pub replacement_is_quiet: bool,
    /// A replaced socket has no power (`SES-15`); otherwise its frames are still served.
    pub replaced_is_powerless: bool,
    /// The late close of a replaced socket changes nothing (`SES-09`); otherwise it suspends the session.
    pub ignore_late_close: bool,
    /// Revoking closes the socket (`SES-10`).
    pub revoke_closes: bool,
    /// A revoked session cannot resume (`SES-10`); otherwise it is suspended only.
    pub revoke_ends: bool,
    /// Revoking a pending link's id discards it (`SES-10`).
    pub revoke_pending: bool,
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
            dropped_summary_member: None,
            restart_forgets: true,
            serves_after_restart: true,
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
            leak: None,
            unknown_resume: Close::UNKNOWN_SESSION,
            refuse_unknown_resume: true,
            suspend_at_once: true,
            pending_resume: Close::UNKNOWN_SESSION,
        }
    }
}

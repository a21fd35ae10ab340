//! What the life of a claimed session decides (`SES`).

use super::fault::beneath;
use super::{EVERYTHING, Fault};
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

pub(super) const FAULTS: &[Fault] = &[
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
        promises: &["BRG-SES-06", "BRG-CON-11", "BRG-CON-16"],
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
        promises: &["BRG-SES-07", EVERYTHING],
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
            "BRG-SES-16",
            "BRG-RES-03",
            "BRG-RES-04",
            "BRG-CLI-01",
            "BRG-RPC-06",
        ],
        title: "A suspended session loses its resources",
        bend: |rules| rules.session.keep_resources = false,
    },
    Fault {
        id: "ses-suspended-unlisted",
        promises: &[
            "BRG-SES-07",
            "BRG-RPC-13",
            "BRG-CON-11",
            "BRG-CLI-04",
            "BRG-RES-05",
            "BRG-RPC-05",
            "BRG-SES-08",
            "BRG-SES-16",
        ],
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
        promises: &["BRG-SES-08", "BRG-RES-11", "BRG-SES-05", "BRG-TOL-11", "BRG-RPC-01", "BRG-RPC-07"],
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
        promises: &[
            "BRG-SES-10",
            "BRG-SES-05",
            "BRG-RPC-01",
            "BRG-RES-11",
            "BRG-POL-01",
            "BRG-MCP-04",
            "BRG-CLI-04",
            "BRG-MCP-02",
            "BRG-MCP-27",
        ],
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
    Fault {
        id: "ses-replacement-told-as-suspension",
        promises: &["BRG-SES-09", "BRG-SES-15"],
        title: "A replaced socket is told as a suspension",
        bend: |rules| rules.session.replacement_is_quiet = false,
    },
    Fault {
        id: "ses-loss-told-as-tools-changed",
        promises: &["BRG-SES-07", EVERYTHING],
        title: "A lost socket is told as a change of the tools",
        bend: |rules| rules.session.loss_is_no_change = false,
    },
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

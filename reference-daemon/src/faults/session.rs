//! Faults of the life of a claimed session.

use super::fault::{EVERYTHING, Fault, beneath};
use crate::rules::{Leak, Replacement};
use iolite_protocol::close::Close;

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

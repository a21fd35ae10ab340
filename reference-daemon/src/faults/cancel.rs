//! Faults of cancelling: which call, when, and what the app is told.

use super::fault::{Fault, waives};
use crate::rules::Aim;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "tol-cancel-hits-newest",
        promises: &["BRG-TOL-18", "BRG-TOL-16"],
        title: "A cancel ends the newest call of its app",
        bend: |rules| rules.cancel.aim = Aim::Newest,
    },
    Fault {
        id: "tol-cancel-hits-oldest",
        promises: &["BRG-TOL-18", "BRG-TOL-16"],
        title: "A cancel ends the oldest call of its app",
        bend: |rules| rules.cancel.aim = Aim::Oldest,
    },
    Fault {
        id: "tol-cancel-lost-after-progress",
        promises: &["BRG-TOL-18"],
        title: "A call that has told of its progress cannot be cancelled",
        bend: |rules| rules.cancel.after_progress = false,
    },
    Fault {
        id: "tol-cancel-lost-beside-others",
        promises: &["BRG-TOL-18", "BRG-TOL-16"],
        title: "A call cannot be cancelled while its caller has others open",
        bend: |rules| rules.cancel.beside_others = false,
    },
    Fault {
        id: "tol-late-cancel-sent",
        promises: &["BRG-TOL-18", "BRG-TOL-13"],
        title: "The app is told of a cancel of what is over",
        bend: |rules| rules.cancel.late_is_sent = true,
    },
    Fault {
        id: "mcp-early-cancel-lost",
        promises: &["BRG-TOL-18", "BRG-TOL-16"],
        title: "An agent's cancel directly behind its request is lost",
        bend: |rules| rules.mcp.early_cancel_waits = false,
    },
    Fault {
        id: "mcp-cancel-with-empty-reason",
        promises: &["BRG-TOL-19", "BRG-TOL-18", "BRG-TOL-16"],
        title: "An agent's cancel is passed on with a reason that is refused",
        bend: |rules| rules.mcp.cancel_reason = Some(""),
    },
    waives!(
        "tol-cancel-reason-type-unchecked",
        ["BRG-TOL-19"],
        "A reason that is no text counts as none",
        [ParamReasonType]
    ),
    waives!(
        "tol-cancel-reason-length-unchecked",
        ["BRG-TOL-19", "BRG-CON-18"],
        "A reason may be empty or as long as it likes",
        [ParamReasonLength, ToolCancelReason]
    ),
    Fault {
        id: "tol-cancel-reason-limit-short",
        promises: &["BRG-TOL-19"],
        title: "A reason of exactly 4,096 characters is refused",
        bend: |rules| rules.contract.limits.reason_max = 4_095,
    },
    Fault {
        id: "tol-cancel-reason-limit-long",
        promises: &["BRG-TOL-19", "BRG-CON-18"],
        title: "A reason of 4,097 characters is accepted",
        bend: |rules| rules.contract.limits.reason_max = 4_097,
    },
    Fault {
        id: "tol-cancel-reason-counted-in-bytes",
        promises: &["BRG-TOL-19"],
        title: "The length of a reason is counted in bytes",
        bend: |rules| rules.cancel.reason_in_bytes = true,
    },
    Fault {
        id: "tol-cancel-reason-empty",
        promises: &["BRG-TOL-19", "BRG-TOL-13", "BRG-TOL-18", "BRG-CON-18"],
        title: "An app is told of a cancel with an empty reason",
        bend: |rules| {
            rules.cancel.own_reason = "";
            rules.contract.waived.insert(iolite_protocol::contract::Rule::ToolCancelReason);
        },
    },
    Fault {
        id: "tol-refused-cancel-sent",
        promises: &["BRG-TOL-19", "BRG-RPC-16"],
        title: "A cancel that is refused reaches the app all the same",
        bend: |rules| rules.cancel.refused_is_sent = true,
    },
    Fault {
        id: "tol-cancel-selector-ignored",
        promises: &["BRG-TOL-19", "BRG-RPC-01"],
        title: "The selector of a cancel is not looked at",
        bend: |rules| rules.cancel.obey_selector = false,
    },
];

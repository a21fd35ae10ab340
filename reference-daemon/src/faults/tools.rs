//! Faults of the tool registry and tool calls.

use super::fault::{Fault, waives};
use super::{in_flight, registry};
use crate::rules::{Alteration, OnLoss};

pub(super) const FAULTS: &[Fault] = &[
    registry::SNAPSHOT_MERGES.tools,
    registry::EMPTY_SNAPSHOT_IGNORED.tools,
    registry::SECOND_SNAPSHOT_IGNORED.tools,
    Fault {
        id: "tol-invalid-element-skipped",
        promises: &["BRG-TOL-02", "BRG-RES-02", "BRG-SES-16"],
        title: "Invalid elements of a snapshot are left out, the others count",
        bend: |rules| rules.contract.drop_invalid_elements = true,
    },
    waives!(
        "tol-name-pattern-unchecked",
        ["BRG-TOL-02", "BRG-TOL-04"],
        "Tool names may hold any character",
        [ToolNamePattern]
    ),
    Fault {
        id: "tol-name-limit-long",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "A tool name of 65 characters is accepted",
        bend: |rules| rules.contract.limits.tool_name_max = 65,
    },
    Fault {
        id: "tol-name-limit-short",
        promises: &["BRG-TOL-03", "BRG-TOL-01"],
        title: "A tool name of exactly 64 characters is refused",
        bend: |rules| rules.contract.limits.tool_name_max = 63,
    },
    waives!(
        "tol-description-unchecked",
        ["BRG-TOL-02", "BRG-TOL-04"],
        "Tools may lack a description",
        [ToolDescriptionPresent, ToolDescriptionLength]
    ),
    Fault {
        id: "tol-description-limit-short",
        promises: &["BRG-TOL-03", "BRG-TOL-01"],
        title: "A description of exactly 4,096 characters is refused",
        bend: |rules| rules.contract.limits.description_max = 4_095,
    },
    Fault {
        id: "tol-description-limit-long",
        promises: &["BRG-TOL-02", "BRG-TOL-04", "BRG-RES-02"],
        title: "A description of 4,097 characters is accepted",
        bend: |rules| rules.contract.limits.description_max = 4_097,
    },
    waives!(
        "tol-schema-unchecked",
        ["BRG-TOL-02", "BRG-TOL-04"],
        "A tool's schema may be no object",
        [ToolInputSchemaType, ToolOutputSchemaType]
    ),
    waives!(
        "tol-annotations-unchecked",
        ["BRG-TOL-02", "BRG-TOL-04"],
        "Unknown annotations of a tool are tolerated",
        [ToolAnnotationsUnknownKey]
    ),
    waives!(
        "tol-hints-unchecked",
        ["BRG-TOL-02", "BRG-TOL-04"],
        "A tool's hints may be no booleans",
        [ToolReadOnlyHintType, ToolDestructiveHintType, ToolIdempotentHintType]
    ),
    waives!(
        "tol-timeout-unchecked",
        ["BRG-TOL-02", "BRG-TOL-04"],
        "A tool's timeout_ms may be zero, negative or fractional",
        [ToolTimeoutType, ToolTimeoutPositive]
    ),
    registry::UPSERT_KEEPS_OLD.tools,
    registry::UPSERT_MOVES_ENTRY.tools,
    registry::REMOVE_IGNORED.tools,
    registry::REMOVE_UNKNOWN_CLOSES.tools,
    waives!(
        "tol-unknown-operation-tolerated",
        ["BRG-TOL-04"],
        "A tool delta of an unknown operation is taken for an upsert",
        [ToolOperationPresent, ToolOperationType, ToolOperationValue]
    ),
    waives!(
        "tol-duplicate-name-accepted",
        ["BRG-TOL-05"],
        "Of two tools of one name in a snapshot, the last one counts",
        [DuplicateToolName]
    ),
    registry::RESUME_CLEARS.tools,
    registry::RESUME_MERGES.tools,
    registry::RESUME_STALE.tools,
    in_flight::TO_FIRST_SESSION.tools,
    in_flight::NAMES_OTHER_SESSION.tools,
    in_flight::ID_REUSED.tools,
    in_flight::SENT_TWICE.tools,
    Fault {
        id: "tol-args-lose-nulls",
        promises: &["BRG-TOL-07"],
        title: "Null members of arguments are dropped",
        bend: |rules| rules.tools.arguments = Alteration::DropNulls,
    },
    Fault {
        id: "tol-args-trimmed",
        promises: &["BRG-TOL-07"],
        title: "Text in arguments loses white space at both ends",
        bend: |rules| rules.tools.arguments = Alteration::TrimText,
    },
    Fault {
        id: "tol-args-lose-empties",
        promises: &["BRG-TOL-07"],
        title: "Empty members of arguments are dropped",
        bend: |rules| rules.tools.arguments = Alteration::DropEmpty,
    },
    Fault {
        id: "tol-result-loses-nulls",
        promises: &["BRG-TOL-07"],
        title: "Null members of results are dropped",
        bend: |rules| rules.tools.result = Alteration::DropNulls,
    },
    Fault {
        id: "tol-result-numbers-rounded",
        promises: &["BRG-TOL-07", "BRG-MCP-07"],
        title: "Big numbers in results lose digits",
        bend: |rules| rules.tools.result = Alteration::RoundNumbers,
    },
    Fault {
        id: "tol-result-ascii-only",
        promises: &["BRG-TOL-07", "BRG-MCP-07"],
        title: "Characters outside ASCII in results become question marks",
        bend: |rules| rules.tools.result = Alteration::AsciiOnly,
    },
    Fault {
        id: "tol-result-cut-deep",
        promises: &["BRG-TOL-07"],
        title: "Results lose what is nested deeply",
        bend: |rules| rules.tools.result = Alteration::CutDeep,
    },
    in_flight::ERROR_TYPE_REWRAPPED.tools,
    Fault {
        id: "tol-error-message-prefixed",
        promises: &["BRG-TOL-08"],
        title: "App error messages get a prefix",
        bend: |rules| rules.tools.in_flight.message_prefix = "app error: ",
    },
    Fault {
        id: "tol-error-details-lost",
        promises: &["BRG-TOL-08"],
        title: "App error details are lost",
        bend: |rules| rules.tools.in_flight.keep_details = false,
    },
    Fault {
        id: "tol-message-limit-short",
        promises: &["BRG-TOL-08"],
        title: "An app error message of exactly 4,096 characters is refused",
        bend: |rules| rules.contract.limits.message_max = 4_095,
    },
    in_flight::CALLER_TIMEOUT_IGNORED.tools,
    Fault {
        id: "tol-tool-timeout-ignored",
        promises: &["BRG-TOL-09"],
        title: "A tool's own timeout_ms is ignored",
        bend: |rules| rules.tools.obey_tool_timeout = false,
    },
    Fault {
        id: "tol-deadline-unclamped-below",
        promises: &["BRG-TOL-09"],
        title: "Deadlines under a second are kept",
        bend: |rules| rules.contract.limits.deadline_min_ms = 1,
    },
    Fault {
        id: "tol-deadline-unclamped-above",
        promises: &["BRG-TOL-09"],
        title: "Deadlines over ten minutes are kept",
        bend: |rules| rules.contract.limits.deadline_max_ms = u64::MAX / 4,
    },
    Fault {
        id: "tol-deadline-default-long",
        promises: &["BRG-TOL-09", "BRG-RES-11"],
        title: "Without a timeout, a call may take 30 seconds",
        bend: |rules| rules.contract.limits.deadline_default_ms = 30_000,
    },
    Fault {
        id: "tol-deadline-default-short",
        promises: &["BRG-TOL-09", "BRG-RES-11"],
        title: "Without a timeout, a call may take 5 seconds",
        bend: |rules| rules.contract.limits.deadline_default_ms = 5_000,
    },
    in_flight::DEADLINE_NEVER.tools,
    in_flight::TIMEOUT_WRONG_TYPE.tools,
    in_flight::STRAY_RESULT_CLOSES.tools,
    in_flight::STRAY_RESULT_ANSWERS_OLDEST.tools,
    in_flight::FOREIGN_RESULT_ACCEPTED.tools,
    in_flight::RESULTS_IN_ORDER.tools,
    in_flight::WAITS_AFTER_LOSS.tools,
    Fault {
        id: "tol-call-repeated-after-resume",
        promises: &[
            "BRG-TOL-11",
            "BRG-TOL-07",
            "BRG-SES-16",
            "BRG-CON-11",
            "BRG-SES-07",
            "BRG-TOL-15",
            "BRG-MCP-23",
            "BRG-AUD-01",
            "BRG-TOL-06",
            "BRG-TOL-13",
        ],
        title: "Calls in flight are sent again after a resume",
        bend: |rules| rules.tools.in_flight.on_loss = OnLoss::SendAgain,
    },
    in_flight::LOSS_WRONG_TYPE.tools,
    in_flight::WAITS_AFTER_REVOKE.tools,
    in_flight::REVOKE_WRONG_TYPE.tools,
    in_flight::WAITS_FOR_RESUME.tools,
    in_flight::SUSPENDED_WRONG_TYPE.tools,
    in_flight::UNKNOWN_SENT.tools,
    in_flight::UNKNOWN_WRONG_TYPE.tools,
    waives!(
        "tol-bad-args-sent-empty",
        ["BRG-TOL-12", "BRG-RPC-11"],
        "Arguments that are no object are replaced by an empty one",
        [ParamArgsObject]
    ),
    Fault {
        id: "tol-cancel-not-sent",
        promises: &["BRG-TOL-13", "BRG-TOL-16", "BRG-TOL-17", "BRG-AUD-01"],
        title: "Cancelling does not reach the app",
        bend: |rules| rules.tools.cancel_reaches_app = false,
    },
    Fault {
        id: "tol-cancel-names-other-session",
        promises: &["BRG-TOL-13", "BRG-TOL-16"],
        title: "A cancel carries the call's id in place of the app's session",
        bend: |rules| rules.tools.cancel_names_session = false,
    },
    Fault {
        id: "tol-progress-needs-number",
        promises: &["BRG-TOL-14"],
        title: "Progress without a number is lost",
        bend: |rules| rules.tools.progress_without_number = false,
    },
    Fault {
        id: "tol-cancel-ends-at-once",
        promises: &["BRG-TOL-13"],
        title: "Cancelling ends the call without waiting for the app",
        bend: |rules| rules.tools.cancel_waits = false,
    },
    Fault {
        id: "tol-cancel-unknown-true",
        promises: &["BRG-TOL-13"],
        title: "Cancelling something unknown or finished answers true",
        bend: |rules| rules.tools.cancel_unknown = true,
    },
    Fault {
        id: "tol-cancel-hits-all",
        promises: &["BRG-TOL-16", "BRG-TOL-13"],
        title: "Cancelling one call cancels all calls of that tool",
        bend: |rules| rules.tools.cancel_one = false,
    },
    Fault {
        id: "tol-progress-lost",
        promises: &["BRG-TOL-14"],
        title: "Progress goes nowhere",
        bend: |rules| rules.tools.forward_progress = false,
    },
    Fault {
        id: "tol-late-progress-told",
        promises: &["BRG-TOL-14"],
        title: "Progress of a finished call is still told",
        bend: |rules| rules.tools.drop_late_progress = false,
    },
    Fault {
        id: "tol-progress-of-newest-call",
        promises: &["BRG-TOL-16", "BRG-TOL-14"],
        title: "Progress is told as that of the newest call",
        bend: |rules| rules.tools.progress_own_call = false,
    },
    waives!(
        "tol-missing-result-is-null",
        ["BRG-TOL-15"],
        "A result frame without a result is taken for null",
        [ToolResultPresent]
    ),
    waives!("tol-error-type-unchecked", ["BRG-TOL-15", "BRG-RES-10"], "Any error type passes", [ErrorTypeKnown]),
    Fault {
        id: "tol-null-result-is-error",
        promises: &["BRG-TOL-15", "BRG-TOL-07", "BRG-MCP-07"],
        title: "A null result is told as a failure",
        bend: |rules| rules.tools.null_is_success = false,
    },
    Fault {
        id: "tol-close-leaves-calls",
        promises: &["BRG-TOL-17"],
        title: "Closing the caller's connection leaves its calls running",
        bend: |rules| rules.tools.close_cancels = false,
    },
    Fault {
        id: "tol-close-cancels-all",
        promises: &["BRG-TOL-17", "BRG-TOL-16", "BRG-MCP-22"],
        title: "Closing one connection cancels everybody's calls",
        bend: |rules| rules.tools.close_cancels_own_only = false,
    },
    Fault {
        id: "tol-close-wrong-reason",
        promises: &["BRG-TOL-17"],
        title: "Calls cancelled by a closed connection tell the app reason cancelled",
        bend: |rules| rules.tools.close_reason = "cancelled",
    },
    registry::CHANGES_UNTOLD.tools,
    registry::LIST_SORTED.tools,
];

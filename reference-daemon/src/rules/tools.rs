//! What the tool registry and tool calls decide (`TOL`).

use super::in_flight::{InFlightRules, OnLoss, Recipient, StrayAnswer};
use super::registry::{AfterResume, RegistryRules, Snapshot, Tell, Upsert};
use super::{EVERYTHING, Fault};
use iolite_protocol::contract::Rule;

/// Decisions about tools.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolRules {
    /// The registry.
    pub registry: RegistryRules,
    /// Calls in flight.
    pub calls: InFlightRules,
    /// What happens to arguments on their way to the app (`TOL-07`).
    pub arguments: Alteration,
    /// What happens to results on their way back (`TOL-07`).
    pub result: Alteration,
    /// A tool's `timeout_ms` is obeyed (`TOL-09`).
    pub obey_tool_timeout: bool,
    /// Cancelling tells the app (`TOL-13`).
    pub cancel_reaches_app: bool,
    /// Progress need not have a number (`TOL-14`).
    pub progress_without_number: bool,
    /// A cancel names the app's session (`TOL-13`); otherwise the call's id stands in its place, too.
    pub cancel_names_session: bool,
    /// Cancelling waits for the app to end the call (`TOL-13`); otherwise it ends at once.
    pub cancel_waits: bool,
    /// What cancelling something unknown or finished answers (`TOL-13`: `false`).
    pub cancel_unknown: bool,
    /// Cancelling ends one call (`TOL-16`); otherwise all calls of that tool.
    pub cancel_one: bool,
    /// Progress becomes an event (`TOL-14`).
    pub forward_progress: bool,
    /// Progress of a finished call goes nowhere (`TOL-14`).
    pub drop_late_progress: bool,
    /// Progress names its own call (`TOL-16`); otherwise the newest of that session.
    pub progress_own_call: bool,
    /// `result: null` is a success (`TOL-15`); otherwise `tool_execution_error`.
    pub null_is_success: bool,
    /// Closing the caller's connection cancels its calls (`TOL-17`).
    pub close_cancels: bool,
    /// Closing a connection cancels only its own calls (`TOL-17`).
    pub close_cancels_own_only: bool,
    /// The reason told to the app then (`TOL-17`).
    pub close_reason: &'static str,
}

/// What happens to JSON that should pass unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// Nothing.
    None,
    /// Members that are `null` are dropped.
    DropNulls,
    /// Numbers lose digits, as in a 32-bit float.
    RoundNumbers,
    /// Text loses white space at both ends.
    TrimText,
    /// Characters outside ASCII become `?`.
    AsciiOnly,
    /// What lies deeper than eight levels becomes `null`.
    CutDeep,
    /// Empty arrays, objects and texts that are members are dropped.
    DropEmpty,
}

impl Default for ToolRules {
    fn default() -> Self {
        Self {
            registry: RegistryRules::default(),
            calls: InFlightRules::default(),
            arguments: Alteration::None,
            result: Alteration::None,
            obey_tool_timeout: true,
            cancel_reaches_app: true,
            progress_without_number: true,
            cancel_names_session: true,
            cancel_waits: true,
            cancel_unknown: false,
            cancel_one: true,
            forward_progress: true,
            drop_late_progress: true,
            progress_own_call: true,
            null_is_success: true,
            close_cancels: true,
            close_cancels_own_only: true,
            close_reason: "connection_closed",
        }
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "tol-snapshot-merges",
        promises: &["BRG-TOL-01", "BRG-TOL-06", "BRG-RPC-13", "BRG-TOL-03"],
        title: "A tool snapshot is added to what is there",
        bend: |rules| rules.tools.registry.snapshot = Snapshot::Merge,
    },
    Fault {
        id: "tol-empty-snapshot-ignored",
        promises: &["BRG-TOL-01", "BRG-RPC-13"],
        title: "An empty tool snapshot changes nothing",
        bend: |rules| rules.tools.registry.snapshot = Snapshot::IgnoreEmpty,
    },
    Fault {
        id: "tol-second-snapshot-ignored",
        promises: &["BRG-TOL-01", "BRG-TOL-06", "BRG-TOL-04", "BRG-RPC-13", "BRG-TOL-03"],
        title: "Only a session's first tool snapshot counts",
        bend: |rules| rules.tools.registry.snapshot = Snapshot::FirstOnly,
    },
    Fault {
        id: "tol-invalid-element-skipped",
        promises: &["BRG-TOL-02", "BRG-RES-02", "BRG-SES-16"],
        title: "Invalid elements of a snapshot are left out, the others count",
        bend: |rules| rules.contract.drop_invalid_elements = true,
    },
    Fault {
        id: "tol-name-pattern-unchecked",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "Tool names may hold any character",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ToolNamePattern);
        },
    },
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
    Fault {
        id: "tol-description-unchecked",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "Tools may lack a description",
        bend: |rules| {
            rules.contract.waived.extend([Rule::ToolDescriptionPresent, Rule::ToolDescriptionLength]);
        },
    },
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
    Fault {
        id: "tol-schema-unchecked",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "A tool's schema may be no object",
        bend: |rules| {
            rules.contract.waived.extend([Rule::ToolInputSchemaType, Rule::ToolOutputSchemaType]);
        },
    },
    Fault {
        id: "tol-annotations-unchecked",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "Unknown annotations of a tool are tolerated",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ToolAnnotationsUnknownKey);
        },
    },
    Fault {
        id: "tol-hints-unchecked",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "A tool's hints may be no booleans",
        bend: |rules| {
            rules.contract.waived.extend([
                Rule::ToolReadOnlyHintType,
                Rule::ToolDestructiveHintType,
                Rule::ToolIdempotentHintType,
            ]);
        },
    },
    Fault {
        id: "tol-timeout-unchecked",
        promises: &["BRG-TOL-02", "BRG-TOL-04"],
        title: "A tool's timeout_ms may be zero, negative or fractional",
        bend: |rules| {
            rules.contract.waived.extend([Rule::ToolTimeoutType, Rule::ToolTimeoutPositive]);
        },
    },
    Fault {
        id: "tol-upsert-keeps-old",
        promises: &["BRG-TOL-03"],
        title: "An upsert of a known tool changes nothing",
        bend: |rules| rules.tools.registry.upsert = Upsert::KeepOld,
    },
    Fault {
        id: "tol-upsert-moves-entry",
        promises: &["BRG-RPC-13", "BRG-TOL-03"],
        title: "An upsert moves a known tool to the end of the list",
        bend: |rules| rules.tools.registry.upsert = Upsert::MoveToEnd,
    },
    Fault {
        id: "tol-remove-ignored",
        promises: &["BRG-TOL-03"],
        title: "A removed tool stays",
        bend: |rules| rules.tools.registry.remove = false,
    },
    Fault {
        id: "tol-remove-unknown-closes",
        promises: &["BRG-TOL-03", "BRG-TOL-04", "BRG-TOL-02"],
        title: "Removing an unknown tool closes the socket",
        bend: |rules| rules.tools.registry.remove_unknown = false,
    },
    Fault {
        id: "tol-unknown-operation-tolerated",
        promises: &["BRG-TOL-04"],
        title: "A tool delta of an unknown operation is taken for an upsert",
        bend: |rules| {
            rules.contract.waived.extend([
                Rule::ToolOperationPresent,
                Rule::ToolOperationType,
                Rule::ToolOperationValue,
            ]);
        },
    },
    Fault {
        id: "tol-duplicate-name-accepted",
        promises: &["BRG-TOL-05"],
        title: "Of two tools of one name in a snapshot, the last one counts",
        bend: |rules| {
            rules.contract.waived.insert(Rule::DuplicateToolName);
        },
    },
    Fault {
        id: "tol-resume-clears",
        promises: &["BRG-TOL-06"],
        title: "A resume empties the tool registry",
        bend: |rules| rules.tools.registry.after_resume = AfterResume::Clear,
    },
    Fault {
        id: "tol-resume-merges",
        promises: &["BRG-TOL-06", "BRG-TOL-01"],
        title: "The tool snapshot after a resume is added to the kept tools",
        bend: |rules| rules.tools.registry.after_resume = AfterResume::MergeNext,
    },
    Fault {
        id: "tol-resume-stale",
        promises: &["BRG-TOL-06", "BRG-TOL-01"],
        title: "The tool snapshot after a resume is ignored",
        bend: |rules| rules.tools.registry.after_resume = AfterResume::IgnoreNext,
    },
    Fault {
        id: "tol-call-to-first-session",
        promises: &["BRG-TOL-07", "BRG-TOL-10", "BRG-TOL-11", "BRG-SES-16", "BRG-TOL-15"],
        title: "Calls go to the session that was claimed first",
        bend: |rules| rules.tools.calls.recipient = Recipient::First,
    },
    Fault {
        id: "tol-call-names-other-session",
        promises: &["BRG-TOL-07", EVERYTHING],
        title: "Call frames carry a session id that is not the app's",
        bend: |rules| rules.tools.calls.own_session_id = false,
    },
    Fault {
        id: "tol-call-id-reused",
        promises: &[
            "BRG-TOL-07",
            "BRG-TOL-10",
            "BRG-TOL-16",
            "BRG-TOL-11",
            "BRG-CON-11",
            "BRG-TOL-14",
            "BRG-TOL-09",
            "BRG-RPC-09",
            "BRG-TOL-17",
            "BRG-TOL-13",
            "BRG-MCP-22",
        ],
        title: "All calls of one tool share one call id",
        bend: |rules| rules.tools.calls.fresh_id = false,
    },
    Fault {
        id: "tol-call-sent-twice",
        promises: &["BRG-TOL-07", EVERYTHING],
        title: "Every call is sent twice",
        bend: |rules| rules.tools.calls.send_once = false,
    },
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
    Fault {
        id: "tol-error-type-rewrapped",
        promises: &["BRG-TOL-08", "BRG-MCP-08", "BRG-TOL-13"],
        title: "Every app error becomes tool_execution_error",
        bend: |rules| rules.tools.calls.keep_error_type = false,
    },
    Fault {
        id: "tol-error-message-prefixed",
        promises: &["BRG-TOL-08"],
        title: "App error messages get a prefix",
        bend: |rules| rules.tools.calls.message_prefix = "app error: ",
    },
    Fault {
        id: "tol-error-details-lost",
        promises: &["BRG-TOL-08"],
        title: "App error details are lost",
        bend: |rules| rules.tools.calls.keep_details = false,
    },
    Fault {
        id: "tol-message-limit-short",
        promises: &["BRG-TOL-08"],
        title: "An app error message of exactly 4,096 characters is refused",
        bend: |rules| rules.contract.limits.message_max = 4_095,
    },
    Fault {
        id: "tol-caller-timeout-ignored",
        promises: &["BRG-TOL-09", "BRG-AUD-01"],
        title: "timeoutMs of a call is ignored",
        bend: |rules| rules.tools.calls.obey_caller_timeout = false,
    },
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
    Fault {
        id: "tol-deadline-never",
        promises: &["BRG-TOL-09", "BRG-AUD-01"],
        title: "A call without an answer waits for ever",
        bend: |rules| rules.tools.calls.keep_deadline = false,
    },
    Fault {
        id: "tol-timeout-wrong-type",
        promises: &["BRG-TOL-09", "BRG-AUD-01"],
        title: "A passed deadline is told as tool_execution_error",
        bend: |rules| rules.tools.calls.timeout_type = "tool_execution_error",
    },
    Fault {
        id: "tol-stray-result-closes",
        promises: &["BRG-TOL-10", "BRG-TOL-09", "BRG-TOL-11", "BRG-CON-07", "BRG-RES-11", "BRG-TOL-07", "BRG-CON-11"],
        title: "A late or unknown result closes the socket",
        bend: |rules| rules.tools.calls.stray_answer = StrayAnswer::Close,
    },
    Fault {
        id: "tol-stray-result-answers-oldest",
        promises: &["BRG-TOL-10", "BRG-TOL-09"],
        title: "A result of an unknown id answers the oldest call",
        bend: |rules| rules.tools.calls.stray_answer = StrayAnswer::AnswerOldest,
    },
    Fault {
        id: "tol-foreign-result-accepted",
        promises: &["BRG-TOL-10"],
        title: "Another app's result answers the call",
        bend: |rules| rules.tools.calls.ignore_foreign = false,
    },
    Fault {
        id: "tol-results-in-order",
        promises: &["BRG-TOL-10", "BRG-TOL-16"],
        title: "Results answer calls in the order of asking, whatever their id",
        bend: |rules| rules.tools.calls.match_by_id = false,
    },
    Fault {
        id: "tol-loss-leaves-calls",
        promises: &["BRG-TOL-11", "BRG-SES-16", "BRG-TOL-13", "BRG-CON-11", "BRG-TOL-15", "BRG-AUD-01"],
        title: "Calls wait for their deadline after the socket is lost",
        bend: |rules| rules.tools.calls.on_loss = OnLoss::Wait,
    },
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
        bend: |rules| rules.tools.calls.on_loss = OnLoss::SendAgain,
    },
    Fault {
        id: "tol-loss-wrong-type",
        promises: &["BRG-TOL-11", "BRG-AUD-01"],
        title: "A lost socket fails calls with session_not_active",
        bend: |rules| rules.tools.calls.loss_type = "session_not_active",
    },
    Fault {
        id: "tol-revoke-leaves-calls",
        promises: &["BRG-TOL-11"],
        title: "Calls wait for their deadline after the session is revoked",
        bend: |rules| rules.tools.calls.end_at_once = false,
    },
    Fault {
        id: "tol-revoke-wrong-type",
        promises: &["BRG-TOL-11"],
        title: "Revoking fails calls with session_suspended",
        bend: |rules| rules.tools.calls.end_type = "session_suspended",
    },
    Fault {
        id: "tol-suspended-call-waits",
        promises: &["BRG-TOL-11", "BRG-MCP-23", "BRG-SES-07", "BRG-SES-16", "BRG-AUD-01", "BRG-RPC-01"],
        title: "A call to a suspended session waits for the resume",
        bend: |rules| rules.tools.calls.refuse_suspended = false,
    },
    Fault {
        id: "tol-suspended-wrong-type",
        promises: &["BRG-TOL-11", "BRG-MCP-23", "BRG-AUD-01"],
        title: "A call to a suspended session fails with session_not_active",
        bend: |rules| rules.tools.calls.suspended_type = "session_not_active",
    },
    Fault {
        id: "tol-unknown-tool-sent",
        promises: &["BRG-TOL-12", "BRG-AUD-04"],
        title: "A call of an unknown tool is sent to the app",
        bend: |rules| rules.tools.calls.refuse_unknown = false,
    },
    Fault {
        id: "tol-unknown-tool-wrong-type",
        promises: &["BRG-TOL-12", "BRG-AUD-01"],
        title: "An unknown tool is told as invalid_request",
        bend: |rules| rules.tools.calls.unknown_type = "invalid_request",
    },
    Fault {
        id: "tol-bad-args-sent-empty",
        promises: &["BRG-TOL-12", "BRG-RPC-11"],
        title: "Arguments that are no object are replaced by an empty one",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ParamArgsObject);
        },
    },
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
    Fault {
        id: "tol-missing-result-is-null",
        promises: &["BRG-TOL-15"],
        title: "A result frame without a result is taken for null",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ToolResultPresent);
        },
    },
    Fault {
        id: "tol-error-type-unchecked",
        promises: &["BRG-TOL-15", "BRG-RES-10"],
        title: "Any error type passes",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ErrorTypeKnown);
        },
    },
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
    Fault {
        id: "tol-changes-untold",
        promises: &["BRG-RPC-05", "BRG-RPC-07", "BRG-RPC-06"],
        title: "Changes of the tool registry are no events",
        bend: |rules| rules.tools.registry.tell = Tell::Never,
    },
    Fault {
        id: "tol-list-sorted",
        promises: &["BRG-RPC-13"],
        title: "Tools are listed by name",
        bend: |rules| rules.tools.registry.registry_order = false,
    },
];

//! Faults of the control RPC and its events.

use super::fault::{EVERYTHING, Fault, waives};
use crate::rules::{AnswerId, CheckOrder, Several, Tell};
use iolite_protocol::event::EventKind;

/// A fault that never tells one kind of event: `id; kind; promises; title`.
macro_rules! untold {
    ($id:literal, $kind:ident, $promises:expr, $title:literal) => {
        Fault {
            id: $id,
            promises: $promises,
            title: $title,
            bend: |rules| rules.rpc.untold_kind = Some(EventKind::$kind),
        }
    };
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "rpc-ambiguous-takes-first",
        promises: &["BRG-RPC-01"],
        title: "Without a selector, several sessions mean the one claimed first",
        bend: |rules| rules.rpc.several = Several::First,
    },
    Fault {
        id: "rpc-ambiguous-takes-last",
        promises: &["BRG-RPC-01"],
        title: "Without a selector, several sessions mean the one claimed last",
        bend: |rules| rules.rpc.several = Several::Last,
    },
    Fault {
        id: "rpc-ambiguous-names-nobody",
        promises: &["BRG-RPC-01"],
        title: "ambiguous_session does not name the aliases",
        bend: |rules| rules.rpc.name_aliases = false,
    },
    Fault {
        id: "rpc-no-session-wrong-type",
        promises: &["BRG-RPC-01"],
        title: "No session at all is told as unknown_session",
        bend: |rules| rules.rpc.no_session_type = "unknown_session",
    },
    Fault {
        id: "rpc-unknown-selector-wrong-type",
        promises: &["BRG-RPC-01"],
        title: "A selector that fits nothing is told as no_session",
        bend: |rules| rules.rpc.unknown_session_type = "no_session",
    },
    Fault {
        id: "rpc-selector-by-prefix",
        promises: &["BRG-RPC-01"],
        title: "The beginning of an alias selects",
        bend: |rules| rules.rpc.exact_selector = false,
    },
    Fault {
        id: "rpc-selector-by-id-only",
        promises: &["BRG-RPC-01", EVERYTHING],
        title: "Aliases do not select",
        bend: |rules| rules.rpc.select_by_alias = false,
    },
    Fault {
        id: "rpc-list-in-mcp-spelling",
        promises: &["BRG-RPC-02"],
        title: "resources.list spells its members as MCP does",
        bend: |rules| rules.rpc.wire_spelling = false,
    },
    Fault {
        id: "rpc-list-without-policy",
        promises: &["BRG-RPC-02"],
        title: "Lists do not show the policy",
        bend: |rules| rules.rpc.list_policy = false,
    },
    Fault {
        id: "rpc-list-invents-mime-type",
        promises: &["BRG-RPC-02", "BRG-RES-01"],
        title: "Resources without a MIME type are listed as text/plain",
        bend: |rules| rules.rpc.list_as_sent = false,
    },
    Fault {
        id: "rpc-read-without-id",
        promises: &["BRG-RPC-03"],
        title: "resources.read answers without a readId",
        bend: |rules| rules.rpc.read_id = false,
    },
    Fault {
        id: "rpc-summary-without-resource-count",
        promises: &["BRG-RPC-05"],
        title: "Summaries lack resourceCount",
        bend: |rules| rules.rpc.resource_count = false,
    },
    Fault {
        id: "rpc-tools-change-tells-resources",
        promises: &["BRG-RPC-05", "BRG-RPC-07", "BRG-RPC-06"],
        title: "A change of the tool registry is told as one of the resources too",
        bend: |rules| rules.tools.registry.tell = Tell::Both,
    },
    Fault {
        id: "rpc-unchanged-told",
        promises: &["BRG-RPC-05"],
        title: "A resource frame that changes nothing is told as a change",
        bend: |rules| rules.resources.registry.tell = Tell::Always,
    },
    Fault {
        id: "rpc-unchanged-tools-told",
        promises: &["BRG-RPC-05"],
        title: "A tool frame that changes nothing is told as a change",
        bend: |rules| rules.tools.registry.tell = Tell::Always,
    },
    Fault {
        id: "rpc-removal-untold",
        promises: &["BRG-RPC-05"],
        title: "A removed tool or resource is not told",
        bend: |rules| {
            rules.tools.registry.removal_is_change = false;
            rules.resources.registry.removal_is_change = false;
        },
    },
    Fault {
        id: "rpc-emptied-registry-untold",
        promises: &["BRG-RPC-05"],
        title: "A registry that a snapshot empties is not told",
        bend: |rules| {
            rules.tools.registry.emptying_is_change = false;
            rules.resources.registry.emptying_is_change = false;
        },
    },
    Fault {
        id: "rpc-session-filter-ignored",
        promises: &["BRG-RPC-06"],
        title: "A subscription to one session gets the events of all",
        bend: |rules| rules.rpc.filter_session = false,
    },
    Fault {
        id: "rpc-kind-filter-ignored",
        promises: &["BRG-RPC-06", "BRG-RPC-07"],
        title: "A subscription to some kinds gets all",
        bend: |rules| rules.rpc.filter_kinds = false,
    },
    waives!("rpc-unknown-kind-accepted", ["BRG-RPC-06"], "Unknown kinds of event are accepted", [ParamKindKnown]),
    Fault {
        id: "rpc-seq-shared",
        promises: &["BRG-RPC-06", "BRG-RPC-07"],
        title: "All sessions share one count of events",
        bend: |rules| rules.rpc.seq_per_session = false,
    },
    Fault {
        id: "rpc-seq-by-two",
        promises: &["BRG-RPC-06"],
        title: "seq grows by two",
        bend: |rules| rules.rpc.seq_step = 2,
    },
    Fault {
        id: "rpc-seq-of-filter",
        promises: &["BRG-RPC-06"],
        title: "Who asked for some kinds gets events numbered by those kinds",
        bend: |rules| rules.rpc.seq_for_all = false,
    },
    untold!("rpc-link-created-untold", LinkCreated, &["BRG-RPC-06"], "link_created is never told"),
    untold!("rpc-link-expired-untold", LinkExpired, &["BRG-RPC-06"], "link_expired is never told"),
    untold!("rpc-session-claimed-untold", SessionClaimed, &["BRG-RPC-06"], "session_claimed is never told"),
    untold!("rpc-session-suspended-untold", SessionSuspended, &["BRG-RPC-06"], "session_suspended is never told"),
    untold!("rpc-session-resumed-untold", SessionResumed, &["BRG-RPC-06"], "session_resumed is never told"),
    untold!("rpc-session-revoked-untold", SessionRevoked, &["BRG-RPC-06"], "session_revoked is never told"),
    untold!("rpc-session-expired-untold", SessionExpired, &["BRG-RPC-06"], "session_expired is never told"),
    untold!("rpc-tools-changed-untold", ToolsChanged, &["BRG-RPC-06"], "tools_changed is never told"),
    untold!("rpc-resources-changed-untold", ResourcesChanged, &["BRG-RPC-06"], "resources_changed is never told"),
    untold!("rpc-app-event-untold", AppEvent, &["BRG-RPC-06"], "app_event is never told"),
    untold!("rpc-call-started-untold", ToolCallStarted, &["BRG-RPC-06"], "tool_call_started is never told"),
    untold!("rpc-call-progress-untold", ToolCallProgress, &["BRG-RPC-06"], "tool_call_progress is never told"),
    untold!("rpc-call-finished-untold", ToolCallFinished, &["BRG-RPC-06"], "tool_call_finished is never told"),
    Fault {
        id: "rpc-session-expired-twice",
        promises: &["BRG-RPC-06"],
        title: "session_expired is told twice",
        bend: |rules| rules.rpc.repeated_kind = Some(EventKind::SessionExpired),
    },
    Fault {
        id: "rpc-events-to-everybody",
        promises: &["BRG-RPC-06"],
        title: "Connections that never subscribed get events",
        bend: |rules| rules.rpc.subscribers_only = false,
    },
    Fault {
        id: "rpc-since-newest-first",
        promises: &["BRG-RPC-07"],
        title: "events.since returns the newest first",
        bend: |rules| rules.rpc.oldest_first = false,
    },
    Fault {
        id: "rpc-since-repeats",
        promises: &["BRG-RPC-07"],
        title: "events.since returns the event of the cursor again",
        bend: |rules| rules.rpc.after_since = false,
    },
    Fault {
        id: "rpc-limit-leaves-gap",
        promises: &["BRG-RPC-07"],
        title: "With a limit, events.since skips the older events",
        bend: |rules| rules.rpc.limit_keeps_oldest = false,
    },
    Fault {
        id: "rpc-page-given-once",
        promises: &["BRG-RPC-07"],
        title: "A page with a limit can be had only once",
        bend: |rules| rules.rpc.pages_stay = false,
    },
    Fault {
        id: "rpc-old-cursor-finds-nothing",
        promises: &["BRG-RPC-07"],
        title: "A cursor older than what is left gets nothing",
        bend: |rules| rules.rpc.old_cursor_begins = false,
    },
    Fault {
        id: "rpc-retention-short",
        promises: &["BRG-RPC-07"],
        title: "One event less than configured is retained",
        bend: |rules| rules.rpc.retention_shift = -1,
    },
    Fault {
        id: "rpc-retention-long",
        promises: &["BRG-RPC-07"],
        title: "One event more than configured is retained",
        bend: |rules| rules.rpc.retention_shift = 1,
    },
    Fault {
        id: "rpc-progress-retained",
        promises: &["BRG-RPC-07"],
        title: "Progress is retained",
        bend: |rules| rules.rpc.forget_progress = false,
    },
    Fault {
        id: "rpc-events-outlive-session",
        promises: &["BRG-RPC-07"],
        title: "Events of an ended session can still be asked for",
        bend: |rules| rules.rpc.events_end_with_session = false,
    },
    Fault {
        id: "rpc-garbage-ends-connection",
        promises: &["BRG-RPC-08"],
        title: "A garbage line ends the connection",
        bend: |rules| rules.rpc.survive_garbage = false,
    },
    Fault {
        id: "rpc-parse-error-wrong-code",
        promises: &["BRG-RPC-08"],
        title: "A line that is no JSON gets -32600",
        bend: |rules| rules.rpc.parse_code = -32600,
    },
    Fault {
        id: "rpc-shape-error-wrong-code",
        promises: &["BRG-RPC-08"],
        title: "JSON that is no request gets -32700",
        bend: |rules| rules.rpc.shape_code = -32700,
    },
    Fault {
        id: "rpc-line-limit-short",
        promises: &["BRG-RPC-08"],
        title: "A line of exactly 1 MiB ends the connection",
        bend: |rules| rules.contract.limits.rpc_line_bytes = (1 << 20) - 1,
    },
    Fault {
        id: "rpc-number-id-as-text",
        promises: &["BRG-RPC-09"],
        title: "Number ids come back as text",
        bend: |rules| rules.rpc.id = AnswerId::AsText,
    },
    Fault {
        id: "rpc-text-id-as-number",
        promises: &["BRG-RPC-09"],
        title: "Text ids of digits come back as numbers",
        bend: |rules| rules.rpc.id = AnswerId::AsNumber,
    },
    Fault {
        id: "rpc-text-id-of-first-request",
        promises: &["BRG-RPC-09", "BRG-RPC-08", "BRG-RPC-12"],
        title: "Text ids come back as the first text id of the connection",
        bend: |rules| rules.rpc.id = AnswerId::FirstText,
    },
    Fault {
        id: "rpc-answers-in-order",
        promises: &["BRG-RPC-09"],
        title: "A slow request holds up the answers to later ones",
        bend: |rules| rules.rpc.out_of_order = false,
    },
    Fault {
        id: "rpc-busy-connection-refused",
        promises: &["BRG-RPC-09"],
        title: "A connection with 32 calls in flight is served nothing more",
        bend: |rules| rules.rpc.open_at_once = Some(32),
    },
    Fault {
        id: "rpc-unknown-method-wrong-code",
        promises: &["BRG-RPC-11"],
        title: "An unknown method gets -32600",
        bend: |rules| rules.rpc.method_code = -32600,
    },
    Fault {
        id: "rpc-parameter-unnamed",
        promises: &["BRG-RPC-11"],
        title: "invalid_request does not name the parameter",
        bend: |rules| rules.rpc.name_parameter = false,
    },
    waives!(
        "rpc-null-selector-accepted",
        ["BRG-RPC-11", "BRG-RPC-01", "BRG-TOL-19", "BRG-LNK-03", "BRG-LNK-06"],
        "A null selector counts as omitted",
        [ParamNull]
    ),
    Fault {
        id: "rpc-failure-wrong-code",
        promises: &["BRG-RPC-11", "BRG-RPC-01"],
        title: "Failures get -32603",
        bend: |rules| rules.rpc.failure_code = -32603,
    },
    Fault {
        id: "rpc-failure-untyped",
        promises: &["BRG-RPC-01", EVERYTHING],
        title: "Failures lack data.type",
        bend: |rules| rules.rpc.failure_type = false,
    },
    Fault {
        id: "rpc-notification-answered",
        promises: &["BRG-RPC-12", "BRG-RPC-09"],
        title: "A notification is answered",
        bend: |rules| rules.rpc.silent_notifications = false,
    },
    Fault {
        id: "tol-cancel-known-false",
        promises: &["BRG-TOL-13", "BRG-TOL-16"],
        title: "Cancelling a call answers false although it is cancelled",
        bend: |rules| rules.rpc.tell_cancelled = false,
    },
    Fault {
        id: "rpc-suspended-lists-refused",
        promises: &["BRG-RPC-13", "BRG-SES-07", "BRG-CON-01", "BRG-RPC-01", "BRG-CON-15"],
        title: "The lists of a suspended session are refused",
        bend: |rules| rules.rpc.list_suspended = false,
    },
    Fault {
        id: "rpc-sessions-newest-first",
        promises: &["BRG-RPC-13"],
        title: "sessions.list is newest first",
        bend: |rules| rules.rpc.claim_order = false,
    },
    Fault {
        id: "rpc-sessions-show-pending",
        promises: &["BRG-RPC-13"],
        title: "sessions.list shows pending links",
        bend: |rules| rules.rpc.hide_pending = false,
    },
    Fault {
        id: "rpc-registry-judged-before-state",
        promises: &["BRG-TOL-11", "BRG-RPC-03"],
        title: "An unknown name of a suspended session is told as unknown",
        bend: |rules| rules.rpc.order = CheckOrder::RegistryStatePolicy,
    },
    Fault {
        id: "rpc-policy-judged-before-registry",
        promises: &["BRG-TOL-12", "BRG-RPC-04"],
        title: "An unknown name is told as denied where the policy denies",
        bend: |rules| rules.rpc.order = CheckOrder::StatePolicyRegistry,
    },
    Fault {
        id: "rpc-policy-judged-before-state",
        promises: &["BRG-TOL-11", "BRG-RPC-03", "BRG-RPC-04", "BRG-TOL-12"],
        title: "A suspended session's tool is told as denied where the policy denies",
        bend: |rules| rules.rpc.order = CheckOrder::PolicyStateRegistry,
    },
    Fault {
        id: "rpc-times-as-numbers",
        promises: &["BRG-SES-01", "BRG-RPC-06", "BRG-MCP-25", "BRG-SES-07"],
        title: "Times are milliseconds instead of ISO 8601",
        bend: |rules| rules.rpc.iso_times = false,
    },
];

//! Faults of the MCP server's connection and the messages on it.

use super::fault::{Fault, beneath};
use crate::rules::RevisionAnswer;

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "mcp-tools-list-changed-unpromised",
        promises: &["BRG-MCP-01"],
        title: "The tools capability does not promise list changes",
        bend: |rules| rules.mcp.promise_tools_list_changed = false,
    },
    Fault {
        id: "mcp-resources-list-changed-unpromised",
        promises: &["BRG-MCP-01"],
        title: "The resources capability does not promise list changes",
        bend: |rules| rules.mcp.promise_resources_list_changed = false,
    },
    Fault {
        id: "mcp-subscribe-unpromised",
        promises: &["BRG-MCP-01", "BRG-MCP-15"],
        title: "The resources capability does not promise subscriptions",
        bend: |rules| rules.mcp.promise_subscribe = false,
    },
    Fault {
        id: "mcp-prompts-promised-not-served",
        promises: &["BRG-MCP-01"],
        title: "A prompts capability is promised and nothing serves it",
        bend: |rules| rules.mcp.promise_prompts = true,
    },
    Fault {
        id: "mcp-subscribe-promised-not-served",
        promises: &["BRG-MCP-01", "BRG-MCP-15", "BRG-MCP-16", "BRG-MCP-18", "BRG-MCP-20", "BRG-MCP-27", "BRG-MCP-17"],
        title: "Subscriptions are promised, asking for one is an unknown method",
        bend: |rules| rules.mcp.serve_subscribe = false,
    },
    Fault {
        id: "mcp-second-client-shut-out",
        promises: &["BRG-MCP-22"],
        title: "While one client is connected, no other is served",
        bend: |rules| rules.mcp.serves_several = false,
    },
    Fault {
        id: "mcp-progress-token-swapped",
        promises: &["BRG-TOL-16", "BRG-TOL-14"],
        title: "Progress carries the token of the latest call",
        bend: |rules| rules.mcp.progress_own_token = false,
    },
    Fault {
        id: "mcp-cancel-kept",
        promises: &["BRG-TOL-16", "BRG-TOL-13"],
        title: "An agent's cancellation never reaches the app",
        bend: |rules| rules.mcp.forward_cancel = false,
    },
    Fault {
        id: "mcp-log-on-stdout",
        promises: &["BRG-MCP-24", "BRG-CLI-04"],
        title: "A greeting is printed on standard output",
        bend: |rules| rules.mcp.quiet_stdout = false,
    },
    Fault {
        id: "mcp-outlives-stdin",
        promises: &["BRG-MCP-24", "BRG-CLI-04", "BRG-TOL-17"],
        title: "The server stays when its input ends",
        bend: |rules| rules.mcp.end_with_stdin = false,
    },
    Fault {
        id: "mcp-never-reconnects",
        promises: &["BRG-MCP-26"],
        title: "Once the daemon went away, the server never serves again",
        bend: |rules| rules.mcp.reconnect = false,
    },
    Fault {
        id: "mcp-ids-as-strings",
        promises: &["BRG-MCP-24", "BRG-MCP-27", "BRG-CLI-04", "BRG-MCP-01"],
        title: "Request ids that are numbers come back as strings",
        bend: |rules| rules.mcp.ids_verbatim = false,
    },
    Fault {
        id: "mcp-announces-before-initialized",
        promises: &["BRG-MCP-24", "BRG-MCP-13", "BRG-MCP-01"],
        title: "List changes are announced before the client is initialized",
        bend: |rules| rules.mcp.await_initialized = false,
    },
    Fault {
        id: "mcp-cancelled-answered",
        promises: &["BRG-TOL-13"],
        title: "A cancelled request is answered all the same",
        bend: |rules| rules.mcp.silent_after_cancel = false,
    },
    Fault {
        id: "mcp-progress-decreases",
        promises: &["BRG-TOL-14"],
        title: "Progress is passed on even where it does not increase",
        bend: |rules| rules.mcp.progress_increases = false,
    },
    Fault {
        id: "mcp-progress-token-as-string",
        promises: &["BRG-TOL-14", "BRG-TOL-16"],
        title: "A progress token that is a number comes back as a string",
        bend: |rules| rules.mcp.progress_token_verbatim = false,
    },
    Fault {
        id: "mcp-modern-envelope",
        promises: &["BRG-MCP-21"],
        title: "Results carry members of a later revision's envelope",
        bend: |rules| rules.mcp.plain_envelope = false,
    },
    Fault {
        id: "mcp-garbage-ends-server",
        promises: &["BRG-MCP-27"],
        title: "A line that is no JSON ends the server",
        bend: |rules| rules.mcp.survive_garbage = false,
    },
    Fault {
        id: "mcp-invented-cursor-accepted",
        promises: &["BRG-MCP-27"],
        title: "A cursor that nobody handed out is taken for the first page",
        bend: |rules| rules.mcp.refuse_cursors = false,
    },
    Fault {
        id: "mcp-bad-params-internal",
        promises: &["BRG-MCP-27"],
        title: "Malformed params are told as an internal error",
        bend: |rules| rules.mcp.invalid_params_code = -32603,
    },
    Fault {
        id: "mcp-unknown-method-invalid",
        promises: &["BRG-MCP-27"],
        title: "An unknown method is told as an invalid request",
        bend: |rules| rules.mcp.unknown_method_code = -32600,
    },
    Fault {
        id: "mcp-any-revision-agreed",
        promises: &["BRG-MCP-21"],
        title: "Whatever revision is asked for is agreed on",
        bend: |rules| rules.mcp.revision_answer = RevisionAnswer::Asked,
    },
    Fault {
        id: "mcp-latest-revision-only",
        promises: &["BRG-MCP-21", "BRG-MCP-03", "BRG-MCP-24", "BRG-MCP-27", "BRG-CLI-04"],
        title: "The latest revision is the answer, whatever was asked for",
        bend: |rules| rules.mcp.revision_answer = RevisionAnswer::Latest,
    },
    Fault {
        id: "mcp-unspoken-revision-agreed",
        promises: &["BRG-MCP-21"],
        title: "A revision that is not spoken is answered with another one that is not",
        bend: |rules| rules.mcp.revision_answer = RevisionAnswer::Unspoken,
    },
    Fault {
        id: "mcp-server-unnamed",
        promises: &["BRG-MCP-21"],
        title: "The answer to initialize does not name the server",
        bend: |rules| rules.mcp.name_in_handshake = false,
    },
    Fault {
        id: "mcp-completions-promised-not-served",
        promises: &["BRG-MCP-01"],
        title: "A completions capability is promised and nothing serves it",
        bend: |rules| rules.mcp.promise_completions = true,
    },
    Fault {
        id: "mcp-subscribe-promised-with-app-only",
        promises: &["BRG-MCP-01", "BRG-MCP-26"],
        title: "Subscriptions are promised to clients that come after an app",
        bend: |rules| rules.mcp.promises_without_apps = false,
    },
    Fault {
        id: "mcp-garbage-passed-over",
        promises: &["BRG-MCP-27"],
        title: "Nobody is told of a line that is no message",
        bend: |rules| rules.mcp.answer_garbage = false,
    },
    Fault {
        id: "mcp-second-handshake-accepted",
        promises: &["BRG-MCP-27", "BRG-MCP-24"],
        title: "A second initialize begins the connection anew",
        bend: |rules| rules.mcp.one_handshake = false,
    },
    Fault {
        id: "mcp-early-request-spoils-handshake",
        promises: &["BRG-MCP-27"],
        title: "After a request out of turn the handshake is refused",
        bend: |rules| rules.mcp.forgive_early_requests = false,
    },
    Fault {
        id: "mcp-unknown-method-unanswered",
        promises: &["BRG-MCP-27", "BRG-MCP-01", "BRG-MCP-24", "BRG-FBK-07"],
        title: "A request of an unknown method is never answered",
        bend: |rules| rules.mcp.answer_unknown_methods = false,
    },
    Fault {
        id: "mcp-notifications-answered",
        promises: &["BRG-MCP-27"],
        title: "A notification that nobody knows is answered with an error",
        bend: |rules| rules.mcp.silent_to_notifications = false,
    },
    Fault {
        id: "mcp-empty-id-lost",
        promises: &["BRG-MCP-24"],
        title: "An id that is an empty text comes back as null",
        bend: |rules| rules.mcp.empty_ids_kept = false,
    },
    Fault {
        id: "mcp-ids-compared-as-text",
        promises: &["BRG-MCP-24"],
        title: "A request takes the place of an open one whose id reads alike",
        bend: |rules| rules.mcp.ids_told_apart = false,
    },
    Fault {
        id: "mcp-pieces-taken-for-lines",
        promises: &["BRG-MCP-24", "BRG-MCP-10"],
        title: "A line that comes in pieces is taken for several",
        bend: |rules| rules.mcp.lines_in_pieces = false,
    },
    Fault {
        id: "mcp-lines-of-64-kib",
        promises: &["BRG-MCP-24", "BRG-MCP-10"],
        title: "A line of more than 64 KiB is not read",
        bend: |rules| rules.mcp.line_max = 64 * 1024,
    },
    Fault {
        id: "mcp-stray-cancel-hits-next",
        promises: &["BRG-MCP-27", "BRG-MCP-22", "BRG-TOL-13"],
        title: "A cancel of what is not open cancels a request to come",
        bend: |rules| rules.mcp.forget_stray_cancels = false,
    },
    Fault {
        id: "mcp-progress-after-cancel",
        promises: &["BRG-TOL-14", "BRG-TOL-13"],
        title: "A cancelled request goes on making progress",
        bend: |rules| rules.mcp.no_progress_after_cancel = false,
    },
    Fault {
        id: "mcp-progress-after-answer",
        promises: &["BRG-TOL-14"],
        title: "A call that has ended goes on making progress, for its agent too",
        bend: |rules| {
            rules.tools.drop_late_progress = false;
            rules.mcp.no_progress_after_answer = false;
        },
    },
    Fault {
        id: "mcp-progress-unasked",
        promises: &["BRG-TOL-14", "BRG-TOL-16"],
        title: "Agents that asked for no progress are told of it, under the id of their request",
        bend: |rules| rules.mcp.progress_when_asked = false,
    },
    Fault {
        id: "mcp-waits-for-daemon",
        promises: &["BRG-MCP-26"],
        title: "While the daemon is away, requests wait for it",
        bend: |rules| rules.mcp.fail_without_daemon = false,
    },
    beneath!("mcp-requests-fail", "BRG-MCP-01", "Every MCP request fails", mcp.failing_requests = Some(1)),
    beneath!(
        "mcp-second-request-fails",
        "BRG-MCP-01",
        "Every second MCP request fails",
        mcp.failing_requests = Some(2)
    ),
    beneath!("mcp-third-request-fails", "BRG-MCP-01", "Every third MCP request fails", mcp.failing_requests = Some(3)),
    beneath!("mcp-fifth-request-fails", "BRG-MCP-01", "Every fifth MCP request fails", mcp.failing_requests = Some(5)),
    beneath!(
        "mcp-fifth-request-unanswered",
        "BRG-MCP-27",
        "Every fifth MCP request is never answered",
        mcp.unanswered_requests = Some(5)
    ),
];

//! What the MCP server decides about its connection and the messages on it (`MCP`).

use super::Fault;
use super::fault::beneath;

/// Decisions of the MCP server about its connection: handshake, ids, cancels, progress, faulty messages.
#[derive(Clone, Debug, PartialEq)]
pub struct McpRules {
    /// `tools.listChanged` is promised (`MCP-01`).
    pub promise_tools_list_changed: bool,
    /// `resources.listChanged` is promised (`MCP-01`).
    pub promise_resources_list_changed: bool,
    /// `resources.subscribe` is promised (`MCP-01`).
    pub promise_subscribe: bool,
    /// A `prompts` capability is promised, and nothing serves it (`MCP-01`: no).
    pub promise_prompts: bool,
    /// Subscribing works (`MCP-15`); a server that does not serve it answers -32601.
    pub serve_subscribe: bool,
    /// Several clients are served at once (`MCP-22`); otherwise the first one only.
    pub serves_several: bool,
    /// Progress carries the token of its own call (`TOL-16`); otherwise of the latest call.
    pub progress_own_token: bool,
    /// Cancelling a request cancels the call at the app (`TOL-13`).
    pub forward_cancel: bool,
    /// Nothing but protocol on standard output (`MCP-24`).
    pub quiet_stdout: bool,
    /// The server ends when its input ends (`MCP-24`).
    pub end_with_stdin: bool,
    /// Serves again when the daemon is back (`MCP-26`).
    pub reconnect: bool,
    /// Ids come back as they went (`MCP-24`); otherwise numbers become strings.
    pub ids_verbatim: bool,
    /// Nothing is announced before the client said `initialized` (`MCP-24`).
    pub await_initialized: bool,
    /// A cancelled request gets no answer (`TOL-13`).
    pub silent_after_cancel: bool,
    /// Progress values strictly increase (`TOL-14`).
    pub progress_increases: bool,
    /// Progress tokens keep their JSON type (`TOL-14`); otherwise numbers become strings.
    pub progress_token_verbatim: bool,
    /// Results carry no members of a later revision's envelope (`MCP-21`).
    pub plain_envelope: bool,
    /// A line that is no JSON does not end the connection (`MCP-27`).
    pub survive_garbage: bool,
    /// A cursor that nobody handed out is malformed (`MCP-27`); otherwise it means the first page.
    pub refuse_cursors: bool,
    /// Malformed params give -32602 (`MCP-27`).
    pub invalid_params_code: i32,
    /// An unknown method gives -32601 (`MCP-27`).
    pub unknown_method_code: i32,
    /// Every so manieth request fails for no reason (`MCP-01`: none).
    pub failing_requests: Option<u64>,
    /// Which revision `initialize` is answered with (`MCP-21`).
    pub revision_answer: RevisionAnswer,
    /// The answer to `initialize` names the server (`MCP-21`).
    pub name_in_handshake: bool,
    /// A `completions` capability is promised, and nothing serves it (`MCP-01`: no).
    pub promise_completions: bool,
    /// The same is promised with an app and without one (`MCP-01`); otherwise subscriptions only with one.
    pub promises_without_apps: bool,
    /// The client is told of lines that are no messages (`MCP-27`).
    pub answer_garbage: bool,
    /// A second `initialize` is refused (`MCP-27`); otherwise the connection begins anew.
    pub one_handshake: bool,
    /// A request before `initialize` leaves no trace (`MCP-27`); otherwise the handshake is refused after it.
    pub forgive_early_requests: bool,
    /// Unknown methods are answered (`MCP-27`).
    pub answer_unknown_methods: bool,
    /// Notifications that nobody knows are not answered (`MCP-27`).
    pub silent_to_notifications: bool,
    /// Every so manieth request gets no answer (`MCP-27`: none).
    pub unanswered_requests: Option<u64>,
    /// An id that is an empty text comes back (`MCP-24`); otherwise it becomes `null`.
    pub empty_ids_kept: bool,
    /// Open requests whose ids are a number and the same digits as a text are told apart (`MCP-24`); otherwise the later
    /// one takes the place of the earlier.
    pub ids_told_apart: bool,
    /// A line may come in several pieces (`MCP-24`); otherwise each piece is taken for a line.
    pub lines_in_pieces: bool,
    /// Longest line taken from a client, in bytes, without its newline (`MCP-24`). A request that fills it is too long
    /// for the control RPC, so it is answered with an error, and nothing is gained by a higher limit.
    pub line_max: usize,
    /// A cancel of what is not open means nothing (`TOL-13`); otherwise it cancels a request to come.
    pub forget_stray_cancels: bool,
    /// A cancelled request makes no more progress (`TOL-14`).
    pub no_progress_after_cancel: bool,
    /// An answered request makes no more progress (`TOL-14`).
    pub no_progress_after_answer: bool,
    /// Progress is told to those who asked for it (`TOL-14`); otherwise to all, under the id of their request.
    pub progress_when_asked: bool,
    /// Requests fail at once while the daemon is away (`MCP-26`); otherwise they wait for it.
    pub fail_without_daemon: bool,
}

/// Which revision `initialize` is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisionAnswer {
    /// The one asked for where it is spoken, else the latest.
    Spoken,
    /// Whatever was asked for.
    Asked,
    /// The latest, whatever was asked for.
    Latest,
    /// The one asked for where it is spoken, else one that is not spoken either.
    Unspoken,
}

impl Default for McpRules {
    fn default() -> Self {
        Self {
            promise_tools_list_changed: true,
            promise_resources_list_changed: true,
            promise_subscribe: true,
            promise_prompts: false,
            serve_subscribe: true,
            serves_several: true,
            progress_own_token: true,
            forward_cancel: true,
            quiet_stdout: true,
            end_with_stdin: true,
            reconnect: true,
            ids_verbatim: true,
            await_initialized: true,
            silent_after_cancel: true,
            progress_increases: true,
            progress_token_verbatim: true,
            plain_envelope: true,
            survive_garbage: true,
            refuse_cursors: true,
            invalid_params_code: -32602,
            unknown_method_code: -32601,
            failing_requests: None,
            revision_answer: RevisionAnswer::Spoken,
            name_in_handshake: true,
            promise_completions: false,
            promises_without_apps: true,
            answer_garbage: true,
            one_handshake: true,
            forgive_early_requests: true,
            answer_unknown_methods: true,
            silent_to_notifications: true,
            unanswered_requests: None,
            empty_ids_kept: true,
            ids_told_apart: true,
            lines_in_pieces: true,
            line_max: 4 * 1024 * 1024,
            forget_stray_cancels: true,
            no_progress_after_cancel: true,
            no_progress_after_answer: true,
            progress_when_asked: true,
            fail_without_daemon: true,
        }
    }
}

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

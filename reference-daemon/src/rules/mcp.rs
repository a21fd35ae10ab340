//! What the MCP server decides about its connection and the messages on it (`MCP`).

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
    /// A cancel waits until the daemon has named the call (`TOL-18`); otherwise it is lost before that.
    pub early_cancel_waits: bool,
    /// A reason of the server's own that goes with a cancel (`TOL-19`: none).
    pub cancel_reason: Option<&'static str>,
    /// A cancel for an agent names the session of its call (left open).
    pub cancel_names_session: bool,
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
    /// Every n-th request fails for no reason (`MCP-01`: none).
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
    /// Every n-th request gets no answer (`MCP-27`: none).
    pub unanswered_requests: Option<u64>,
    /// An id that is an empty text comes back (`MCP-24`); otherwise it becomes `null`.
    pub empty_ids_kept: bool,
    /// Open requests whose ids are a number and the same digits as a text are told apart (`MCP-24`); otherwise the
    /// later one takes the place of the earlier.
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
            early_cancel_waits: true,
            cancel_reason: None,
            cancel_names_session: false,
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

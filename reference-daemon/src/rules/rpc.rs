//! What the control RPC and its events decide (`RPC`).

use iolite_protocol::event::EventKind;

/// Decisions of the control RPC.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcRules {
    /// What an omitted selector gets with several live sessions (`RPC-01`).
    pub several: Several,
    /// `ambiguous_session` names the aliases (`RPC-01`).
    pub name_aliases: bool,
    /// The type with no live session (`RPC-01`).
    pub no_session_type: &'static str,
    /// The type of a selector that fits nothing (`RPC-01`).
    pub unknown_session_type: &'static str,
    /// Selectors are compared whole (`RPC-01`); otherwise a prefix does.
    pub exact_selector: bool,
    /// Aliases select (`RPC-01`).
    pub select_by_alias: bool,
    /// Lists use wire spelling (`RPC-02`); otherwise that of MCP.
    pub wire_spelling: bool,
    /// Lists show the policy (`RPC-02`).
    pub list_policy: bool,
    /// Lists show nothing that was not sent (`RPC-02`); otherwise resources without a MIME type have `text/plain`.
    pub list_as_sent: bool,
    /// Reads answer with a `readId` (`RPC-03`).
    pub read_id: bool,
    /// Summaries carry `resourceCount` (`RPC-05`).
    pub resource_count: bool,
    /// Events are filtered by session (`RPC-06`).
    pub filter_session: bool,
    /// Events are filtered by kind (`RPC-06`).
    pub filter_kinds: bool,
    /// Each session counts its own events (`RPC-06`); otherwise all share one count.
    pub seq_per_session: bool,
    /// By how much `seq` grows (`RPC-06`: 1).
    pub seq_step: u64,
    /// This kind of event is not told on connections other than the daemon's first (`RPC-06`: none).
    pub untold_kind: Option<EventKind>,
    /// This kind of event is told twice (`RPC-06`: none).
    pub repeated_kind: Option<EventKind>,
    /// All listeners get the same number of an event (`RPC-06`); otherwise one that asked for some kinds gets how many
    /// of them there were.
    pub seq_for_all: bool,
    /// Connections that did not subscribe get no events (`RPC-06`).
    pub subscribers_only: bool,
    /// `events.since` is oldest first (`RPC-07`).
    pub oldest_first: bool,
    /// `since` itself is not returned again (`RPC-07`).
    pub after_since: bool,
    /// `limit` keeps the oldest (`RPC-07`); otherwise the newest.
    pub limit_keeps_oldest: bool,
    /// A page can be had again (`RPC-07`); otherwise one with a limit is forgotten once it was given.
    pub pages_stay: bool,
    /// A cursor older than what is left begins with the oldest (`RPC-07`); otherwise it gets nothing.
    pub old_cursor_begins: bool,
    /// Added to the number of retained events (`RPC-07`: 0).
    pub retention_shift: i64,
    /// Progress is not retained (`RPC-07`).
    pub forget_progress: bool,
    /// Events go with the session (`RPC-07`); otherwise they can still be asked for by its id.
    pub events_end_with_session: bool,
    /// A garbage line leaves the connection (`RPC-08`).
    pub survive_garbage: bool,
    /// Code of a line that is no JSON (`RPC-08`).
    pub parse_code: i64,
    /// Code of JSON that is no request (`RPC-08`).
    pub shape_code: i64,
    /// What happens to a request's id in the answer (`RPC-09`).
    pub id: AnswerId,
    /// Answers come as they are ready (`RPC-09`); otherwise in the order of the requests.
    pub out_of_order: bool,
    /// A connection with so many calls and reads in flight is served nothing more (`RPC-09`: no limit).
    pub open_at_once: Option<usize>,
    /// `tools.cancel` says that it cancels (`TOL-13`).
    pub tell_cancelled: bool,
    /// Code of an unknown method (`RPC-11`).
    pub method_code: i64,
    /// Code of failures (`RPC`: -32000).
    pub failure_code: i64,
    /// Failures carry `data.type` (`RPC`).
    pub failure_type: bool,
    /// `invalid_request` names the parameter (`RPC-11`).
    pub name_parameter: bool,
    /// A notification gets no answer (`RPC-12`).
    pub silent_notifications: bool,
    /// Lists work for suspended sessions (`RPC-13`).
    pub list_suspended: bool,
    /// `sessions.list` is in claim order (`RPC-13`); otherwise newest first.
    pub claim_order: bool,
    /// `sessions.list` leaves pending links out (`RPC-13`).
    pub hide_pending: bool,
    /// Any text may be a `caller` (left open); otherwise only `cli`, `mcp` and `client`.
    pub any_caller: bool,
    /// Order of checks in `tools.call` and `resources.read`.
    pub order: CheckOrder,
    /// Times are ISO 8601 (`SES-01`); otherwise milliseconds since the epoch, as text.
    pub iso_times: bool,
}

/// What an omitted selector gets with several live sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Several {
    /// `ambiguous_session`.
    Ambiguous,
    /// The one claimed first.
    First,
    /// The one claimed last.
    Last,
}

/// What happens to a request's id in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerId {
    /// Nothing.
    Same,
    /// Numbers become strings.
    AsText,
    /// Strings of digits become numbers.
    AsNumber,
    /// Strings become the first string that was an id on the connection.
    FirstText,
}

/// Order of the checks between selector and sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckOrder {
    /// State, registry, policy.
    StateRegistryPolicy,
    /// Registry, state, policy.
    RegistryStatePolicy,
    /// State, policy, registry.
    StatePolicyRegistry,
    /// Policy, state, registry.
    PolicyStateRegistry,
}

impl Default for RpcRules {
    fn default() -> Self {
        Self {
            several: Several::Ambiguous,
            name_aliases: true,
            no_session_type: "no_session",
            unknown_session_type: "unknown_session",
            exact_selector: true,
            select_by_alias: true,
            wire_spelling: true,
            list_policy: true,
            list_as_sent: true,
            read_id: true,
            resource_count: true,
            filter_session: true,
            filter_kinds: true,
            seq_per_session: true,
            seq_step: 1,
            untold_kind: None,
            repeated_kind: None,
            seq_for_all: true,
            subscribers_only: true,
            oldest_first: true,
            after_since: true,
            limit_keeps_oldest: true,
            pages_stay: true,
            old_cursor_begins: true,
            retention_shift: 0,
            forget_progress: true,
            events_end_with_session: true,
            survive_garbage: true,
            parse_code: -32700,
            shape_code: -32600,
            id: AnswerId::Same,
            out_of_order: true,
            open_at_once: None,
            tell_cancelled: true,
            method_code: -32601,
            failure_code: -32000,
            failure_type: true,
            name_parameter: true,
            silent_notifications: true,
            list_suspended: true,
            claim_order: true,
            hide_pending: true,
            any_caller: true,
            order: CheckOrder::StateRegistryPolicy,
            iso_times: true,
        }
    }
}

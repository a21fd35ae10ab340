//! What the MCP server decides (`MCP`).

use super::fault::beneath;
use super::{EVERYTHING, Fault};

/// Decisions of the MCP server.
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
    /// When tool names carry the alias (`MCP-02`).
    pub tool_prefix: ToolPrefix,
    /// Every resource URI carries the alias, also with one session (`MCP-03`).
    pub uri_with_alias: bool,
    /// `…://sessions` stands in the resource list (`MCP-03`).
    pub list_sessions_resource: bool,
    /// Suspended sessions' resources stay listed (`MCP-03`).
    pub list_suspended_resources: bool,
    /// Suspended sessions' tools stay listed (`MCP-23`).
    pub list_suspended_tools: bool,
    /// A member of resource entries that goes missing, in MCP spelling (`MCP-03`).
    pub dropped_resource_field: Option<&'static str>,
    /// Absent optional members of resource entries are written as `null` (`MCP-03`: no).
    pub null_for_absent: bool,
    /// Icons are shown only where the revision knows them (`MCP-03`).
    pub icons_by_revision: bool,
    /// Exposed names that would be equal are told apart (`MCP-04`).
    pub disambiguate: bool,
    /// An app's tool named like a built-in one never replaces it (`MCP-05`).
    pub protect_built_ins: bool,
    /// What happens to a tool whose schema MCP cannot take (`MCP-06`).
    pub bad_schema: BadSchema,
    /// Results of tools with an output schema carry `structuredContent` (`MCP-07`).
    pub structured_content: bool,
    /// A result that is no object, of a tool with an output schema, becomes an error result (`MCP-07`).
    pub check_structured: bool,
    /// Error results have `isError: true` (`MCP-08`).
    pub mark_errors: bool,
    /// The wire type stands verbatim in the text of an error result (`MCP-08`).
    pub error_type_in_text: bool,
    /// The `uri` of contents without a URI of their own (`MCP-09`).
    pub content_uri: ContentUri,
    /// An item's own absolute URI passes through (`MCP-09`).
    pub keep_item_uri: bool,
    /// What reading an unknown URI gives (`MCP-10`).
    pub unknown_uri: UnknownUri,
    /// URIs are compared byte for byte (`MCP-10`); otherwise case, a trailing slash and a query do not count.
    pub exact_uris: bool,
    /// Failed reads are JSON-RPC error -32603 (`MCP-11`); otherwise the not-found error.
    pub read_errors_internal: bool,
    /// Failed reads name the wire type in `data.type` (`MCP-11`).
    pub read_error_type: bool,
    /// Which visible changes of the resource list are announced (`MCP-12`).
    pub announce: Announce,
    /// A change that cannot be seen is not announced (`MCP-13`).
    pub announce_only_visible: bool,
    /// Tool changes announce tools only, resource changes resources only (`MCP-13`).
    pub announce_own_list_only: bool,
    /// Changes of the tool list are announced (`MCP-02`).
    pub announce_tools: bool,
    /// A list fetched after its announcement is read anew (`MCP-14`); otherwise the first one fetched is kept.
    pub fresh_lists: bool,
    /// `resources/unsubscribe` ends the updates (`MCP-15`).
    pub unsubscribe_works: bool,
    /// Only those subscribed to the URI get `updated` (`MCP-16`); otherwise every client does.
    pub updates_to_subscribers_only: bool,
    /// A stale mark counts for its own session's resource only (`MCP-16`); otherwise for the name in any session.
    pub updates_by_owner: bool,
    /// Subscribing to an unknown URI is an error (`MCP-17`).
    pub refuse_unknown_subscription: bool,
    /// Subscriptions survive suspension (`MCP-18`).
    pub keep_subscription_on_suspend: bool,
    /// Subscriptions survive removal and re-adding (`MCP-18`).
    pub keep_subscription_on_removal: bool,
    /// A client's subscriptions end with its connection (`MCP-19`); otherwise the next client inherits them.
    pub subscriptions_end_with_connection: bool,
    /// Several clients are served at once (`MCP-22`); otherwise the first one only.
    pub serves_several: bool,
    /// Stale marks become `notifications/resources/updated` (`MCP-20`).
    pub forward_updates: bool,
    /// `updated` names the exposed URI (`MCP-20`); otherwise the app's own.
    pub update_exposed_uri: bool,
    /// Progress carries the token of its own call (`TOL-16`); otherwise of the latest call.
    pub progress_own_token: bool,
    /// Cancelling a request cancels the call at the app (`TOL-13`).
    pub forward_cancel: bool,
    /// Nothing but protocol on standard output (`MCP-24`).
    pub quiet_stdout: bool,
    /// The server ends when its input ends (`MCP-24`).
    pub end_with_stdin: bool,
    /// `…://sessions` is read anew each time (`MCP-25`); otherwise the first answer is kept.
    pub fresh_sessions: bool,
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
    /// The details of an app's error stand in the text of the error result (`TOL-08`).
    pub error_details_in_text: bool,
    /// Results carry no members of a later revision's envelope (`MCP-21`).
    pub plain_envelope: bool,
    /// A line that is no JSON does not end the connection (`MCP-27`).
    pub survive_garbage: bool,
    /// A cursor that nobody handed out is malformed (`MCP-27`); otherwise it means the first page.
    pub refuse_cursors: bool,
    /// Calling an unknown tool is error -32602 (`MCP-27`); otherwise an error result.
    pub unknown_tool_is_protocol_error: bool,
    /// Malformed params give -32602 (`MCP-27`).
    pub invalid_params_code: i32,
    /// An unknown method gives -32601 (`MCP-27`).
    pub unknown_method_code: i32,
    /// Every so manieth request fails for no reason (`MCP-01`: none).
    pub failing_requests: Option<u64>,
    /// Longest exposed tool name, in characters (`MCP-28`).
    pub tool_name_max: usize,
    /// Names that were cut stay distinct (`MCP-28`).
    pub cut_names_distinct: bool,
    /// Tools whose names had to be cut are all listed (`MCP-28`); otherwise the first of those that begin alike.
    pub cut_names_all_listed: bool,
    /// Which revision `initialize` is answered with (`MCP-21`).
    pub revision_answer: RevisionAnswer,
    /// The answer to `initialize` names the server (`MCP-21`).
    pub name_in_handshake: bool,
    /// A `completions` capability is promised, and nothing serves it (`MCP-01`: no).
    pub promise_completions: bool,
    /// The same is promised with an app and without one (`MCP-01`); otherwise subscriptions only with one.
    pub promises_without_apps: bool,
    /// The client is told of lines that are no messages (`MCP-27`).
    pub complain_of_garbage: bool,
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
    /// The lists are the same for every client (`MCP-22`); otherwise their order depends on its name.
    pub same_for_all: bool,
    /// The resource list has the same order in every revision (`MCP-21`); otherwise the older ones get it reversed.
    pub same_order: bool,
    /// There are no resource templates (`MCP-03`); otherwise the shape of every URI is listed as one.
    pub no_templates: bool,
    /// Tool names are compared as a whole (`MCP-04`); otherwise what stands behind the `__` will do.
    pub whole_tool_names: bool,
    /// A read reaches the resource that was asked for (`MCP-04`); otherwise the one its app registered last.
    pub reads_reach_their_own: bool,
    /// `…://sessions` is read without the apps (`MCP-25`); otherwise every resource is read for it.
    pub sessions_ask_no_app: bool,
    /// A change of the resource list is announced once (`MCP-12`); otherwise once for every entry.
    pub announce_once: bool,
    /// A stale mark is told once (`MCP-20`); otherwise twice.
    pub update_once: bool,
    /// Ending one subscription leaves the others (`MCP-16`).
    pub unsubscribe_one: bool,
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

/// When exposed tool names carry the alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolPrefix {
    /// With several live sessions.
    WhenSeveral,
    /// Also with one.
    Always,
    /// Not even with several: later sessions' equal names are lost.
    Never,
}

/// What happens to a tool whose schema MCP cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadSchema {
    /// Output schema dropped, input schema replaced by an open object.
    Repair,
    /// The tool is left out.
    HideTool,
    /// App tools are all left out.
    HideAll,
    /// It is passed on as it is.
    PassOn,
}

/// The `uri` of contents that came without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentUri {
    /// The URI that was asked for.
    Requested,
    /// The app's own URI of the resource.
    Inner,
}

/// What reading an unknown URI gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownUri {
    /// The revision's not-found error.
    NotFound,
    /// A success without contents.
    Empty,
    /// -32603.
    Internal,
    /// The other era's code.
    OtherEra,
}

/// Which visible changes of the resource list are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announce {
    /// A registry change: delta, or a snapshot that differs.
    pub registry: bool,
    /// A new session with resources.
    pub claim: bool,
    /// The end of a session's grace.
    pub expiry: bool,
    /// A revoked session.
    pub revoke: bool,
}

impl Default for McpRules {
    fn default() -> Self {
        Self {
            promise_tools_list_changed: true,
            promise_resources_list_changed: true,
            promise_subscribe: true,
            promise_prompts: false,
            serve_subscribe: true,
            tool_prefix: ToolPrefix::WhenSeveral,
            uri_with_alias: true,
            list_sessions_resource: true,
            list_suspended_resources: true,
            list_suspended_tools: true,
            dropped_resource_field: None,
            null_for_absent: false,
            icons_by_revision: true,
            disambiguate: true,
            protect_built_ins: true,
            bad_schema: BadSchema::Repair,
            structured_content: true,
            check_structured: true,
            mark_errors: true,
            error_type_in_text: true,
            content_uri: ContentUri::Requested,
            keep_item_uri: true,
            unknown_uri: UnknownUri::NotFound,
            exact_uris: true,
            read_errors_internal: true,
            read_error_type: true,
            announce: Announce { registry: true, claim: true, expiry: true, revoke: true },
            announce_only_visible: true,
            announce_own_list_only: true,
            announce_tools: true,
            fresh_lists: true,
            unsubscribe_works: true,
            updates_to_subscribers_only: true,
            updates_by_owner: true,
            refuse_unknown_subscription: true,
            keep_subscription_on_suspend: true,
            keep_subscription_on_removal: true,
            subscriptions_end_with_connection: true,
            serves_several: true,
            forward_updates: true,
            update_exposed_uri: true,
            progress_own_token: true,
            forward_cancel: true,
            quiet_stdout: true,
            end_with_stdin: true,
            fresh_sessions: true,
            reconnect: true,
            ids_verbatim: true,
            await_initialized: true,
            silent_after_cancel: true,
            progress_increases: true,
            progress_token_verbatim: true,
            error_details_in_text: true,
            plain_envelope: true,
            survive_garbage: true,
            refuse_cursors: true,
            unknown_tool_is_protocol_error: true,
            invalid_params_code: -32602,
            unknown_method_code: -32601,
            failing_requests: None,
            tool_name_max: 64,
            cut_names_distinct: true,
            cut_names_all_listed: true,
            revision_answer: RevisionAnswer::Spoken,
            name_in_handshake: true,
            promise_completions: false,
            promises_without_apps: true,
            complain_of_garbage: true,
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
            same_for_all: true,
            same_order: true,
            no_templates: true,
            whole_tool_names: true,
            reads_reach_their_own: true,
            sessions_ask_no_app: true,
            announce_once: true,
            update_once: true,
            unsubscribe_one: true,
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
        id: "mcp-names-always-prefixed",
        promises: &["BRG-MCP-02", "BRG-MCP-04", "BRG-MCP-26", "BRG-MCP-24", "BRG-MCP-05"],
        title: "A single session's tools carry its alias",
        bend: |rules| rules.mcp.tool_prefix = ToolPrefix::Always,
    },
    Fault {
        id: "mcp-names-never-prefixed",
        promises: &["BRG-MCP-02", "BRG-MCP-04"],
        title: "With several sessions, the tools of one hide equal names of the others",
        bend: |rules| rules.mcp.tool_prefix = ToolPrefix::Never,
    },
    Fault {
        id: "mcp-tools-change-silent",
        promises: &["BRG-MCP-02", "BRG-MCP-01"],
        title: "Changes of the tool list are promised and never announced",
        bend: |rules| rules.mcp.announce_tools = false,
    },
    Fault {
        id: "mcp-uri-without-alias",
        promises: &["BRG-MCP-03", EVERYTHING],
        title: "Resource URIs carry no alias, so equal names of two sessions collide",
        bend: |rules| rules.mcp.uri_with_alias = false,
    },
    Fault {
        id: "mcp-sessions-resource-unlisted",
        promises: &["BRG-MCP-03", "BRG-MCP-14", "BRG-MCP-04", "BRG-MCP-26"],
        title: "The sessions resource is missing from the list",
        bend: |rules| rules.mcp.list_sessions_resource = false,
    },
    Fault {
        id: "mcp-suspended-resources-hidden",
        promises: &["BRG-MCP-03", "BRG-MCP-13", "BRG-MCP-18", "BRG-FBK-03", "BRG-FBK-05", "BRG-MCP-11", "BRG-MCP-12"],
        title: "A suspended session's resources vanish from the list",
        bend: |rules| rules.mcp.list_suspended_resources = false,
    },
    Fault {
        id: "mcp-title-lost",
        promises: &["BRG-MCP-03", "BRG-MCP-14"],
        title: "Resource titles are not shown",
        bend: |rules| rules.mcp.dropped_resource_field = Some("title"),
    },
    Fault {
        id: "mcp-description-lost",
        promises: &["BRG-MCP-03", "BRG-MCP-14"],
        title: "Resource descriptions are not shown",
        bend: |rules| rules.mcp.dropped_resource_field = Some("description"),
    },
    Fault {
        id: "mcp-mime-type-lost",
        promises: &["BRG-MCP-03"],
        title: "Resource MIME types are not shown",
        bend: |rules| rules.mcp.dropped_resource_field = Some("mimeType"),
    },
    Fault {
        id: "mcp-size-lost",
        promises: &["BRG-MCP-03", "BRG-MCP-12", "BRG-MCP-14"],
        title: "Resource sizes are not shown",
        bend: |rules| rules.mcp.dropped_resource_field = Some("size"),
    },
    Fault {
        id: "mcp-annotations-lost",
        promises: &["BRG-MCP-03"],
        title: "Resource annotations are not shown",
        bend: |rules| rules.mcp.dropped_resource_field = Some("annotations"),
    },
    Fault {
        id: "mcp-icons-lost",
        promises: &["BRG-MCP-03"],
        title: "Icons are not shown where the revision knows them",
        bend: |rules| rules.mcp.dropped_resource_field = Some("icons"),
    },
    Fault {
        id: "mcp-null-for-absent",
        promises: &["BRG-MCP-03", "BRG-MCP-04"],
        title: "Absent optional members of a resource entry are written as null",
        bend: |rules| rules.mcp.null_for_absent = true,
    },
    Fault {
        id: "mcp-icons-in-every-revision",
        promises: &["BRG-MCP-03", "BRG-MCP-21"],
        title: "Icons are shown to clients of revisions that do not know them",
        bend: |rules| rules.mcp.icons_by_revision = false,
    },
    Fault {
        id: "mcp-names-collide",
        promises: &["BRG-MCP-04", "BRG-MCP-28", "BRG-MCP-05"],
        title: "Two tools whose exposed names come out equal share one name",
        bend: |rules| rules.mcp.disambiguate = false,
    },
    Fault {
        id: "mcp-built-in-shadowed",
        promises: &["BRG-MCP-05"],
        title: "An app's tool replaces the built-in one of the same name",
        bend: |rules| rules.mcp.protect_built_ins = false,
    },
    Fault {
        id: "mcp-bad-schema-hides-tool",
        promises: &["BRG-MCP-06"],
        title: "A tool whose schema MCP cannot take is left out",
        bend: |rules| rules.mcp.bad_schema = BadSchema::HideTool,
    },
    Fault {
        id: "mcp-bad-schema-empties-list",
        promises: &["BRG-MCP-06", "BRG-CON-11"],
        title: "One tool whose schema MCP cannot take hides all app tools",
        bend: |rules| rules.mcp.bad_schema = BadSchema::HideAll,
    },
    Fault {
        id: "mcp-bad-schema-passed-on",
        promises: &["BRG-MCP-06", "BRG-MCP-04"],
        title: "A schema MCP cannot take is passed on as it is",
        bend: |rules| rules.mcp.bad_schema = BadSchema::PassOn,
    },
    Fault {
        id: "mcp-structured-content-missing",
        promises: &["BRG-MCP-07"],
        title: "A tool listed with an output schema answers with text only",
        bend: |rules| rules.mcp.structured_content = false,
    },
    Fault {
        id: "mcp-structured-content-unchecked",
        promises: &["BRG-MCP-07"],
        title: "A result that is no object passes as structured content",
        bend: |rules| rules.mcp.check_structured = false,
    },
    Fault {
        id: "mcp-errors-look-like-success",
        promises: &["BRG-MCP-08", "BRG-MCP-23", "BRG-MCP-07", "BRG-POL-01"],
        title: "An app's error comes as a successful result",
        bend: |rules| rules.mcp.mark_errors = false,
    },
    Fault {
        id: "mcp-error-type-missing",
        promises: &["BRG-MCP-08", "BRG-TOL-08", "BRG-MCP-23", "BRG-MCP-07"],
        title: "The text of an error result does not name the error's type",
        bend: |rules| rules.mcp.error_type_in_text = false,
    },
    Fault {
        id: "mcp-contents-name-inner-uri",
        promises: &["BRG-MCP-09", "BRG-FBK-04", "BRG-MCP-04"],
        title: "Contents name the app's own URI instead of the one asked for",
        bend: |rules| rules.mcp.content_uri = ContentUri::Inner,
    },
    Fault {
        id: "mcp-item-uri-overwritten",
        promises: &["BRG-MCP-09"],
        title: "An item's own URI is overwritten",
        bend: |rules| rules.mcp.keep_item_uri = false,
    },
    Fault {
        id: "mcp-unknown-uri-empty",
        promises: &["BRG-MCP-10", "BRG-RES-13", "BRG-RES-08"],
        title: "Reading an unknown URI is a success without contents",
        bend: |rules| rules.mcp.unknown_uri = UnknownUri::Empty,
    },
    Fault {
        id: "mcp-unknown-uri-internal",
        promises: &["BRG-MCP-10"],
        title: "Reading an unknown URI is an internal error",
        bend: |rules| rules.mcp.unknown_uri = UnknownUri::Internal,
    },
    Fault {
        id: "mcp-not-found-of-other-era",
        promises: &["BRG-MCP-10"],
        title: "Not found is told with the other era's code",
        bend: |rules| rules.mcp.unknown_uri = UnknownUri::OtherEra,
    },
    Fault {
        id: "mcp-uris-compared-loosely",
        promises: &["BRG-MCP-10", "BRG-MCP-04", "BRG-RES-06"],
        title: "Case, a trailing slash and a query do not count in URIs",
        bend: |rules| rules.mcp.exact_uris = false,
    },
    Fault {
        id: "mcp-read-error-as-not-found",
        promises: &["BRG-MCP-11"],
        title: "A failed read is told as not found",
        bend: |rules| rules.mcp.read_errors_internal = false,
    },
    Fault {
        id: "mcp-read-error-untyped",
        promises: &["BRG-MCP-11", "BRG-RES-10"],
        title: "A failed read does not say of which type it was",
        bend: |rules| rules.mcp.read_error_type = false,
    },
    Fault {
        id: "mcp-registry-change-silent",
        promises: &["BRG-MCP-12", "BRG-MCP-01", "BRG-MCP-14", "BRG-MCP-13"],
        title: "Registering or removing a resource is not announced",
        bend: |rules| rules.mcp.announce.registry = false,
    },
    Fault {
        id: "mcp-claim-silent",
        promises: &["BRG-MCP-12"],
        title: "A new session's first resources are not announced",
        bend: |rules| rules.mcp.announce.claim = false,
    },
    Fault {
        id: "mcp-expiry-silent",
        promises: &["BRG-MCP-12"],
        title: "Resources lost with an expired session are not announced",
        bend: |rules| rules.mcp.announce.expiry = false,
    },
    Fault {
        id: "mcp-revoke-silent",
        promises: &["BRG-MCP-12"],
        title: "Resources lost with a revoked session are not announced",
        bend: |rules| rules.mcp.announce.revoke = false,
    },
    Fault {
        id: "mcp-invisible-change-announced",
        promises: &["BRG-MCP-13"],
        title: "Suspensions, resumes and repeated registrations are announced as list changes",
        bend: |rules| rules.mcp.announce_only_visible = false,
    },
    Fault {
        id: "mcp-both-lists-announced",
        promises: &["BRG-MCP-13", "BRG-FBK-08"],
        title: "Any change announces both the tool list and the resource list",
        bend: |rules| rules.mcp.announce_own_list_only = false,
    },
    Fault {
        id: "mcp-lists-cached",
        promises: &["BRG-MCP-14", "BRG-MCP-03", "BRG-FBK-06", "BRG-MCP-04", "BRG-FBK-03"],
        title: "A list fetched after its change was announced is the old one",
        bend: |rules| rules.mcp.fresh_lists = false,
    },
    Fault {
        id: "mcp-unsubscribe-ignored",
        promises: &["BRG-MCP-15", "BRG-MCP-16"],
        title: "Updates go on after the subscription was ended",
        bend: |rules| rules.mcp.unsubscribe_works = false,
    },
    Fault {
        id: "mcp-updates-broadcast",
        promises: &["BRG-MCP-16", "BRG-MCP-15", "BRG-MCP-24"],
        title: "Updates go to every client, subscribed or not",
        bend: |rules| rules.mcp.updates_to_subscribers_only = false,
    },
    Fault {
        id: "mcp-updates-cross-apps",
        promises: &["BRG-MCP-16"],
        title: "An update of one app's resource is told to subscribers of another app's resource of that name",
        bend: |rules| rules.mcp.updates_by_owner = false,
    },
    Fault {
        id: "mcp-unknown-subscription-accepted",
        promises: &["BRG-MCP-17"],
        title: "Subscribing to an unknown URI is accepted",
        bend: |rules| rules.mcp.refuse_unknown_subscription = false,
    },
    Fault {
        id: "mcp-subscription-lost-on-suspend",
        promises: &["BRG-MCP-18"],
        title: "A subscription is lost when the app's socket is",
        bend: |rules| rules.mcp.keep_subscription_on_suspend = false,
    },
    Fault {
        id: "mcp-subscription-lost-on-removal",
        promises: &["BRG-MCP-18"],
        title: "A subscription is lost when its resource is removed and added again",
        bend: |rules| rules.mcp.keep_subscription_on_removal = false,
    },
    Fault {
        id: "mcp-subscriptions-inherited",
        promises: &["BRG-MCP-19", "BRG-MCP-16"],
        title: "A client inherits the subscriptions of the one before it",
        bend: |rules| rules.mcp.subscriptions_end_with_connection = false,
    },
    Fault {
        id: "mcp-second-client-shut-out",
        promises: &["BRG-MCP-22"],
        title: "While one client is connected, no other is served",
        bend: |rules| rules.mcp.serves_several = false,
    },
    Fault {
        id: "mcp-updates-lost",
        promises: &["BRG-MCP-20", "BRG-RES-12", "BRG-MCP-18", "BRG-MCP-19"],
        title: "Subscribers are never told of a stale resource",
        bend: |rules| rules.mcp.forward_updates = false,
    },
    Fault {
        id: "mcp-update-names-inner-uri",
        promises: &["BRG-MCP-20", "BRG-MCP-16", "BRG-MCP-18", "BRG-MCP-19", "BRG-RES-12", "BRG-MCP-15"],
        title: "An update names the app's own URI, which no client subscribed to",
        bend: |rules| rules.mcp.update_exposed_uri = false,
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
        id: "mcp-suspended-tools-hidden",
        promises: &["BRG-MCP-23", "BRG-MCP-13", "BRG-MCP-02"],
        title: "A suspended session's tools vanish from the list",
        bend: |rules| rules.mcp.list_suspended_tools = false,
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
        id: "mcp-sessions-stale",
        promises: &["BRG-MCP-25", "BRG-FBK-04"],
        title: "The sessions resource shows what it showed first",
        bend: |rules| rules.mcp.fresh_sessions = false,
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
        id: "mcp-error-details-lost",
        promises: &["BRG-TOL-08", "BRG-MCP-08"],
        title: "The details of an app's error are not shown",
        bend: |rules| rules.mcp.error_details_in_text = false,
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
        id: "mcp-unknown-tool-as-result",
        promises: &["BRG-MCP-27"],
        title: "Calling an unknown tool is an error result instead of an error",
        bend: |rules| rules.mcp.unknown_tool_is_protocol_error = false,
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
        id: "mcp-names-too-long",
        promises: &["BRG-MCP-28"],
        title: "Exposed tool names grow as long as alias and name make them",
        bend: |rules| rules.mcp.tool_name_max = 1024,
    },
    Fault {
        id: "mcp-cut-names-collide",
        promises: &["BRG-MCP-28", "BRG-MCP-04"],
        title: "Long exposed names are cut, and no longer distinct",
        bend: |rules| rules.mcp.cut_names_distinct = false,
    },
    Fault {
        id: "mcp-cut-names-listed-once",
        promises: &["BRG-MCP-28", "BRG-MCP-04"],
        title: "Of long exposed names that begin alike, the first is listed",
        bend: |rules| rules.mcp.cut_names_all_listed = false,
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
        bend: |rules| rules.mcp.complain_of_garbage = false,
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
        id: "mcp-order-by-client",
        promises: &["BRG-MCP-22"],
        title: "Each client gets the lists in an order of its own",
        bend: |rules| rules.mcp.same_for_all = false,
    },
    Fault {
        id: "mcp-order-by-revision",
        promises: &["BRG-MCP-21"],
        title: "Clients of older revisions get the resource list in another order",
        bend: |rules| rules.mcp.same_order = false,
    },
    Fault {
        id: "mcp-template-listed",
        promises: &["BRG-MCP-03"],
        title: "The shape of every URI is listed as a template",
        bend: |rules| rules.mcp.no_templates = false,
    },
    Fault {
        id: "mcp-tool-alias-ignored",
        promises: &["BRG-MCP-04", "BRG-MCP-02", "BRG-MCP-27"],
        title: "A tool name is found by what stands behind the alias",
        bend: |rules| rules.mcp.whole_tool_names = false,
    },
    Fault {
        id: "mcp-sessions-ask-apps",
        promises: &["BRG-MCP-25", "BRG-AUD-01", "BRG-AUD-04"],
        title: "Reading the sessions resource reads every resource of the apps",
        bend: |rules| rules.mcp.sessions_ask_no_app = false,
    },
    Fault {
        id: "mcp-change-announced-per-entry",
        promises: &["BRG-MCP-12", "BRG-MCP-13", "BRG-MCP-24"],
        title: "A change of the resource list is announced once for every entry",
        bend: |rules| rules.mcp.announce_once = false,
    },
    Fault {
        id: "mcp-updates-doubled",
        promises: &["BRG-MCP-20", "BRG-MCP-16", "BRG-MCP-24"],
        title: "Subscribers are told twice of a stale resource",
        bend: |rules| rules.mcp.update_once = false,
    },
    Fault {
        id: "mcp-unsubscribe-ends-all",
        promises: &["BRG-MCP-16", "BRG-MCP-15", "BRG-MCP-20", "BRG-RES-12"],
        title: "Ending one subscription ends all of the client's",
        bend: |rules| rules.mcp.unsubscribe_one = false,
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
    beneath!(
        "mcp-reads-reach-last-resource",
        "BRG-MCP-04",
        "Every read reaches the resource that its app registered last",
        mcp.reads_reach_their_own = false
    ),
];

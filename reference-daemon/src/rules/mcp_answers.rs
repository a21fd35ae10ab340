//! What the MCP server decides about calls, reads and subscriptions (`MCP`).

/// Decisions about what calls and reads of agents give, and who is told that a resource went stale.
#[derive(Clone, Debug, PartialEq)]
pub struct McpAnswerRules {
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
    /// Stale marks become `notifications/resources/updated` (`MCP-20`).
    pub forward_updates: bool,
    /// `updated` names the exposed URI (`MCP-20`); otherwise the app's own.
    pub update_exposed_uri: bool,
    /// `…://sessions` is read anew each time (`MCP-25`); otherwise the first answer is kept.
    pub fresh_sessions: bool,
    /// The details of an app's error stand in the text of the error result (`TOL-08`).
    pub error_details_in_text: bool,
    /// Calling an unknown tool is error -32602 (`MCP-27`); otherwise an error result.
    pub unknown_tool_is_protocol_error: bool,
    /// Tool names are compared as a whole (`MCP-04`); otherwise what stands behind the `__` will do.
    pub whole_tool_names: bool,
    /// A read reaches the resource that was asked for (`MCP-04`); otherwise the one its app registered last.
    pub reads_reach_their_own: bool,
    /// `…://sessions` is read without the apps (`MCP-25`); otherwise every resource is read for it.
    pub sessions_ask_no_app: bool,
    /// A stale mark is told once (`MCP-20`); otherwise twice.
    pub update_once: bool,
    /// Ending one subscription leaves the others (`MCP-16`).
    pub unsubscribe_one: bool,
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

impl Default for McpAnswerRules {
    fn default() -> Self {
        Self {
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
            unsubscribe_works: true,
            updates_to_subscribers_only: true,
            updates_by_owner: true,
            refuse_unknown_subscription: true,
            keep_subscription_on_suspend: true,
            keep_subscription_on_removal: true,
            subscriptions_end_with_connection: true,
            forward_updates: true,
            update_exposed_uri: true,
            fresh_sessions: true,
            error_details_in_text: true,
            unknown_tool_is_protocol_error: true,
            whole_tool_names: true,
            reads_reach_their_own: true,
            sessions_ask_no_app: true,
            update_once: true,
            unsubscribe_one: true,
        }
    }
}

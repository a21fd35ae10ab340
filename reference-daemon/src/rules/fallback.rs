//! What the two tools for tools-only clients decide (`FBK`).

/// Decisions of `…_list_resources` and `…_read`.
#[derive(Clone, Debug, PartialEq)]
pub struct FallbackRules {
    /// Both are listed without any session (`FBK-01`).
    pub listed_without_session: bool,
    /// Exactly two slots (`FBK-01`); otherwise one more tool per resource.
    pub two_slots_only: bool,
    /// Both have `readOnlyHint: true` and are not destructive (`FBK-02`).
    pub read_only_hint: bool,
    /// Both say which arguments they take (`FBK-02`); otherwise their input schema is an open object.
    pub input_schemas: bool,
    /// Both declare an output schema (`FBK-02`).
    pub output_schemas: bool,
    /// The list names the sessions resource, as `resources/list` does (`FBK-03`).
    pub list_sessions_resource: bool,
    /// The list keeps the order of `resources/list` (`FBK-03`); otherwise sorted by URI, backwards.
    pub same_order: bool,
    /// The list keeps every member (`FBK-03`); otherwise only URI and name.
    pub full_entries: bool,
    /// Reads return every item (`FBK-04`); otherwise the first.
    pub all_items: bool,
    /// Blobs arrive as they are (`FBK-04`); otherwise they are left out.
    pub keep_blobs: bool,
    /// Reads carry `structuredContent` (`FBK-04`).
    pub structured_content: bool,
    /// Reads repeat the contents as text (`FBK-04`).
    pub text_twin: bool,
    /// Failures are `isError` results (`FBK-05`); otherwise JSON-RPC errors.
    pub errors_as_results: bool,
    /// Failures name their type (`FBK-05`).
    pub error_type: bool,
    /// Unknown arguments are refused (`FBK-05`).
    pub refuse_unknown_arguments: bool,
    /// Reads reach every resource that exists now (`FBK-06`); otherwise those of the client's first list.
    pub live: bool,
    /// `resources/list` is answered with no session (`FBK-07`).
    pub probe_without_session: bool,
    /// Resource changes leave the tool list alone (`FBK-08`); otherwise they announce it as changed.
    pub quiet_tools: bool,
}

impl Default for FallbackRules {
    fn default() -> Self {
        Self {
            listed_without_session: true,
            two_slots_only: true,
            read_only_hint: true,
            input_schemas: true,
            output_schemas: true,
            list_sessions_resource: true,
            same_order: true,
            full_entries: true,
            all_items: true,
            keep_blobs: true,
            structured_content: true,
            text_twin: true,
            errors_as_results: true,
            error_type: true,
            refuse_unknown_arguments: true,
            live: true,
            probe_without_session: true,
            quiet_tools: true,
        }
    }
}

//! What the two tools for tools-only clients decide (`FBK`).

use super::Fault;

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

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "fbk-hidden-without-session",
        promises: &["BRG-FBK-01", "BRG-FBK-06"],
        title: "Without a session the two tools are not listed",
        bend: |rules| rules.fallback.listed_without_session = false,
    },
    Fault {
        id: "fbk-one-tool-per-resource",
        promises: &["BRG-FBK-01", "BRG-FBK-08"],
        title: "Every resource takes a slot in the tool list",
        bend: |rules| rules.fallback.two_slots_only = false,
    },
    Fault {
        id: "fbk-hints-missing",
        promises: &["BRG-FBK-02"],
        title: "The two tools do not say that they only read",
        bend: |rules| rules.fallback.read_only_hint = false,
    },
    Fault {
        id: "fbk-arguments-undeclared",
        promises: &["BRG-FBK-02"],
        title: "The two tools do not say which arguments they take",
        bend: |rules| rules.fallback.input_schemas = false,
    },
    Fault {
        id: "fbk-output-schema-missing",
        promises: &["BRG-FBK-02"],
        title: "The two tools declare no output schema",
        bend: |rules| rules.fallback.output_schemas = false,
    },
    Fault {
        id: "fbk-list-lacks-sessions",
        promises: &["BRG-FBK-03"],
        title: "The tool's list lacks the sessions resource",
        bend: |rules| rules.fallback.list_sessions_resource = false,
    },
    Fault {
        id: "fbk-list-in-other-order",
        promises: &["BRG-FBK-03"],
        title: "The tool's list comes in another order than the resource list",
        bend: |rules| rules.fallback.same_order = false,
    },
    Fault {
        id: "fbk-list-lacks-fields",
        promises: &["BRG-FBK-03"],
        title: "The tool's list names URIs and names only",
        bend: |rules| rules.fallback.full_entries = false,
    },
    Fault {
        id: "fbk-first-item-only",
        promises: &["BRG-FBK-04"],
        title: "The tool returns the first item of several",
        bend: |rules| rules.fallback.all_items = false,
    },
    Fault {
        id: "fbk-blobs-lost",
        promises: &["BRG-FBK-04"],
        title: "The tool leaves blobs out",
        bend: |rules| rules.fallback.keep_blobs = false,
    },
    Fault {
        id: "fbk-unstructured",
        promises: &["BRG-FBK-04", "BRG-FBK-02"],
        title: "The tool returns text only",
        bend: |rules| rules.fallback.structured_content = false,
    },
    Fault {
        id: "fbk-no-text",
        promises: &["BRG-FBK-04", "BRG-SES-07"],
        title: "The tool returns structured content without text",
        bend: |rules| rules.fallback.text_twin = false,
    },
    Fault {
        id: "fbk-errors-as-protocol-errors",
        promises: &["BRG-FBK-05"],
        title: "A failed fallback read is a protocol error",
        bend: |rules| rules.fallback.errors_as_results = false,
    },
    Fault {
        id: "fbk-error-untyped",
        promises: &["BRG-FBK-05"],
        title: "A failed fallback read does not name the error's type",
        bend: |rules| rules.fallback.error_type = false,
    },
    Fault {
        id: "fbk-unknown-arguments-accepted",
        promises: &["BRG-FBK-05"],
        title: "Unknown arguments of the fallback tools pass",
        bend: |rules| rules.fallback.refuse_unknown_arguments = false,
    },
    Fault {
        id: "fbk-frozen",
        promises: &["BRG-FBK-06"],
        title: "The tool reads only what existed when the client connected",
        bend: |rules| rules.fallback.live = false,
    },
    Fault {
        id: "fbk-probe-fails-without-session",
        promises: &["BRG-FBK-07"],
        title: "Without a session, listing resources is an error",
        bend: |rules| rules.fallback.probe_without_session = false,
    },
    Fault {
        id: "fbk-resource-change-announces-tools",
        promises: &["BRG-FBK-08", "BRG-MCP-13"],
        title: "A resource change is announced as a change of the tool list",
        bend: |rules| rules.fallback.quiet_tools = false,
    },
];

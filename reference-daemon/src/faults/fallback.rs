//! Faults of the two tools for tools-only clients.

use super::fault::Fault;

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

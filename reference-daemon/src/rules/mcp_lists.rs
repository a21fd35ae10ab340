//! What the MCP server decides about the lists it shows and the changes it announces (`MCP`).

use super::{EVERYTHING, Fault};

/// Decisions about what agents see listed, under which names, and when they hear that it changed.
#[derive(Clone, Debug, PartialEq)]
pub struct McpListRules {
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
    /// Longest exposed tool name, in characters (`MCP-28`).
    pub tool_name_max: usize,
    /// Names that were cut stay distinct (`MCP-28`).
    pub cut_names_distinct: bool,
    /// Tools whose names had to be cut are all listed (`MCP-28`); otherwise the first of those that begin alike.
    pub cut_names_all_listed: bool,
    /// The lists are the same for every client (`MCP-22`); otherwise their order depends on its name.
    pub same_for_all: bool,
    /// The resource list has the same order in every revision (`MCP-21`); otherwise the older ones get it reversed.
    pub same_order: bool,
    /// There are no resource templates (`MCP-03`); otherwise the shape of every URI is listed as one.
    pub no_templates: bool,
    /// A change of the resource list is announced once (`MCP-12`); otherwise once for every entry.
    pub announce_once: bool,
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

impl Default for McpListRules {
    fn default() -> Self {
        Self {
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
            announce: Announce { registry: true, claim: true, expiry: true, revoke: true },
            announce_only_visible: true,
            announce_own_list_only: true,
            announce_tools: true,
            fresh_lists: true,
            tool_name_max: 64,
            cut_names_distinct: true,
            cut_names_all_listed: true,
            same_for_all: true,
            same_order: true,
            no_templates: true,
            announce_once: true,
        }
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "mcp-names-always-prefixed",
        promises: &[
            "BRG-MCP-02",
            "BRG-MCP-04",
            "BRG-MCP-26",
            "BRG-MCP-24",
            "BRG-MCP-05",
            "BRG-TOL-13",
            "BRG-MCP-22",
            "BRG-TOL-17",
        ],
        title: "A single session's tools carry its alias",
        bend: |rules| rules.mcp_lists.tool_prefix = ToolPrefix::Always,
    },
    Fault {
        id: "mcp-names-never-prefixed",
        promises: &["BRG-MCP-02", "BRG-MCP-04"],
        title: "With several sessions, the tools of one hide equal names of the others",
        bend: |rules| rules.mcp_lists.tool_prefix = ToolPrefix::Never,
    },
    Fault {
        id: "mcp-tools-change-silent",
        promises: &["BRG-MCP-02", "BRG-MCP-01"],
        title: "Changes of the tool list are promised and never announced",
        bend: |rules| rules.mcp_lists.announce_tools = false,
    },
    Fault {
        id: "mcp-uri-without-alias",
        promises: &["BRG-MCP-03", EVERYTHING],
        title: "Resource URIs carry no alias, so equal names of two sessions collide",
        bend: |rules| rules.mcp_lists.uri_with_alias = false,
    },
    Fault {
        id: "mcp-sessions-resource-unlisted",
        promises: &["BRG-MCP-03", "BRG-MCP-14", "BRG-MCP-04", "BRG-MCP-26"],
        title: "The sessions resource is missing from the list",
        bend: |rules| rules.mcp_lists.list_sessions_resource = false,
    },
    Fault {
        id: "mcp-suspended-resources-hidden",
        promises: &[
            "BRG-MCP-03",
            "BRG-MCP-13",
            "BRG-MCP-18",
            "BRG-FBK-03",
            "BRG-FBK-05",
            "BRG-MCP-11",
            "BRG-MCP-12",
            "BRG-RES-05",
        ],
        title: "A suspended session's resources vanish from the list",
        bend: |rules| rules.mcp_lists.list_suspended_resources = false,
    },
    Fault {
        id: "mcp-title-lost",
        promises: &["BRG-MCP-03", "BRG-MCP-14"],
        title: "Resource titles are not shown",
        bend: |rules| rules.mcp_lists.dropped_resource_field = Some("title"),
    },
    Fault {
        id: "mcp-description-lost",
        promises: &["BRG-MCP-03", "BRG-MCP-14"],
        title: "Resource descriptions are not shown",
        bend: |rules| rules.mcp_lists.dropped_resource_field = Some("description"),
    },
    Fault {
        id: "mcp-mime-type-lost",
        promises: &["BRG-MCP-03"],
        title: "Resource MIME types are not shown",
        bend: |rules| rules.mcp_lists.dropped_resource_field = Some("mimeType"),
    },
    Fault {
        id: "mcp-size-lost",
        promises: &["BRG-MCP-03", "BRG-MCP-12", "BRG-MCP-14"],
        title: "Resource sizes are not shown",
        bend: |rules| rules.mcp_lists.dropped_resource_field = Some("size"),
    },
    Fault {
        id: "mcp-annotations-lost",
        promises: &["BRG-MCP-03"],
        title: "Resource annotations are not shown",
        bend: |rules| rules.mcp_lists.dropped_resource_field = Some("annotations"),
    },
    Fault {
        id: "mcp-icons-lost",
        promises: &["BRG-MCP-03"],
        title: "Icons are not shown where the revision knows them",
        bend: |rules| rules.mcp_lists.dropped_resource_field = Some("icons"),
    },
    Fault {
        id: "mcp-null-for-absent",
        promises: &["BRG-MCP-03", "BRG-MCP-04"],
        title: "Absent optional members of a resource entry are written as null",
        bend: |rules| rules.mcp_lists.null_for_absent = true,
    },
    Fault {
        id: "mcp-icons-in-every-revision",
        promises: &["BRG-MCP-03", "BRG-MCP-21"],
        title: "Icons are shown to clients of revisions that do not know them",
        bend: |rules| rules.mcp_lists.icons_by_revision = false,
    },
    Fault {
        id: "mcp-names-collide",
        promises: &["BRG-MCP-04", "BRG-MCP-28", "BRG-MCP-05"],
        title: "Two tools whose exposed names come out equal share one name",
        bend: |rules| rules.mcp_lists.disambiguate = false,
    },
    Fault {
        id: "mcp-built-in-shadowed",
        promises: &["BRG-MCP-05"],
        title: "An app's tool replaces the built-in one of the same name",
        bend: |rules| rules.mcp_lists.protect_built_ins = false,
    },
    Fault {
        id: "mcp-bad-schema-hides-tool",
        promises: &["BRG-MCP-06"],
        title: "A tool whose schema MCP cannot take is left out",
        bend: |rules| rules.mcp_lists.bad_schema = BadSchema::HideTool,
    },
    Fault {
        id: "mcp-bad-schema-empties-list",
        promises: &["BRG-MCP-06", "BRG-CON-11"],
        title: "One tool whose schema MCP cannot take hides all app tools",
        bend: |rules| rules.mcp_lists.bad_schema = BadSchema::HideAll,
    },
    Fault {
        id: "mcp-bad-schema-passed-on",
        promises: &["BRG-MCP-06", "BRG-MCP-04"],
        title: "A schema MCP cannot take is passed on as it is",
        bend: |rules| rules.mcp_lists.bad_schema = BadSchema::PassOn,
    },
    Fault {
        id: "mcp-registry-change-silent",
        promises: &["BRG-MCP-12", "BRG-MCP-01", "BRG-MCP-14", "BRG-MCP-13"],
        title: "Registering or removing a resource is not announced",
        bend: |rules| rules.mcp_lists.announce.registry = false,
    },
    Fault {
        id: "mcp-claim-silent",
        promises: &["BRG-MCP-12"],
        title: "A new session's first resources are not announced",
        bend: |rules| rules.mcp_lists.announce.claim = false,
    },
    Fault {
        id: "mcp-expiry-silent",
        promises: &["BRG-MCP-12"],
        title: "Resources lost with an expired session are not announced",
        bend: |rules| rules.mcp_lists.announce.expiry = false,
    },
    Fault {
        id: "mcp-revoke-silent",
        promises: &["BRG-MCP-12"],
        title: "Resources lost with a revoked session are not announced",
        bend: |rules| rules.mcp_lists.announce.revoke = false,
    },
    Fault {
        id: "mcp-invisible-change-announced",
        promises: &["BRG-MCP-13"],
        title: "Suspensions, resumes and repeated registrations are announced as list changes",
        bend: |rules| rules.mcp_lists.announce_only_visible = false,
    },
    Fault {
        id: "mcp-both-lists-announced",
        promises: &["BRG-MCP-13", "BRG-FBK-08"],
        title: "Any change announces both the tool list and the resource list",
        bend: |rules| rules.mcp_lists.announce_own_list_only = false,
    },
    Fault {
        id: "mcp-lists-cached",
        promises: &[
            "BRG-MCP-14",
            "BRG-MCP-03",
            "BRG-FBK-06",
            "BRG-MCP-04",
            "BRG-FBK-03",
            "BRG-MCP-02",
            "BRG-MCP-26",
            "BRG-MCP-05",
            "BRG-MCP-24",
        ],
        title: "A list fetched after its change was announced is the old one",
        bend: |rules| rules.mcp_lists.fresh_lists = false,
    },
    Fault {
        id: "mcp-suspended-tools-hidden",
        promises: &["BRG-MCP-23", "BRG-MCP-13", "BRG-MCP-02"],
        title: "A suspended session's tools vanish from the list",
        bend: |rules| rules.mcp_lists.list_suspended_tools = false,
    },
    Fault {
        id: "mcp-names-too-long",
        promises: &["BRG-MCP-28"],
        title: "Exposed tool names grow as long as alias and name make them",
        bend: |rules| rules.mcp_lists.tool_name_max = 1024,
    },
    Fault {
        id: "mcp-cut-names-collide",
        promises: &["BRG-MCP-28", "BRG-MCP-04"],
        title: "Long exposed names are cut, and no longer distinct",
        bend: |rules| rules.mcp_lists.cut_names_distinct = false,
    },
    Fault {
        id: "mcp-cut-names-listed-once",
        promises: &["BRG-MCP-28", "BRG-MCP-04"],
        title: "Of long exposed names that begin alike, the first is listed",
        bend: |rules| rules.mcp_lists.cut_names_all_listed = false,
    },
    Fault {
        id: "mcp-order-by-client",
        promises: &["BRG-MCP-22"],
        title: "Each client gets the lists in an order of its own",
        bend: |rules| rules.mcp_lists.same_for_all = false,
    },
    Fault {
        id: "mcp-order-by-revision",
        promises: &["BRG-MCP-21"],
        title: "Clients of older revisions get the resource list in another order",
        bend: |rules| rules.mcp_lists.same_order = false,
    },
    Fault {
        id: "mcp-template-listed",
        promises: &["BRG-MCP-03"],
        title: "The shape of every URI is listed as a template",
        bend: |rules| rules.mcp_lists.no_templates = false,
    },
    Fault {
        id: "mcp-change-announced-per-entry",
        promises: &["BRG-MCP-12", "BRG-MCP-13", "BRG-MCP-24"],
        title: "A change of the resource list is announced once for every entry",
        bend: |rules| rules.mcp_lists.announce_once = false,
    },
];

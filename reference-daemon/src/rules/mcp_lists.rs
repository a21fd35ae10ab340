//! What the MCP server decides about the lists it shows and the changes it announces (`MCP`).

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

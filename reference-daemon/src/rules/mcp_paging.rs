//! How lists come in pages, where they do (`MCP-35`).

/// Decisions about pages and cursors.
#[derive(Clone, Debug, PartialEq)]
pub struct PagingRules {
    /// Entries per page, in place of what is configured.
    pub size: Option<usize>,
    /// A cursor that was altered is refused (`MCP-35`); otherwise it is a plain number that anybody can write.
    pub sealed: bool,
    /// What is made of a cursor that is none (`MCP-35`).
    pub bad_cursor: BadCursor,
    /// A page begins where the last one ended (`MCP-35`); otherwise so many entries later, or earlier.
    pub shift: isize,
    /// The last page has no cursor (`MCP-35`).
    pub ends: bool,
    /// A page that is the last is given (`MCP-35`); otherwise the walk ends before it.
    pub last_page: bool,
    /// Entries of one name are all given (`MCP-35`).
    pub equal_names: bool,
}

/// What is made of a cursor that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCursor {
    /// -32602.
    Refused,
    /// An empty page.
    EmptyPage,
    /// -32603.
    InternalError,
}

impl Default for PagingRules {
    fn default() -> Self {
        Self {
            size: None,
            sealed: true,
            bad_cursor: BadCursor::Refused,
            shift: 0,
            ends: true,
            last_page: true,
            equal_names: true,
        }
    }
}

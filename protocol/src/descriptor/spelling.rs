//! The two spellings of a descriptor.

/// Whose spelling of the keys: the bridge's `snake_case` or MCP's `camelCase`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Wire,
    Mcp,
}

impl Spelling {
    pub(super) fn pick(self, wire: &'static str, mcp: &'static str) -> &'static str {
        match self {
            Self::Wire => wire,
            Self::Mcp => mcp,
        }
    }
}

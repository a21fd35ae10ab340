//! The two things that an app registers.

/// Tools or resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The tool registry.
    Tool,
    /// The resource registry.
    Resource,
}

impl Kind {
    /// The key of one entry in a delta.
    pub(super) fn item(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
        }
    }

    /// The key of the list in a snapshot.
    pub(super) fn list(self) -> &'static str {
        match self {
            Self::Tool => "tools",
            Self::Resource => "resources",
        }
    }
}

//! The one table of what the protocol's revisions differ in.
//!
//! No other place in the workspace asks "which revision is this?" and then decides something: it asks for a
//! [fact](RevisionTraits) about it.

use std::fmt;

/// A revision of the protocol, named by its date as on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// `2025-06-18`.
    V2025_06_18,
    /// `2025-11-25`, the last one that opens with a handshake.
    V2025_11_25,
    /// `2026-07-28`, the first one without: every request describes itself.
    V2026_07_28,
}

impl Revision {
    /// All of them, oldest first.
    pub const ALL: [Self; 3] = [Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The revision with this name on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.name() == name)
    }

    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// What holds in it.
    #[must_use]
    pub fn facts(self) -> &'static RevisionTraits {
        match self {
            Self::V2025_06_18 => &V2025_06_18,
            Self::V2025_11_25 => &V2025_11_25,
            Self::V2026_07_28 => &V2026_07_28,
        }
    }
}

/// Its name on the wire.
impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What holds in one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RevisionTraits {
    /// The name on the wire: a date.
    pub name: &'static str,
    /// Opens with `initialize` and `notifications/initialized`. Otherwise every request carries its revision and the
    /// client's capabilities in `params._meta`, and `server/discover` tells what the server offers.
    pub handshake: bool,
    /// How a client asks for notifications.
    pub subscribing: Subscribing,
    /// `notifications/*/list_changed` come without being asked for (otherwise on a listen stream that asked only).
    pub unasked_list_changes: bool,
    /// Descriptors may have `icons`; in other revisions the member must not appear.
    pub icons: bool,
    /// The error code for a resource that does not exist.
    pub not_found: i64,
    /// The server must use [`not_found`](Self::not_found) (otherwise it should).
    pub not_found_is_must: bool,
    /// Every result must carry `resultType`; in other revisions the member must not appear.
    pub result_type: bool,
    /// List and read results must carry `ttlMs` and `cacheScope`; in other revisions they must not appear.
    pub cache_hints: bool,
    /// `structuredContent` may be any JSON value (otherwise an object), and an output schema any schema (otherwise one of
    /// type object).
    pub any_structured_content: bool,
    /// Several messages may share a line. No revision listed here allows it; older ones did.
    pub batching: bool,
    /// What is said about the names of tools.
    pub tool_names: ToolNames,
    /// The server may send requests to the client.
    pub server_requests: bool,
    /// `ping` exists, both ways.
    pub ping: bool,
    /// `logging/setLevel` exists.
    pub logging: bool,
    /// An error response may lack its `id` when the request's could not be read (otherwise its schema wants one).
    pub error_without_id: bool,
    /// Invalid arguments of a tool are an execution error, `isError` (otherwise a protocol error).
    pub invalid_arguments_are_execution_errors: bool,
    /// A request id must not be used twice in a session (otherwise: not while the first is in flight).
    pub ids_never_reused: bool,
}

/// How a client asks for notifications about resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscribing {
    /// `resources/subscribe` and `resources/unsubscribe`, one URI at a time.
    PerUri,
    /// `subscriptions/listen` with a filter; cancelling that request ends it.
    Listening,
}

/// What a revision says about the names of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolNames {
    /// Nothing.
    Free,
    /// They should be 1 to this many characters of `A-Z a-z 0-9 _ - .`, and unique within a server.
    Should {
        /// The longest a name should be.
        longest: usize,
    },
}

impl ToolNames {
    /// Whether a name is as the revision wants it.
    #[must_use]
    pub fn allow(self, name: &str) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        match self {
            Self::Free => true,
            Self::Should { longest } => (1..=longest).contains(&name.len()) && name.chars().all(plain),
        }
    }
}

const V2025_06_18: RevisionTraits = RevisionTraits {
    name: "2025-06-18",
    handshake: true,
    subscribing: Subscribing::PerUri,
    unasked_list_changes: true,
    icons: false,
    not_found: -32002,
    not_found_is_must: false,
    result_type: false,
    cache_hints: false,
    any_structured_content: false,
    batching: false,
    tool_names: ToolNames::Free,
    server_requests: true,
    ping: true,
    logging: true,
    error_without_id: false,
    invalid_arguments_are_execution_errors: false,
    ids_never_reused: true,
};

const V2025_11_25: RevisionTraits = RevisionTraits {
    name: "2025-11-25",
    icons: true,
    tool_names: ToolNames::Should { longest: 128 },
    error_without_id: true,
    invalid_arguments_are_execution_errors: true,
    ..V2025_06_18
};

const V2026_07_28: RevisionTraits = RevisionTraits {
    name: "2026-07-28",
    handshake: false,
    subscribing: Subscribing::Listening,
    unasked_list_changes: false,
    not_found: -32602,
    not_found_is_must: true,
    result_type: true,
    cache_hints: true,
    any_structured_content: true,
    server_requests: false,
    ping: false,
    logging: false,
    ids_never_reused: false,
    ..V2025_11_25
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_revisions_are_one_to_one() {
        for revision in Revision::ALL {
            assert_eq!(Revision::parse(revision.name()), Some(revision));
        }
        assert_eq!(Revision::parse("2024-11-05"), None);
        assert_eq!(Revision::parse("draft"), None);
    }

    #[test]
    fn tool_names_are_judged_by_their_revision() {
        let rule = Revision::V2025_11_25.facts().tool_names;
        assert!(rule.allow("a_b-c.D9") && rule.allow(&"x".repeat(128)));
        assert!(!rule.allow("") && !rule.allow("a b") && !rule.allow(&"x".repeat(129)));
        assert!(Revision::V2025_06_18.facts().tool_names.allow("a b"));
    }
}

//! The kinds of event that the control RPC reports.

use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// The kind of an event (section 6 of the contract).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventKind {
            $($(#[$doc])* $variant,)+
        }

        impl EventKind {
            /// Every kind, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The spelling on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The kind with this spelling.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.as_str() == text)
            }
        }
    };
}

kinds! {
    /// The daemon is up.
    DaemonStarted = "daemon_started",
    /// A link was minted.
    LinkCreated = "link_created",
    /// A link's time was over before anybody claimed it.
    LinkExpired = "link_expired",
    /// An app claimed a link.
    SessionClaimed = "session_claimed",
    /// A session lost its socket.
    SessionSuspended = "session_suspended",
    /// A session has a socket again.
    SessionResumed = "session_resumed",
    /// The operator ended a session.
    SessionRevoked = "session_revoked",
    /// Grace was over before the app came back.
    SessionExpired = "session_expired",
    /// The tool registry changed; data `{toolCount}`.
    ToolsChanged = "tools_changed",
    /// The resource registry changed; data `{resourceCount}` (BRG-RPC-05).
    ResourcesChanged = "resources_changed",
    /// The app sent an `event` frame.
    AppEvent = "app_event",
    /// A call was sent to the app.
    ToolCallStarted = "tool_call_started",
    /// The app reported progress of a call.
    ToolCallProgress = "tool_call_progress",
    /// A call ended.
    ToolCallFinished = "tool_call_finished",
}

impl EventKind {
    /// Whether the kind is kept for `events.since`: all but progress (BRG-RPC-07).
    pub fn is_retained(self) -> bool {
        self != Self::ToolCallProgress
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

crate::serialized_as_text!(EventKind);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_survive_their_text() {
        for &kind in EventKind::ALL {
            assert_eq!(EventKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(EventKind::parse("tools-changed"), None);
        assert_eq!(EventKind::ALL.len(), 14);
    }
}

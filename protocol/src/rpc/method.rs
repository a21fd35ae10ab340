//! The methods of the control RPC.

use std::fmt;

macro_rules! methods {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// A method of the control RPC.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Method {
            $($(#[$doc])* $variant,)+
        }

        impl Method {
            /// Every method, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The spelling on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The method with this spelling; any other one does not exist (BRG-RPC-11).
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|method| method.as_str() == text)
            }
        }
    };
}

methods! {
    /// How the daemon is, [`DaemonStatus`](super::DaemonStatus).
    DaemonStatus = "daemon.status",
    /// Ends the daemon (BRG-CON-14).
    DaemonShutdown = "daemon.shutdown",
    /// Mints a link, [`LinkCreated`](super::LinkCreated).
    LinkCreate = "link.create",
    /// All live sessions, [`SessionsListing`](super::SessionsListing).
    SessionsList = "sessions.list",
    /// One session, [`SessionSummary`](super::SessionSummary).
    SessionsDescribe = "sessions.describe",
    /// Ends a session or discards a link (BRG-SES-10).
    SessionsRevoke = "sessions.revoke",
    /// The tools of a session, [`ToolListing`](super::ToolListing).
    ToolsList = "tools.list",
    /// Calls a tool, [`CallOutcome`](super::CallOutcome).
    ToolsCall = "tools.call",
    /// Cancels a call, [`CancelOutcome`](super::CancelOutcome).
    ToolsCancel = "tools.cancel",
    /// Asks for events as they happen, [`EventRecord`](super::EventRecord).
    EventsSubscribe = "events.subscribe",
    /// Events that happened, [`EventsPage`](super::EventsPage).
    EventsSince = "events.since",
    /// The resources of a session, [`ResourceListing`](super::ResourceListing).
    ResourcesList = "resources.list",
    /// Reads a resource, [`ReadOutcome`](super::ReadOutcome).
    ResourcesRead = "resources.read",
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

crate::serialized_as_text!(Method);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_survive_their_text() {
        assert_eq!(Method::ALL.len(), 13);
        for &method in Method::ALL {
            assert_eq!(Method::parse(method.as_str()), Some(method));
        }
        for other in ["", "tools", "Tools.list", "tools.list ", "rpc.discover", "__proto__"] {
            assert_eq!(Method::parse(other), None);
        }
    }
}

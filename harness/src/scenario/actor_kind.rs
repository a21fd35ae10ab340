//! The kinds of actors.

/// The kinds of actors, as verbs see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActorKind {
    /// A mock app.
    App,
    /// A mock MCP client.
    Client,
    /// Someone at the control RPC and the command line.
    Operator,
    /// The daemon's process and clock.
    Daemon,
}

impl ActorKind {
    /// In words, with its article.
    pub fn words(self) -> &'static str {
        match self {
            Self::App => "an app",
            Self::Client => "a client",
            Self::Operator => "an operator",
            Self::Daemon => "the daemon",
        }
    }
}

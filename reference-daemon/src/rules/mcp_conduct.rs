//! How the MCP server bears up: the handshake's order, odd messages, restarts of the daemon, long calls, apps that are
//! away (`MCP-18`, `MCP-33`, `MCP-36` … `MCP-38`).

/// Decisions about what spoils a connection and what does not.
#[derive(Clone, Debug, PartialEq)]
pub struct McpConductRules {
    /// `initialized` without `initialize` opens nothing (`MCP-33`).
    pub initialized_opens_nothing: bool,
    /// A failed `initialize` can be tried again (`MCP-33`).
    pub initialize_again: bool,
    /// A failed `initialize` opens nothing (`MCP-33`).
    pub failed_initialize_opens_nothing: bool,
    /// A ping before the handshake is answered (`MCP-33`).
    pub early_ping: bool,
    /// `initialized` said twice changes nothing (`MCP-33`); otherwise nothing is announced any more.
    pub initialized_twice: bool,
    /// What ends the server (`MCP-38`: nothing).
    pub ends_on: Option<EndsOn>,
    /// How often a lost daemon is found again (`MCP-37`: always).
    pub reconnects: Option<u32>,
    /// How often events are subscribed to (`MCP-37`: on every connection).
    pub event_subscriptions: Option<u32>,
    /// Calls ask for the deadline that the tool has (`MCP-36`); otherwise for this one, in milliseconds.
    pub call_deadline: CallDeadline,
    /// Commands ask for the deadline that the tool has (`MCP-36`), unless told another.
    pub command_deadline: CallDeadline,
    /// What subscribing to a suspended app's resource does (`MCP-18`).
    pub subscribe_while_away: WhileAway,
    /// What unsubscribing from a suspended app's resource does (`MCP-18`).
    pub unsubscribe_while_away: WhileAway,
}

/// What ends the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndsOn {
    /// A cancel of what is not open.
    StrayCancel,
    /// A cancel without an id.
    CancelWithoutId,
    /// An answer to nothing.
    StrayAnswer,
    /// An error that answers nothing.
    ErrorAnswer,
    /// A notification nobody knows.
    UnknownNotification,
    /// Arguments that are nested deeply.
    DeepArguments,
    /// An id that is no plain number or word.
    OddId,
    /// A call that an app fails.
    FailedCall,
    /// A call whose session ended.
    EndedSession,
    /// A call whose app is away.
    LostApp,
    /// A cancelled call.
    CancelledCall,
    /// A request that is refused.
    RefusedCall,
    /// A request while the daemon is away.
    DaemonAway,
}

/// Which deadline a call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallDeadline {
    /// The tool's, or the caller's own.
    Own,
    /// This one, whatever the tool says.
    Always(u64),
    /// Never more than this one.
    AtMost(u64),
}

/// What a request about a resource does while its app is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhileAway {
    /// What it always does.
    Counts,
    /// Nothing, and nobody is told.
    Ignored,
    /// It is refused.
    Refused,
}

impl Default for McpConductRules {
    fn default() -> Self {
        Self {
            initialized_opens_nothing: true,
            initialize_again: true,
            failed_initialize_opens_nothing: true,
            early_ping: true,
            initialized_twice: true,
            ends_on: None,
            reconnects: None,
            event_subscriptions: None,
            call_deadline: CallDeadline::Own,
            command_deadline: CallDeadline::Own,
            subscribe_while_away: WhileAway::Counts,
            unsubscribe_while_away: WhileAway::Counts,
        }
    }
}

impl CallDeadline {
    /// What is asked for where the tool says `own` (or nothing).
    pub fn asked(self, own: Option<u64>) -> Option<u64> {
        match self {
            Self::Own => None,
            Self::Always(ms) => Some(ms),
            Self::AtMost(most) => own.filter(|own| *own > most).map(|_| most),
        }
    }
}

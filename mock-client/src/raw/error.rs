//! What can go wrong on the raw lane.

use super::message::Arrived;
use std::fmt;
use std::sync::Arc;

/// Why nothing more can arrive.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// The server closed its output, or exited.
    #[error("the server closed its output")]
    Eof,
    /// A line outgrew [`Limits::line_bytes`](super::Limits::line_bytes); reading stopped there.
    #[error("the server sent a line of more than {limit} bytes; reading stopped")]
    LineTooLong {
        /// The limit that was in force.
        limit: usize,
    },
    /// What arrived outgrew [`Limits::kept_bytes`](super::Limits::kept_bytes); reading stopped there.
    #[error("what the server sent takes more than {limit} bytes to keep; reading stopped")]
    TooMuch {
        /// The limit that was in force.
        limit: usize,
    },
    /// Reading failed.
    #[error("reading from the server failed: {0}")]
    Failed(String),
    /// This side stopped reading.
    #[error("this client stopped reading")]
    Local,
}

/// A message could not be handed to the server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The server no longer reads: its end of the pipe is closed, or ours is.
    #[error("the server's input is closed: {why}")]
    Closed {
        /// The system's reason.
        why: String,
    },
    /// The server does not read: the pipe is full and stayed so until the deadline.
    #[error("the server did not take {bytes} bytes in time")]
    Stalled {
        /// How many bytes were to be written.
        bytes: usize,
    },
    /// The transport has no such thing, as bare bytes where every message is a request of its own.
    #[error("this transport cannot send {what}")]
    Unsupported {
        /// What was asked of it.
        what: &'static str,
    },
}

/// Something did not come. Carries all that came instead.
#[derive(Clone, Debug)]
pub struct WaitError {
    /// What was waited for, in words.
    pub waited_for: String,
    /// Why the waiting ended.
    pub why: WaitFailure,
    /// Everything that arrived after the place where the waiting began, in order.
    pub arrived: Vec<Arc<Arrived>>,
}

/// Why waiting ended without what was waited for.
#[derive(Clone, Debug)]
pub enum WaitFailure {
    /// The deadline passed.
    Deadline,
    /// Nothing more can arrive.
    Ended(End),
    /// What came mentions the id that was waited for, but is no message.
    Malformed(Arc<Arrived>),
}

impl WaitError {
    /// Whether time was the only thing missing.
    #[must_use]
    pub fn is_deadline(&self) -> bool {
        matches!(self.why, WaitFailure::Deadline)
    }
}

impl fmt::Display for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {}: ", self.waited_for)?;
        match &self.why {
            WaitFailure::Deadline => f.write_str("the deadline passed")?,
            WaitFailure::Ended(end) => end.fmt(f)?,
            WaitFailure::Malformed(arrived) => write!(f, "it came malformed: {}", arrived.line)?,
        }
        match self.arrived.len() {
            0 => f.write_str(" (nothing arrived meanwhile)"),
            1 => write!(f, " (meanwhile arrived: {})", self.arrived[0].line),
            lines => write!(f, " ({lines} lines arrived meanwhile)"),
        }
    }
}

impl std::error::Error for WaitError {}

//! What can go wrong with a daemon before anything is asked of it.

use super::own_limits::is_own_limit;
use super::process::Exit;
use std::time::Duration;

/// Why a daemon could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its folder could not be made.
    #[error("the folder for the daemon could not be prepared: {0}")]
    Folder(std::io::Error),
    /// Its configuration could not be written where the target file says.
    #[error("the daemon's configuration could not be written: {0}")]
    Config(std::io::Error),
    /// The program could not be started at all.
    #[error("`{command}` could not be started: {error}")]
    Spawn {
        /// The command line.
        command: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It ended before it was ready.
    #[error("the daemon ended ({exit}) before it was ready{}", tail(.stderr))]
    Ended {
        /// How.
        exit: Exit,
        /// The end of its standard error.
        stderr: Vec<String>,
    },
    /// It gave no proof of being ready in time, and was killed.
    #[error("the daemon gave no sign of being ready within {within:?} (waited for {proof}){}", tail(.stderr))]
    NotReady {
        /// How long it had.
        within: Duration,
        /// What was waited for.
        proof: String,
        /// The end of its standard error.
        stderr: Vec<String>,
    },
    /// It is running already.
    #[error("the daemon is running already")]
    Running,
}

impl StartError {
    /// Whether this side is at fault: its own folders, files or space.
    pub fn is_own(&self) -> bool {
        match self {
            Self::Folder(_) => true,
            Self::Config(error) | Self::Spawn { error, .. } => is_own_limit(error),
            _ => false,
        }
    }
}

/// Why the daemon's time could not be made to pass.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// The target has a real clock, and the wait is longer than it allows.
    #[error("waiting {wanted:?} is more than the target's limit of {limit:?}, and its clock cannot be moved")]
    TooLong {
        /// What was asked.
        wanted: Duration,
        /// The most the target file allows.
        limit: Duration,
    },
    /// The daemon did not answer.
    #[error("the daemon did not say that its clock has moved: {0}")]
    NoAnswer(String),
}

fn tail(stderr: &[String]) -> String {
    if stderr.is_empty() {
        return "; it wrote nothing to its standard error".into();
    }
    let last = &stderr[stderr.len().saturating_sub(10)..];
    format!("; the end of its standard error:\n    {}", last.join("\n    "))
}

//! How a child ended.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

/// How a child ended. Both fields absent: the system did not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Exit code, absent when a signal ended it.
    pub code: Option<i32>,
    /// Signal number, absent when it exited by itself.
    pub signal: Option<i32>,
    /// Others of its group were still there when it ended (also those that had ended and nobody had reaped); they were
    /// killed.
    pub left_behind: bool,
}

impl Exit {
    pub(super) fn new(status: Option<ExitStatus>, left_behind: bool) -> Self {
        Self {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            left_behind,
        }
    }

    /// Exit code 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.code == Some(0)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "signal {signal}"),
            (None, None) => f.write_str("unknown exit"),
        }
    }
}

//! Signals by the names that scenarios use.

use std::fmt;

/// The signals a scenario may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGTERM.
    Terminate,
    /// SIGINT.
    Interrupt,
    /// SIGHUP.
    HangUp,
    /// SIGKILL.
    Kill,
    /// SIGSTOP: the process stands still until [`Continue`](Self::Continue).
    Stop,
    /// SIGCONT.
    Continue,
}

impl Signal {
    pub(super) fn to_rustix(self) -> rustix::process::Signal {
        match self {
            Self::Terminate => rustix::process::Signal::TERM,
            Self::Interrupt => rustix::process::Signal::INT,
            Self::HangUp => rustix::process::Signal::HUP,
            Self::Kill => rustix::process::Signal::KILL,
            Self::Stop => rustix::process::Signal::STOP,
            Self::Continue => rustix::process::Signal::CONT,
        }
    }
}

/// The signal's usual name, `SIGTERM` and so on.
impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terminate => "SIGTERM",
            Self::Interrupt => "SIGINT",
            Self::HangUp => "SIGHUP",
            Self::Kill => "SIGKILL",
            Self::Stop => "SIGSTOP",
            Self::Continue => "SIGCONT",
        })
    }
}

//! The ways to end a daemon.

/// Ways to end a daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopMethod {
    /// `daemon.shutdown` on the control RPC.
    Rpc,
    /// SIGTERM.
    Sigterm,
    /// SIGINT.
    Sigint,
    /// SIGKILL: no chance to tidy up.
    Kill,
}

impl StopMethod {
    /// The way as scenario files spell it.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "rpc" => Some(Self::Rpc),
            "sigterm" => Some(Self::Sigterm),
            "sigint" => Some(Self::Sigint),
            "kill" => Some(Self::Kill),
            _ => None,
        }
    }

    /// As reports call it.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::Rpc => "daemon.shutdown",
            Self::Sigterm => "SIGTERM",
            Self::Sigint => "SIGINT",
            Self::Kill => "SIGKILL",
        }
    }
}

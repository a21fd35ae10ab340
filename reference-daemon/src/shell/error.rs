//! Why the daemon did not start.

use super::config::ConfigError;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// A mistake or obstacle that keeps the daemon from starting. Nothing of it is a peer's doing.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// Another daemon runs on this state folder.
    #[error("a daemon is already running on {}{}", path.display(), pid.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    AlreadyRunning {
        /// The state folder.
        path: PathBuf,
        /// Its process id, where its pid file tells.
        pid: Option<u32>,
    },
    /// Something that is no socket stands where the control socket belongs. It is left alone.
    #[error("{} is in the way: it is not a socket, so it is not replaced", path.display())]
    InTheWay {
        /// Where.
        path: PathBuf,
    },
    /// The system allows no socket with a path this long.
    #[error("the control socket's path has {length} bytes, the system allows {limit}: choose a shorter state folder ({})", path.display())]
    SocketPathTooLong {
        /// The path.
        path: PathBuf,
        /// Its length in bytes.
        length: usize,
        /// Most bytes allowed.
        limit: usize,
    },
    /// `config.json` cannot be understood.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The key file may be read by others (BRG-RPC-10).
    #[error("{} may be read by others (mode {mode:03o}, expected 600): its secret is lost; remove it, or run chmod 600 on it if nobody read it", path.display())]
    LooseKey {
        /// The key file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The key file holds no usable key.
    #[error("{} holds no usable private key: {why}", path.display())]
    BadKey {
        /// The key file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
    /// The WebSocket port belongs to somebody else.
    #[error("{address} is already in use: choose another wssPort, or 0 for any free one")]
    PortInUse {
        /// The address.
        address: SocketAddr,
    },
    /// The WebSocket address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
    /// A file or folder cannot be used.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// What was tried, as a verb phrase.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The process cannot be told about signals.
    #[error("cannot listen for signals: {0}")]
    Signals(io::Error),
}

impl ShellError {
    /// Exit code of a process that ends with this error: 65 when something the user wrote must be changed, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Config(_) | Self::LooseKey { .. } | Self::BadKey { .. } => 65,
            _ => 1,
        }
    }

    pub(super) fn file(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { what, path: path.to_owned(), source }
    }
}

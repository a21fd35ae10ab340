//! Why there is no connection.

use super::upgrade::UpgradeError;
use crate::tls::TlsError;
use std::net::SocketAddr;

/// Why a socket could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No TCP connection.
    #[error("no connection to {address}: {source}")]
    Tcp {
        /// Where to.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// No TLS.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No WebSocket.
    #[error(transparent)]
    Upgrade(#[from] UpgradeError),
    /// The deadline passed first.
    #[error("connecting to {address} took longer than it may")]
    DeadlinePassed {
        /// Where to.
        address: SocketAddr,
    },
}

//! The app's socket, down to single bits: TCP, TLS and the WebSocket upgrade, then frames built by hand.
//!
//! A [`Socket`] keeps no promise by itself, apart from three courtesies that can be switched off: it answers pings, it
//! answers a close frame, and it reads. Everything that goes over it, both ways, is recorded to the
//! [`Tap`] in the order it went.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use iolite_mock_app::socket::{Ending, Event, RawFrame, Scribe, Socket, SocketOptions};
//! use iolite_mock_app::tls::Trust;
//! let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(5);
//! let address = "127.0.0.1:7443".parse()?;
//! let options = SocketOptions::default();
//! let mut socket = Socket::connect(address, Trust::AnyKey, &options, Scribe::silent(), deadline).await?;
//! socket.sender().send(RawFrame::text("{}").rsv(0b100)).await?;
//! while let Event::Ping(_) = socket.events().next().await {}
//! socket.sender().end(Ending::Reset).await;
//! # Ok(())
//! # }
//! ```

mod assemble;
mod cut;
pub mod event;
pub mod frame;
mod reading;
mod stream;
mod upgrade;
mod writing;

pub use event::{Ended, Event, Violation};
pub use frame::{Mask, RawFrame};
pub use reading::SocketEvents;
pub use upgrade::UpgradeError;
pub use writing::{Ending, Gone, SocketSender};

use crate::tls::{Pin, TlsError, Trust, secure};
use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use std::net::SocketAddr;
use std::sync::Arc;
use stream::Stream;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// How a socket is opened and how it behaves at first.
#[derive(Clone, Debug)]
pub struct SocketOptions {
    /// How far the connection goes.
    pub stage: Stage,
    /// The path that is asked for in the upgrade.
    pub path: String,
    /// Headers sent with the upgrade besides the usual ones, exactly as given.
    pub headers: Vec<(String, String)>,
    /// Whether pings are answered (see [`SocketSender::answer_pings`]).
    pub answer_pings: bool,
    /// Whether a close frame is answered (see [`SocketSender::answer_close`]).
    pub answer_close: bool,
    /// How many bytes may wait to be taken before reading stops with [`Ended::Flood`]. No frame may be longer either.
    pub backlog_limit: usize,
}

impl Default for SocketOptions {
    fn default() -> Self {
        Self {
            stage: Stage::WebSocket,
            path: "/".to_owned(),
            headers: Vec::new(),
            answer_pings: true,
            answer_close: true,
            backlog_limit: 64 * 1024 * 1024,
        }
    }
}

/// How far a connection goes before it is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// TCP only: what is sent goes out in clear.
    Tcp,
    /// TLS, but no upgrade.
    Tls,
    /// A WebSocket.
    WebSocket,
}

/// Writes one connection's records.
#[derive(Clone, Debug)]
pub struct Scribe {
    tap: Tap,
    actor: Arc<str>,
    connection: u32,
}

impl Scribe {
    /// A scribe for the `connection`-th connection (from 1) of `actor`.
    pub fn new(tap: Tap, actor: &str, connection: u32) -> Self {
        Self { tap, actor: actor.into(), connection }
    }

    /// A scribe that writes nothing down.
    pub fn silent() -> Self {
        Self::new(Tap::none(), "", 1)
    }

    fn record(&self, direction: Direction, payload: Payload) {
        self.tap.record(Record::seen(Wire::App, &self.actor, self.connection, direction, payload));
    }
}

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

/// An open connection to the daemon.
///
/// It is closed (TCP end without any goodbye) when the socket, or all of the senders it was
/// [split](Self::split) into, are dropped; [`SocketSender::end`] closes it in a chosen way.
#[derive(Debug)]
pub struct Socket {
    sender: SocketSender,
    events: SocketEvents,
    presented_pin: Option<Pin>,
}

impl Socket {
    /// Opens a connection as far as `options.stage` says.
    ///
    /// # Errors
    /// The first stage that fails, or [`ConnectError::DeadlinePassed`].
    pub async fn connect(
        address: SocketAddr,
        trust: Trust,
        options: &SocketOptions,
        scribe: Scribe,
        deadline: Instant,
    ) -> Result<Self, ConnectError> {
        let scheme = match options.stage {
            Stage::Tcp => "tcp",
            Stage::Tls => "tls",
            Stage::WebSocket => "wss",
        };
        let path = &options.path;
        let detail = format!("{scheme}://{address}{path}");
        scribe.record(Direction::Local, Payload::Opened { detail });
        let opened = timeout_at(deadline, Self::open(address, trust, options, &scribe))
            .await
            .unwrap_or(Err(ConnectError::DeadlinePassed { address }));
        if let Err(error) = &opened {
            let how = error.to_string();
            scribe.record(Direction::Local, Payload::Ended { how });
        }
        opened
    }

    async fn open(
        address: SocketAddr,
        trust: Trust,
        options: &SocketOptions,
        scribe: &Scribe,
    ) -> Result<Self, ConnectError> {
        let no_tcp = |source| ConnectError::Tcp { address, source };
        let tcp = TcpStream::connect(address).await.map_err(no_tcp)?;
        tcp.set_nodelay(true).map_err(no_tcp)?;
        let handle = socket2::SockRef::from(&tcp).try_clone().map_err(no_tcp)?;
        if options.stage == Stage::Tcp {
            return Ok(Self::run(Stream::Plain(tcp), handle, Vec::new(), None, options, scribe));
        }
        let mut secured = secure(tcp, address.ip(), trust).await?;
        let behind = match options.stage {
            Stage::WebSocket => upgrade::upgrade(&mut secured.stream, address, &options.path, &options.headers).await?,
            Stage::Tcp | Stage::Tls => Vec::new(),
        };
        let stream = Stream::Secured(Box::new(secured.stream));
        let pin = Some(secured.presented);
        Ok(Self::run(stream, handle, behind, pin, options, scribe))
    }

    fn run(
        stream: Stream,
        handle: socket2::Socket,
        behind: Vec<u8>,
        presented_pin: Option<Pin>,
        options: &SocketOptions,
        scribe: &Scribe,
    ) -> Self {
        let (read_half, write_half) = tokio::io::split(stream);
        let (sender, manners) = writing::start(write_half, handle, options, scribe.clone());
        let events = reading::start(read_half, behind, options, manners, scribe.clone());
        Self { sender, events, presented_pin }
    }

    /// The sending side.
    pub fn sender(&self) -> &SocketSender {
        &self.sender
    }

    /// The receiving side.
    pub fn events(&mut self) -> &mut SocketEvents {
        &mut self.events
    }

    /// The pin of the key that the daemon showed; `None` without TLS.
    pub fn presented_pin(&self) -> Option<Pin> {
        self.presented_pin
    }

    /// Both sides apart, for different tasks.
    pub fn split(self) -> (SocketSender, SocketEvents) {
        (self.sender, self.events)
    }
}

#[cfg(test)]
mod tests;

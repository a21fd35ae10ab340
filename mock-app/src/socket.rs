//! The app's socket, down to single bits: TCP, TLS and the WebSocket upgrade, then frames built by hand.
//!
//! A [`Socket`] keeps no promise by itself, apart from three courtesies that can be switched off: it answers pings, it
//! answers a close frame, and it reads. Everything that goes over it, both ways, is recorded to the
//! [`Tap`](iolite_protocol::transcript::Tap) in the order it went.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use iolite_mock_app::socket::{HowToEnd, Event, RawFrame, ConnectionRecorder, Socket, SocketOptions};
//! use iolite_mock_app::tls::Trust;
//! let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(5);
//! let address = "127.0.0.1:7443".parse()?;
//! let options = SocketOptions::default();
//! let mut socket = Socket::connect(address, Trust::AnyKey, &options, ConnectionRecorder::silent(), deadline).await?;
//! socket.sender().send(RawFrame::text("{}").rsv(0b100)).await?;
//! while let Event::Ping(_) = socket.events().next().await {}
//! socket.sender().end(HowToEnd::Reset).await;
//! # Ok(())
//! # }
//! ```

mod assembler;
mod connect_error;
pub mod event;
pub mod frame;
mod frame_decoder;
mod http_exchange;
mod options;
mod reader;
mod recorder;
mod stream;
mod upgrade;
mod writer;

pub use connect_error::ConnectError;
pub use event::{Ended, Event, Violation};
pub use frame::{Mask, RawFrame};
pub use http_exchange::{HttpAnswer, HttpExchange};
pub use options::{SocketOptions, Stage};
pub use reader::SocketEvents;
pub use recorder::ConnectionRecorder;
pub use upgrade::UpgradeError;
pub use writer::{ConnectionGone, HowToEnd, SocketSender};

use crate::tls::{Pin, Trust, secure};
use iolite_protocol::transcript::{Direction, Payload};
use std::net::SocketAddr;
use stream::Stream;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

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
        recorder: ConnectionRecorder,
        deadline: Instant,
    ) -> Result<Self, ConnectError> {
        let scheme = match options.stage {
            Stage::Tcp => "tcp",
            Stage::Tls => "tls",
            Stage::WebSocket => "wss",
        };
        let path = &options.path;
        let detail = format!("{scheme}://{address}{path}");
        recorder.record(Direction::Local, Payload::Opened { detail });
        let opened = timeout_at(deadline, Self::open(address, trust, options, &recorder))
            .await
            .unwrap_or(Err(ConnectError::DeadlinePassed { address }));
        if let Err(error) = &opened {
            let how = error.to_string();
            recorder.record(Direction::Local, Payload::Ended { how });
        }
        opened
    }

    async fn open(
        address: SocketAddr,
        trust: Trust,
        options: &SocketOptions,
        recorder: &ConnectionRecorder,
    ) -> Result<Self, ConnectError> {
        let no_tcp = |source| ConnectError::Tcp { address, source };
        let tcp = TcpStream::connect(address).await.map_err(no_tcp)?;
        tcp.set_nodelay(true).map_err(no_tcp)?;
        let handle = socket2::SockRef::from(&tcp).try_clone().map_err(no_tcp)?;
        if options.stage == Stage::Tcp {
            return Ok(Self::run(Stream::Plain(tcp), handle, Vec::new(), None, options, recorder));
        }
        let mut secured = secure(tcp, address.ip(), trust).await?;
        let behind = match options.stage {
            Stage::WebSocket => upgrade::upgrade(&mut secured.stream, address, &options.path, &options.headers).await?,
            Stage::Tcp | Stage::Tls => Vec::new(),
        };
        let stream = Stream::Secured(Box::new(secured.stream));
        let pin = Some(secured.presented);
        Ok(Self::run(stream, handle, behind, pin, options, recorder))
    }

    fn run(
        stream: Stream,
        handle: socket2::Socket,
        behind: Vec<u8>,
        presented_pin: Option<Pin>,
        options: &SocketOptions,
        recorder: &ConnectionRecorder,
    ) -> Self {
        let (read_half, write_half) = tokio::io::split(stream);
        let (sender, behaviour) = writer::start(write_half, handle, options, recorder.clone());
        let events = reader::start(read_half, behind, options, behaviour, recorder.clone());
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

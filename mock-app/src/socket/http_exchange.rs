//! One HTTP exchange at the app port, for what is no WebSocket upgrade: any bytes out, then whatever comes back until the
//! connection ends (BRG-CON-19).

use super::connect_error::ConnectError;
use super::recorder::ConnectionRecorder;
use crate::tls::{Trust, secure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::transcript::{Direction, Payload};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::client::TlsStream;

/// A TLS connection on which HTTP is spoken by hand.
#[derive(Debug)]
pub struct HttpExchange {
    stream: TlsStream<TcpStream>,
    recorder: ConnectionRecorder,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpAnswer {
    /// The status of the first line, where it is one of HTTP.
    pub status: Option<u16>,
    /// Everything that came.
    pub bytes: Vec<u8>,
    /// Whether the other side has ended the connection. After status 101 nobody waits for that.
    pub ended: bool,
}

impl HttpExchange {
    /// Opens the connection, TLS included.
    ///
    /// # Errors
    /// The first stage that fails, or [`ConnectError::DeadlinePassed`].
    pub async fn open(
        address: SocketAddr,
        trust: Trust,
        recorder: ConnectionRecorder,
        deadline: Instant,
    ) -> Result<Self, ConnectError> {
        recorder.record(Direction::Local, Payload::Opened { detail: format!("tls://{address}") });
        let opened = async {
            let no_tcp = |source| ConnectError::Tcp { address, source };
            let tcp = TcpStream::connect(address).await.map_err(no_tcp)?;
            tcp.set_nodelay(true).map_err(no_tcp)?;
            Ok(secure(tcp, address.ip(), trust).await?.stream)
        };
        let stream = timeout_at(deadline, opened).await.unwrap_or(Err(ConnectError::DeadlinePassed { address }))?;
        Ok(Self { stream, recorder })
    }

    /// Writes bytes, and with `finish` the end of what this side has to say.
    ///
    /// # Errors
    /// The stream's.
    pub async fn send(&mut self, bytes: &[u8], finish: bool) -> std::io::Result<()> {
        self.recorder.record(Direction::ToDaemon, http(bytes));
        self.stream.write_all(bytes).await?;
        self.stream.flush().await?;
        match finish {
            true => self.stream.shutdown().await,
            false => Ok(()),
        }
    }

    /// Reads until the other side ends the connection, has agreed to a WebSocket, or the deadline passes.
    pub async fn answer(mut self, deadline: Instant) -> HttpAnswer {
        let mut bytes = Vec::new();
        let read = async {
            while bytes.len() < MOST_BYTES {
                if status_of(&bytes) == Some(101) && bytes.windows(4).any(|at| at == b"\r\n\r\n") {
                    return false;
                }
                // A peer that ends TLS without a goodbye has ended it all the same.
                if self.stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                    return true;
                }
            }
            false
        };
        let ended = timeout_at(deadline, read).await.unwrap_or(false);
        self.recorder.record(Direction::FromDaemon, http(&bytes));
        HttpAnswer { status: status_of(&bytes), bytes, ended }
    }
}

fn http(bytes: &[u8]) -> Payload {
    Payload::Bytes { what: HTTP.to_owned(), base64: STANDARD.encode(bytes) }
}

fn status_of(bytes: &[u8]) -> Option<u16> {
    let line = bytes.split(|byte| *byte == b'\r').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    words.next().filter(|version| version.starts_with("HTTP/1."))?;
    words.next()?.parse().ok()
}

/// What the bytes are called in transcripts.
const HTTP: &str = "http";

/// More than that is no answer to a request.
const MOST_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::status_of;

    #[test]
    fn the_status_stands_in_the_first_line() {
        assert_eq!(status_of(b"HTTP/1.1 400 Bad Request\r\n\r\n"), Some(400));
        assert_eq!(status_of(b"HTTP/1.0 408 \r\n"), Some(408));
        assert_eq!(status_of(b"HTTP/2 400\r\n"), None);
        assert_eq!(status_of(b"400"), None);
        assert_eq!(status_of(b""), None);
    }
}

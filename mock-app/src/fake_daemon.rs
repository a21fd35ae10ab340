//! A daemon's listening side for the tests of this crate: TLS with a key of its own, an upgrade, and frames read and
//! written one by one. It keeps no protocol: each test says what it does.

use crate::socket::frame::{CLOSE, Mask, RawFrame, TEXT};
use crate::tls::{Pin, pin_of_public_key};
use rcgen::PublicKeyData;
use rustls::pki_types::PrivateKeyDer;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

/// A generous bound for things that must happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn soon() -> Instant {
    Instant::now() + PATIENCE
}

pub(crate) struct FakeDaemon {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    pin: Pin,
}

impl FakeDaemon {
    pub(crate) async fn start() -> Self {
        let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        let pin = pin_of_public_key(&made.signing_key.subject_public_key_info());
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        Self {
            listener: TcpListener::bind("127.0.0.1:0").await.unwrap(),
            acceptor: TlsAcceptor::from(Arc::new(config)),
            pin,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.listener.local_addr().unwrap()
    }

    pub(crate) fn pin(&self) -> Pin {
        self.pin
    }

    pub(crate) async fn accept_tcp(&self) -> TcpStream {
        timeout(PATIENCE, self.listener.accept()).await.unwrap().unwrap().0
    }

    pub(crate) async fn try_accept_tls(&self) -> std::io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(self.accept_tcp().await).await
    }

    pub(crate) async fn accept_tls(&self) -> TlsStream<TcpStream> {
        self.try_accept_tls().await.unwrap()
    }

    /// Accepts a connection and upgrades it.
    pub(crate) async fn accept(&self) -> Peer {
        self.accept_with(&[]).await
    }

    /// Accepts a connection, upgrades it, and sends `behind` in the same write as the answer.
    pub(crate) async fn accept_with(&self, behind: &[u8]) -> Peer {
        let mut stream = self.accept_tls().await;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        let head = String::from_utf8(head).unwrap();
        let key = head.lines().find_map(|line| line.strip_prefix("Sec-WebSocket-Key: ")).unwrap();
        let accept = derive_accept_key(key.as_bytes());
        let mut answer = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {accept}\r\n\r\n"
        )
        .into_bytes();
        answer.extend_from_slice(behind);
        stream.write_all(&answer).await.unwrap();
        Peer { stream, head }
    }
}

/// One accepted connection, seen from the daemon.
pub(crate) struct Peer {
    pub(crate) stream: TlsStream<TcpStream>,
    /// The upgrade request's head.
    pub(crate) head: String,
}

/// A frame as the daemon read it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReadFrame {
    pub(crate) opcode: u8,
    pub(crate) masked: bool,
    pub(crate) payload: Vec<u8>,
}

impl Peer {
    /// Sends a frame, unmasked unless it says otherwise.
    pub(crate) async fn send(&mut self, frame: RawFrame) {
        let frame = match frame.mask {
            Mask::Right => frame.mask(Mask::Missing),
            _ => frame,
        };
        self.send_bytes(&frame.encode([0; 4])).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
        self.stream.flush().await.unwrap();
    }

    pub(crate) async fn send_json(&mut self, frame: Value) {
        self.send(RawFrame::text(frame.to_string())).await;
    }

    pub(crate) async fn read_exact(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let read = self.stream.read_exact(&mut bytes);
        timeout(PATIENCE, read).await.unwrap().unwrap();
        bytes
    }

    /// Everything until the end of the connection; the error that ended it, if one did.
    pub(crate) async fn read_to_end(&mut self) -> (Vec<u8>, Option<std::io::ErrorKind>) {
        let mut bytes = Vec::new();
        let read = self.stream.read_to_end(&mut bytes);
        let result = timeout(PATIENCE, read).await.unwrap();
        (bytes, result.err().map(|error| error.kind()))
    }

    pub(crate) async fn read_frame(&mut self) -> ReadFrame {
        let header = self.read_exact(2).await;
        let length = match header[1] & 0x7F {
            126 => {
                let length = self.read_exact(2).await;
                usize::from(u16::from_be_bytes(length.try_into().unwrap()))
            }
            127 => {
                let length = self.read_exact(8).await;
                u64::from_be_bytes(length.try_into().unwrap()) as usize
            }
            short => usize::from(short),
        };
        let masked = header[1] & 0x80 != 0;
        let key = if masked { self.read_exact(4).await } else { vec![0; 4] };
        let mut payload = self.read_exact(length).await;
        for (byte, key) in payload.iter_mut().zip(key.iter().cycle()) {
            *byte ^= key;
        }
        ReadFrame { opcode: header[0] & 0xF, masked, payload }
    }

    /// The next text frame as JSON; everything else on the way is a mistake.
    pub(crate) async fn read_json(&mut self) -> Value {
        let frame = self.read_frame().await;
        assert_eq!(frame.opcode, TEXT, "{frame:?}");
        serde_json::from_slice(&frame.payload).unwrap()
    }

    /// Reads JSON frames until a close frame comes; returns the frames and the close payload.
    pub(crate) async fn read_to_close(&mut self) -> (Vec<Value>, Vec<u8>) {
        let mut seen = Vec::new();
        loop {
            let frame = self.read_frame().await;
            match frame.opcode {
                TEXT => seen.push(serde_json::from_slice(&frame.payload).unwrap()),
                CLOSE => return (seen, frame.payload),
                other => panic!("unexpected opcode {other}"),
            }
        }
    }
}

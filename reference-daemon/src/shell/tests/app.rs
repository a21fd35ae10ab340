//! A WebSocket client that sends frames as it is told, right or wrong.

use super::within;
use crate::shell::websocket::frame::{self, Header, server_frame, unmask};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

pub struct App {
    stream: TlsStream<TcpStream>,
    bytes: Vec<u8>,
}

impl App {
    pub async fn connect(port: u16) -> Self {
        // Small, so that the system does not take megabytes for an app that does not read.
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(16 * 1024).unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let tcp = within(socket.connect(address)).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let tls = within(TlsConnector::from(Arc::new(tls_config())).connect(name, tcp)).await.unwrap();
        let url = format!("wss://localhost:{port}/");
        let (socket, _) = within(tokio_tungstenite::client_async(url, tls)).await.unwrap();
        Self { stream: socket.into_inner(), bytes: Vec::new() }
    }

    pub fn leaf(&self) -> CertificateDer<'static> {
        self.stream.get_ref().1.peer_certificates().unwrap()[0].clone().into_owned()
    }

    pub async fn send_text(&mut self, text: &str) {
        self.send_bytes(&client_frame(0x80 | frame::TEXT, text.as_bytes())).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        within(async {
            self.stream.write_all(bytes).await.unwrap();
            self.stream.flush().await.unwrap();
        })
        .await;
    }

    /// Sends until the daemon cuts the connection.
    pub async fn send_until_cut(&mut self, bytes: &[u8]) {
        within(async { while self.stream.write_all(bytes).await.is_ok() {} }).await;
    }

    /// The next frame, or nothing at the end of the stream.
    pub async fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        loop {
            if let Some((header, size)) = Header::read(&self.bytes) {
                let end = size + header.length as usize;
                if self.bytes.len() >= end {
                    assert!(header.fin && header.mask.is_none() && header.reserved == 0);
                    let payload = self.bytes[size..end].to_vec();
                    self.bytes.drain(..end);
                    return Some((header.opcode, payload));
                }
            }
            match within(self.stream.read_buf(&mut self.bytes)).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return None,
            }
        }
    }

    /// The next text message.
    pub async fn json(&mut self) -> Value {
        match self.frame().await {
            Some((frame::TEXT, payload)) => serde_json::from_slice(&payload).unwrap(),
            other => panic!("expected a text, got {other:?}"),
        }
    }

    /// The close frame that comes next.
    pub async fn close(&mut self) -> (u16, String) {
        match self.frame().await {
            Some((frame::CLOSE, payload)) => {
                let (code, reason) = payload.split_first_chunk::<2>().unwrap();
                (u16::from_be_bytes(*code), String::from_utf8(reason.to_vec()).unwrap())
            }
            other => panic!("expected a close frame, got {other:?}"),
        }
    }

    /// Answers a close frame; the daemon must end the stream then.
    pub async fn finish(&mut self, code: u16) {
        self.send_bytes(&client_frame(0x80 | frame::CLOSE, &code.to_be_bytes())).await;
        assert_eq!(self.frame().await, None);
    }
}

/// A masked frame with this first byte.
pub fn client_frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = server_frame(0, payload);
    let head = frame.len() - payload.len();
    frame[0] = first;
    frame[1] |= 0x80;
    let mut masked = frame.split_off(head);
    unmask(&mut masked, MASK);
    frame.extend_from_slice(&MASK);
    frame.extend_from_slice(&masked);
    frame
}

fn tls_config() -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyLeaf))
        .with_no_client_auth()
}

/// Takes any leaf, but checks that the peer holds its key.
#[derive(Debug)]
struct AnyLeaf;

impl ServerCertVerifier for AnyLeaf {
    fn verify_server_cert(
        &self,
        _leaf: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, leaf, signature, &ring::default_provider().signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, leaf, signature, &ring::default_provider().signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}

const MASK: [u8; 4] = [0x37, 0xFA, 0x21, 0x3D];

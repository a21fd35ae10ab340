//! TLS towards the daemon: trust is one public key, named by its hash in the bootstrap link (BRG-LNK-04).
//!
//! No certificate authority, name or date is looked at. The daemon proves that it holds the key, and the key is the
//! pinned one, or the handshake fails with [`TlsError::PinMismatch`].

pub use iolite_protocol::bootstrap::Pin;

use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, CipherSuite, ClientConfig, DigitallySignedStruct, NamedGroup, OtherError, SignatureScheme,
};
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Which keys are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The pinned key only: what an app does.
    Pinned(Pin),
    /// Whatever key the daemon shows: to learn its pin.
    AnyKey,
}

/// Why TLS could not be established.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The daemon holds another key than the pinned one.
    #[error("the daemon's key is {presented}, the pin says {expected}")]
    PinMismatch {
        /// The pin that was asked for.
        expected: Pin,
        /// The pin of the key that was shown.
        presented: Pin,
    },
    /// The handshake failed for another reason.
    #[error("TLS handshake failed: {0}")]
    Handshake(#[source] std::io::Error),
    /// This machine's TLS library refused the settings.
    #[error("TLS cannot be set up: {0}")]
    Setup(#[source] rustls::Error),
}

/// A TLS connection and the pin of the key that was shown.
#[derive(Debug)]
pub struct Secured {
    /// The connection.
    pub stream: TlsStream<TcpStream>,
    /// The pin of the daemon's key.
    pub presented: Pin,
}

fn provider() -> Arc<CryptoProvider> {
    static PROVIDER: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| {
        let mut provider = rustls::crypto::ring::default_provider();
        // Everything is offered; what costs least comes first, because most connections are short.
        provider.cipher_suites.sort_by_key(|suite| suite.suite() != CipherSuite::TLS13_AES_128_GCM_SHA256);
        provider.kx_groups.sort_by_key(|group| group.name() != NamedGroup::secp256r1);
        Arc::new(provider)
    });
    Arc::clone(&PROVIDER)
}

/// Makes the TLS client handshake over `tcp`, with `address` as the server name (an address sends no SNI).
///
/// # Errors
/// [`TlsError::PinMismatch`] if the daemon shows another key than the pinned one; the others as they say.
pub async fn secure(tcp: TcpStream, address: IpAddr, trust: Trust) -> Result<Secured, TlsError> {
    let provider = provider();
    let mut config = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Setup)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(PinVerifier { trust, provider }))
        .with_no_client_auth();
    // A resumed TLS session would show no certificate, and so no pin.
    config.resumption = Resumption::disabled();
    let stream = TlsConnector::from(Arc::new(config))
        .connect(ServerName::IpAddress(address.into()), tcp)
        .await
        .map_err(explain)?;
    let shown = stream
        .get_ref()
        .1
        .peer_certificates()
        .and_then(|chain| chain.first())
        .ok_or(TlsError::Setup(rustls::Error::NoCertificatesPresented))?;
    let presented = pin_of_certificate(shown).map_err(TlsError::Setup)?;
    Ok(Secured { stream, presented })
}

/// The pin of a public key, given as DER of its SubjectPublicKeyInfo.
pub fn pin_of_public_key(spki: &[u8]) -> Pin {
    Pin::of_sha256(Sha256::digest(spki).into())
}

fn pin_of_certificate(certificate: &CertificateDer<'_>) -> Result<Pin, rustls::Error> {
    let parsed = webpki::EndEntityCert::try_from(certificate)
        .map_err(|_| rustls::Error::InvalidCertificate(CertificateError::BadEncoding))?;
    Ok(pin_of_public_key(&parsed.subject_public_key_info()))
}

/// Finds the pin mismatch inside what the TLS library reports.
fn explain(error: std::io::Error) -> TlsError {
    let mismatch =
        error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).and_then(|inner| match inner {
            rustls::Error::InvalidCertificate(CertificateError::Other(OtherError(other))) => {
                other.downcast_ref::<Mismatch>()
            }
            _ => None,
        });
    match mismatch {
        Some(&Mismatch { expected, presented }) => TlsError::PinMismatch { expected, presented },
        None => TlsError::Handshake(error),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the key is {presented}, the pin says {expected}")]
struct Mismatch {
    expected: Pin,
    presented: Pin,
}

#[derive(Debug)]
struct PinVerifier {
    trust: Trust,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let presented = pin_of_certificate(end_entity)?;
        match self.trust {
            Trust::Pinned(expected) if expected != presented => {
                let mismatch = Mismatch { expected, presented };
                Err(CertificateError::Other(OtherError(Arc::new(mismatch))).into())
            }
            Trust::Pinned(_) | Trust::AnyKey => Ok(ServerCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_daemon::FakeDaemon;

    #[tokio::test]
    async fn the_pinned_key_is_accepted_and_reported() {
        let daemon = FakeDaemon::start().await;
        let accepting = daemon.accept_tls();
        let tcp = TcpStream::connect(daemon.address()).await.unwrap();
        let trust = Trust::Pinned(daemon.pin());
        let (_held, secured) = tokio::join!(accepting, secure(tcp, daemon.address().ip(), trust));
        assert_eq!(secured.unwrap().presented, daemon.pin());
    }

    #[tokio::test]
    async fn another_key_is_a_typed_error() {
        let daemon = FakeDaemon::start().await;
        let accepting = daemon.try_accept_tls();
        let tcp = TcpStream::connect(daemon.address()).await.unwrap();
        let wrong = Pin::of_sha256([7; 32]);
        let (_refused, secured) = tokio::join!(accepting, secure(tcp, daemon.address().ip(), Trust::Pinned(wrong)));
        let error = secured.unwrap_err();
        assert!(
            matches!(error, TlsError::PinMismatch { expected, presented }
                if expected == wrong && presented == daemon.pin()),
            "{error}"
        );
    }

    #[tokio::test]
    async fn any_key_can_be_learned() {
        let daemon = FakeDaemon::start().await;
        let accepting = daemon.accept_tls();
        let tcp = TcpStream::connect(daemon.address()).await.unwrap();
        let (_held, secured) = tokio::join!(accepting, secure(tcp, daemon.address().ip(), Trust::AnyKey));
        assert_eq!(secured.unwrap().presented, daemon.pin());
    }
}

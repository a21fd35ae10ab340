//! Who the listener is: a private key that stays, a self-signed leaf made from it, and the leaf's pin.

use super::error::ShellError;
use super::state_dir::{StateDir, set_mode};
use crate::rules::{PinOver, ShellRules};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair, PublicKeyData as _};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::NoServerSessionStorage;
use sha2::{Digest as _, Sha256};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::IpAddr;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::Arc;

/// The listener's TLS identity (BRG-LNK-04).
#[derive(Clone, Debug)]
pub struct Identity {
    /// `sha256/` and the standard base64 of the SHA-256 of the leaf's SubjectPublicKeyInfo.
    pub pin: String,
    /// The server side of TLS: TLS 1.2 and 1.3, no client certificates.
    pub tls: Arc<ServerConfig>,
}

impl Identity {
    /// Reads the folder's key, making one at the first start, and builds a leaf for these addresses.
    ///
    /// # Errors
    /// [`ShellError::LooseKey`] when others may read the key file (BRG-RPC-10), [`ShellError::BadKey`] when it holds no
    /// key, [`ShellError::File`] and [`ShellError::Tls`].
    pub fn load(dir: &StateDir, addresses: &[IpAddr], rules: &ShellRules) -> Result<Self, ShellError> {
        let key = load_or_make_key(&dir.key(), rules)?;
        let leaf = self_signed(&key, addresses).map_err(|error| ShellError::Tls(error.to_string()))?;
        let pin = match rules.pin_over {
            PinOver::PublicKey => pin_of(&key.subject_public_key_info()),
            PinOver::Certificate => pin_of(&leaf),
        };
        let private = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut tls = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map(|builder| builder.with_no_client_auth())
            .and_then(|builder| builder.with_single_cert(vec![leaf], private))
            .map_err(|error| ShellError::Tls(error.to_string()))?;
        // An app checks the pin at every connection, so nobody resumes a TLS session.
        tls.send_tls13_tickets = 0;
        tls.session_storage = Arc::new(NoServerSessionStorage {});
        Ok(Self { pin, tls: Arc::new(tls) })
    }
}

/// Writes a fresh key into the folder, in place of the one it has, and gives its pin. The folder must exist. A running
/// daemon keeps the key it started with.
///
/// # Errors
/// [`ShellError::File`] when the file cannot be written, [`ShellError::Tls`] when no key can be made.
pub fn replace_key(dir: &StateDir, rules: &ShellRules) -> Result<String, ShellError> {
    let path = dir.key();
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            return Err(ShellError::file("remove", &path, source));
        }
        _ => {}
    }
    Ok(pin_of(&make_key(&path, rules)?.subject_public_key_info()))
}

/// `sha256/<base64>` of some bytes in DER.
pub fn pin_of(der: &[u8]) -> String {
    format!("sha256/{}", STANDARD.encode(Sha256::digest(der)))
}

fn load_or_make_key(path: &Path, rules: &ShellRules) -> Result<KeyPair, ShellError> {
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return make_key(path, rules),
        Err(source) => return Err(ShellError::file("open", path, source)),
    };
    let metadata = file.metadata().map_err(|source| ShellError::file("inspect", path, source))?;
    let mode = metadata.permissions().mode() & 0o777;
    if mode & 0o077 != 0 && rules.refuse_open_key {
        return Err(ShellError::LooseKey { path: path.to_owned(), mode });
    }
    if !rules.keep_key {
        std::fs::remove_file(path).map_err(|source| ShellError::file("remove", path, source))?;
        return make_key(path, rules);
    }
    let mut pem = String::new();
    file.read_to_string(&mut pem).map_err(|source| ShellError::file("read", path, source))?;
    KeyPair::from_pem(&pem).map_err(|error| ShellError::BadKey { path: path.to_owned(), why: error.to_string() })
}

fn make_key(path: &Path, rules: &ShellRules) -> Result<KeyPair, ShellError> {
    let key =
        KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).map_err(|error| ShellError::Tls(error.to_string()))?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(key.serialize_pem().as_bytes()))
        .map_err(|source| ShellError::file("write", path, source))?;
    set_mode(path, rules.key_mode)?;
    Ok(key)
}

fn self_signed(key: &KeyPair, addresses: &[IpAddr]) -> Result<CertificateDer<'static>, rcgen::Error> {
    let mut names: Vec<String> = addresses.iter().map(IpAddr::to_string).collect();
    names.push("localhost".to_owned());
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, "iolite reference daemon");
    Ok(params.self_signed(key)?.der().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, StateDir) {
        let root = tempfile::tempdir().unwrap();
        let dir = StateDir::at(root.path());
        (root, dir)
    }

    #[test]
    fn the_key_stays_and_so_does_the_pin() {
        let (_root, dir) = folder();
        let rules = ShellRules::default();
        let first = Identity::load(&dir, &[], &rules).unwrap();
        assert_eq!(dir.key().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(Identity::load(&dir, &[], &rules).unwrap().pin, first.pin);
        assert_eq!(first.pin.len(), "sha256/".len() + 44);
        let fresh = replace_key(&dir, &rules).unwrap();
        assert_ne!(fresh, first.pin);
        assert_eq!(Identity::load(&dir, &[], &rules).unwrap().pin, fresh);
    }

    #[test]
    fn a_loose_or_broken_key_is_refused() {
        let (_root, dir) = folder();
        let rules = ShellRules::default();
        replace_key(&dir, &rules).unwrap();
        set_mode(&dir.key(), 0o640).unwrap();
        let error = Identity::load(&dir, &[], &rules).unwrap_err();
        assert!(matches!(error, ShellError::LooseKey { mode: 0o640, .. }), "{error}");
        assert_eq!(error.exit_code(), 65);
        let bent = ShellRules { refuse_open_key: false, ..ShellRules::default() };
        assert!(Identity::load(&dir, &[], &bent).is_ok());
        std::fs::write(dir.key(), "no key").unwrap();
        set_mode(&dir.key(), 0o600).unwrap();
        assert!(matches!(Identity::load(&dir, &[], &rules), Err(ShellError::BadKey { .. })));
    }

    #[test]
    fn a_bent_pin_is_not_the_public_keys() {
        let (_root, dir) = folder();
        let right = Identity::load(&dir, &[], &ShellRules::default()).unwrap().pin;
        let bent = ShellRules { pin_over: PinOver::Certificate, ..ShellRules::default() };
        assert_ne!(Identity::load(&dir, &[], &bent).unwrap().pin, right);
    }
}

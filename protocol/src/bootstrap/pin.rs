//! The pin of the daemon's public key.

use crate::syntax::{base64_bytes, base64_text};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// `sha256/` and the standard base64 of the SHA-256 of a certificate's SubjectPublicKeyInfo (BRG-LNK-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin([u8; 32]);

/// Why a text is no pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PinError {
    /// It does not begin with `sha256/`.
    #[error("a pin begins with `sha256/`")]
    Algorithm,
    /// What follows is not the standard base64 of 32 bytes.
    #[error("a pin is `sha256/` and the standard base64, with padding, of 32 bytes")]
    Digest,
}

impl Pin {
    /// The pin of a key with this SHA-256.
    pub fn of_sha256(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Reads a pin.
    ///
    /// # Errors
    /// It has another form.
    pub fn parse(text: &str) -> Result<Self, PinError> {
        let digest = text.strip_prefix("sha256/").ok_or(PinError::Algorithm)?;
        let bytes = base64_bytes(digest).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or(PinError::Digest)
    }

    /// The SHA-256.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for Pin {
    type Err = PinError;

    fn from_str(text: &str) -> Result<Self, PinError> {
        Self::parse(text)
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256/{}", base64_text(&self.0))
    }
}

crate::serialized_as_text!(Pin);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_survive_their_text() {
        let pin = Pin::of_sha256([7; 32]);
        assert_eq!(pin.to_string().parse(), Ok(pin));
    }

    #[test]
    fn other_texts_are_refused() {
        assert_eq!(Pin::parse("sha1/AAAA"), Err(PinError::Algorithm));
        assert_eq!(Pin::parse("sha256/AAAA"), Err(PinError::Digest));
        assert_eq!(Pin::parse("sha256/!"), Err(PinError::Digest));
    }
}

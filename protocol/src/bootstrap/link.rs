//! The payload of a link.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use thiserror::Error;

/// What a link tells an app.
///
/// ```
/// use iolite_protocol::bootstrap::{Endpoint, Link, LinkError};
///
/// let endpoint = Endpoint::new([127, 0, 0, 1].into(), 7443)?;
/// let link = Link::new("c2Vzc2lvbg", [7; 32], endpoint, 1_767_225_600)?;
/// assert_eq!(Link::decode(&link.encode()), Ok(link));
/// assert_eq!(Link::decode("AQ"), Err(LinkError::Version(1)));
/// # Ok::<(), LinkError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    session_id: String,
    token: [u8; TOKEN_BYTES],
    endpoint: Endpoint,
    expires_at: u64,
}

/// Where the daemon listens: an address and a port that is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Endpoint {
    address: IpAddr,
    port: u16,
}

/// Why a payload is refused (BRG-LNK-05). Nothing of it is used then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    /// It is not base64url without padding.
    #[error("a payload is base64url without padding")]
    Base64,
    /// Another version than 2.
    #[error("a payload begins with version 2, this one with {0}")]
    Version(u8),
    /// An address family that is neither 4 nor 6.
    #[error("an address family is 4 or 6, this one is {0}")]
    Family(u8),
    /// It ends within the named field.
    #[error("the payload ends within the {0}")]
    TooShort(&'static str),
    /// It goes on behind its last field.
    #[error("the payload goes on for {0} bytes behind the expiry")]
    TooLong(usize),
    /// Port 0.
    #[error("a port is not 0")]
    PortZero,
    /// A session id without bytes.
    #[error("a session id is not empty")]
    EmptySessionId,
    /// A session id longer than 255 bytes (only when one is made).
    #[error("a session id has at most 255 bytes, this one has {0}")]
    SessionIdTooLong(usize),
    /// A session id that is no UTF-8.
    #[error("a session id is UTF-8")]
    SessionIdUtf8,
}

impl Endpoint {
    /// An endpoint.
    ///
    /// # Errors
    /// [`LinkError::PortZero`].
    pub fn new(address: IpAddr, port: u16) -> Result<Self, LinkError> {
        match port {
            0 => Err(LinkError::PortZero),
            port => Ok(Self { address, port }),
        }
    }

    /// The address.
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Link {
    /// A link. `expires_at` is in unix seconds.
    ///
    /// # Errors
    /// The session id has no bytes, or more than 255.
    pub fn new(
        session_id: &str,
        token: [u8; TOKEN_BYTES],
        endpoint: Endpoint,
        expires_at: u64,
    ) -> Result<Self, LinkError> {
        match session_id.len() {
            0 => Err(LinkError::EmptySessionId),
            1..=255 => Ok(Self { session_id: session_id.to_owned(), token, endpoint, expires_at }),
            size => Err(LinkError::SessionIdTooLong(size)),
        }
    }

    /// Reads a payload, all or nothing.
    ///
    /// # Errors
    /// Everything that BRG-LNK-05 names, and text that is no base64url.
    pub fn decode(payload: &str) -> Result<Self, LinkError> {
        let bytes = URL_SAFE_NO_PAD.decode(payload).map_err(|_| LinkError::Base64)?;
        Self::from_bytes(&bytes)
    }

    /// Reads a payload's bytes, all or nothing.
    ///
    /// # Errors
    /// Everything that BRG-LNK-05 names.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LinkError> {
        let mut rest = bytes;
        match take::<1>(&mut rest, "version")? {
            [VERSION] => (),
            [other] => return Err(LinkError::Version(other)),
        }
        let address = match take::<1>(&mut rest, "address family")? {
            [4] => Ipv4Addr::from(take::<4>(&mut rest, "address")?).into(),
            [6] => Ipv6Addr::from(take::<16>(&mut rest, "address")?).into(),
            [other] => return Err(LinkError::Family(other)),
        };
        let port = u16::from_be_bytes(take(&mut rest, "port")?);
        let endpoint = Endpoint::new(address, port)?;
        let [length] = take::<1>(&mut rest, "length of the session id")?;
        if length == 0 {
            return Err(LinkError::EmptySessionId);
        }
        let (id, behind) = rest.split_at_checked(length.into()).ok_or(LinkError::TooShort("session id"))?;
        rest = behind;
        let session_id = std::str::from_utf8(id).map_err(|_| LinkError::SessionIdUtf8)?;
        let token = take(&mut rest, "token")?;
        let expires_at = u64::from_be_bytes(take(&mut rest, "expiry")?);
        if !rest.is_empty() {
            return Err(LinkError::TooLong(rest.len()));
        }
        Self::new(session_id, token, endpoint, expires_at)
    }

    /// The payload: unpadded base64url of [`to_bytes`](Self::to_bytes).
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.to_bytes())
    }

    /// The payload's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        match self.endpoint.address {
            IpAddr::V4(address) => {
                bytes.push(4);
                bytes.extend(address.octets());
            }
            IpAddr::V6(address) => {
                bytes.push(6);
                bytes.extend(address.octets());
            }
        }
        bytes.extend(self.endpoint.port.to_be_bytes());
        // A session id has 255 bytes at most: `new` saw to it.
        bytes.push(u8::try_from(self.session_id.len()).unwrap_or(u8::MAX));
        bytes.extend(self.session_id.as_bytes());
        bytes.extend(self.token);
        bytes.extend(self.expires_at.to_be_bytes());
        bytes
    }

    /// The session that may be claimed.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The token's bytes. They are never shown anywhere but here (BRG-SES-12).
    pub fn token(&self) -> &[u8; TOKEN_BYTES] {
        &self.token
    }

    /// The token as a claim spells it: base64url without padding.
    pub fn token_text(&self) -> String {
        token_text(&self.token)
    }

    /// Where the daemon listens.
    pub fn endpoint(&self) -> Endpoint {
        self.endpoint
    }

    /// When the link ends, in unix seconds.
    pub fn expires_at(&self) -> u64 {
        self.expires_at
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("session_id", &self.session_id)
            .field("endpoint", &self.endpoint)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// Random bytes as ids and tokens are spelled everywhere: base64url without padding (BRG-LNK-02).
pub fn token_text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn take<const N: usize>(rest: &mut &[u8], field: &'static str) -> Result<[u8; N], LinkError> {
    let (taken, behind) = rest.split_first_chunk::<N>().ok_or(LinkError::TooShort(field))?;
    *rest = behind;
    Ok(*taken)
}

const VERSION: u8 = 2;
const TOKEN_BYTES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn link() -> Link {
        let endpoint = Endpoint::new([192, 168, 1, 20].into(), 8443).unwrap();
        Link::new("sess", [0xab; 32], endpoint, 0x0102_0304_0506_0708).unwrap()
    }

    #[test]
    fn the_layout_is_the_contracts() {
        let mut expected = vec![2, 4, 192, 168, 1, 20, 0x20, 0xfb, 4];
        expected.extend(b"sess");
        expected.extend([0xab; 32]);
        expected.extend([1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(link().to_bytes(), expected);
    }

    #[test]
    fn each_rule_has_its_error() {
        let good = link().to_bytes();
        let with = |index: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[index] = byte;
            Link::from_bytes(&bytes).map(|_| ())
        };
        assert_eq!(with(4, 9), Ok(()));
        assert_eq!(with(0, 1), Err(LinkError::Version(1)));
        assert_eq!(with(0, 3), Err(LinkError::Version(3)));
        assert_eq!(with(1, 5), Err(LinkError::Family(5)));
        assert_eq!(with(8, 0), Err(LinkError::EmptySessionId));
        assert_eq!(with(8, 255), Err(LinkError::TooShort("session id")));
        assert_eq!(with(8, 3), Err(LinkError::TooLong(1)));
        assert_eq!(with(8, 5), Err(LinkError::SessionIdUtf8));
        assert_eq!(with(9, 0xff), Err(LinkError::SessionIdUtf8));
        let mut port_zero = good.clone();
        port_zero[6..8].fill(0);
        assert_eq!(Link::from_bytes(&port_zero), Err(LinkError::PortZero));
        let mut long = good.clone();
        long.push(0);
        assert_eq!(Link::from_bytes(&long), Err(LinkError::TooLong(1)));
        for length in 0..good.len() {
            let refused = Link::from_bytes(&good[..length]);
            assert!(matches!(refused, Err(LinkError::TooShort(_))), "{length}: {refused:?}");
        }
    }

    #[test]
    fn only_unpadded_base64url_is_taken() {
        let payload = link().encode();
        assert!(Link::decode(&payload).is_ok());
        for other in [format!("{payload}="), format!(" {payload}"), format!("{payload}\n"), "+/+/".to_owned()] {
            assert_eq!(Link::decode(&other), Err(LinkError::Base64), "{other:?}");
        }
        assert_eq!(Link::decode(""), Err(LinkError::TooShort("version")));
    }

    #[test]
    fn made_links_keep_the_rules() {
        let endpoint = link().endpoint();
        assert_eq!(Link::new("", [0; 32], endpoint, 0), Err(LinkError::EmptySessionId));
        assert!(Link::new(&"a".repeat(255), [0; 32], endpoint, 0).is_ok());
        assert_eq!(Link::new(&"é".repeat(128), [0; 32], endpoint, 0), Err(LinkError::SessionIdTooLong(256)));
        assert_eq!(Endpoint::new([0, 0, 0, 0].into(), 0), Err(LinkError::PortZero));
    }

    #[test]
    fn a_token_is_not_printed() {
        assert!(!format!("{:?}", link()).contains("171"));
    }

    proptest! {
        #[test]
        fn links_survive(id in ".{1,60}", token in any::<[u8; 32]>(), v4 in any::<[u8; 4]>(), v6 in any::<[u8; 16]>(),
                         six in any::<bool>(), port in 1..=u16::MAX, expires_at in any::<u64>()) {
            let address = if six { IpAddr::from(v6) } else { IpAddr::from(v4) };
            let link = Link::new(&id, token, Endpoint::new(address, port).unwrap(), expires_at).unwrap();
            prop_assert_eq!(Link::decode(&link.encode()).unwrap(), link);
        }

        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..120), text in ".*") {
            let _ = Link::decode(&text);
            // What is taken is written back byte for byte: nothing is half decoded.
            if let Ok(link) = Link::from_bytes(&bytes) {
                prop_assert_eq!(link.to_bytes(), bytes);
            }
        }

        #[test]
        fn one_changed_byte_is_refused_or_seen(index in 0usize..53, byte in any::<u8>()) {
            let mut bytes = link().to_bytes();
            bytes[index] = byte;
            if let Ok(read) = Link::from_bytes(&bytes) {
                prop_assert_eq!(read.to_bytes(), bytes);
            }
        }
    }
}

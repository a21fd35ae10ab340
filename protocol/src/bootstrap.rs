//! The bootstrap link: how an app learns where the daemon is and which session it may claim (section 1 of the
//! contract).

mod link;
mod pin;

pub use link::{Endpoint, Link, LinkError, token_text};
pub use pin::{Pin, PinError};

use thiserror::Error;

/// The whole link: `<scheme>:///?cordierite=<payload>&pin=<sha256/...>`.
///
/// Characters of the pin that a query would not carry safely (a `+` reads as a space to many) are percent-encoded.
///
/// ```
/// use iolite_protocol::bootstrap::{Pin, deep_link, parse_deep_link};
///
/// let pin = Pin::of_sha256([0; 32]);
/// let text = deep_link("myapp", "AgQ", &pin);
/// assert!(text.starts_with("myapp:///?cordierite=AgQ&pin=sha256/AAAA"));
/// let parts = parse_deep_link(&text).unwrap();
/// assert_eq!((parts.scheme.as_str(), parts.payload.as_str(), parts.pin), ("myapp", "AgQ", pin));
/// ```
pub fn deep_link(scheme: &str, payload: &str, pin: &Pin) -> String {
    format!("{scheme}:///?cordierite={payload}&pin={}", percent_encoded(&pin.to_string()))
}

/// A link taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeepLink {
    /// The app's URI scheme.
    pub scheme: String,
    /// The payload, for [`Link::decode`].
    pub payload: String,
    /// The daemon's public key.
    pub pin: Pin,
}

/// Why a text is no link.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeepLinkError {
    /// It does not begin with `<scheme>:///?`.
    #[error("a link begins with `<scheme>:///?`")]
    Shape,
    /// It lacks one of its two parameters, or has one twice.
    #[error("a link has the parameter `{0}` once")]
    Parameter(&'static str),
    /// A percent sign is not followed by two hexadecimal digits, or what it encodes is no UTF-8.
    #[error("a link's parameters are percent-encoded UTF-8")]
    Encoding,
    /// Its pin is none.
    #[error(transparent)]
    Pin(#[from] PinError),
}

/// Takes a link apart. Parameters that the contract does not name are tolerated.
///
/// # Errors
/// It has not the form that [`deep_link`] writes.
pub fn parse_deep_link(text: &str) -> Result<DeepLink, DeepLinkError> {
    let (scheme, query) = text.split_once(":///?").ok_or(DeepLinkError::Shape)?;
    let starts_well = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    if !starts_well || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
        return Err(DeepLinkError::Shape);
    }
    let parameter = |name: &'static str| {
        let mut values = query.split('&').filter_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        match (values.next(), values.next()) {
            (Some(value), None) => percent_decoded(value).ok_or(DeepLinkError::Encoding),
            _ => Err(DeepLinkError::Parameter(name)),
        }
    };
    let pin = Pin::parse(&parameter("pin")?)?;
    Ok(DeepLink { scheme: scheme.to_owned(), payload: parameter("cordierite")?, pin })
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/=".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_other_texts() {
        let pin = Pin::of_sha256([255; 32]);
        for (text, error) in [
            ("", DeepLinkError::Shape),
            ("myapp://?cordierite=a&pin=b", DeepLinkError::Shape),
            ("1app:///?cordierite=a&pin=b", DeepLinkError::Shape),
            ("my app:///?cordierite=a&pin=b", DeepLinkError::Shape),
            ("myapp:///?cordierite=a", DeepLinkError::Parameter("pin")),
            (&format!("myapp:///?pin={pin}"), DeepLinkError::Parameter("cordierite")),
            (&format!("myapp:///?cordierite=a&pin={pin}&cordierite=b"), DeepLinkError::Parameter("cordierite")),
            ("myapp:///?cordierite=a&pin=%f", DeepLinkError::Encoding),
            ("myapp:///?cordierite=a&pin=%ff", DeepLinkError::Encoding),
            ("myapp:///?cordierite=a&pin=sha1/AA", DeepLinkError::Pin(PinError::Algorithm)),
        ] {
            assert_eq!(parse_deep_link(text).unwrap_err(), error, "{text}");
        }
        // Raw `+` and other parameters are taken.
        assert_eq!(parse_deep_link(&format!("myapp:///?x=1&cordierite=a&pin={pin}")).unwrap().pin, pin);
    }

    proptest! {
        #[test]
        fn links_survive(scheme in "[a-z][a-z0-9+.-]{0,8}", payload in "[A-Za-z0-9_-]{0,40}", key in any::<[u8; 32]>()) {
            let pin = Pin::of_sha256(key);
            let text = deep_link(&scheme, &payload, &pin);
            prop_assert!(!text.contains('+') || scheme.contains('+'));
            prop_assert_eq!(parse_deep_link(&text).unwrap(), DeepLink { scheme, payload, pin });
        }

        #[test]
        fn never_panics(text in ".*", query in "[%&=a-f0-9:/?]*") {
            let _ = parse_deep_link(&text);
            let _ = parse_deep_link(&format!("a:///?{query}"));
        }
    }
}

//! The grammars that texts of the contract follow.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use fluent_uri::Uri;

/// Whether `text` holds only the characters of tool and resource names.
pub(crate) fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Whether `text` is a URI of RFC 3986 with a scheme. A fragment is allowed: the contract asks for a scheme, not for
/// the grammar rule `absolute-URI`.
pub(crate) fn is_uri(text: &str) -> bool {
    Uri::parse(text).is_ok()
}

/// Whether `text` is a URI that an icon may have: http or https with a host, or data with its comma.
pub(crate) fn is_icon_source(text: &str) -> bool {
    let Ok(uri) = Uri::parse(text) else {
        return false;
    };
    match uri.scheme().as_str().to_ascii_lowercase().as_str() {
        "http" | "https" => uri.authority().is_some_and(|authority| !authority.host().is_empty()),
        "data" => uri.path().as_str().contains(','),
        _ => false,
    }
}

/// Whether `text` is `type/subtype`, both tokens of RFC 9110, with parameters or without: `text/html; charset=utf-8`
/// names a type as well as `text/html` does.
pub(crate) fn is_mime_type(text: &str) -> bool {
    let mut parts = text.splitn(2, ';');
    let essence = parts.next().unwrap_or_default().trim_end_matches([' ', '\t']);
    let Some((kind, subtype)) = essence.split_once('/') else {
        return false;
    };
    is_token(kind) && is_token(subtype) && parts.next().is_none_or(are_parameters)
}

/// Whether `text` is a date, a date with a time, or such a time with its offset, as ISO 8601 writes them.
pub(crate) fn is_iso_8601(text: &str) -> bool {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b':' | b'.' | b','));
    plain
        && (text.parse::<jiff::Timestamp>().is_ok()
            || text.parse::<jiff::civil::DateTime>().is_ok()
            || text.parse::<jiff::civil::Date>().is_ok())
}

/// The bytes of standard base64 with padding. Bits behind the last byte may be set: RFC 4648 lets a reader take them.
pub(crate) fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

/// Standard base64 with padding.
pub(crate) fn base64_text(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Parameters behind the first `;`. Quoted values may hold anything printable, `;` included.
fn are_parameters(text: &str) -> bool {
    let mut rest = text;
    loop {
        let Some((name, after)) = rest.split_once('=') else {
            return false;
        };
        if !is_token(name.trim_matches([' ', '\t'])) {
            return false;
        }
        let value_end = match after.strip_prefix('"') {
            Some(quoted) => match quoted_end(quoted) {
                Some(end) => end + 1,
                None => return false,
            },
            None => after.find(';').unwrap_or(after.len()),
        };
        let (value, behind) = after.split_at(value_end);
        if !value.starts_with('"') && !is_token(value.trim_end_matches([' ', '\t'])) {
            return false;
        }
        match behind.trim_start_matches([' ', '\t']) {
            "" => return true,
            more => match more.strip_prefix(';') {
                Some(next) => rest = next,
                None => return false,
            },
        }
    }
}

/// The length of a quoted text up to and with its closing quote, which `text` follows.
fn quoted_end(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(index + 1),
            b'\\' => {
                bytes.next().filter(|(_, escaped)| escaped.is_ascii_graphic() || *escaped == b' ')?;
            }
            b'\t' | b' '..=b'~' => (),
            _ => return None,
        }
    }
    None
}

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn uris() {
        for good in ["app://cart", "a:", "urn:x:y", "file:///a", "https://x/y?q#f", "custom+x.y-z:foo", "app://h:1/%20"]
        {
            assert!(is_uri(good), "{good}");
        }
        for bad in [
            "",
            "cart",
            "a/b",
            "/a",
            "//h/p",
            "?q",
            "#f",
            ":x",
            "1a:b",
            "a b:c",
            "app://a b",
            "app://%zz",
            "app://[1",
            "é:x",
        ] {
            assert!(!is_uri(bad), "{bad}");
        }
    }

    #[test]
    fn icon_sources() {
        for good in ["https://x/i.png", "HTTP://x", "data:image/png;base64,AAAA", "data:,x"] {
            assert!(is_icon_source(good), "{good}");
        }
        for bad in [
            "",
            "x.png",
            "ftp://x/i",
            "file:///i.png",
            "javascript:alert(1)",
            "https:///i",
            "https:x",
            "data:image/png",
            "ws://x",
        ] {
            assert!(!is_icon_source(bad), "{bad}");
        }
    }

    #[test]
    fn mime_types() {
        for good in [
            "text/plain",
            "application/vnd.api+json",
            "x-a/b.c",
            "text/html; charset=utf-8",
            "text/html;a=b;c=\"d; \\\" e\"",
            "text/html ; a=b ;c=d",
        ] {
            assert!(is_mime_type(good), "{good}");
        }
        for bad in [
            "",
            "text",
            "/plain",
            "text/",
            "text/plain/x",
            "text /plain",
            "text/pl ain",
            " text/plain",
            "text/plain ;",
            "text/plain;",
            "text/plain;x",
            "text/plain;=x",
            "text/plain;a=",
            "text/plain;a=\"b",
            "text/plain;a=\"b\"c",
            "té/x",
            "text/plain\n",
        ] {
            assert!(!is_mime_type(bad), "{bad}");
        }
    }

    #[test]
    fn iso_8601() {
        for good in [
            "2025-01-12T15:00:58Z",
            "2025-01-12T15:00:58.123Z",
            "2025-01-12T15:00:58+02:00",
            "2025-01-12T15:00:58",
            "2025-01-12",
            "2024-02-29",
        ] {
            assert!(is_iso_8601(good), "{good}");
        }
        for bad in [
            "",
            "yesterday",
            "12/01/2025",
            "2025-13-01",
            "2025-02-29",
            "2025-01-12 15:00:58Z",
            "2025-01-12T25:00:00Z",
            "1736694058",
            "2025-01-12T15:00:58[UTC]",
            "Sun, 12 Jan 2025 15:00:58 GMT",
            "15:00:58",
        ] {
            assert!(!is_iso_8601(bad), "{bad}");
        }
    }

    #[test]
    fn base64() {
        for good in ["", "AA==", "AAA=", "AAAA", "+/+/", "AB=="] {
            assert!(base64_bytes(good).is_some(), "{good}");
        }
        for bad in ["A", "AA", "AAA", "AA=", "AAAA=", "-_-_", "AA==\n", " AAAA", "AA==AAAA", "====", "é"] {
            assert!(base64_bytes(bad).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn bytes_survive_base64(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(base64_bytes(&base64_text(&bytes)), Some(bytes));
        }

        #[test]
        fn grammars_never_panic(text in ".*") {
            let _ = (is_name(&text), is_uri(&text), is_icon_source(&text), is_mime_type(&text), is_iso_8601(&text), base64_bytes(&text));
        }

        #[test]
        fn parameters_never_panic(text in r#"a/b[;= a"\\é]{0,20}"#) {
            let _ = is_mime_type(&text);
        }
    }
}

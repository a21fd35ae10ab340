//! Provenance: mock content says which app, session and read it was made for, so that content under a wrong name is
//! found wherever it turns up.

use std::fmt;

/// Where one piece of mock content came from.
///
/// ```
/// use iolite_mock_app::app::{Stamp, Subject};
/// let stamp = Stamp {
///     app: "phone".into(),
///     session: "s1".into(),
///     subject: Subject::Read { id: "r7".into(), resource: "cart".into() },
/// };
/// let text = stamp.render();
/// assert_eq!(text, "iolite-stamp app=phone session=s1 read=r7 resource=cart");
/// assert_eq!(Stamp::find_all(&format!("\"{text}\" and more")), [stamp]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The app's name in the scenario's cast.
    pub app: String,
    /// The session id it had when it answered.
    pub session: String,
    /// What was answered.
    pub subject: Subject,
}

/// The request that stamped content answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A resource read.
    Read {
        /// The id of the `resource_read`.
        id: String,
        /// The resource's name.
        resource: String,
    },
    /// A tool call.
    Call {
        /// The id of the `tool_call`.
        id: String,
        /// The tool's name.
        tool: String,
    },
}

impl Stamp {
    /// The stamp as text: `iolite-stamp app=… session=… read=… resource=…` for a read, `… call=… tool=…` for a call.
    /// Characters outside `[A-Za-z0-9._~:-]` are percent-encoded, so that a stamp survives being quoted as JSON.
    pub fn render(&self) -> String {
        self.to_string()
    }

    /// Every whole stamp in `text`, in order.
    pub fn find_all(text: &str) -> Vec<Self> {
        text.match_indices(OPENING).filter_map(|(at, _)| Self::parse(&text[at + OPENING.len()..])).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let (app, rest) = field(text, " app=")?;
        let (session, rest) = field(rest, " session=")?;
        let subject = if let Some((id, rest)) = field(rest, " read=") {
            let (resource, _) = field(rest, " resource=")?;
            Subject::Read { id, resource }
        } else {
            let (id, rest) = field(rest, " call=")?;
            let (tool, _) = field(rest, " tool=")?;
            Subject::Call { id, tool }
        };
        Some(Self { app, session, subject })
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { app, session, .. } = self;
        let (kind, id, of, name) = match &self.subject {
            Subject::Read { id, resource } => ("read", id, "resource", resource),
            Subject::Call { id, tool } => ("call", id, "tool", tool),
        };
        write!(
            f,
            "{OPENING} app={} session={} {kind}={} {of}={}",
            Escaped(app),
            Escaped(session),
            Escaped(id),
            Escaped(name)
        )
    }
}

/// The value behind `label` and what follows it.
fn field<'t>(text: &'t str, label: &str) -> Option<(String, &'t str)> {
    let rest = text.strip_prefix(label)?;
    let end = rest.bytes().position(|byte| !is_plain(byte) && byte != b'%').unwrap_or(rest.len());
    let (value, rest) = rest.split_at(end);
    Some((unescape(value)?, rest))
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = behind;
            continue;
        }
        let (digits, behind) = behind.split_first_chunk::<2>()?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._~:-".contains(&byte)
}

struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0.bytes() {
            if is_plain(byte) {
                write!(f, "{}", char::from(byte))?;
            } else {
                write!(f, "%{byte:02X}")?;
            }
        }
        Ok(())
    }
}

const OPENING: &str = "iolite-stamp";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn several_stamps_are_found_inside_quoted_json() {
        let read = |app: &str| Stamp {
            app: app.into(),
            session: "s\"1".into(),
            subject: Subject::Read { id: "r 1".into(), resource: "cart".into() },
        };
        let call =
            Stamp { app: "b".into(), session: "s".into(), subject: Subject::Call { id: "c".into(), tool: "t".into() } };
        let inner = serde_json::json!({ "text": read("a").render(), "stamp": call.render() });
        let text = serde_json::json!({ "quoted": inner.to_string() }).to_string();
        assert_eq!(Stamp::find_all(&text), [read("a"), call]);
    }

    #[test]
    fn halves_of_stamps_are_no_stamps() {
        for text in [
            "iolite-stamp",
            "iolite-stamp app=a",
            "iolite-stamp app=a session=s read=r",
            "iolite-stamp app=%ZZ session=s read=r resource=x",
            "iolite-stamp app=é session=s read=r resource=x",
        ] {
            assert_eq!(Stamp::find_all(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_names_survive(app in ".*", session in ".*", id in ".*", resource in ".*") {
            let stamp = Stamp { app, session, subject: Subject::Read { id, resource } };
            prop_assert_eq!(Stamp::find_all(&stamp.render()), [stamp]);
        }
    }
}

//! Matchers and values in words.

use super::kind::Kind;
use super::outcome::{NOTHING, words};
use serde_json::Value;

pub(super) fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Presence(true) => "something".into(),
        Kind::Presence(false) => NOTHING.into(),
        Kind::Capture { inner: None, .. } => "something".into(),
        Kind::Capture { inner: Some(inner), .. } | Kind::Exactly(inner) => describe(inner),
        Kind::Regex(regex) => format!("text that matches /{}/", regex.as_str()),
        Kind::StartsWith(start) => format!("text that starts with {}", words(&Value::String(start.clone()))),
        Kind::EndsWith(end) => {
            format!("text that ends with {}", words(&Value::String(end.clone())))
        }
        Kind::AtLeast(bound) => format!("at least {bound}"),
        Kind::AtMost(bound) => format!("at most {bound}"),
        Kind::Type(name) => match *name {
            "null" => "null".into(),
            "integer" | "object" | "array" => format!("an {name}"),
            name => format!("a {name}"),
        },
        Kind::Unique => "no item twice".into(),
        Kind::Decoded(bytes) => format!("base64 of {}", describe_bytes(bytes)),
        Kind::Not(inner) => format!("something other than {}", describe(inner)),
        Kind::All(items) if items.len() > 1 && items.iter().all(|item| !matches!(item, Kind::Object { .. })) => {
            items.iter().map(describe).collect::<Vec<_>>().join(" and ")
        }
        kind => words(&kind.to_value()),
    }
}

pub(super) fn describe_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => words(&Value::String(text.to_owned())),
        Err(_) => {
            let shown: Vec<_> = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            let more = if bytes.len() > 16 { " …" } else { "" };
            format!("{} bytes ({}{more})", bytes.len(), shown.join(" "))
        }
    }
}

pub(super) fn shorten(text: String) -> String {
    if text.chars().count() <= 240 { text } else { text.chars().take(240).chain(['…']).collect() }
}

pub(super) fn count(items: usize) -> String {
    match items {
        1 => "1 item".into(),
        items => format!("{items} items"),
    }
}

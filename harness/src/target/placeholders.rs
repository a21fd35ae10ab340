//! `${name}` in target files: fresh folder, free port, own binary.

use serde_json::Value;
use std::collections::BTreeMap;

/// Names a target file may use.
pub(super) const NAMES: &[&str] = &["state_dir", "scratch", "port", "self", "target_dir"];

/// A `${…}` that means nothing here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`${{{name}}}` means nothing in a target file")]
pub struct UnknownPlaceholder {
    /// What stood between the braces.
    pub name: String,
}

/// What the placeholders stand for in one deployment.
#[derive(Clone, Debug, Default)]
pub(super) struct Placeholders(pub(super) BTreeMap<&'static str, String>);

impl Placeholders {
    /// The text with every placeholder replaced. Unknown ones were refused when the file was read.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Placeholder(name) => {
                    filled.push_str(self.0.get(name).map_or("", String::as_str));
                }
            }
        }
        filled
    }

    /// All of a command line filled.
    pub(super) fn fill_all(&self, words: &[String]) -> Vec<String> {
        words.iter().map(|word| self.fill(word)).collect()
    }

    /// A JSON value with every string in it filled. A string that is nothing but `${port}` becomes a number.
    pub(super) fn fill_json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if text == "${port}" => self.fill(text).parse::<u64>().map_or(Value::Null, Value::from),
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.fill_json(item)).collect(),
            Value::Object(members) => {
                Value::Object(members.iter().map(|(name, value)| (name.clone(), self.fill_json(value))).collect())
            }
            other => other.clone(),
        }
    }
}

/// Checks that every placeholder in a text has a meaning.
pub(super) fn check(text: &str) -> Result<(), UnknownPlaceholder> {
    for piece in pieces(text) {
        if let Piece::Placeholder(name) = piece
            && !NAMES.contains(&name)
        {
            return Err(UnknownPlaceholder { name: name.into() });
        }
    }
    Ok(())
}

enum Piece<'a> {
    Text(&'a str),
    Placeholder(&'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else { break };
        pieces.push(Piece::Text(before));
        pieces.push(Piece::Placeholder(name));
        rest = tail;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_and_a_lone_port_is_a_number() {
        let placeholders =
            Placeholders(BTreeMap::from([("port", "4711".to_string()), ("state_dir", "/s".to_string())]));
        assert_eq!(placeholders.fill("${state_dir}/x:${port}"), "/s/x:4711");
        assert_eq!(placeholders.fill_json(&serde_json::json!({"p": "${port}"})), serde_json::json!({"p": 4711}));
        assert_eq!(placeholders.fill("open ${ never closed"), "open ${ never closed");
        assert_eq!(check("${sate_dir}"), Err(UnknownPlaceholder { name: "sate_dir".into() }));
    }
}

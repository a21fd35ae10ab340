//! The shapes a compiled matcher can have.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) enum Kind {
    /// The very value, no extra members.
    Equal(Value),
    /// Members that must match; others are free unless `exact`.
    Object {
        members: Vec<(String, Kind)>,
        exact: bool,
    },
    /// As many items, each matching its own.
    List(Vec<Kind>),
    All(Vec<Kind>),
    OneOf {
        alternatives: Vec<(String, Kind)>,
        named: bool,
    },
    Not(Box<Kind>),
    /// Something is there or nothing is.
    Presence(bool),
    Contains(Vec<Kind>),
    Lacks(Vec<Kind>),
    Exactly(Box<Kind>),
    Unordered(Vec<Kind>),
    Each(Box<Kind>),
    Unique,
    Regex(regex::Regex),
    StartsWith(String),
    EndsWith(String),
    Length(Box<Kind>),
    Bytes(Box<Kind>),
    AtLeast(Value),
    AtMost(Value),
    Type(&'static str),
    Parsed(Box<Kind>),
    Decoded(Vec<u8>),
    Schema {
        schema: Value,
        validator: Box<jsonschema::Validator>,
    },
    Capture {
        name: String,
        inner: Option<Box<Kind>>,
    },
}

impl Kind {
    /// The matcher as an author could have written it.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Equal(value) => value.clone(),
            Self::Object { members, .. } => {
                Value::Object(members.iter().map(|(name, kind)| (name.clone(), kind.to_value())).collect())
            }
            Self::List(items) => Self::list_value(items),
            Self::All(items) => merged(items),
            Self::OneOf { alternatives, named: true } => {
                let map = alternatives.iter().map(|(name, kind)| (name.clone(), kind.to_value())).collect();
                json!({"$one_of": Value::Object(map)})
            }
            Self::OneOf { alternatives, named: false } => {
                json!({"$one_of": alternatives.iter().map(|(_, kind)| kind.to_value()).collect::<Value>()})
            }
            Self::Not(inner) => json!({"$not": inner.to_value()}),
            Self::Presence(true) => json!({"$present": true}),
            Self::Presence(false) => json!({"$absent": true}),
            Self::Contains(items) => json!({"$contains": Self::list_value(items)}),
            Self::Lacks(items) => json!({"$lacks": Self::list_value(items)}),
            Self::Exactly(inner) => json!({"$exactly": inner.to_value()}),
            Self::Unordered(items) => json!({"$unordered": Self::list_value(items)}),
            Self::Each(inner) => json!({"$each": inner.to_value()}),
            Self::Unique => json!({"$unique": true}),
            Self::Regex(regex) => json!({"$matches": regex.as_str()}),
            Self::StartsWith(text) => json!({"$starts_with": text}),
            Self::EndsWith(text) => json!({"$ends_with": text}),
            Self::Length(inner) => json!({"$length": inner.to_value()}),
            Self::Bytes(inner) => json!({"$bytes": inner.to_value()}),
            Self::AtLeast(number) => json!({"$at_least": number}),
            Self::AtMost(number) => json!({"$at_most": number}),
            Self::Type(name) => json!({"$type": name}),
            Self::Parsed(inner) => json!({"$parsed": inner.to_value()}),
            Self::Decoded(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => json!({"$decoded": text}),
                Err(_) => json!({"$decoded": {"$base64": STANDARD.encode(bytes)}}),
            },
            Self::Schema { schema, .. } => json!({"$schema": schema}),
            Self::Capture { name, inner: None } => json!({"$capture": name}),
            Self::Capture { name, inner: Some(inner) } => json!({"$capture": {"as": name, "is": inner.to_value()}}),
        }
    }

    /// Several matchers as a list.
    pub(super) fn list_value(items: &[Self]) -> Value {
        items.iter().map(Self::to_value).collect()
    }
}

/// Several matchers in one map stand side by side again, unless two of them would need the same key.
fn merged(items: &[Kind]) -> Value {
    if items.is_empty() {
        return json!({"$all": []});
    }
    let mut together = serde_json::Map::new();
    for item in items {
        match item.to_value() {
            Value::Object(members) if members.keys().all(|key| !together.contains_key(key)) => together.extend(members),
            _ => return json!({"$all": Kind::list_value(items)}),
        }
    }
    Value::Object(together)
}

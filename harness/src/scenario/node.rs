//! A scenario file as a tree of values that remember where they stand.

use serde_json::Number;
use std::ops::Range;
use std::sync::Arc;

/// Byte range in a [`Source`].
pub type Span = Range<usize>;

/// One file's name and text, shared by everything that points into it.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Path as a person would type it.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Source {
    /// A source from its name and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        let text = text.into();
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Arc::new(Self { path: path.into(), text, lines })
    }

    /// Line and column (both from 1, columns in characters) of a byte offset.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut end = offset.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let line = self.lines.partition_point(|begin| *begin <= end);
        let begin = self.lines[line - 1];
        (line, self.text[begin..end].chars().count() + 1)
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// The shapes a value can have.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A JSON number.
    Number(Number),
    /// A string, quoted or plain.
    String(String),
    /// A list.
    List(Vec<Node>),
    /// A map in the order written.
    Map(Vec<(Key, Node)>),
}

/// A map key and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

impl Node {
    /// A node that stands nowhere in particular (made by the engine, or in tests).
    pub fn synthetic(value: serde_json::Value) -> Self {
        let value = match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Bool(flag),
            serde_json::Value::Number(number) => Value::Number(number),
            serde_json::Value::String(text) => Value::String(text),
            serde_json::Value::Array(items) => Value::List(items.into_iter().map(Self::synthetic).collect()),
            serde_json::Value::Object(members) => Value::Map(
                members.into_iter().map(|(name, value)| (Key { name, span: 0..0 }, Self::synthetic(value))).collect(),
            ),
        };
        Self { value, span: 0..0 }
    }

    /// The value without spans, as JSON. Templates and generators are left as written.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => serde_json::Value::Bool(*flag),
            Value::Number(number) => serde_json::Value::Number(number.clone()),
            Value::String(text) => serde_json::Value::String(text.clone()),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Map(members) => serde_json::Value::Object(
                members.iter().map(|(key, node)| (key.name.clone(), node.to_json())).collect(),
            ),
        }
    }

    /// A member of a map.
    pub fn member(&self, name: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(members) => members.iter().find(|(key, _)| key.name == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The text, when the value is a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

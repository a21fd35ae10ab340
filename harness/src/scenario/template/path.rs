//! Paths: `phone.link.endpoint.port`, `reads[0].id`, `config["a key"]`.

use crate::scenario::spelling::nearest;
use serde_json::Value;
use std::fmt;

/// A path to a value: a root and the steps below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    root: String,
    segments: Vec<Segment>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// `.name` or `["name"]`
    Member(String),
    /// `[0]`
    Index(usize),
}

/// A path that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingPath {
    /// The path that was looked for.
    pub path: String,
    /// Where it ended, in words.
    pub detail: String,
    /// Nearest right spelling of the name that was not found.
    pub nearest: Option<String>,
}

impl fmt::Display for MissingPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.detail)?;
        match &self.nearest {
            Some(nearest) => write!(formatter, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for MissingPath {}

impl MissingPath {
    /// Nothing has the name that the path starts with.
    pub fn root<'a>(path: &Path, known: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            path: path.to_string(),
            detail: format!("nothing is named `{}`", path.root),
            nearest: nearest(&path.root, known).map(str::to_owned),
        }
    }
}

impl Path {
    /// Parses the inside of a `${…}`.
    ///
    /// # Errors
    ///
    /// What is wrong, as a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
        let (root, mut rest) = text.split_at(end);
        if !root.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(format!("a path starts with a name, and `{text}` does not"));
        }
        let mut segments = Vec::new();
        while !rest.is_empty() {
            let (segment, after) = if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(|c: char| !is_name(c)).unwrap_or(after.len());
                if end == 0 {
                    return Err(format!("`.` without a name in `{text}`"));
                }
                (Segment::Member(after[..end].to_owned()), &after[end..])
            } else if let Some(after) = rest.strip_prefix("[\"") {
                let end = after.find("\"]").ok_or_else(|| format!("`[\"` without its `\"]` in `{text}`"))?;
                (Segment::Member(after[..end].to_owned()), &after[end + 2..])
            } else if let Some(after) = rest.strip_prefix('[') {
                let end = after.find(']').ok_or_else(|| format!("`[` without its `]` in `{text}`"))?;
                let index =
                    after[..end].parse().map_err(|_| format!("`[{}]` is no index in `{text}`", &after[..end]))?;
                (Segment::Index(index), &after[end + 1..])
            } else {
                return Err(format!("`{rest}` makes no sense in `{text}`: a path is `name.member[0]`"));
            };
            segments.push(segment);
            rest = after;
        }
        Ok(Self { root: root.to_owned(), segments })
    }

    /// The name it starts with.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The steps below the root.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The value below the root's value.
    ///
    /// # Errors
    ///
    /// [`MissingPath`] that says where the path ended, with the nearest spelling.
    pub fn find_in<'a>(&self, root: &'a Value) -> Result<&'a Value, MissingPath> {
        let mut value = root;
        for (depth, segment) in self.segments.iter().enumerate() {
            let next = match (segment, value) {
                (Segment::Member(name), Value::Object(members)) => members.get(name),
                (Segment::Index(index), Value::Array(items)) => items.get(*index),
                _ => None,
            };
            value = next.ok_or_else(|| self.ended(depth, value))?;
        }
        Ok(value)
    }

    fn ended(&self, depth: usize, value: &Value) -> MissingPath {
        let so_far = Self { root: self.root.clone(), segments: self.segments[..depth].to_vec() };
        let (detail, nearest) = match (&self.segments[depth], value) {
            (Segment::Member(name), Value::Object(members)) => (
                format!("`{so_far}` has no `{name}`"),
                nearest(name, members.keys().map(String::as_str)).map(str::to_owned),
            ),
            (Segment::Index(index), Value::Array(items)) => {
                (format!("`{so_far}` has {} entries, so there is no `{so_far}[{index}]`", items.len()), None)
            }
            (Segment::Member(name), value) => (format!("`{so_far}` is {}, so it has no `{name}`", kind(value)), None),
            (Segment::Index(index), value) => {
                (format!("`{so_far}` is {}, so it has no `[{index}]`", kind(value)), None)
            }
        };
        MissingPath { path: self.to_string(), detail, nearest }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.root)?;
        for segment in &self.segments {
            match segment {
                Segment::Member(name) if name.chars().all(is_name) => write!(formatter, ".{name}")?,
                Segment::Member(name) => write!(formatter, "[\"{name}\"]")?,
                Segment::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// What a value is, with its article.
pub(in crate::scenario) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

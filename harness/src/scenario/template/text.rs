//! Texts with templates in them.

use super::{MOST_DEPTH, Path, Reason, Scope, is_written, resolve_written};
use serde_json::Value;
use std::ops::Range;

/// A text with templates in it, parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Path(Path, Range<usize>),
    /// `${c${i}.id}`: the path is itself made by templates.
    Computed(Template),
}

/// A template that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct TemplateError {
    /// What is wrong.
    pub detail: String,
    /// Byte range in the text.
    pub range: Range<usize>,
}

impl Template {
    /// Parses a text.
    ///
    /// # Errors
    ///
    /// A `${` without its `}`, or a path that cannot be read.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        Self::parse_at(text, 0)
    }

    fn parse_at(text: &str, depth: usize) -> Result<Self, TemplateError> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut at = 0;
        while let Some(found) = text[at..].find('$') {
            let dollar = at + found;
            literal.push_str(&text[at..dollar]);
            let rest = &text[dollar..];
            if rest.starts_with("$${") {
                literal.push_str("${");
                at = dollar + 3;
            } else if rest.starts_with("${") {
                let end = closing(text, dollar + 2).ok_or_else(|| TemplateError {
                    detail: "`${` without its `}`; write `$${` for a `${` that means itself".into(),
                    range: dollar..text.len(),
                })?;
                if !literal.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut literal)));
                }
                parts.push(Part::parse(&text[dollar + 2..end], dollar..end + 1, depth)?);
                at = end + 1;
            } else {
                literal.push('$');
                at = dollar + 1;
            }
        }
        literal.push_str(&text[at..]);
        if !literal.is_empty() || parts.is_empty() {
            parts.push(Part::Text(literal));
        }
        Ok(Self { parts })
    }

    /// Whether the text stands for itself.
    pub fn is_literal(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Text(_)])
    }

    /// The path, when the whole text is one template.
    pub fn whole(&self) -> Option<&Path> {
        match self.parts.as_slice() {
            [Part::Path(path, _)] => Some(path),
            _ => None,
        }
    }

    /// Whether the whole text is one template, so that it can stand for a value of any type.
    pub fn is_whole(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Path(..) | Part::Computed(_)])
    }

    /// The paths it uses and where they stand in the text. Paths made by templates are not among them, but the paths
    /// that make them are.
    pub fn paths(&self) -> Vec<(&Path, Range<usize>)> {
        let mut paths = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(_) => {}
                Part::Path(path, range) => paths.push((path, range.clone())),
                Part::Computed(inner) => paths.extend(inner.paths()),
            }
        }
        paths
    }

    /// The value: of any type when the whole text is one template, else a string.
    ///
    /// # Errors
    ///
    /// A path that leads nowhere.
    pub fn value(&self, scope: &dyn Scope) -> Result<Value, Reason> {
        self.value_at(scope, 0)
    }

    /// The text, whatever the types of the values in it: numbers, lists and maps are written as compact JSON.
    ///
    /// # Errors
    ///
    /// A path that leads nowhere.
    pub fn text(&self, scope: &dyn Scope) -> Result<String, Reason> {
        self.text_at(scope, 0)
    }

    pub(super) fn value_at(&self, scope: &dyn Scope, depth: usize) -> Result<Value, Reason> {
        match self.parts.as_slice() {
            [part @ (Part::Path(..) | Part::Computed(_))] => part.value(scope, depth),
            _ => Ok(Value::String(self.text_at(scope, depth)?)),
        }
    }

    fn text_at(&self, scope: &dyn Scope, depth: usize) -> Result<String, Reason> {
        let mut text = String::new();
        for part in &self.parts {
            match part.value(scope, depth)? {
                Value::String(value) => text.push_str(&value),
                value => text.push_str(&value.to_string()),
            }
        }
        Ok(text)
    }
}

impl Part {
    fn parse(inside: &str, range: Range<usize>, depth: usize) -> Result<Self, TemplateError> {
        if inside.contains("${") {
            if depth >= MOST_DEPTH {
                return Err(TemplateError { detail: "templates in templates in templates".into(), range });
            }
            return Ok(Self::Computed(Template::parse_at(inside, depth + 1)?));
        }
        match Path::parse(inside) {
            Ok(path) => Ok(Self::Path(path, range)),
            Err(detail) => Err(TemplateError { detail, range }),
        }
    }

    fn value(&self, scope: &dyn Scope, depth: usize) -> Result<Value, Reason> {
        let computed;
        let path = match self {
            Self::Text(text) => return Ok(Value::String(text.clone())),
            Self::Path(path, _) => path,
            Self::Computed(inner) => {
                let text = inner.text_at(scope, depth)?;
                computed = Path::parse(&text).map_err(|detail| TemplateError { detail, range: 0..0 })?;
                &computed
            }
        };
        let value = scope.lookup(path)?;
        if !is_written(path.root()) {
            return Ok(value);
        }
        let resolved = resolve_written(value, scope, depth).map_err(|error| error.reason)?;
        resolved.into_json().map_err(Reason::Bytes)
    }
}

/// Offset of the `}` that ends the template whose inside starts at `from`.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0;
    let mut rest = text[from..].char_indices().peekable();
    while let Some((offset, c)) = rest.next() {
        match c {
            '$' if rest.peek().is_some_and(|(_, next)| *next == '{') => {
                rest.next();
                depth += 1;
            }
            '}' if depth == 0 => return Some(from + offset),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

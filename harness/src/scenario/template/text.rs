//! Texts with templates in them.

use super::path::Path;
use std::ops::Range;

/// A text with templates in it, parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    pub(super) parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
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

/// Rows may use other values of their row, and paths may be made by templates, but not for ever.
pub(super) const MOST_DEPTH: usize = 16;

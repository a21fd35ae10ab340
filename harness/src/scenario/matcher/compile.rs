//! From what an author wrote to a [`Kind`].

use super::kind::Kind;
use super::syntax::{self, Operand, TYPES};
use crate::scenario::node::{Key, Node, Span, Value as Written};
use crate::scenario::template::{
    self, Reason, ResolveError, Resolved, Scope, Template, find_generator, is_written, member_name,
};
use serde_json::Value;

/// Why an expectation could not be compiled, and where it stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MatcherError {
    /// A template or generator in it.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// A `$key` that is no matcher.
    #[error("there is no matcher `{key}`")]
    Unknown {
        /// The key as written.
        key: String,
        /// Where it stands.
        span: Span,
    },
    /// An operand that makes no sense.
    #[error("`{key}` {detail}")]
    Operand {
        /// The matcher.
        key: &'static str,
        /// What is wrong.
        detail: String,
        /// Where it stands.
        span: Span,
    },
}

impl MatcherError {
    /// Where it stands in the scenario file; empty for values made elsewhere.
    pub fn span(&self) -> &Span {
        match self {
            Self::Resolve(error) => &error.span,
            Self::Unknown { span, .. } | Self::Operand { span, .. } => span,
        }
    }
}

pub(super) fn compile(node: &Node, scope: &dyn Scope) -> Result<Kind, MatcherError> {
    Compiler { scope, depth: 0 }.matcher(node)
}

#[derive(Clone, Copy)]
struct Compiler<'a> {
    scope: &'a dyn Scope,
    depth: usize,
}

impl Compiler<'_> {
    fn matcher(self, node: &Node) -> Result<Kind, MatcherError> {
        match &node.value {
            Written::String(text) => self.text(node, text),
            Written::List(items) => Ok(Kind::List(self.many(items)?)),
            Written::Map(members) => self.map(node, members),
            _ => Ok(Kind::Equal(node.to_json())),
        }
    }

    fn text(self, node: &Node, text: &str) -> Result<Kind, MatcherError> {
        let template = Template::parse(text).map_err(|error| ResolveError::at(node, error))?;
        match template.whole() {
            Some(path) if is_written(path.root()) => {
                if self.depth >= MOST_DEPTH {
                    return Err(ResolveError::at(node, Reason::Endless).into());
                }
                let value = self.scope.lookup(path).map_err(|error| ResolveError::at(node, error))?;
                Self { depth: self.depth + 1, ..self }.matcher(&Node::synthetic(value))
            }
            _ => Ok(Kind::Equal(template.value(self.scope).map_err(|reason| ResolveError::at(node, reason))?)),
        }
    }

    fn map(self, node: &Node, members: &[(Key, Node)]) -> Result<Kind, MatcherError> {
        if let [(key, _)] = members
            && syntax::find(&key.name).is_none()
            && find_generator(&key.name).is_some()
        {
            return Ok(Kind::Equal(template::resolve_json(node, self.scope)?));
        }
        let mut kinds = Vec::new();
        let mut plain = Vec::new();
        for (key, operand) in members {
            if key.name.starts_with('$') && !key.name.starts_with("$$") && !key.name.starts_with("${") {
                let matcher = syntax::find(&key.name)
                    .ok_or_else(|| MatcherError::Unknown { key: key.name.clone(), span: key.span.clone() })?;
                kinds.push(self.special(matcher.key, matcher.operand, operand)?);
            } else {
                plain.push((member_name(key, node, self.scope)?, self.matcher(operand)?));
            }
        }
        if !plain.is_empty() || kinds.is_empty() {
            kinds.insert(0, Kind::Object { members: plain, exact: false });
        }
        Ok(match kinds.len() {
            1 => kinds.remove(0),
            _ => Kind::All(kinds),
        })
    }

    fn special(self, key: &'static str, form: Operand, node: &Node) -> Result<Kind, MatcherError> {
        let wrong = |detail: String| MatcherError::Operand { key, detail, span: node.span.clone() };
        Ok(match form {
            Operand::Matcher => {
                let inner = Box::new(self.matcher(node)?);
                match key {
                    "$not" => Kind::Not(inner),
                    "$each" => Kind::Each(inner),
                    "$parsed" => Kind::Parsed(inner),
                    _ => Kind::Exactly(Box::new(exact(*inner))),
                }
            }
            Operand::Matchers | Operand::OneOrMany => {
                let inner = match self.listed(node)? {
                    Some(items) => items,
                    None if form == Operand::OneOrMany => vec![self.matcher(node)?],
                    None => return Err(wrong("needs a list".into())),
                };
                match key {
                    "$contains" => Kind::Contains(inner),
                    "$lacks" => Kind::Lacks(inner),
                    "$unordered" => Kind::Unordered(inner),
                    _ => Kind::All(inner),
                }
            }
            Operand::Alternatives => self.alternatives(node)?.ok_or_else(|| wrong(NEEDS_ALTERNATIVES.into()))?,
            Operand::True | Operand::Flag => match self.json(node)? {
                Value::Bool(true) if key == "$unique" => Kind::Unique,
                Value::Bool(flag) if form == Operand::Flag || flag => Kind::Presence(flag != (key == "$absent")),
                _ if form == Operand::Flag => return Err(wrong("needs `true` or `false`".into())),
                _ => return Err(wrong("needs `true`".into())),
            },
            Operand::Count => {
                let inner = Box::new(self.matcher(node)?);
                match key {
                    "$length" => Kind::Length(inner),
                    _ => Kind::Bytes(inner),
                }
            }
            Operand::Number => match self.json(node)? {
                number @ Value::Number(_) if key == "$at_least" => Kind::AtLeast(number),
                number @ Value::Number(_) => Kind::AtMost(number),
                _ => return Err(wrong("needs a number".into())),
            },
            Operand::Range => match self.json(node)?.as_array().map(Vec::as_slice) {
                Some([low @ Value::Number(_), high @ Value::Number(_)]) => {
                    Kind::All(vec![Kind::AtLeast(low.clone()), Kind::AtMost(high.clone())])
                }
                _ => return Err(wrong("needs two numbers".into())),
            },
            Operand::Text | Operand::Regex | Operand::Type => {
                let Value::String(text) = self.json(node)? else {
                    return Err(wrong("needs text".into()));
                };
                match key {
                    "$starts_with" => Kind::StartsWith(text),
                    "$ends_with" => Kind::EndsWith(text),
                    "$matches" => Kind::Regex(regex::Regex::new(&text).map_err(|error| wrong(not_a_regex(&error)))?),
                    _ => match TYPES.iter().find(|name| **name == text) {
                        Some(name) => Kind::Type(name),
                        None => return Err(wrong(format!("knows no type `{text}`"))),
                    },
                }
            }
            Operand::Bytes => match template::resolve(node, self.scope)? {
                Resolved::Bytes(bytes) => Kind::Decoded(bytes),
                Resolved::Json(Value::String(text)) => Kind::Decoded(text.into_bytes()),
                _ => return Err(wrong("needs text or bytes".into())),
            },
            Operand::Schema => {
                let schema = self.json(node)?;
                let validator = jsonschema::validator_for(&schema)
                    .map_err(|error| wrong(format!("needs a JSON Schema: {error}")))?;
                Kind::Schema { schema, validator: Box::new(validator) }
            }
            Operand::Capture => match (node.text(), node.member("as").and_then(Node::text)) {
                (Some(name), _) => Kind::Capture { name: self.name(node, name)?, inner: None },
                (None, Some(name)) => {
                    let inner = node.member("is").map(|inner| self.matcher(inner)).transpose()?;
                    Kind::Capture { name: self.name(node, name)?, inner: inner.map(Box::new) }
                }
                (None, None) => return Err(wrong("needs a name, or `{ as: name, is: m }`".into())),
            },
        })
    }

    fn alternatives(self, node: &Node) -> Result<Option<Kind>, MatcherError> {
        let redirected;
        let node = match self.written(node)? {
            Some(other) => {
                redirected = other;
                &redirected
            }
            None => node,
        };
        let (alternatives, named) = match &node.value {
            Written::Map(members) if !members.is_empty() => {
                let named = members
                    .iter()
                    .map(|(key, inner)| Ok((member_name(key, node, self.scope)?, self.matcher(inner)?)))
                    .collect::<Result<_, MatcherError>>()?;
                (named, true)
            }
            Written::List(items) if !items.is_empty() => {
                let counted = self.many(items)?.into_iter().enumerate();
                (counted.map(|(index, kind)| (format!("alternative {}", index + 1), kind)).collect(), false)
            }
            _ => return Ok(None),
        };
        Ok(Some(Kind::OneOf { alternatives, named }))
    }

    fn many(self, items: &[Node]) -> Result<Vec<Kind>, MatcherError> {
        items.iter().map(|item| self.matcher(item)).collect()
    }

    /// The matchers of an operand that is a list, or a template that stands for one.
    fn listed(self, node: &Node) -> Result<Option<Vec<Kind>>, MatcherError> {
        if let Some(other) = self.written(node)? {
            return self.listed(&other);
        }
        match &node.value {
            Written::List(items) => Ok(Some(self.many(items)?)),
            Written::String(text) if text.contains("${") => match self.json(node)? {
                Value::Array(items) => Ok(Some(items.into_iter().map(Kind::Equal).collect())),
                _ => Ok(None),
            },
            Written::Map(members) => match members.as_slice() {
                [(key, _)] if syntax::find(&key.name).is_none() && find_generator(&key.name).is_some() => {
                    match self.json(node)? {
                        Value::Array(items) => Ok(Some(items.into_iter().map(Kind::Equal).collect())),
                        _ => Ok(None),
                    }
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// What stands in the case table behind a template, as if it were written here.
    fn written(self, node: &Node) -> Result<Option<Node>, MatcherError> {
        let Written::String(text) = &node.value else {
            return Ok(None);
        };
        let template = Template::parse(text).map_err(|error| ResolveError::at(node, error))?;
        match template.whole() {
            Some(path) if is_written(path.root()) => {
                let value = self.scope.lookup(path).map_err(|error| ResolveError::at(node, error))?;
                let other = Node::synthetic(value);
                Ok((other.value != node.value).then_some(other))
            }
            _ => Ok(None),
        }
    }

    fn json(self, node: &Node) -> Result<Value, MatcherError> {
        Ok(template::resolve_json(node, self.scope)?)
    }

    fn name(self, node: &Node, name: &str) -> Result<String, MatcherError> {
        let template = Template::parse(name).map_err(|error| ResolveError::at(node, error))?;
        Ok(template.text(self.scope).map_err(|reason| ResolveError::at(node, reason))?)
    }
}

/// The matcher with every map in it closed.
fn exact(kind: Kind) -> Kind {
    match kind {
        Kind::Object { members, .. } => {
            Kind::Object { members: members.into_iter().map(|(name, kind)| (name, exact(kind))).collect(), exact: true }
        }
        Kind::List(items) => Kind::List(items.into_iter().map(exact).collect()),
        other => other,
    }
}

pub(in crate::scenario) fn not_a_regex(error: &regex::Error) -> String {
    match error {
        regex::Error::Syntax(text) => {
            let last = text.lines().last().unwrap_or_default();
            format!("needs a regular expression: {}", last.strip_prefix("error: ").unwrap_or(last))
        }
        other => format!("needs a regular expression: {other}"),
    }
}

pub(in crate::scenario) const NEEDS_ALTERNATIVES: &str = "needs alternatives: `{ name: m, … }` or `[m, …]`";

// The same bound as for rows in arguments.
const MOST_DEPTH: usize = 16;

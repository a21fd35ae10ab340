//! Matchers: what an author expects, held against what came.
//!
//! A map matches as a subset, a list in full and in order, everything else by equality (numbers by value). Keys that
//! start with `$` are matchers of their own; see [`MATCHERS`]. Several of them in one map must all hold. Values that a
//! template brings in from the run are compared exactly; what stands in a case table counts as written in place.

mod check;
mod compare;
mod compile;
mod kind;
mod outcome;
mod place;
mod syntax;
mod words;

pub use compile::MatcherError;
pub(super) use compile::{NEEDS_ALTERNATIVES, not_a_regex};
pub use outcome::{MatchOutcome, Mismatch};
pub use syntax::{MATCHERS, MatcherSyntax};
pub(super) use syntax::{Operand, TYPES, find};

use super::node::Node;
use super::template::Scope;
use kind::Kind;
use serde_json::Value;

/// A compiled matcher.
#[derive(Debug)]
pub struct Matcher {
    kind: Kind,
}

impl Matcher {
    /// Compiles an expectation; its templates and generators are resolved on the way.
    ///
    /// # Errors
    ///
    /// A template that leads nowhere, an unknown `$key`, an operand that makes no sense.
    pub fn compile(node: &Node, scope: &dyn Scope) -> Result<Self, MatcherError> {
        Ok(Self { kind: compile::compile(node, scope)? })
    }

    /// Compiles an expectation without templates.
    ///
    /// # Errors
    ///
    /// As [`compile`](Self::compile).
    pub fn from_value(value: &Value) -> Result<Self, MatcherError> {
        Self::compile(&Node::synthetic(value.clone()), &serde_json::Map::new())
    }

    /// Matches values equal to this one and no others; `$` keys in it mean nothing.
    pub fn equal_to(value: Value) -> Self {
        Self { kind: Kind::Equal(value) }
    }

    /// Holds a value against the matcher.
    pub fn check(&self, actual: &Value) -> MatchOutcome {
        check::run(&self.kind, Some(actual))
    }

    /// Holds a member that may be missing against the matcher.
    pub fn check_member(&self, actual: Option<&Value>) -> MatchOutcome {
        check::run(&self.kind, actual)
    }

    /// Whether a value matches.
    pub fn matches(&self, actual: &Value) -> bool {
        self.check(actual).matched
    }

    /// The expectation as data, templates and generators replaced; for reports.
    pub fn expected(&self) -> Value {
        self.kind.to_value()
    }
}

#[cfg(test)]
mod tests;

//! Why a value cannot be resolved.

use super::path::MissingPath;
use super::resolved::BytesInJson;
use super::text::TemplateError;
use crate::scenario::node::{Node, Span};

/// Why a value could not be resolved, and where it stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{reason}")]
pub struct ResolveError {
    /// Where it stands in the scenario file; empty for values made elsewhere.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

/// Why a value could not be resolved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Reason {
    /// A path leads nowhere.
    #[error(transparent)]
    Missing(#[from] MissingPath),
    /// A template that cannot be read.
    #[error("template: {0}")]
    Template(#[from] TemplateError),
    /// A `$key` that is no generator.
    #[error("there is no generator `{0}`")]
    UnknownGenerator(String),
    /// A generator that cannot work on what it was given.
    #[error("`{key}` {detail}")]
    Generator {
        /// Its key.
        key: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// Bytes where only JSON makes sense.
    #[error(transparent)]
    Bytes(BytesInJson),
    /// A row that refers to itself.
    #[error("the value refers to itself")]
    Endless,
}

impl ResolveError {
    pub(in crate::scenario) fn at(node: &Node, reason: impl Into<Reason>) -> Self {
        Self { span: node.span.clone(), reason: reason.into() }
    }
}

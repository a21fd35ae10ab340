//! A file that cannot be understood.

use super::kinds::Mistake;
use crate::scenario::node::{Source, Span};
use std::fmt;
use std::sync::Arc;

/// One mistake and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands.
    pub span: Span,
    /// What is wrong.
    pub mistake: Mistake,
}

/// A file that cannot be understood: everything that is wrong with it, in the order of the file.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// The file.
    pub source: Arc<Source>,
    /// The mistakes; never empty.
    pub problems: Vec<Problem>,
}

impl fmt::Display for LoadError {
    /// `path:line:column: mistake`, one per line. See [`diagnostics`](crate::scenario::diagnostics) for the rendering people get.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let (line, column) = self.source.position(problem.span.start);
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{}:{line}:{column}: {}", self.source.path, problem.mistake)?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

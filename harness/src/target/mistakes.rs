//! Mistakes in target files.

use crate::scenario::node::{Source, Span};
use std::sync::Arc;

/// Why a target file was not understood: every mistake in it.
#[derive(Clone, Debug)]
pub struct TargetMistakes {
    /// The file.
    pub source: Arc<Source>,
    /// Its mistakes, in the order they stand.
    pub mistakes: Vec<Mistake>,
}

/// One mistake in a file that a person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where it stands.
    pub span: Span,
    /// What is wrong, and what was expected.
    pub message: String,
    /// How to mend it, with the nearest right spelling when there is one.
    pub help: Option<String>,
}

impl std::fmt::Display for TargetMistakes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, mistake) in self.mistakes.iter().enumerate() {
            let (line, column) = self.source.position(mistake.span.start);
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:{line}:{column}: {}", self.source.path, mistake.message)?;
            if let Some(help) = &mistake.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for TargetMistakes {}

//! Values and matchers of a scenario, evaluated with the names that are known when a step begins.

use super::case_names::{CaseNames, Locals};
use super::other_actors::OtherActors;
use super::step_outcome::StepError;
use crate::scenario::matcher::{Matcher, MatcherError};
use crate::scenario::node::Node;
use crate::scenario::template::{self, MissingPath, Path, Reason, ResolveError, Resolved, Scope};
use serde_json::Value;

/// Everything that a template of one step may name.
#[derive(Clone, Copy)]
pub(super) struct StepScope<'a> {
    /// The names of the case.
    pub(super) names: &'a CaseNames,
    /// The actors, which are names, too.
    pub(super) others: &'a dyn OtherActors,
    /// Variables of the loops around the step. They hide other names.
    pub(super) locals: &'a Locals,
}

impl Scope for StepScope<'_> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        let found = self.names.at(path, self.locals).or_else(|| self.others.value_at(path));
        found.unwrap_or_else(|| {
            let mut roots = self.names.roots(self.locals);
            roots.extend(self.others.names());
            Err(MissingPath::root(path, roots.iter().map(String::as_str)))
        })
    }
}

impl StepScope<'_> {
    /// A node's value: templates filled in, generators run.
    pub(super) fn evaluate(&self, node: &Node) -> Result<Value, StepError> {
        template::resolve_json(node, self).map_err(|error| self.step_error(&error))
    }

    /// A node's value where bytes may stand in it.
    pub(super) fn resolved(&self, node: &Node) -> Result<Resolved, StepError> {
        template::resolve(node, self).map_err(|error| self.step_error(&error))
    }

    /// A node's bytes: bytes, or the UTF-8 of a string; anything else is written as JSON.
    pub(super) fn bytes(&self, node: &Node) -> Result<Vec<u8>, StepError> {
        bytes_of(self.resolved(node)?)
    }

    /// A matcher, ready to be held against values.
    pub(super) fn matcher(&self, node: &Node) -> Result<Matcher, StepError> {
        Matcher::compile(node, self).map_err(|error| match &error {
            MatcherError::Resolve(error) => self.step_error(error),
            other => StepError::Broken(other.to_string()),
        })
    }

    /// A value that cannot be resolved: our fault, unless a step that brought nothing was to name what is missing, or the
    /// daemon never gave an actor what the template asks for.
    fn step_error(&self, error: &ResolveError) -> StepError {
        if let Reason::Missing(missing) = &error.reason {
            let root: String =
                missing.path.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
            if let Some(why) = self.names.missing(&root) {
                return StepError::Unmet(format!("`{}` is not there: {why}", missing.path));
            }
            if self.others.is_there(&root) || self.names.was_bound(&root) {
                return StepError::Unmet(error.to_string());
            }
        }
        StepError::Broken(error.to_string())
    }
}

/// The bytes of a value that was resolved.
pub(super) fn bytes_of(resolved: Resolved) -> Result<Vec<u8>, StepError> {
    match resolved.as_bytes() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => match resolved.into_json() {
            Ok(value) => Ok(value.to_string().into_bytes()),
            Err(error) => Err(StepError::Broken(error.to_string())),
        },
    }
}

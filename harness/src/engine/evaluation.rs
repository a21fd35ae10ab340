//! Reading a scenario's values and matchers with the names of one case.

use super::case_state::{CaseState, Locals};
use super::step_outcome::StepError;
use crate::scenario::matcher::{Matcher, MatcherError};
use crate::scenario::node::Node;
use crate::scenario::template::{self, MissingPath, Path, Reason, ResolveError, Resolved, Scope};
use serde_json::Value;

/// The names of one case and the loops around one step.
struct CaseScope<'a> {
    case: &'a CaseState,
    locals: &'a Locals,
}

impl Scope for CaseScope<'_> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        self.case.at(path, self.locals).unwrap_or_else(|| {
            let roots = self.case.roots(self.locals);
            Err(MissingPath::root(path, roots.iter().map(String::as_str)))
        })
    }
}

/// A node's value: templates filled in, generators run.
pub(super) fn evaluate(node: &Node, case: &CaseState, locals: &Locals) -> Result<Value, StepError> {
    template::resolve_json(node, &CaseScope { case, locals }).map_err(|error| step_error(&error, case))
}

/// A node's value where bytes may stand in it.
pub(super) fn resolved(node: &Node, case: &CaseState, locals: &Locals) -> Result<Resolved, StepError> {
    template::resolve(node, &CaseScope { case, locals }).map_err(|error| step_error(&error, case))
}

/// A node's bytes: bytes, or the UTF-8 of a string; anything else is written as JSON.
pub(super) fn bytes(node: &Node, case: &CaseState, locals: &Locals) -> Result<Vec<u8>, StepError> {
    bytes_of(resolved(node, case, locals)?)
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

/// A matcher, ready to be held against values.
pub(super) fn matcher(node: &Node, case: &CaseState, locals: &Locals) -> Result<Matcher, StepError> {
    Matcher::compile(node, &CaseScope { case, locals }).map_err(|error| match &error {
        MatcherError::Resolve(error) => step_error(error, case),
        other => StepError::Broken(other.to_string()),
    })
}

/// A value that cannot be resolved: our fault, unless a step that brought nothing was to name what is missing, or the
/// daemon never gave an actor what the template asks for.
fn step_error(error: &ResolveError, case: &CaseState) -> StepError {
    if let Reason::Missing(missing) = &error.reason {
        let root: String = missing.path.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
        if let Some(why) = case.missing(&root) {
            return StepError::Unmet(format!("`{}` is not there: {why}", missing.path));
        }
        if case.actors.contains_key(&root) || case.was_bound(&root) {
            return StepError::Unmet(error.to_string());
        }
    }
    StepError::Broken(error.to_string())
}

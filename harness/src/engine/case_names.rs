//! The names of one case: what steps have bound, marked and left open.

use super::step_outcome::StepError;
use crate::scenario::template::{MissingPath, Path};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The names of one case.
#[derive(Debug)]
pub(super) struct CaseNames(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    values: Map<String, Value>,
    /// Names that were there before the first step.
    given: BTreeSet<String>,
    /// Names that were to be bound by steps that brought nothing, and why.
    missing: BTreeMap<String, String>,
    marks: HashMap<String, u64>,
    /// Up to where in the transcript each actor's checks have looked.
    evidence: HashMap<String, u64>,
    operations: HashMap<String, Operation>,
}

/// A request that was left open.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Whose it is.
    pub(super) actor: String,
    /// The request's id.
    pub(super) handle: Value,
    /// The member in which its answer has a list, when it asks for one.
    pub(super) list: Option<&'static str>,
}

/// Variables of the loops around a step, innermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Locals(Option<Arc<Local>>);

#[derive(Debug)]
struct Local {
    name: String,
    value: Value,
    outer: Locals,
}

impl Locals {
    /// These and one more.
    pub(super) fn with(&self, name: &str, value: Value) -> Self {
        Self(Some(Arc::new(Local { name: name.to_owned(), value, outer: self.clone() })))
    }

    fn find(&self, name: &str) -> Option<&Value> {
        let mut at = self;
        while let Some(local) = &at.0 {
            if local.name == name {
                return Some(&local.value);
            }
            at = &local.outer;
        }
        None
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = self;
        while let Some(local) = &at.0 {
            names.push(local.name.clone());
            at = &local.outer;
        }
        names
    }
}

impl CaseNames {
    /// Names before the first step: `given` are the roots that exist by then (`target`, `case`, `each`).
    pub(super) fn new(given: Map<String, Value>) -> Self {
        Self(Mutex::new(State { given: given.keys().cloned().collect(), values: given, ..State::default() }))
    }

    /// Binds a name to a value.
    pub(super) fn bind(&self, name: &str, value: Value) {
        let mut state = self.state();
        state.missing.remove(name);
        state.values.insert(name.to_owned(), value);
    }

    /// Every name that steps have bound, and its value.
    pub(super) fn bound(&self) -> Map<String, Value> {
        let state = self.state();
        let bound = state.values.iter().filter(|(name, _)| !state.given.contains(*name));
        bound.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Remembers that a name could not be bound.
    pub(super) fn miss(&self, name: &str, why: impl Into<String>) {
        let mut state = self.state();
        if !state.values.contains_key(name) {
            state.missing.insert(name.to_owned(), why.into());
        }
    }

    /// Why a name that could have been bound is not.
    pub(super) fn missing(&self, name: &str) -> Option<String> {
        self.state().missing.get(name).cloned()
    }

    /// Whether a step has bound this name to what the daemon gave.
    pub(super) fn was_bound(&self, name: &str) -> bool {
        let state = self.state();
        state.values.contains_key(name) && !state.given.contains(name)
    }

    /// What a path leads to below a loop variable or a bound name; nothing when there is no such name.
    pub(super) fn at(&self, path: &Path, locals: &Locals) -> Option<Result<Value, MissingPath>> {
        let found = |root: &Value| path.find_in(root).cloned();
        if let Some(root) = locals.find(path.root()) {
            return Some(found(root));
        }
        self.state().values.get(path.root()).map(found)
    }

    /// All names, for "did you mean".
    pub(super) fn roots(&self, locals: &Locals) -> Vec<String> {
        let mut roots = locals.names();
        roots.extend(self.state().values.keys().cloned());
        roots
    }

    /// Remembers a position.
    pub(super) fn set_mark(&self, actor: &str, name: &str, position: u64) {
        self.state().marks.insert(mark_key(actor, name), position);
    }

    /// The position that a mark of this actor stands for.
    pub(super) fn mark(&self, actor: &str, name: &str) -> Result<u64, StepError> {
        let found = self.state().marks.get(&mark_key(actor, name)).copied();
        found.ok_or_else(|| StepError::Broken(format!("{actor} has set no mark `{name}`")))
    }

    /// Sets up to where in the transcript an actor's checks have looked, and gives where that was before, if they have.
    pub(super) fn swap_evidence(&self, actor: &str, position: u64) -> Option<u64> {
        self.state().evidence.insert(actor.to_owned(), position)
    }

    /// Remembers a request that was left open.
    pub(super) fn leave_open(&self, name: &str, operation: Operation) {
        self.state().operations.insert(name.to_owned(), operation);
    }

    /// The request that was left open under that name.
    pub(super) fn operation(&self, actor: &str, name: &str) -> Result<Operation, StepError> {
        let found = self.state().operations.get(name).cloned();
        match found {
            Some(operation) if operation.actor == actor => Ok(operation),
            Some(operation) => {
                Err(StepError::Broken(format!("`{name}` was left open by {}, not by {actor}", operation.actor)))
            }
            None => match self.missing(name) {
                Some(why) => Err(StepError::Unmet(format!("`{name}` was not started: {why}"))),
                None => Err(StepError::Broken(format!("nothing was left open under the name `{name}`"))),
            },
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn mark_key(actor: &str, name: &str) -> String {
    format!("{actor}/{name}")
}

//! One case: who takes part, what has been named, and what it all stands on.

use super::actors::Actor;
use super::check_results::CheckResults;
use super::run_metadata::{AppMetadata, ClientMetadata, RunMetadata};
use super::stage::Stage;
use super::step_outcome::StepError;
use crate::scenario::template::{MissingPath, Path};
use crate::transcript::Recorder;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What all cases of one run share.
#[derive(Debug)]
pub(super) struct RunState {
    /// The transcript.
    pub(super) recorder: Recorder,
    /// The checks.
    pub(super) checks: CheckResults,
    metadata: Mutex<RunMetadata>,
    connections: Mutex<HashMap<String, u32>>,
}

/// One case.
#[derive(Debug)]
pub(super) struct CaseState {
    /// What all cases share.
    pub(super) run: Arc<RunState>,
    /// The daemon.
    pub(super) stage: Arc<Stage>,
    /// Number of the case.
    pub(super) number: usize,
    /// Everybody, by name.
    pub(super) actors: BTreeMap<String, Actor>,
    /// Where in the transcript the case began.
    began: u64,
    names: Mutex<Names>,
}

#[derive(Debug, Default)]
struct Names {
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

impl RunState {
    /// An empty run.
    pub(super) fn new(checks: CheckResults, metadata: RunMetadata) -> Self {
        Self { recorder: Recorder::new(), checks, metadata: Mutex::new(metadata), connections: Mutex::default() }
    }

    /// The number of an actor's next connection, from 1. It counts on over all cases.
    pub(super) fn next_connection(&self, actor: &str) -> u32 {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let count = connections.entry(actor.to_owned()).or_default();
        *count += 1;
        *count
    }

    /// Notes facts for the watchers.
    pub(super) fn note(&self, edit: impl FnOnce(&mut RunMetadata)) {
        edit(&mut self.metadata.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes a session of an app, and its alias when that is known.
    pub(super) fn note_session(&self, actor: &str, session: &str, alias: Option<&str>) {
        self.note(|metadata| {
            let app: &mut AppMetadata = metadata.apps.entry(actor.to_owned()).or_default();
            push_new(&mut app.sessions, session);
            if let Some(alias) = alias {
                push_new(&mut app.aliases, alias);
            }
        });
    }

    /// Notes a token that must not leak.
    pub(super) fn note_secret(&self, secret: &str) {
        if !secret.is_empty() {
            self.note(|metadata| {
                metadata.secrets.insert(secret.to_owned());
            });
        }
    }

    /// Notes an MCP connection, or changes what was noted of it.
    pub(super) fn note_client(&self, actor: &str, connection: u32, edit: impl FnOnce(&mut ClientMetadata)) {
        self.note(|metadata| {
            let known =
                metadata.clients.iter().position(|known| known.actor == actor && known.connection == connection);
            let at = known.unwrap_or_else(|| {
                metadata.clients.push(ClientMetadata {
                    actor: actor.to_owned(),
                    connection,
                    ..ClientMetadata::default()
                });
                metadata.clients.len() - 1
            });
            edit(&mut metadata.clients[at]);
        });
    }

    /// A copy of the metadata.
    pub(super) fn metadata(&self) -> RunMetadata {
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl CaseState {
    /// A case; `given` are the roots that exist before the first step (`target`, `case`, `each`).
    pub(super) fn new(
        run: Arc<RunState>,
        stage: Arc<Stage>,
        number: usize,
        actors: BTreeMap<String, Actor>,
        given: Map<String, Value>,
    ) -> Self {
        let names = Names { given: given.keys().cloned().collect(), values: given, ..Names::default() };
        let names = Mutex::new(names);
        let began = run.recorder.position();
        Self { run, stage, number, actors, began, names }
    }

    /// The actor of that name.
    pub(super) fn actor(&self, name: &str) -> Result<&Actor, StepError> {
        self.actors.get(name).ok_or_else(|| StepError::Broken(format!("nobody is called `{name}`")))
    }

    /// Binds a name to a value.
    pub(super) fn bind(&self, name: &str, value: Value) {
        let mut names = self.names();
        names.missing.remove(name);
        names.values.insert(name.to_owned(), value);
    }

    /// Every name that steps have bound, and its value.
    pub(super) fn bound(&self) -> Map<String, Value> {
        let names = self.names();
        let bound = names.values.iter().filter(|(name, _)| !names.given.contains(*name));
        bound.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Remembers that a name could not be bound.
    pub(super) fn miss(&self, name: &str, why: impl Into<String>) {
        let mut names = self.names();
        if !names.values.contains_key(name) {
            names.missing.insert(name.to_owned(), why.into());
        }
    }

    /// Why a name that could have been bound is not.
    pub(super) fn missing(&self, name: &str) -> Option<String> {
        self.names().missing.get(name).cloned()
    }

    /// Whether a step has bound this name to what the daemon gave.
    pub(super) fn was_bound(&self, name: &str) -> bool {
        let names = self.names();
        names.values.contains_key(name) && !names.given.contains(name)
    }

    /// What a path of a template stands for; nothing when there is no such root.
    pub(super) fn at(&self, path: &Path, locals: &Locals) -> Option<Result<Value, MissingPath>> {
        let found = |root: &Value| path.find_in(root).cloned();
        if let Some(root) = locals.find(path.root()) {
            return Some(found(root));
        }
        if let Some(root) = self.names().values.get(path.root()) {
            return Some(found(root));
        }
        self.actors.get(path.root()).map(|actor| actor.at(path))
    }

    /// All roots, for "did you mean".
    pub(super) fn roots(&self, locals: &Locals) -> Vec<String> {
        let mut roots = locals.names();
        roots.extend(self.names().values.keys().cloned());
        roots.extend(self.actors.keys().cloned());
        roots
    }

    /// Remembers a position.
    pub(super) fn set_mark(&self, actor: &str, name: &str, position: u64) {
        self.names().marks.insert(mark_key(actor, name), position);
    }

    /// The position that a mark of this actor stands for.
    pub(super) fn mark(&self, actor: &str, name: &str) -> Result<u64, StepError> {
        let found = self.names().marks.get(&mark_key(actor, name)).copied();
        found.ok_or_else(|| StepError::Broken(format!("{actor} has set no mark `{name}`")))
    }

    /// Sets up to where in the transcript an actor's checks have looked, and gives where that was before.
    pub(super) fn swap_evidence(&self, actor: &str, position: u64) -> u64 {
        self.names().evidence.insert(actor.to_owned(), position).unwrap_or(self.began)
    }

    /// Remembers a request that was left open.
    pub(super) fn leave_open(&self, name: &str, operation: Operation) {
        self.names().operations.insert(name.to_owned(), operation);
    }

    /// The request that was left open under that name.
    pub(super) fn operation(&self, actor: &str, name: &str) -> Result<Operation, StepError> {
        let found = self.names().operations.get(name).cloned();
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

    fn names(&self) -> MutexGuard<'_, Names> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn mark_key(actor: &str, name: &str) -> String {
    format!("{actor}/{name}")
}

fn push_new(list: &mut Vec<String>, item: &str) {
    if !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}

//! One case: who takes part, what has been named, and what it all stands on.

use super::actors::Actor;
use super::case_names::{CaseNames, Locals};
use super::check_results::CheckResults;
use super::control::Control;
use super::evaluation::StepScope;
use super::fences;
use super::other_actors::{OtherActors, Silence};
use super::run_record::RunRecord;
use super::stage::Stage;
use super::step_outcome::StepError;
use crate::scenario::template::{MissingPath, Path};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What all cases of one run share.
#[derive(Debug)]
pub(super) struct RunState {
    /// What is written down while it goes on.
    pub(super) record: RunRecord,
    /// The checks.
    pub(super) checks: CheckResults,
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
    /// All actors, by name.
    pub(super) actors: BTreeMap<String, Actor>,
    /// What steps have named.
    pub(super) names: CaseNames,
    /// Where in the transcript the case began.
    began: u64,
}

impl CaseState {
    /// A case; `given` are the names that exist before the first step (`target`, `case`, `each`).
    pub(super) fn new(
        run: Arc<RunState>,
        stage: Arc<Stage>,
        number: usize,
        actors: BTreeMap<String, Actor>,
        given: Map<String, Value>,
    ) -> Self {
        let began = run.record.recorder.position();
        Self { run, stage, number, actors, names: CaseNames::new(given), began }
    }

    /// The actor of that name.
    pub(super) fn actor(&self, name: &str) -> Result<&Actor, StepError> {
        self.actors.get(name).ok_or_else(|| StepError::Broken(format!("nobody is called `{name}`")))
    }

    /// What templates and matchers of a step see, with the loops around it.
    pub(super) fn scope<'a>(&'a self, locals: &'a Locals) -> StepScope<'a> {
        StepScope { names: &self.names, others: self, locals }
    }

    /// Sets up to where in the transcript an actor's checks have looked, and gives where that was before.
    pub(super) fn swap_evidence(&self, actor: &str, position: u64) -> u64 {
        self.names.swap_evidence(actor, position).unwrap_or(self.began)
    }
}

impl OtherActors for CaseState {
    fn names(&self) -> Vec<String> {
        self.actors.keys().cloned().collect()
    }

    fn is_there(&self, name: &str) -> bool {
        self.actors.contains_key(name)
    }

    fn value_at(&self, path: &Path) -> Option<Result<Value, MissingPath>> {
        self.actors.get(path.root()).map(|actor| actor.at(path))
    }

    fn fence_events<'a>(&'a self, silence: Silence<'a>, control: &'a Control) -> BoxFuture<'a, Result<(), StepError>> {
        Box::pin(fences::events(&self.actors, silence, control))
    }

    fn fence_notifications<'a>(
        &'a self,
        silence: Silence<'a>,
        client: &'a str,
        tools: bool,
    ) -> BoxFuture<'a, Result<u64, StepError>> {
        Box::pin(fences::notifications(&self.actors, silence, client, tools))
    }
}

//! One case of a run: its actors come, its steps are played, and the daemon is left as it was found.

use super::actors::Actor;
use super::case_names::Locals;
use super::case_state::{CaseState, RunState};
use super::cast;
use super::check_results::Stop;
use super::ids::AxisValues;
use super::options::RunOptions;
use super::persistent_actors::PersistentActors;
use super::stage::Stage;
use super::steps::{Flow, play, tidy};
use crate::scenario::model::{Scenario, Step};
use crate::target::{Isolation, Target};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How long a scenario goes on behind the one breach that was asked for, before patience.
const AFTERMATH: Duration = Duration::from_secs(2);

/// One case, about to be played.
#[derive(Debug)]
pub(super) struct CaseRun<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) target: &'a Target,
    pub(super) axes: &'a AxisValues,
    pub(super) options: &'a RunOptions,
    pub(super) run: &'a Arc<RunState>,
    pub(super) stage: &'a Arc<Stage>,
    /// Its number, from 0.
    pub(super) number: usize,
}

/// How a case left its daemon, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ended {
    /// As it was found.
    Clean,
    /// Not to be used again.
    Spoiled,
    /// And no other case is to be played.
    Over,
}

impl CaseRun<'_> {
    /// Plays one case and clears up behind it.
    pub(super) async fn play(&self, persistent: &mut Option<PersistentActors>) -> Ended {
        let (run, stage, number) = (self.run, self.stage, self.number);
        let row = run.checks.case(number);
        if let Some(row) = row {
            run.record.recorder.note(format!("case: {}", row.name));
        }
        let given = cast::given(self.target, self.axes, row);
        let mut actors = match cast::fill(self.scenario, self.target, self.axes, &given, self.options, &stage.tap()) {
            Ok(actors) => actors,
            Err(error) => {
                run.checks.stop(number, error.into());
                return Ended::Clean;
            }
        };
        if persistent.is_none() && !self.scenario.once.is_empty() {
            match self.once(&actors, &given).await {
                Ok(come) => *persistent = Some(come),
                Err(ended) => return ended,
            }
        }
        if let Some(persistent) = persistent {
            persistent.replace_in(&mut actors);
        }
        let case_state = CaseState::new(Arc::clone(run), Arc::clone(stage), number, actors, given);
        if let Some(persistent) = persistent {
            persistent.bind_names_in(&case_state);
        }
        let ended = self.play_case(&case_state).await;
        let last = (number + 1..run.checks.case_count()).all(|later| run.checks.lacking(later, self.target).is_some());
        if last && let Some(persistent) = persistent.take() {
            persistent.leave().await;
        }
        let stays = |name: &str| persistent.as_ref().is_some_and(|persistent| persistent.holds(name));
        let leaving = || case_state.actors.iter().filter(|(name, _)| !stays(name)).map(|(_, actor)| actor);
        // Agents first, so that none of them hears of the apps that go.
        for actor in leaving().filter(|actor| matches!(actor, Actor::Client(_))) {
            actor.leave().await;
        }
        if !last && ended == Ended::Clean {
            for (name, actor) in &case_state.actors {
                if let Actor::Operator(operator) = actor
                    && let Some(idle) = operator.take_if_idle(stage).await
                {
                    stage.idle().keep(name, idle);
                }
            }
        }
        for actor in leaving() {
            actor.leave().await;
        }
        let last = last && self.target.isolation == Isolation::Scenario;
        if ended == Ended::Over {
            return ended;
        }
        if ended != Ended::Clean || self.scenario.fresh_daemon || last {
            // No case follows on this daemon, so nothing has to be cleared; that it is still alive must be known.
            stage.check_life().await;
            let kept = ended == Ended::Clean && !self.scenario.fresh_daemon && !stage.died();
            return if kept { ended } else { ended.max(Ended::Spoiled) };
        }
        match stage.clear(&persistent.as_ref().map(PersistentActors::sessions).unwrap_or_default()).await {
            Ok(()) => Ended::Clean,
            Err(why) => {
                stage.check_life().await;
                run.record.recorder.note(format!("the daemon is not used any more: {why}"));
                Ended::Spoiled
            }
        }
    }

    /// Plays the steps that come before the first case on a daemon. A step that cannot be carried out ends the case.
    async fn once(
        &self,
        actors: &BTreeMap<String, Actor>,
        given: &Map<String, Value>,
    ) -> Result<PersistentActors, Ended> {
        let mut shared = given.clone();
        shared.remove("case");
        let case_state =
            CaseState::new(Arc::clone(self.run), Arc::clone(self.stage), self.number, actors.clone(), shared);
        let ended = match self.play_steps(&case_state, &self.scenario.once).await {
            Ok(Flow::Go) => return Ok(PersistentActors::of(self.scenario, &case_state)),
            Ok(Flow::Stop) => Ended::Spoiled,
            Err(ended) => ended,
        };
        for actor in case_state.actors.values() {
            actor.leave().await;
        }
        Err(ended)
    }

    /// Plays the scenario of a case, and what tidies up behind it.
    async fn play_case(&self, case_state: &CaseState) -> Ended {
        if let Err(ended) = self.play_steps(case_state, &self.scenario.steps).await {
            return ended;
        }
        if !self.scenario.finally.is_empty() {
            let tidying = tidy(case_state, &self.scenario.finally, Locals::default());
            if tokio::time::timeout(self.budget(), tidying).await.is_err() {
                return Ended::Spoiled;
            }
        }
        Ended::Clean
    }

    fn budget(&self) -> Duration {
        self.options.case_max.mul_f64(self.options.patience.max(0.01))
    }

    /// Plays steps to their end, unless something else ends the case.
    async fn play_steps(&self, case_state: &CaseState, steps: &[Step]) -> Result<Flow, Ended> {
        let played = play(case_state, steps, Locals::default());
        let budget = self.budget();
        tokio::select! {
            biased;
            () = self.options.cancel.cancelled() => {
                case_state.run.checks.stop_all(Stop::NotVerified("the run was ended early".into()));
                Err(Ended::Over)
            }
            flow = played => Ok(flow),
            () = enough(case_state, self.options) => {
                case_state.run.record.recorder.note("one breach was asked for, and it was seen: the rest is given up");
                Err(Ended::Spoiled)
            }
            () = overdue(case_state, budget) => {
                let why = format!("the case took longer than {} s and was given up", budget.as_secs());
                case_state.run.record.recorder.note(why.clone());
                case_state.run.checks.stop_all(Stop::NotVerified(why));
                Err(Ended::Over)
            }
        }
    }
}

/// Waits for the one breach that was asked for, and lets the scenario go on for a little so that what else it breaks shows, too.
async fn enough(case_state: &CaseState, options: &RunOptions) {
    match options.enough.breach() {
        Some(promise) => {
            case_state.run.checks.wait_broken(promise).await;
            tokio::time::sleep_until(tokio::time::Instant::now() + AFTERMATH.mul_f64(options.patience)).await;
        }
        None => std::future::pending().await,
    }
}

async fn overdue(case_state: &CaseState, budget: Duration) {
    let began = tokio::time::Instant::now();
    loop {
        let allowed = budget + case_state.stage.waited();
        if began.elapsed() >= allowed {
            return;
        }
        // A deadline, not a pause: the select that polls this ends as soon as the scenario does.
        tokio::time::sleep_until(began + allowed).await;
    }
}

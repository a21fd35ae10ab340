//! One run of a scenario: its daemon, its cases, its verdicts.

use super::actors::Actor;
use super::case_names::Locals;
use super::case_state::{CaseState, RunState};
use super::cast;
use super::check_results::{CheckResults, Stop};
use super::fence_names::FENCE_PREFIX;
use super::ids::{self, AxisValues};
use super::options::{Enough, RunOptions};
use super::persistent_actors::PersistentActors;
use super::run_record::RunRecord;
use super::stage::Stage;
use super::steps::{Flow, play, tidy};
use crate::judge::verdict::{ScenarioResult, Verdict};
use crate::scenario::model::{Scenario, Step, walk};
use crate::scenario::template::resolve_json;
use crate::target::{Isolation, StartError, Target};
use crate::transcript::metadata::{DaemonMetadata, RunMetadata};
use iolite_protocol::transcript::Record;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a scenario goes on behind the one breach that was asked for, before patience.
const AFTERMATH: Duration = Duration::from_secs(2);

/// A case that takes longer has waited for something that did not come.
const IN_VAIN: Duration = Duration::from_secs(1);

/// One run of a scenario.
#[derive(Debug)]
pub(super) struct ScenarioRun {
    pub(super) scenario: Arc<Scenario>,
    pub(super) axes: AxisValues,
    pub(super) target: Arc<Target>,
    pub(super) options: Arc<RunOptions>,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct RunOutcome {
    pub(super) result: ScenarioResult,
    /// Why the daemon would not start, if that is what happened.
    pub(super) not_started: Option<String>,
    /// The one breach that was asked for was seen.
    pub(super) enough: bool,
    /// The daemon, when it may serve another scenario.
    pub(super) stage: Option<Arc<Stage>>,
}

/// Why a case has no daemon.
enum NoStage {
    Start(StartError),
    Config(String),
}

impl ScenarioRun {
    /// Id of the run.
    pub(super) fn id(&self) -> String {
        ids::run_id(&self.scenario, None, &self.axes)
    }

    /// Why the target cannot be asked this at all.
    pub(super) fn not_applicable(&self) -> Option<String> {
        let missing = self.scenario.features.iter().find(|feature| !self.target.claims(feature));
        if let Some(feature) = missing {
            return Some(format!("the target does not claim `{feature}`"));
        }
        self.axes
            .values
            .iter()
            .find(|axes| !claims(&self.target, axes))
            .map(|(axis, value)| format!("the target does not claim {axis} {value}"))
    }

    /// A result without having run anything.
    pub(super) fn not_run(&self, verdict: NotRun, why: &str) -> ScenarioResult {
        let run = self.new_state();
        run.checks.stop_all(match verdict {
            NotRun::NotApplicable => Stop::NotApplicable(why.to_owned()),
            NotRun::NotVerified => Stop::NotVerified(why.to_owned()),
            NotRun::Broken => Stop::Broken(why.to_owned()),
        });
        self.result(&run, Instant::now())
    }

    /// Whether it must have a daemon of its own, whatever the target says about sharing.
    pub(super) fn needs_own_daemon(&self) -> bool {
        let mut special =
            self.scenario.fresh_daemon || self.scenario.daemon.deferred || self.scenario.daemon.config.is_some();
        let mut look = |step: &Step| {
            if let crate::scenario::model::StepKind::Act(action) = &step.kind {
                special |= action.actor == "daemon" && !matches!(action.verb.name, "pass" | "status");
            }
        };
        walk(&self.scenario.once, &mut look);
        walk(&self.scenario.steps, &mut look);
        walk(&self.scenario.finally, &mut look);
        special
    }

    /// Plays the scenario, on the given daemon or on one of its own.
    pub(super) async fn play(&self, shared: Option<Arc<Stage>>, keep_stage: bool) -> RunOutcome {
        let began = Instant::now();
        let run = Arc::new(self.new_state());
        let mut stage = shared;
        let mut persistent = None;
        if let Some(stage) = &stage {
            stage.record_to(run.record.recorder.tap());
        }
        let mut not_started = None;
        let mut repeats = Repeats::default();
        let cases = run.checks.case_count();
        for case in 0..cases {
            let case_began = Instant::now();
            let ready = match stage.take() {
                Some(stage) if case == 0 || !self.scenario.fresh_daemon => Ok(stage),
                _ => {
                    persistent = None;
                    self.stage(&run, case).await
                }
            };
            let current = match ready {
                Ok(current) => current,
                Err(NoStage::Config(why)) => {
                    run.checks.stop(case, Stop::Broken(why));
                    continue;
                }
                Err(NoStage::Start(error)) => {
                    not_started = Some(error.to_string());
                    run.checks.stop_all(Stop::NotVerified(format!("the daemon did not start: {error}")));
                    break;
                }
            };
            let ended = self.case(&run, &current, case, &mut persistent).await;
            note_daemon(&run, &current);
            let enough = self.options.enough.breach().is_some_and(|promise| run.checks.is_broken(promise));
            if enough {
                run.checks.stop_all(Stop::NotVerified("one breach was asked for, and it was seen".into()));
            }
            let repeats = repeats.count(run.checks.failing(case), case_began.elapsed());
            let again = matches!(self.options.enough, Enough::Repeats(most) if repeats >= most);
            if again {
                run.checks
                    .stop_all(Stop::NotVerified("the cases before it had waited in vain and shown nothing new".into()));
            }
            if ended == Ended::Clean && !enough && !again {
                stage = Some(current);
                continue;
            }
            if let Some(persistent) = persistent.take() {
                persistent.leave().await;
            }
            current.kill().await;
            if enough || again || ended == Ended::Over {
                break;
            }
        }
        if let Some(stage) = &stage {
            // It lived to the end; what ends it now is us.
            run.record.note(|metadata| metadata.daemons.push(DaemonMetadata { asked: true, died: false }));
            if !keep_stage {
                stage.kill().await;
            }
        }
        let stage = stage.filter(|_| keep_stage);
        let result = self.result(&run, began);
        let enough = self.options.enough.breach().is_some_and(|promise| result.breaks(promise));
        RunOutcome { result, not_started, enough, stage }
    }

    /// Plays one case and clears up behind it.
    async fn case(
        &self,
        run: &Arc<RunState>,
        stage: &Arc<Stage>,
        case: usize,
        persistent: &mut Option<PersistentActors>,
    ) -> Ended {
        let row = run.checks.case(case);
        if let Some(row) = row {
            run.record.recorder.note(format!("case: {}", row.name));
        }
        let given = cast::given(&self.target, &self.axes, row);
        let mut actors = match cast::fill(&self.scenario, &self.target, &self.axes, &given, &self.options, &stage.tap())
        {
            Ok(actors) => actors,
            Err(error) => {
                run.checks.stop(case, error.into());
                return Ended::Clean;
            }
        };
        if persistent.is_none() && !self.scenario.once.is_empty() {
            match self.once(run, stage, case, &actors, &given).await {
                Ok(come) => *persistent = Some(come),
                Err(ended) => return ended,
            }
        }
        if let Some(persistent) = persistent {
            persistent.replace_in(&mut actors);
        }
        let case_state = CaseState::new(Arc::clone(run), Arc::clone(stage), case, actors, given);
        if let Some(persistent) = persistent {
            persistent.bind_names_in(&case_state);
        }
        let ended = self.play_case(&case_state).await;
        let last = case + 1 == run.checks.case_count();
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
            // Nobody comes after this one, so nothing has to be cleared; whether it is still alive counts.
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
        run: &Arc<RunState>,
        stage: &Arc<Stage>,
        case: usize,
        actors: &BTreeMap<String, Actor>,
        given: &Map<String, Value>,
    ) -> Result<PersistentActors, Ended> {
        let mut shared = given.clone();
        shared.remove("case");
        let case_state = CaseState::new(Arc::clone(run), Arc::clone(stage), case, actors.clone(), shared);
        let ended = match self.play_steps(&case_state, &self.scenario.once).await {
            Ok(Flow::Go) => return Ok(PersistentActors::of(&self.scenario, &case_state)),
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
        let story = play(case_state, steps, Locals::default());
        let budget = self.budget();
        tokio::select! {
            biased;
            () = self.options.cancel.cancelled() => {
                case_state.run.checks.stop_all(Stop::NotVerified("the run was ended early".into()));
                Err(Ended::Over)
            }
            flow = story => Ok(flow),
            () = enough(case_state, &self.options) => {
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

    async fn stage(&self, run: &Arc<RunState>, case: usize) -> Result<Arc<Stage>, NoStage> {
        let config = match &self.scenario.daemon.config {
            None => Value::Null,
            Some(config) => {
                let given = cast::given(&self.target, &self.axes, run.checks.case(case));
                resolve_json(config, &given).map_err(|error| NoStage::Config(format!("`daemon`: {error}")))?
            }
        };
        let config = if config.is_null() { Value::Object(Map::new()) } else { config };
        let stage = Stage::deploy(&self.target, config, self.options.env.clone(), self.options.patience).await;
        let stage = stage.map_err(NoStage::Start)?;
        stage.record_to(run.record.recorder.tap());
        if !self.scenario.daemon.deferred {
            stage.start().await.map_err(NoStage::Start)?;
        }
        Ok(Arc::new(stage))
    }

    fn new_state(&self) -> RunState {
        let checks = CheckResults::new(Arc::clone(&self.scenario), self.axes.clone(), Arc::clone(&self.options.levels));
        let metadata = RunMetadata {
            run: self.id(),
            target: self.target.name.clone(),
            scheme: self.target.knobs.uri_scheme.clone(),
            prefix: self.target.knobs.tool_prefix.clone(),
            features: self.target.features.clone(),
            fence_prefix: FENCE_PREFIX.to_owned(),
            ..RunMetadata::default()
        };
        RunState { record: RunRecord::new(metadata), checks }
    }

    fn result(&self, run: &RunState, began: Instant) -> ScenarioResult {
        let metadata = run.record.metadata();
        let mut checks = run.checks.finish();
        let watched = |records: &[Record]| match &self.options.watch {
            Some(watch) if !records.is_empty() => watch(records, &metadata),
            _ => Vec::new(),
        };
        checks.extend(run.record.recorder.read(watched));
        let breach = checks.iter().any(|check| check.verdict >= Verdict::Warn);
        let mut result = ScenarioResult {
            scenario: self.scenario.id.clone(),
            title: self.scenario.title.clone(),
            path: self.scenario.source.path.clone(),
            checks,
            transcript: None,
            micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
        };
        if let Some(folder) = self.options.transcripts.as_ref().filter(|_| run.record.recorder.position() > 0)
            && (breach || self.options.keep_all)
        {
            result.transcript = self.keep(run, &metadata, folder);
        }
        result
    }

    /// Writes the transcript and the facts beside it. One that cannot be written is no verdict about the daemon.
    fn keep(&self, run: &RunState, metadata: &RunMetadata, folder: &Path) -> Option<String> {
        let path: PathBuf = folder.join(format!("{}.jsonl", self.id()));
        if let Err(error) = run.record.recorder.save(&path, &self.id()) {
            tracing::warn!("{} cannot be written: {error}", path.display());
            return None;
        }
        let beside = path.with_extension("facts.json");
        let written = serde_json::to_vec_pretty(metadata).map_err(std::io::Error::other);
        if let Err(error) = written.and_then(|bytes| std::fs::write(&beside, bytes)) {
            tracing::warn!("{} cannot be written: {error}", beside.display());
        }
        Some(path.display().to_string())
    }
}

/// Cases in a row that waited in vain and showed nothing new.
#[derive(Debug, Default)]
struct Repeats {
    shown: BTreeSet<String>,
    count: usize,
}

impl Repeats {
    /// Takes in a case by the labels that failed in it and its time.
    fn count(&mut self, failing: Vec<String>, took: Duration) -> usize {
        let known = self.shown.len();
        self.shown.extend(failing);
        self.count = if self.shown.len() == known && took >= IN_VAIN { self.count + 1 } else { 0 };
        self.count
    }
}

/// How a case left its daemon, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    /// As it was found.
    Clean,
    /// Not to be used again.
    Spoiled,
    /// And no other case is to be played.
    Over,
}

/// Verdicts on scenarios that were not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotRun {
    /// The target does not claim what they are about.
    NotApplicable,
    /// There was no daemon, or no time.
    NotVerified,
    /// iolite failed.
    Broken,
}

/// Whether the target claims one value of an axis.
pub(super) fn claims(target: &Target, (axis, value): &(String, String)) -> bool {
    match axis.as_str() {
        "revision" => target.revisions.contains(value),
        "transport" => value == "stdio",
        _ => true,
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

fn note_daemon(run: &RunState, stage: &Stage) {
    let lives = stage.take_lives();
    run.record.note(|metadata| {
        metadata.daemons.extend(lives.iter().map(|(asked, died)| DaemonMetadata { asked: *asked, died: *died }))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cases_in_a_row_that_wait_and_show_nothing_new_are_repeats() {
        let (quick, slow) = (IN_VAIN / 2, IN_VAIN * 2);
        let label = |label: &str| vec![label.to_owned()];
        let mut repeats = Repeats::default();
        assert_eq!(repeats.count(label("a"), slow), 0, "a breach that was not known");
        assert_eq!(repeats.count(label("a"), slow), 1);
        assert_eq!(repeats.count(Vec::new(), slow), 2, "nothing could be verified");
        assert_eq!(repeats.count(label("b"), slow), 0);
        assert_eq!(repeats.count(label("b"), slow), 1);
        assert_eq!(repeats.count(label("b"), quick), 0, "it did not wait");
    }
}

//! One telling of a scenario: its daemon, its cases, its verdicts.

use super::actors::Actor;
use super::book::{Book, Stop};
use super::cast;
use super::facts::{DaemonFacts, Facts};
use super::ids::{self, Telling};
use super::options::{Enough, RunOptions};
use super::stage::{FENCE_PREFIX, Stage};
use super::stayers::Stayers;
use super::steps::{Flow, play, tidy};
use super::world::{Locals, Run, World};
use crate::judge::verdict::{ScenarioResult, Verdict};
use crate::scenario::model::{Scenario, Step, walk};
use crate::scenario::template::resolve_json;
use crate::target::{Isolation, StartError, Target};
use iolite_protocol::transcript::Record;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a story goes on behind the one breach that was asked for, before patience.
const AFTERMATH: Duration = Duration::from_secs(2);

/// A case that takes longer has waited for something that did not come.
const IN_VAIN: Duration = Duration::from_secs(1);

/// One telling of a scenario.
#[derive(Debug)]
pub(super) struct Story {
    pub(super) scenario: Arc<Scenario>,
    pub(super) telling: Telling,
    pub(super) target: Arc<Target>,
    pub(super) options: Arc<RunOptions>,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) result: ScenarioResult,
    /// Why the daemon would not start, if that is what happened.
    pub(super) not_started: Option<String>,
    /// The one breach that was asked for was seen.
    pub(super) enough: bool,
    /// The daemon, when it may serve another story.
    pub(super) stage: Option<Arc<Stage>>,
}

/// Why a case has no daemon.
enum NoStage {
    Start(StartError),
    Config(String),
}

impl Story {
    /// Id of the run.
    pub(super) fn id(&self) -> String {
        ids::run_id(&self.scenario, None, &self.telling)
    }

    /// Why the target cannot be asked this at all.
    pub(super) fn not_applicable(&self) -> Option<String> {
        if let Some(feature) = self.target.lacks(&self.scenario.features) {
            return Some(format!("the target does not claim `{feature}`"));
        }
        self.telling
            .values
            .iter()
            .find(|telling| !claims(&self.target, telling))
            .map(|(axis, value)| format!("the target does not claim {axis} {value}"))
    }

    /// A result without having told anything.
    pub(super) fn untold(&self, verdict: Untold, why: &str) -> ScenarioResult {
        let run = self.run();
        run.book.stop_all(match verdict {
            Untold::NotApplicable => Stop::NotApplicable(why.to_owned()),
            Untold::NotVerified => Stop::NotVerified(why.to_owned()),
            Untold::Broken => Stop::Broken(why.to_owned()),
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

    /// Tells the story, on the given daemon or on one of its own.
    pub(super) async fn tell(&self, shared: Option<Arc<Stage>>, keep_stage: bool) -> Told {
        let began = Instant::now();
        let run = Arc::new(self.run());
        let mut stage = shared;
        let mut stayers = None;
        if let Some(stage) = &stage {
            stage.record_to(run.recorder.tap());
        }
        let mut not_started = None;
        let mut repeats = Repeats::default();
        let cases = run.book.case_count();
        for case in 0..cases {
            if let Some(feature) = self.not_for_target(&run, case) {
                run.book.stop(case, Stop::NotApplicable(format!("the target does not claim `{feature}`")));
                continue;
            }
            let case_began = Instant::now();
            let ready = match stage.take() {
                Some(stage) if case == 0 || !self.scenario.fresh_daemon => Ok(stage),
                _ => {
                    stayers = None;
                    self.stage(&run, case).await
                }
            };
            let current = match ready {
                Ok(current) => current,
                Err(NoStage::Config(why)) => {
                    run.book.stop(case, Stop::Broken(why));
                    continue;
                }
                Err(NoStage::Start(error)) => {
                    not_started = Some(error.to_string());
                    run.book.stop_all(Stop::NotVerified(format!("the daemon did not start: {error}")));
                    break;
                }
            };
            let ended = self.case(&run, &current, case, &mut stayers).await;
            note_daemon(&run, &current);
            let enough = self.options.enough.breach().is_some_and(|promise| run.book.is_broken(promise));
            if enough {
                run.book.stop_all(Stop::NotVerified("one breach was asked for, and it was seen".into()));
            }
            let repeats = repeats.count(run.book.failing(case), case_began.elapsed());
            let again = matches!(self.options.enough, Enough::Repeats(most) if repeats >= most);
            if again {
                run.book
                    .stop_all(Stop::NotVerified("the cases before it had waited in vain and shown nothing new".into()));
            }
            if ended == Ended::Clean && !enough && !again {
                stage = Some(current);
                continue;
            }
            if let Some(stayers) = stayers.take() {
                stayers.leave().await;
            }
            current.kill().await;
            if enough || again || ended == Ended::Over {
                break;
            }
        }
        if let Some(stage) = &stage {
            // It lived to the end; what ends it now is us.
            run.note(|facts| facts.daemons.push(DaemonFacts { asked: true, died: false }));
            if !keep_stage {
                stage.kill().await;
            }
        }
        let stage = stage.filter(|_| keep_stage);
        let result = self.result(&run, began);
        let enough = self.options.enough.breach().is_some_and(|promise| result.breaks(promise));
        Told { result, not_started, enough, stage }
    }

    /// The feature that a case needs and the target does not claim, if there is one.
    fn not_for_target<'a>(&self, run: &'a Run, case: usize) -> Option<&'a str> {
        self.target.lacks(&run.book.case(case)?.needs)
    }

    /// Plays one case and clears up behind it.
    async fn case(&self, run: &Arc<Run>, stage: &Arc<Stage>, case: usize, stayers: &mut Option<Stayers>) -> Ended {
        let row = run.book.case(case);
        if let Some(row) = row {
            run.recorder.note(format!("case: {}", row.name));
        }
        let given = cast::given(&self.target, &self.telling, row);
        let mut actors =
            match cast::fill(&self.scenario, &self.target, &self.telling, &given, &self.options, &stage.tap()) {
                Ok(actors) => actors,
                Err(fault) => {
                    run.book.stop(case, fault.into());
                    return Ended::Clean;
                }
            };
        if stayers.is_none() && !self.scenario.once.is_empty() {
            match self.once(run, stage, case, &actors, &given).await {
                Ok(come) => *stayers = Some(come),
                Err(ended) => return ended,
            }
        }
        if let Some(stayers) = stayers {
            stayers.take_places(&mut actors);
        }
        let world = World::new(Arc::clone(run), Arc::clone(stage), case, actors, given);
        if let Some(stayers) = stayers {
            stayers.name_in(&world);
        }
        let ended = self.tell_case(&world).await;
        let last = (case + 1..run.book.case_count()).all(|later| self.not_for_target(run, later).is_some());
        if last && let Some(stayers) = stayers.take() {
            stayers.leave().await;
        }
        let stays = |name: &str| stayers.as_ref().is_some_and(|stayers| stayers.holds(name));
        let leaving = || world.actors.iter().filter(|(name, _)| !stays(name)).map(|(_, actor)| actor);
        // Agents first, so that none of them hears of the apps that go.
        for actor in leaving().filter(|actor| matches!(actor, Actor::Client(_))) {
            actor.leave().await;
        }
        if !last && ended == Ended::Clean {
            for (name, actor) in &world.actors {
                if let Actor::Operator(operator) = actor
                    && let Some(rested) = operator.rest(stage).await
                {
                    stage.keep_rested(name, rested);
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
        match stage.clear(&stayers.as_ref().map(Stayers::sessions).unwrap_or_default()).await {
            Ok(()) => Ended::Clean,
            Err(why) => {
                stage.check_life().await;
                run.recorder.note(format!("the daemon is not used any more: {why}"));
                Ended::Spoiled
            }
        }
    }

    /// Plays the steps that come before the first case on a daemon. A step that cannot be carried out ends the case.
    async fn once(
        &self,
        run: &Arc<Run>,
        stage: &Arc<Stage>,
        case: usize,
        actors: &BTreeMap<String, Actor>,
        given: &Map<String, Value>,
    ) -> Result<Stayers, Ended> {
        let mut shared = given.clone();
        shared.remove("case");
        let world = World::new(Arc::clone(run), Arc::clone(stage), case, actors.clone(), shared);
        let ended = match self.play(&world, &self.scenario.once).await {
            Ok(Flow::Go) => return Ok(Stayers::of(&self.scenario, &world)),
            Ok(Flow::Stop) => Ended::Spoiled,
            Err(ended) => ended,
        };
        for actor in world.actors.values() {
            actor.leave().await;
        }
        Err(ended)
    }

    /// Plays the story of a case, and what tidies up behind it.
    async fn tell_case(&self, world: &World) -> Ended {
        if let Err(ended) = self.play(world, &self.scenario.steps).await {
            return ended;
        }
        if !self.scenario.finally.is_empty() {
            let tidying = tidy(world, &self.scenario.finally, Locals::default());
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
    async fn play(&self, world: &World, steps: &[Step]) -> Result<Flow, Ended> {
        let story = play(world, steps, Locals::default());
        let budget = self.budget();
        tokio::select! {
            biased;
            () = self.options.cancel.cancelled() => {
                world.run.book.stop_all(Stop::NotVerified("the run was ended early".into()));
                Err(Ended::Over)
            }
            flow = story => Ok(flow),
            () = enough(world, &self.options) => {
                world.run.recorder.note("one breach was asked for, and it was seen: the rest is given up");
                Err(Ended::Spoiled)
            }
            () = overdue(world, budget) => {
                let why = format!("the case took longer than {} s and was given up", budget.as_secs());
                world.run.recorder.note(why.clone());
                world.run.book.stop_all(Stop::NotVerified(why));
                Err(Ended::Over)
            }
        }
    }

    async fn stage(&self, run: &Arc<Run>, case: usize) -> Result<Arc<Stage>, NoStage> {
        let config = match &self.scenario.daemon.config {
            None => Value::Null,
            Some(config) => {
                let given = cast::given(&self.target, &self.telling, run.book.case(case));
                resolve_json(config, &given).map_err(|error| NoStage::Config(format!("`daemon`: {error}")))?
            }
        };
        let config = if config.is_null() { Value::Object(Map::new()) } else { config };
        let stage = Stage::deploy(&self.target, config, self.options.env.clone(), self.options.patience).await;
        let stage = stage.map_err(NoStage::Start)?;
        stage.record_to(run.recorder.tap());
        if !self.scenario.daemon.deferred {
            stage.start().await.map_err(NoStage::Start)?;
        }
        Ok(Arc::new(stage))
    }

    fn run(&self) -> Run {
        let book = Book::new(Arc::clone(&self.scenario), self.telling.clone(), Arc::clone(&self.options.levels));
        let facts = Facts {
            run: self.id(),
            target: self.target.name.clone(),
            scheme: self.target.knobs.uri_scheme.clone(),
            prefix: self.target.knobs.tool_prefix.clone(),
            features: self.target.features.clone(),
            fence_prefix: FENCE_PREFIX.to_owned(),
            ..Facts::default()
        };
        Run::new(book, facts)
    }

    fn result(&self, run: &Run, began: Instant) -> ScenarioResult {
        let facts = run.facts();
        let mut checks = run.book.close();
        let watched = |records: &[Record]| match &self.options.watch {
            Some(watch) if !records.is_empty() => watch(records, &facts),
            _ => Vec::new(),
        };
        checks.extend(run.recorder.read(watched));
        let breach = checks.iter().any(|check| check.verdict >= Verdict::Warn);
        let mut result = ScenarioResult {
            scenario: self.scenario.id.clone(),
            title: self.scenario.title.clone(),
            path: self.scenario.source.path.clone(),
            checks,
            transcript: None,
            micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
        };
        if let Some(folder) = self.options.transcripts.as_ref().filter(|_| run.recorder.position() > 0)
            && (breach || self.options.keep_all)
        {
            result.transcript = self.keep(run, &facts, folder);
        }
        result
    }

    /// Writes the transcript and the facts beside it. One that cannot be written is no verdict about the daemon.
    fn keep(&self, run: &Run, facts: &Facts, folder: &Path) -> Option<String> {
        let path: PathBuf = folder.join(format!("{}.jsonl", self.id()));
        if let Err(error) = run.recorder.save(&path, &self.id()) {
            tracing::warn!("{} cannot be written: {error}", path.display());
            return None;
        }
        let beside = path.with_extension("facts.json");
        let written = serde_json::to_vec_pretty(facts).map_err(std::io::Error::other);
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

/// Verdicts on stories that were not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Untold {
    /// The target does not claim what they are about.
    NotApplicable,
    /// There was no daemon, or no time.
    NotVerified,
    /// iolite failed.
    Broken,
}

/// Whether the target claims one value of an axis.
pub(super) fn claims(target: &Target, (axis, value): &(String, String)) -> bool {
    target.claims_value(axis, value)
}

/// Waits for the one breach that was asked for, and lets the story go on for a little so that what else it breaks shows, too.
async fn enough(world: &World, options: &RunOptions) {
    match options.enough.breach() {
        Some(promise) => {
            world.run.book.wait_broken(promise).await;
            tokio::time::sleep_until(tokio::time::Instant::now() + AFTERMATH.mul_f64(options.patience)).await;
        }
        None => std::future::pending().await,
    }
}

async fn overdue(world: &World, budget: Duration) {
    let began = tokio::time::Instant::now();
    loop {
        let allowed = budget + world.stage.waited();
        if began.elapsed() >= allowed {
            return;
        }
        // A deadline, not a pause: the select that polls this ends as soon as the story does.
        tokio::time::sleep_until(began + allowed).await;
    }
}

fn note_daemon(run: &Run, stage: &Stage) {
    let lives = stage.take_lives();
    run.note(|facts| {
        facts.daemons.extend(lives.iter().map(|(asked, died)| DaemonFacts { asked: *asked, died: *died }))
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

//! One run of a scenario: its daemon, its cases, its verdicts.

use super::case_run::{CaseRun, Ended};
use super::case_state::RunState;
use super::cast;
use super::check_results::{CheckResults, Stop};
use super::fence_names::FENCE_PREFIX;
use super::ids::{self, AxisValues};
use super::options::{Enough, RunOptions};
use super::repeats::Repeats;
use super::run_record::RunRecord;
use super::run_result;
use super::stage::Stage;
use crate::judge::verdict::ScenarioResult;
use crate::scenario::model::{Scenario, Step, StepKind, walk};
use crate::scenario::template::resolve_json;
use crate::target::{Leftover, StartError, Target};
use crate::transcript::metadata::{DaemonMetadata, RunMetadata};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

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
    /// Why iolite itself could not prepare a daemon, if that is what happened.
    pub(super) own_fault: Option<String>,
    /// Processes that outlived their deployment and were ended.
    pub(super) left_behind: Vec<Leftover>,
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
        if let Some(feature) = self.target.lacks(&self.scenario.features) {
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
            if let StepKind::Act(action) = &step.kind {
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
        let mut own_fault = None;
        let mut left_behind = Vec::new();
        let mut repeats = Repeats::default();
        let cases = run.checks.case_count();
        for case in 0..cases {
            if let Some(feature) = run.checks.lacking(case, &self.target) {
                run.checks.stop(case, Stop::NotApplicable(format!("the target does not claim `{feature}`")));
                continue;
            }
            let case_began = Instant::now();
            let ready = match stage.take() {
                Some(stage) if case == 0 || !self.scenario.fresh_daemon => Ok(stage),
                _ => {
                    persistent = None;
                    self.stage(&run, case, &mut left_behind).await
                }
            };
            let current = match ready {
                Ok(current) => current,
                Err(NoStage::Config(why)) => {
                    run.checks.stop(case, Stop::Broken(why));
                    continue;
                }
                Err(NoStage::Start(error)) if error.is_own() => {
                    own_fault = Some(error.to_string());
                    run.checks.stop_all(Stop::Broken(error.to_string()));
                    break;
                }
                Err(NoStage::Start(error)) => {
                    not_started = Some(error.to_string());
                    run.checks.stop_all(Stop::NotVerified(format!("the daemon did not start: {error}")));
                    break;
                }
            };
            let case_run = CaseRun {
                scenario: &self.scenario,
                target: &self.target,
                axes: &self.axes,
                options: &self.options,
                run: &run,
                stage: &current,
                number: case,
            };
            let ended = case_run.play(&mut persistent).await;
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
            left_behind.extend(current.kill().await);
            if enough || again || ended == Ended::Over {
                break;
            }
        }
        if let Some(stage) = &stage {
            // It lived to the end; what ends it now is us.
            run.record.note(|metadata| metadata.daemons.push(DaemonMetadata { asked: true, died: false }));
            if !keep_stage {
                left_behind.extend(stage.kill().await);
            }
        }
        let stage = stage.filter(|_| keep_stage);
        let result = self.result(&run, began);
        let enough = self.options.enough.breach().is_some_and(|promise| result.breaks(promise));
        RunOutcome { result, not_started, own_fault, left_behind, enough, stage }
    }

    async fn stage(&self, run: &Arc<RunState>, case: usize, left: &mut Vec<Leftover>) -> Result<Arc<Stage>, NoStage> {
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
        if !self.scenario.daemon.deferred
            && let Err(error) = stage.start().await
        {
            left.extend(stage.kill().await);
            return Err(NoStage::Start(error));
        }
        Ok(Arc::new(stage))
    }

    fn result(&self, run: &RunState, began: Instant) -> ScenarioResult {
        run_result::result(&self.scenario, &self.options, &self.id(), run, began)
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
    target.claims_value(axis, value)
}

fn note_daemon(run: &RunState, stage: &Stage) {
    let lives = stage.take_lives();
    run.record.note(|metadata| {
        metadata.daemons.extend(lives.iter().map(|(asked, died)| DaemonMetadata { asked: *asked, died: *died }))
    });
}

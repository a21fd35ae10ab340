//! Many runs side by side, each with its own daemon, results in the order of the files.

use super::ids::{self, AxisValues};
use super::options::RunOptions;
use super::scenario_run::{NotRun, RunOutcome, ScenarioRun, claims};
use super::stage::Stage;
use crate::judge::verdict::ScenarioResult;
use crate::scenario::model::Scenario;
use crate::target::{Isolation, Target};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Plays scenarios against one target.
#[derive(Debug)]
pub struct Runner {
    target: Arc<Target>,
    options: Arc<RunOptions>,
}

/// Something that happened in a run, for people who wait.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// How many runs there are going to be.
    Planned {
        /// The count.
        runs: usize,
    },
    /// A run began.
    Started {
        /// `<scenario>[@<each>]`
        run: String,
        /// The scenario's title.
        title: String,
    },
    /// A run ended.
    Finished {
        /// `<scenario>[@<each>]`
        run: String,
        /// What came of it.
        result: Box<ScenarioResult>,
    },
}

/// Everything that came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunResult {
    /// One result for each run, in the order of the scenarios given.
    pub scenarios: Vec<ScenarioResult>,
    /// Why daemons would not start, each reason once.
    pub not_started: Vec<String>,
    /// Whether any daemon started.
    pub started: bool,
    /// Processes that outlived the daemon they were started for and were ended: which, and in which run.
    pub left_behind: Vec<String>,
    /// The run was ended early.
    pub cancelled: bool,
    /// Wall time in microseconds.
    pub micros: u64,
}

/// The target's setup commands failed: nothing was run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setup command `{command}` failed: {why}")]
pub struct SetupError {
    /// The command.
    pub command: String,
    /// What it said, or why it could not be started.
    pub why: String,
}

struct Shared {
    permits: Semaphore,
    pool: Mutex<Vec<Arc<Stage>>>,
    /// Whether any daemon has started so far, and why the first one did not that failed to.
    starts: Mutex<(bool, Option<String>)>,
    /// Why iolite itself cannot prepare daemons.
    own_fault: OnceLock<String>,
    /// The one breach that was asked for has been seen.
    enough: AtomicBool,
    on_event: Box<dyn Fn(RunEvent) + Send + Sync>,
}

impl Runner {
    /// A runner for this target.
    pub fn new(target: Arc<Target>, options: RunOptions) -> Self {
        Self { target, options: Arc::new(options) }
    }

    /// Runs the target's setup commands, then every run of every scenario. `on_event` hears of each as it happens,
    /// from any task.
    ///
    /// Must be called inside a tokio runtime. Dropping the future ends everything that was started.
    ///
    /// # Errors
    /// [`SetupError`]: nothing was run. Everything else is a verdict.
    pub async fn run(
        &self,
        scenarios: Vec<Arc<Scenario>>,
        on_event: impl Fn(RunEvent) + Send + Sync + 'static,
    ) -> Result<RunResult, SetupError> {
        let began = Instant::now();
        self.set_up().await?;
        let runs: Vec<Arc<ScenarioRun>> = scenarios.iter().flat_map(|scenario| self.runs_of(scenario)).collect();
        let permits = if self.target.isolation == Isolation::Run { 1 } else { self.options.jobs.max(1) };
        let shared = Arc::new(Shared {
            permits: Semaphore::new(permits),
            pool: Mutex::default(),
            starts: Mutex::default(),
            own_fault: OnceLock::new(),
            enough: AtomicBool::new(false),
            on_event: Box::new(on_event),
        });
        (shared.on_event)(RunEvent::Planned { runs: runs.len() });
        let mut tasks = JoinSet::new();
        for (index, scenario_run) in runs.iter().enumerate() {
            let (scenario_run, shared) = (Arc::clone(scenario_run), Arc::clone(&shared));
            tasks.spawn(async move { (index, shared.play(&scenario_run).await) });
        }
        let mut results: Vec<Option<ScenarioResult>> = runs.iter().map(|_| None).collect();
        let mut not_started = Vec::new();
        let mut left_behind = Vec::new();
        while let Some(ended) = tasks.join_next().await {
            // A task that panicked leaves its place empty; it is filled below.
            if let Ok((index, outcome)) = ended {
                if let Some(why) = outcome.not_started.filter(|why| !not_started.contains(why)) {
                    not_started.push(why);
                }
                let run = runs[index].id();
                left_behind
                    .extend(outcome.left_behind.iter().map(|left| format!("{run} left {left} behind; it was ended")));
                results[index] = Some(outcome.result);
            }
        }
        let pooled = std::mem::take(&mut *shared.pool());
        for stage in pooled {
            let left = stage.kill().await;
            left_behind.extend(left.iter().map(|left| format!("the daemon left {left} behind; it was ended")));
        }
        let filled = results.into_iter().zip(&runs).map(|(result, scenario_run)| {
            result.unwrap_or_else(|| scenario_run.not_run(NotRun::Broken, "iolite failed while it told this scenario"))
        });
        Ok(RunResult {
            scenarios: filled.collect(),
            not_started,
            left_behind,
            started: shared.starts.lock().unwrap_or_else(PoisonError::into_inner).0,
            cancelled: self.options.cancel.is_cancelled(),
            micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
        })
    }

    /// The runs of a scenario whose axes the target claims. When it claims none, one run is kept, so that every scenario
    /// has a result.
    fn runs_of(&self, scenario: &Arc<Scenario>) -> Vec<Arc<ScenarioRun>> {
        let scenario_run = |axes: AxisValues| {
            Arc::new(ScenarioRun {
                scenario: Arc::clone(scenario),
                axes,
                target: Arc::clone(&self.target),
                options: Arc::clone(&self.options),
            })
        };
        let mut runs = ids::axis_combinations(&scenario.each);
        if runs.iter().any(|axes| self.is_claimed(axes)) {
            runs.retain(|axes| self.is_claimed(axes));
        } else {
            runs.truncate(1);
        }
        runs.into_iter().map(scenario_run).collect()
    }

    fn is_claimed(&self, axes: &AxisValues) -> bool {
        axes.values.iter().all(|value| claims(&self.target, value))
    }

    async fn set_up(&self) -> Result<(), SetupError> {
        for words in &self.target.setup {
            let Some((program, args)) = words.split_first() else { continue };
            let failed = |why: String| SetupError { command: words.join(" "), why };
            let output = tokio::process::Command::new(program)
                .args(args)
                .current_dir(&self.target.folder)
                .envs(self.options.env.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::null())
                .kill_on_drop(true)
                .output()
                .await
                .map_err(|error| failed(error.to_string()))?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
                return Err(failed(format!("{}\n{said}", output.status)));
            }
        }
        Ok(())
    }
}

impl Shared {
    async fn play(&self, scenario_run: &ScenarioRun) -> RunOutcome {
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await;
        let run = scenario_run.id();
        (self.on_event)(RunEvent::Started { run: run.clone(), title: scenario_run.scenario.title.clone() });
        let outcome = self.play_if_claimed(scenario_run).await;
        (self.on_event)(RunEvent::Finished { run, result: Box::new(outcome.result.clone()) });
        outcome
    }

    async fn play_if_claimed(&self, scenario_run: &ScenarioRun) -> RunOutcome {
        if let Some(why) = scenario_run.not_applicable() {
            return not_run(scenario_run, NotRun::NotApplicable, &why);
        }
        if scenario_run.options.cancel.is_cancelled() {
            return not_run(scenario_run, NotRun::NotVerified, "the run was ended early");
        }
        if let Some(why) = self.own_fault.get() {
            return not_run(scenario_run, NotRun::NotVerified, &format!("iolite could not go on: {why}"));
        }
        if self.enough.load(Ordering::SeqCst) {
            return not_run(scenario_run, NotRun::NotVerified, "one breach was asked for, and it was seen");
        }
        if let (false, Some(why)) = self.starts.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return not_run(scenario_run, NotRun::NotVerified, &format!("the daemon did not start: {why}"));
        }
        let shares = scenario_run.target.isolation != Isolation::Scenario;
        let pooled = if shares { self.pool().pop() } else { None };
        let own = scenario_run.needs_own_daemon();
        let mut pooled_left = Vec::new();
        if own && let Some(stage) = &pooled {
            // It may hold what the scenario's own daemon needs: a port, a folder.
            pooled_left = stage.kill().await;
        }
        let pooled = pooled.filter(|_| !own);
        let mut outcome = scenario_run.play(pooled, shares && !own).await;
        outcome.left_behind.extend(pooled_left);
        if outcome.enough {
            self.enough.store(true, Ordering::SeqCst);
        }
        if let Some(why) = &outcome.own_fault {
            // Told once, by the run that met it first.
            if self.own_fault.set(why.clone()).is_err() {
                outcome.result = scenario_run.not_run(NotRun::NotVerified, &format!("iolite could not go on: {why}"));
            }
        }
        if let Some(stage) = outcome.stage.take() {
            self.pool().push(stage);
        }
        // A daemon that refuses a scenario's own configuration says nothing about others.
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        match &outcome.not_started {
            None if !scenario_run.scenario.daemon.deferred && outcome.own_fault.is_none() => starts.0 = true,
            Some(why) if scenario_run.scenario.daemon.config.is_none() && starts.1.is_none() => {
                starts.1 = Some(why.clone())
            }
            None | Some(_) => {}
        }
        drop(starts);
        outcome
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Stage>>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn not_run(scenario_run: &ScenarioRun, verdict: NotRun, why: &str) -> RunOutcome {
    RunOutcome {
        result: scenario_run.not_run(verdict, why),
        not_started: None,
        own_fault: None,
        left_behind: Vec::new(),
        enough: false,
        stage: None,
    }
}

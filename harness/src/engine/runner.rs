//! Many stories side by side, each with its own daemon, results in the order of the files.

use super::ids::{self, Telling};
use super::options::RunOptions;
use super::stage::Stage;
use super::story::{Story, Told, Untold, claims};
use crate::judge::verdict::ScenarioResult;
use crate::scenario::model::Scenario;
use crate::target::{Isolation, Target};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
    /// How many tellings there are going to be.
    Planned {
        /// The count.
        tellings: usize,
    },
    /// A telling began.
    Started {
        /// `<scenario>[@<each>]`
        run: String,
        /// The scenario's title.
        title: String,
    },
    /// A telling ended.
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
    /// One result for each telling, in the order of the scenarios given.
    pub scenarios: Vec<ScenarioResult>,
    /// Why daemons would not start, each reason once.
    pub not_started: Vec<String>,
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
    /// Whether any daemon has ever started, and why the first one that did not would not.
    starts: Mutex<(bool, Option<String>)>,
    /// The one breach that was asked for has been seen.
    enough: AtomicBool,
    on_event: Box<dyn Fn(RunEvent) + Send + Sync>,
}

impl Runner {
    /// A runner for this target.
    pub fn new(target: Arc<Target>, options: RunOptions) -> Self {
        Self { target, options: Arc::new(options) }
    }

    /// Runs the target's setup commands, then every telling of every scenario. `on_event` hears of each as it happens,
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
        let stories: Vec<Arc<Story>> = scenarios.iter().flat_map(|scenario| self.stories(scenario)).collect();
        let permits = if self.target.isolation == Isolation::Run { 1 } else { self.options.jobs.max(1) };
        let shared = Arc::new(Shared {
            permits: Semaphore::new(permits),
            pool: Mutex::default(),
            starts: Mutex::default(),
            enough: AtomicBool::new(false),
            on_event: Box::new(on_event),
        });
        (shared.on_event)(RunEvent::Planned { tellings: stories.len() });
        let mut tasks = JoinSet::new();
        for (index, story) in stories.iter().enumerate() {
            let (story, shared) = (Arc::clone(story), Arc::clone(&shared));
            tasks.spawn(async move { (index, shared.tell(&story).await) });
        }
        let mut results: Vec<Option<ScenarioResult>> = stories.iter().map(|_| None).collect();
        let mut not_started = Vec::new();
        while let Some(ended) = tasks.join_next().await {
            // A task that panicked leaves its place empty; it is filled below.
            if let Ok((index, told)) = ended {
                if let Some(why) = told.not_started.filter(|why| !not_started.contains(why)) {
                    not_started.push(why);
                }
                results[index] = Some(told.result);
            }
        }
        let filled = results.into_iter().zip(&stories).map(|(result, story)| {
            result.unwrap_or_else(|| story.untold(Untold::Broken, "iolite failed while it told this scenario"))
        });
        Ok(RunResult {
            scenarios: filled.collect(),
            not_started,
            cancelled: self.options.cancel.is_cancelled(),
            micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
        })
    }

    /// The tellings of a scenario that the target can be asked for; one that it cannot when there is none, so that every
    /// scenario has a result.
    fn stories(&self, scenario: &Arc<Scenario>) -> Vec<Arc<Story>> {
        let story = |telling: Telling| {
            Arc::new(Story {
                scenario: Arc::clone(scenario),
                telling,
                target: Arc::clone(&self.target),
                options: Arc::clone(&self.options),
            })
        };
        let mut tellings = ids::tellings(&scenario.each);
        if tellings.iter().any(|telling| self.is_claimed(telling)) {
            tellings.retain(|telling| self.is_claimed(telling));
        } else {
            tellings.truncate(1);
        }
        tellings.into_iter().map(story).collect()
    }

    fn is_claimed(&self, telling: &Telling) -> bool {
        telling.values.iter().all(|value| claims(&self.target, value))
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
    async fn tell(&self, story: &Story) -> Told {
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await;
        let run = story.id();
        (self.on_event)(RunEvent::Started { run: run.clone(), title: story.scenario.title.clone() });
        let told = self.told(story).await;
        (self.on_event)(RunEvent::Finished { run, result: Box::new(told.result.clone()) });
        told
    }

    async fn told(&self, story: &Story) -> Told {
        if let Some(why) = story.not_applicable() {
            return untold(story, Untold::NotApplicable, &why);
        }
        if story.options.cancel.is_cancelled() {
            return untold(story, Untold::NotVerified, "the run was ended early");
        }
        if self.enough.load(Ordering::SeqCst) {
            return untold(story, Untold::NotVerified, "one breach was asked for, and it was seen");
        }
        if let (false, Some(why)) = self.starts.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return untold(story, Untold::NotVerified, &format!("the daemon did not start: {why}"));
        }
        let shares = story.target.isolation != Isolation::Scenario;
        let pooled = if shares { self.pool().pop() } else { None };
        let own = story.needs_own_daemon();
        if own && let Some(stage) = &pooled {
            // It may hold what the story's own daemon needs: a port, a folder.
            stage.kill().await;
        }
        let pooled = pooled.filter(|_| !own);
        let mut told = story.tell(pooled, shares && !own).await;
        if told.enough {
            self.enough.store(true, Ordering::SeqCst);
        }
        if let Some(stage) = told.stage.take() {
            self.pool().push(stage);
        }
        // A daemon that refuses a story's own configuration says nothing about others.
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        match &told.not_started {
            None => starts.0 = true,
            Some(why) if story.scenario.daemon.config.is_none() && starts.1.is_none() => starts.1 = Some(why.clone()),
            Some(_) => {}
        }
        drop(starts);
        told
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Stage>>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn untold(story: &Story, verdict: Untold, why: &str) -> Told {
    Told { result: story.untold(verdict, why), not_started: None, enough: false, stage: None }
}

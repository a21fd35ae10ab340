//! One measurement: each fault meets the scenarios that may notice it.

use super::noticed::{Noticed, stem};
use super::noticed_cache::NoticedCache;
use crate::engine::{Enough, RunOptions, RunResult, Runner, SetupError};
use crate::judge::verdict::Verdict;
use crate::judge::watch::WATCHERS;
use crate::scenario::model::Scenario;
use crate::scenario::set::ScenarioSet;
use crate::target::Target;
use iolite_reference_daemon::faults::{EVERYTHING, Fault};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Environment variable that names the fault of the reference daemon.
pub const VARIABLE: &str = "IOLITE_FAULT";

/// Factor on deadlines for what could not be verified the first time.
const UNSURE_PATIENCE: f64 = 4.0;

/// How many cases in a row may wait in vain and show nothing new before the rest of a table is left alone.
const REPEATS: usize = 3;

/// How long a case may go on waiting in vain when every scenario is run to its end.
const ALL_RUN_CASE_MAX: Duration = Duration::from_secs(15);

/// How the suite is measured.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The reference daemon.
    pub target: Arc<Target>,
    /// The suite.
    pub suite: ScenarioSet,
    /// How scenarios are run. Environment and jobs are set for each fault.
    pub options: RunOptions,
    /// How many faults are measured side by side.
    pub jobs: usize,
    /// How long each fault is measured.
    pub until: Until,
    /// Where to look first.
    pub cache: NoticedCache,
}

/// How long a fault is measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// Until a check bound to its promise fails.
    #[default]
    Noticed,
    /// Until this check fails, given by its id or by what all its cases share ([`stem`]).
    Fails(String),
    /// Until every scenario bound to any promise that the fault hurts has been run to its end, so that all checks that notice it are
    /// known.
    AllRun,
}

/// What becomes of a table whose cases wait in vain one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tables {
    /// The rest is left alone.
    Short,
    /// Every case gets its turn.
    Whole,
}

impl Measurement {
    /// Measures these faults; the results come in the order given. `on_done` hears of each as it is done. What took longest
    /// the last time begins first.
    pub async fn run(&self, faults: &[&'static Fault], on_done: impl Fn(&Noticed)) -> Vec<Noticed> {
        let permits = Arc::new(Semaphore::new(self.jobs.max(1)));
        let mut tasks = JoinSet::new();
        let mut queue: Vec<(usize, &'static Fault)> = faults.iter().copied().enumerate().collect();
        queue.sort_by_key(|(_, fault)| Reverse(self.cache.faults.get(fault.id).map_or(u64::MAX, |known| known.ms)));
        for (index, fault) in queue {
            let (measurement, permits) = (self.clone(), permits.clone());
            tasks.spawn(async move { (index, measurement.measure(fault, &permits).await) });
        }
        let mut results: Vec<(usize, Noticed)> = Vec::new();
        while let Some(done) = tasks.join_next().await {
            if let Ok((index, noticed)) = done {
                on_done(&noticed);
                results.push((index, noticed));
            }
        }
        results.sort_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, noticed)| noticed).collect()
    }

    /// Looks again at the scenarios that hold checks which no fault has made fail so far, and adds what fails now: every case
    /// gets its turn, also where case after case waits in vain, until each of the checks has failed. `idle` are their stems.
    pub async fn look_again(&self, faults: &[&'static Fault], idle: &[String], measured: &mut [Noticed]) {
        let permits = Arc::new(Semaphore::new(self.jobs.max(1)));
        let mut tasks = JoinSet::new();
        for scenario in &self.suite.scenarios {
            let is_ours =
                |check: &&String| check.strip_prefix(scenario.id.as_str()).is_some_and(|rest| rest.starts_with(':'));
            let wanted: BTreeSet<String> = idle.iter().filter(is_ours).cloned().collect();
            if wanted.is_empty() {
                continue;
            }
            let mut again = Self { until: Until::AllRun, ..self.clone() };
            again.options.cancel = self.options.cancel.child_token();
            let wanted = Arc::new(Mutex::new(wanted));
            for (index, fault) in faults.iter().enumerate().filter(|(_, fault)| self.is_met_by(fault, scenario)) {
                let (again, permits, wanted) = (again.clone(), Arc::clone(&permits), Arc::clone(&wanted));
                let (fault, scenario) = (*fault, Arc::clone(scenario));
                tasks.spawn(async move {
                    let _permit = permits.acquire_owned().await;
                    let mut part = Noticed::nothing(fault);
                    if !again.is_done(&part) {
                        again.meet(fault, &scenario, Tables::Whole, 1.0, &mut part).await;
                    }
                    let mut wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
                    wanted.retain(|check| !part.fails(check));
                    if wanted.is_empty() {
                        again.options.cancel.cancel();
                    }
                    (index, part)
                });
            }
        }
        while let Some(met) = tasks.join_next().await {
            if let Ok((index, part)) = met {
                measured[index].merge(part);
            }
        }
    }

    fn is_met_by(&self, fault: &Fault, scenario: &Arc<Scenario>) -> bool {
        self.order(fault).iter().any(|met| met.id == scenario.id)
    }

    /// Runs the suite on the daemon as it is, without any fault.
    ///
    /// # Errors
    /// [`SetupError`]: nothing was run.
    pub async fn run_without_fault(&self) -> Result<RunResult, SetupError> {
        Runner::new(self.target.clone(), self.options.clone()).run(self.suite.scenarios.clone(), |_| ()).await
    }

    async fn measure(&self, fault: &'static Fault, permits: &Arc<Semaphore>) -> Noticed {
        let mut noticed = Noticed::nothing(fault);
        let unsure = match self.until {
            Until::AllRun => self.meet_all(fault, permits, &mut noticed).await,
            Until::Noticed | Until::Fails(_) => {
                // The semaphore is never closed.
                let _permit = permits.acquire().await;
                self.meet_in_order(fault, &mut noticed).await
            }
        };
        // What could not be verified, perhaps on a busy machine, says nothing about the fault: it gets more time.
        for scenario in unsure {
            if self.is_done(&noticed) || !noticed.survived() {
                break;
            }
            let _permit = permits.acquire().await;
            self.meet(fault, &scenario, Tables::Short, UNSURE_PATIENCE, &mut noticed).await;
        }
        noticed
    }

    /// Meets one scenario after the other until enough has been seen. Gives those that could not be verified.
    async fn meet_in_order(&self, fault: &'static Fault, noticed: &mut Noticed) -> Vec<Arc<Scenario>> {
        let mut unsure = Vec::new();
        for scenario in self.order(fault) {
            if self.is_done(noticed) {
                break;
            }
            if !self.meet(fault, &scenario, Tables::Short, 1.0, noticed).await {
                unsure.push(scenario);
            }
        }
        unsure
    }

    /// Meets all scenarios side by side. Gives those that could not be verified.
    async fn meet_all(
        &self,
        fault: &'static Fault,
        permits: &Arc<Semaphore>,
        noticed: &mut Noticed,
    ) -> Vec<Arc<Scenario>> {
        let mut tasks = JoinSet::new();
        for scenario in self.order(fault) {
            let (measurement, permits) = (self.clone(), Arc::clone(permits));
            tasks.spawn(async move {
                let _permit = permits.acquire_owned().await;
                let mut part = Noticed::nothing(fault);
                let sure = measurement.is_done(&part)
                    || measurement.meet(fault, &scenario, Tables::Short, 1.0, &mut part).await;
                (part, (!sure).then_some(scenario))
            });
        }
        let mut unsure = Vec::new();
        while let Some(met) = tasks.join_next().await {
            if let Ok((part, scenario)) = met {
                noticed.merge(part);
                unsure.extend(scenario);
            }
        }
        unsure
    }

    fn is_done(&self, noticed: &Noticed) -> bool {
        let seen = match &self.until {
            Until::Noticed => !noticed.survived(),
            Until::Fails(check) => noticed.fails(check),
            Until::AllRun => false,
        };
        seen || self.options.cancel.is_cancelled()
    }

    /// Lets a daemon with this fault meet a scenario. Whether everything in it could be verified.
    async fn meet(
        &self,
        fault: &'static Fault,
        scenario: &Arc<Scenario>,
        tables: Tables,
        patience: f64,
        noticed: &mut Noticed,
    ) -> bool {
        let options = RunOptions {
            patience: self.options.patience * patience,
            env: vec![(VARIABLE.into(), fault.id.into())],
            transcripts: None,
            jobs: 1,
            enough: match &self.until {
                Until::Noticed => Enough::Breach(noticed.promise.to_owned()),
                // The case that was asked for may be the last of its table.
                Until::Fails(check) if *check != stem(&scenario.id, check) => Enough::Never,
                Until::Fails(_) | Until::AllRun if tables == Tables::Whole => Enough::Never,
                Until::Fails(_) | Until::AllRun => Enough::Repeats(REPEATS),
            },
            case_max: match self.until {
                Until::AllRun => self.options.case_max.min(ALL_RUN_CASE_MAX),
                Until::Noticed | Until::Fails(_) => self.options.case_max,
            },
            ..self.options.clone()
        };
        noticed.scenarios += 1;
        let (id, began) = (scenario.id.clone(), Instant::now());
        let runner = Runner::new(self.target.clone(), options);
        let Ok(result) = runner.run(vec![Arc::clone(scenario)], |_| ()).await else { return false };
        if let Some(why) = result.not_started.first() {
            noticed.not_started = Some(why.clone());
        }
        for check in result.scenarios.iter().flat_map(|scenario| &scenario.checks) {
            if !check.verdict.is_breach() {
                continue;
            }
            noticed.failed.insert(check.id.clone(), stem(&id, &check.id));
            if check.proves(noticed.promise) {
                noticed.by.push(check.id.clone());
            } else if !fault.promises.iter().any(|promise| *promise == EVERYTHING || check.proves(promise)) {
                noticed.strays.push(check.id.clone());
            }
        }
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let sooner = noticed.noticed_in.is_none() || ms < noticed.noticed_ms;
        if sooner && result.scenarios.iter().any(|scenario| scenario.breaks(noticed.promise)) {
            noticed.noticed_in = Some(id);
            noticed.noticed_ms = ms;
        }
        let mut checks = result.scenarios.iter().flat_map(|scenario| &scenario.checks);
        match checks.find(|check| check.verdict == Verdict::NotVerified) {
            Some(unverified) => {
                noticed.unverified.get_or_insert_with(|| format!("{}: {}", unverified.id, unverified.message));
                false
            }
            None => true,
        }
    }

    /// The scenarios that a fault meets: the one that noticed it the last time, those bound to its promise, the smallest
    /// first, and, where a watcher proves the promise so that any scenario may show the breach, the others.
    fn order(&self, fault: &Fault) -> Vec<Arc<Scenario>> {
        let promise = fault.promises.first().copied().unwrap_or_default();
        let promises =
            if self.until == Until::Noticed { &fault.promises[..fault.promises.len().min(1)] } else { fault.promises };
        // An empty selection is the whole suite.
        let promises = if promises.contains(&EVERYTHING) { &[] } else { promises };
        let bound = self.suite.select(promises).scenarios;
        let names: BTreeSet<&str> = bound.iter().map(|scenario| scenario.id.as_str()).collect();
        let watched = WATCHERS.iter().any(|watcher| watcher.promises.contains(&promise));
        let mut rest: Vec<Arc<Scenario>> = Vec::new();
        if watched && self.until != Until::AllRun {
            rest.extend(self.suite.scenarios.iter().filter(|scenario| !names.contains(scenario.id.as_str())).cloned());
        }
        let size = |scenario: &Arc<Scenario>| scenario.steps.len() * scenario.cases.len().max(1);
        let mut bound = bound.clone();
        bound.sort_by_key(size);
        rest.sort_by_key(size);
        bound.extend(rest);
        if let Some(known) = self.cache.faults.get(fault.id)
            && let Some(place) = bound.iter().position(|scenario| scenario.id == known.scenario)
        {
            let first = bound.remove(place);
            bound.insert(0, first);
        }
        bound
    }
}

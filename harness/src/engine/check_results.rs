//! What has been found out about each check, and what is said of those that were never reached.

use super::ids;
use super::ids::AxisValues;
use crate::judge::verdict::{CheckResult, Verdict};
use crate::scenario::model::{Case, Check, Level, Scenario};
use crate::target::Target;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How binding each promise is, by its id. One that is not in here counts as a MUST.
pub type Levels = BTreeMap<String, Level>;

/// What a step found out about its check.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    /// Why the claim does not hold; `None` when it holds.
    pub(super) breach: Option<String>,
    /// Name of the alternative that matched.
    pub(super) alternative: Option<String>,
    /// What was expected.
    pub(super) expected: Option<Value>,
    /// What arrived while the step waited.
    pub(super) arrived: Vec<Value>,
    /// Transcript records of that time.
    pub(super) evidence: Vec<u64>,
    /// How long the step took.
    pub(super) micros: u64,
}

/// Why a case ended before its last step. The checks that were not reached by then get this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The scenario, or iolite, is at fault.
    Broken(String),
    /// A prerequisite was missing.
    NotVerified(String),
    /// The target does not offer what the rest needs.
    NotApplicable(String),
}

/// The checks of one run of a scenario.
#[derive(Debug)]
pub(super) struct CheckResults {
    scenario: Arc<Scenario>,
    axes: AxisValues,
    levels: Arc<Levels>,
    entries: Mutex<Entries>,
    /// Something was entered.
    recorded: Notify,
}

#[derive(Debug, Default)]
struct Entries {
    results: HashMap<(usize, String), CheckResult>,
    stops: HashMap<usize, Stop>,
    /// Said of every case that has no reason of its own.
    end: Option<Stop>,
}

impl CheckResults {
    pub(super) fn new(scenario: Arc<Scenario>, axes: AxisValues, levels: Arc<Levels>) -> Self {
        Self { scenario, axes, levels, entries: Mutex::default(), recorded: Notify::new() }
    }

    /// Enters what a step found out. A check that is made several times (in a `repeat`) keeps the worst.
    pub(super) fn record(&self, case: usize, check: &Check, finding: Finding) {
        let result = self.result(case, check, finding);
        let mut entries = self.entries();
        match entries.results.get_mut(&(case, check.label.clone())) {
            None => {
                entries.results.insert((case, check.label.clone()), result);
            }
            Some(known) => {
                let micros = known.micros.saturating_add(result.micros);
                if result.verdict > known.verdict || known.message.is_empty() && !result.message.is_empty() {
                    *known = result;
                }
                known.micros = micros;
            }
        }
        drop(entries);
        self.recorded.notify_waiters();
    }

    /// Enters that a check could not be made.
    pub(super) fn record_unmade(&self, case: usize, check: &Check, why: &Stop) {
        let result = self.unmade(case, check, why);
        let mut entries = self.entries();
        entries.results.entry((case, check.label.clone())).or_insert(result);
    }

    /// Ends a case early. The first reason stays.
    pub(super) fn stop(&self, case: usize, why: Stop) {
        self.entries().stops.entry(case).or_insert(why);
    }

    /// Ends all cases early, those that have no reason of their own.
    pub(super) fn stop_all(&self, why: Stop) {
        self.entries().end.get_or_insert(why);
    }

    /// Every check in the order of the file, also those that were never made.
    pub(super) fn finish(&self) -> Vec<CheckResult> {
        let checks = ids::checks(&self.scenario);
        let mut entries = std::mem::take(&mut *self.entries());
        let mut closed = Vec::new();
        for case in 0..self.case_count() {
            let unreached = Stop::NotVerified("the story ended before this check was made".into());
            let own = entries.stops.remove(&case);
            let mut why = own.as_ref().or(entries.end.as_ref()).unwrap_or(&unreached).clone();
            // A fault of ours must show up as one even when no check stands at the place where it happened.
            let mut broken = match (&own, &why) {
                (Some(Stop::Broken(text)), _) | (None, Stop::Broken(text)) => Some(text.clone()),
                _ => None,
            };
            for check in &checks {
                if let Some(result) = entries.results.remove(&(case, check.label.clone())) {
                    if result.verdict == Verdict::Broken {
                        broken = None;
                    }
                    closed.push(result);
                    continue;
                }
                if broken.is_none()
                    && let Stop::Broken(text) = &why
                {
                    why = Stop::NotVerified(format!("an earlier step could not be carried out: {text}"));
                }
                closed.push(self.unmade(case, check, &why));
                broken = None;
            }
            if let Some(text) = broken {
                closed.push(self.broken(case, text));
            }
        }
        closed
    }

    /// Whether a check bound to that promise has found it broken.
    pub(super) fn is_broken(&self, promise: &str) -> bool {
        self.entries().results.values().any(|check| check.breaks(promise))
    }

    /// The labels of the checks of a case that found something wrong.
    pub(super) fn failing(&self, case: usize) -> Vec<String> {
        let entries = self.entries();
        let own = entries.results.iter().filter(|((of, _), check)| *of == case && check.verdict.is_breach());
        own.map(|((_, label), _)| label.clone()).collect()
    }

    /// Waits until that is so.
    pub(super) async fn wait_broken(&self, promise: &str) {
        loop {
            let mut entered = std::pin::pin!(self.recorded.notified());
            entered.as_mut().enable();
            if self.is_broken(promise) {
                return;
            }
            entered.await;
        }
    }

    /// The scenario.
    pub(super) fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// How many cases there are; 1 without a table.
    pub(super) fn case_count(&self) -> usize {
        self.scenario.cases.len().max(1)
    }

    /// The case of that number; `None` without a table.
    pub(super) fn case(&self, case: usize) -> Option<&Case> {
        self.scenario.cases.get(case)
    }

    /// The feature that a case needs and a target does not claim, if there is one.
    pub(super) fn lacking(&self, case: usize, target: &Target) -> Option<&str> {
        target.lacks(&self.case(case)?.needs)
    }

    fn result(&self, case: usize, check: &Check, finding: Finding) -> CheckResult {
        let level = self.level(case, check);
        let verdict = match (&finding.breach, level) {
            (_, Level::Option) => Verdict::NotApplicable,
            (None, _) if finding.alternative.as_ref().is_some_and(|it| check.options.contains(it)) => {
                Verdict::NotApplicable
            }
            (None, _) => Verdict::Pass,
            (Some(_), Level::Should) => Verdict::Warn,
            (Some(_), Level::Must) => Verdict::Fail,
        };
        let kept = finding.breach.is_none();
        let outcome = finding
            .alternative
            .or_else(|| (level == Level::Option).then(|| if kept { "as described" } else { "otherwise" }.to_owned()));
        CheckResult {
            verdict,
            message: finding.breach.unwrap_or_default(),
            outcome,
            expected: finding.expected,
            arrived: if kept { Vec::new() } else { finding.arrived },
            evidence: finding.evidence,
            micros: finding.micros,
            ..self.blank(case, check)
        }
    }

    fn unmade(&self, case: usize, check: &Check, why: &Stop) -> CheckResult {
        let (verdict, message) = match why {
            Stop::Broken(text) => (Verdict::Broken, text),
            Stop::NotVerified(text) => (Verdict::NotVerified, text),
            Stop::NotApplicable(text) => (Verdict::NotApplicable, text),
        };
        CheckResult { verdict, message: message.clone(), ..self.blank(case, check) }
    }

    fn blank(&self, case: usize, check: &Check) -> CheckResult {
        CheckResult {
            id: ids::check_id(&self.scenario, self.case(case), &self.axes, &check.label),
            promises: self.promises(case, check).to_vec(),
            level: self.level(case, check),
            verdict: Verdict::NotVerified,
            message: String::new(),
            outcome: None,
            expected: None,
            arrived: Vec::new(),
            evidence: Vec::new(),
            span: Some((check.span.start, check.span.end)),
            micros: 0,
        }
    }

    fn broken(&self, case: usize, text: String) -> CheckResult {
        CheckResult {
            id: format!("{}:story", ids::run_id(&self.scenario, self.case(case), &self.axes)),
            promises: Vec::new(),
            level: Level::Must,
            verdict: Verdict::Broken,
            message: text,
            outcome: None,
            expected: None,
            arrived: Vec::new(),
            evidence: Vec::new(),
            span: None,
            micros: 0,
        }
    }

    fn promises<'a>(&'a self, case: usize, check: &'a Check) -> &'a [String] {
        if !check.proves.is_empty() {
            return &check.proves;
        }
        self.case(case).and_then(|case| case.requires.as_deref()).unwrap_or(&self.scenario.requires)
    }

    /// The check's own level, else the strictest of the promises that it proves.
    fn level(&self, case: usize, check: &Check) -> Level {
        check.level.unwrap_or_else(|| {
            let levels = self.promises(case, check).iter().filter_map(|promise| self.levels.get(promise).copied());
            levels.max().unwrap_or(Level::Must)
        })
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;

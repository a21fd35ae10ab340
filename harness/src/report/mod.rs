//! What a run looks like to people and to machines.

pub mod console;
pub mod json;
pub mod progress;

use crate::judge::verdict::{CheckResult, ScenarioResult, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;

/// How many checks came to each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Kept promises.
    pub pass: usize,
    /// Broken MUSTs.
    pub fail: usize,
    /// Broken SHOULDs.
    pub warn: usize,
    /// Checks whose prerequisite was missing.
    pub not_verified: usize,
    /// Nothing to judge.
    pub not_applicable: usize,
    /// Our own faults.
    pub broken: usize,
}

impl Tally {
    /// Counts the checks of many scenarios.
    pub fn of(results: &[ScenarioResult]) -> Self {
        let mut tally = Self::default();
        for check in results.iter().flat_map(|result| &result.checks) {
            tally.add(check);
        }
        tally
    }

    /// Counts one check.
    pub fn add(&mut self, check: &CheckResult) {
        *match check.verdict {
            Verdict::Pass => &mut self.pass,
            Verdict::Fail => &mut self.fail,
            Verdict::Warn => &mut self.warn,
            Verdict::NotVerified => &mut self.not_verified,
            Verdict::NotApplicable => &mut self.not_applicable,
            Verdict::Broken => &mut self.broken,
        } += 1;
    }

    /// All checks.
    pub fn total(&self) -> usize {
        self.pass + self.fail + self.warn + self.not_verified + self.not_applicable + self.broken
    }

    /// Whether something was found that a person must look at: a broken MUST, or a check nothing is known of.
    pub fn has_findings(&self) -> bool {
        self.fail > 0 || self.not_verified > 0
    }
}

/// The promises that the scenarios of these ids are about and that nothing judged: no check of any kind kept or broke them.
/// `applicable` says whether the target claims what a scenario needs.
pub fn unjudged(results: &[ScenarioResult], applicable: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let of = |result: &ScenarioResult, judged: bool| -> Vec<String> {
        let is_judged = |check: &&CheckResult| matches!(check.verdict, Verdict::Pass | Verdict::Fail | Verdict::Warn);
        let checks = result.checks.iter().filter(|check| !judged || is_judged(check));
        checks.flat_map(|check| check.promises.iter().cloned()).collect()
    };
    let mut left: BTreeSet<String> =
        results.iter().filter(|result| applicable(&result.scenario)).flat_map(|result| of(result, false)).collect();
    for promise in results.iter().flat_map(|result| of(result, true)) {
        left.remove(&promise);
    }
    left
}

/// The word for a verdict.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::Warn => "warn",
        Verdict::NotVerified => "not verified",
        Verdict::NotApplicable => "not applicable",
        Verdict::Broken => "BROKEN",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::model::Level;

    #[test]
    fn a_claimed_promise_that_nothing_judged_is_named() {
        let result = |scenario: &str, checks: &[(&str, Verdict)]| ScenarioResult {
            scenario: scenario.into(),
            title: String::new(),
            path: String::new(),
            checks: checks
                .iter()
                .map(|(promise, verdict)| CheckResult {
                    id: format!("{scenario}:{promise}"),
                    promises: vec![(*promise).into()],
                    level: Level::Must,
                    verdict: *verdict,
                    message: String::new(),
                    outcome: None,
                    expected: None,
                    arrived: Vec::new(),
                    evidence: Vec::new(),
                    span: None,
                    micros: 0,
                })
                .collect(),
            transcript: None,
            micros: 0,
        };
        let results = [
            result("a", &[("P1", Verdict::NotVerified), ("P2", Verdict::NotVerified), ("P3", Verdict::NotApplicable)]),
            result("b", &[("P2", Verdict::Fail), ("P4", Verdict::Warn)]),
            result("unclaimed", &[("P5", Verdict::NotApplicable)]),
        ];
        let left = unjudged(&results, |scenario| scenario != "unclaimed");
        assert_eq!(left.into_iter().collect::<Vec<_>>(), ["P1", "P3"]);
    }
}

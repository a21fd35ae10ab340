//! What a run looks like to people and to machines.

pub mod console;
pub mod json;
pub mod progress;

use crate::judge::verdict::{CheckResult, ScenarioResult, Verdict};
use serde::Serialize;

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

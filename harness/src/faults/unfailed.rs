//! Checks that no fault makes fail: it was never seen that they can fail.

use super::noticed::{Noticed, stem};
use crate::judge::verdict::{ScenarioResult, Verdict};
use std::collections::BTreeSet;

/// How many checks pass on the conforming daemon, and those of them that none of these faults makes fail, in the order of the
/// run. All cases of a check count as one ([`stem`]).
pub fn unfailed(run: &[ScenarioResult], measured: &[Noticed]) -> (usize, Vec<String>) {
    let moved: BTreeSet<&str> =
        measured.iter().flat_map(|noticed| noticed.failed.values().map(String::as_str)).collect();
    let mut seen = BTreeSet::new();
    let mut idle = Vec::new();
    for scenario in run {
        for check in scenario.checks.iter().filter(|check| check.verdict == Verdict::Pass) {
            let stem = stem(&scenario.scenario, &check.id);
            if seen.insert(stem.clone()) && !moved.contains(stem.as_str()) {
                idle.push(stem);
            }
        }
    }
    (seen.len(), idle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::verdict::CheckResult;
    use serde_json::json;

    #[test]
    fn all_cases_and_runs_of_a_check_share_its_stem() {
        assert_eq!(stem("con/x", "con/x/a-case@2025-11-25:it-closes"), "con/x:it-closes");
        assert_eq!(stem("con/x", "con/x:it-closes"), "con/x:it-closes");
        assert_eq!(stem("con/x", "con/x@2025-11-25:watch/secrets"), "watch/secrets");
    }

    #[test]
    fn a_check_counts_until_one_of_its_cases_fails_on_a_fault() {
        let check = |id: &str, verdict| -> CheckResult {
            serde_json::from_value(json!({ "id": id, "promises": [], "level": "M", "verdict": verdict })).unwrap()
        };
        let run = ScenarioResult {
            scenario: "con/x".into(),
            title: String::new(),
            path: String::new(),
            checks: vec![
                check("con/x/one:closes", "pass"),
                check("con/x/two:closes", "pass"),
                check("con/x/one:lives", "pass"),
                check("con/x/one:not-claimed", "not-applicable"),
                check("con/x:watch/secrets", "pass"),
            ],
            transcript: None,
            micros: 0,
        };
        let runs = [run];
        let all = ["con/x:closes", "con/x:lives", "watch/secrets"].map(str::to_owned).to_vec();
        assert_eq!(unfailed(&runs, &[]), (3, all));
        let mut noticed = Noticed::nothing(&iolite_reference_daemon::faults::all()[0]);
        noticed.failed.insert("con/x/two:closes".into(), "con/x:closes".into());
        noticed.failed.insert("con/y:watch/secrets".into(), "watch/secrets".into());
        assert_eq!(unfailed(&runs, &[noticed]), (3, vec!["con/x:lives".to_owned()]));
    }
}

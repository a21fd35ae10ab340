//! Which promises a target claims by its features, and which checks can judge them there. Told from the files alone:
//! nothing runs.

use crate::engine::ids::{self, AxisValues};
use crate::requirements::{Catalogue, Promise};
use crate::scenario::model::{Case, Check, Scenario, Step, StepKind};
use crate::target::Target;
use std::collections::{BTreeMap, BTreeSet};

/// Features without which a group of promises means nothing.
const GROUPS: &[(&str, &[&str])] = &[
    ("TOL", &["tools"]),
    ("RES", &["resources"]),
    ("MCP", &["mcp"]),
    ("FBK", &["fallback"]),
    ("POL", &["policy"]),
    ("AUD", &["audit"]),
    ("CLI", &["cli"]),
];

/// Features that single promises take beside their group's.
const SINGLE: &[(&str, &[&str])] = &[
    ("BRG-CON-14", &["restart"]),
    ("BRG-SES-13", &["restart"]),
    ("BRG-RPC-02", &["resources"]),
    ("BRG-RPC-03", &["resources"]),
    ("BRG-RPC-04", &["resources"]),
    ("BRG-RPC-05", &["resources", "events"]),
    ("BRG-RPC-06", &["events"]),
    ("BRG-RPC-07", &["events"]),
    ("BRG-RPC-10", &["state_dir"]),
    ("BRG-RPC-15", &["events"]),
    ("BRG-TOL-14", &["events"]),
    ("BRG-MCP-03", &["resources"]),
    ("BRG-MCP-09", &["resources"]),
    ("BRG-MCP-10", &["resources"]),
    ("BRG-MCP-11", &["resources"]),
    ("BRG-MCP-12", &["resources"]),
    ("BRG-MCP-15", &["resources"]),
    ("BRG-MCP-16", &["resources"]),
    ("BRG-MCP-17", &["resources"]),
    ("BRG-MCP-18", &["resources"]),
    ("BRG-MCP-19", &["resources"]),
    ("BRG-MCP-20", &["resources"]),
    ("BRG-MCP-26", &["restart"]),
    ("BRG-MCP-37", &["restart"]),
    ("BRG-POL-02", &["resources"]),
    ("BRG-POL-03", &["resources"]),
    ("BRG-POL-04", &["resources"]),
    ("BRG-AUD-02", &["resources"]),
    ("BRG-CLI-01", &["resources"]),
    ("BRG-CLI-02", &["resources"]),
];

/// The features that a promise is about.
pub fn features(promise: &Promise) -> impl Iterator<Item = &'static str> + use<> {
    let of = |table: &'static [(&str, &[&'static str])], name: &str| {
        table.iter().find(|(of, _)| *of == name).map(|(_, features)| *features).unwrap_or_default()
    };
    of(GROUPS, &promise.group).iter().chain(of(SINGLE, &promise.id)).copied()
}

/// The promises that a target claims and a black box can check.
pub fn claimed<'a>(catalogue: &'a Catalogue, target: &Target) -> impl Iterator<Item = &'a Promise> {
    catalogue.promises().filter(|promise| promise.unchecked.is_none() && features(promise).all(|it| target.claims(it)))
}

/// How many checks can judge each promise on a target. Watchers look everywhere and are not counted: whether they see
/// anything depends on what the scenarios do.
pub fn judged<'a>(
    scenarios: impl IntoIterator<Item = &'a Scenario>,
    target: &Target,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut judged: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for scenario in scenarios {
        each_check(scenario, target, &mut |axes, case, check| {
            let id = ids::check_id(scenario, case, axes, &check.label);
            for promise in promises(scenario, case, check) {
                judged.entry(promise.clone()).or_default().insert(id.clone());
            }
        });
    }
    judged
}

/// The promises that a check proves.
fn promises<'a>(scenario: &'a Scenario, case: Option<&'a Case>, check: &'a Check) -> &'a [String] {
    if !check.proves.is_empty() {
        return &check.proves;
    }
    case.and_then(|case| case.requires.as_deref()).unwrap_or(&scenario.requires)
}

/// Visits every check that can be made on a target.
fn each_check<'a>(
    scenario: &'a Scenario,
    target: &Target,
    visit: &mut impl FnMut(&AxisValues, Option<&'a Case>, &'a Check),
) {
    if target.lacks(&scenario.features).is_some() {
        return;
    }
    let combinations = ids::axis_combinations(&scenario.each);
    let claimed =
        combinations.iter().filter(|axes| axes.values.iter().all(|(axis, value)| target.claims_value(axis, value)));
    for axes in claimed {
        let cases = ids::cases(scenario).into_iter();
        for case in cases.filter(|case| case.is_none_or(|case| target.lacks(&case.needs).is_none())) {
            each_step(&scenario.steps, target, &mut |check| visit(axes, case, check));
        }
    }
}

fn each_step<'a>(steps: &'a [Step], target: &Target, visit: &mut impl FnMut(&'a Check)) {
    for step in steps.iter().filter(|step| target.lacks(&step.needs).is_none()) {
        match &step.kind {
            StepKind::Act(action) => action.check.iter().for_each(&mut *visit),
            StepKind::Assert { check, .. } => visit(check),
            StepKind::Together(steps) | StepKind::Repeat { steps, .. } | StepKind::Shuffle { steps, .. } => {
                each_step(steps, target, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::sets::RequirementSet;
    use crate::scenario::set::ScenarioSet;
    use crate::vocabulary::Vocabulary;
    use std::path::Path;

    fn without(features: &[&str]) -> Target {
        let mut target = Target::reference(Path::new("iolite"));
        target.features.retain(|feature| !features.contains(&feature.as_str()));
        target
    }

    fn tools_only() -> Target {
        let mut target = without(&[]);
        let features = ["tools", "mcp", "cli", "audit", "policy", "events", "restart", "state_dir"];
        target.features = features.map(str::to_owned).into();
        target
    }

    /// The set whose promises all have scenarios.
    const COVERED: &str = "bridge-v2.1-resources";

    /// Promises of that set that a target claims and no check can judge there.
    fn unjudged(target: &Target) -> Vec<String> {
        let sets = RequirementSet::builtin().unwrap();
        let covered = &sets.iter().find(|set| set.name == COVERED).unwrap().requires;
        let set = ScenarioSet::embedded(&Vocabulary::builtin().context()).unwrap();
        let judged = judged(set.scenarios.iter().map(|scenario| &**scenario), target);
        claimed(Catalogue::builtin(), target)
            .map(|it| it.id.clone())
            .filter(|id| covered.contains(id) && !judged.contains_key(id))
            .collect()
    }

    #[test]
    fn every_promise_that_a_daemon_without_resources_claims_is_judged_there() {
        for target in [tools_only(), without(&["resources", "fallback"]), without(&[])] {
            assert_eq!(unjudged(&target), <[&str; 0]>::default(), "{:?}", target.features);
        }
        // These are proved by what is told about them.
        let by_events = ["BRG-LNK-06", "BRG-SES-19", "BRG-RPC-16", "BRG-MCP-31"];
        let quiet = without(&["resources", "fallback", "events", "manual_start", "clock"]);
        assert_eq!(unjudged(&quiet), by_events, "{:?}", quiet.features);
    }

    #[test]
    fn the_published_protocol_takes_no_resources() {
        let target = tools_only();
        let claimed: BTreeSet<_> = claimed(Catalogue::builtin(), &target).map(|it| it.id.as_str()).collect();
        let sets = RequirementSet::builtin().unwrap();
        let published = sets.iter().find(|set| set.name == "bridge-v2").unwrap();
        let checkable = |id: &&String| Catalogue::builtin().promise(id).is_some_and(|it| it.unchecked.is_none());
        let missing: Vec<_> =
            published.requires.iter().filter(checkable).filter(|id| !claimed.contains(id.as_str())).collect();
        assert_eq!(missing, <[&String; 0]>::default());
    }
}

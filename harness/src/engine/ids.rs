//! Names of runs and checks. They never depend on a step's position, so that baselines survive an inserted step.

use crate::scenario::ids::slug;
use crate::scenario::model::{Action, Axis, Case, Check, Scenario, StepKind, walk};

/// What a scenario is run for: one value for each of its axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AxisValues {
    /// Axis and value, in the order of the file; empty when the scenario has no axes.
    pub values: Vec<(String, String)>,
}

impl AxisValues {
    /// The part of an id that names it: `@2025-11-25`, `@2025-11-25,stdio`, or nothing.
    pub fn suffix(&self) -> String {
        if self.values.is_empty() {
            return String::new();
        }
        let values: Vec<&str> = self.values.iter().map(|(_, value)| value.as_str()).collect();
        format!("@{}", values.join(","))
    }
}

/// Every combination of the axes' values, the last axis changing fastest.
pub fn axis_combinations(axes: &[Axis]) -> Vec<AxisValues> {
    let mut all = vec![AxisValues::default()];
    for axis in axes {
        all = all
            .iter()
            .flat_map(|axes| {
                axis.values.iter().map(|value| {
                    let mut values = axes.values.clone();
                    values.push((axis.name.clone(), value.clone()));
                    AxisValues { values }
                })
            })
            .collect();
    }
    all
}

/// `<scenario>[/<case>][@<each>]`: what a check's id begins with.
pub fn run_id(scenario: &Scenario, case: Option<&Case>, axes: &AxisValues) -> String {
    let case = case.map(|case| format!("/{}", slug(&case.name))).unwrap_or_default();
    format!("{}{case}{}", scenario.id, axes.suffix())
}

/// The id of one check.
pub fn check_id(scenario: &Scenario, case: Option<&Case>, axes: &AxisValues, label: &str) -> String {
    format!("{}:{}", run_id(scenario, case, axes), slug(label))
}

/// The ids of all checks of a scenario in the order of the file, watchers not included.
pub fn check_ids(scenario: &Scenario) -> Vec<String> {
    let cases: Vec<Option<&Case>> = cases(scenario);
    let checks = checks(scenario);
    axis_combinations(&scenario.each)
        .iter()
        .flat_map(|axes| {
            cases.iter().flat_map(|case| checks.iter().map(|check| check_id(scenario, *case, axes, &check.label)))
        })
        .collect()
}

/// The cases, or one without a name when the scenario has no table.
pub(crate) fn cases(scenario: &Scenario) -> Vec<Option<&Case>> {
    if scenario.cases.is_empty() { vec![None] } else { scenario.cases.iter().map(Some).collect() }
}

/// All checks of the scenario, in the order of the file.
pub(super) fn checks(scenario: &Scenario) -> Vec<&Check> {
    let mut found = Vec::new();
    walk(&scenario.steps, &mut |step| match &step.kind {
        StepKind::Act(Action { check: Some(check), .. }) | StepKind::Assert { check, .. } => found.push(check),
        _ => {}
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_multiply() {
        let axes = [
            Axis { name: "revision".into(), values: vec!["a".into(), "b".into()] },
            Axis { name: "profile".into(), values: vec!["x".into(), "y".into()] },
        ];
        let suffixes: Vec<_> = axis_combinations(&axes).iter().map(AxisValues::suffix).collect();
        assert_eq!(suffixes, ["@a,x", "@a,y", "@b,x", "@b,y"]);
        assert_eq!(axis_combinations(&[]).len(), 1);
    }
}

//! `iolite lint`: whether every negative case is wrong in one way only.

use super::output::{complain, print};
use super::{exit, run, select};
use crate::engine::{RunOptions, RunResult, Runner, axis_combinations, check_id};
use crate::faults::VARIABLE;
use crate::judge::verdict::{CheckResult, Verdict};
use crate::scenario::model::{Check, Level, Scenario, StepKind, walk};
use crate::target::Target;
use iolite_protocol::transcript::{Payload, Record};
use iolite_reference_daemon::faults::WAIVE_ONE_RULE;
use iolite_reference_daemon::rules::SECOND_RULE;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Arguments of `iolite lint`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Scenario ids, promise ids, files or folders; all embedded scenarios when absent. Those without a check that says
    /// `unless_waived` are left out.
    patterns: Vec<String>,
    /// Factor on every deadline; more for slow machines.
    #[arg(long, default_value_t = 1.0, value_parser = run::patience)]
    patience: f64,
    /// How many scenarios run side by side.
    #[arg(long, short, default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
}

/// Runs the marked scenarios on a daemon that waives the one rule that wrong input breaks. There every marked check must
/// fail, in every case that does not say why it cannot.
pub(super) fn main(options: &Options) -> u8 {
    let scenarios = match select::scenarios(&options.patterns) {
        Ok(selection) => selection.scenarios,
        Err(code) => return code,
    };
    let marked: Vec<Arc<Scenario>> = scenarios.into_iter().filter(|scenario| !marks(scenario).is_empty()).collect();
    if marked.is_empty() {
        complain("iolite: none of these scenarios has a check that says `unless_waived`; nothing was run");
        return exit::INPUT;
    }
    let target = match select::own_binary() {
        Ok(binary) => Arc::new(Target::reference(&binary)),
        Err(code) => return code,
    };
    let (began, cancel) = (Instant::now(), CancellationToken::new());
    let run_options = RunOptions {
        patience: options.patience,
        jobs: usize::from(options.jobs),
        env: vec![(VARIABLE.into(), WAIVE_ONE_RULE.into())],
        cancel: cancel.clone(),
        watch: Some(Arc::new(|records, _| records.iter().filter_map(told_by_daemon).collect())),
        ..RunOptions::default()
    };
    let played = marked.iter().flat_map(|scenario| alone(scenario)).collect();
    let result = match run::block_on(&cancel, Runner::new(target, run_options).run(played, |_| ())) {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => {
            complain(&format!("iolite: {error}"));
            return exit::TARGET;
        }
        Err(code) => return code,
    };
    let found = findings(&marked, &result);
    let mut text = String::new();
    for line in &found.lines {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(
        text,
        "{} cases of {} scenarios: {} would be served without the rule that they break, {} cannot be, {} NOT SERVED, in {:.1} s",
        found.cases,
        marked.len(),
        found.cases - found.exempt - found.lines.len(),
        found.exempt,
        found.lines.len(),
        began.elapsed().as_secs_f64()
    );
    print(&text);
    if cancel.is_cancelled() {
        complain("iolite: ended early");
        return exit::FINDINGS;
    }
    if found.lines.is_empty() { exit::OK } else { exit::FINDINGS }
}

/// Each case as a scenario of its own, with a daemon of its own: what was served in one must not show in the next. Cases that
/// nobody can serve are left out.
fn alone(scenario: &Scenario) -> Vec<Arc<Scenario>> {
    if scenario.cases.is_empty() {
        return vec![Arc::new(scenario.clone())];
    }
    let cases = scenario.cases.iter().filter(|case| case.never_served.is_none());
    cases.map(|case| Arc::new(Scenario { cases: vec![case.clone()], ..scenario.clone() })).collect()
}

/// What the daemon says of input that breaks a second rule, carried as a check that is none.
fn told_by_daemon(record: &Record) -> Option<CheckResult> {
    let Payload::Stderr { text } = &record.payload else { return None };
    let (_, said) = text.split_once(SECOND_RULE)?;
    Some(CheckResult {
        id: SECOND_RULE.to_owned(),
        promises: Vec::new(),
        level: Level::Option,
        verdict: Verdict::NotApplicable,
        message: format!("{SECOND_RULE}{said}"),
        outcome: None,
        expected: None,
        arrived: Vec::new(),
        evidence: vec![record.seq],
        span: None,
        micros: 0,
    })
}

struct Findings {
    cases: usize,
    exempt: usize,
    /// One for each case in which a marked check did not fail.
    lines: Vec<String>,
}

fn findings(scenarios: &[Arc<Scenario>], result: &RunResult) -> Findings {
    let checks = result.scenarios.iter().flat_map(|scenario| &scenario.checks);
    let checks: BTreeMap<&str, &CheckResult> = checks.map(|check| (check.id.as_str(), check)).collect();
    let mut findings = Findings { cases: 0, exempt: 0, lines: Vec::new() };
    for scenario in scenarios {
        let rows: Vec<_> =
            if scenario.cases.is_empty() { vec![None] } else { scenario.cases.iter().map(Some).collect() };
        for case in rows {
            findings.cases += 1;
            if case.is_some_and(|case| case.never_served.is_some()) {
                findings.exempt += 1;
                continue;
            }
            let span = case.map(|case| &case.span);
            let (mut ids, mut idle) = (BTreeSet::new(), Vec::new());
            for axes in axis_combinations(&scenario.each) {
                for check in marks(scenario) {
                    let id = check_id(scenario, case, &axes, &check.label);
                    match checks.get(id.as_str()) {
                        Some(made) if made.verdict.is_breach() => {}
                        Some(made) if made.message.is_empty() => idle.push(format!("`{}` holds", check.label)),
                        Some(made) => idle.push(format!("`{}` {}", check.label, made.message)),
                        None => idle.push(format!("`{}` was not made", check.label)),
                    }
                    ids.insert(id);
                }
            }
            if !idle.is_empty() {
                let (line, _) = scenario.source.position(span.map_or(0, |span| span.start));
                let name = case.map(|case| format!(" {}:", case.name)).unwrap_or_default();
                let said = said_in(result, &ids);
                findings.lines.push(format!("{}:{line}:{name} {}{said}", scenario.source.path, idle.join("; ")));
            }
        }
    }
    findings
}

/// What the daemon said in the runs that these checks belong to.
fn said_in(result: &RunResult, checks: &BTreeSet<String>) -> String {
    let own = result.scenarios.iter().filter(|run| run.checks.iter().any(|made| checks.contains(&made.id)));
    let said = own.flat_map(|run| &run.checks).filter(|made| made.id == SECOND_RULE);
    let said: BTreeSet<String> = said.map(|made| format!("\n    {}", made.message)).collect();
    said.into_iter().collect()
}

/// The checks of a scenario that must fail where the rule is waived.
fn marks(scenario: &Scenario) -> Vec<&Check> {
    let mut marks = Vec::new();
    walk(&scenario.steps, &mut |step| {
        let check = match &step.kind {
            StepKind::Act(action) => action.check.as_ref(),
            StepKind::Assert { check, .. } => Some(check),
            StepKind::Together(_) | StepKind::Repeat { .. } | StepKind::Shuffle { .. } => None,
        };
        marks.extend(check.filter(|check| check.unless_waived));
    });
    marks
}

//! The engine against the reference daemon: stories that use every verb, and daemons that misbehave.

#![expect(clippy::unwrap_used, reason = "what fails in a test should end it, there and then")]

#[path = "engine/faulty.rs"]
mod faulty;
#[path = "engine/late.rs"]
mod late;
#[path = "engine/leftovers.rs"]
mod leftovers;
#[path = "engine/misbehaving.rs"]
mod misbehaving;
#[path = "engine/needs.rs"]
mod needs;
#[path = "engine/persistent_actors.rs"]
mod persistent_actors;

use iolite::engine::{RunOptions, RunResult, Runner, check_ids};
use iolite::judge::verdict::{CheckResult, Verdict};
use iolite::scenario::load::{LoadContext, load};
use iolite::scenario::model::{Scenario, StepKind};
use iolite::scenario::node::Source;
use iolite::scenario::verbs;
use iolite::target::Target;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

const STORIES: &[(&str, &str)] = &[
    ("engine/app", include_str!("engine/app.yaml")),
    ("engine/agent", include_str!("engine/agent.yaml")),
    ("engine/operator", include_str!("engine/operator.yaml")),
    ("engine/control", include_str!("engine/control.yaml")),
];

fn scenario(id: &str, text: &str) -> Arc<Scenario> {
    let source = Source::new(format!("{id}.yaml"), text);
    Arc::new(load(&source, id, &LoadContext::default()).unwrap_or_else(|error| panic!("{error}")))
}

fn reference() -> Arc<Target> {
    Arc::new(Target::reference(Path::new(env!("CARGO_BIN_EXE_iolite"))))
}

fn patient() -> RunOptions {
    RunOptions { patience: 3.0, jobs: 4, ..RunOptions::default() }
}

async fn run(target: Arc<Target>, options: RunOptions, scenarios: Vec<Arc<Scenario>>) -> RunResult {
    Runner::new(target, options).run(scenarios, |_| ()).await.unwrap()
}

fn checks(result: &RunResult) -> Vec<&CheckResult> {
    result.scenarios.iter().flat_map(|scenario| &scenario.checks).collect()
}

/// What is neither passed nor not applicable, for messages.
fn breaches(result: &RunResult) -> Vec<String> {
    let bad = checks(result).into_iter().filter(|check| check.verdict > Verdict::NotApplicable);
    bad.map(|check| format!("{} {:?}: {} (arrived: {:?})", check.id, check.verdict, check.message, check.arrived))
        .collect()
}

async fn tells(id: &str) {
    let text = STORIES.iter().find(|(known, _)| *known == id).unwrap().1;
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions { transcripts: Some(folder.path().into()), keep_all: true, ..patient() };
    let scenario = scenario(id, text);
    let result = run(reference(), options, vec![Arc::clone(&scenario)]).await;
    assert_eq!(result.not_started, Vec::<String>::new());
    let breaches = breaches(&result);
    if !breaches.is_empty()
        && let Some(path) = &result.scenarios[0].transcript
    {
        let transcript = std::fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = transcript.lines().collect();
        eprintln!("{}", lines[lines.len().saturating_sub(60)..].join("\n"));
    }
    assert_eq!(breaches, Vec::<String>::new());
    let ids: Vec<_> = checks(&result).into_iter().map(|check| check.id.clone()).collect();
    assert_eq!(ids, check_ids(&scenario));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_apps_story() {
    tells("engine/app").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_story() {
    tells("engine/agent").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_story() {
    tells("engine/operator").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn control_steps_and_cases() {
    tells("engine/control").await;
}

/// Stories that share a daemon find it as empty as a fresh one.
#[tokio::test(flavor = "multi_thread")]
async fn a_shared_daemon_is_left_clean() {
    let story = r#"
scenario: An app comes and stays
requires: [BRG-SES-05]
cast: { phone: { app: { model: Phone } } }
cases: [{ name: one }, { name: two }]
steps:
  - operator.link
  - phone.connect: { tools: [{ name: t, description: T }], expect: { alias: phone }, check: the alias is free }
  - operator.sessions: { expect: { aliases: [phone] }, check: nobody else is there }
"#;
    for isolation in [iolite::target::Isolation::Worker, iolite::target::Isolation::Run] {
        let mut target = (*reference()).clone();
        target.isolation = isolation;
        let stories = (0..6).map(|number| scenario(&format!("shared/{number}"), story)).collect();
        let result = run(Arc::new(target), RunOptions { jobs: 2, ..patient() }, stories).await;
        assert_eq!(breaches(&result), Vec::<String>::new());
        assert_eq!(checks(&result).len(), 24);
    }
}

#[test]
fn the_stories_use_every_verb() {
    let mut used = BTreeSet::new();
    for (id, text) in STORIES {
        collect(&scenario(id, text).steps, &mut used);
    }
    let unused: Vec<_> = verbs::all().map(|verb| (verb.actor, verb.name)).filter(|verb| !used.contains(verb)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

fn collect(
    steps: &[iolite::scenario::model::Step],
    used: &mut BTreeSet<(iolite::scenario::model::ActorKind, &'static str)>,
) {
    for step in steps {
        match &step.kind {
            StepKind::Act(action) => {
                used.insert((action.verb.actor, action.verb.name));
            }
            StepKind::Together(steps) | StepKind::Repeat { steps, .. } | StepKind::Shuffle { steps, .. } => {
                collect(steps, used);
            }
            StepKind::Assert { .. } => {}
        }
    }
}

use super::app::AppOptions;
use super::*;
use crate::engine::case_names::Locals;
use crate::engine::case_state::{CaseState, RunState};
use crate::engine::check_results::CheckResults;
use crate::engine::ids::AxisValues;
use crate::engine::run_record::RunRecord;
use crate::engine::stage::Stage;
use crate::engine::step_outcome::StepError;
use crate::scenario::model::{Action, ActorKind, DaemonSetup, Scenario};
use crate::scenario::node::{Node, Source};
use crate::scenario::verbs;
use crate::target::Target;
use crate::transcript::metadata::RunMetadata;
use iolite_mock_client::profile::Profile;
use iolite_mock_client::revision::Revision;
use serde_json::{Map, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

fn scenario() -> Scenario {
    Scenario {
        id: "t".into(),
        source: Source::new("t.yaml", ""),
        title: "t".into(),
        about: None,
        requires: Vec::new(),
        bugs: Vec::new(),
        features: Vec::new(),
        daemon: DaemonSetup::default(),
        cast: Vec::new(),
        each: Vec::new(),
        cases: Vec::new(),
        fresh_daemon: false,
        steps: Vec::new(),
        once: Vec::new(),
        finally: Vec::new(),
    }
}

async fn world() -> CaseState {
    let target = Arc::new(Target::reference(Path::new("/nonexistent/iolite")));
    let stage = Stage::deploy(&target, json!({}), Vec::new(), 0.01).await.unwrap();
    let checks = CheckResults::new(Arc::new(scenario()), AxisValues::default(), Arc::default());
    let run = Arc::new(RunState { record: RunRecord::new(RunMetadata::default()), checks });
    let tap = run.record.recorder.tap();
    let actors = BTreeMap::from([
        ("phone".to_owned(), Actor::App(Arc::new(App::new("phone", AppOptions::default(), tap.clone())))),
        (
            "agent".to_owned(),
            Actor::Client(Arc::new(Client::new("agent", Profile::resources(), Revision::V2025_11_25, tap.clone()))),
        ),
        ("operator".to_owned(), Actor::Operator(Arc::new(Operator::new("operator", tap)))),
        ("daemon".to_owned(), Actor::Daemon(Daemon)),
    ]);
    CaseState::new(run, Arc::new(stage), 0, actors, Map::new())
}

/// Whatever a verb does without a daemon: it is never "unknown".
#[tokio::test]
async fn every_verb_of_the_table_is_somebodys() {
    let case_state = world().await;
    for verb in verbs::all() {
        let actor = match verb.actor {
            ActorKind::App => "phone",
            ActorKind::Client => "agent",
            ActorKind::Operator => "operator",
            ActorKind::Daemon => "daemon",
        };
        let action = Action {
            actor: actor.into(),
            verb,
            args: Node::synthetic(Value::Null),
            check: None,
            bind: None,
            within: None,
            span: 0..0,
        };
        let deadline = tokio::time::Instant::now() + Duration::from_millis(100);
        let locals = Locals::default();
        let context = StepContext {
            action: &action,
            scope: case_state.scope(&locals),
            stage: &case_state.stage,
            record: &case_state.run.record,
            deadline,
        };
        let done = case_state.actor(actor).unwrap().perform(&context).await;
        if let Err(StepError::Broken(why)) = &done {
            assert!(!why.contains("cannot `"), "{actor}.{}: {why}", verb.name);
        }
    }
}

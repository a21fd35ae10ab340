//! The daemon's process and clock.

use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use crate::target::{ClockError, Exit, StartError, StopError, StopMethod};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// The daemon as an actor: all it is stands on the stage.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Daemon;

impl Daemon {
    /// Does what a step says.
    pub(in crate::engine) async fn perform(self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "start" => start(step).await,
            "stop" => stop(step).await,
            "restart" => {
                let stopped = stop(step).await?;
                if stopped.violated.is_some() { Ok(stopped) } else { start(step).await }
            }
            "expect_exit" => expect_exit(step).await,
            "pass" => pass(step).await,
            "status" => status(step).await,
            _ => Err(step.unknown_verb("the daemon")),
        }
    }

    /// What templates see of it.
    pub(in crate::engine) fn vars(self) -> Value {
        json!({ "name": "daemon" })
    }
}

async fn start(step: &StepContext<'_>) -> StepResult {
    let stage = step.stage;
    if let Some(config) = step.value("config")? {
        stage.reconfigure(&config).await;
    }
    match stage.start().await {
        // Starting has a time limit of its own and may have used up the step's.
        Ok(()) => status_until(step, stage.pace().deadline(step.action.within)).await,
        Err(StartError::Running) => Err(StepError::Broken("the daemon is running already".into())),
        Err(error) if error.is_own() => Err(StepError::Broken(error.to_string())),
        Err(error @ (StartError::Config(_) | StartError::Spawn { .. } | StartError::NotReady { .. })) => {
            Err(StepError::Unmet(error.to_string()))
        }
        Err(error) => {
            let mut data = Map::new();
            if let StartError::Ended { exit, .. } = &error {
                data.extend(exit_members(*exit));
            }
            data.insert("stderr".into(), stage.stderr().await.join("\n").into());
            Ok(StepOutcome::error("not_started", error.to_string(), data))
        }
    }
}

async fn stop(step: &StepContext<'_>) -> StepResult {
    let how = step.text("how")?.unwrap_or_else(|| "rpc".into());
    let how = StopMethod::parse(&how).ok_or_else(|| step.wrong("how", &format!("cannot be `{how}`")))?;
    match step.stage.stop(how).await {
        Ok(exit) => Ok(StepOutcome::of(Value::Object(exit_members(exit)))),
        Err(StopError::NotRunning) => match step.stage.exit() {
            Some(exit) => Ok(StepOutcome::violated(format!("the daemon had ended already: {exit}"), Vec::new())),
            None => Err(StepError::Unmet("no daemon is running".into())),
        },
        Err(error) => Ok(StepOutcome::violated(error.to_string(), Vec::new())),
    }
}

async fn expect_exit(step: &StepContext<'_>) -> StepResult {
    let stage = step.stage;
    let matcher = step.matcher_of(&[("code", "code")])?;
    stage.expect_end();
    let Some(exit) = stage.wait_exit(step.deadline).await else {
        return Ok(StepOutcome::violated("the daemon's process did not end", Vec::new()));
    };
    let mut members = exit_members(exit);
    members.insert("stderr".into(), stage.stderr().await.join("\n").into());
    let outcome = Value::Object(members);
    let matched = matcher.check(&outcome);
    let mut result = StepOutcome::of(outcome);
    if !matched.matched {
        result.violated = Some(format!("it ended with {exit}: {}", matched.message()));
    }
    step.bind_all(matched.captures);
    Ok(result)
}

async fn pass(step: &StepContext<'_>) -> StepResult {
    let seconds = step.number("seconds")?.unwrap_or_default();
    let ms = step.number("ms")?.unwrap_or_default() + seconds * 1000.0;
    let time = Duration::try_from_secs_f64(ms / 1000.0).map_err(|_| step.wrong("ms", "is no length of time"))?;
    match step.stage.pass(time).await {
        Ok(()) => Ok(StepOutcome::of(json!({ "ms": time.as_millis() }))),
        Err(error @ ClockError::TooLong { .. }) => Err(StepError::NotApplicable(error.to_string())),
        Err(error) => Err(StepError::Unmet(error.to_string())),
    }
}

async fn status(step: &StepContext<'_>) -> StepResult {
    status_until(step, step.deadline).await
}

async fn status_until(step: &StepContext<'_>, deadline: Instant) -> StepResult {
    let answer = step.stage.rpc_until("daemon.status", Some(json!({})), deadline).await;
    match answer {
        Ok(answer) => Ok(StepOutcome::of(answer)),
        Err(StepError::Unmet(why)) if step.stage.died() => Ok(StepOutcome::violated(why, Vec::new())),
        Err(error) => Err(error),
    }
}

fn exit_members(exit: Exit) -> Map<String, Value> {
    let mut members = Map::new();
    for (name, value) in [("code", exit.code), ("signal", exit.signal)] {
        if let Some(value) = value {
            members.insert(name.into(), value.into());
        }
    }
    members
}

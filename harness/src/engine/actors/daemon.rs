//! The daemon's process and clock.

use crate::engine::cue::Cue;
use crate::engine::outcome::{Deed, Done, Fault};
use crate::target::{ClockError, Exit, How, StartError, StopError};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The daemon as an actor: all it is stands on the stage.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Daemon;

impl Daemon {
    /// Does what a step says.
    pub(in crate::engine) async fn perform(self, cue: &Cue<'_>) -> Done {
        match cue.verb() {
            "start" => start(cue).await,
            "stop" => stop(cue).await,
            "restart" => {
                let stopped = stop(cue).await?;
                if stopped.violated.is_some() { Ok(stopped) } else { start(cue).await }
            }
            "expect_exit" => expect_exit(cue).await,
            "pass" => pass(cue).await,
            "status" => status(cue).await,
            other => Err(super::unknown_verb("the daemon", other)),
        }
    }

    /// What templates see of it.
    pub(in crate::engine) fn vars(self) -> Value {
        json!({ "name": "daemon" })
    }
}

async fn start(cue: &Cue<'_>) -> Done {
    let stage = &cue.world.stage;
    if let Some(config) = cue.value("config")? {
        stage.reconfigure(&config).await;
    }
    match stage.start().await {
        Ok(()) => status(cue).await,
        Err(StartError::Running) => Err(Fault::Broken("the daemon is running already".into())),
        Err(error @ (StartError::Folder(_) | StartError::Spawn { .. })) => Err(Fault::Unmet(error.to_string())),
        Err(error) => {
            let mut data = Map::new();
            if let StartError::Ended { exit, .. } = &error {
                data.extend(exit_members(*exit));
            }
            data.insert("stderr".into(), stage.stderr().await.join("\n").into());
            Ok(Deed::error("not_started", error.to_string(), data))
        }
    }
}

async fn stop(cue: &Cue<'_>) -> Done {
    let how = cue.text("how")?.unwrap_or_else(|| "rpc".into());
    let how = How::parse(&how).ok_or_else(|| cue.wrong("how", &format!("cannot be `{how}`")))?;
    match cue.world.stage.stop(how).await {
        Ok(exit) => Ok(Deed::of(Value::Object(exit_members(exit)))),
        Err(StopError::NotRunning) => match cue.world.stage.exit() {
            Some(exit) => Ok(Deed::violated(format!("the daemon had ended already: {exit}"), Vec::new())),
            None => Err(Fault::Unmet("no daemon is running".into())),
        },
        Err(error) => Ok(Deed::violated(error.to_string(), Vec::new())),
    }
}

async fn expect_exit(cue: &Cue<'_>) -> Done {
    let stage = &cue.world.stage;
    let matcher = cue.matcher_of(&[("code", "code")])?;
    stage.expect_end();
    let Some(exit) = stage.wait_exit(cue.deadline).await else {
        return Ok(Deed::violated("the daemon's process did not end", Vec::new()));
    };
    let mut members = exit_members(exit);
    members.insert("stderr".into(), stage.stderr().await.join("\n").into());
    let outcome = Value::Object(members);
    let matched = matcher.check(&outcome);
    let mut deed = Deed::of(outcome);
    if !matched.matched {
        deed.violated = Some(format!("it ended with {exit}: {}", matched.message()));
    }
    cue.bind_all(matched.captures);
    Ok(deed)
}

async fn pass(cue: &Cue<'_>) -> Done {
    let seconds = cue.number("seconds")?.unwrap_or_default();
    let ms = cue.number("ms")?.unwrap_or_default() + seconds * 1000.0;
    let time = Duration::try_from_secs_f64(ms / 1000.0).map_err(|_| cue.wrong("ms", "is no length of time"))?;
    match cue.world.stage.pass(time).await {
        Ok(()) => Ok(Deed::of(json!({ "ms": time.as_millis() }))),
        Err(error @ ClockError::TooLong { .. }) => Err(Fault::NotApplicable(error.to_string())),
        Err(error) => Err(Fault::Unmet(error.to_string())),
    }
}

async fn status(cue: &Cue<'_>) -> Done {
    let answer = cue.world.stage.rpc_until("daemon.status", Some(json!({})), cue.deadline).await;
    match answer {
        Ok(answer) => Ok(Deed::of(answer)),
        Err(Fault::Unmet(why)) if cue.world.stage.died() => Ok(Deed::violated(why, Vec::new())),
        Err(fault) => Err(fault),
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

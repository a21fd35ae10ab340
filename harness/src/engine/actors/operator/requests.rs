//! Requests on the control RPC, and what stands below them.

use super::Operator;
use crate::engine::actors::link::with_decoded;
use crate::engine::case_names::Operation;
use crate::engine::control::{Control, ControlError};
use crate::engine::log::Unmet;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl Operator {
    pub(super) async fn rpc(&self, step: &StepContext<'_>) -> StepResult {
        let method = step.needed_text("method")?;
        let params = step.value("params")?;
        self.ask(step, &method, params, step.value("id")?).await
    }

    pub(super) async fn start_rpc(&self, step: &StepContext<'_>) -> StepResult {
        let method = step.needed_text("method")?;
        let control = match self.control(step).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        self.state().tainted = true;
        let started = control.start(&method, step.value("params")?, step.value("id")?, step.deadline).await;
        let id = match started {
            Ok(id) => id,
            Err(error) => return Ok(StepOutcome::violated(error.to_string(), Vec::new()).gone()),
        };
        if let Some(name) = &step.action.bind {
            let operation = Operation { actor: self.name.clone(), handle: id.clone(), list: list_of(&method) };
            step.names().leave_open(name, operation);
        }
        if method == "daemon.shutdown" {
            step.stage.expect_end();
        }
        Ok(StepOutcome::of(json!({ "id": id })))
    }

    pub(super) async fn finish(&self, step: &StepContext<'_>) -> StepResult {
        let operation = step.names().operation(&self.name, &step.needed_text("op")?)?;
        let Some(control) = self.newest().await else {
            return Ok(StepOutcome::violated("the connection it was sent on is closed", Vec::new()).gone());
        };
        Ok(self.answered(&control, step, &operation.handle, operation.list).await)
    }

    pub(super) async fn link(&self, step: &StepContext<'_>) -> StepResult {
        let mut result =
            self.ask(step, "link.create", Some(params(step, &["ttlSeconds", "addressOverride"])?), None).await?;
        if result.violated.is_none() && result.outcome.get("error").is_none() {
            result.outcome = with_decoded(result.outcome);
            if let Some(id) = result.outcome.get("sessionId").and_then(Value::as_str) {
                step.stage.note_link(id);
            }
            if let Some(token) = result.outcome.pointer("/decoded/token").and_then(Value::as_str) {
                step.record.note_secret(token);
            }
        }
        Ok(result)
    }

    pub(super) async fn sessions(&self, step: &StepContext<'_>) -> StepResult {
        let mut result = self.ask(step, "sessions.list", Some(json!({})), None).await?;
        let sessions = result.outcome.get("sessions").and_then(Value::as_array);
        let aliases =
            sessions.map(|sessions| sessions.iter().map(|session| session["alias"].clone()).collect::<Value>());
        if let (Some(aliases), Some(outcome)) = (aliases, result.outcome.as_object_mut()) {
            outcome.insert("aliases".into(), aliases);
        }
        Ok(result)
    }

    /// A method whose params are the arguments as they stand.
    pub(super) async fn simple(&self, step: &StepContext<'_>, method: &str, names: &[&str]) -> StepResult {
        self.ask(step, method, Some(params(step, names)?), None).await
    }

    pub(super) async fn send_line(&self, step: &StepContext<'_>) -> StepResult {
        let mut bytes = step.needed_bytes("text")?;
        bytes.push(b'\n');
        self.write(step, &bytes).await
    }

    pub(super) async fn send_bytes(&self, step: &StepContext<'_>) -> StepResult {
        let bytes = step.needed_bytes("bytes")?;
        self.write(step, &bytes).await
    }

    pub(super) async fn expect_line(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of_body()?;
        let Some(control) = self.newest().await else {
            return match self.control(step).await {
                Ok(_) => Ok(StepOutcome::violated("nothing was asked on this connection yet", Vec::new())),
                Err(missing) => missing.done(),
            };
        };
        let from = self.looked();
        let found = control.log().wait(0, step.deadline, |line| {
            if line.taken || line.ours {
                return None;
            }
            let matched = matcher.check(&line.value);
            matched.matched.then(|| {
                line.taken = true;
                (Value::clone(&line.value), matched.captures)
            })
        });
        Ok(match found.await {
            Ok((position, (value, captures))) => {
                step.bind_all(captures);
                self.look_up_to(position + 1);
                StepOutcome::of(value)
            }
            Err(unmet) => missing_line("no line that fits", &control, from, &unmet),
        })
    }

    pub(super) async fn expect_end(&self, step: &StepContext<'_>) -> StepResult {
        let Some(control) = self.newest().await else {
            return Ok(StepOutcome::violated("this connection was never opened", Vec::new()));
        };
        let from = self.looked();
        // Only the end ends this wait.
        let ended = control.log().wait(0, step.deadline, |_| None::<()>).await;
        Ok(match ended {
            Err(Unmet::Ended(how)) => StepOutcome::of(json!({ "how": how })),
            Err(unmet) => missing_line("the daemon did not end the connection", &control, from, &unmet),
            Ok(_) => StepOutcome::nothing(),
        })
    }

    pub(super) async fn disconnect(&self) -> StepResult {
        if let Some(control) = self.newest().await {
            control.close().await;
        }
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn reconnect(&self, step: &StepContext<'_>) -> StepResult {
        self.leave().await;
        if let Some((_, control)) = step.stage.idle().take(&self.name) {
            control.close().await;
        }
        match self.control(step).await {
            Ok(_) => Ok(StepOutcome::nothing()),
            Err(missing) => missing.done(),
        }
    }

    async fn write(&self, step: &StepContext<'_>, bytes: &[u8]) -> StepResult {
        let control = match self.control(step).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        self.state().tainted = true;
        match control.write(bytes, step.deadline).await {
            Ok(()) => Ok(StepOutcome::nothing()),
            // A daemon may end the connection while it is written to: that is its answer to the bytes. The failed write can be
            // noticed before the end is read.
            Err(error) => match control.log().wait(0, step.deadline, |_| None::<()>).await {
                Err(Unmet::Ended(_)) => Ok(StepOutcome::nothing()),
                _ => Ok(StepOutcome::violated(error.to_string(), Vec::new())),
            },
        }
    }

    async fn ask(&self, step: &StepContext<'_>, method: &str, params: Option<Value>, id: Option<Value>) -> StepResult {
        let control = match self.control(step).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        if method == "daemon.shutdown" {
            step.stage.expect_end();
        }
        if id.is_some() {
            self.state().tainted = true;
        }
        match control.start(method, params, id, step.deadline).await {
            Ok(id) => {
                let result = self.answered(&control, step, &id, list_of(method)).await;
                if method == "events.subscribe" && result.violated.is_none() && result.outcome.get("error").is_none() {
                    self.state().subscribed = true;
                }
                Ok(result)
            }
            Err(error) => Ok(StepOutcome::violated(error.to_string(), Vec::new()).gone()),
        }
    }

    async fn answered(
        &self,
        control: &Arc<Control>,
        step: &StepContext<'_>,
        id: &Value,
        list: Option<&'static str>,
    ) -> StepOutcome {
        let from = control.log().position();
        match control.finish(id, step.deadline).await {
            Ok((outcome, _)) => StepOutcome::of(named(outcome, list)),
            Err(error) => {
                self.state().tainted = true;
                match error {
                    ControlError::Unanswered(unmet) => missing_line("no answer", control, from, &unmet),
                    error => StepOutcome::violated(error.to_string(), shown(control, from)),
                }
            }
        }
    }
}

/// The arguments of these names as params, those that are absent left out.
fn params(step: &StepContext<'_>, names: &[&str]) -> Result<Value, StepError> {
    let mut params = Map::new();
    for name in names {
        if let Some(value) = step.value(name)? {
            params.insert((*name).to_owned(), value);
        }
    }
    Ok(Value::Object(params))
}

/// The member in which a method's answer has its list.
fn list_of(method: &str) -> Option<&'static str> {
    match method {
        "sessions.list" => Some("sessions"),
        "tools.list" => Some("tools"),
        "resources.list" => Some("resources"),
        _ => None,
    }
}

/// An outcome with its list in a member. The contract does not say whether a list is the whole result or stands in a member
/// of it, so scenarios see the one as the other.
fn named(outcome: Value, list: Option<&'static str>) -> Value {
    match (outcome, list) {
        (Value::Array(items), Some(member)) => json!({ member: items }),
        (outcome, _) => outcome,
    }
}

pub(super) fn missing_line(what: &str, control: &Control, from: usize, unmet: &Unmet) -> StepOutcome {
    let result = StepOutcome::violated(format!("{what}: {unmet}"), shown(control, from));
    if matches!(unmet, Unmet::Ended(_)) { result.gone() } else { result }
}

/// What arrived from a position on, as reports show it.
pub(super) fn shown(control: &Control, from: usize) -> Vec<Value> {
    const SHOWN: usize = 200;
    control.log().read(from, |lines| {
        lines.iter().filter(|line| !line.ours).take(SHOWN).map(|line| Value::clone(&line.value)).collect()
    })
}

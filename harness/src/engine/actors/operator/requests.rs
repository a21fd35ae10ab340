//! Requests on the control RPC, and what stands below them.

use super::{Operator, params};
use crate::engine::actors::app::with_decoded;
use crate::engine::control::{Control, ControlError};
use crate::engine::cue::Cue;
use crate::engine::log::Unmet;
use crate::engine::outcome::{Deed, Done};
use crate::engine::world::Operation;
use serde_json::{Value, json};
use std::sync::Arc;

impl Operator {
    pub(super) async fn rpc(&self, cue: &Cue<'_>) -> Done {
        let method = cue.needed_text("method")?;
        let params = cue.value("params")?;
        self.ask(cue, &method, params, cue.value("id")?).await
    }

    pub(super) async fn start_rpc(&self, cue: &Cue<'_>) -> Done {
        let method = cue.needed_text("method")?;
        let control = match self.control(cue).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        self.state().unruly = true;
        let started = control.start(&method, cue.value("params")?, cue.value("id")?, cue.deadline).await;
        let id = match started {
            Ok(id) => id,
            Err(error) => return Ok(Deed::violated(error.to_string(), Vec::new()).gone()),
        };
        if let Some(name) = &cue.action.bind {
            let operation = Operation { actor: self.name.clone(), handle: id.clone(), list: list_of(&method) };
            cue.world.leave_open(name, operation);
        }
        if method == "daemon.shutdown" {
            cue.world.stage.expect_end();
        }
        Ok(Deed::of(json!({ "id": id })))
    }

    pub(super) async fn finish(&self, cue: &Cue<'_>) -> Done {
        let operation = cue.world.operation(&self.name, &cue.needed_text("op")?)?;
        let Some(control) = self.newest().await else {
            return Ok(Deed::violated("the connection it was sent on is closed", Vec::new()).gone());
        };
        Ok(self.answered(&control, cue, &operation.handle, operation.list).await)
    }

    pub(super) async fn link(&self, cue: &Cue<'_>) -> Done {
        let mut deed =
            self.ask(cue, "link.create", Some(params(cue, &["ttlSeconds", "addressOverride"])?), None).await?;
        if deed.violated.is_none() && deed.outcome.get("error").is_none() {
            deed.outcome = with_decoded(deed.outcome);
            if let Some(id) = deed.outcome.get("sessionId").and_then(Value::as_str) {
                cue.world.stage.note_link(id);
            }
            if let Some(token) = deed.outcome.pointer("/decoded/token").and_then(Value::as_str) {
                cue.world.run.note_secret(token);
            }
        }
        Ok(deed)
    }

    pub(super) async fn sessions(&self, cue: &Cue<'_>) -> Done {
        let mut deed = self.ask(cue, "sessions.list", Some(json!({})), None).await?;
        let sessions = deed.outcome.get("sessions").and_then(Value::as_array);
        let aliases =
            sessions.map(|sessions| sessions.iter().map(|session| session["alias"].clone()).collect::<Value>());
        if let (Some(aliases), Some(outcome)) = (aliases, deed.outcome.as_object_mut()) {
            outcome.insert("aliases".into(), aliases);
        }
        Ok(deed)
    }

    /// A method whose params are the arguments as they stand.
    pub(super) async fn simple(&self, cue: &Cue<'_>, method: &str, names: &[&str]) -> Done {
        self.ask(cue, method, Some(params(cue, names)?), None).await
    }

    pub(super) async fn send_line(&self, cue: &Cue<'_>) -> Done {
        let mut bytes = cue.needed_bytes("text")?;
        bytes.push(b'\n');
        self.write(cue, &bytes).await
    }

    pub(super) async fn send_bytes(&self, cue: &Cue<'_>) -> Done {
        let bytes = cue.needed_bytes("bytes")?;
        self.write(cue, &bytes).await
    }

    pub(super) async fn expect_line(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of_body()?;
        let Some(control) = self.newest().await else {
            return match self.control(cue).await {
                Ok(_) => Ok(Deed::violated("nothing was asked on this connection yet", Vec::new())),
                Err(missing) => missing.done(),
            };
        };
        let from = self.looked();
        let found = control.log().wait(0, cue.deadline, |line| {
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
                cue.bind_all(captures);
                self.look_up_to(position + 1);
                Deed::of(value)
            }
            Err(unmet) => missing_line("no line that fits", &control, from, &unmet),
        })
    }

    pub(super) async fn expect_end(&self, cue: &Cue<'_>) -> Done {
        let Some(control) = self.newest().await else {
            return Ok(Deed::violated("this connection was never opened", Vec::new()));
        };
        let from = self.looked();
        // Only the end ends this wait.
        let ended = control.log().wait(0, cue.deadline, |_| None::<()>).await;
        Ok(match ended {
            Err(Unmet::Ended(how)) => Deed::of(json!({ "how": how })),
            Err(unmet) => missing_line("the daemon did not end the connection", &control, from, &unmet),
            Ok(_) => Deed::nothing(),
        })
    }

    pub(super) async fn disconnect(&self) -> Done {
        if let Some(control) = self.newest().await {
            control.close().await;
        }
        Ok(Deed::nothing())
    }

    pub(super) async fn reconnect(&self, cue: &Cue<'_>) -> Done {
        self.leave().await;
        if let Some((_, control)) = cue.world.stage.take_rested(&self.name) {
            control.close().await;
        }
        match self.control(cue).await {
            Ok(_) => Ok(Deed::nothing()),
            Err(missing) => missing.done(),
        }
    }

    async fn write(&self, cue: &Cue<'_>, bytes: &[u8]) -> Done {
        let control = match self.control(cue).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        self.state().unruly = true;
        match control.write(bytes, cue.deadline).await {
            Ok(()) => Ok(Deed::nothing()),
            // A daemon that ends the connection while it is written to has said what it thinks of the bytes. Its end may be
            // read a moment after it was felt.
            Err(error) => match control.log().wait(0, cue.deadline, |_| None::<()>).await {
                Err(Unmet::Ended(_)) => Ok(Deed::nothing()),
                _ => Ok(Deed::violated(error.to_string(), Vec::new())),
            },
        }
    }

    async fn ask(&self, cue: &Cue<'_>, method: &str, params: Option<Value>, id: Option<Value>) -> Done {
        let control = match self.control(cue).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        if method == "daemon.shutdown" {
            cue.world.stage.expect_end();
        }
        if id.is_some() {
            self.state().unruly = true;
        }
        match control.start(method, params, id, cue.deadline).await {
            Ok(id) => {
                let deed = self.answered(&control, cue, &id, list_of(method)).await;
                if method == "events.subscribe" && deed.violated.is_none() && deed.outcome.get("error").is_none() {
                    self.state().subscribed = true;
                }
                Ok(deed)
            }
            Err(error) => Ok(Deed::violated(error.to_string(), Vec::new()).gone()),
        }
    }

    async fn answered(&self, control: &Arc<Control>, cue: &Cue<'_>, id: &Value, list: Option<&'static str>) -> Deed {
        let from = control.log().position();
        match control.finish(id, cue.deadline).await {
            Ok((outcome, _)) => Deed::of(named(outcome, list)),
            Err(error) => {
                self.state().unruly = true;
                match error {
                    ControlError::Unanswered(unmet) => missing_line("no answer", control, from, &unmet),
                    error => Deed::violated(error.to_string(), shown(control, from)),
                }
            }
        }
    }
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

pub(super) fn missing_line(what: &str, control: &Control, from: usize, unmet: &Unmet) -> Deed {
    let deed = Deed::violated(format!("{what}: {unmet}"), shown(control, from));
    if matches!(unmet, Unmet::Ended(_)) { deed.gone() } else { deed }
}

/// What arrived from a position on, as reports show it.
pub(super) fn shown(control: &Control, from: usize) -> Vec<Value> {
    const SHOWN: usize = 200;
    control.log().read(from, |lines| {
        lines.iter().filter(|line| !line.ours).take(SHOWN).map(|line| Value::clone(&line.value)).collect()
    })
}

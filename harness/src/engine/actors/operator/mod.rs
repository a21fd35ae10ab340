//! Someone at the control RPC, the command line and the state folder.

mod command_line;
mod events;
mod files;
mod requests;

use crate::engine::control::Control;
use crate::engine::control::idle::IdleConnection;
use crate::engine::stage::Stage;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_protocol::transcript::Tap;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One operator: a control connection (made when it is first needed), and hands.
#[derive(Debug)]
pub(in crate::engine) struct Operator {
    name: String,
    tap: Tap,
    control: tokio::sync::Mutex<Option<IdleConnection>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Which connection the position belongs to.
    connection: u32,
    /// Lines before this position have been looked at by a step.
    looked: usize,
    /// The connection was subscribed to events.
    subscribed: bool,
    /// In which life of the daemon it was made.
    life: u32,
    /// Something was said on it besides requests that were answered, or they had ids of somebody's own.
    tainted: bool,
}

impl Operator {
    /// An operator that has not connected yet.
    pub(in crate::engine) fn new(name: &str, tap: Tap) -> Self {
        Self { name: name.to_owned(), tap, control: tokio::sync::Mutex::default(), state: Mutex::default() }
    }

    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "rpc" => self.rpc(step).await,
            "start_rpc" => self.start_rpc(step).await,
            "finish" => self.finish(step).await,
            "link" => self.link(step).await,
            "sessions" => self.sessions(step).await,
            "revoke" => self.simple(step, "sessions.revoke", &["selector"]).await,
            "events" => self.simple(step, "events.since", &["selector", "since", "kinds", "limit"]).await,
            "subscribe" => self.simple(step, "events.subscribe", &["sessionSelector", "kinds"]).await,
            "expect_event" => self.expect_event(step).await,
            "expect_no_event" => self.expect_no_event(step).await,
            "mark" => self.mark(step).await,
            "send_line" => self.send_line(step).await,
            "send_bytes" => self.send_bytes(step).await,
            "expect_line" => self.expect_line(step).await,
            "expect_end" => self.expect_end(step).await,
            "disconnect" => self.disconnect().await,
            "reconnect" => self.reconnect(step).await,
            "cli" => self.cli(step).await,
            "audit" => files::audit(step).await,
            "logs" => files::logs(step).await,
            "stat" => files::stat(step).await,
            "read_file" => files::read_file(step).await,
            "files" => files::files(step).await,
            "chmod" => files::chmod(step).await,
            _ => Err(step.unknown_verb("an operator")),
        }
    }

    /// What templates see of it.
    pub(in crate::engine) fn vars(&self) -> Value {
        json!({ "name": self.name })
    }

    /// Its connection, if nothing but answered requests has happened on it, to be used by whoever comes next.
    pub(in crate::engine) async fn take_if_idle(&self, stage: &Stage) -> Option<IdleConnection> {
        let mut slot = self.control.lock().await;
        let plain = {
            let state = self.state();
            !state.subscribed && !state.tainted && state.life == stage.life()
        };
        slot.take_if(|(_, control)| plain && control.is_idle())
    }

    /// Closes its connection.
    pub(in crate::engine) async fn leave(&self) {
        if let Some((_, control)) = self.control.lock().await.take() {
            control.close().await;
        }
    }

    /// The connection, made when there is none that is open.
    async fn control(&self, step: &StepContext<'_>) -> Result<Arc<Control>, Box<Missing>> {
        let mut slot = self.control.lock().await;
        if let Some((_, control)) = slot.as_ref().filter(|(_, control)| control.ended().is_none()) {
            return Ok(Arc::clone(control));
        }
        let stage = step.stage;
        if slot.is_none()
            && let Some((number, control)) = stage.idle().take(&self.name)
        {
            let looked = control.log().position();
            *slot = Some((number, Arc::clone(&control)));
            *self.state() = State { connection: number, looked, life: stage.life(), ..State::default() };
            return Ok(control);
        }
        let life = stage.life();
        let socket = stage.socket().map_err(|error| Box::new(Missing::Error(error)))?;
        let number = step.record.next_connection(&self.name);
        match Control::connect(&socket, &self.name, number, self.tap.clone(), step.deadline).await {
            Ok(control) => {
                let control = Arc::new(control);
                *slot = Some((number, Arc::clone(&control)));
                *self.state() = State { connection: number, life, ..State::default() };
                Ok(control)
            }
            // A daemon that was asked to end is no finding; one that was not is.
            Err(error) if stage.exit().is_some() && !stage.died() => {
                Err(Box::new(Missing::Error(StepError::Unmet(error.to_string()))))
            }
            Err(error) => Err(Box::new(Missing::Outcome(StepOutcome::violated(error.to_string(), Vec::new())))),
        }
    }

    /// The newest connection, open or ended.
    async fn newest(&self) -> Option<Arc<Control>> {
        self.control.lock().await.as_ref().map(|(_, control)| Arc::clone(control))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look_up_to(&self, position: usize) {
        let mut state = self.state();
        state.looked = state.looked.max(position);
    }

    fn looked(&self) -> usize {
        self.state().looked
    }
}

/// Why there is no connection.
enum Missing {
    /// The step cannot be carried out.
    Error(StepError),
    /// The daemon does not take one although it should.
    Outcome(StepOutcome),
}

impl Missing {
    fn done(self) -> StepResult {
        match self {
            Self::Error(error) => Err(error),
            Self::Outcome(result) => Ok(result),
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

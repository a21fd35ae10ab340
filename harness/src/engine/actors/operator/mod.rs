//! Someone at the control RPC, the command line and the state folder.

mod command_line;
mod events;
mod files;
mod requests;

use crate::engine::control::Control;
use crate::engine::cue::Cue;
use crate::engine::outcome::{Deed, Done, Fault};
use crate::engine::stage::Stage;
use iolite_protocol::transcript::Tap;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One operator: a control connection (made when it is first needed), and hands.
#[derive(Debug)]
pub(in crate::engine) struct Operator {
    name: String,
    tap: Tap,
    control: tokio::sync::Mutex<Option<Rested>>,
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
    unruly: bool,
}

impl Operator {
    /// An operator that has not connected yet.
    pub(in crate::engine) fn new(name: &str, tap: Tap) -> Self {
        Self { name: name.to_owned(), tap, control: tokio::sync::Mutex::default(), state: Mutex::default() }
    }

    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, cue: &Cue<'_>) -> Done {
        match cue.verb() {
            "rpc" => self.rpc(cue).await,
            "start_rpc" => self.start_rpc(cue).await,
            "finish" => self.finish(cue).await,
            "link" => self.link(cue).await,
            "sessions" => self.sessions(cue).await,
            "revoke" => self.simple(cue, "sessions.revoke", &["selector"]).await,
            "events" => self.simple(cue, "events.since", &["selector", "since", "kinds", "limit"]).await,
            "subscribe" => self.simple(cue, "events.subscribe", &["sessionSelector", "kinds"]).await,
            "expect_event" => self.expect_event(cue).await,
            "expect_no_event" => self.expect_no_event(cue).await,
            "mark" => self.mark(cue).await,
            "send_line" => self.send_line(cue).await,
            "send_bytes" => self.send_bytes(cue).await,
            "expect_line" => self.expect_line(cue).await,
            "expect_end" => self.expect_end(cue).await,
            "disconnect" => self.disconnect().await,
            "reconnect" => self.reconnect(cue).await,
            "cli" => self.cli(cue).await,
            "audit" => files::audit(cue).await,
            "logs" => files::logs(cue).await,
            "stat" => files::stat(cue).await,
            "read_file" => files::read_file(cue).await,
            "files" => files::files(cue).await,
            "chmod" => files::chmod(cue).await,
            other => Err(crate::engine::actors::unknown_verb("an operator", other)),
        }
    }

    /// What templates see of it.
    pub(in crate::engine) fn vars(&self) -> Value {
        json!({ "name": self.name })
    }

    /// Its connection, if nothing but answered requests has happened on it, to be used by whoever comes next.
    pub(in crate::engine) async fn rest(&self, stage: &Stage) -> Option<Rested> {
        let mut slot = self.control.lock().await;
        let plain = {
            let state = self.state();
            !state.subscribed && !state.unruly && state.life == stage.life()
        };
        slot.take_if(|(_, control)| plain && control.is_at_rest())
    }

    /// Closes its connection.
    pub(in crate::engine) async fn leave(&self) {
        if let Some((_, control)) = self.control.lock().await.take() {
            control.close().await;
        }
    }

    /// The connection, made when there is none that is open.
    async fn control(&self, cue: &Cue<'_>) -> Result<Arc<Control>, Box<Missing>> {
        let mut slot = self.control.lock().await;
        if let Some((_, control)) = slot.as_ref().filter(|(_, control)| control.ended().is_none()) {
            return Ok(Arc::clone(control));
        }
        let stage = &cue.world.stage;
        if slot.is_none()
            && let Some((number, control)) = stage.take_rested(&self.name)
        {
            let looked = control.log().position();
            *slot = Some((number, Arc::clone(&control)));
            *self.state() = State { connection: number, looked, life: stage.life(), ..State::default() };
            return Ok(control);
        }
        let life = stage.life();
        let socket = stage.socket().map_err(|fault| Box::new(Missing::Fault(fault)))?;
        let number = cue.world.run.next_connection(&self.name);
        match Control::connect(&socket, &self.name, number, self.tap.clone(), cue.deadline).await {
            Ok(control) => {
                let control = Arc::new(control);
                *slot = Some((number, Arc::clone(&control)));
                *self.state() = State { connection: number, life, ..State::default() };
                Ok(control)
            }
            // A daemon that was asked to end is no finding; one that was not is.
            Err(error) if stage.exit().is_some() && !stage.died() => {
                Err(Box::new(Missing::Fault(Fault::Unmet(error.to_string()))))
            }
            Err(error) => Err(Box::new(Missing::Deed(Deed::violated(error.to_string(), Vec::new())))),
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

/// A connection and its number, between two who use it.
pub(in crate::engine) type Rested = (u32, Arc<Control>);

/// Why there is no connection.
enum Missing {
    /// The step cannot be carried out.
    Fault(Fault),
    /// The daemon does not take one although it should.
    Deed(Deed),
}

impl Missing {
    fn done(self) -> Done {
        match self {
            Self::Fault(fault) => Err(fault),
            Self::Deed(deed) => Ok(deed),
        }
    }
}

/// The arguments of these names as params, those that are absent left out.
fn params(cue: &Cue<'_>, names: &[&str]) -> Result<Value, Fault> {
    let mut params = Map::new();
    for name in names {
        if let Some(value) = cue.value(name)? {
            params.insert((*name).to_owned(), value);
        }
    }
    Ok(Value::Object(params))
}

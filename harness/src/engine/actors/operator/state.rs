//! An operator: its control connection, made when it is first needed.

use crate::engine::control::idle::IdleConnection;
use crate::engine::control::{Control, ControlError};
use crate::engine::stage::Stage;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_protocol::transcript::Tap;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One operator: a control connection, made when it is first needed, and the state folder and command line around it.
#[derive(Debug)]
pub(in crate::engine) struct Operator {
    pub(super) name: String,
    pub(super) tap: Tap,
    /// The newest connection and its number.
    pub(super) control: tokio::sync::Mutex<Option<(u32, Arc<Control>)>>,
    pub(super) state: Mutex<State>,
}

/// What an operator knows of its connection.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Which connection the position belongs to.
    pub(super) connection: u32,
    /// Lines before this position have been looked at by a step.
    pub(super) looked: usize,
    /// The connection was subscribed to events.
    pub(super) subscribed: bool,
    /// In which life of the daemon it was made.
    pub(super) life: u32,
    /// Something was sent on it besides requests that were answered, or a step chose their ids: it is not handed on.
    pub(super) tainted: bool,
}

impl Operator {
    /// An operator that has not connected yet.
    pub(in crate::engine) fn new(name: &str, tap: Tap) -> Self {
        Self { name: name.to_owned(), tap, control: tokio::sync::Mutex::default(), state: Mutex::default() }
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
    pub(super) async fn control(&self, step: &StepContext<'_>) -> Result<Arc<Control>, Box<Missing>> {
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
            Err(error @ ControlError::Own(_)) => Err(Box::new(Missing::Error(error.into()))),
            // A daemon that was asked to end cannot be reached: no finding. One that nobody asked to end must be reachable.
            Err(error) if stage.exit().is_some() && !stage.died() => {
                Err(Box::new(Missing::Error(StepError::Unmet(error.to_string()))))
            }
            Err(error) => Err(Box::new(Missing::Outcome(StepOutcome::violated(error.to_string(), Vec::new())))),
        }
    }

    /// The newest connection, open or ended.
    pub(super) async fn newest(&self) -> Option<Arc<Control>> {
        self.control.lock().await.as_ref().map(|(_, control)| Arc::clone(control))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn look_up_to(&self, position: usize) {
        let mut state = self.state();
        state.looked = state.looked.max(position);
    }

    pub(super) fn looked(&self) -> usize {
        self.state().looked
    }
}

/// Why there is no connection.
pub(super) enum Missing {
    /// The step cannot be carried out.
    Error(StepError),
    /// The daemon does not take one although it should.
    Outcome(StepOutcome),
}

impl Missing {
    pub(super) fn done(self) -> StepResult {
        match self {
            Self::Error(error) => Err(error),
            Self::Outcome(result) => Ok(result),
        }
    }
}

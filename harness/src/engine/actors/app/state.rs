//! An app: its sockets, its session, and what has arrived.

use super::connection::{Connection, Owner, text};
use super::received::{self, Closing, Received};
use super::registry::Registry;
use super::responder::Responder;
use crate::engine::actors::link::Link;
use crate::engine::log::{Log, Unmet};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::StepError;
use iolite_mock_app::socket::{HowToEnd, HttpExchange};
use iolite_protocol::transcript::Tap;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// One mock app.
#[derive(Debug)]
pub(in crate::engine) struct App {
    pub(super) name: String,
    pub(super) device: Map<String, Value>,
    pub(super) owner: Owner,
    pub(super) log: Log<Received>,
    pub(super) responder: Arc<Responder>,
    pub(super) state: Mutex<State>,
}

/// What an app knows of itself.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) link: Option<Link>,
    pub(super) session_id: Option<String>,
    pub(super) alias: Option<String>,
    pub(super) resume_token: Option<String>,
    pub(super) keepalive: Option<Value>,
    pub(super) registry: Registry,
    /// The socket that is spoken on.
    pub(super) current: Option<Arc<Connection>>,
    /// Number of the newest connection that was acknowledged: only there an event is a fence.
    pub(super) acknowledged: Option<u32>,
    /// A connection on which HTTP was sent by hand and is not answered yet.
    pub(super) http: Option<HttpExchange>,
    /// Sockets kept beside it.
    pub(super) old: Vec<Arc<Connection>>,
    /// Connections in the middle of a frame or message, or out of step: only steps send there, no fence.
    pub(super) torn: BTreeSet<u32>,
    /// Connections whose end a step has used.
    pub(super) ended: BTreeSet<u32>,
    /// Arrivals before this position have been looked at by a step.
    pub(super) looked: usize,
}

impl State {
    /// Number of the current connection, if it has been acknowledged.
    pub(super) fn session_connection(&self) -> Option<u32> {
        self.current.as_ref().map(|current| current.number).filter(|number| self.acknowledged == Some(*number))
    }
}

/// How an app behaves from the start.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct AppOptions {
    /// `device_model`, `device_os` and `device_manufacturer` of its claims.
    pub(in crate::engine) device: Map<String, Value>,
    /// Calls and reads are left to the steps.
    pub(in crate::engine) manual: bool,
    /// Pings are not answered.
    pub(in crate::engine) silent_pings: bool,
}

impl App {
    /// An app that has done nothing yet.
    pub(in crate::engine) fn new(name: &str, options: AppOptions, tap: Tap) -> Self {
        let log = Log::default();
        let responder = Arc::new(Responder::new(name, !options.manual, options.silent_pings));
        let owner = Owner { actor: name.to_owned(), tap, log: log.clone(), responder: Arc::clone(&responder) };
        Self { name: name.to_owned(), device: options.device, owner, log, responder, state: Mutex::default() }
    }

    /// What templates see of it.
    pub(in crate::engine) fn vars(&self) -> Value {
        let mut vars = Map::new();
        for name in ["session_id", "alias", "resume_token", "token", "name"] {
            vars.extend(self.var(name).map(|text| (name.to_owned(), text.into())));
        }
        vars.extend(self.state().link.as_ref().map(|link| ("link".to_owned(), link.to_json())));
        Value::Object(vars)
    }

    /// One of the texts among them, without making the others.
    pub(in crate::engine) fn var(&self, name: &str) -> Option<String> {
        let state = self.state();
        match name {
            "session_id" => state.session_id.clone(),
            "alias" => state.alias.clone(),
            "resume_token" => state.resume_token.clone(),
            "token" => state.link.as_ref().map(|link| link.token.clone()),
            "name" => Some(self.name.clone()),
            _ => None,
        }
    }

    /// Its session id, once it has claimed.
    pub(in crate::engine) fn session_id(&self) -> Option<String> {
        self.state().session_id.clone()
    }

    /// Whether it has a session and a socket that nobody has closed, as far as this side knows.
    pub(in crate::engine) fn is_live(&self) -> bool {
        // The log's lock is never taken while the state's is held: matchers run under the log's and look at the state.
        let current = self.state().session_connection();
        current.is_some_and(|number| received::closing(&self.log, number).is_none())
    }

    /// Ends all its sockets at once, without a goodbye.
    pub(in crate::engine) async fn leave(&self) {
        let connections = {
            let mut state = self.state();
            let mut connections = std::mem::take(&mut state.old);
            connections.extend(state.current.take());
            connections
        };
        for connection in connections {
            connection.sender.end(HowToEnd::Drop).await;
        }
    }

    pub(super) fn current(&self) -> Result<Arc<Connection>, StepError> {
        let missing = || StepError::Unmet(format!("{} has no open socket", self.name));
        self.state().current.clone().ok_or_else(missing)
    }

    pub(super) fn needed_session(&self) -> Result<String, StepError> {
        self.session_id().ok_or_else(|| StepError::Unmet(format!("{} has no session", self.name)))
    }

    /// Everything that arrived from a position on, as reports show it.
    pub(super) fn shown_since(&self, from: usize) -> Vec<Value> {
        const SHOWN: usize = 200;
        self.log.read(from, |all| {
            let relevant = all.iter().filter(|received| !received.ours);
            relevant.take(SHOWN).map(|received| received.what.shown()).collect()
        })
    }

    /// Waits for the first thing not yet used that `pick` takes, and uses it.
    pub(super) async fn take<R>(
        &self,
        deadline: Instant,
        mut pick: impl FnMut(&Received) -> Option<R>,
    ) -> Result<R, Unmet> {
        let found = self.log.wait(0, deadline, |received| {
            if received.taken || received.ours {
                return None;
            }
            let picked = pick(received)?;
            received.taken = true;
            Some(picked)
        });
        let (position, picked) = found.await?;
        self.look_up_to(position + 1);
        Ok(picked)
    }

    /// Leaves what has arrived so far to the steps that are over.
    pub(in crate::engine) fn discard_received(&self) {
        self.look_up_to(self.log.position());
        self.forget_served();
    }

    /// What stands before this position has been looked at. Never called with the log's lock held.
    pub(super) fn look_up_to(&self, position: usize) {
        let mut state = self.state();
        state.looked = state.looked.max(position);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was answered without a step counts as used.
    pub(super) fn forget_served(&self) {
        self.log.edit(0, |all| {
            for received in all.iter_mut().filter(|received| received.served) {
                received.taken = true;
            }
        });
    }

    /// Sends one JSON frame on the current socket, and takes note of what it says about the registries.
    pub(super) async fn transmit(&self, step: &StepContext<'_>, frame: &Value) -> Result<(), StepError> {
        self.current()?.send(vec![text(frame)], step.deadline).await?;
        self.state().registry.note(frame);
        Ok(())
    }

    /// Where reports about a wait should begin: at what no step has looked at.
    pub(super) fn first_unseen(&self, from: usize) -> usize {
        self.state().looked.min(from)
    }

    /// Whether a close frame or the end of the current socket has come.
    pub(super) fn current_closing(&self) -> Option<Closing> {
        let number = self.state().current.as_ref()?.number;
        received::closing(&self.log, number)
    }
}

//! A mock app as a scenario plays it.

mod connection;
mod expectations;
mod fence;
mod frames;
mod lifecycle;
pub(in crate::engine) mod received;
mod registry;
mod responder;
mod unaffected;

use crate::engine::actors::link::Link;
use crate::engine::log::Log;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepResult};
use connection::{Connection, Owner};
use iolite_mock_app::socket::Ending;
use received::{Received, ReceivedKind};
use registry::Registry;
use responder::Responder;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// One mock app.
#[derive(Debug)]
pub(in crate::engine) struct App {
    name: String,
    device: Map<String, Value>,
    owner: Owner,
    log: Log<Received>,
    responder: Arc<Responder>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    link: Option<Link>,
    session_id: Option<String>,
    alias: Option<String>,
    resume_token: Option<String>,
    keepalive: Option<Value>,
    registry: Registry,
    /// The socket that is spoken on.
    current: Option<Arc<Connection>>,
    /// Number of the newest connection that was acknowledged: only there an event is a fence.
    acknowledged: Option<u32>,
    /// Sockets kept beside it.
    old: Vec<Arc<Connection>>,
    /// Connections in the middle of a frame or message, or out of step: nothing may be sent there without being told.
    torn: BTreeSet<u32>,
    /// Connections whose end a step has used.
    ended: BTreeSet<u32>,
    /// Arrivals before this position have been looked at by a step.
    looked: usize,
}

impl State {
    /// Number of the current connection, if it has been acknowledged.
    fn session_connection(&self) -> Option<u32> {
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
    pub(in crate::engine) fn new(name: &str, options: AppOptions, tap: iolite_protocol::transcript::Tap) -> Self {
        let log = Log::default();
        let responder = Arc::new(Responder::new(name, !options.manual, options.silent_pings));
        let owner = Owner { actor: name.to_owned(), tap, log: log.clone(), responder: Arc::clone(&responder) };
        Self { name: name.to_owned(), device: options.device, owner, log, responder, state: Mutex::default() }
    }

    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "connect" => self.connect(step).await,
            "open" => self.open(step).await,
            "claim" => self.claim(step).await,
            "resume_frame" => self.resume_frame(step).await,
            "expect_ack" => self.expect_ack(step).await,
            "resume" => self.resume(step).await,
            "resume_attempt" => self.resume_attempt(step).await,
            "close" => self.close(step).await,
            "drop" => self.drop_socket(step).await,
            "ignore_close" => self.ignore_close(),
            "stop_pongs" => self.stop_pongs(),
            "ping" => self.ping(step).await,
            "send" => self.send(step).await,
            "send_text" => self.send_text(step).await,
            "send_binary" => self.send_binary(step).await,
            "send_frames" => self.send_frames(step).await,
            "send_raw" => self.send_raw(step).await,
            "tools" | "resources" | "upsert_tool" | "remove_tool" | "upsert_resource" | "remove_resource" => {
                self.register(step).await
            }
            "post_event" => self.post_event(step).await,
            "fence" => self.fence_step(step).await,
            "settle" => self.settle_step(step).await,
            "serve" => self.serve(step),
            "manual" => self.manual(step),
            "expect_call" => self.expect_call(step).await,
            "expect_read" => self.expect_read(step).await,
            "expect_cancel" => self.expect_cancel(step).await,
            "answer" => self.answer(step).await,
            "expect_frame" => self.expect_frame(step).await,
            "expect_none" => self.expect_none(step).await,
            "expect_close" => self.expect_close(step).await,
            "expect_closed" => self.expect_closed(step).await,
            "expect_pong" => self.expect_pong(step).await,
            "expect_ping" => self.expect_ping(step).await,
            "is_unaffected" => self.is_unaffected(step).await,
            _ => Err(step.unknown_verb("app")),
        }
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
            connection.sender.end(Ending::Drop).await;
        }
    }

    fn current(&self) -> Result<Arc<Connection>, StepError> {
        let missing = || StepError::Unmet(format!("{} has no open socket", self.name));
        self.state().current.clone().ok_or_else(missing)
    }

    fn needed_session(&self) -> Result<String, StepError> {
        self.session_id().ok_or_else(|| StepError::Unmet(format!("{} has no session", self.name)))
    }

    /// Everything that arrived from a position on, as reports show it.
    fn shown_since(&self, from: usize) -> Vec<Value> {
        const SHOWN: usize = 200;
        self.log.read(from, |all| {
            let story = all.iter().filter(|received| !received.ours);
            story.take(SHOWN).map(|received| received.what.shown()).collect()
        })
    }

    /// Waits for the first thing not yet used that `pick` takes, and uses it.
    async fn take<R>(
        &self,
        deadline: Instant,
        mut pick: impl FnMut(&Received) -> Option<R>,
    ) -> Result<R, crate::engine::log::Unmet> {
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

    /// Arrivals before this position have been looked at. Never called with the log's lock held.
    /// Leaves what has arrived so far to the steps that are over.
    pub(in crate::engine) fn discard_received(&self) {
        self.look_up_to(self.log.position());
        self.forget_served();
    }

    fn look_up_to(&self, position: usize) {
        let mut state = self.state();
        state.looked = state.looked.max(position);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was answered without a step is no news any more.
    fn forget_served(&self) {
        self.log.edit(0, |all| {
            for received in all.iter_mut().filter(|received| received.served) {
                received.taken = true;
            }
        });
    }
}

/// Whether what arrived says that nothing more can come on a connection.
fn is_end(received: &Received, connection: u32) -> bool {
    received.connection == connection
        && matches!(received.what, ReceivedKind::Close { .. } | ReceivedKind::Ended { .. })
}

//! What an app knows, behind one lock.

use super::config::{AppConfig, Serving, Target};
use super::connection::Connection;
use super::kind::Kind;
use super::registry::Registry;
use super::requests::Requests;
use super::warning::Warning;
use crate::socket::RawFrame;
use iolite_protocol::frame::SessionAck;
use serde_json::Value;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// A session as its app knows it: enough to resume it.
#[derive(Clone, PartialEq)]
pub struct Session {
    /// The session id.
    pub id: String,
    /// The alias.
    pub alias: String,
    /// The token for the next resume.
    pub resume_token: String,
    /// Seconds between the daemon's pings.
    pub keepalive_interval_s: f64,
    /// Seconds for which a suspended session is kept.
    pub grace_s: f64,
}

impl From<&SessionAck> for Session {
    fn from(ack: &SessionAck) -> Self {
        Self {
            id: ack.session_id().to_owned(),
            alias: ack.alias().to_owned(),
            resume_token: ack.resume_token().to_owned(),
            keepalive_interval_s: ack.keepalive_interval_s(),
            grace_s: ack.grace_s(),
        }
    }
}

impl fmt::Debug for Session {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).field("alias", &self.alias).finish_non_exhaustive()
    }
}

/// An app's inside, shared with its tasks.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) config: AppConfig,
    state: Mutex<State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) tools: Registry,
    pub(super) resources: Registry,
    pub(super) connections: Vec<Connection>,
    attempts: u32,
    pub(super) target: Option<Target>,
    pub(super) session: Option<Session>,
    /// Whether the newest connection was acknowledged and still stands.
    pub(super) active: bool,
    pub(super) serving: Serving,
    /// Whether snapshots follow an acknowledgement by themselves.
    pub(super) announcing: bool,
    pub(super) warnings: Vec<Warning>,
    pub(super) requests: Requests,
    /// Scripts that wait for something. Dropping the app stops them.
    pub(super) scripts: JoinSet<()>,
}

impl Shared {
    pub(super) fn new(config: AppConfig) -> Self {
        Self {
            state: Mutex::new(State {
                tools: Registry::new(Kind::Tool),
                resources: Registry::new(Kind::Resource),
                connections: Vec::new(),
                attempts: 0,
                target: None,
                session: None,
                active: false,
                serving: Serving::Scripted,
                announcing: true,
                warnings: Vec::new(),
                requests: Requests::default(),
                scripts: JoinSet::new(),
            }),
            config,
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // A panic of a caller's closure under the lock leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes a registry and tells the daemon what that changed.
    pub(super) fn change<R>(&self, kind: Kind, change: impl FnOnce(&mut Registry) -> R) -> R {
        let mut state = self.state();
        let result = change(state.registry(kind));
        let frames = state.registry(kind).changes();
        state.send_as_session(frames);
        result
    }
}

impl State {
    pub(super) fn registry(&mut self, kind: Kind) -> &mut Registry {
        match kind {
            Kind::Tool => &mut self.tools,
            Kind::Resource => &mut self.resources,
        }
    }

    pub(super) fn current(&self) -> Option<&Connection> {
        self.connections.last()
    }

    /// The number of the next connection, whether or not it will come about.
    pub(super) fn next_connection(&mut self) -> u32 {
        self.attempts += 1;
        self.attempts
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        tracing::warn!("{warning}");
        self.warnings.push(warning);
    }

    /// Queues frames on the newest connection, each with the session's id in it.
    pub(super) fn send_as_session(&self, frames: Vec<Value>) {
        let (Some(connection), Some(session)) = (self.current(), &self.session) else {
            return;
        };
        for mut frame in frames {
            frame["session_id"] = session.id.as_str().into();
            connection.sender().queue(RawFrame::text(frame.to_string()));
        }
    }

    /// Sends both snapshots; deltas follow from now on (BRG-APP-03).
    pub(super) fn announce(&mut self) {
        let snapshots = vec![self.tools.snapshot(), self.resources.snapshot()];
        self.send_as_session(snapshots);
    }

    /// The newest connection is not (or not yet) a session's: nothing is announced on it.
    pub(super) fn stand_down(&mut self) {
        self.active = false;
        self.tools.forget_announced();
        self.resources.forget_announced();
    }
}

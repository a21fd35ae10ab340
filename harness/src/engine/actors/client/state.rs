//! A client: its server, and what it has heard.

use super::lane::{Lane, NoAnswer, Opened};
use super::notification_log::NotificationLog;
use crate::engine::step_outcome::{StepError, StepOutcome};
use iolite_mock_client::profile::Profile;
use iolite_mock_client::revision::Revision;
use iolite_protocol::transcript::Tap;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One mock client.
#[derive(Debug)]
pub(in crate::engine) struct Client {
    pub(super) name: String,
    pub(super) profile: Profile,
    pub(super) revision: Revision,
    pub(super) tap: Tap,
    pub(super) lane: Mutex<Option<Arc<Lane>>>,
    pub(super) state: Mutex<State>,
}

/// What a client knows of its server.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Number of the newest connection.
    pub(super) connection: u32,
    /// What the server said about itself.
    pub(super) server: Option<Value>,
    /// The client may use the session: the handshake is over (or there is none).
    pub(super) ready: bool,
    /// What was heard, and what of it was used.
    pub(super) notification_log: NotificationLog,
    /// Requests left open, by the name the step gave.
    pub(super) open: HashMap<String, Opened>,
    /// Listen streams by URI, where subscriptions are streams.
    pub(super) streams: HashMap<String, Vec<Value>>,
    /// What the stream that it opened by itself brings: the accepted filter, where changes have to be asked for.
    pub(super) listens: Value,
    /// The first list of a client that never lists again.
    pub(super) frozen_tools: Option<Value>,
    /// What the probes of the profile brought, by method.
    pub(super) probes: Map<String, Value>,
}

impl Client {
    /// A client that has not been started.
    pub(in crate::engine) fn new(name: &str, profile: Profile, revision: Revision, tap: Tap) -> Self {
        Self { name: name.to_owned(), profile, revision, tap, lane: Mutex::default(), state: Mutex::default() }
    }

    /// What templates see of it.
    pub(in crate::engine) fn vars(&self) -> Value {
        let state = self.state();
        let mut vars = Map::new();
        vars.insert("name".into(), self.name.clone().into());
        vars.insert("profile".into(), self.profile.name.clone().into());
        vars.insert("revision".into(), self.revision.name().into());
        if let Some(server) = &state.server {
            vars.insert("server".into(), server.clone());
        }
        if !state.probes.is_empty() {
            vars.insert("probes".into(), Value::Object(state.probes.clone()));
        }
        Value::Object(vars)
    }

    /// Leaves what it has heard so far to the steps that are over.
    pub(in crate::engine) fn discard_received(&self) {
        if let Ok(place) = self.position() {
            self.state().notification_log.look_up_to(place);
        }
    }

    /// Ends its server at once.
    pub(in crate::engine) async fn leave(&self) {
        let lane = self.lane_slot().take();
        if let Some(lane) = lane {
            lane.kill().await;
        }
    }

    pub(super) fn lane(&self) -> Result<Arc<Lane>, StepError> {
        self.lane_slot().clone().ok_or_else(|| StepError::Unmet(format!("{} has not started its server", self.name)))
    }

    pub(super) fn lane_slot(&self) -> MutexGuard<'_, Option<Arc<Lane>>> {
        self.lane.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A verdict on a server that gave no answer.
    pub(super) fn unanswered(&self, why: &NoAnswer) -> StepOutcome {
        let result = StepOutcome::violated(why.to_string(), why.arrived.clone());
        if why.ended { result.gone() } else { result }
    }
}

//! A mock MCP client as a scenario plays it.

mod fence;
mod lane;
mod lifecycle;
mod notifications;
mod open_requests;
mod raw;
mod requests;

use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_mock_client::profile::Profile;
use iolite_mock_client::revision::Revision;
use iolite_protocol::transcript::Tap;
use lane::{Lane, Opened};
use notifications::NotificationLog;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One mock client.
#[derive(Debug)]
pub(in crate::engine) struct Client {
    name: String,
    profile: Profile,
    revision: Revision,
    tap: Tap,
    lane: Mutex<Option<Arc<Lane>>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Number of the newest connection.
    connection: u32,
    /// What the server said about itself.
    server: Option<Value>,
    /// The client may use the session: the handshake is over (or there is none).
    ready: bool,
    /// What was heard, and what of it was used.
    notification_log: NotificationLog,
    /// Requests left open, by the name the step gave.
    open: HashMap<String, Opened>,
    /// Listen streams by URI, where subscriptions are streams.
    streams: HashMap<String, Vec<Value>>,
    /// What the stream that it opened by itself brings: the accepted filter, where changes have to be asked for.
    listens: Value,
    /// The first list of a client that never lists again.
    frozen_tools: Option<Value>,
    /// What the probes of the profile brought, by method.
    probes: Map<String, Value>,
}

impl Client {
    /// A client that has not been started.
    pub(in crate::engine) fn new(name: &str, profile: Profile, revision: Revision, tap: Tap) -> Self {
        Self { name: name.to_owned(), profile, revision, tap, lane: Mutex::default(), state: Mutex::default() }
    }

    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "start" => self.start(step).await,
            "connect" => self.connect(step).await,
            "initialized" => self.initialized(step).await,
            "close_stdin" => self.close_stdin(),
            "kill" => self.kill().await,
            "stop" => self.stop(step).await,
            "expect_exit" => self.expect_exit(step).await,
            "list_tools" => self.list_tools(step).await,
            "list_resources" => self.list_resources(step).await,
            "list_templates" => self.list_templates(step).await,
            "read" => self.read(step).await,
            "call" => self.call(step).await,
            "subscribe" => self.subscribe(step).await,
            "unsubscribe" => self.unsubscribe(step).await,
            "ping" => self.ask(step, "ping", None).await,
            "fallback_list" => self.fallback_list(step).await,
            "fallback_read" => self.fallback_read(step).await,
            "start_call" => self.start_call(step).await,
            "start_read" => self.start_read(step).await,
            "start_request" => self.start_request(step).await,
            "finish" => self.finish(step).await,
            "cancel" => self.cancel(step).await,
            "request" => self.request(step).await,
            "notify" => self.notify(step).await,
            "send" => self.send(step).await,
            "send_line" => self.send_line(step).await,
            "send_bytes" => self.send_bytes(step).await,
            "expect_response" => self.expect_response(step).await,
            "expect_message" => self.expect_message(step).await,
            "expect_notification" => self.expect_notification(step).await,
            "expect_no_notification" => self.expect_no_notification(step).await,
            "expect_notifications" => self.expect_notifications(step).await,
            "mark" => self.mark(step),
            _ => Err(step.unknown_verb("a client")),
        }
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

    fn lane(&self) -> Result<Arc<Lane>, StepError> {
        self.lane_slot().clone().ok_or_else(|| StepError::Unmet(format!("{} has not started its server", self.name)))
    }

    fn lane_slot(&self) -> MutexGuard<'_, Option<Arc<Lane>>> {
        self.lane.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A verdict on a server that gave no answer.
    fn unanswered(&self, why: &lane::NoAnswer) -> StepOutcome {
        let result = StepOutcome::violated(why.to_string(), why.arrived.clone());
        if why.ended { result.gone() } else { result }
    }
}

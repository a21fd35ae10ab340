//! The live app's controls for a driver: registries by name, requests by id, and raw traffic.

use super::answering::{self, AnswerError};
use super::api::AppApi;
use super::config::Serving;
use super::connection::{Closing, Connection};
use super::inbox::{Incoming, WaitError};
use super::kind::Kind;
use super::live::App;
use super::registry::Registration;
use super::requests::OpenRequest;
use super::script::{Answer, Script};
use crate::socket::{ConnectionGone, RawFrame};
use iolite_protocol::frame::{AppEvent, DaemonFrame, ResourceRead, ToolCall, ToolCancel};
use serde_json::{Value, json};
use tokio::time::Instant;

/// Registries, by name.
impl App {
    /// Whether snapshots follow an acknowledgement by themselves. If not, [`announce`](Self::announce) sends them, and
    /// no delta goes out before.
    pub fn set_announcing(&self, announcing: bool) {
        self.shared().state().announcing = announcing;
    }

    /// Sends both snapshots on the current connection. Deltas follow from now on.
    pub fn announce(&self) {
        self.shared().state().announce();
    }

    /// Forgets every registration, with deltas where the daemon knows of them.
    pub fn unregister_all(&self) {
        for kind in [Kind::Tool, Kind::Resource] {
            self.shared().change(kind, |registry| registry.clear());
        }
    }

    /// Removes the registration under this name, whoever holds its handle. Says whether there was one.
    pub fn unregister(&self, kind: Kind, name: &str) -> bool {
        self.shared().change(kind, |registry| {
            let id = registry.id_of(name);
            id.is_some_and(|id| registry.remove(id))
        })
    }

    /// Changes the registration under this name in place. Says whether there was one.
    pub fn update(&self, kind: Kind, name: &str, change: impl FnOnce(&mut Registration)) -> bool {
        self.shared().change(kind, |registry| registry.by_name(name).map(change).is_some())
    }

    /// Gives the registration under this name another script. Says whether there was one.
    pub fn set_script(&self, kind: Kind, name: &str, script: Script) -> bool {
        self.update(kind, name, |registration| registration.script = script)
    }

    /// The enabled descriptors, in order of registration: what the daemon should know.
    pub fn listed(&self, kind: Kind) -> Vec<Value> {
        self.shared().state().registry(kind).listed()
    }

    /// How often the registration under this name was called or read.
    pub fn served(&self, kind: Kind, name: &str) -> usize {
        self.shared().state().registry(kind).served(name)
    }

    /// Tells the daemon that a resource's content is stale (BRG-RES-12). Says whether it was told.
    pub fn mark_stale(&self, resource: &str) -> bool {
        self.post_event(AppEvent::RESOURCE_UPDATED, Some(json!({ "name": resource })))
    }
}

/// Requests: who answers them, and how.
impl App {
    /// Who answers from now on. Requests that are open stay as they are.
    pub fn set_serving(&self, serving: Serving) {
        self.shared().state().serving = serving;
    }

    /// Takes the next `tool_call` (for this tool, if one is named) on the current connection.
    ///
    /// # Errors
    /// As [`Connection::take`].
    pub async fn take_call(&self, tool: Option<&str>, deadline: Instant) -> Result<ToolCall, WaitError> {
        let call = |item: &Incoming| match item.valid_frame() {
            Some(DaemonFrame::ToolCall(call)) => tool.is_none_or(|tool| call.name() == tool).then(|| call.clone()),
            _ => None,
        };
        self.take_as(call, deadline).await
    }

    /// Takes the next `resource_read` (of this resource, if one is named) on the current connection.
    ///
    /// # Errors
    /// As [`Connection::take`].
    pub async fn take_read(&self, resource: Option<&str>, deadline: Instant) -> Result<ResourceRead, WaitError> {
        let read = |item: &Incoming| match item.valid_frame() {
            Some(DaemonFrame::ResourceRead(read)) => {
                resource.is_none_or(|resource| read.name() == resource).then(|| read.clone())
            }
            _ => None,
        };
        self.take_as(read, deadline).await
    }

    /// Takes the next `tool_cancel` (of this call, if one is named) on the current connection.
    ///
    /// # Errors
    /// As [`Connection::take`].
    pub async fn take_cancel(&self, call_id: Option<&str>, deadline: Instant) -> Result<ToolCancel, WaitError> {
        let cancel = |item: &Incoming| match item.valid_frame() {
            Some(DaemonFrame::ToolCancel(cancel)) => call_id.is_none_or(|id| cancel.id() == id).then(|| cancel.clone()),
            _ => None,
        };
        self.take_as(cancel, deadline).await
    }

    /// Answers an open request, on the connection it came on. It is open no longer, whatever the answer (but for
    /// [`Answer::Never`], which does nothing). Works for scripted requests, too: the script stops.
    ///
    /// # Errors
    /// No open request has this id, or its connection is over.
    pub async fn answer(&self, id: &str, answer: Answer) -> Result<(), AnswerError> {
        answering::answer(self.shared(), id, answer).await
    }

    /// Sends a progress frame for an open request, which stays open.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub async fn progress(&self, id: &str, progress: Option<f64>, message: Option<&str>) -> Result<(), AnswerError> {
        answering::progress(self.shared(), id, progress, message).await
    }

    /// The requests that were not answered, oldest first.
    pub fn open_requests(&self) -> Vec<OpenRequest> {
        self.shared().state().requests.list()
    }
}

/// Raw traffic on the current connection.
impl App {
    /// Sends a JSON value as one text frame on the current connection.
    ///
    /// # Errors
    /// There is none, or it is over.
    pub async fn send_json(&self, frame: &Value) -> Result<(), ConnectionGone> {
        self.some_connection()?.send_json(frame).await
    }

    /// Sends one text frame on the current connection.
    ///
    /// # Errors
    /// There is none, or it is over.
    pub async fn send_text(&self, text: &str) -> Result<(), ConnectionGone> {
        self.some_connection()?.send_text(text).await
    }

    /// Sends frames built by hand on the current connection, in one write.
    ///
    /// # Errors
    /// There is none, or it is over.
    pub async fn send_frames(&self, frames: Vec<RawFrame>) -> Result<(), ConnectionGone> {
        self.some_connection()?.sender().send_all(frames).await
    }

    /// Sends bytes below the frames on the current connection.
    ///
    /// # Errors
    /// There is none, or it is over.
    pub async fn send_bytes(&self, bytes: Vec<u8>) -> Result<(), ConnectionGone> {
        self.some_connection()?.sender().send_bytes(bytes).await
    }

    /// Takes the first thing on the current connection that `wanted` accepts.
    ///
    /// # Errors
    /// As [`Connection::take`].
    pub async fn take(&self, wanted: impl FnMut(&Incoming) -> bool, deadline: Instant) -> Result<Incoming, WaitError> {
        let connection = self.connection().ok_or(WaitError::NoConnection)?;
        connection.take(wanted, deadline).await
    }

    /// Waits for the daemon to close the current connection.
    ///
    /// # Errors
    /// As [`Connection::take_close`].
    pub async fn take_close(&self, deadline: Instant) -> Result<Closing, WaitError> {
        let connection = self.connection().ok_or(WaitError::NoConnection)?;
        connection.take_close(deadline).await
    }

    fn some_connection(&self) -> Result<Connection, ConnectionGone> {
        self.connection().ok_or_else(|| ConnectionGone { why: "there is none".to_owned() })
    }

    async fn take_as<T>(&self, read: impl Fn(&Incoming) -> Option<T>, deadline: Instant) -> Result<T, WaitError> {
        let connection = self.connection().ok_or(WaitError::NoConnection)?;
        connection.take_map(read, deadline).await
    }
}

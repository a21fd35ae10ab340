//! The everyday operations of a client, on top of the raw lane.
//!
//! A session adds no judgement: every answer comes back as the [`Outcome`] that stood on the wire, and whatever else
//! arrived stays in the lane's log. In revisions without a handshake it adds to every request the `_meta` members that
//! the revision demands; everything else in `params` is the caller's.

mod answering;
mod error;
mod listing;
mod notifications;
mod operation;

pub use answering::Answering;
pub use error::CallError;
pub use operation::{Open, Progress};

use crate::outcome::Outcome;
use crate::raw::{Cursor, RawLane, SendError};
use crate::revision::Revision;
use crate::within;
use answering::Answerer;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// One client's conversation with one server. Dropping it drops the lane, and with it the server.
#[derive(Debug)]
pub struct Session {
    lane: RawLane,
    revision: Revision,
    client: Client,
    patience: Duration,
    /// How far the notification queue has been read.
    read_up_to: Mutex<Cursor>,
    tokens: AtomicU64,
    _answerer: Option<Answerer>,
}

/// Who the client says it is. Any JSON may stand here, also what no server should accept.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    /// `capabilities`.
    pub capabilities: Value,
    /// `clientInfo`.
    pub info: Value,
}

/// No capabilities; named after this crate.
impl Default for Client {
    fn default() -> Self {
        Self {
            capabilities: json!({}),
            info: json!({ "name": "iolite-mock-client", "version": env!("CARGO_PKG_VERSION") }),
        }
    }
}

impl Session {
    /// A session on `lane`; nothing is sent yet.
    ///
    /// `patience` is how long each operation without a deadline of its own waits for its answer. Must be called inside
    /// a tokio runtime.
    #[must_use]
    pub fn new(lane: RawLane, revision: Revision, client: Client, patience: Duration, answering: Answering) -> Self {
        let answering = match revision.facts().server_requests {
            true => answering,
            false => Answering::Silent,
        };
        Self {
            _answerer: Answerer::start(lane.link(), answering),
            tokens: AtomicU64::new(1),
            lane,
            revision,
            client,
            patience,
            read_up_to: Mutex::new(Cursor::START),
        }
    }

    /// The lane below, for everything this layer has no method for.
    #[must_use]
    pub fn lane(&self) -> &RawLane {
        &self.lane
    }

    /// The revision this client speaks. Negotiation does not change it: what the server answered is for the caller to see.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// How long operations without a deadline of their own wait.
    #[must_use]
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// How long operations without a deadline of their own wait from now on.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Opens the session as the revision wants it, and returns what the server said about itself: `initialize` and, if
    /// that succeeded, `notifications/initialized`; in revisions without a handshake `server/discover`.
    ///
    /// # Errors
    ///
    /// [`CallError`] when no answer came. An error answered by the server is an [`Outcome`].
    pub async fn open(&self) -> Result<Outcome, CallError> {
        if !self.revision.facts().handshake {
            return self.discover().await;
        }
        let Client { capabilities, info } = self.client.clone();
        let outcome = self.initialize(self.revision.name(), capabilities, info).await?;
        if outcome.result().is_some() {
            self.initialized().await?;
        }
        Ok(outcome)
    }

    /// Sends `initialize` with any revision name, and waits for the answer. `notifications/initialized` is a step of its
    /// own.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn initialize(
        &self,
        revision: &str,
        capabilities: Value,
        client_info: Value,
    ) -> Result<Outcome, CallError> {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": capabilities,
            "clientInfo": client_info,
        });
        self.request("initialize", Some(params)).await
    }

    /// Sends `notifications/initialized`.
    ///
    /// # Errors
    ///
    /// [`SendError`] when the server's input is closed or full.
    pub async fn initialized(&self) -> Result<(), SendError> {
        self.lane.notify("notifications/initialized", None).await
    }

    /// `server/discover`.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn discover(&self) -> Result<Outcome, CallError> {
        self.request("server/discover", None).await
    }

    /// `ping`.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn ping(&self) -> Result<Outcome, CallError> {
        self.request("ping", None).await
    }

    /// `resources/read` of a URI, byte for byte as given.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn read(&self, uri: &str) -> Result<Outcome, CallError> {
        let params = json!({ "uri": uri });
        self.request("resources/read", Some(params)).await
    }

    /// `resources/subscribe`.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn subscribe(&self, uri: &str) -> Result<Outcome, CallError> {
        let params = json!({ "uri": uri });
        self.request("resources/subscribe", Some(params)).await
    }

    /// `resources/unsubscribe`.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn unsubscribe(&self, uri: &str) -> Result<Outcome, CallError> {
        let params = json!({ "uri": uri });
        self.request("resources/unsubscribe", Some(params)).await
    }

    /// Sends `subscriptions/listen` with a filter. It stays open: what it brings are notifications, and
    /// [`cancel`](Self::cancel) ends it.
    ///
    /// # Errors
    ///
    /// [`SendError`] when the server's input is closed or full.
    pub async fn listen(&self, filter: Value) -> Result<Open, SendError> {
        let params = json!({ "notifications": filter });
        self.start("subscriptions/listen", Some(params)).await
    }

    /// `tools/call`; `arguments` `None` leaves the member out.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn call(&self, tool: &str, arguments: Option<Value>, progress: Progress) -> Result<Outcome, CallError> {
        let open = self.start_call(tool, arguments, progress).await?;
        self.finish(&open, within(self.patience)).await
    }

    /// Sends any request and waits for its answer.
    ///
    /// # Errors
    ///
    /// [`CallError`] when it could not be sent or no answer came in time.
    pub async fn request(&self, method: &str, params: Option<Value>) -> Result<Outcome, CallError> {
        let open = self.start(method, params).await?;
        self.finish(&open, within(self.patience)).await
    }
}

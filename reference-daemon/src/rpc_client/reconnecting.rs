//! A connection that comes back when the daemon does (`BRG-MCP-26`).

use super::client::{QUICK, RpcClient};
use super::error::RpcClientError;
use super::event::Event;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{MissedTickBehavior, interval};

/// Who is told about events and about the daemon coming and going. Called on reading tasks: must not block.
pub trait Observer: Send + Sync + 'static {
    /// An event arrived.
    fn event(&self, event: Event);

    /// A connection stands and its subscription is active. Whatever was known before may be out of date.
    fn connected(&self);

    /// The connection is gone.
    fn disconnected(&self);
}

/// A subscribed connection to the daemon, opened when first needed and again whenever it was lost.
pub struct ReconnectingClient {
    path: PathBuf,
    kinds: &'static [&'static str],
    observer: Arc<dyn Observer>,
    comes_back: bool,
    connections_max: Option<u32>,
    subscriptions_max: Option<u32>,
    current: Mutex<Current>,
}

#[derive(Default)]
struct Current {
    client: Option<Arc<RpcClient>>,
    was_lost: bool,
    connections: u32,
}

impl ReconnectingClient {
    /// A link to the control socket at `path`, not yet connected, that will subscribe to events of `kinds`.
    pub fn new(path: &Path, kinds: &'static [&'static str], observer: Arc<dyn Observer>) -> Self {
        Self {
            path: path.to_owned(),
            kinds,
            observer,
            comes_back: true,
            connections_max: None,
            subscriptions_max: None,
            current: Mutex::default(),
        }
    }

    /// The same link, but a connection that was lost stays lost.
    #[must_use]
    pub fn without_reconnect(mut self) -> Self {
        self.comes_back = false;
        self
    }

    /// The same link, but only so many connections are made, and only so many of them subscribe to events.
    #[must_use]
    pub fn at_most(mut self, connections: Option<u32>, subscriptions: Option<u32>) -> Self {
        (self.connections_max, self.subscriptions_max) = (connections, subscriptions);
        self
    }

    /// The standing connection, or a new one: one attempt, no waiting for a daemon that is not there.
    ///
    /// # Errors
    ///
    /// [`RpcClientError::Unreachable`], or what `events.subscribe` was answered with.
    pub async fn client(&self) -> Result<Arc<RpcClient>, RpcClientError> {
        let mut current = self.current.lock().await;
        if let Some(client) = current.client.take() {
            if !client.is_closed() {
                current.client = Some(Arc::clone(&client));
                return Ok(client);
            }
            current.was_lost = true;
        }
        if current.was_lost && !self.comes_back {
            return Err(RpcClientError::ConnectionLost);
        }
        if self.connections_max.is_some_and(|most| current.connections >= most) {
            return Err(RpcClientError::ConnectionLost);
        }
        let observer = Arc::clone(&self.observer);
        let on_event = Arc::new(move |event| observer.event(event));
        let client = RpcClient::connect(&self.path, QUICK, on_event).await?;
        current.connections += 1;
        if self.subscriptions_max.is_none_or(|most| current.connections <= most) {
            client.call("events.subscribe", json!({"kinds": self.kinds}), QUICK).await?;
        }
        self.observer.connected();
        let client = Arc::new(client);
        current.client = Some(Arc::clone(&client));
        Ok(client)
    }

    /// Keeps the connection open for as long as the future is polled: a loss is noticed at once, a daemon that is back
    /// within [`RETRY`].
    pub async fn maintain(&self) {
        let mut attempts = interval(RETRY);
        attempts.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            match self.client().await {
                Ok(client) => {
                    client.closed().await;
                    self.observer.disconnected();
                }
                Err(error) => tracing::debug!(%error, "the daemon is not there"),
            }
            attempts.tick().await;
        }
    }

    /// Ends the standing connection, which cancels its open calls at the daemon (`BRG-TOL-17`).
    pub async fn close(&self) {
        if let Some(client) = self.current.lock().await.client.take() {
            client.close();
        }
    }
}

/// Time between two attempts to reach a daemon that is away. An attempt costs one failed `connect`.
const RETRY: Duration = Duration::from_millis(50);

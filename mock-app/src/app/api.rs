//! The surface that the live and the inert app share, enforced by one trait (BRG-APP-04).

use super::config::StartError;
use super::kind::Kind;
use super::registry::{Registration, RegistrationId};
use super::state::Shared;
use super::warning::Warning;
use crate::tls::Trust;
use futures_util::future::BoxFuture;
use iolite_protocol::bootstrap::Link;
use serde_json::Value;
use std::sync::Weak;
use tokio::time::Instant;

/// What an app's own code sees of the bridge.
pub trait AppApi: Send + Sync {
    /// Registers a tool. A name that was registered before is overwritten, with a warning.
    fn register_tool(&self, registration: Registration) -> Handle;

    /// Registers a resource. A name that was registered before is overwritten, with a warning; so is the name that
    /// had the same uri.
    fn register_resource(&self, registration: Registration) -> Handle;

    /// Sends an `event` frame, and says whether it did. While the app is not active the event is dropped with a
    /// warning (BRG-APP-05).
    fn post_event(&self, name: &str, payload: Option<Value>) -> bool;

    /// Where the app stands.
    fn status(&self) -> Status;

    /// The warnings since the last time they were taken, oldest first.
    fn take_warnings(&self) -> Vec<Warning>;

    /// Claims the session of `link` and waits until the app is active.
    fn join<'a>(&'a self, link: &'a Link, trust: Trust, deadline: Instant)
    -> BoxFuture<'a, Result<Status, StartError>>;

    /// Resumes the session on a new socket and waits until the app is active again.
    fn rejoin(&self, deadline: Instant) -> BoxFuture<'_, Result<Status, StartError>>;

    /// Closes the socket in order (1000). The daemon suspends the session.
    fn leave(&self) -> BoxFuture<'_, ()>;
}

/// Where an app stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The app is the inert one.
    Inert,
    /// There was no connection yet.
    Idle,
    /// A socket is open, nothing was acknowledged on it.
    Connected,
    /// The daemon acknowledged a claim or resume on the open socket.
    Active,
    /// The socket is gone.
    Lost,
}

/// One registration, by identity: it never acts on a later registration of the same name (BRG-APP-01). Dropping a
/// handle changes nothing.
#[derive(Clone, Debug)]
pub struct Handle {
    app: Weak<Shared>,
    kind: Kind,
    id: Option<RegistrationId>,
}

impl Handle {
    pub(super) fn new(app: Weak<Shared>, kind: Kind, id: RegistrationId) -> Self {
        Self { app, kind, id: Some(id) }
    }

    pub(super) fn inert(kind: Kind) -> Self {
        Self { app: Weak::new(), kind, id: None }
    }

    /// Removes the registration, if it is still there. Says whether it was.
    pub fn remove(&self) -> bool {
        self.with(|app, id| app.change(self.kind, |registry| registry.remove(id))).unwrap_or(false)
    }

    /// Puts the registration into the registry or keeps it out. At most one delta goes out (BRG-APP-02). Says whether
    /// the registration is still there.
    pub fn set_enabled(&self, enabled: bool) -> bool {
        self.update(|registration| registration.enabled = enabled)
    }

    /// Changes the registration in place: its descriptor, its script, or whether it is enabled. At most one delta
    /// goes out. The name must stay what it was. Says whether the registration is still there.
    pub fn update(&self, change: impl FnOnce(&mut Registration)) -> bool {
        self.with(|app, id| app.change(self.kind, |registry| registry.by_id(id).map(change).is_some())).unwrap_or(false)
    }

    fn with<R>(&self, act: impl FnOnce(&Shared, RegistrationId) -> R) -> Option<R> {
        Some(act(&*self.app.upgrade()?, self.id?))
    }
}

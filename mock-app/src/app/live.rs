//! The live app.

use super::api::{AppApi, Handle, Status};
use super::config::{AppConfig, StartError, Target};
use super::connection::Connection;
use super::inbox::{Inbox, Incoming, WaitError};
use super::kind::Kind;
use super::pump;
use super::registry::Registration;
use super::state::{Session, Shared};
use super::warning::Warning;
use crate::socket::{ConnectError, ConnectionRecorder, Event, HowToEnd, RawFrame, Socket, SocketOptions};
use crate::tls::Trust;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use iolite_protocol::bootstrap::Link;
use iolite_protocol::frame::{DaemonFrame, SessionAck};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// A live app. Cheap to clone; clones are the same app. Its sockets close when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

impl App {
    /// An app without a connection.
    pub fn new(config: AppConfig) -> Self {
        Self(Arc::new(Shared::new(config)))
    }

    /// The name it was made with.
    pub fn name(&self) -> &str {
        &self.0.config.name
    }

    /// Opens a socket and sends nothing on it. It becomes the current one; an earlier one stays open.
    ///
    /// # Errors
    /// As [`Socket::connect`].
    pub async fn open(&self, target: Target, deadline: Instant) -> Result<Connection, ConnectError> {
        self.open_with(target, &self.0.config.socket, deadline).await
    }

    /// As [`open`](Self::open), with options of its own.
    ///
    /// # Errors
    /// As [`Socket::connect`].
    pub async fn open_with(
        &self,
        target: Target,
        options: &SocketOptions,
        deadline: Instant,
    ) -> Result<Connection, ConnectError> {
        let config = &self.0.config;
        let number = self.0.state().next_connection();
        let recorder = ConnectionRecorder::new(config.tap.clone(), &config.name, number);
        let Target { address, trust } = target;
        let socket = Socket::connect(address, trust, options, recorder, deadline).await?;
        let presented_pin = socket.presented_pin();
        let (sender, events) = socket.split();
        let inbox = Arc::new(Inbox::new(options.backlog_limit));
        let connection = Connection::new(number, sender, inbox.clone(), presented_pin);
        {
            let mut state = self.0.state();
            state.stand_down();
            state.target = Some(target);
            state.connections.push(connection.clone());
        }
        pump::start(Arc::downgrade(&self.0), connection.downgrade(), number, inbox, events);
        Ok(connection)
    }

    /// Opens a socket, claims the link's session, and waits for the acknowledgement. Snapshots have been queued when
    /// this returns (BRG-APP-03).
    ///
    /// # Errors
    /// Everything that [`StartError`] names but `NoSession`.
    pub async fn claim(&self, link: &Link, trust: Trust, deadline: Instant) -> Result<SessionAck, StartError> {
        let connection = self.open(Target::of_link(link, trust), deadline).await?;
        connection.send_json(&self.claim_frame(link)).await?;
        self.take_ack(deadline).await
    }

    /// Opens a new socket to the same daemon and resumes the session there. The old socket, if it is still open, is
    /// left alone: the daemon must replace it (BRG-SES-09).
    ///
    /// # Errors
    /// Everything that [`StartError`] names.
    pub async fn resume(&self, deadline: Instant) -> Result<SessionAck, StartError> {
        let frame = self.resume_frame().ok_or(StartError::NoSession)?;
        let target = self.0.state().target.ok_or(StartError::NoSession)?;
        let connection = self.open(target, deadline).await?;
        connection.send_json(&frame).await?;
        self.take_ack(deadline).await
    }

    /// Waits for the acknowledgement on the current connection, or for the close in its place.
    ///
    /// # Errors
    /// [`StartError::Refused`] or [`StartError::NoAnswer`].
    pub async fn take_ack(&self, deadline: Instant) -> Result<SessionAck, StartError> {
        let connection = self.connection().ok_or(WaitError::NoConnection)?;
        let outcome = |item: &Incoming| match (item.valid_frame(), &item.event) {
            (Some(DaemonFrame::SessionAck(ack)), _) => Some(Ok(ack.clone())),
            (_, Event::Close { code, reason }) => {
                Some(Err(StartError::Refused { code: *code, reason: reason.clone() }))
            }
            _ => None,
        };
        connection.take_map(outcome, deadline).await?
    }

    /// The right claim for `link`, to be sent as it is or after changes.
    pub fn claim_frame(&self, link: &Link) -> Value {
        let mut frame = json!({
            "type": "session_claim",
            "protocol_version": 2,
            "session_id": link.session_id(),
            "token": link.token_text(),
        });
        for (key, value) in &self.0.config.device {
            frame[key] = value.clone();
        }
        frame
    }

    /// The right resume for the app's session; `None` if it has none.
    pub fn resume_frame(&self) -> Option<Value> {
        let session = self.session()?;
        Some(json!({
            "type": "session_resume",
            "protocol_version": 2,
            "session_id": session.id,
            "resume_token": session.resume_token,
        }))
    }

    /// The session, as last acknowledged or adopted. It is kept when the socket is lost.
    pub fn session(&self) -> Option<Session> {
        self.0.state().session.clone()
    }

    /// Takes over a session (of another app, or an older token) for the next [`resume`](Self::resume) at `target`.
    pub fn adopt(&self, session: Session, target: Target) {
        let mut state = self.0.state();
        state.session = Some(session);
        state.target = Some(target);
    }

    /// The current connection: the newest one.
    pub fn connection(&self) -> Option<Connection> {
        self.0.state().current().cloned()
    }

    /// Every connection, oldest first.
    pub fn connections(&self) -> Vec<Connection> {
        self.0.state().connections.clone()
    }

    /// Ends the current connection this way, without a close frame. The app is not active any more at once.
    pub async fn end(&self, ending: HowToEnd) {
        if let Some(connection) = self.connection() {
            self.0.state().stand_down();
            connection.end(ending).await;
        }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.0
    }

    fn register(&self, kind: Kind, registration: Registration) -> Handle {
        let (id, warnings) = self.0.change(kind, |registry| registry.register(registration));
        let mut state = self.0.state();
        for warning in warnings {
            state.warn(warning);
        }
        Handle::new(Arc::downgrade(&self.0), kind, id)
    }
}

impl AppApi for App {
    fn register_tool(&self, registration: Registration) -> Handle {
        self.register(Kind::Tool, registration)
    }

    fn register_resource(&self, registration: Registration) -> Handle {
        self.register(Kind::Resource, registration)
    }

    fn post_event(&self, name: &str, payload: Option<Value>) -> bool {
        let mut state = self.0.state();
        if !state.active {
            state.warn(Warning::EventDropped { name: name.to_owned() });
            return false;
        }
        let mut frame = json!({
            "type": "event",
            "session_id": null,
            "name": name,
            "ts": unix_ms(),
        });
        if let Some(payload) = payload {
            frame["payload"] = payload;
        }
        state.send_as_session(vec![frame]);
        true
    }

    fn status(&self) -> Status {
        let state = self.0.state();
        match state.current() {
            None => Status::Idle,
            Some(_) if state.active => Status::Active,
            Some(connection) if connection.is_open() => Status::Connected,
            Some(_) => Status::Lost,
        }
    }

    fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut self.0.state().warnings)
    }

    fn join<'a>(
        &'a self,
        link: &'a Link,
        trust: Trust,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Status, StartError>> {
        self.claim(link, trust, deadline).map(|acked| acked.map(|_| Status::Active)).boxed()
    }

    fn rejoin(&self, deadline: Instant) -> BoxFuture<'_, Result<Status, StartError>> {
        self.resume(deadline).map(|acked| acked.map(|_| Status::Active)).boxed()
    }

    fn leave(&self) -> BoxFuture<'_, ()> {
        async {
            if let Some(connection) = self.connection() {
                self.0.state().stand_down();
                // ConnectionGone already is as good as closed.
                let _ = connection.sender().send(RawFrame::close(1000, "")).await;
                connection.end(HowToEnd::Eof).await;
            }
        }
        .boxed()
    }
}

fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

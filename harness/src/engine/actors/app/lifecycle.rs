//! Links, claims and resumes: how an app comes to have a session.

use super::App;
use super::connection::Connection;
use super::received::{self, Closing};
use crate::engine::actors::link::{Link, Minted};
use crate::engine::log::Unmet;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use crate::target::is_own_limit;
use iolite_mock_app::socket::{ConnectError, HowToEnd, Stage};
use iolite_mock_app::tls::Pin;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A step's outcome, or the error outcome that the daemon's refusal is.
type Attempt<T> = Result<T, Box<Refused>>;

/// Why an attempt to come in failed.
enum Refused {
    /// The daemon said no; this is the step's outcome.
    Outcome(StepOutcome),
    /// The step could not be carried out.
    Error(StepError),
}

impl From<StepError> for Box<Refused> {
    fn from(error: StepError) -> Self {
        Self::new(Refused::Error(error))
    }
}

fn done(attempt: Attempt<Value>) -> StepResult {
    match attempt {
        Ok(outcome) => Ok(StepOutcome::of(outcome)),
        Err(refused) => match *refused {
            Refused::Outcome(result) => Ok(result),
            Refused::Error(error) => Err(error),
        },
    }
}

impl App {
    pub(super) async fn connect(&self, step: &StepContext<'_>) -> StepResult {
        done(self.try_connect(step).await)
    }

    async fn try_connect(&self, step: &StepContext<'_>) -> Attempt<Value> {
        let link = self.link(step).await?;
        let looked = self.log.position();
        let connection = self.open_socket(step, &link, link.pin, false).await?;
        let claim = changed(self.claim_frame(&link), step.map("claim")?, None);
        self.transmit(step, &claim).await?;
        let ack = self.await_ack(step, &connection, looked).await?;
        self.arrive(step, &connection).await?;
        Ok(ack)
    }

    pub(super) async fn open(&self, step: &StepContext<'_>) -> StepResult {
        done(self.try_open(step).await)
    }

    async fn try_open(&self, step: &StepContext<'_>) -> Attempt<Value> {
        let link = self.link(step).await?;
        let pin = match step.text("pin")? {
            None => link.pin,
            Some(pin) => Some(pin.parse::<Pin>().map_err(|error| step.wrong("pin", &error.to_string()))?),
        };
        let connection = self.open_socket(step, &link, pin, step.flag("keep_old", false)?).await?;
        Ok(json!({ "pin": connection.pin.map(|pin| pin.to_string()) }))
    }

    pub(super) async fn claim(&self, step: &StepContext<'_>) -> StepResult {
        let link = self.state().link.clone();
        let link = link.ok_or_else(|| StepError::Unmet(format!("{} has no link to claim", self.name)))?;
        let frame = changed(self.claim_frame(&link), step.map("set")?, step.list("unset")?);
        self.transmit(step, &frame).await.map(|()| StepOutcome::of(frame))
    }

    pub(super) async fn resume_frame(&self, step: &StepContext<'_>) -> StepResult {
        let frame = self.resume_words(step)?;
        self.transmit(step, &frame).await.map(|()| StepOutcome::of(frame))
    }

    pub(super) async fn expect_ack(&self, step: &StepContext<'_>) -> StepResult {
        let from = self.log.position();
        let connection = self.current()?;
        match self.wait_ack(step, &connection, 0).await {
            Ok(Ok(ack)) => {
                let matched = step.matcher_of_body()?.check(&ack);
                let mut result = StepOutcome::of(ack);
                if !matched.matched {
                    result.violated = Some(format!("the session_ack is different: {}", matched.message()));
                }
                step.bind_all(matched.captures);
                Ok(result)
            }
            Ok(Err(closing)) => {
                let why = format!("no session_ack: the socket ended with {closing}");
                Ok(StepOutcome::violated(why, self.shown_since(self.first_unseen(from))).gone())
            }
            Err(unmet) => Ok(StepOutcome::violated(format!("no session_ack: {unmet}"), self.shown_since(from))),
        }
    }

    pub(super) async fn resume(&self, step: &StepContext<'_>) -> StepResult {
        done(self.try_resume(step).await)
    }

    async fn try_resume(&self, step: &StepContext<'_>) -> Attempt<Value> {
        let frame = self.resume_words(step)?;
        let looked = self.log.position();
        let connection = self.reopen(step).await?;
        self.transmit(step, &frame).await?;
        let ack = self.await_ack(step, &connection, looked).await?;
        self.arrive(step, &connection).await?;
        Ok(ack)
    }

    pub(super) async fn resume_attempt(&self, step: &StepContext<'_>) -> StepResult {
        let attempt = async {
            let frame = self.resume_words(step)?;
            self.reopen(step).await?;
            self.transmit(step, &frame).await?;
            Ok(frame)
        };
        done(attempt.await)
    }

    /// The link that a step names, or a fresh one. The app keeps it.
    pub(super) async fn link(&self, step: &StepContext<'_>) -> Result<Link, StepError> {
        let minted = match step.value("link")? {
            Some(given) => given,
            None => Minted::by(step.stage).await?,
        };
        let link = Link::read(&minted)?;
        step.record.note_secret(&link.token);
        self.state().link = Some(link.clone());
        Ok(link)
    }

    /// Opens a socket and speaks on it from now on. The one before is dropped, or kept beside it.
    async fn open_socket(
        &self,
        step: &StepContext<'_>,
        link: &Link,
        pin: Option<Pin>,
        keep_old: bool,
    ) -> Attempt<Arc<Connection>> {
        self.forget_served();
        let before = self.state().current.take();
        if let Some(before) = before {
            if !keep_old {
                // The end of a socket that the app has left is not what a step waits for.
                self.state().ended.insert(before.number);
                before.sender.end(HowToEnd::Drop).await;
            }
            // Kept either way: its pump still records how it ends.
            self.state().old.push(before);
        }
        let number = step.record.next_connection(&self.name);
        let stage = stage(step)?;
        match Connection::open(&self.owner, number, (link.address, pin), stage, step.deadline).await {
            Ok(connection) => {
                let connection = Arc::new(connection);
                self.state().current = Some(Arc::clone(&connection));
                Ok(connection)
            }
            Err(ConnectError::Tcp { source, .. }) if is_own_limit(&source) => {
                Err(StepError::Broken(format!("no socket could be opened on this side: {source}")).into())
            }
            Err(why) => {
                let why = why.to_string();
                Err(Box::new(Refused::Outcome(StepOutcome::error("not_connected", why, Map::new()))))
            }
        }
    }

    /// Opens a socket to the place the link names, for a resume.
    async fn reopen(&self, step: &StepContext<'_>) -> Attempt<Arc<Connection>> {
        let link = self.state().link.clone();
        let link = match link {
            Some(link) => link,
            // An app that resumes another's session has no link of its own; any link tells where the daemon listens.
            None => self.link(step).await?,
        };
        self.open_socket(step, &link, link.pin, step.flag("keep_old", false)?).await
    }

    fn claim_frame(&self, link: &Link) -> Value {
        let mut frame = Map::new();
        frame.insert("type".into(), "session_claim".into());
        frame.insert("protocol_version".into(), 2.into());
        frame.insert("session_id".into(), link.session_id.clone().into());
        frame.insert("token".into(), link.token.clone().into());
        frame.extend(self.device.clone());
        Value::Object(frame)
    }

    /// The resume frame that belongs to the session, changed as the step says.
    fn resume_words(&self, step: &StepContext<'_>) -> Result<Value, StepError> {
        let (session, token) = {
            let state = self.state();
            (state.session_id.clone(), state.resume_token.clone())
        };
        let token = match step.value("token")? {
            Some(token) => token,
            None => token.map_or(Value::Null, Value::String),
        };
        let set = step.map("set")?;
        let session = session.map_or(Value::Null, Value::String);
        let given = |name: &str| set.as_ref().is_some_and(|set| set.contains_key(name));
        if (session.is_null() && !given("session_id")) || (token.is_null() && !given("resume_token")) {
            return Err(StepError::Unmet(format!("{} has no session to resume", self.name)));
        }
        let frame = json!({
            "type": "session_resume",
            "protocol_version": 2,
            "session_id": session,
            "resume_token": token,
        });
        Ok(changed(frame, set, step.list("unset")?))
    }

    /// Waits for the acknowledgement; a refusal becomes the step's outcome.
    async fn await_ack(&self, step: &StepContext<'_>, connection: &Connection, from: usize) -> Attempt<Value> {
        match self.wait_ack(step, connection, from).await {
            Ok(Ok(ack)) => Ok(ack),
            Ok(Err(closing)) => {
                self.use_closing();
                Err(Box::new(Refused::Outcome(refusal(&closing))))
            }
            Err(unmet) => {
                let result = StepOutcome::violated(format!("no session_ack: {unmet}"), self.shown_since(from));
                Err(Box::new(Refused::Outcome(result)))
            }
        }
    }

    async fn wait_ack(
        &self,
        step: &StepContext<'_>,
        connection: &Connection,
        from: usize,
    ) -> Result<Result<Value, Closing>, Unmet> {
        let number = connection.number;
        let found = self.log.wait(from, step.deadline, |received| {
            if received.connection != number || received.taken {
                return None;
            }
            let found = match received.what.kind() {
                Some("session_ack") => received.what.frame().cloned().map(Ok),
                _ => Closing::of(&received.what).map(Err),
            };
            received.taken = matches!(found, Some(Ok(_)));
            found
        });
        let (position, found) = found.await?;
        self.look_up_to(position + 1);
        if let Ok(ack) = &found {
            self.state().acknowledged = Some(number);
            self.take_note(step, ack);
        }
        Ok(found)
    }

    fn take_note(&self, step: &StepContext<'_>, ack: &Value) {
        let text = |name: &str| ack.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut state = self.state();
        if text("session_id").is_some_and(|session| state.session_id.as_deref() != Some(&session)) {
            // Another session begins with empty registries.
            state.registry = super::registry::Registry::default();
        }
        state.session_id = text("session_id").or(state.session_id.take());
        state.alias = text("alias").or(state.alias.take());
        state.resume_token = text("resume_token").or(state.resume_token.take());
        state.keepalive = ack.get("keepalive_interval_s").cloned();
        let (session, alias) = (state.session_id.clone(), state.alias.clone());
        drop(state);
        if let Some(token) = text("resume_token") {
            step.record.note_secret(&token);
        }
        if let Some(session) = session {
            step.record.note_session(&self.name, &session, alias.as_deref());
        }
    }

    /// What follows an acknowledgement: the snapshots that the step names, and a fence.
    async fn arrive(&self, step: &StepContext<'_>, connection: &Connection) -> Attempt<()> {
        let session = self.needed_session()?;
        for (argument, kind) in [("tools", "tool_registry_snapshot"), ("resources", "resource_registry_snapshot")] {
            if let Some(list) = step.list(argument)? {
                let frame = json!({ "type": kind, "session_id": session, argument: list });
                self.transmit(step, &frame).await?;
            }
        }
        if !step.flag("settle", true)? {
            return Ok(());
        }
        match self.fence(step.stage, step.deadline).await? {
            Ok(()) => Ok(()),
            Err(unmet) => match received::closing(&self.log, connection.number) {
                Some(closing) => Err(Box::new(Refused::Outcome(refusal(&closing)))),
                None => {
                    Err(StepError::Unmet(format!("the daemon did not take notice of {}: {unmet}", self.name)).into())
                }
            },
        }
    }
}

/// How far the connection is to go that a step opens.
fn stage(step: &StepContext<'_>) -> Result<Stage, StepError> {
    match step.text("stage")?.as_deref() {
        None | Some("websocket") => Ok(Stage::WebSocket),
        Some("tls") => Ok(Stage::Tls),
        Some("tcp") => Ok(Stage::Tcp),
        Some(other) => Err(step.wrong("stage", &format!("cannot be `{other}`"))),
    }
}

/// The outcome of an attempt that the daemon refused by closing.
fn refusal(closing: &Closing) -> StepOutcome {
    let mut error = Map::new();
    error.insert("code".into(), closing.code.map_or(Value::Null, Value::from));
    error.insert("message".into(), closing.reason.clone().unwrap_or_else(|| closing.how.clone()).into());
    let Value::Object(mut data) = closing.to_json() else { return StepOutcome::nothing() };
    data.insert("type".into(), "closed".into());
    error.insert("data".into(), Value::Object(data));
    StepOutcome::of(json!({ "error": error }))
}

/// A frame with members set and left out.
fn changed(mut frame: Value, set: Option<Map<String, Value>>, unset: Option<Vec<Value>>) -> Value {
    if let Some(members) = frame.as_object_mut() {
        for (name, value) in set.into_iter().flatten() {
            members.insert(name, value);
        }
        for name in unset.iter().flatten().filter_map(Value::as_str) {
            members.shift_remove(name);
        }
    }
    frame
}

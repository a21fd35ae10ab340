//! Coming and going: links, claims, resumes and the many ways to lose a socket.

use super::arrivals::{self, Closing, What};
use super::connection::{Connection, text};
use super::link::{Link, Minted};
use super::{App, is_end};
use crate::engine::control::{Control, Line};
use crate::engine::cue::Cue;
use crate::engine::log::Unmet;
use crate::engine::outcome::{Deed, Done, Fault};
use crate::engine::stage::{event_id, event_kind};
use iolite_mock_app::socket::{Ending, RawFrame, Stage};
use iolite_mock_app::tls::Pin;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A step's outcome, or the error outcome that the daemon's refusal is.
type Attempt<T> = Result<T, Box<Refused>>;

/// Why an attempt to come in failed.
enum Refused {
    /// The daemon said no; this is the step's outcome.
    Outcome(Deed),
    /// The step could not be carried out.
    Fault(Fault),
}

impl From<Fault> for Box<Refused> {
    fn from(fault: Fault) -> Self {
        Self::new(Refused::Fault(fault))
    }
}

fn done(attempt: Attempt<Value>) -> Done {
    match attempt {
        Ok(outcome) => Ok(Deed::of(outcome)),
        Err(refused) => match *refused {
            Refused::Outcome(deed) => Ok(deed),
            Refused::Fault(fault) => Err(fault),
        },
    }
}

impl App {
    pub(super) async fn connect(&self, cue: &Cue<'_>) -> Done {
        done(self.try_connect(cue).await)
    }

    async fn try_connect(&self, cue: &Cue<'_>) -> Attempt<Value> {
        let link = self.link(cue).await?;
        let looked = self.log.position();
        let connection = self.open_socket(cue, &link, link.pin, false).await?;
        let claim = changed(self.claim_frame(&link), cue.map("claim")?, None);
        self.transmit(cue, &claim).await?;
        let ack = self.await_ack(cue, &connection, looked).await?;
        self.arrive(cue, &connection).await?;
        Ok(ack)
    }

    pub(super) async fn open(&self, cue: &Cue<'_>) -> Done {
        done(self.try_open(cue).await)
    }

    async fn try_open(&self, cue: &Cue<'_>) -> Attempt<Value> {
        let link = self.link(cue).await?;
        let pin = match cue.text("pin")? {
            None => link.pin,
            Some(pin) => Some(pin.parse::<Pin>().map_err(|error| cue.wrong("pin", &error.to_string()))?),
        };
        let connection = self.open_socket(cue, &link, pin, cue.flag("keep_old", false)?).await?;
        Ok(json!({ "pin": connection.pin.map(|pin| pin.to_string()) }))
    }

    pub(super) async fn claim(&self, cue: &Cue<'_>) -> Done {
        let link = self.state().link.clone();
        let link = link.ok_or_else(|| Fault::Unmet(format!("{} has no link to claim", self.name)))?;
        let frame = changed(self.claim_frame(&link), cue.map("set")?, cue.list("unset")?);
        self.transmit(cue, &frame).await.map(|()| Deed::of(frame))
    }

    pub(super) async fn resume_frame(&self, cue: &Cue<'_>) -> Done {
        let frame = self.resume_words(cue)?;
        self.transmit(cue, &frame).await.map(|()| Deed::of(frame))
    }

    pub(super) async fn expect_ack(&self, cue: &Cue<'_>) -> Done {
        let from = self.log.position();
        let connection = self.current()?;
        match self.wait_ack(cue, &connection, 0).await {
            Ok(Ok(ack)) => {
                let matched = cue.matcher_of_body()?.check(&ack);
                let mut deed = Deed::of(ack);
                if !matched.matched {
                    deed.violated = Some(format!("the session_ack is different: {}", matched.message()));
                }
                cue.bind_all(matched.captures);
                Ok(deed)
            }
            Ok(Err(closing)) => {
                let why = format!("no session_ack: the socket ended with {closing}");
                Ok(Deed::violated(why, self.shown_since(self.story_start(from))).gone())
            }
            Err(unmet) => Ok(Deed::violated(format!("no session_ack: {unmet}"), self.shown_since(from))),
        }
    }

    pub(super) async fn resume(&self, cue: &Cue<'_>) -> Done {
        done(self.try_resume(cue).await)
    }

    async fn try_resume(&self, cue: &Cue<'_>) -> Attempt<Value> {
        let frame = self.resume_words(cue)?;
        let looked = self.log.position();
        let connection = self.reopen(cue).await?;
        self.transmit(cue, &frame).await?;
        let ack = self.await_ack(cue, &connection, looked).await?;
        self.arrive(cue, &connection).await?;
        Ok(ack)
    }

    pub(super) async fn resume_attempt(&self, cue: &Cue<'_>) -> Done {
        let attempt = async {
            let frame = self.resume_words(cue)?;
            self.reopen(cue).await?;
            self.transmit(cue, &frame).await?;
            Ok(frame)
        };
        done(attempt.await)
    }

    pub(super) async fn close(&self, cue: &Cue<'_>) -> Done {
        let connection = self.current()?;
        let code = cue.number("code")?.unwrap_or(1000.0);
        if !(0.0..=65535.0).contains(&code) || code.fract() != 0.0 {
            return Err(cue.wrong("code", "must be a whole number up to 65535"));
        }
        let reason = cue.text("reason")?.unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked above")]
        let frame = RawFrame::close(code as u16, reason);
        connection.send(vec![frame], cue.deadline).await?;
        let number = connection.number;
        let ended = self.log.wait(0, cue.deadline, |arrival| is_end(arrival, number).then(|| arrival.what.shown()));
        // The other side's farewell is a courtesy; scenarios that care expect it.
        let farewell = ended.await.ok().map_or(Value::Null, |(_, shown)| shown);
        self.use_closing();
        connection.sender.end(Ending::Eof).await;
        Ok(Deed::of(farewell))
    }

    pub(super) async fn drop_socket(&self, cue: &Cue<'_>) -> Done {
        let connection = self.current()?;
        let how = cue.text("how")?.unwrap_or_else(|| "reset".into());
        let settles = how != "half_open" && cue.flag("settle", true)?;
        let noticed = if settles { self.loss_to_notice(cue, connection.number).await } else { None };
        match how.as_str() {
            "reset" => connection.sender.end(Ending::Reset).await,
            "close" => connection.sender.end(Ending::Eof).await,
            "eof" => connection.sender.end(Ending::Fin).await,
            "half_open" => {
                connection.sender.answer_pings(false);
                connection.sender.answer_close(false);
                connection.sender.read(false);
            }
            other => return Err(cue.wrong("how", &format!("cannot be `{other}`"))),
        }
        if let Some((own, from, session)) = noticed {
            let told = own.log().wait(from, cue.deadline, |line| {
                // A session that has ended cannot be suspended any more.
                let is_loss = matches!(
                    event_kind(&line.value),
                    Some("session_suspended" | "session_revoked" | "session_expired")
                );
                (is_loss && event_id(&line.value).is_some_and(|(of, _)| of == session)).then_some(())
            });
            if let Err(unmet) = told.await {
                // What that means is for later steps to say.
                cue.world.run.recorder.note(format!("the loss of {}'s socket was not told: {unmet}", self.name));
            }
        }
        Ok(Deed::nothing())
    }

    /// Where the daemon is going to tell that it has noticed the loss of this socket: on the harness's own connection, from
    /// there on, about that session. `None` when no session is lost with it, or the target tells no events.
    async fn loss_to_notice(&self, cue: &Cue<'_>, number: u32) -> Option<(Arc<Control>, usize, String)> {
        let stage = &cue.world.stage;
        let lost = self.state().session_connection() == Some(number) && arrivals::closing(&self.log, number).is_none();
        if !lost || !stage.target().claims("events") {
            return None;
        }
        let session = self.state().session_id.clone()?;
        let own = stage.own().await.ok()?;
        // A peer that has been told goodbye before may have ended the session by itself already.
        let from = own.log().read(0, |lines| {
            let begins = |line: &Line| {
                matches!(event_kind(&line.value), Some("session_claimed" | "session_resumed"))
                    && event_id(&line.value).is_some_and(|(of, _)| of == session)
            };
            lines.iter().rposition(begins).unwrap_or(lines.len())
        });
        Some((own, from, session))
    }

    pub(super) fn ignore_close(&self) -> Done {
        self.current()?.sender.answer_close(false);
        Ok(Deed::nothing())
    }

    pub(super) fn stop_pongs(&self) -> Done {
        self.current()?.sender.answer_pings(false);
        Ok(Deed::nothing())
    }

    pub(super) async fn ping(&self, cue: &Cue<'_>) -> Done {
        let payload = cue.bytes("payload")?.unwrap_or_default();
        self.current()?.send(vec![RawFrame::ping(payload)], cue.deadline).await?;
        Ok(Deed::nothing())
    }

    /// Sends one JSON frame on the current socket, and takes note of what it says about the registries.
    pub(super) async fn transmit(&self, cue: &Cue<'_>, frame: &Value) -> Result<(), Fault> {
        self.current()?.send(vec![text(frame)], cue.deadline).await?;
        self.state().registry.note(frame);
        Ok(())
    }

    /// The link that a step names, or a fresh one. The app keeps it.
    async fn link(&self, cue: &Cue<'_>) -> Result<Link, Fault> {
        let minted = match cue.value("link")? {
            Some(given) => given,
            None => Minted::by(&cue.world.stage).await?,
        };
        let link = Link::read(&minted)?;
        cue.world.run.note_secret(&link.token);
        self.state().link = Some(link.clone());
        Ok(link)
    }

    /// Opens a socket and speaks on it from now on. The one before is dropped, or kept beside it.
    async fn open_socket(
        &self,
        cue: &Cue<'_>,
        link: &Link,
        pin: Option<Pin>,
        keep_old: bool,
    ) -> Attempt<Arc<Connection>> {
        self.forget_served();
        let before = self.state().current.take();
        if let Some(before) = before {
            if !keep_old {
                // How a socket ends that the app has left is no news to a step.
                self.state().ended.insert(before.number);
                before.sender.end(Ending::Drop).await;
            }
            // Kept either way: its pump still records how it ends.
            self.state().old.push(before);
        }
        let number = self.next_connection(cue.world);
        let stage = stage(cue)?;
        match Connection::open(&self.owner, number, (link.address, pin), stage, cue.deadline).await {
            Ok(connection) => {
                let connection = Arc::new(connection);
                self.state().current = Some(Arc::clone(&connection));
                Ok(connection)
            }
            Err(why) => Err(Box::new(Refused::Outcome(Deed::error("not_connected", why, Map::new())))),
        }
    }

    /// Opens a socket to the place the link names, for a resume.
    async fn reopen(&self, cue: &Cue<'_>) -> Attempt<Arc<Connection>> {
        let link = self.state().link.clone();
        let link = match link {
            Some(link) => link,
            // An app that resumes another's session has no link of its own; any link tells where the daemon listens.
            None => self.link(cue).await?,
        };
        self.open_socket(cue, &link, link.pin, cue.flag("keep_old", false)?).await
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
    fn resume_words(&self, cue: &Cue<'_>) -> Result<Value, Fault> {
        let (session, token) = {
            let state = self.state();
            (state.session_id.clone(), state.resume_token.clone())
        };
        let token = match cue.value("token")? {
            Some(token) => token,
            None => token.map_or(Value::Null, Value::String),
        };
        let set = cue.map("set")?;
        let session = session.map_or(Value::Null, Value::String);
        let given = |name: &str| set.as_ref().is_some_and(|set| set.contains_key(name));
        if (session.is_null() && !given("session_id")) || (token.is_null() && !given("resume_token")) {
            return Err(Fault::Unmet(format!("{} has no session to resume", self.name)));
        }
        let frame = json!({
            "type": "session_resume",
            "protocol_version": 2,
            "session_id": session,
            "resume_token": token,
        });
        Ok(changed(frame, set, cue.list("unset")?))
    }

    /// Waits for the acknowledgement; a refusal becomes the step's outcome.
    async fn await_ack(&self, cue: &Cue<'_>, connection: &Connection, from: usize) -> Attempt<Value> {
        match self.wait_ack(cue, connection, from).await {
            Ok(Ok(ack)) => Ok(ack),
            Ok(Err(closing)) => {
                self.use_closing();
                Err(Box::new(Refused::Outcome(refusal(&closing))))
            }
            Err(unmet) => {
                let deed = Deed::violated(format!("no session_ack: {unmet}"), self.shown_since(from));
                Err(Box::new(Refused::Outcome(deed)))
            }
        }
    }

    async fn wait_ack(
        &self,
        cue: &Cue<'_>,
        connection: &Connection,
        from: usize,
    ) -> Result<Result<Value, Closing>, Unmet> {
        let number = connection.number;
        let found = self.log.wait(from, cue.deadline, |arrival| {
            if arrival.connection != number || arrival.taken {
                return None;
            }
            let found = match arrival.what.kind() {
                Some("session_ack") => arrival.what.frame().cloned().map(Ok),
                _ => Closing::of(&arrival.what).map(Err),
            };
            arrival.taken = matches!(found, Some(Ok(_)));
            found
        });
        let (position, found) = found.await?;
        self.look_up_to(position + 1);
        if let Ok(ack) = &found {
            self.state().acknowledged = Some(number);
            self.take_note(cue, ack);
        }
        Ok(found)
    }

    fn take_note(&self, cue: &Cue<'_>, ack: &Value) {
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
            cue.world.run.note_secret(&token);
        }
        if let Some(session) = session {
            cue.world.run.note_session(&self.name, &session, alias.as_deref());
        }
    }

    /// What follows an acknowledgement: the snapshots that the step names, and a fence.
    async fn arrive(&self, cue: &Cue<'_>, connection: &Connection) -> Attempt<()> {
        let session = self.needed_session()?;
        for (argument, kind) in [("tools", "tool_registry_snapshot"), ("resources", "resource_registry_snapshot")] {
            if let Some(list) = cue.list(argument)? {
                let frame = json!({ "type": kind, "session_id": session, argument: list });
                self.transmit(cue, &frame).await?;
            }
        }
        if !cue.flag("settle", true)? {
            return Ok(());
        }
        match self.fence(&cue.world.stage, cue.deadline).await? {
            Ok(()) => Ok(()),
            Err(unmet) => match arrivals::closing(&self.log, connection.number) {
                Some(closing) => Err(Box::new(Refused::Outcome(refusal(&closing)))),
                None => Err(Fault::Unmet(format!("the daemon did not take notice of {}: {unmet}", self.name)).into()),
            },
        }
    }

    /// Where reports about a wait should begin: at what no step has looked at.
    pub(super) fn story_start(&self, from: usize) -> usize {
        self.state().looked.min(from)
    }

    /// Whether a close frame or the end of the current socket has come.
    pub(super) fn current_closing(&self) -> Option<Closing> {
        let number = self.state().current.as_ref()?.number;
        arrivals::closing(&self.log, number)
    }
}

/// How far the connection is to go that a step opens.
fn stage(cue: &Cue<'_>) -> Result<Stage, Fault> {
    match cue.text("stage")?.as_deref() {
        None | Some("websocket") => Ok(Stage::WebSocket),
        Some("tls") => Ok(Stage::Tls),
        Some("tcp") => Ok(Stage::Tcp),
        Some(other) => Err(cue.wrong("stage", &format!("cannot be `{other}`"))),
    }
}

/// The outcome of an attempt that the daemon refused by closing.
fn refusal(closing: &Closing) -> Deed {
    let mut error = Map::new();
    error.insert("code".into(), closing.code.map_or(Value::Null, Value::from));
    error.insert("message".into(), closing.reason.clone().unwrap_or_else(|| closing.how.clone()).into());
    let Value::Object(mut data) = closing.to_json() else { return Deed::nothing() };
    data.insert("type".into(), "closed".into());
    error.insert("data".into(), Value::Object(data));
    Deed::of(json!({ "error": error }))
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

/// The pong's payload, if that is what came.
pub(super) fn payload(what: &What) -> Option<&[u8]> {
    match what {
        What::Ping(payload) | What::Pong(payload) => Some(payload),
        _ => None,
    }
}

//! The two ways to speak to a server, behind one interface.

use crate::engine::step_outcome::{StepError, shortened};
use iolite_mock_client::process::Process;
use iolite_mock_client::raw::{Arrived, Cursor, Line, Message, WaitError, WaitFailure};
use iolite_mock_client::sdk::{SdkClient, SdkError, SdkOpen};
use iolite_mock_client::session::{CallError, Open, Progress, Session};
use iolite_mock_client::{Outcome, outcome::Notification};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

/// A running server and the lane to it.
#[derive(Debug)]
pub(super) enum Lane {
    /// Our own lane.
    Raw(Box<Session>),
    /// The stock SDK, and what it has heard so far.
    Sdk(Box<SdkClient>, Mutex<Vec<Notification>>),
}

/// A request that was left open.
pub(super) enum Opened {
    /// On our own lane.
    Raw(Open),
    /// On the SDK's.
    Sdk(Box<SdkOpen>),
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(super) struct NoAnswer {
    /// In words.
    pub(super) why: String,
    /// Nothing more can come.
    pub(super) ended: bool,
    /// What came instead.
    pub(super) arrived: Vec<Value>,
}

/// A notification and the place directly behind it in the order of what was heard.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heard {
    pub(super) place: u64,
    pub(super) method: String,
    pub(super) params: Option<Value>,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Opened").field(&self.id()).finish()
    }
}

impl Opened {
    /// The request's id.
    pub(super) fn id(&self) -> Value {
        match self {
            Self::Raw(open) => open.pending.id.clone(),
            Self::Sdk(open) => open.id(),
        }
    }

    /// Its progress token.
    pub(super) fn token(&self) -> Option<Value> {
        match self {
            Self::Raw(open) => open.token.clone(),
            Self::Sdk(open) => Some(open.token()),
        }
    }
}

impl Lane {
    /// Sends a request and leaves it open.
    pub(super) async fn start(
        &self,
        method: &str,
        params: Option<Value>,
        id: Option<Value>,
        deadline: Instant,
    ) -> Result<Opened, NoAnswer> {
        match (self, id) {
            (Self::Raw(session), None) => until(deadline, session.start(method, params)).await.map(Opened::Raw),
            (Self::Raw(session), Some(id)) => {
                until(deadline, session.start_as(id, method, params)).await.map(Opened::Raw)
            }
            (Self::Sdk(client, _), _) => {
                let open = until(deadline, client.start(method, params)).await?;
                Ok(Opened::Sdk(Box::new(open)))
            }
        }
    }

    /// Sends `tools/call` and leaves it open.
    pub(super) async fn start_call(
        &self,
        tool: Value,
        arguments: Option<Value>,
        progress: Progress,
        deadline: Instant,
    ) -> Result<Opened, NoAnswer> {
        match (self, &tool) {
            (Self::Raw(session), Value::String(name)) => {
                until(deadline, session.start_call(name, arguments, progress)).await.map(Opened::Raw)
            }
            _ => {
                let mut params = json!({ "name": tool });
                if let Some(arguments) = arguments {
                    params["arguments"] = arguments;
                }
                if let Progress::Token(token) = progress {
                    params["_meta"] = json!({ "progressToken": token });
                }
                self.start("tools/call", Some(params), None, deadline).await
            }
        }
    }

    /// Waits for the answer to an open request.
    pub(super) async fn finish(&self, open: Opened, deadline: Instant) -> Result<Outcome, NoAnswer> {
        match (self, open) {
            (Self::Raw(session), Opened::Raw(open)) => {
                session.finish(&open, deadline).await.map_err(|error| match error {
                    CallError::Wait(error) => NoAnswer::from(error),
                    CallError::Send(error) => NoAnswer::from(error),
                })
            }
            (Self::Sdk(client, _), Opened::Sdk(open)) => until(deadline, client.finish(*open)).await,
            _ => {
                Err(NoAnswer { why: "the connection it was sent on is gone".into(), ended: true, arrived: Vec::new() })
            }
        }
    }

    /// Sends a request and waits for its answer.
    pub(super) async fn request(
        &self,
        method: &str,
        params: Option<Value>,
        deadline: Instant,
    ) -> Result<Outcome, NoAnswer> {
        let open = self.start(method, params, None, deadline).await?;
        self.finish(open, deadline).await
    }

    /// Cancels an open request.
    pub(super) async fn cancel(&self, id: &Value, reason: Option<&str>, deadline: Instant) -> Result<(), NoAnswer> {
        match self {
            Self::Raw(session) => until(deadline, session.cancel(id, reason)).await,
            Self::Sdk(client, _) => until(deadline, client.cancel(id, reason)).await,
        }
    }

    /// Our own lane, which can send anything; the stock SDK only sends messages that it has a type for.
    pub(super) fn raw(&self) -> Result<&Session, StepError> {
        match self {
            Self::Raw(session) => Ok(session),
            Self::Sdk(..) => {
                Err(StepError::Broken("a client of the profile `sdk` cannot do this: use another profile".into()))
            }
        }
    }

    /// The server's process.
    pub(super) fn process(&self) -> Option<&Process> {
        match self {
            Self::Raw(session) => session.lane().process(),
            Self::Sdk(client, _) => client.process(),
        }
    }

    /// Kills the server.
    pub(super) async fn kill(&self) {
        if let Some(process) = self.process() {
            // One that outlives SIGKILL hangs in the kernel: nothing more can be done.
            let _ = process.kill().await;
        }
    }

    /// The place behind everything heard so far.
    pub(super) fn position(&self) -> u64 {
        match self {
            Self::Raw(session) => session.lane().position().position(),
            Self::Sdk(client, heard) => {
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.extend(client.drain_notifications());
                heard.len() as u64
            }
        }
    }

    /// The notifications behind a place, as far as they have come.
    pub(super) fn heard(&self, after: u64) -> Vec<Heard> {
        match self {
            Self::Raw(session) => {
                let cursor = cursor_at(session, after);
                session.lane().since(cursor).iter().filter_map(|arrived| heard_in(arrived)).collect()
            }
            Self::Sdk(client, heard) => {
                let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                heard.extend(client.drain_notifications());
                numbered(&heard, after)
            }
        }
    }

    /// Waits for the first notification behind a place that `wanted` takes.
    pub(super) async fn wait(
        &self,
        after: u64,
        deadline: Instant,
        mut wanted: impl FnMut(&Heard) -> bool,
    ) -> Result<Heard, NoAnswer> {
        match self {
            Self::Raw(session) => {
                let lane = session.lane();
                let cursor = cursor_at(session, after);
                let arrived = lane.wait(cursor, deadline, "notification that fits", |arrived| {
                    heard_in(arrived).is_some_and(|heard| wanted(&heard))
                });
                let arrived = arrived.await?;
                heard_in(&arrived).ok_or_else(|| NoAnswer {
                    why: "what came is no notification".into(),
                    ended: false,
                    arrived: Vec::new(),
                })
            }
            Self::Sdk(client, all) => {
                let mut seen = after;
                loop {
                    for heard in self.heard(seen) {
                        if wanted(&heard) {
                            return Ok(heard);
                        }
                        seen = heard.place;
                    }
                    let Some(next) = client.next_notification(deadline).await else {
                        let ended = client.process().is_some_and(|process| process.exit().is_some());
                        let why = "no notification that fits came".into();
                        return Err(NoAnswer { why, ended, arrived: Vec::new() });
                    };
                    all.lock().unwrap_or_else(PoisonError::into_inner).push(next);
                }
            }
        }
    }

    /// Everything that arrived behind a place, as reports show it.
    pub(super) fn shown(&self, after: u64) -> Vec<Value> {
        match self {
            Self::Raw(session) => shown(&session.lane().since(cursor_at(session, after))),
            Self::Sdk(..) => self.heard(after).into_iter().map(|heard| heard.to_json()).collect(),
        }
    }
}

impl Heard {
    /// `{ method, params? }`.
    pub(super) fn to_json(&self) -> Value {
        match &self.params {
            Some(params) => json!({ "method": self.method, "params": params }),
            None => json!({ "method": self.method }),
        }
    }
}

/// What arrived, as reports show it: decoded where it is JSON.
pub(super) fn shown(arrived: &[Arc<Arrived>]) -> Vec<Value> {
    const SHOWN: usize = 200;
    arrived.iter().take(SHOWN).map(|arrived| value_of(arrived)).collect()
}

/// A line as a value.
pub(super) fn value_of(arrived: &Arrived) -> Value {
    match &arrived.line {
        Line::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_string())),
        Line::Bytes(bytes) => json!({ "bytes": bytes.len() }),
    }
}

/// The cursor behind the first `after` entries.
pub(super) fn cursor_at(session: &Session, after: u64) -> Cursor {
    if after == 0 {
        return Cursor::START;
    }
    // Cursors can only be had from entries.
    let entries = session.lane().since(Cursor::START);
    let at = usize::try_from(after).unwrap_or(usize::MAX).min(entries.len());
    entries[..at].last().map_or(Cursor::START, |arrived| arrived.cursor)
}

fn heard_in(arrived: &Arrived) -> Option<Heard> {
    match &arrived.message {
        Message::Notification { method, params } => {
            Some(Heard { place: arrived.cursor.position(), method: method.clone(), params: params.clone() })
        }
        _ => None,
    }
}

fn numbered(heard: &[Notification], after: u64) -> Vec<Heard> {
    let numbers = 1u64..;
    let all = heard.iter().zip(numbers).filter(|(_, place)| *place > after);
    all.map(|(heard, place)| Heard { place, method: heard.method.clone(), params: heard.params.clone() }).collect()
}

async fn until<T, E>(deadline: Instant, work: impl Future<Output = Result<T, E>>) -> Result<T, NoAnswer>
where
    NoAnswer: From<E>,
{
    match tokio::time::timeout_at(deadline, work).await {
        Ok(result) => result.map_err(NoAnswer::from),
        Err(_) => Err(NoAnswer { why: "no answer came in time".into(), ended: false, arrived: Vec::new() }),
    }
}

impl From<WaitError> for NoAnswer {
    fn from(error: WaitError) -> Self {
        let ended = matches!(error.why, WaitFailure::Ended(_));
        let why = match &error.why {
            WaitFailure::Deadline => format!("no {} came in time", error.waited_for),
            WaitFailure::Ended(end) => format!("no {}: {end}", error.waited_for),
            WaitFailure::Malformed(line) => format!("no {}, but a line that is none: {}", error.waited_for, line.line),
        };
        Self { why, ended, arrived: shown(&error.arrived) }
    }
}

impl From<iolite_mock_client::raw::SendError> for NoAnswer {
    fn from(error: iolite_mock_client::raw::SendError) -> Self {
        Self { why: error.to_string(), ended: true, arrived: Vec::new() }
    }
}

impl From<SdkError> for NoAnswer {
    fn from(error: SdkError) -> Self {
        let ended = matches!(error, SdkError::Closed { .. } | SdkError::Spawn(_));
        Self { why: shortened(&error.to_string(), 500), ended, arrived: Vec::new() }
    }
}

//! Fences: proof that the daemon has processed what came before.

use super::connection::{Connection, text};
use super::frames::now_ms;
use super::received::{self, Closing, ReceivedKind, is_end};
use super::responder::{Fence, fence_token};
use super::{App, registry};
use crate::engine::control::event::{event_id, event_kind, is_app_event};
use crate::engine::fence_names::FENCE_CALLER;
use crate::engine::log::Unmet;
use crate::engine::stage::Stage;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_mock_app::socket::RawFrame;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// How long a close may take behind a pong, before patience.
const BEHIND_PONG: Duration = Duration::from_secs(1);

impl App {
    /// Sends an event with a fresh name and waits until it shows up at the control RPC. Ends early when the socket ends.
    ///
    /// Before the claim, and with a target that has no events, a pong and a round trip on the control RPC must do.
    pub(in crate::engine) async fn fence(
        &self,
        stage: &Stage,
        deadline: Instant,
    ) -> Result<Result<(), Unmet>, StepError> {
        let connection = self.current()?;
        if !self.proves_order(stage) {
            return self.pong_fence(stage, deadline).await;
        }
        let own = stage.own().await?;
        let name = stage.fences().fresh_name();
        let from = own.log().position();
        let frame = json!({
            "type": "event", "session_id": self.needed_session()?, "name": name, "ts": now_ms(),
        });
        let number = connection.number;
        if let Some(unmet) = self.unless_closed(&connection, text(&frame), deadline).await? {
            return Ok(Err(unmet));
        }
        let shown = own.log().wait(from, deadline, |line| is_app_event(line, &name).then(|| line.ours = true));
        let ended = self.log.wait(0, deadline, |received| is_end(received, number).then(|| received.what.shown()));
        tokio::select! {
            biased;
            shown = shown => Ok(shown.map(|_| ())),
            ended = ended => match ended {
                // The socket may have ended behind the fence.
                Ok((_, how)) => Ok(match own.log().read(from, |lines| lines.iter().any(|line| is_app_event(line, &name))) {
                    true => Ok(()),
                    false => Err(Unmet::Ended(how.to_string())),
                }),
                Err(unmet) => Ok(Err(unmet)),
            },
        }
    }

    /// `fence` as a step.
    pub(super) async fn fence_step(&self, step: &StepContext<'_>) -> StepResult {
        self.need_fence(step).await.map(|()| StepOutcome::nothing())
    }

    /// A fence that must come through.
    pub(super) async fn need_fence(&self, step: &StepContext<'_>) -> Result<(), StepError> {
        match self.fence(step.stage, step.deadline).await? {
            Ok(()) => Ok(()),
            Err(unmet) => Err(StepError::Unmet(match self.current_closing() {
                Some(closing) => format!("the daemon closed {}'s socket: {closing}", self.name),
                None => format!("the daemon did not take notice of what {} sent: {unmet}", self.name),
            })),
        }
    }

    /// `settle` as a step: a fence or the end of the socket, whichever comes.
    pub(super) async fn settle_step(&self, step: &StepContext<'_>) -> StepResult {
        let closed = |closing: Closing| {
            let how = closing.how.clone();
            StepOutcome::of(json!({ "closed": { "code": closing.code, "reason": closing.reason }, "how": how }))
        };
        if let Some(closing) = self.current_closing() {
            self.use_closing();
            return Ok(closed(closing));
        }
        match self.fence(step.stage, step.deadline).await? {
            Ok(()) => {
                if !self.proves_order(step.stage)
                    && let Some(closing) = self.late_closing(step.stage).await?
                {
                    return Ok(closed(closing));
                }
                Ok(StepOutcome::of(json!({ "open": true })))
            }
            Err(unmet) => match self.current_closing() {
                Some(closing) => {
                    self.use_closing();
                    Ok(closed(closing))
                }
                None => {
                    Ok(StepOutcome::violated(format!("neither a fence nor a close came: {unmet}"), self.shown_since(0)))
                }
            },
        }
    }

    /// A close behind a fence that only a pong made: a daemon may answer pings while it still works on what came before.
    async fn late_closing(&self, stage: &Stage) -> Result<Option<Closing>, StepError> {
        let number = self.current()?.number;
        let deadline = Instant::now() + stage.pace().scaled(BEHIND_PONG.as_secs_f64());
        let ended = self.log.wait(0, deadline, |received| is_end(received, number).then_some(())).await;
        let closing = self.current_closing().filter(|_| ended.is_ok());
        if closing.is_some() {
            self.use_closing();
        }
        Ok(closing)
    }

    /// Whether a fence of this app travels the same way as everything else that it sends.
    fn proves_order(&self, stage: &Stage) -> bool {
        stage.target().claims("events") && self.state().session_connection().is_some()
    }

    /// Marks the end of the current socket as seen by a step.
    pub(super) fn use_closing(&self) {
        let mut state = self.state();
        if let Some(number) = state.current.as_ref().map(|current| current.number) {
            state.ended.insert(number);
        }
    }

    /// A fence in the other direction: a read or call of ours that must reach this app. What the daemon sent before
    /// it has arrived. `Ok(false)`: the app has nothing that could be read or called.
    pub(super) async fn inward_fence(&self, stage: &Stage, deadline: Instant) -> Result<bool, StepError> {
        let session = self.needed_session()?;
        let (resource, tool) = {
            let state = self.state();
            let first = |list: &[Value]| list.first().and_then(|item| item.get("name")?.as_str().map(str::to_owned));
            (first(&state.registry.resources), first(&state.registry.tools))
        };
        let tries = [
            resource.map(|name| ("resource_read", "resources.read", name)),
            tool.map(|name| ("tool_call", "tools.call", name)),
        ];
        for (kind, method, name) in tries.into_iter().flatten() {
            let from = self.log.position();
            self.responder.set_fence(Some(Fence { kind, name: name.clone() }));
            let mut params = json!({ "selector": session, "name": name, "caller": FENCE_CALLER });
            if kind == "tool_call" {
                params["args"] = json!({});
                stage.fences().note_tool_call(&session, &name);
            }
            let answer = stage.rpc_until(method, Some(params), deadline).await;
            self.responder.set_fence(None);
            let answer = answer?.to_string();
            // The answer tells which frame was ours: others of the same name may have come.
            let reached = self.log.edit(from, |all| {
                let ours = all.iter_mut().find(|received| {
                    received.what.kind() == Some(kind)
                        && received
                            .what
                            .frame()
                            .is_some_and(|frame| answer.contains(fence_token(frame).replace('"', "\\\"").as_str()))
                });
                ours.map(|received| {
                    received.ours = true;
                    received.what.frame().and_then(|frame| frame.get("id")?.as_str().map(str::to_owned))
                })
            });
            if let Some(call) = reached {
                stage.fences().note_call(call.unwrap_or_default());
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Registers a descriptor, or removes it, for a fence: with a fence behind it, and without noting it in the model.
    pub(in crate::engine) async fn fence_entry(
        &self,
        stage: &Stage,
        entry: &str,
        descriptor: Result<Value, String>,
        deadline: Instant,
    ) -> Result<(), StepError> {
        let session = self.needed_session()?;
        let frame = match descriptor {
            Ok(descriptor) => registry::upsert(&session, entry, descriptor),
            Err(name) => registry::remove(&session, entry, name.into()),
        };
        let own = stage.own().await?;
        let from = own.log().position();
        self.current()?.send(vec![text(&frame)], deadline).await?;
        let fence = self.fence(stage, deadline).await?;
        // The events about this entry were made by the fence, not by the scenario.
        let kind = format!("{entry}s_changed");
        stage.fences().note_events(own.log().read(from, |lines| {
            let changes = lines.iter().filter(|line| event_kind(&line.value) == Some(&kind));
            let ids = changes.filter_map(|line| event_id(&line.value));
            ids.filter(|(of, _)| *of == session).collect::<Vec<_>>()
        }));
        fence.map_err(|unmet| StepError::Unmet(format!("the fence did not get through: {unmet}")))
    }

    /// Marks a resource stale, for a fence.
    pub(in crate::engine) async fn fence_stale(&self, resource: &str, deadline: Instant) -> Result<(), StepError> {
        let frame = json!({
            "type": "event", "session_id": self.needed_session()?, "name": "resource_updated",
            "payload": { "name": resource }, "ts": now_ms(),
        });
        self.current()?.send(vec![text(&frame)], deadline).await
    }

    /// Sends a frame of a fence. What cannot be written because the daemon has closed is a closing: `Some`.
    async fn unless_closed(
        &self,
        connection: &Connection,
        frame: RawFrame,
        deadline: Instant,
    ) -> Result<Option<Unmet>, StepError> {
        let Err(error) = connection.send(vec![frame], deadline).await else { return Ok(None) };
        let number = connection.number;
        let ended = self.log.wait(0, deadline, |received| is_end(received, number).then_some(())).await;
        if ended.is_ok() { Ok(Some(Unmet::Ended(error.to_string()))) } else { Err(error) }
    }

    async fn pong_fence(&self, stage: &Stage, deadline: Instant) -> Result<Result<(), Unmet>, StepError> {
        let connection = self.current()?;
        let number = connection.number;
        let payload = stage.fences().fresh_name().into_bytes();
        if let Some(unmet) = self.unless_closed(&connection, RawFrame::ping(payload.clone()), deadline).await? {
            return Ok(Err(unmet));
        }
        let answered = self.log.wait(0, deadline, |received| match &received.what {
            ReceivedKind::Pong(came) if *came == payload => {
                received.ours = true;
                Some(true)
            }
            _ => is_end(received, number).then_some(false),
        });
        match answered.await {
            Ok((_, true)) => {
                stage.rpc_until("daemon.status", Some(json!({})), deadline).await?;
                Ok(match received::closing(&self.log, number) {
                    None => Ok(()),
                    Some(closing) => Err(Unmet::Ended(closing.to_string())),
                })
            }
            Ok((_, false)) => Ok(Err(Unmet::Ended(
                received::closing(&self.log, number).map_or_else(String::new, |closing| closing.to_string()),
            ))),
            Err(unmet) => Ok(Err(unmet)),
        }
    }
}

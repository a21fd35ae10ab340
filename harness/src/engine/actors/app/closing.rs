//! The ways to lose a socket, and what is left unanswered before.

use super::App;
use super::received::{self, is_end};
use crate::engine::control::event::{event_id, event_kind};
use crate::engine::control::{Control, Line};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepOutcome, StepResult};
use iolite_mock_app::socket::{HowToEnd, RawFrame};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::Instant;

impl App {
    pub(super) async fn close(&self, step: &StepContext<'_>) -> StepResult {
        let connection = self.current()?;
        let code = step.number("code")?.unwrap_or(1000.0);
        if !(0.0..=65535.0).contains(&code) || code.fract() != 0.0 {
            return Err(step.wrong("code", "must be a whole number up to 65535"));
        }
        let reason = step.text("reason")?.unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked above")]
        let frame = RawFrame::close(code as u16, reason);
        connection.send(vec![frame], step.deadline).await?;
        let number = connection.number;
        let ended = self.log.wait(0, step.deadline, |received| is_end(received, number).then(|| received.what.shown()));
        // The other side's farewell is a courtesy; scenarios that care expect it.
        let farewell = ended.await.ok().map_or(Value::Null, |(_, shown)| shown);
        self.use_closing();
        connection.sender.end(HowToEnd::Eof).await;
        Ok(StepOutcome::of(farewell))
    }

    pub(super) async fn drop_socket(&self, step: &StepContext<'_>) -> StepResult {
        let connection = self.current()?;
        let how = step.text("how")?.unwrap_or_else(|| "reset".into());
        let settles = how != "half_open" && step.flag("settle", true)?;
        let unannounced = if settles { self.loss_to_look_for(step, connection.number) } else { None };
        let noticed = if settles { self.loss_to_notice(step, connection.number).await } else { None };
        match how.as_str() {
            "reset" => connection.sender.end(HowToEnd::Reset).await,
            "close" => connection.sender.end(HowToEnd::Eof).await,
            "eof" => connection.sender.end(HowToEnd::Fin).await,
            "half_open" => {
                connection.sender.answer_pings(false);
                connection.sender.answer_close(false);
                connection.sender.read(false);
            }
            other => return Err(step.wrong("how", &format!("cannot be `{other}`"))),
        }
        if let Some((own, from, session)) = noticed {
            let told = own.log().wait(from, step.deadline, |line| {
                // A session that has ended cannot be suspended any more.
                let is_loss = matches!(
                    event_kind(&line.value),
                    Some("session_suspended" | "session_revoked" | "session_expired")
                );
                (is_loss && event_id(&line.value).is_some_and(|(of, _)| of == session)).then_some(())
            });
            if let Err(unmet) = told.await {
                // What that means is for later steps to say.
                step.record.recorder.note(format!("the loss of {}'s socket was not told: {unmet}", self.name));
            }
        }
        if let Some(session) = unannounced {
            self.until_lost(step, &session).await;
        }
        Ok(StepOutcome::nothing())
    }

    /// Asks for the sessions until this one is not active any more: how a loss shows where no events are told.
    async fn until_lost(&self, step: &StepContext<'_>, session: &str) {
        while Instant::now() < step.deadline {
            let listed = step.stage.rpc_until("sessions.list", Some(json!({})), step.deadline).await;
            let Ok(listed) = listed else { return };
            let sessions = listed.get("sessions").unwrap_or(&listed).as_array();
            let is_active = |listed: &Value| {
                listed.get("sessionId").and_then(Value::as_str) == Some(session)
                    && listed.get("state").and_then(Value::as_str) == Some("active")
            };
            if !sessions.is_some_and(|sessions| sessions.iter().any(is_active)) {
                return;
            }
        }
        step.record.recorder.note(format!("the loss of {}'s socket was not noticed", self.name));
    }

    /// The session that is lost with this socket, where the target tells no events of it.
    fn loss_to_look_for(&self, step: &StepContext<'_>, number: u32) -> Option<String> {
        let lost = self.state().session_connection() == Some(number) && received::closing(&self.log, number).is_none();
        if !lost || step.stage.target().claims("events") {
            return None;
        }
        self.state().session_id.clone()
    }

    /// Where the daemon is going to tell that it has noticed the loss of this socket: on the harness's own connection, from
    /// there on, about that session. `None` when no session is lost with it, or the target tells no events.
    async fn loss_to_notice(&self, step: &StepContext<'_>, number: u32) -> Option<(Arc<Control>, usize, String)> {
        let stage = step.stage;
        let lost = self.state().session_connection() == Some(number) && received::closing(&self.log, number).is_none();
        if !lost || !stage.target().claims("events") {
            return None;
        }
        let session = self.state().session_id.clone()?;
        let own = stage.own().await.ok()?;
        // The session may have ended already, when the daemon has seen a close frame before.
        let from = own.log().read(0, |lines| {
            let begins = |line: &Line| {
                matches!(event_kind(&line.value), Some("session_claimed" | "session_resumed"))
                    && event_id(&line.value).is_some_and(|(of, _)| of == session)
            };
            lines.iter().rposition(begins).unwrap_or(lines.len())
        });
        Some((own, from, session))
    }

    pub(super) fn ignore_close(&self) -> StepResult {
        self.current()?.sender.answer_close(false);
        Ok(StepOutcome::nothing())
    }

    pub(super) fn stop_pongs(&self) -> StepResult {
        self.current()?.sender.answer_pings(false);
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn ping(&self, step: &StepContext<'_>) -> StepResult {
        let payload = step.bytes("payload")?.unwrap_or_default();
        self.current()?.send(vec![RawFrame::ping(payload)], step.deadline).await?;
        Ok(StepOutcome::nothing())
    }
}

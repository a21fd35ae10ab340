//! Sending: frames as JSON, frames by the bit, and bytes below them.

use super::App;
use crate::engine::evaluation;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use crate::scenario::template::Resolved;
use iolite_mock_app::socket::{Mask, RawFrame, frame};
use serde_json::{Map, Value};
use std::time::{SystemTime, UNIX_EPOCH};

impl App {
    pub(super) async fn send(&self, step: &StepContext<'_>) -> StepResult {
        let frame = step.evaluate(step.body())?;
        self.transmit(step, &frame).await?;
        Ok(StepOutcome::of(frame))
    }

    pub(super) async fn send_text(&self, step: &StepContext<'_>) -> StepResult {
        let bytes = step.needed_bytes("text")?;
        let frame = serde_json::from_slice::<Value>(&bytes).ok();
        self.current()?.send(vec![RawFrame::text(bytes)], step.deadline).await?;
        if let Some(frame) = frame {
            self.state().registry.note(&frame);
        }
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn send_binary(&self, step: &StepContext<'_>) -> StepResult {
        let bytes = step.needed_bytes("bytes")?;
        self.current()?.send(vec![RawFrame::binary(bytes)], step.deadline).await?;
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn send_raw(&self, step: &StepContext<'_>) -> StepResult {
        let bytes = step.needed_bytes("bytes")?;
        let connection = self.current()?;
        self.state().torn.insert(connection.number);
        match tokio::time::timeout_at(step.deadline, connection.sender.send_bytes(bytes)).await {
            Ok(Ok(())) => Ok(StepOutcome::nothing()),
            Ok(Err(gone)) => Err(StepError::Unmet(gone.to_string())),
            Err(_) => Err(StepError::Unmet("the daemon does not read what the app sends".into())),
        }
    }

    pub(super) async fn send_frames(&self, step: &StepContext<'_>) -> StepResult {
        let list = step.node("frames").ok_or_else(|| step.wrong("frames", "is missing"))?;
        let list = step.scope.resolved(list)?;
        let items = list.items().ok_or_else(|| step.wrong("frames", "must be a list"))?;
        let frames = items.iter().map(|item| raw_frame(step, item)).collect::<Result<Vec<_>, _>>()?;
        let connection = self.current()?;
        // Control frames may stand between fragments; what counts is how the last data frame ends.
        let unfinished = frames.iter().rev().find(|frame| !frame.is_control()).is_some_and(|frame| !frame.fin);
        if unfinished || frames.iter().any(|frame| frame.declared_length.is_some()) {
            self.state().torn.insert(connection.number);
        } else if frames.first().is_some_and(|first| first.opcode == frame::CONTINUATION) {
            self.state().torn.remove(&connection.number);
        }
        let sent = connection.send(frames, step.deadline).await;
        let is_gone = step.flag("may_be_gone", false)? && !connection.sender.is_open();
        if !is_gone {
            sent?;
        }
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn post_event(&self, step: &StepContext<'_>) -> StepResult {
        let mut frame = Map::new();
        frame.insert("type".into(), "event".into());
        frame.insert("session_id".into(), self.needed_session()?.into());
        frame.insert("name".into(), step.needed("name")?);
        if let Some(payload) = step.value("payload")? {
            frame.insert("payload".into(), payload);
        }
        frame.insert("ts".into(), step.value("ts")?.unwrap_or_else(|| now_ms().into()));
        let frame = Value::Object(frame);
        self.transmit(step, &frame).await?;
        Ok(StepOutcome::of(frame))
    }
}

/// Milliseconds since 1970.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn raw_frame(step: &StepContext<'_>, item: &Resolved) -> Result<RawFrame, StepError> {
    let wrong = |what: String| step.wrong("frames", &what);
    let value = |name: &str| item.member(name).and_then(|member| member.as_json().cloned());
    let opcode = value("opcode").ok_or_else(|| wrong("has an item without `opcode`".into()))?;
    let payload = match item.member("payload") {
        Some(payload) => evaluation::bytes_of(payload.into_owned())?,
        None => Vec::new(),
    };
    let mut frame =
        RawFrame::new(opcode_of(&opcode).ok_or_else(|| wrong(format!("has the opcode {opcode}")))?, payload);
    if let Some(fin) = value("fin") {
        frame = frame.fin(fin.as_bool().unwrap_or(true));
    }
    if let Some(rsv) = value("rsv") {
        let bits = rsv.as_u64().and_then(|bits| u8::try_from(bits).ok()).filter(|bits| *bits < 8);
        frame = frame.rsv(bits.ok_or_else(|| wrong(format!("has the reserved bits {rsv}")))?);
    }
    if value("mask").and_then(|mask| mask.as_bool()) == Some(false) {
        frame = frame.mask(Mask::Missing);
    }
    if let Some(length) = value("declared_length") {
        frame = frame.declaring(length.as_u64().ok_or_else(|| wrong(format!("declares the length {length}")))?);
    }
    Ok(frame)
}

fn opcode_of(value: &Value) -> Option<u8> {
    match value {
        Value::String(name) => Some(match name.as_str() {
            "continuation" => frame::CONTINUATION,
            "text" => frame::TEXT,
            "binary" => frame::BINARY,
            "close" => frame::CLOSE,
            "ping" => frame::PING,
            "pong" => frame::PONG,
            _ => return None,
        }),
        number => number.as_u64().and_then(|number| u8::try_from(number).ok()).filter(|number| *number < 16),
    }
}

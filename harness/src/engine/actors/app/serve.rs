//! Steps that say how an app answers calls and reads, or that answer one.

use super::App;
use super::responder::{Reply, Serving, progress, reply};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use serde_json::{Map, Value, json};

impl App {
    pub(super) fn serve(&self, step: &StepContext<'_>) -> StepResult {
        let serving = Serving { progress: step.list("progress")?.unwrap_or_default(), reply: self.scripted(step)? };
        match (step.text("tool")?, step.text("resource")?) {
            (Some(tool), None) => self.responder.serve_calls(tool, serving),
            (None, Some(resource)) => self.responder.serve_reads(resource, serving),
            _ => return Err(step.wrong("tool", "or `resource` must be named, and only one of them")),
        }
        Ok(StepOutcome::nothing())
    }

    pub(super) fn manual(&self, step: &StepContext<'_>) -> StepResult {
        let flag = |name: &str| step.node(name).map(|_| step.flag(name, true)).transpose();
        let (calls, reads) = (flag("tools")?, flag("resources")?);
        let both = calls.is_none() && reads.is_none();
        self.forget_served();
        self.responder.set_manual(calls.or(both.then_some(true)), reads.or(both.then_some(true)));
        Ok(StepOutcome::nothing())
    }

    /// Answers a call or read that was left open, or reports its progress.
    pub(super) async fn answer(&self, step: &StepContext<'_>) -> StepResult {
        let id = match step.needed("call")? {
            Value::Object(frame) => frame.get("id").cloned().unwrap_or(Value::Null),
            id => id,
        };
        let asked = self.log.read(0, |all| {
            let frames = all.iter().rev().filter_map(|received| received.what.frame());
            let request = |frame: &&Value| {
                matches!(frame.get("type").and_then(Value::as_str), Some("tool_call" | "resource_read"))
                    && frame.get("id") == Some(&id)
            };
            frames.into_iter().find(request).cloned()
        });
        // An answer to something that was never asked is a scenario's right: it carries the session's own id.
        let asked = asked.unwrap_or_else(|| json!({ "session_id": self.session_id(), "id": id }));
        let mut frames = Vec::new();
        let (progress_made, message) = (step.value("progress")?, step.value("message")?);
        if progress_made.is_some() || message.is_some() {
            let mut report = Map::new();
            report.extend(progress_made.map(|made| ("progress".to_owned(), made)));
            report.extend(message.map(|message| ("message".to_owned(), message)));
            frames.push(progress(&asked, &Value::Object(report)));
        }
        if let Some(given) = given(step)? {
            frames.extend(reply(&asked, &given));
        }
        let Some(last) = frames.last().cloned() else {
            return Err(step.wrong("call", "is to be answered with `result`, `contents`, `error` or `progress`"));
        };
        for frame in &frames {
            self.transmit(step, frame).await?;
        }
        Ok(StepOutcome::of(last))
    }

    fn scripted(&self, step: &StepContext<'_>) -> Result<Reply, StepError> {
        if step.flag("never", false)? {
            return Ok(Reply::Never);
        }
        given(step)?.ok_or_else(|| step.wrong("result", "`contents`, `error` or `never` must be given"))
    }
}

fn given(step: &StepContext<'_>) -> Result<Option<Reply>, StepError> {
    Ok(if let Some(result) = step.value("result")? {
        Some(Reply::Result(result))
    } else if let Some(contents) = step.value("contents")? {
        Some(Reply::Contents(contents))
    } else {
        step.value("error")?.map(Reply::Error)
    })
}

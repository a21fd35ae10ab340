//! Requests that are left open and finished later, in any order.

use super::Client;
use super::lane::{NoAnswer, Opened};
use super::requests::plain;
use crate::engine::case_names::Operation;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_mock_client::session::Progress;
use serde_json::{Value, json};

impl Client {
    pub(super) async fn start_call(&self, step: &StepContext<'_>) -> StepResult {
        let (tool, args) = (step.needed("tool")?, step.value("args")?.unwrap_or_else(|| json!({})));
        let opened = self.lane()?.start_call(tool, Some(args), self.progress(step)?, step.deadline).await;
        self.keep(step, opened)
    }

    pub(super) async fn start_read(&self, step: &StepContext<'_>) -> StepResult {
        let params = json!({ "uri": step.needed("uri")? });
        let opened = self.lane()?.start("resources/read", Some(params), None, step.deadline).await;
        self.keep(step, opened)
    }

    pub(super) async fn start_request(&self, step: &StepContext<'_>) -> StepResult {
        let method = step.needed_text("method")?;
        let opened = self.lane()?.start(&method, step.value("params")?, step.value("id")?, step.deadline).await;
        self.keep(step, opened)
    }

    pub(super) async fn finish(&self, step: &StepContext<'_>) -> StepResult {
        let name = step.needed_text("op")?;
        step.names().operation(&self.name, &name)?;
        let Some(opened) = self.state().open.remove(&name) else {
            return Err(StepError::Unmet(format!("`{name}` was finished before, or its connection is gone")));
        };
        Ok(match self.lane()?.finish(opened, step.deadline).await {
            Ok(outcome) => StepOutcome::of(plain(outcome)),
            Err(why) => self.unanswered(&why),
        })
    }

    pub(super) async fn cancel(&self, step: &StepContext<'_>) -> StepResult {
        let operation = step.names().operation(&self.name, &step.needed_text("op")?)?;
        let reason = step.text("reason")?;
        Ok(match self.lane()?.cancel(&operation.handle, reason.as_deref(), step.deadline).await {
            Ok(()) => StepOutcome::nothing(),
            Err(why) => self.unanswered(&why),
        })
    }

    /// The progress token that the step asks for.
    pub(super) fn progress(&self, step: &StepContext<'_>) -> Result<Progress, StepError> {
        Ok(match step.value("progress")? {
            None | Some(Value::Null | Value::Bool(false)) => Progress::None,
            Some(Value::Bool(true)) => Progress::Fresh,
            Some(token) => Progress::Token(token),
        })
    }

    fn keep(&self, step: &StepContext<'_>, opened: Result<Opened, NoAnswer>) -> StepResult {
        let opened = match opened {
            Ok(opened) => opened,
            Err(why) => return Ok(self.unanswered(&why)),
        };
        let Some(name) = &step.action.bind else {
            return Err(step.wrong("as", "is missing: what is left open needs a name"));
        };
        let id = opened.id();
        let mut outcome = json!({ "id": id });
        if let Some(token) = opened.token() {
            outcome["token"] = token;
        }
        self.state().open.insert(name.clone(), opened);
        step.names().leave_open(name, Operation { actor: self.name.clone(), handle: id, list: None });
        Ok(StepOutcome::of(outcome))
    }
}

//! Requests that are left open and finished later, in any order.

use super::Client;
use super::asking::plain;
use super::lane::{NoAnswer, Opened};
use crate::engine::cue::Cue;
use crate::engine::outcome::{Deed, Done, Fault};
use crate::engine::world::Operation;
use iolite_mock_client::session::Progress;
use serde_json::{Value, json};

impl Client {
    pub(super) async fn start_call(&self, cue: &Cue<'_>) -> Done {
        let (tool, args) = (cue.needed("tool")?, cue.value("args")?.unwrap_or_else(|| json!({})));
        let opened = self.lane()?.start_call(tool, Some(args), self.progress(cue)?, cue.deadline).await;
        self.keep(cue, opened)
    }

    pub(super) async fn start_read(&self, cue: &Cue<'_>) -> Done {
        let params = json!({ "uri": cue.needed("uri")? });
        let opened = self.lane()?.start("resources/read", Some(params), None, cue.deadline).await;
        self.keep(cue, opened)
    }

    pub(super) async fn start_request(&self, cue: &Cue<'_>) -> Done {
        let method = cue.needed_text("method")?;
        let opened = self.lane()?.start(&method, cue.value("params")?, cue.value("id")?, cue.deadline).await;
        self.keep(cue, opened)
    }

    pub(super) async fn finish(&self, cue: &Cue<'_>) -> Done {
        let name = cue.needed_text("op")?;
        cue.world.operation(&self.name, &name)?;
        let Some(opened) = self.state().open.remove(&name) else {
            return Err(Fault::Unmet(format!("`{name}` was finished before, or its connection is gone")));
        };
        Ok(match self.lane()?.finish(opened, cue.deadline).await {
            Ok(outcome) => Deed::of(plain(outcome)),
            Err(why) => self.unanswered(&why),
        })
    }

    pub(super) async fn cancel(&self, cue: &Cue<'_>) -> Done {
        let operation = cue.world.operation(&self.name, &cue.needed_text("op")?)?;
        let reason = cue.text("reason")?;
        Ok(match self.lane()?.cancel(&operation.handle, reason.as_deref(), cue.deadline).await {
            Ok(()) => Deed::nothing(),
            Err(why) => self.unanswered(&why),
        })
    }

    /// The progress token that the step asks for.
    pub(super) fn progress(&self, cue: &Cue<'_>) -> Result<Progress, Fault> {
        Ok(match cue.value("progress")? {
            None | Some(Value::Null | Value::Bool(false)) => Progress::None,
            Some(Value::Bool(true)) => Progress::Fresh,
            Some(token) => Progress::Token(token),
        })
    }

    fn keep(&self, cue: &Cue<'_>, opened: Result<Opened, NoAnswer>) -> Done {
        let opened = match opened {
            Ok(opened) => opened,
            Err(why) => return Ok(self.unanswered(&why)),
        };
        let Some(name) = &cue.action.bind else {
            return Err(cue.wrong("as", "is missing: what is left open needs a name"));
        };
        let id = opened.id();
        let mut outcome = json!({ "id": id });
        if let Some(token) = opened.token() {
            outcome["token"] = token;
        }
        self.state().open.insert(name.clone(), opened);
        cue.world.leave_open(name, Operation { actor: self.name.clone(), handle: id, list: None });
        Ok(Deed::of(outcome))
    }
}

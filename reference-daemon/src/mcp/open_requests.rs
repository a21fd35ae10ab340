//! Requests of a client that are not answered yet. Each has a number of its own: a client may have two open with ids
//! that are easily confused, such as `1` and `"1"`.

use super::progress::next_value;
use super::request::Method;
use crate::rules::Rules;
use serde_json::{Number, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The open requests of one connection.
#[derive(Debug)]
pub struct OpenRequests {
    rules: Arc<Rules>,
    open: BTreeMap<u64, OpenRequest>,
    last_number: u64,
    latest_token: Option<Value>,
}

/// A request that is not answered yet.
#[derive(Clone, Debug)]
pub struct OpenRequest {
    /// The client's id, exactly as it was given.
    pub id: Value,
    /// What is asked for.
    pub method: Method,
    /// The resource it is about, if any.
    pub uri: Option<String>,
    /// The progress token, exactly as it was given.
    pub token: Option<Value>,
    progress: Option<f64>,
    /// Cancelled or answered, and kept for progress only.
    silent: bool,
}

impl OpenRequests {
    /// No request is open.
    pub fn new(rules: Arc<Rules>) -> Self {
        Self { rules, open: BTreeMap::new(), last_number: 0, latest_token: None }
    }

    /// Opens a request and gives its number.
    pub fn add(&mut self, id: Value, method: Method, uri: Option<String>, token: Option<Value>) -> u64 {
        if token.is_some() {
            self.latest_token.clone_from(&token);
        }
        if !self.rules.mcp.ids_told_apart {
            self.open.retain(|_, open| spelled(&open.id) != spelled(&id));
        }
        self.last_number += 1;
        let open = OpenRequest { id, method, uri, token, progress: None, silent: false };
        self.open.insert(self.last_number, open);
        self.last_number
    }

    /// Closes a request that is about to be answered; `None` where nobody waits for the answer.
    pub fn answered(&mut self, number: u64) -> Option<OpenRequest> {
        let open = self.open.remove(&number).filter(|open| !open.silent)?;
        if !self.rules.mcp.no_progress_after_answer && open.token.is_some() {
            self.open.insert(number, OpenRequest { silent: true, ..open.clone() });
        }
        Some(open)
    }

    /// The numbers of the requests that a cancellation of this id means. `initialize` cannot be cancelled.
    pub fn cancellable(&self, id: Option<&Value>) -> Vec<u64> {
        let meant = |open: &OpenRequest| Some(&open.id) == id && open.method != Method::Initialize;
        self.open.iter().filter(|(_, open)| meant(open)).map(|(number, _)| *number).collect()
    }

    /// Closes a request that was cancelled, and gives its id.
    pub fn cancelled(&mut self, number: u64) -> Option<Value> {
        let mut open = self.open.remove(&number)?;
        if !self.rules.mcp.no_progress_after_cancel {
            open.silent = true;
            self.open.insert(number, open);
            return None;
        }
        Some(open.id)
    }

    /// Request `number` is about no resource any more.
    pub fn leave_subscriptions(&mut self, number: u64) {
        if let Some(open) = self.open.get_mut(&number) {
            open.uri = None;
        }
    }

    /// Forgets a request without an answer.
    pub fn forget(&mut self, number: u64) {
        if self.open.get(&number).is_some_and(|open| !open.silent) {
            self.open.remove(&number);
        }
    }

    /// Whether request `number` asked for progress.
    pub fn wants_progress(&self, number: u64) -> bool {
        self.open.get(&number).is_some_and(|open| open.token.is_some())
    }

    /// The params that tell of progress of request `number`: under its own token, exactly as it was given, and only
    /// while it is open. The value strictly increases: one that does not, or that is missing, becomes the next larger
    /// number if there is a message to pass on, and nothing otherwise.
    pub fn progress(&mut self, number: u64, progress: Option<&Number>, message: Option<&str>) -> Option<Value> {
        let open = self.open.get_mut(&number)?;
        let unasked = (!self.rules.mcp.progress_when_asked).then(|| open.id.clone());
        let token = open.token.clone().or(unasked)?;
        let strict = self.rules.mcp.progress_increases;
        let (shown, value) = next_value(open.progress, progress, message.is_some(), strict)?;
        open.progress = Some(value);
        let token = match &self.latest_token {
            Some(latest) if !self.rules.mcp.progress_own_token => latest.clone(),
            _ => token,
        };
        let token = match token {
            Value::Number(number) if !self.rules.mcp.progress_token_verbatim => number.to_string().into(),
            token => token,
        };
        let mut params = json!({"progressToken": token, "progress": shown});
        if let Some(message) = message {
            params["message"] = message.into();
        }
        Some(params)
    }
}

/// An id as it reads, whether it is a number or a text.
fn spelled(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

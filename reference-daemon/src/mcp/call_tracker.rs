//! Which request of the client is which call at the daemon (`BRG-TOL-16`).
//!
//! The daemon names a call in `tool_call_started`, together with the id of the control request that asked for it, and
//! only on the connection that asked. So a call is known by an id nobody else uses, however many of the same tool
//! are open.

use crate::rpc_client::Event;
use serde_json::{Number, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// All open calls.
#[derive(Debug)]
pub struct CallTracker {
    open: Mutex<HashMap<u64, Call>>,
    /// Calls that have ended are forgotten. Only a bent rule table wants it otherwise.
    forgets: bool,
}

#[derive(Debug)]
struct Call {
    number: u64,
    id: watch::Sender<Option<String>>,
}

/// Progress of one request of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The client's request.
    pub number: u64,
    /// How far it is.
    pub value: Option<Number>,
    /// In words.
    pub message: Option<String>,
}

impl CallTracker {
    /// No call is open. `forgets` is the contract.
    pub fn new(forgets: bool) -> Self {
        Self { open: Mutex::default(), forgets }
    }

    /// Takes note that control request `request` makes the call the client asked for with its request `number`.
    /// The call is forgotten when what is returned is dropped.
    pub fn begin(self: &Arc<Self>, request: u64, number: u64) -> TrackedCall {
        let (send, receive) = watch::channel(None);
        self.open().insert(request, Call { number, id: send });
        TrackedCall { calls: Arc::clone(self), request, id: receive }
    }

    /// Takes note of an event about a call, and gives the progress it makes.
    pub fn note(&self, event: &Event) -> Option<Progress> {
        let id = event.text("callId")?;
        let mut open = self.open();
        match event.kind.as_str() {
            "tool_call_started" => {
                let request = event.data.get("requestId")?.as_u64()?;
                open.get(&request)?.id.send_replace(Some(id.to_owned()));
                None
            }
            "tool_call_progress" => {
                let call = open.values().find(|call| call.id.borrow().as_deref() == Some(id))?;
                let value = match event.data.get("progress") {
                    Some(Value::Number(value)) => Some(value.clone()),
                    _ => None,
                };
                Some(Progress { number: call.number, value, message: event.text("message").map(str::to_owned) })
            }
            // Progress that comes between this and the answer is dropped.
            "tool_call_finished" if self.forgets => {
                open.retain(|_, call| call.id.borrow().as_deref() != Some(id));
                None
            }
            _ => None,
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Call>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One open call.
#[derive(Debug)]
pub struct TrackedCall {
    calls: Arc<CallTracker>,
    request: u64,
    id: watch::Receiver<Option<String>>,
}

impl TrackedCall {
    /// The call's id, if the daemon has named it already.
    pub fn known_id(&self) -> Option<String> {
        self.id.borrow().clone()
    }

    /// Waits until the daemon has named the call.
    pub async fn call_id(&mut self) -> Option<String> {
        let named = self.id.wait_for(Option::is_some).await.ok()?;
        named.clone()
    }
}

impl Drop for TrackedCall {
    fn drop(&mut self) {
        if self.calls.forgets {
            self.calls.open().remove(&self.request);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(kind: &str, data: Value) -> Event {
        Event { kind: kind.to_owned(), session_id: Some("s".to_owned()), alias: None, seq: None, data }
    }

    #[tokio::test]
    async fn progress_finds_the_request_that_made_the_call() {
        let calls = Arc::new(CallTracker::new(true));
        let mut first = calls.begin(10, 1);
        let second = calls.begin(11, 2);
        let started = |id: &str, request: Value| {
            event("tool_call_started", json!({"callId": id, "name": "same", "requestId": request}))
        };
        calls.note(&started("foreign", Value::Null));
        calls.note(&started("b", json!(11)));
        calls.note(&started("a", json!(10)));
        assert_eq!(first.call_id().await.as_deref(), Some("a"));
        let progress = |id: &str| {
            let data = json!({"callId": id, "progress": 0.5, "message": "m"});
            calls.note(&event("tool_call_progress", data))
        };
        assert_eq!(progress("foreign"), None);
        assert_eq!(progress("a").map(|progress| progress.number), Some(1));
        assert_eq!(
            progress("b"),
            Some(Progress { number: 2, value: Number::from_f64(0.5), message: Some("m".to_owned()) })
        );
        drop(second);
        assert_eq!(progress("b"), None);
        calls.note(&event("tool_call_finished", json!({"callId": "a"})));
        assert_eq!(progress("a"), None);
    }
}

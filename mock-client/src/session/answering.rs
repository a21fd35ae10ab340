//! What a client does when the server asks something.

use crate::raw::{Arrived, Cursor, Link, Message};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::task::JoinHandle;

/// How requests from the server are answered. In revisions where a server may send none, none is answered: there a client
/// must not write responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answering {
    /// Like a client without capabilities: `ping` with `{}`, everything else with -32601.
    #[default]
    Plain,
    /// Not at all; the scenario answers, or lets the server wait.
    Silent,
}

/// The task that answers; it ends with the session.
#[derive(Debug)]
pub(super) struct Answerer(JoinHandle<()>);

impl Answerer {
    pub(super) fn start(link: &Arc<Link>, answering: Answering) -> Option<Self> {
        match answering {
            Answering::Silent => None,
            Answering::Plain => Some(Self(tokio::spawn(answer_all(Arc::clone(link))))),
        }
    }
}

impl Drop for Answerer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn answer_all(link: Arc<Link>) {
    let is_request = |arrived: &Arrived| matches!(arrived.message, Message::Request { .. });
    let mut after = Cursor::START;
    while let Some(arrived) = link.next(after, is_request).await {
        after = arrived.cursor;
        if let Message::Request { id, method, .. } = &arrived.message
            && link.send(&answer(id, method)).await.is_err()
        {
            return;
        }
    }
}

fn answer(id: &Value, method: &str) -> Value {
    match method {
        "ping" => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
        _ => json!({
            "jsonrpc": "2.0",
            "id": id,
            "error": { "code": -32601, "message": format!("this client does not serve {method}") },
        }),
    }
}

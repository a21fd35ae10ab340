//! Operations that are begun now and finished later, in any order.

use super::error::CallError;
use super::{Client, Session};
use crate::outcome::Outcome;
use crate::raw::{PendingId, SendError};
use serde_json::{Map, Value, json};
use std::sync::atomic::Ordering;
use tokio::time::Instant;

/// A request that was sent and not waited for yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// Its id and where in the log it was sent.
    pub pending: PendingId,
    /// The progress token it carried.
    pub token: Option<Value>,
}

/// Which progress token a call carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Progress {
    /// None: the server must not report progress.
    #[default]
    None,
    /// One that no other call of this session has: the text `progress-` and a number.
    Fresh,
    /// This one, whatever it is.
    Token(Value),
}

impl Session {
    /// Sends any request; [`finish`](Self::finish) waits for its answer.
    ///
    /// # Errors
    ///
    /// [`SendError`] when the server's input is closed or full.
    pub async fn start(&self, method: &str, params: Option<Value>) -> Result<Open, SendError> {
        let params = self.enveloped(method, params);
        let pending = self.lane.request(method, params).await?;
        Ok(Open { pending, token: None })
    }

    /// Sends any request under any id.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    pub async fn start_as(&self, id: Value, method: &str, params: Option<Value>) -> Result<Open, SendError> {
        let params = self.enveloped(method, params);
        let pending = self.lane.request_as(id, method, params).await?;
        Ok(Open { pending, token: None })
    }

    /// Sends `tools/call`; `arguments` `None` leaves the member out.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    pub async fn start_call(
        &self,
        tool: &str,
        arguments: Option<Value>,
        progress: Progress,
    ) -> Result<Open, SendError> {
        let token = match progress {
            Progress::None => None,
            Progress::Fresh => Some(self.fresh_token()),
            Progress::Token(token) => Some(token),
        };
        let mut params = Map::new();
        params.insert("name".into(), tool.into());
        if let Some(arguments) = arguments {
            params.insert("arguments".into(), arguments);
        }
        if let Some(token) = &token {
            params.insert("_meta".into(), json!({ "progressToken": token }));
        }
        let open = self.start("tools/call", Some(params.into())).await?;
        Ok(Open { token, ..open })
    }

    /// Waits for the answer to an open request.
    ///
    /// # Errors
    ///
    /// [`CallError::Wait`] when none came in time; it carries all that came.
    pub async fn finish(&self, open: &Open, deadline: Instant) -> Result<Outcome, CallError> {
        Ok(self.lane.outcome(&open.pending, deadline).await?)
    }

    /// Sends `notifications/cancelled` for a request, open or not.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start).
    pub async fn cancel(&self, id: &Value, reason: Option<&str>) -> Result<(), SendError> {
        let mut params = json!({ "requestId": id });
        if let (Some(reason), Some(params)) = (reason, params.as_object_mut()) {
            params.insert("reason".into(), reason.into());
        }
        self.lane.notify("notifications/cancelled", Some(params)).await
    }

    fn fresh_token(&self) -> Value {
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        format!("progress-{number}").into()
    }

    /// Adds what a revision without handshake demands in every request; members the caller gave stay as they are.
    fn enveloped(&self, method: &str, params: Option<Value>) -> Option<Value> {
        if self.revision.facts().handshake || method == "initialize" {
            return params;
        }
        let mut params = match params {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            other => return other,
        };
        let Client { capabilities, info } = &self.client;
        let demanded = [
            ("protocolVersion", self.revision.name().into()),
            ("clientCapabilities", capabilities.clone()),
            ("clientInfo", info.clone()),
        ];
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        if let Value::Object(meta) = meta {
            for (name, value) in demanded {
                let key = format!("io.modelcontextprotocol/{name}");
                meta.entry(key).or_insert(value);
            }
        }
        Some(params.into())
    }
}

//! What the SDK hands us: notifications into a queue, the server's requests answered like a client without capabilities.

use crate::outcome::Notification;
use rmcp::model::{ClientConfig, ClientResult, ErrorCode, ErrorData, ServerNotification, ServerRequest};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, Service};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio::time::Instant;

/// The client's side of the SDK's service.
pub(super) struct Listener {
    pub(super) config: ClientConfig,
    pub(super) heard: ListenerLog,
}

impl Service<RoleClient> for Listener {
    async fn handle_request(
        &self,
        request: ServerRequest,
        _context: RequestContext<RoleClient>,
    ) -> Result<ClientResult, ErrorData> {
        match request {
            ServerRequest::PingRequest(_) => Ok(ClientResult::empty(())),
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this client serves ping only", None)),
        }
    }

    async fn handle_notification(
        &self,
        notification: ServerNotification,
        context: NotificationContext<RoleClient>,
    ) -> Result<(), ErrorData> {
        let meta = serde_json::to_value(&context.meta).unwrap_or_default();
        self.heard.push(&notification, meta);
        Ok(())
    }

    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }
}

/// The queue of notifications the SDK made sense of. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct ListenerLog(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    queue: Mutex<VecDeque<Notification>>,
    changed: watch::Sender<()>,
}

/// How many notifications wait in the queue before the oldest are dropped; the transcript has them all.
const QUEUED: usize = 100_000;

impl ListenerLog {
    /// Takes a notification back to the JSON it came from. The SDK parts `_meta` from the params; `meta` puts it back.
    ///
    /// The SDK does not tell an empty object from an absent one; both count as absent here.
    pub(super) fn push(&self, notification: &ServerNotification, meta: Value) {
        let mut message = serde_json::to_value(notification).unwrap_or_default();
        let method = message.get("method").and_then(Value::as_str);
        let method = method.unwrap_or_default().to_owned();
        let mut params = match message.get_mut("params").map(Value::take) {
            Some(Value::Object(params)) => params,
            _ => Map::new(),
        };
        if has_members(&meta) {
            params.insert("_meta".into(), meta);
        } else if !params.get("_meta").is_some_and(has_members) {
            params.shift_remove("_meta");
        }
        let params = (!params.is_empty()).then(|| params.into());
        let mut queue = self.lock();
        if queue.len() == QUEUED {
            queue.pop_front();
        }
        queue.push_back(Notification { method, params });
        drop(queue);
        self.0.changed.send_replace(());
    }

    pub(super) async fn next(&self, deadline: Instant) -> Option<Notification> {
        let mut changed = self.0.changed.subscribe();
        loop {
            changed.mark_unchanged();
            if let Some(notification) = self.lock().pop_front() {
                return Some(notification);
            }
            tokio::time::timeout_at(deadline, changed.changed()).await.ok()?.ok()?;
        }
    }

    pub(super) fn drain(&self) -> Vec<Notification> {
        self.lock().drain(..).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Notification>> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has_members(value: &Value) -> bool {
    value.as_object().is_some_and(|members| !members.is_empty())
}

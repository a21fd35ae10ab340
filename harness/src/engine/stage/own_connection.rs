//! The harness's own control connection: what the engine asks the daemon for itself.

use super::Stage;
use crate::engine::control::Control;
use crate::engine::step_outcome::StepError;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::time::Instant;

impl Stage {
    /// The harness's own connection, opened and subscribed to all events when it is not there.
    pub(in crate::engine) async fn own(&self) -> Result<Arc<Control>, StepError> {
        let mut own = self.own.lock().await;
        if let Some(control) = own.as_ref().filter(|control| control.ended().is_none()) {
            return Ok(Arc::clone(control));
        }
        let deadline = self.pace.deadline(None);
        let connection = self.own_count.fetch_add(1, Ordering::SeqCst) + 1;
        let opened = Control::connect(&self.socket()?, "harness", connection, self.tap(), deadline).await;
        let control = Arc::new(opened?);
        if self.target.claims("events") {
            let answer = control.call("events.subscribe", Some(json!({})), deadline).await?;
            if let Some(error) = answer.get("error") {
                return Err(StepError::Unmet(format!("the harness could not subscribe to events: {error}")));
            }
        }
        *own = Some(Arc::clone(&control));
        Ok(control)
    }

    /// Calls a method on the harness's own connection: the result, or `{"error": …}`.
    pub(in crate::engine) async fn rpc(&self, method: &str, params: Option<Value>) -> Result<Value, StepError> {
        self.rpc_until(method, params, self.pace.deadline(None)).await
    }

    /// The same with a deadline.
    pub(in crate::engine) async fn rpc_until(
        &self,
        method: &str,
        params: Option<Value>,
        deadline: Instant,
    ) -> Result<Value, StepError> {
        let control = self.own().await?;
        let id = control.start(method, params, None, deadline).await?;
        let (answer, took) = control.finish(&id, deadline).await?;
        self.pace.learn(took);
        Ok(answer)
    }

    /// Calls several methods in one round trip: their results, or `{"error": …}`, in the same order.
    pub(in crate::engine) async fn rpc_together(
        &self,
        requests: Vec<(&str, Option<Value>)>,
        deadline: Instant,
    ) -> Result<Vec<Value>, StepError> {
        let control = self.own().await?;
        let ids = control.start_all(requests, deadline).await?;
        let mut answers = Vec::with_capacity(ids.len());
        for id in &ids {
            let (answer, took) = control.finish(id, deadline).await?;
            self.pace.learn(took);
            answers.push(answer);
        }
        Ok(answers)
    }
}

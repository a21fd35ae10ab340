//! HTTP spoken by hand at the app port, beside the app's sockets (`BRG-CON-19`).

use super::App;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_mock_app::socket::{ConnectionRecorder, HttpExchange};
use iolite_mock_app::tls::Trust;
use serde_json::json;

impl App {
    /// Opens a connection and writes what the step says.
    pub(super) async fn send_http(&self, step: &StepContext<'_>) -> StepResult {
        let bytes = step.bytes("bytes")?.unwrap_or_default();
        let finish = step.flag("finish", false)?;
        let link = self.link(step).await?;
        let number = step.record.next_connection(&self.name);
        let recorder = ConnectionRecorder::new(self.owner.tap.clone(), &self.name, number);
        let trust = link.pin.map_or(Trust::AnyKey, Trust::Pinned);
        let unmet = |why: String| StepError::Unmet(format!("no HTTP at the app port: {why}"));
        let mut exchange = HttpExchange::open(link.address, trust, recorder, step.deadline)
            .await
            .map_err(|error| unmet(error.to_string()))?;
        exchange.send(&bytes, finish).await.map_err(|error| unmet(error.to_string()))?;
        self.state().http = Some(exchange);
        Ok(StepOutcome::nothing())
    }

    /// Waits for the answer and the end of the connection.
    pub(super) async fn expect_http(&self, step: &StepContext<'_>) -> StepResult {
        let exchange = self.state().http.take();
        let exchange = exchange.ok_or_else(|| StepError::Unmet(format!("{} has sent no HTTP", self.name)))?;
        let answer = exchange.answer(step.deadline).await;
        let text = String::from_utf8_lossy(&answer.bytes).into_owned();
        let mut outcome = json!({ "text": text, "ended": answer.ended });
        if let Some(status) = answer.status {
            outcome["status"] = status.into();
        }
        let matched = step.matcher_of(&[("status", "status"), ("ended", "ended"), ("text", "text")])?.check(&outcome);
        let mut done = StepOutcome::of(outcome);
        if !matched.matched {
            done.violated = Some(format!("the answer is different: {}", matched.message()));
        }
        step.bind_all(matched.captures);
        Ok(done)
    }
}

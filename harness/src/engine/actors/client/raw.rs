//! Messages and bytes as written.

use super::Client;
use super::lane::{NoAnswer, cursor_at, shown, value_of};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepOutcome, StepResult};
use crate::scenario::matcher::Matcher;
use iolite_mock_client::raw::{Message, SendError};

impl Client {
    pub(super) async fn notify(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let method = step.needed_text("method")?;
        let sent = lane.raw()?.lane().notify(&method, step.value("params")?).await;
        Ok(self.sent(sent))
    }

    pub(super) async fn send(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let message = step.evaluate(step.body())?;
        self.note_raw(step);
        let sent = lane.raw()?.lane().send(&message).await;
        Ok(self.sent(sent))
    }

    pub(super) async fn send_line(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let mut bytes = step.needed_bytes("text")?;
        self.note_raw(step);
        let lane = lane.raw()?.lane();
        let sent = match std::str::from_utf8(&bytes) {
            Ok(text) => lane.send_text(text).await,
            Err(_) => {
                bytes.push(b'\n');
                lane.send_bytes(&bytes).await
            }
        };
        Ok(self.sent(sent))
    }

    pub(super) async fn send_bytes(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let bytes = step.needed_bytes("bytes")?;
        self.note_raw(step);
        let sent = lane.raw()?.lane().send_bytes(&bytes).await;
        Ok(self.sent(sent))
    }

    pub(super) async fn expect_response(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of_body()?;
        self.expect_line(step, "response", &matcher, |message| matches!(message, Message::Response(_))).await
    }

    pub(super) async fn expect_message(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of_body()?;
        self.expect_line(step, "message", &matcher, |_| true).await
    }

    /// Waits for the first line that no step has used and that fits.
    async fn expect_line(
        &self,
        step: &StepContext<'_>,
        what: &str,
        matcher: &Matcher,
        is: impl Fn(&Message) -> bool,
    ) -> StepResult {
        let lane = self.lane()?;
        let session = lane.raw()?;
        let taken = self.state().notification_log.taken();
        let from = self.state().notification_log.looked();
        let arrived = session.lane().wait(cursor_at(session, 0), step.deadline, what, |arrived| {
            !taken.contains(&arrived.cursor.position()) && is(&arrived.message) && matcher.matches(&value_of(arrived))
        });
        Ok(match arrived.await {
            Ok(arrived) => {
                let value = value_of(&arrived);
                step.bind_all(matcher.check(&value).captures);
                self.state().notification_log.take(arrived.cursor.position());
                StepOutcome::of(value)
            }
            Err(error) => {
                let since = shown(&session.lane().since(cursor_at(session, from)));
                let why = NoAnswer { arrived: since, ..NoAnswer::from(error) };
                self.unanswered(&why)
            }
        })
    }

    fn note_raw(&self, step: &StepContext<'_>) {
        let connection = self.state().connection;
        step.record.note_client(&self.name, connection, |metadata| metadata.raw = true);
    }

    fn sent(&self, sent: Result<(), SendError>) -> StepOutcome {
        match sent {
            Ok(()) => StepOutcome::nothing(),
            Err(error) => self.unanswered(&NoAnswer::from(error)),
        }
    }
}

//! A mock MCP client as a scenario plays it.

mod fence;
mod lane;
mod lifecycle;
mod notification_log;
mod notifications;
mod open_requests;
mod raw;
mod requests;
mod state;

use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::StepResult;

pub(in crate::engine) use state::Client;

impl Client {
    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "start" => self.start(step).await,
            "connect" => self.connect(step).await,
            "initialized" => self.initialized(step).await,
            "close_stdin" => self.close_stdin(),
            "kill" => self.kill().await,
            "stop" => self.stop(step).await,
            "expect_exit" => self.expect_exit(step).await,
            "list_tools" => self.list_tools(step).await,
            "list_resources" => self.list_resources(step).await,
            "list_templates" => self.list_templates(step).await,
            "read" => self.read(step).await,
            "call" => self.call(step).await,
            "subscribe" => self.subscribe(step).await,
            "unsubscribe" => self.unsubscribe(step).await,
            "ping" => self.ask(step, "ping", None).await,
            "fallback_list" => self.fallback_list(step).await,
            "fallback_read" => self.fallback_read(step).await,
            "start_call" => self.start_call(step).await,
            "start_read" => self.start_read(step).await,
            "start_request" => self.start_request(step).await,
            "finish" => self.finish(step).await,
            "cancel" => self.cancel(step).await,
            "request" => self.request(step).await,
            "notify" => self.notify(step).await,
            "send" => self.send(step).await,
            "send_line" => self.send_line(step).await,
            "send_bytes" => self.send_bytes(step).await,
            "expect_response" => self.expect_response(step).await,
            "expect_message" => self.expect_message(step).await,
            "expect_notification" => self.expect_notification(step).await,
            "expect_no_notification" => self.expect_no_notification(step).await,
            "expect_notifications" => self.expect_notifications(step).await,
            "mark" => self.mark(step),
            _ => Err(step.unknown_verb("a client")),
        }
    }
}

//! A mock app as a scenario plays it.

mod closing;
mod connection;
mod expectations;
mod fence;
mod frames;
mod http;
mod lifecycle;
mod received;
mod register;
mod registry;
mod responder;
mod serve;
mod state;
mod unaffected;

use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::StepResult;

pub(in crate::engine) use state::{App, AppOptions};

impl App {
    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "connect" => self.connect(step).await,
            "open" => self.open(step).await,
            "claim" => self.claim(step).await,
            "resume_frame" => self.resume_frame(step).await,
            "expect_ack" => self.expect_ack(step).await,
            "resume" => self.resume(step).await,
            "resume_attempt" => self.resume_attempt(step).await,
            "close" => self.close(step).await,
            "drop" => self.drop_socket(step).await,
            "ignore_close" => self.ignore_close(),
            "stop_pongs" => self.stop_pongs(),
            "ping" => self.ping(step).await,
            "send" => self.send(step).await,
            "send_text" => self.send_text(step).await,
            "send_binary" => self.send_binary(step).await,
            "send_frames" => self.send_frames(step).await,
            "send_raw" => self.send_raw(step).await,
            "send_http" => self.send_http(step).await,
            "tools" | "resources" | "upsert_tool" | "remove_tool" | "upsert_resource" | "remove_resource" => {
                self.register(step).await
            }
            "post_event" => self.post_event(step).await,
            "fence" => self.fence_step(step).await,
            "settle" => self.settle_step(step).await,
            "serve" => self.serve(step),
            "manual" => self.manual(step),
            "expect_call" => self.expect_call(step).await,
            "expect_read" => self.expect_read(step).await,
            "expect_cancel" => self.expect_cancel(step).await,
            "answer" => self.answer(step).await,
            "expect_frame" => self.expect_frame(step).await,
            "expect_none" => self.expect_none(step).await,
            "expect_close" => self.expect_close(step).await,
            "expect_closed" => self.expect_closed(step).await,
            "expect_pong" => self.expect_pong(step).await,
            "expect_http" => self.expect_http(step).await,
            "expect_ping" => self.expect_ping(step).await,
            "is_unaffected" => self.is_unaffected(step).await,
            _ => Err(step.unknown_verb("app")),
        }
    }
}

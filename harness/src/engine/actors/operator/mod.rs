//! Someone at the control RPC, the command line and the state folder.

mod command_line;
mod events;
mod files;
mod requests;
mod state;

use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::StepResult;

pub(in crate::engine) use state::Operator;

impl Operator {
    /// Does what a step says.
    pub(in crate::engine) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match step.verb() {
            "rpc" => self.rpc(step).await,
            "start_rpc" => self.start_rpc(step).await,
            "finish" => self.finish(step).await,
            "link" => self.link(step).await,
            "sessions" => self.sessions(step).await,
            "revoke" => self.simple(step, "sessions.revoke", &["selector"]).await,
            "events" => self.simple(step, "events.since", &["selector", "since", "kinds", "limit"]).await,
            "subscribe" => self.simple(step, "events.subscribe", &["sessionSelector", "kinds"]).await,
            "expect_event" => self.expect_event(step).await,
            "expect_no_event" => self.expect_no_event(step).await,
            "mark" => self.mark(step).await,
            "send_line" => self.send_line(step).await,
            "send_bytes" => self.send_bytes(step).await,
            "expect_line" => self.expect_line(step).await,
            "expect_end" => self.expect_end(step).await,
            "disconnect" => self.disconnect().await,
            "reconnect" => self.reconnect(step).await,
            "cli" => self.cli(step).await,
            "audit" => files::audit(step).await,
            "logs" => files::logs(step).await,
            "stat" => files::stat(step).await,
            "read_file" => files::read_file(step).await,
            "files" => files::files(step).await,
            "chmod" => files::chmod(step).await,
            _ => Err(step.unknown_verb("an operator")),
        }
    }
}

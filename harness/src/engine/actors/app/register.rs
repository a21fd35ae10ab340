//! Steps that tell the daemon what an app offers.

use super::App;
use super::registry::{remove, upsert};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepOutcome, StepResult};
use serde_json::json;

impl App {
    /// `tools`, `resources`, and the four deltas.
    pub(super) async fn register(&self, step: &StepContext<'_>) -> StepResult {
        let session = self.needed_session()?;
        let frame = match step.verb() {
            "tools" => {
                json!({ "type": "tool_registry_snapshot", "session_id": session, "tools": step.needed("list")? })
            }
            "resources" => {
                json!({ "type": "resource_registry_snapshot", "session_id": session, "resources": step.needed("list")? })
            }
            "upsert_tool" => upsert(&session, "tool", step.needed("tool")?),
            "upsert_resource" => upsert(&session, "resource", step.needed("resource")?),
            "remove_tool" => remove(&session, "tool", step.needed("name")?),
            _ => remove(&session, "resource", step.needed("name")?),
        };
        self.transmit(step, &frame).await?;
        if step.flag("settle", true)? {
            self.need_fence(step).await?;
        }
        Ok(StepOutcome::of(frame))
    }
}

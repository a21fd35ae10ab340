//! Events as they happen, and their absence.

use super::Operator;
use super::requests::missing_line;
use crate::engine::control::event::event_params;
use crate::engine::control::{Line, LineKind};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult, counted};
use serde_json::{Value, json};

impl Operator {
    pub(super) async fn expect_event(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of_body()?;
        let control = match self.control(step).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        let from = self.looked();
        let stage = step.stage;
        let found = control.log().wait(0, step.deadline, |line| {
            if line.taken || !is_from_scenario(line, stage) {
                return None;
            }
            let event = event_params(&line.value);
            let matched = matcher.check(&event);
            matched.matched.then(|| {
                line.taken = true;
                (event, matched.captures)
            })
        });
        Ok(match found.await {
            Ok((position, (event, captures))) => {
                step.bind_all(captures);
                self.look_up_to(position + 1);
                StepOutcome::of(event)
            }
            Err(unmet) => missing_line("no event that fits", &control, from, &unmet),
        })
    }

    pub(super) async fn expect_no_event(&self, step: &StepContext<'_>) -> StepResult {
        let members = ["kind", "sessionId", "alias", "data"].map(|name| (name, name));
        let matcher = step.matcher_of(&members)?;
        let control = match self.control(step).await {
            Ok(control) => control,
            Err(missing) => return missing.done(),
        };
        let from = match step.text("since")? {
            Some(mark) => self.since(step.names().mark(&self.name, &mark)?),
            None => self.looked(),
        };
        let heard_any = control.log().read(0, |lines| lines.iter().any(|line| line.kind == LineKind::Event));
        if !heard_any && !self.state().subscribed {
            let why = format!("{} has not subscribed to events, so its silence says nothing", self.name);
            return Err(StepError::Broken(why));
        }
        let fenced = step.fence_events(step.text("fence")?.as_deref(), &control).await;
        let stage = step.stage;
        let events: Vec<Value> = control.log().read(from, |lines| {
            let relevant = lines.iter().filter(|line| !line.taken && is_from_scenario(line, stage));
            relevant.map(|line| event_params(&line.value)).filter(|event| matcher.matches(event)).collect()
        });
        self.look_up_to(control.log().position());
        // What came breaks a silence even if nothing ends it; an expectation of its own needs to know that this is all.
        if events.is_empty() || step.expects() {
            fenced?;
        }
        let mut result = StepOutcome::of(json!({ "count": events.len(), "events": events }));
        if !events.is_empty() && !step.expects() {
            let count = counted(events.len(), "event");
            result.violated = Some(format!("{count} came that should not have"));
            result.arrived = events;
        }
        Ok(result)
    }

    pub(super) async fn mark(&self, step: &StepContext<'_>) -> StepResult {
        let Some(name) = &step.action.bind else { return Err(step.wrong("as", "is missing: a mark needs a name")) };
        let position = match self.newest().await {
            Some(control) => control.log().position(),
            None => 0,
        };
        let connection = self.state().connection;
        step.names().set_mark(&self.name, name, pack(connection, position));
        Ok(StepOutcome::nothing())
    }

    /// Where a mark stands in the log of the connection that is open now; at its start when the mark is older.
    fn since(&self, mark: u64) -> usize {
        let (connection, position) = unpack(mark);
        if connection == self.state().connection { position } else { 0 }
    }
}

/// Whether a line is an event that the scenario made, not a fence.
fn is_from_scenario(line: &Line, stage: &crate::engine::stage::Stage) -> bool {
    line.kind == LineKind::Event && !line.ours && !stage.fences().made_event(&line.value)
}

fn pack(connection: u32, position: usize) -> u64 {
    (u64::from(connection) << 32) | u64::try_from(position).unwrap_or_default() & u64::from(u32::MAX)
}

fn unpack(mark: u64) -> (u32, usize) {
    let connection = u32::try_from(mark >> 32).unwrap_or_default();
    (connection, usize::try_from(mark & u64::from(u32::MAX)).unwrap_or_default())
}

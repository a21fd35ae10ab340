//! Steps that wait for notifications, or for their absence.

use super::Client;
use super::lane::Heard;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult, counted};
use crate::scenario::matcher::{MatchOutcome, Matcher};
use serde_json::{Value, json};

impl Client {
    pub(super) async fn expect_notification(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of_body()?;
        let lane = self.lane()?;
        let notification_log = self.state().notification_log.clone();
        let from = notification_log.looked();
        let found = lane.wait(from, step.deadline, |heard| {
            notification_log.is_fresh(heard.place) && check(&matcher, heard).matched
        });
        Ok(match found.await {
            Ok(heard) => {
                step.bind_all(check(&matcher, &heard).captures);
                self.state().notification_log.take(heard.place);
                StepOutcome::of(heard.to_json())
            }
            Err(mut why) => {
                why.arrived = lane.shown(from);
                self.unanswered(&why)
            }
        })
    }

    pub(super) async fn expect_no_notification(&self, step: &StepContext<'_>) -> StepResult {
        let found = self.all_up_to_fence(step, true).await?;
        let notifications: Vec<Value> = found.iter().map(Heard::to_json).collect();
        let mut result = StepOutcome::of(json!({ "count": notifications.len(), "notifications": notifications }));
        if !notifications.is_empty() && !step.expects() {
            let count = counted(notifications.len(), "notification");
            result.violated = Some(format!("{count} came that should not have"));
            result.arrived = notifications;
        }
        Ok(result)
    }

    pub(super) async fn expect_notifications(&self, step: &StepContext<'_>) -> StepResult {
        let found = self.all_up_to_fence(step, false).await?;
        Ok(StepOutcome::of(found.iter().map(Heard::to_json).collect::<Value>()))
    }

    pub(super) fn mark(&self, step: &StepContext<'_>) -> StepResult {
        let Some(name) = &step.action.bind else { return Err(step.wrong("as", "is missing: a mark needs a name")) };
        let position = self.lane()?.position();
        self.state().notification_log.look_up_to(position);
        step.names().set_mark(&self.name, name, position);
        Ok(StepOutcome::nothing())
    }

    /// The notifications that fit, from a mark (or the last look) up to a fence.
    async fn all_up_to_fence(&self, step: &StepContext<'_>, fresh_only: bool) -> Result<Vec<Heard>, StepError> {
        let matcher = step.matcher_of(&[("method", "method"), ("params", "params")])?;
        let from = match step.text("since")? {
            Some(mark) => step.names().mark(&self.name, &mark)?,
            None => self.state().notification_log.looked(),
        };
        let about_tools = check(&matcher, &list_changed("tools")).matched;
        let fenced = step.fence_notifications(step.text("fence")?.as_deref(), &self.name, about_tools).await;
        let lane = self.lane()?;
        let end = *fenced.as_ref().unwrap_or(&lane.position());
        let notification_log = self.state().notification_log.clone();
        let mut found = lane.heard(from);
        found.retain(|heard| {
            let counts = if fresh_only {
                notification_log.is_fresh(heard.place)
            } else {
                notification_log.is_from_scenario(heard.place)
            };
            heard.place <= end && counts && check(&matcher, heard).matched
        });
        // What came breaks a silence even if nothing ends it; an expectation of its own needs to know that this is all.
        if !fresh_only || found.is_empty() || step.expects() {
            fenced?;
        }
        self.state().notification_log.look_up_to(end);
        Ok(found)
    }
}

/// Holds a notification against a matcher; `notifications/` may be left out of the method.
fn check(matcher: &Matcher, heard: &Heard) -> MatchOutcome {
    let whole = matcher.check(&heard.to_json());
    if whole.matched {
        return whole;
    }
    match heard.method.strip_prefix("notifications/") {
        Some(short) => {
            let matched = matcher.check(&Heard { method: short.to_owned(), ..heard.clone() }.to_json());
            if matched.matched { matched } else { whole }
        }
        None => whole,
    }
}

fn list_changed(what: &str) -> Heard {
    Heard { place: 0, method: format!("notifications/{what}/list_changed"), params: None }
}

//! Whether an app that did nothing wrong has noticed anything.

use super::received::ReceivedKind;
use super::{App, received};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl App {
    pub(super) async fn is_unaffected(&self, step: &StepContext<'_>) -> StepResult {
        let (session, alias, registry) = {
            let state = self.state();
            (state.session_id.clone(), state.alias.clone(), state.registry.clone())
        };
        let (Some(session), Some(alias)) = (session, alias) else {
            return Err(StepError::Unmet(format!("{} has no session", self.name)));
        };
        let number = self.current()?.number;
        let compared = self.compare(step, number, &session, &alias, &registry).await;
        self.discard_received();
        match compared {
            // It did what an app does, and the daemon does not answer any more.
            Err(StepError::Unmet(why)) => {
                Ok(StepOutcome::violated(format!("{} is no longer served: {why}", self.name), Vec::new()))
            }
            done => done,
        }
    }

    async fn compare(
        &self,
        step: &StepContext<'_>,
        number: u32,
        session: &str,
        alias: &str,
        registry: &super::registry::Registry,
    ) -> StepResult {
        let stage = step.stage;
        if let Some(closing) = received::closing(&self.log, number) {
            let why = format!("{}'s socket was ended: {closing}", self.name);
            return Ok(StepOutcome::violated(why, self.shown_since(0)).gone());
        }
        if let Err(unmet) = self.fence(stage, step.deadline).await? {
            let why = format!("what {} sends no longer gets through: {unmet}", self.name);
            return Ok(StepOutcome::violated(why, self.shown_since(0)));
        }
        let unexpected = self.unexpected();
        if !unexpected.is_empty() {
            return Ok(StepOutcome::violated(
                format!("{} was sent something that concerns it not at all", self.name),
                unexpected,
            ));
        }
        // One after the other would be three round trips; nothing depends on their order.
        let own_lists = [("tools", "tools.list"), ("resources", "resources.list")];
        let own_lists = own_lists.into_iter().filter(|(feature, _)| stage.target().claims(feature));
        let asked = own_lists.clone().map(|(_, method)| (method, Some(json!({ "selector": session }))));
        let requests = std::iter::once(("sessions.list", Some(json!({})))).chain(asked).collect();
        let mut answers = stage.rpc_together(requests, step.deadline).await?.into_iter();
        let listed = answers.next().unwrap_or_default();
        let mut lists: BTreeMap<&str, Value> = own_lists.map(|(feature, _)| feature).zip(answers).collect();
        let sessions = listed.get("sessions").unwrap_or(&listed).as_array().cloned().unwrap_or_default();
        let own =
            sessions.into_iter().find(|summary| summary.get("sessionId").and_then(Value::as_str) == Some(session));
        let Some(own) = own else {
            return Ok(StepOutcome::violated(format!("{}'s session is no longer listed", self.name), vec![listed]));
        };
        for (member, wanted) in [("alias", alias), ("state", "active")] {
            if own.get(member).and_then(Value::as_str) != Some(wanted) {
                let found = own.get(member).cloned().unwrap_or_default();
                return Ok(StepOutcome::violated(
                    format!("{}'s {member} is {found}, not {wanted:?}", self.name),
                    vec![own],
                ));
            }
        }
        let mut outcome = json!({ "alias": alias, "state": "active" });
        for (feature, wanted) in [("tools", &registry.tools), ("resources", &registry.resources)] {
            let Some(answer) = lists.remove(feature) else { continue };
            let found = answer.get(feature).unwrap_or(&answer).as_array().cloned();
            let Some(found) = found else {
                return Ok(StepOutcome::violated(
                    format!("{feature}.list of {} gave no list", self.name),
                    vec![answer],
                ));
            };
            if let Some(difference) = difference(wanted, &found) {
                return Ok(StepOutcome::violated(format!("{}'s {feature} changed: {difference}", self.name), found));
            }
            outcome[feature] = Value::Array(found);
        }
        Ok(StepOutcome::of(outcome))
    }

    /// What came that no step used and that an app may not get without having done something.
    fn unexpected(&self) -> Vec<Value> {
        self.log.read(0, |all| {
            let odd = all.iter().filter(|received| {
                !received.taken
                    && !received.ours
                    && !received.served
                    && match &received.what {
                        ReceivedKind::Frame(_) => received.what.kind() != Some("session_ack"),
                        ReceivedKind::Ping(_) | ReceivedKind::Pong(_) => false,
                        // The ends of sockets before the current one are looked at by other steps.
                        ReceivedKind::Close { .. } | ReceivedKind::Ended { .. } => false,
                        ReceivedKind::Text(_) | ReceivedKind::Binary(_) | ReceivedKind::Violation(_) => true,
                    }
            });
            odd.map(|received| received.what.shown()).collect()
        })
    }
}

/// How what the daemon lists differs from what the app registered: names and order, and every member of our own.
fn difference(wanted: &[Value], found: &[Value]) -> Option<String> {
    let names =
        |list: &[Value]| list.iter().map(|item| item.get("name").cloned().unwrap_or_default()).collect::<Vec<_>>();
    let (wanted_names, found_names) = (names(wanted), names(found));
    if wanted_names != found_names {
        return Some(format!("{} are listed, {} were registered", Value::from(found_names), Value::from(wanted_names)));
    }
    wanted.iter().zip(found).find_map(|(wanted, found)| {
        let changed = wanted.as_object()?.iter().find(|(member, value)| match found.get(member.as_str()) {
            Some(other) => !same(value, other),
            // Members that the contract does not know are dropped.
            None => KNOWN.contains(&member.as_str()),
        })?;
        let name = wanted.get("name").cloned().unwrap_or_default();
        Some(match found.get(changed.0.as_str()) {
            Some(shown) => format!("`{}` of {name} is {shown}", changed.0),
            None => format!("`{}` of {name} is gone", changed.0),
        })
    })
}

/// Members of descriptors that a daemon keeps.
const KNOWN: &[&str] = &[
    "name",
    "description",
    "input_schema",
    "output_schema",
    "annotations",
    "timeout_ms",
    "uri",
    "mime_type",
    "title",
    "size",
    "icons",
];

/// Equal, numbers compared as numbers.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, value)| right.get(name).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_order_member_or_value_is_seen_and_added_members_are_not() {
        let wanted = [json!({ "name": "a", "size": 1, "extra": true }), json!({ "name": "b" })];
        let listed = json!({ "name": "a", "size": 1.0, "policy": "allow" });
        assert_eq!(difference(&wanted, &[listed.clone(), json!({ "name": "b" })]), None);
        assert!(difference(&wanted, &[json!({ "name": "b" }), listed.clone()]).is_some());
        assert!(difference(&wanted, &[listed]).is_some());
        let gone = difference(&wanted[..1], &[json!({ "name": "a" })]);
        assert_eq!(gone.as_deref(), Some("`size` of \"a\" is gone"));
        let other = difference(&wanted[..1], &[json!({ "name": "a", "size": 2 })]);
        assert_eq!(other.as_deref(), Some("`size` of \"a\" is 2"));
    }
}

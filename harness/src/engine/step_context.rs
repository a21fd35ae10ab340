//! What an actor needs to know of a step: its arguments, evaluated with the names that are known now.

use super::case_names::CaseNames;
use super::control::Control;
use super::evaluation::StepScope;
use super::other_actors::Silence;
use super::run_record::RunRecord;
use super::stage::Stage;
use super::step_outcome::StepError;
use crate::scenario::matcher::Matcher;
use crate::scenario::model::Action;
use crate::scenario::node::{Key, Node, Value as NodeValue};
use serde_json::Value;
use tokio::time::Instant;

/// One step, as its actor sees it.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    /// The step.
    pub(super) action: &'a Action,
    /// What its templates may name.
    pub(super) scope: StepScope<'a>,
    /// The daemon.
    pub(super) stage: &'a Stage,
    /// Where what happens is written down.
    pub(super) record: &'a RunRecord,
    /// When waiting ends.
    pub(super) deadline: Instant,
}

impl<'a> StepContext<'a> {
    /// The verb's name.
    pub(super) fn verb(&self) -> &'static str {
        self.action.verb.name
    }

    /// An argument as it was written; `null` counts as absent unless it was written out.
    pub(super) fn node(&self, name: &str) -> Option<&'a Node> {
        match &self.action.args.value {
            NodeValue::Map(_) => self.action.args.member(name),
            NodeValue::Null => None,
            _ if self.action.verb.main == Some(name) => Some(&self.action.args),
            _ => None,
        }
    }

    /// An argument's value.
    pub(super) fn value(&self, name: &str) -> Result<Option<Value>, StepError> {
        self.node(name).map(|node| self.evaluate(node)).transpose()
    }

    /// The value of an argument that must be there.
    pub(super) fn needed(&self, name: &str) -> Result<Value, StepError> {
        self.value(name)?.ok_or_else(|| self.wrong(name, "is missing"))
    }

    /// An argument that is a string.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, StepError> {
        match self.value(name)? {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, &format!("must be a string, it is {other}"))),
        }
    }

    /// A string that must be there.
    pub(super) fn needed_text(&self, name: &str) -> Result<String, StepError> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "is missing"))
    }

    /// An argument that is true or false.
    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool, StepError> {
        match self.value(name)? {
            None | Some(Value::Null) => Ok(default),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(self.wrong(name, &format!("must be true or false, it is {other}"))),
        }
    }

    /// An argument that is a number.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, StepError> {
        match self.value(name)? {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| self.wrong(name, "must be a number")),
        }
    }

    /// An argument that is a list.
    pub(super) fn list(&self, name: &str) -> Result<Option<Vec<Value>>, StepError> {
        match self.value(name)? {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(other) => Err(self.wrong(name, &format!("must be a list, it is {other}"))),
        }
    }

    /// An argument that is a map.
    pub(super) fn map(&self, name: &str) -> Result<Option<serde_json::Map<String, Value>>, StepError> {
        match self.value(name)? {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(members)) => Ok(Some(members)),
            Some(other) => Err(self.wrong(name, &format!("must be a map, it is {other}"))),
        }
    }

    /// An argument that is bytes.
    pub(super) fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, StepError> {
        self.node(name).map(|node| self.scope.bytes(node)).transpose()
    }

    /// Bytes that must be there.
    pub(super) fn needed_bytes(&self, name: &str) -> Result<Vec<u8>, StepError> {
        self.bytes(name)?.ok_or_else(|| self.wrong(name, "is missing"))
    }

    /// The node that all arguments of a free-form verb together are.
    pub(super) fn body(&self) -> &'a Node {
        self.action.verb.body(&self.action.args)
    }

    /// Whether the step says what the outcome must look like, so that the verb need not judge a count.
    pub(super) fn expects(&self) -> bool {
        self.action.check.as_ref().is_some_and(|check| check.expect.is_some())
    }

    /// Whether the step has arguments at all.
    pub(super) fn is_bare(&self) -> bool {
        match &self.action.args.value {
            NodeValue::Null => true,
            NodeValue::Map(members) => members.is_empty(),
            _ => false,
        }
    }

    /// A node's value.
    pub(super) fn evaluate(&self, node: &Node) -> Result<Value, StepError> {
        self.scope.evaluate(node)
    }

    /// A matcher, ready to be held against values.
    pub(super) fn matcher(&self, node: &Node) -> Result<Matcher, StepError> {
        self.scope.matcher(node)
    }

    /// A matcher on an object, made of the arguments that are there; `members` pairs an argument's name with the member it
    /// is about.
    pub(super) fn matcher_of(&self, members: &[(&str, &str)]) -> Result<Matcher, StepError> {
        let given = members.iter().filter_map(|(argument, member)| {
            let node = self.node(argument)?;
            Some((Key { name: (*member).to_owned(), span: node.span.clone() }, node.clone()))
        });
        let value = NodeValue::Map(given.collect());
        self.matcher(&Node { value, span: self.action.args.span.clone() })
    }

    /// The matcher that all arguments of a free-form verb together are; it accepts anything when there are none.
    pub(super) fn matcher_of_body(&self) -> Result<Matcher, StepError> {
        if self.is_bare() {
            return self.matcher(&Node::synthetic(serde_json::json!({ "$any": true })));
        }
        self.matcher(self.body())
    }

    /// Binds what a matcher captured.
    pub(super) fn bind_all(&self, captures: Vec<(String, Value)>) {
        for (name, value) in captures {
            self.names().bind(&name, value);
        }
    }

    /// The names of the case.
    pub(super) fn names(&self) -> &'a CaseNames {
        self.scope.names
    }

    /// Ends a silence on an operator's connection with a fence. `app` names the app that makes it.
    pub(super) async fn fence_events(&self, app: Option<&str>, control: &Control) -> Result<(), StepError> {
        let silence = Silence { stage: self.stage, app, deadline: self.deadline };
        self.scope.others.fence_events(silence, control).await
    }

    /// Ends a silence at a client with a fence, and gives the place where it ends. `app` names the app that makes the fence;
    /// `tools`: the silence is about the tool list.
    pub(super) async fn fence_notifications(
        &self,
        app: Option<&str>,
        client: &str,
        tools: bool,
    ) -> Result<u64, StepError> {
        let silence = Silence { stage: self.stage, app, deadline: self.deadline };
        self.scope.others.fence_notifications(silence, client, tools).await
    }

    /// A verb that the table knows and the actor does not: iolite's own fault, and a test says that there is none.
    pub(super) fn unknown_verb(&self, actor: &str) -> StepError {
        StepError::Broken(format!("{actor} cannot `{}`", self.verb()))
    }

    /// A complaint about an argument: the scenario's fault.
    pub(super) fn wrong(&self, name: &str, what: &str) -> StepError {
        StepError::Broken(format!("{}.{}: `{name}` {what}", self.action.actor, self.verb()))
    }
}

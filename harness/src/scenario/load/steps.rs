//! Steps, and the steps that hold other steps.

use super::loader::Loader;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::{ActorKind, Step, StepKind};
use crate::scenario::node::{Key, Node, Span, Value};
use crate::scenario::spelling::nearest;

/// Steps that hold other steps, or compare values.
pub(in crate::scenario) const CONTROL: &[&str] = &["together", "repeat", "shuffle", "assert"];

impl Loader<'_> {
    /// A list of steps, one after the other.
    pub(super) fn steps(&mut self, node: &Node, what: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        for item in self.step_nodes(node, what) {
            steps.extend(self.step(item));
            self.names.bind_all(item);
        }
        steps
    }

    fn step_nodes<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        let items = self.items(node, what, "a list of steps");
        if items.is_some_and(<[Node]>::is_empty) {
            self.problem(&node.span, Mistake::EmptyValue { what: what.to_owned() });
        }
        items.unwrap_or_default()
    }

    fn step(&mut self, node: &Node) -> Option<Step> {
        let nothing = Node { value: Value::Null, span: node.span.end..node.span.end };
        let (name, name_span, args) = match &node.value {
            Value::String(text) => (text.as_str(), &node.span, &nothing),
            Value::Map(members) => match members.as_slice() {
                [(key, args)] => (key.name.as_str(), &key.span, args),
                members => {
                    self.step_keys(node, members);
                    return None;
                }
            },
            _ => {
                self.wrong_type(node, "a step", "`actor.verb`, alone or with its arguments");
                return None;
            }
        };
        let from = self.uses.len();
        let kind = match name {
            "together" => Some(StepKind::Together(self.together(args, "`together`"))),
            "repeat" => self.repeat(args),
            "shuffle" => self.shuffle(args),
            "assert" => self.assert(args, name_span),
            name => match name.split_once('.') {
                Some((actor, verb)) => self.action(actor, verb, name_span, args).map(StepKind::Act),
                None => {
                    let nearest = nearest(name, CONTROL.iter().copied()).map(str::to_owned);
                    self.problem(name_span, Mistake::NotAStep { text: name.to_owned(), nearest });
                    None
                }
            },
        };
        let needs = self.step_needs(node, args, from);
        Some(Step { kind: kind?, needs, span: node.span.clone() })
    }

    fn step_keys(&mut self, node: &Node, members: &[(Key, Node)]) {
        if members.is_empty() {
            return self.problem(&node.span, Mistake::EmptyStep);
        }
        let keys: Vec<_> = members.iter().take(6).map(|(key, _)| format!("`{}`", key.name)).collect();
        let more = if members.len() > keys.len() { ", …" } else { "" };
        let mistake = Mistake::StepKeys { keys: format!("{}{more}", keys.join(", ")) };
        // The first surplus key shows best where the indentation slipped.
        let span = members.get(1).map_or(&node.span, |(key, _)| &key.span);
        self.problem(span, mistake);
    }

    /// Steps that do not come in the order written do not see each other's names; afterwards all are there.
    fn together(&mut self, node: &Node, what: &str) -> Vec<Step> {
        let branches = self.step_nodes(node, what);
        let mut steps = Vec::new();
        for branch in branches {
            steps.extend(self.step(branch));
        }
        for branch in branches {
            self.names.bind_all(branch);
        }
        steps
    }

    fn repeat(&mut self, node: &Node) -> Option<StepKind> {
        self.known_members(node, "`repeat`", &["times", "as", "steps"])?;
        let times = self.part_of("`repeat`", node, "times", "how often");
        if let Some(times) = times {
            self.value(times);
            self.uses_of_value(times, false);
            let whole = matches!(&times.value, Value::Number(number) if number.as_u64().is_some());
            if !whole && !super::values::is_open(times) {
                self.wrong_type(times, "`times`", "a whole number");
            }
        }
        let variable = node.member("as").and_then(|name| self.new_name(name, "a counter"));
        let depth = self.names.loops.len();
        self.names.loops.extend(variable.clone());
        let steps = self.part_of("`repeat`", node, "steps", "what is repeated");
        let steps = steps.map(|steps| self.steps(steps, "`steps`"));
        self.names.loops.truncate(depth);
        Some(StepKind::Repeat { times: times?.clone(), variable, steps: steps? })
    }

    fn shuffle(&mut self, node: &Node) -> Option<StepKind> {
        self.known_members(node, "`shuffle`", &["seed", "steps"])?;
        let seed = self.part_of("`shuffle`", node, "seed", "the number that fixes the order").and_then(|seed| {
            let number = match &seed.value {
                Value::Number(number) => number.as_u64(),
                _ => None,
            };
            if number.is_none() {
                self.wrong_type(seed, "`seed`", "a whole number");
            }
            number
        });
        let steps = self.part_of("`shuffle`", node, "steps", "what is shuffled");
        let steps = steps.map(|steps| self.together(steps, "`steps`"));
        Some(StepKind::Shuffle { seed: seed?, steps: steps? })
    }

    fn assert(&mut self, node: &Node, name_span: &Span) -> Option<StepKind> {
        self.known_members(
            node,
            "`assert`",
            &["value", "expect", "check", "needs", "proves", "level", "options", "stop", "unless_waived", "note"],
        )?;
        let value = self.part_of("`assert`", node, "value", "what is looked at, usually a template");
        if let Some(value) = value {
            self.value(value);
            self.uses_of_value(value, false);
        }
        let expect = self.part_of("`assert`", node, "expect", "what it must look like");
        if let Some(expect) = expect {
            self.uses_of_value(expect, true);
        }
        let check = self.check(node, "assert", expect, None, name_span);
        Some(StepKind::Assert { value: value?.clone(), check: check? })
    }

    fn part_of<'n>(&mut self, place: &str, node: &'n Node, key: &str, what: &str) -> Option<&'n Node> {
        let part = node.member(key);
        if part.is_none() {
            let mistake = Mistake::MissingKey {
                place: place.to_owned(),
                key: key.to_owned(),
                why: format!("`{key}:` says {what}"),
            };
            self.problem(&node.span, mistake);
        }
        part
    }

    /// The kind of an actor, by its name.
    pub(super) fn actor(&mut self, name: &str, span: &Span) -> Option<ActorKind> {
        let kind = self.names.actors.get(name).copied();
        if kind.is_none() {
            let known: Vec<String> = self.names.actors.keys().cloned().collect();
            let mut nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
            if nearest.is_none() && CONTROL.contains(&name) {
                nearest = Some(name.to_owned());
            }
            self.problem(span, Mistake::UnknownActor { name: name.to_owned(), nearest, known });
        }
        kind
    }
}

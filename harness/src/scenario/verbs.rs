//! The table of verbs: what every kind of actor can do in a step, and what may be said to it.
//!
//! One table serves the loader (unknown verbs and parameters, with the nearest right spelling), the editor schema and
//! the reference pages. The engine dispatches on `(actor, name)`.

mod app;
mod client;
mod daemon;
mod operator;

use super::model::ActorKind;
use super::node::{Node, Value};

/// Something an actor can do.
#[derive(Debug, PartialEq)]
pub struct Verb {
    /// Whose verb it is.
    pub actor: ActorKind,
    /// How it is written after the dot, e.g. `upsert_tool`.
    pub name: &'static str,
    /// What it does, in one or two sentences.
    pub summary: &'static str,
    /// Parameters by name. For a [`free_form`](Self::free_form) verb with a [`main`](Self::main) parameter this is
    /// only the parameter that may hold the whole body.
    pub params: &'static [Param],
    /// Whether it judges by itself: such a step is always a check, with or without `expect`.
    pub asserts: bool,
    /// Whether the arguments as a whole are one value (a frame, a message, a matcher) and not a set of parameters.
    ///
    /// With a [`main`](Self::main) parameter any key may stand in it; see [`Verb::body`]. Without one it is a matcher
    /// over exactly the fields in [`params`](Self::params), any of which may be left out; matcher keys (`$one_of`) may
    /// stand in it too.
    pub free_form: bool,
    /// The parameter meant by an argument that is no map: `agent.read: "app://x"` is `agent.read: { uri: "app://x" }`.
    pub main: Option<&'static str>,
    /// Sets of parameters that exclude each other.
    pub choices: &'static [Choice],
    /// What `expect` and `as` see.
    pub outcome: &'static str,
}

/// Parameters of which at most one may be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The parameters.
    pub of: &'static [&'static str],
    /// Whether one of them must be there.
    pub required: bool,
}

/// One parameter of a verb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParamKind,
    /// Whether it must be there.
    pub required: bool,
    /// What it means.
    pub doc: &'static str,
}

/// What a parameter takes. A `${template}` or a generator may stand for any of them except [`Matcher`](Self::Matcher)
/// and [`Actor`](Self::Actor).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// A string, meaning its UTF-8 bytes, or `{ $bytes: hex }`, `{ $base64: text }`, `{ $repeat: … }` and the like.
    Bytes,
    /// A whole number, not negative.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// A map.
    Map,
    /// A list.
    List,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A matcher.
    Matcher,
    /// A name given earlier with `as`.
    Name,
    /// The name of a member of the cast of this kind.
    Actor(ActorKind),
}

/// Keys that every verb takes beside its own.
pub const COMMON: &[Param] = &[
    opt("expect", ParamKind::Matcher, "What the outcome must look like. Makes the step a check."),
    opt("check", ParamKind::Text, "Label of the check, unique in its scenario; part of the check's id."),
    opt("proves", ParamKind::List, "Promise ids this check proves, in place of the scenario's."),
    opt("level", ParamKind::Choice(&["M", "S", "O"]), "Level in place of the promises' own: must, should, option."),
    opt("as", ParamKind::Text, "Name under which later steps find the outcome: `${name…}`."),
    opt("within", ParamKind::Number, "Deadline in seconds in place of the usual one; patience scales it."),
    opt("note", ParamKind::Text, "A remark for readers; nothing is done with it."),
    opt("stop", ParamKind::Bool, "`true`: when this check fails, the rest of the case is not run."),
    opt("unless_waived", ParamKind::Bool, "`true`: this check says that nothing came of the wrong input; `iolite lint` proves that it would fail if the one rule that the input breaks did not hold."),
];

/// The verb of that name.
pub fn find(actor: ActorKind, name: &str) -> Option<&'static Verb> {
    of(actor).iter().find(|verb| verb.name == name)
}

/// The verbs of one kind of actor, in the order of the reference.
pub fn of(actor: ActorKind) -> &'static [Verb] {
    match actor {
        ActorKind::App => app::VERBS,
        ActorKind::Client => client::VERBS,
        ActorKind::Operator => operator::VERBS,
        ActorKind::Daemon => daemon::VERBS,
    }
}

/// All verbs: apps', clients', operators', the daemon's.
pub fn all() -> impl Iterator<Item = &'static Verb> {
    [ActorKind::App, ActorKind::Client, ActorKind::Operator, ActorKind::Daemon].into_iter().flat_map(of)
}

impl Verb {
    /// Its parameter of that name, common ones not included.
    pub fn param(&self, name: &str) -> Option<&'static Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// The value that the arguments of a [`free_form`](Self::free_form) verb stand for: the main parameter if it is
    /// the only key (`{ frame: {…} }`), else the arguments themselves.
    pub fn body<'a>(&self, args: &'a Node) -> &'a Node {
        match (&args.value, self.main) {
            (Value::Map(members), Some(main)) if members.len() == 1 && members[0].0.name == main => &members[0].1,
            _ => args,
        }
    }

    /// Label of the check when the step gives none: `phone expect close`.
    pub fn default_label(&self, actor: &str) -> String {
        format!("{actor} {}", self.name.replace('_', " "))
    }

    /// Whether a step with it makes no sense without `as`: it leaves something open that only its name can reach.
    pub fn needs_name(&self) -> bool {
        self.name.starts_with("start_") || self.name == "mark"
    }

    const fn act(actor: ActorKind, name: &'static str, summary: &'static str) -> Self {
        Self {
            actor,
            name,
            summary,
            params: &[],
            asserts: false,
            free_form: false,
            main: None,
            choices: &[],
            outcome: "`{}`.",
        }
    }

    const fn assertion(actor: ActorKind, name: &'static str, summary: &'static str) -> Self {
        Self { asserts: true, ..Self::act(actor, name, summary) }
    }

    const fn params(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    const fn main(self, main: &'static str) -> Self {
        Self { main: Some(main), ..self }
    }

    const fn choices(self, choices: &'static [Choice]) -> Self {
        Self { choices, ..self }
    }

    const fn free_form(self) -> Self {
        Self { free_form: true, ..self }
    }

    const fn outcome(self, outcome: &'static str) -> Self {
        Self { outcome, ..self }
    }
}

const fn one_of(of: &'static [&'static str]) -> Choice {
    Choice { of, required: true }
}

const fn at_most_one_of(of: &'static [&'static str]) -> Choice {
    Choice { of, required: false }
}

const fn req(name: &'static str, kind: ParamKind, doc: &'static str) -> Param {
    Param { name, kind, required: true, doc }
}

const fn opt(name: &'static str, kind: ParamKind, doc: &'static str) -> Param {
    Param { name, kind, required: false, doc }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_per_actor_and_never_collide_with_common_keys() {
        let mut seen = BTreeSet::new();
        for verb in all() {
            assert!(seen.insert((verb.actor, verb.name)), "{verb:?} twice");
            let mut params = BTreeSet::new();
            for param in verb.params.iter().chain(COMMON) {
                assert!(params.insert(param.name), "{:?}.{}: `{}` twice", verb.actor, verb.name, param.name);
            }
            for name in verb.choices.iter().flat_map(|choice| choice.of) {
                assert!(verb.param(name).is_some(), "{}: `{name}` does not exist", verb.name);
            }
            if let Some(main) = verb.main {
                assert!(verb.param(main).is_some(), "{}: main parameter `{main}` does not exist", verb.name);
            }
        }
    }

    #[test]
    fn a_body_may_stand_under_its_own_name() {
        let send = find(ActorKind::App, "send").unwrap();
        let bare = Node::synthetic(serde_json::json!({"type": "event"}));
        let named = Node::synthetic(serde_json::json!({"frame": {"type": "event"}}));
        assert_eq!(send.body(&bare).to_json(), send.body(&named).to_json());
    }
}

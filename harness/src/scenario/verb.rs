//! A verb: what one kind of actor can do in a step, and what may be said to it.

use super::actor_kind::ActorKind;
use super::features::SESSIONS_URI;
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
    /// Features that a target must claim for it.
    pub needs: &'static [&'static str],
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
    /// The feature that a target must claim for it.
    pub needs: Option<&'static str>,
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

    /// Whether these arguments ask for what every target with MCP serves: the list of the sessions.
    pub fn is_base_use(&self, args: &Node) -> bool {
        self.name == "read" && args.member("uri").and_then(Node::text) == Some(SESSIONS_URI)
    }

    /// Whether a step with it makes no sense without `as`: it leaves something open that only its name can reach.
    pub fn needs_name(&self) -> bool {
        self.name.starts_with("start_") || self.name == "mark"
    }

    pub(super) const fn act(actor: ActorKind, name: &'static str, summary: &'static str) -> Self {
        Self {
            actor,
            name,
            summary,
            params: &[],
            asserts: false,
            free_form: false,
            main: None,
            choices: &[],
            needs: &[],
            outcome: "`{}`.",
        }
    }

    pub(super) const fn assertion(actor: ActorKind, name: &'static str, summary: &'static str) -> Self {
        Self { asserts: true, ..Self::act(actor, name, summary) }
    }

    pub(super) const fn params(self, params: &'static [Param]) -> Self {
        Self { params, ..self }
    }

    pub(super) const fn main(self, main: &'static str) -> Self {
        Self { main: Some(main), ..self }
    }

    pub(super) const fn choices(self, choices: &'static [Choice]) -> Self {
        Self { choices, ..self }
    }

    pub(super) const fn needs(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    pub(super) const fn free_form(self) -> Self {
        Self { free_form: true, ..self }
    }

    pub(super) const fn outcome(self, outcome: &'static str) -> Self {
        Self { outcome, ..self }
    }
}

pub(super) const fn one_of(of: &'static [&'static str]) -> Choice {
    Choice { of, required: true }
}

pub(super) const fn at_most_one_of(of: &'static [&'static str]) -> Choice {
    Choice { of, required: false }
}

pub(super) const fn req(name: &'static str, kind: ParamKind, doc: &'static str) -> Param {
    Param { name, kind, required: true, doc, needs: None }
}

pub(super) const fn opt(name: &'static str, kind: ParamKind, doc: &'static str) -> Param {
    Param { name, kind, required: false, doc, needs: None }
}

impl Param {
    pub(super) const fn needs(self, feature: &'static str) -> Self {
        Self { needs: Some(feature), ..self }
    }
}

//! `actor.verb` and its arguments.

use super::loader::Loader;
use super::shape::kind;
use super::values::is_open;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::{Action, ActorKind};
use crate::scenario::node::{Key, Node, Span, Value};
use crate::scenario::spelling::nearest;
use crate::scenario::template::is_generator_key;
use crate::scenario::verbs::{self, COMMON, Param, ParamKind, Verb};

impl Loader<'_> {
    pub(super) fn action(&mut self, actor: &str, name: &str, span: &Span, args: &Node) -> Option<Action> {
        let actor_span = span.start..span.start + actor.len().min(span.len());
        let kind = self.actor(actor, &actor_span)?;
        let Some(verb) = verbs::find(kind, name) else {
            self.unknown_verb(kind, name, span);
            return None;
        };
        let written = format!("{actor}.{name}");
        let by_name = verb.main.is_some() || matches!(args.value, Value::Map(_) | Value::Null);
        let (own, common) = self.split(verb, &written, args);
        if by_name {
            self.arguments(verb, &written, span, &own);
        }
        let bind = common.member("as").and_then(|node| self.new_name(node, "an outcome"));
        if verb.needs_name() && common.member("as").is_none() {
            self.problem(span, Mistake::NeedsName { verb: written.clone() });
        }
        let within = common.member("within").and_then(|node| self.within(node));
        if let Some(note) = common.member("note") {
            self.text(note, "`note`");
        }
        let expect = common.member("expect");
        self.uses_of_action(verb, &written, span, &own, expect);
        let default = verb.asserts.then(|| verb.default_label(actor));
        let check = self.check(&common, &written, expect, default, span);
        Some(Action { actor: actor.to_owned(), verb, args: own, check, bind, within, span: span.clone() })
    }

    fn unknown_verb(&mut self, actor: ActorKind, name: &str, span: &Span) {
        let elsewhere = verbs::all().find(|verb| verb.name == name).map(|verb| verb.actor.words());
        let mistake = Mistake::UnknownVerb {
            actor: actor.words(),
            verb: name.to_owned(),
            nearest: nearest(name, verbs::of(actor).iter().map(|verb| verb.name)).map(str::to_owned),
            elsewhere,
        };
        self.problem(span, mistake);
    }

    /// The verb's own arguments, as a map or nothing, and those that every verb takes.
    fn split(&mut self, verb: &Verb, written: &str, args: &Node) -> (Node, Node) {
        let nothing = Node { value: Value::Null, span: args.span.clone() };
        let map = |members| Node { value: Value::Map(members), span: args.span.clone() };
        match &args.value {
            Value::Null => (nothing.clone(), nothing),
            Value::Map(members) => {
                let (common, own): (Vec<_>, Vec<_>) = members.iter().cloned().partition(|(key, _)| is_common(key));
                let own = match (own.as_slice(), verb.main) {
                    ([], _) => nothing,
                    // A generator stands for the main argument.
                    ([(key, _)], Some(main)) if is_generator_key(&key.name) && !verb.free_form => {
                        map(vec![(Key { name: main.to_owned(), span: args.span.clone() }, map(own))])
                    }
                    _ => map(own),
                };
                (own, map(common))
            }
            _ => match verb.main {
                Some(main) => {
                    (map(vec![(Key { name: main.to_owned(), span: args.span.clone() }, args.clone())]), nothing)
                }
                None => {
                    let known = verb.params.iter().map(|param| param.name.to_owned()).collect();
                    self.problem(&args.span, Mistake::ArgumentsByName { verb: written.to_owned(), known });
                    (nothing.clone(), nothing)
                }
            },
        }
    }

    fn arguments(&mut self, verb: &'static Verb, written: &str, span: &Span, args: &Node) {
        let members = match &args.value {
            Value::Map(members) => members.as_slice(),
            _ => &[],
        };
        if verb.free_form {
            self.body(verb, written, span, args, members);
            return;
        }
        for (key, value) in members {
            match verb.param(&key.name) {
                Some(param) => self.argument(param, value),
                None => {
                    self.unknown_param(verb, written, key);
                    self.value(value);
                }
            }
        }
        for param in verb.params.iter().filter(|param| param.required && args.member(param.name).is_none()) {
            self.missing_param(written, param, span);
        }
        for choice in verb.choices {
            let present = choice.of.iter().filter(|name| args.member(name).is_some()).count();
            if present > 1 || (choice.required && present == 0) {
                let rule = if choice.required { "exactly one" } else { "at most one" };
                let params: Vec<_> = choice.of.iter().map(|name| format!("`{name}`")).collect();
                let mistake = Mistake::ParamChoice { verb: written.to_owned(), rule, params: params.join(", ") };
                self.problem(span, mistake);
            }
        }
    }

    fn body(&mut self, verb: &'static Verb, written: &str, span: &Span, args: &Node, members: &[(Key, Node)]) {
        let Some(main) = verb.main.and_then(|main| verb.param(main)) else {
            for (key, _) in members {
                if !key.name.starts_with('$') && verb.param(&key.name).is_none() {
                    self.unknown_param(verb, written, key);
                }
            }
            return self.matcher(args);
        };
        let body = verb.body(args);
        if members.is_empty() && main.required {
            self.missing_param(written, main, span);
        }
        if main.kind == ParamKind::Matcher { self.matcher(body) } else { self.value(body) }
    }

    fn unknown_param(&mut self, verb: &Verb, written: &str, key: &Key) {
        let names = verb.params.iter().chain(COMMON).map(|param| param.name);
        let mistake = Mistake::UnknownParam {
            verb: written.to_owned(),
            param: key.name.clone(),
            nearest: nearest(&key.name, names).map(str::to_owned),
            known: verb.params.iter().map(|param| param.name.to_owned()).collect(),
        };
        self.problem(&key.span, mistake);
    }

    fn missing_param(&mut self, written: &str, param: &Param, span: &Span) {
        let mistake =
            Mistake::MissingParam { verb: written.to_owned(), param: param.name.to_owned(), doc: param.doc.to_owned() };
        self.problem(span, mistake);
    }

    fn argument(&mut self, param: &Param, node: &Node) {
        match param.kind {
            ParamKind::Matcher => return self.matcher(node),
            ParamKind::Name => return self.given_name(node, &format!("`{}`", param.name)),
            ParamKind::Actor(wanted) => return self.actor_argument(param, wanted, node),
            _ => self.value(node),
        }
        if !is_open(node) {
            self.literal(param, node);
        }
    }

    fn literal(&mut self, param: &Param, node: &Node) {
        let (fits, wanted) = match (param.kind, &node.value) {
            (ParamKind::Choice(words), Value::String(word)) if !words.contains(&word.as_str()) => {
                let mistake = Mistake::NotAChoice {
                    what: format!("`{}`", param.name),
                    found: word.clone(),
                    known: super::shape::owned(words),
                };
                return self.problem(&node.span, mistake);
            }
            (ParamKind::Choice(_) | ParamKind::Text, value) => (matches!(value, Value::String(_)), "a string"),
            (ParamKind::Bytes, value) => (matches!(value, Value::String(_)), "a string or bytes"),
            (ParamKind::Integer, Value::Number(number)) => (number.as_u64().is_some(), "a whole number, not negative"),
            (ParamKind::Integer, _) => (false, "a whole number, not negative"),
            (ParamKind::Number, value) => (matches!(value, Value::Number(_)), "a number"),
            (ParamKind::Bool, value) => (matches!(value, Value::Bool(_)), "`true` or `false`"),
            (ParamKind::Map, value) => (matches!(value, Value::Map(_)), "a map"),
            (ParamKind::List, value) => (matches!(value, Value::List(_)), "a list"),
            _ => (true, ""),
        };
        if !fits {
            self.wrong_type(node, &format!("`{}`", param.name), wanted);
        }
    }

    fn actor_argument(&mut self, param: &Param, wanted: ActorKind, node: &Node) {
        let Some(name) = self.text(node, &format!("`{}`", param.name)) else {
            return;
        };
        if let Some(found) = self.actor(&name, &node.span)
            && found != wanted
        {
            self.problem(&node.span, Mistake::WrongActor { name, is: found.words(), wanted: wanted.words() });
        }
    }

    fn within(&mut self, node: &Node) -> Option<f64> {
        let seconds = match &node.value {
            Value::Number(number) => number.as_f64().filter(|seconds| *seconds > 0.0 && *seconds <= MOST_SECONDS),
            _ => None,
        };
        if seconds.is_none() {
            let found = kind(node);
            let wanted = format!("a number of seconds above 0 and at most {MOST_SECONDS}");
            self.problem(&node.span, Mistake::WrongType { what: "`within`".into(), wanted, found });
        }
        seconds
    }
}

fn is_common(key: &Key) -> bool {
    COMMON.iter().any(|param| param.name == key.name)
}

/// A day: longer waits are slips.
const MOST_SECONDS: f64 = 86_400.0;

//! Whether a file declares the features that it uses.

use super::loader::{Loader, Use};
use super::names::for_each_given;
use super::shape::unknown;
use crate::scenario::actor_kind::ActorKind;
use crate::scenario::features::{Place, SIGNS};
use crate::scenario::mistake::{Mistake, Undeclared};
use crate::scenario::node::{Node, Span, Value};
use crate::scenario::template::Template;
use crate::scenario::verb::Verb;
use std::collections::BTreeSet;

impl Loader<'_> {
    /// A list of features, as `features` and `needs` hold it.
    pub(super) fn features(&mut self, node: &Node, what: &str) -> Vec<String> {
        let features = self.texts(node, what, "a list of features");
        for (feature, span) in &features {
            if let Some(nearest) = unknown(feature, self.context.features) {
                let known = self.context.features.into_iter().flatten().cloned().collect();
                self.problem(span, Mistake::UnknownFeature { feature: feature.clone(), nearest, known });
            }
        }
        features.into_iter().map(|(feature, _)| feature).collect()
    }

    /// What a step of a verb uses: the verb, its parameters, and what stands in them and in the expectation.
    pub(super) fn uses_of_action(
        &mut self,
        verb: &Verb,
        written: &str,
        span: &Span,
        own: &Node,
        expect: Option<&Node>,
    ) {
        let verb_needs = if verb.is_base_use(own) { &[] } else { verb.needs };
        let mut uses: Vec<Use> = verb_needs
            .iter()
            .map(|feature| Use { feature: (*feature).to_owned(), what: written.to_owned(), span: span.clone() })
            .collect();
        if let Value::Map(members) = &own.value {
            for (key, value) in members {
                let needs = verb.param(&key.name).and_then(|param| param.needs);
                if let Some(feature) = needs {
                    uses.push(Use { feature: feature.to_owned(), what: key.name.clone(), span: key.span.clone() });
                }
                if verb.name == "cli" && key.name == "args" {
                    self.command(value, &mut uses);
                }
            }
        }
        let matcher = verb.asserts || verb.name.starts_with("expect");
        let from = uses.len();
        self.used_in(own, matcher, &mut uses);
        if verb.actor == ActorKind::App {
            // An app's tools may be called anything.
            let mut rest = uses.split_off(from);
            rest.retain(|used| !SIGNS.iter().any(|sign| sign.place == Place::OwnTool && sign.is_in(&used.what, false)));
            uses.append(&mut rest);
        }
        if let Some(expect) = expect {
            self.used_in(expect, true, &mut uses);
        }
        self.uses.append(&mut uses);
    }

    /// What a value anywhere in a step uses, one that is expected or one that is given.
    pub(super) fn uses_of_value(&mut self, node: &Node, expected: bool) {
        let mut uses = Vec::new();
        self.used_in(node, expected, &mut uses);
        self.uses.append(&mut uses);
    }

    /// Ends a step: everything it uses is declared by the scenario or by its own `needs`. The names that it gives are
    /// there only where a target claims those.
    pub(super) fn step_needs(&mut self, node: &Node, args: &Node, from: usize) -> Vec<String> {
        let needs = args.member("needs").map(|needs| self.features(needs, "`needs`")).unwrap_or_default();
        let uses = self.uses.split_off(from);
        self.declared(uses, &needs, Undeclared::Step);
        if !needs.is_empty() {
            for_each_given(node, &mut |name, _| {
                let name = computed_start(name).unwrap_or(name);
                self.names.conditional.entry(name.to_owned()).or_default().extend(needs.iter().cloned());
            });
        }
        needs
    }

    /// What a row of the case table uses.
    pub(super) fn uses_of_row(&mut self, row: &Node, needs: &[String]) {
        let Value::Map(members) = &row.value else { return };
        let mut uses = Vec::new();
        // The name is prose, unless a step takes it for a value.
        let named = self.case_uses.contains_key("name");
        let own = |key: &str| key == "name" && !named || matches!(key, "requires" | "needs");
        for (key, value) in members.iter().filter(|(key, _)| !own(&key.name)) {
            if self.case_commands.contains(&key.name) {
                self.command(value, &mut uses);
            }
            let expected = self.case_expectations.contains(&key.name);
            self.used_in(value, expected, &mut uses);
        }
        self.declared(uses, needs, Undeclared::Case);
    }

    /// What stands outside steps and cases is declared by the scenario.
    pub(super) fn uses_of_scenario(&mut self, uses: Vec<Use>) {
        self.declared(uses, &[], Undeclared::Scenario);
    }

    fn declared(&mut self, uses: Vec<Use>, needs: &[String], place: Undeclared) {
        let Some(known) = self.context.features else { return };
        let mut told = BTreeSet::new();
        for Use { feature, what, span } in uses {
            let declared = self.declared.contains(&feature) || needs.contains(&feature);
            if !declared && known.contains(&feature) && told.insert(feature.clone()) {
                self.problem(&span, Mistake::UndeclaredFeature { what, feature, place });
            }
        }
    }

    fn used_in(&mut self, node: &Node, expected: bool, uses: &mut Vec<Use>) {
        match &node.value {
            Value::String(text) => self.used_in_text(text, &node.span, expected, uses),
            Value::List(items) => items.iter().for_each(|item| self.used_in(item, expected, uses)),
            Value::Map(members) => {
                for (key, value) in members {
                    // What must not be there takes nothing.
                    let wanted = expected && value.member("$absent").is_none();
                    for sign in SIGNS.iter().filter(|sign| wanted && sign.is_member(&key.name)) {
                        let what = key.name.clone();
                        uses.push(Use { feature: sign.feature.to_owned(), what, span: key.span.clone() });
                    }
                    self.used_in_text(&key.name, &key.span, expected, uses);
                    self.used_in(value, expected || key.name == "config", uses);
                }
            }
            _ => {}
        }
    }

    fn used_in_text(&mut self, text: &str, span: &Span, expected: bool, uses: &mut Vec<Use>) {
        if expected && let Some(key) = case_key(text) {
            self.case_expectations.insert(key.to_owned());
        }
        for sign in SIGNS.iter().filter(|sign| sign.is_in(text, expected)) {
            let what = if text.chars().count() <= SHORT { text } else { sign.word };
            uses.push(Use { feature: sign.feature.to_owned(), what: what.to_owned(), span: span.clone() });
        }
        let mut name = |name: &str| {
            for feature in self.names.conditional.get(name).into_iter().flatten() {
                let what = if name.ends_with("${") { text } else { name };
                uses.push(Use { feature: feature.clone(), what: what.to_owned(), span: span.clone() });
            }
        };
        if text.contains("${") {
            if let Ok(template) = Template::parse(text) {
                template.paths().iter().for_each(|(path, _)| name(path.root()));
            }
            // `read${i}` as `op` takes it, and `${read${i}.id}`.
            computed_start(text).into_iter().for_each(&mut name);
            text.split("${").filter(|part| !part.contains('}')).for_each(|part| name(&format!("{part}${{")));
        } else {
            // As `op` and `since` take it.
            name(text);
        }
    }

    /// The command of a command line, its first word that is no option; or the commands of several.
    fn command(&mut self, args: &Node, uses: &mut Vec<Use>) {
        if let Some(key) = args.text().and_then(case_key) {
            self.case_commands.insert(key.to_owned());
        }
        match &args.value {
            Value::List(items) => {
                let command = items.iter().find(|item| item.text().is_none_or(|text| !text.starts_with('-')));
                match command.and_then(|node| Some((node, node.text()?))) {
                    Some((node, word)) => {
                        for sign in SIGNS.iter().filter(|sign| sign.is_command(word)) {
                            let what = word.to_owned();
                            uses.push(Use { feature: sign.feature.to_owned(), what, span: node.span.clone() });
                        }
                    }
                    None => items.iter().for_each(|item| self.command(item, uses)),
                }
                items.iter().take(1).filter_map(Node::text).filter_map(case_key).for_each(|key| {
                    self.case_commands.insert(key.to_owned());
                });
            }
            // A generator that joins the command with what is common to all.
            Value::Map(members) => {
                for (_, joined) in members {
                    if let Value::List(parts) = &joined.value {
                        parts.iter().for_each(|part| self.command(part, uses));
                    }
                }
            }
            _ => {}
        }
    }
}

/// `read${`: how a name begins that templates make.
fn computed_start(name: &str) -> Option<&str> {
    name.find("${").filter(|start| *start > 0).map(|start| &name[..start + 2])
}

/// `${case.args}` and `${case.args[0]}`: `args`.
fn case_key(text: &str) -> Option<&str> {
    let path = text.strip_prefix("${case.")?;
    let end = path.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    Some(&path[..end])
}

/// What is longer is not quoted in full.
const SHORT: usize = 60;

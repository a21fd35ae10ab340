//! Which names mean something where.

use super::Loader;
use super::cast::reserved;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::ActorKind;
use crate::scenario::node::{Node, Span, Value};
use crate::scenario::spelling::nearest;
use crate::scenario::template::Template;
use std::collections::{BTreeMap, BTreeSet};

/// Names that templates and steps can use.
#[derive(Debug)]
pub(super) struct Names {
    /// The cast, `operator` and `daemon`.
    pub(super) actors: BTreeMap<String, ActorKind>,
    /// Every name that some step of the file gives, and where.
    given: BTreeMap<String, Span>,
    /// Beginnings of names that are made by templates (`as: "r${i}"`).
    computed: Vec<String>,
    /// Names given by the steps up to here.
    pub(super) bound: BTreeSet<String>,
    /// Counters of the loops around.
    pub(super) loops: Vec<String>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            actors: BTreeMap::from([
                ("operator".to_owned(), ActorKind::Operator),
                ("daemon".to_owned(), ActorKind::Daemon),
            ]),
            given: BTreeMap::new(),
            computed: Vec::new(),
            bound: BTreeSet::new(),
            loops: Vec::new(),
        }
    }
}

impl Names {
    /// Finds every name that the file gives anywhere.
    pub(super) fn collect(&mut self, node: &Node) {
        for_each_given(node, &mut |name, span| {
            if let Some(start) = name.find("${") {
                self.computed.push(name[..start].to_owned());
            } else {
                self.given.entry(name.to_owned()).or_insert_with(|| span.clone());
            }
        });
    }

    /// Takes all names that a step (or a list of steps) gives as given.
    pub(super) fn bind_all(&mut self, node: &Node) {
        for_each_given(node, &mut |name, _| {
            self.bound.insert(name.to_owned());
        });
    }

    pub(super) fn bind_everything(&mut self) {
        self.bound.extend(self.given.keys().cloned());
    }

    fn is_known(&self, name: &str) -> bool {
        self.bound.contains(name)
            || self.loops.iter().any(|counter| counter == name)
            || self.computed.iter().any(|start| name.starts_with(start.as_str()))
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        let outside = self.actors.keys().chain(self.given.keys()).chain(&self.loops).map(String::as_str);
        outside.chain(["case", "each", "target"])
    }
}

impl Loader<'_> {
    /// The root of a template that is none of the fixed ones must be an actor, a loop's counter, or a name given before.
    pub(super) fn root(&mut self, root: &str, span: &Span) {
        if self.names.actors.contains_key(root) || self.names.is_known(root) {
            return;
        }
        self.unknown_name(root, span);
    }

    /// A name given with `as`, as `finish` and `since` take it.
    pub(super) fn given_name(&mut self, node: &Node, what: &str) {
        let Some(name) = self.text(node, what) else {
            return;
        };
        if name.contains("${") {
            self.value(node);
        } else if !self.names.is_known(&name) {
            self.unknown_name(&name, &node.span);
        }
    }

    fn unknown_name(&mut self, name: &str, span: &Span) {
        let mistake = match self.names.given.get(name) {
            Some(given) => Mistake::UsedTooEarly { name: name.to_owned(), given: given.clone() },
            None => Mistake::UnknownRoot {
                root: name.to_owned(),
                nearest: nearest(name, self.names.all()).map(str::to_owned),
            },
        };
        self.problem(span, mistake);
    }

    /// A name that a step gives to something: its text, when it can be used.
    pub(super) fn new_name(&mut self, node: &Node, what: &'static str) -> Option<String> {
        let name = self.text(node, what)?;
        if let Some(start) = name.find("${") {
            self.value(node);
            if !is_name(&name[..start]) {
                self.problem(&node.span, Mistake::BadName { name: name.clone(), what });
            }
            return Some(name);
        }
        let meaning = match self.names.actors.get(&name) {
            Some(_) if reserved(&name).is_none() => Some("a member of the cast"),
            _ => reserved(&name),
        };
        if let Some(meaning) = meaning {
            self.problem(&node.span, Mistake::ReservedName { name: name.clone(), meaning });
        } else if !is_name(&name) {
            self.problem(&node.span, Mistake::BadName { name: name.clone(), what });
        }
        Some(name)
    }

    /// Checks the paths of a template. Sub-spans are found where the text stands in the file as it is.
    pub(super) fn template(&mut self, node: &Node, text: &str) {
        if !text.contains('$') {
            return;
        }
        let template = match Template::parse(text) {
            Ok(template) => template,
            Err(error) => {
                let span = self.part(node, text.get(error.range.clone()).unwrap_or(text));
                return self.problem(&span, Mistake::Template { detail: error.detail });
            }
        };
        for (path, range) in template.paths() {
            let span = self.part(node, text.get(range).unwrap_or(text));
            match path.root() {
                "target" => {}
                "case" => self.case_path(path, span),
                "each" => self.each_path(path, &span),
                root => self.root(root, &span),
            }
        }
    }

    fn part(&self, node: &Node, text: &str) -> Span {
        let written = self.source.text.get(node.span.clone()).unwrap_or_default();
        match written.find(text) {
            Some(offset) if !text.is_empty() => {
                let start = node.span.start + offset;
                start..start + text.len()
            }
            _ => node.span.clone(),
        }
    }
}

/// Lower-case letters, digits and `_`, a letter first.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Names are given by `as` and `$capture`, wherever they stand.
fn for_each_given(node: &Node, give: &mut impl FnMut(&str, &Span)) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| for_each_given(item, give)),
        Value::Map(members) => {
            for (key, value) in members {
                match (key.name.as_str(), value.text()) {
                    ("as" | "$capture", Some(name)) => give(name, &value.span),
                    _ => for_each_given(value, give),
                }
            }
        }
        _ => {}
    }
}

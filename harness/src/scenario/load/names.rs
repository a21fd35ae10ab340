//! Which names mean something where.

use crate::scenario::model::ActorKind;
use crate::scenario::node::{Node, Span, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Names that templates and steps can use.
#[derive(Debug)]
pub(super) struct Names {
    /// The cast, `operator` and `daemon`.
    pub(super) actors: BTreeMap<String, ActorKind>,
    /// Every name that some step of the file gives, and where.
    pub(super) given: BTreeMap<String, Span>,
    /// Beginnings of names that are made by templates (`as: "r${i}"`).
    computed: Vec<String>,
    /// Names given by the steps up to here.
    pub(super) bound: BTreeSet<String>,
    /// Names given by steps that only some targets see, and the features that it takes.
    pub(super) conditional: BTreeMap<String, BTreeSet<String>>,
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
            conditional: BTreeMap::new(),
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

    pub(super) fn is_known(&self, name: &str) -> bool {
        self.bound.contains(name)
            || self.loops.iter().any(|counter| counter == name)
            || self.computed.iter().any(|start| name.starts_with(start.as_str()))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let outside = self.actors.keys().chain(self.given.keys()).chain(&self.loops).map(String::as_str);
        outside.chain(["case", "each", "target"])
    }
}

/// Lower-case letters, digits and `_`, a letter first.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Names are given by `as` and `$capture`, wherever they stand.
pub(super) fn for_each_given(node: &Node, give: &mut impl FnMut(&str, &Span)) {
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

/// What a name means in every scenario.
pub(super) fn reserved(name: &str) -> Option<&'static str> {
    match name {
        "operator" => Some("the control connection that is always there"),
        "daemon" => Some("the daemon's process"),
        "case" => Some("the row of the case table"),
        "each" => Some("the values of `each`"),
        "target" => Some("the target"),
        _ => None,
    }
}

//! Reading values of a known shape.

use super::loader::Loader;
use crate::scenario::mistake::Mistake;
use crate::scenario::node::{Key, Node, Span, Value};
use crate::scenario::spelling::nearest;
use std::collections::BTreeSet;

/// What a value is, with its article.
pub(super) fn kind(node: &Node) -> &'static str {
    match &node.value {
        Value::Null if node.span.is_empty() => "nothing",
        Value::Null => "`null`",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}

pub(super) fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

impl Loader<'_> {
    pub(super) fn wrong_type(&mut self, node: &Node, what: &str, wanted: &str) {
        let mistake = Mistake::WrongType { what: what.to_owned(), wanted: wanted.to_owned(), found: kind(node) };
        self.problem(&node.span, mistake);
    }

    /// A map's members. Nothing at all counts as an empty map.
    pub(super) fn members<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [(Key, Node)]> {
        match &node.value {
            Value::Map(members) => Some(members),
            Value::Null => Some(&[]),
            _ => {
                self.wrong_type(node, what, "a map");
                None
            }
        }
    }

    /// The same, where only certain keys may stand.
    pub(super) fn known_members<'n>(
        &mut self,
        node: &'n Node,
        what: &str,
        known: &[&str],
    ) -> Option<&'n [(Key, Node)]> {
        let members = self.members(node, what)?;
        for (key, _) in members {
            self.known_key(key, what, known);
        }
        Some(members)
    }

    pub(super) fn known_key(&mut self, key: &Key, place: &str, known: &[&str]) {
        if !known.contains(&key.name.as_str()) && key.name != "<<" {
            let nearest = nearest(&key.name, known.iter().copied()).map(str::to_owned);
            let mistake =
                Mistake::UnknownKey { place: place.to_owned(), key: key.name.clone(), nearest, known: owned(known) };
            self.problem(&key.span, mistake);
        }
    }

    pub(super) fn items<'n>(&mut self, node: &'n Node, what: &str, wanted: &str) -> Option<&'n [Node]> {
        match &node.value {
            Value::List(items) => Some(items),
            _ => {
                self.wrong_type(node, what, wanted);
                None
            }
        }
    }

    /// A text that is not empty.
    pub(super) fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.value {
            Value::String(text) if text.trim().is_empty() => {
                self.problem(&node.span, Mistake::EmptyValue { what: what.to_owned() });
                None
            }
            Value::String(text) => Some(text.clone()),
            _ => {
                self.wrong_type(node, what, "a string");
                None
            }
        }
    }

    pub(super) fn flag(&mut self, node: &Node, what: &str) -> Option<bool> {
        match &node.value {
            Value::Bool(flag) => Some(*flag),
            _ => {
                self.wrong_type(node, what, "`true` or `false`");
                None
            }
        }
    }

    /// A list of texts, none of them twice.
    pub(super) fn texts<'n>(&mut self, node: &'n Node, what: &str, wanted: &str) -> Vec<(String, &'n Span)> {
        let mut texts: Vec<(String, &Span)> = Vec::new();
        for item in self.items(node, what, wanted).unwrap_or_default() {
            let Some(text) = self.text(item, &format!("an entry of {what}")) else {
                continue;
            };
            if texts.iter().any(|(earlier, _)| *earlier == text) {
                self.problem(&item.span, Mistake::DuplicateEntry { what: what.to_owned(), entry: text });
            } else {
                texts.push((text, &item.span));
            }
        }
        texts
    }

    pub(super) fn promises(&mut self, node: &Node, what: &str) -> Vec<String> {
        let ids = self.texts(node, what, "a list of promise ids");
        if matches!(&node.value, Value::List(items) if items.is_empty()) {
            self.problem(&node.span, Mistake::EmptyValue { what: what.to_owned() });
        }
        let known = self.context.promises;
        for (id, span) in &ids {
            if let Some(nearest) = unknown(id, known) {
                self.problem(span, Mistake::UnknownPromise { id: id.clone(), nearest });
            }
        }
        ids.into_iter().map(|(id, _)| id).collect()
    }
}

/// `Some` with the nearest spelling, if any, when the word is none of the known ones.
pub(super) fn unknown(word: &str, known: Option<&BTreeSet<String>>) -> Option<Option<String>> {
    let known = known?;
    (!known.contains(word)).then(|| nearest(word, known.iter().map(String::as_str)).map(str::to_owned))
}

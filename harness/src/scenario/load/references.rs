//! Names that steps and templates refer to, and names that steps give.

use super::loader::Loader;
use super::names::{is_name, reserved};
use crate::scenario::mistake::Mistake;
use crate::scenario::node::{Node, Span};
use crate::scenario::spelling::nearest;
use crate::scenario::template::Template;

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

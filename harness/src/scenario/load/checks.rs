//! What a step claims.

use super::loader::{Loader, Part};
use crate::scenario::ids::slug;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::{Check, Level};
use crate::scenario::node::{Node, Span, Value};

impl Loader<'_> {
    /// The check of a step, if it makes one. `default` is the label of a verb that judges by itself.
    pub(super) fn check(
        &mut self,
        common: &Node,
        written: &str,
        expect: Option<&Node>,
        default: Option<String>,
        span: &Span,
    ) -> Option<Check> {
        let label = common.member("check").and_then(|node| {
            self.value(node);
            Some((self.text(node, "`check`")?, node.span.clone()))
        });
        let proves = common.member("proves").map(|node| self.promises(node, "`proves`")).unwrap_or_default();
        let level = common.member("level").and_then(|node| self.level(node));
        if let Some(expect) = expect {
            self.matcher(expect);
        }
        if expect.is_none() && default.is_none() && written != "assert" {
            for key in ["check", "proves", "level", "options", "stop", "unless_waived"] {
                if let Some(node) = common.member(key) {
                    let mistake = Mistake::CheckWithoutExpect { verb: written.to_owned(), key: key.to_owned() };
                    self.problem(&node.span, mistake);
                }
            }
            return None;
        }
        let misplaced = match self.part {
            Part::Once => Some(Mistake::CheckInOnce),
            Part::Steps => None,
            Part::Finally => Some(Mistake::CheckInFinally),
        };
        if let Some(mistake) = misplaced {
            self.problem(span, mistake);
            return None;
        }
        let expect_span = expect.map_or(span, |expect| &expect.span);
        let (label, label_span, is_default) = match (label, default) {
            (Some((label, span)), _) => (label, span, false),
            (None, _) if common.member("check").is_some() => return None,
            (None, Some(default)) => (default, span.clone(), true),
            (None, None) => {
                self.problem(expect_span, Mistake::ExpectWithoutCheck);
                return None;
            }
        };
        self.label(&label, &label_span, is_default);
        let options = common.member("options").map(|node| self.options(node, expect)).unwrap_or_default();
        let stop = common.member("stop").and_then(|node| self.flag(node, "`stop`")).unwrap_or_default();
        let waived = common.member("unless_waived");
        let unless_waived = waived.and_then(|node| self.flag(node, "`unless_waived`")).unwrap_or_default();
        let (expect, span) = (expect.cloned(), expect_span.clone());
        Some(Check { label, expect, proves, level, options, stop, unless_waived, span })
    }

    fn label(&mut self, label: &str, span: &Span, default: bool) {
        let slug = slug(label);
        if slug.is_empty() {
            return self.problem(span, Mistake::NoSlug { text: label.to_owned() });
        }
        match self.labels.get(&slug) {
            Some(first) => {
                let mistake = Mistake::DuplicateLabel { label: label.to_owned(), first: first.clone(), default };
                self.problem(span, mistake);
            }
            None => {
                self.labels.insert(slug, span.clone());
            }
        }
    }

    /// Names of alternatives, each of which the expectation knows.
    fn options(&mut self, node: &Node, expect: Option<&Node>) -> Vec<String> {
        let what = "`options`";
        let options = self.texts(node, what, "a list of names of alternatives");
        let mut known = Vec::new();
        expect.into_iter().for_each(|expect| alternatives(expect, &mut known));
        for (option, span) in &options {
            if !known.contains(option) {
                let mistake = Mistake::NotAChoice { what: what.into(), found: option.clone(), known: known.clone() };
                self.problem(span, mistake);
            }
        }
        options.into_iter().map(|(option, _)| option).collect()
    }

    fn level(&mut self, node: &Node) -> Option<Level> {
        let word = self.text(node, "`level`")?;
        let level = match word.as_str() {
            "M" => Some(Level::Must),
            "S" => Some(Level::Should),
            "O" => Some(Level::Option),
            _ => None,
        };
        if level.is_none() {
            let mistake =
                Mistake::NotAChoice { what: "`level`".into(), found: word, known: super::shape::owned(LEVELS) };
            self.problem(&node.span, mistake);
        }
        level
    }
}

const LEVELS: &[&str] = &["M", "S", "O"];

/// The names of all alternatives in an expectation.
fn alternatives(node: &Node, known: &mut Vec<String>) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| alternatives(item, known)),
        Value::Map(members) => {
            for (key, value) in members {
                if let (true, Value::Map(named)) = (key.name == "$one_of", &value.value) {
                    known.extend(named.iter().map(|(name, _)| name.name.clone()));
                }
                alternatives(value, known);
            }
        }
        _ => {}
    }
}

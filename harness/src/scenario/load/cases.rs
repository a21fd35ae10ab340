//! `cases` and `each`.

use super::loader::{Loader, Part};
use crate::scenario::ids::slug;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::{Axis, Case};
use crate::scenario::node::{Key, Node, Span, Value};
use crate::scenario::spelling::nearest;
use crate::scenario::template::{Path, Segment};
use std::collections::BTreeMap;

/// Axes that a scenario can be told along.
pub(in crate::scenario) const AXES: &[&str] = &["revision", "profile", "transport"];

/// Keys of a row that say something about the case and are no values of it.
const ROW_KEYS: &[&str] = &["requires", "needs", "never_served"];

impl Loader<'_> {
    pub(super) fn each(&mut self, node: &Node) -> Vec<Axis> {
        let mut axes = Vec::new();
        for (key, values) in self.members(node, "`each`").unwrap_or_default() {
            if !AXES.contains(&key.name.as_str()) {
                let nearest = nearest(&key.name, AXES.iter().copied()).map(str::to_owned);
                let known = super::shape::owned(AXES);
                self.problem(&key.span, Mistake::UnknownAxis { axis: key.name.clone(), nearest, known });
                continue;
            }
            let what = format!("`{}`", key.name);
            let texts = self.texts(values, &what, "a list of strings");
            if matches!(&values.value, Value::List(items) if items.is_empty()) {
                self.problem(&values.span, Mistake::EmptyValue { what });
            }
            let values = texts.into_iter().map(|(text, _)| text).collect();
            axes.push(Axis { name: key.name.clone(), values });
        }
        self.axes = Some(axes.iter().map(|axis| axis.name.clone()).collect());
        axes
    }

    pub(super) fn cases(&mut self, node: &Node) -> Vec<Case> {
        let generated = match &node.value {
            Value::Map(_) => {
                self.known_members(node, "`cases`", &["for"]);
                node.member("for")
            }
            _ => None,
        };
        let rows = match generated {
            Some(rows) => self.items(rows, "`for`", "a list of rows"),
            None => self.items(node, "`cases`", "a list of rows"),
        };
        let rows = rows.unwrap_or_default();
        if rows.is_empty() && matches!(&node.value, Value::List(_)) {
            self.problem(&node.span, Mistake::EmptyValue { what: "`cases`".into() });
        }
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        let cases: Vec<_> = rows.iter().filter_map(|row| self.case(row, generated.is_some(), &mut seen)).collect();
        let keys = cases.iter().flat_map(|case| keys(&case.row)).map(|key| key.name.clone()).collect();
        self.case_keys = Some(keys);
        cases
    }

    fn case(&mut self, row: &Node, generated: bool, seen: &mut BTreeMap<String, Span>) -> Option<Case> {
        let Value::Map(members) = &row.value else {
            self.wrong_type(row, "a row of `cases`", "a map");
            return None;
        };
        let mut row = row.clone();
        let (name, name_span) = match row.member("name") {
            Some(node) => (self.text(node, "a case's name")?, node.span.clone()),
            None if generated => {
                let name = generated_name(members);
                let node = Node { value: Value::String(name.clone()), span: row.span.clone() };
                if let Value::Map(members) = &mut row.value {
                    members.insert(0, (Key { name: "name".into(), span: row.span.clone() }, node));
                }
                (name, row.span.clone())
            }
            None => {
                let mistake = Mistake::MissingKey {
                    place: "this case".into(),
                    key: "name".into(),
                    why: "the name is a part of the ids of the case's checks".into(),
                };
                self.problem(&row.span, mistake);
                return None;
            }
        };
        let slug = slug(&name);
        if slug.is_empty() {
            self.problem(&name_span, Mistake::NoSlug { text: name.clone() });
        } else if let Some(first) = seen.insert(slug, name_span.clone()) {
            self.problem(&name_span, Mistake::DuplicateCase { name: name.clone(), first });
        }
        let requires = row.member("requires").map(|node| self.promises(node, "a case's `requires`"));
        let needs = row.member("needs").map(|node| self.features(node, "a case's `needs`")).unwrap_or_default();
        let never_served = row.member("never_served").and_then(|node| self.text(node, "a case's `never_served`"));
        Some(Case { name, requires, needs, never_served, span: row.span.clone(), row })
    }

    /// What can be said of the rows once all steps are known.
    pub(super) fn rows(&mut self, cases: &[Case]) {
        // A row's values are used by steps anywhere, so every name may stand in them.
        self.names.bind_everything();
        for case in cases {
            if let Value::Map(members) = &case.row.value {
                for (key, value) in members.iter().filter(|(key, _)| !ROW_KEYS.contains(&key.name.as_str())) {
                    self.row_value(key, value);
                }
            }
            self.uses_of_row(&case.row, &case.needs);
        }
        for (key, used) in std::mem::take(&mut self.case_uses) {
            let known = self.case_keys.clone().unwrap_or_default();
            if !known.contains(&key) {
                let nearest = nearest(&key, known.iter().map(String::as_str)).map(str::to_owned);
                self.problem(&used, Mistake::NoCaseHas { key, nearest, known: known.into_iter().collect() });
                continue;
            }
            for case in cases.iter().filter(|case| case.row.member(&key).is_none()) {
                let mistake = Mistake::CaseLacks { case: case.name.clone(), key: key.clone(), used: used.clone() };
                self.problem(&case.span, mistake);
            }
        }
    }

    pub(super) fn case_path(&mut self, path: &Path, span: Span) {
        if self.part == Part::Once {
            return self.problem(&span, Mistake::CaseInOnce);
        }
        if self.case_keys.is_none() {
            return self.problem(&span, Mistake::NoTable { root: "case".into(), key: "cases".into() });
        }
        if let Some(Segment::Member(key)) = path.segments().first() {
            self.case_uses.entry(key.clone()).or_insert(span);
        }
    }

    pub(super) fn each_path(&mut self, path: &Path, span: &Span) {
        let Some(axes) = &self.axes else {
            return self.problem(span, Mistake::NoTable { root: "each".into(), key: "each".into() });
        };
        if let Some(Segment::Member(axis)) = path.segments().first()
            && !axes.contains(axis)
        {
            let nearest = nearest(axis, axes.iter().map(String::as_str)).map(str::to_owned);
            let known = axes.iter().cloned().collect();
            self.problem(span, Mistake::UnknownAxis { axis: axis.clone(), nearest, known });
        }
    }
}

fn keys(row: &Node) -> impl Iterator<Item = &Key> {
    match &row.value {
        Value::Map(members) => members.as_slice(),
        _ => &[],
    }
    .iter()
    .map(|(key, _)| key)
}

/// `opcode ping, size 5`: the row's short values.
fn generated_name(members: &[(Key, Node)]) -> String {
    let words = members.iter().filter_map(|(key, node)| match &node.value {
        Value::String(text) => Some(format!("{} {text}", key.name)),
        Value::Number(number) => Some(format!("{} {number}", key.name)),
        Value::Bool(flag) => Some(format!("{} {flag}", key.name)),
        _ => None,
    });
    words.collect::<Vec<_>>().join(", ")
}

//! Choosing scenarios by path, id or promise.

use super::model::{Scenario, Step, StepKind};
use super::set::ScenarioSet;
use super::spelling::nearest;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The scenarios that patterns chose.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// In the order of the set, none twice.
    pub scenarios: Vec<Arc<Scenario>>,
    /// Patterns that chose nothing.
    pub unmatched: Vec<UnmatchedPattern>,
}

/// A pattern that chose nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedPattern {
    /// As given.
    pub pattern: String,
    /// Nearest id, folder or promise.
    pub nearest: Option<String>,
}

impl fmt::Display for UnmatchedPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` chooses no scenario", self.pattern)?;
        match &self.nearest {
            Some(nearest) => write!(formatter, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

impl ScenarioSet {
    /// The scenarios that at least one of the patterns chooses; all of them without patterns.
    ///
    /// A pattern is an id (`res/snapshot-replaces`), the beginning of ids up to a `/` (`res`), a glob over ids
    /// (`res/*-replaces`; `*` stops at `/`, `**` does not, `?` is one character), a path of a file or folder, a promise
    /// id or a glob over those (`BRG-RES-05`, `BRG-RES-*`), or a field bug (`FB-019`).
    pub fn select<P: AsRef<str>>(&self, patterns: &[P]) -> Selection {
        if patterns.is_empty() {
            return Selection { scenarios: self.scenarios.clone(), unmatched: Vec::new() };
        }
        let ids: Vec<_> = self.scenarios.iter().map(|scenario| promises(scenario)).collect();
        let mut chosen = vec![false; self.scenarios.len()];
        let mut unmatched = Vec::new();
        for pattern in patterns.iter().map(AsRef::as_ref) {
            let mut any = false;
            for ((scenario, ids), chosen) in self.scenarios.iter().zip(&ids).zip(&mut chosen) {
                if chooses(pattern, scenario, ids) {
                    any = true;
                    *chosen = true;
                }
            }
            if !any {
                unmatched.push(UnmatchedPattern { pattern: pattern.to_owned(), nearest: self.nearest(pattern, &ids) });
            }
        }
        let scenarios = self.scenarios.iter().zip(chosen).filter(|(_, chosen)| *chosen);
        Selection { scenarios: scenarios.map(|(scenario, _)| Arc::clone(scenario)).collect(), unmatched }
    }

    fn nearest(&self, pattern: &str, promises: &[BTreeSet<String>]) -> Option<String> {
        let ids = self.scenarios.iter().map(|scenario| scenario.id.as_str());
        let folders: BTreeSet<_> = ids.clone().filter_map(|id| id.rsplit_once('/')).map(|(folder, _)| folder).collect();
        let promises: BTreeSet<_> = promises.iter().flatten().map(String::as_str).collect();
        // A promise is written unlike anything else, so only promises are near it.
        if pattern.starts_with("BRG-") || pattern.starts_with("FB-") {
            return nearest(pattern, promises).map(str::to_owned);
        }
        let last = ids.clone().filter_map(|id| Some((id.rsplit_once('/')?.1, id)));
        let by_name = nearest(pattern, last.clone().map(|(name, _)| name));
        let by_name = by_name.and_then(|name| last.clone().find(|(last, _)| *last == name)).map(|(_, id)| id);
        nearest(pattern, ids.chain(folders)).or(by_name).map(str::to_owned)
    }
}

/// Every promise and field bug that a scenario names anywhere.
pub(super) fn promises(scenario: &Scenario) -> BTreeSet<String> {
    let mut ids: BTreeSet<String> = scenario.requires.iter().chain(&scenario.bugs).cloned().collect();
    ids.extend(scenario.cases.iter().flat_map(|case| case.requires.iter().flatten()).cloned());
    collect(&scenario.steps, &mut ids);
    ids
}

fn collect(steps: &[Step], ids: &mut BTreeSet<String>) {
    for step in steps {
        match &step.kind {
            StepKind::Act(action) => ids.extend(action.check.iter().flat_map(|check| check.proves.iter().cloned())),
            StepKind::Assert { check, .. } => ids.extend(check.proves.iter().cloned()),
            StepKind::Together(steps) | StepKind::Repeat { steps, .. } | StepKind::Shuffle { steps, .. } => {
                collect(steps, ids);
            }
        }
    }
}

fn chooses(pattern: &str, scenario: &Scenario, promises: &BTreeSet<String>) -> bool {
    let bare = pattern.strip_prefix("./").unwrap_or(pattern);
    let bare = bare.strip_suffix(".yaml").unwrap_or(bare).trim_end_matches('/');
    let path = scenario.source.path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let path = path.strip_suffix(".yaml").unwrap_or(path);
    is_at_or_below(bare, &scenario.id)
        || is_at_or_below(bare, path)
        || glob(bare.as_bytes(), scenario.id.as_bytes())
        || promises.iter().any(|id| glob(pattern.as_bytes(), id.as_bytes()))
}

fn is_at_or_below(folder: &str, id: &str) -> bool {
    !folder.is_empty() && id.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `*` stops at `/`, `**` does not, `?` is one character but `/`.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', rest @ ..] => (0..=text.len()).any(|at| glob(rest, &text[at..])),
        [b'*', rest @ ..] => {
            let segment = text.iter().position(|byte| *byte == b'/').unwrap_or(text.len());
            (0..=segment).any(|at| glob(rest, &text[at..]))
        }
        [b'?', rest @ ..] => {
            matches!(text, [byte, after @ ..] if *byte != b'/' && glob(rest, after))
        }
        [first, rest @ ..] => {
            matches!(text, [byte, after @ ..] if byte == first && glob(rest, after))
        }
    }
}

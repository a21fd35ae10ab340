//! One row for each promise: what proves it, and which faults break it.

use crate::faults::Noticed;
use crate::judge::verdict::{ScenarioResult, Verdict};
use crate::requirements::{Catalogue, Promise};
use crate::scenario::model::Level;
use std::collections::BTreeSet;

/// One promise and what is known of it.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The promise.
    pub promise: &'a Promise,
    /// Ids of checks bound to it that passed on the conforming daemon: the positive cases.
    pub passed: BTreeSet<&'a str>,
    /// Ids of checks bound to it that failed on a daemon broken in that way: the negative cases.
    pub failed: BTreeSet<&'a str>,
    /// Faults that break it and were noticed.
    pub noticed: Vec<&'a str>,
    /// Faults that break it and were not.
    pub survived: Vec<&'a str>,
}

impl Row<'_> {
    /// What is missing, in words. Only a MUST that a black box can check must have everything.
    pub fn gaps(&self) -> Vec<&'static str> {
        let mut gaps = Vec::new();
        if self.promise.level != Level::Must || self.promise.unchecked.is_some() {
            return gaps;
        }
        if self.passed.is_empty() {
            gaps.push("no check that passes");
        }
        if self.noticed.is_empty() && self.survived.is_empty() {
            gaps.push("no fault");
        } else if self.failed.is_empty() {
            gaps.push("no check that fails");
        }
        if !self.survived.is_empty() {
            gaps.push("a fault survives");
        }
        gaps
    }
}

/// Joins a run on the conforming daemon and a measurement of the faults.
pub fn rows<'a>(catalogue: &'a Catalogue, run: &'a [ScenarioResult], faults: &'a [Noticed]) -> Vec<Row<'a>> {
    catalogue
        .promises()
        .map(|promise| {
            let checks = run.iter().flat_map(|scenario| &scenario.checks);
            let own = faults.iter().filter(|noticed| noticed.promise == promise.id);
            let (survived, noticed): (Vec<&Noticed>, Vec<&Noticed>) = own.partition(|noticed| noticed.survived());
            Row {
                promise,
                passed: checks
                    .filter(|check| check.verdict == Verdict::Pass && check.promises.contains(&promise.id))
                    .map(|check| check.id.as_str())
                    .collect(),
                failed: noticed.iter().flat_map(|noticed| noticed.by.iter().map(String::as_str)).collect(),
                noticed: noticed.iter().map(|noticed| noticed.fault).collect(),
                survived: survived.iter().map(|noticed| noticed.fault).collect(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::{html, json, markdown, table};

    #[test]
    fn a_must_needs_a_check_that_passes_one_that_fails_and_a_fault() {
        let catalogue = Catalogue::builtin();
        let promise = |id: &str| catalogue.promise(id).unwrap();
        let row = |id| Row {
            promise: promise(id),
            passed: BTreeSet::new(),
            failed: BTreeSet::new(),
            noticed: Vec::new(),
            survived: Vec::new(),
        };
        assert_eq!(row("BRG-TOL-01").gaps(), ["no check that passes", "no fault"]);
        assert!(row("BRG-CON-13").gaps().is_empty(), "a SHOULD needs nothing");
        assert!(row("BRG-LNK-05").gaps().is_empty(), "no black box can check it");
        let mut whole = row("BRG-TOL-01");
        whole.passed.insert("a");
        whole.noticed.push("f");
        assert_eq!(whole.gaps(), ["no check that fails"]);
        whole.failed.insert("a");
        assert!(whole.gaps().is_empty());
        whole.survived.push("g");
        assert_eq!(whole.gaps(), ["a fault survives"]);
    }

    #[test]
    fn every_form_tells_the_same_and_html_is_escaped() {
        let row = Row {
            promise: Catalogue::builtin().promise("BRG-TOL-01").unwrap(),
            passed: BTreeSet::from(["a", "b"]),
            failed: BTreeSet::from(["a"]),
            noticed: vec!["f"],
            survived: vec!["<g>"],
        };
        let rows = [row];
        assert_eq!(
            table(&rows).lines().skip(1).collect::<Vec<_>>(),
            ["BRG-TOL-01      M       2       1     1/2  a fault survives: <g>", "1 promises, 1 with gaps",]
        );
        assert!(markdown(&rows).ends_with("\n| BRG-TOL-01 | M | 2 | 1 | 1/2 | a fault survives: <g> |\n"));
        let page = html(&rows);
        assert!(page.contains("<tr class=\"gap\"><td>BRG-TOL-01<td>M<td>"), "{page}");
        assert!(page.contains("<td>2<td>1<td title=\"f\">1/2<td>a fault survives: &lt;g&gt;"), "{page}");
        let promise = &json(&rows)["promises"][0];
        assert_eq!(promise["passed"], serde_json::json!(["a", "b"]));
        assert_eq!(promise["gaps"], serde_json::json!(["a fault survives"]));
    }
}

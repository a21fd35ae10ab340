//! The report for people: failures only, each with promise, expectation, all that came, the line and the way to see it again.

use super::{Tally, word};
use crate::judge::verdict::{CheckResult, ScenarioResult, Verdict};
use crate::requirements::Catalogue;
use crate::scenario::node::Source;
use annotate_snippets::{AnnotationKind, Level as Tone, Renderer, Snippet};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// How many of the things that arrived are printed in full; all of them stand in the transcript.
const ARRIVED_SHOWN: usize = 12;
/// How many characters of one of them.
const WIDTH: usize = 600;

/// What the console report is made from.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Name of the target.
    pub target: &'a str,
    /// What the run brought.
    pub results: &'a [ScenarioResult],
    /// Scenario files by scenario id, for quoting the line that was not kept.
    pub sources: &'a BTreeMap<String, Arc<Source>>,
    /// The promises.
    pub catalogue: &'a Catalogue,
    /// Claimed promises that nothing judged.
    pub unjudged: &'a BTreeSet<String>,
    /// Arguments that a rerun needs besides the scenario's id, e.g. ` --target my.toml`.
    pub again: &'a str,
    /// Whether colours may be used.
    pub colour: bool,
    /// Wall time of the run.
    pub wall: Duration,
}

impl Report<'_> {
    /// The whole report: every check that is neither a pass nor not applicable, then the summary line and the claimed promises
    /// that nothing judged.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for result in self.results {
            for check in &result.checks {
                if !matches!(check.verdict, Verdict::Pass | Verdict::NotApplicable) {
                    self.check(&mut text, result, check);
                }
            }
        }
        text.push_str(&self.summary());
        if !self.unjudged.is_empty() {
            let ids: Vec<&str> = self.unjudged.iter().map(String::as_str).collect();
            let _ = writeln!(text, "claimed and judged by nothing: {}", ids.join(", "));
        }
        text
    }

    /// The summary line, with its newline.
    pub fn summary(&self) -> String {
        let tally = Tally::of(self.results);
        let mut line = format!(
            "{} scenarios, {} checks on {}: {} passed",
            self.results.len(),
            tally.total(),
            self.target,
            tally.pass
        );
        for (count, what) in [
            (tally.fail, "FAILED"),
            (tally.warn, "warnings"),
            (tally.not_verified, "not verified"),
            (tally.not_applicable, "not applicable"),
            (tally.broken, "BROKEN (our own fault)"),
        ] {
            if count > 0 {
                let _ = write!(line, ", {count} {what}");
            }
        }
        let _ = writeln!(line, " in {:.2} s", self.wall.as_secs_f64());
        line
    }

    fn check(&self, text: &mut String, result: &ScenarioResult, check: &CheckResult) {
        let _ = writeln!(text, "{} {}", self.tone(check.verdict), check.id);
        for id in &check.promises {
            let statement = self.catalogue.promise(id).map_or("", |promise| promise.statement.as_str());
            row(text, "promise", &format!("{id}: {statement}"));
        }
        row(text, "because", &check.message);
        if let Some(expected) = &check.expected {
            row(text, "expected", &cut(&expected.to_string()));
        }
        if !check.arrived.is_empty() {
            row(text, "arrived", &self.arrived(check));
        } else if check.verdict == Verdict::Fail {
            row(text, "arrived", "nothing");
        }
        if let Some(snippet) = self.snippet(result, check) {
            row(text, "scenario", &snippet);
        }
        if let Some(path) = &result.transcript {
            row(text, "proof", &format!("{path}{}", evidence(&check.evidence)));
        }
        row(text, "again", &format!("iolite run {}{}", result.scenario, self.again));
        text.push('\n');
    }

    fn arrived(&self, check: &CheckResult) -> String {
        let mut lines: Vec<String> = check
            .arrived
            .iter()
            .take(ARRIVED_SHOWN)
            .enumerate()
            .map(|(index, value)| format!("{}. {}", index + 1, cut(&value.to_string())))
            .collect();
        if check.arrived.len() > ARRIVED_SHOWN {
            lines.push(format!("and {} more, see the transcript", check.arrived.len() - ARRIVED_SHOWN));
        }
        lines.join("\n")
    }

    fn snippet(&self, result: &ScenarioResult, check: &CheckResult) -> Option<String> {
        let source = self.sources.get(&result.scenario)?;
        let (start, end) = check.span?;
        let end = end.min(source.text.len());
        let start = start.min(end);
        // A step may be long; its first line is what one looks for.
        let end = source.text[start..end].find('\n').map_or(end, |newline| start + newline);
        let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
        let report = [Tone::NOTE.primary_title("this expectation").element(
            Snippet::source(&source.text)
                .path(&source.path)
                .fold(true)
                .annotation(AnnotationKind::Primary.span(start..end.max(start + 1).min(source.text.len()))),
        )];
        let rendered = renderer.render(&report);
        Some(rendered.split_once('\n').map_or(rendered.clone(), |(_, body)| body.trim_end().to_string()))
    }

    fn tone(&self, verdict: Verdict) -> String {
        let word = word(verdict);
        if !self.colour {
            return word.to_string();
        }
        let colour = match verdict {
            Verdict::Fail | Verdict::Broken => "31;1",
            Verdict::Warn | Verdict::NotVerified => "33;1",
            Verdict::Pass | Verdict::NotApplicable => "32",
        };
        format!("\u{1b}[{colour}m{word}\u{1b}[0m")
    }
}

fn row(text: &mut String, name: &str, body: &str) {
    if body.is_empty() {
        return;
    }
    for (index, line) in body.lines().enumerate() {
        let name = if index == 0 { name } else { "" };
        let _ = writeln!(text, "  {name:<9} {line}");
    }
}

fn evidence(records: &[u64]) -> String {
    match records {
        [] => String::new(),
        [one] => format!(", record {one}"),
        [first, .., last] => format!(", records {first} to {last}"),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}… ({} bytes in all)", &text[..end], text.len()),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::model::Level;
    use serde_json::json;

    #[test]
    fn a_failure_shows_promise_expectation_arrivals_line_and_rerun() {
        let source = Source::new("scenarios/tol/x.yaml", "scenario: x\nsteps:\n  - phone.connect\n  - phone.fence\n");
        let start = source.text.find("phone.fence").unwrap();
        let check = CheckResult {
            id: "tol/x:the fence".into(),
            promises: vec!["BRG-TOL-01".into()],
            level: Level::Must,
            verdict: Verdict::Fail,
            message: "/a: expected 1, got 2".into(),
            outcome: None,
            expected: Some(json!({"a": 1})),
            arrived: vec![json!({"a": 2}), json!("x".repeat(700))],
            evidence: vec![4, 5, 9],
            span: Some((start, start + 11)),
            micros: 10,
        };
        let passed = CheckResult { verdict: Verdict::Pass, id: "tol/x:other".into(), ..check.clone() };
        let results = [ScenarioResult {
            scenario: "tol/x".into(),
            title: "x".into(),
            path: source.path.clone(),
            checks: vec![check, passed],
            transcript: Some("iolite-out/tol-x.jsonl".into()),
            micros: 99,
        }];
        let report = Report {
            target: "reference",
            results: &results,
            sources: &BTreeMap::from([("tol/x".to_string(), source)]),
            catalogue: Catalogue::builtin(),
            unjudged: &BTreeSet::from(["BRG-TOL-09".to_string(), "BRG-TOL-16".to_string()]),
            again: " --target my.toml",
            colour: false,
            wall: Duration::from_millis(1234),
        };
        insta::assert_snapshot!(report.render());
    }
}

//! The reference part of `docs/scenarios.md`, written from the tables.

use super::features::SIGNS;
use super::load::APP_OPTIONS;
use super::matcher::MATCHERS;
use super::model::ActorKind;
use super::template::GENERATORS;
use super::verbs::{self, COMMON, Param, ParamKind, Verb};
use std::fmt::Write as _;

/// Markdown: options of the cast, keys of every step, all verbs, matchers and generators.
pub fn reference() -> String {
    let mut page = String::new();
    page.push_str("### Options of an app\n\n| Option | Meaning |\n|---|---|\n");
    for (name, _, doc) in APP_OPTIONS {
        row(&mut page, &[&format!("`{name}`"), doc]);
    }
    page.push_str("\n### Keys that every verb takes\n\n| Key | Takes | Meaning |\n|---|---|---|\n");
    for param in COMMON {
        row(&mut page, &[&format!("`{}`", param.name), &takes(param.kind), param.doc]);
    }
    for (kind, title) in [
        (ActorKind::App, "An app"),
        (ActorKind::Client, "A client"),
        (ActorKind::Operator, "An operator"),
        (ActorKind::Daemon, "The daemon"),
    ] {
        let _ = write!(page, "\n### {title} can\n");
        for verb in verbs::of(kind) {
            self::verb(&mut page, verb);
        }
    }
    page.push_str("\n### Words that need a feature\n\n| Word | Where | Feature |\n|---|---|---|\n");
    for sign in SIGNS {
        row(&mut page, &[&format!("`{}`", sign.word), sign.place.words(), &format!("`{}`", sign.feature)]);
    }
    page.push_str("\n### Matchers\n\n| Written | Matches when |\n|---|---|\n");
    for matcher in MATCHERS {
        row(&mut page, &[&format!("`{}`", matcher.usage), matcher.summary]);
    }
    page.push_str("\n### Generators\n\n| Written | Makes |\n|---|---|\n");
    for generator in GENERATORS {
        row(&mut page, &[&format!("`{}`", generator.usage), generator.summary]);
    }
    page
}

fn verb(page: &mut String, verb: &Verb) {
    let mark = if verb.asserts { " — a check" } else { "" };
    let needs: Vec<_> = verb.needs.iter().map(|feature| format!("`{feature}`")).collect();
    let needs = if needs.is_empty() { String::new() } else { format!(" Needs {}.", needs.join(", ")) };
    let _ = write!(page, "\n#### `{}`{mark}\n\n{}{needs}\n", verb.name, verb.summary);
    if !verb.params.is_empty() {
        page.push_str("\n| Argument | Takes | Meaning |\n|---|---|---|\n");
    }
    for param in verb.params {
        let needs = param.needs.map(|feature| format!(" Needs `{feature}`.")).unwrap_or_default();
        row(page, &[&argument(verb, param), &takes(param.kind), &format!("{}{needs}", param.doc)]);
    }
    for choice in verb.choices {
        let names: Vec<_> = choice.of.iter().map(|name| format!("`{name}`")).collect();
        let rule = if choice.required { "Exactly one" } else { "At most one" };
        let _ = write!(page, "\n{rule} of {}.\n", names.join(", "));
    }
    let _ = write!(page, "\nOutcome: {}\n", verb.outcome);
}

fn argument(verb: &Verb, param: &Param) -> String {
    let required = if param.required { " (required)" } else { "" };
    let main = if verb.main == Some(param.name) && !verb.free_form { " (may stand alone)" } else { "" };
    format!("`{}`{required}{main}", param.name)
}

fn takes(kind: ParamKind) -> String {
    match kind {
        ParamKind::Any => "anything".into(),
        ParamKind::Text => "text".into(),
        ParamKind::Bytes => "text or bytes".into(),
        ParamKind::Integer => "whole number".into(),
        ParamKind::Number => "number".into(),
        ParamKind::Bool => "`true`, `false`".into(),
        ParamKind::Map => "map".into(),
        ParamKind::List => "list".into(),
        ParamKind::Choice(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        ParamKind::Matcher => "matcher".into(),
        ParamKind::Name => "name given with `as`".into(),
        ParamKind::Actor(ActorKind::App) => "name of an app".into(),
        ParamKind::Actor(_) => "name of an actor".into(),
    }
}

fn row(page: &mut String, cells: &[&str]) {
    let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let _ = writeln!(page, "| {} |", cells.join(" | "));
}

#[cfg(test)]
mod tests {
    use super::reference;
    use crate::scenario::load::{LoadContext, load};
    use crate::scenario::node::Source;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scenarios.md");

    const BEGIN: &str = "<!-- reference: generated from the tables in harness/src/scenario, do not edit -->\n";
    const END: &str = "<!-- end of the reference -->\n";

    #[test]
    fn the_complete_example_loads() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let examples: Vec<_> = page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let complete: Vec<_> = examples.iter().filter(|example| example.starts_with("scenario:")).collect();
        assert!(!complete.is_empty());
        for example in complete {
            let loaded = load(&Source::new("example.yaml", *example), "example", &LoadContext::default());
            assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
        }
    }

    /// `IOLITE_UPDATE_DOCS=1` writes the page instead of comparing it.
    #[test]
    fn the_page_agrees_with_the_tables() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once(BEGIN).unwrap();
        let (written, after) = rest.split_once(END).unwrap();
        let expected = format!("\n{}\n", reference());
        if std::env::var_os("IOLITE_UPDATE_DOCS").is_some() {
            std::fs::write(PAGE, format!("{before}{BEGIN}{expected}{END}{after}")).unwrap();
        } else {
            assert!(written == expected, "docs/scenarios.md is out of date: run the test with IOLITE_UPDATE_DOCS=1");
        }
    }
}

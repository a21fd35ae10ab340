//! Files that are wrong, and what people are told about them; files that are right.

use super::diagnostics::{Style, render, to_json};
use super::load::{LoadContext, load};
use super::mistake::LoadError;
use super::model::{Role, Scenario, StepKind};
use super::node::Source;
use include_dir::{Dir, include_dir};
use std::collections::BTreeSet;

static WRONG: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/scenario/gallery");
static RIGHT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/scenario/samples");

fn words(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn load_text(name: &str, text: &str) -> Result<Scenario, LoadError> {
    let promises =
        words(&["BRG-RES-01", "BRG-RES-02", "BRG-RES-03", "BRG-RES-05", "BRG-MCP-03", "BRG-MCP-12", "BRG-MCP-14"]);
    let context = LoadContext {
        promises: Some(&promises),
        bugs: Some(&words(&["FB-019"])),
        features: Some(&words(&["tools", "resources", "mcp", "cli", "audit", "policy", "events", "restart"])),
        profiles: Some(&words(&["resources", "tools_only", "sdk"])),
    };
    load(&Source::new(format!("{name}.yaml"), text), name, &context)
}

fn files(folder: &'static Dir<'_>) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder.files().filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)))
}

fn sample(name: &str) -> Scenario {
    let (_, text) = files(&RIGHT).find(|(file, _)| *file == name).unwrap();
    load_text(name, text).unwrap_or_else(|error| panic!("{}", render(&error, Style::Plain)))
}

#[test]
fn every_mistake_is_told_with_its_place_and_a_way_out() {
    let mut codes = BTreeSet::new();
    for (name, text) in files(&WRONG) {
        let error = load_text(name, text).expect_err(name);
        codes.extend(error.problems.iter().map(|problem| problem.mistake.code()));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "gallery/told" }, {
            insta::assert_snapshot!(name, render(&error, Style::Plain));
        });
    }
    // Those of the set of files have tests of their own.
    let elsewhere = ["not-utf8", "unreadable"];
    let untold: Vec<_> =
        codes_of_all_mistakes().filter(|code| !codes.contains(code) && !elsewhere.contains(code)).collect();
    assert_eq!(untold, <[&str; 0]>::default(), "the gallery lacks these");
}

/// Read from the source, so that a new mistake cannot be forgotten.
fn codes_of_all_mistakes() -> impl Iterator<Item = &'static str> {
    let source = include_str!("mistake/words.rs");
    let table = source.split("fn code(&self)").nth(1).unwrap_or_default();
    let table = table.split("fn help(&self)").next().unwrap_or_default();
    table.split('"').skip(1).step_by(2)
}

#[test]
fn machines_are_told_too() {
    let (name, text) = files(&WRONG).find(|(name, _)| *name == "everything-at-once").unwrap();
    let error = load_text(name, text).unwrap_err();
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_json_snapshot!(to_json(&error));
    });
}

#[test]
fn the_examples_of_the_design_load() {
    let resume = sample("resume");
    assert_eq!(resume.id, "resume");
    assert_eq!(resume.steps.len(), 7);
    assert!(matches!(&resume.cast[0].role, Role::App(Some(options)) if options.member("model").is_some()));
    let StepKind::Act(action) = &resume.steps[5].kind else { panic!("an action") };
    let check = action.check.as_ref().unwrap();
    assert_eq!((action.verb.name, check.label.as_str()), ("expect_notification", "the change is announced"));
    assert_eq!(action.args.to_json(), serde_json::json!({"method": "resources/list_changed"}));

    let table = sample("table");
    assert_eq!(table.cases.len(), 2);
    let labels: Vec<_> = table
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Act(action) => action.check.as_ref().map(|check| check.label.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(labels, ["phone expect close", "witness is unaffected"]);
}

#[test]
fn every_corner_of_the_language_loads() {
    let scenario = sample("everything");
    assert_eq!(
        scenario.cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(),
        ["size 1", "size 3, text ${phone.alias}"]
    );
    let StepKind::Act(action) = &scenario.steps[2].kind else { panic!("an action") };
    assert_eq!((action.bind.as_deref(), action.within), (Some("hello"), Some(20.0)));
    assert_eq!(scenario.steps[4].needs, ["events"]);
    assert_eq!(scenario.cases[1].needs, ["audit"]);
    assert_eq!(action.args.value, super::node::Value::Null);
    assert!(action.check.as_ref().is_some_and(|check| check.stop));
    let StepKind::Act(stop) = &scenario.steps[20].kind else { panic!("an action") };
    assert_eq!(stop.args.to_json(), serde_json::json!({"how": "sigterm"}));
    let source = &scenario.source.text;
    assert_eq!(&source[action.span.clone()], "agent.connect");
}

mod arbitrary {
    use super::*;
    use proptest::prelude::*;

    /// A sample with some of its text replaced: near enough to a scenario to reach every part of the loader.
    fn mangled() -> impl Strategy<Value = String> {
        let texts: Vec<String> = files(&RIGHT).chain(files(&WRONG)).map(|(_, text)| text.to_owned()).collect();
        let scrap = proptest::sample::select(vec![
            "", " ", "\n", "  ", "- ", ": ", "{", "}", "[", "]", "\"", "'", "#", "${", "}", "$", "$$", "null", "1",
            "-1", "1e5", "é", "steps", "cases", "case", "as", "phone", "agent", "expect", "check", "$capture",
            "$one_of", "$list", "repeat",
        ]);
        (
            proptest::sample::select(texts),
            proptest::collection::vec((any::<prop::sample::Index>(), 0..8_usize, scrap), 1..6),
        )
            .prop_map(|(mut text, edits)| {
                for (place, length, scrap) in edits {
                    let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                    let start = place.index(boundaries.len());
                    let end = (start + length).min(boundaries.len() - 1);
                    text.replace_range(boundaries[start]..boundaries[end], scrap);
                }
                text
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn no_text_makes_the_loader_panic(text in prop_oneof![4 => mangled(), 1 => "(?s).{0,200}"]) {
            if let Err(error) = load_text("x", &text) {
                prop_assert!(!error.problems.is_empty());
                prop_assert!(!render(&error, Style::Coloured).is_empty());
                to_json(&error);
            }
        }
    }
}

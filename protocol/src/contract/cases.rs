//! One row for every rule: an input that breaks it and nothing else, and a neighbour that passes.

mod bases;
mod descriptors;
mod frames;
mod handshakes;
mod params;

use super::{Area, Contract, Rule};
use crate::close::Close;
use crate::frame::{AppFrame, DaemonFrame, FrameError};
use crate::rpc::{Method, Params};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What decodes the input of a row.
#[derive(Clone, Copy, Debug)]
enum Reader {
    First,
    Session,
    Daemon,
    Params(Method),
}

/// A row.
struct Case {
    rule: Rule,
    reader: Reader,
    /// Where the violation is reported: a JSON pointer, or the parameter.
    at: String,
    bad: String,
    good: String,
}

/// What a row does to the field it is about.
#[derive(Clone)]
enum Edit {
    Drop,
    Set(Value),
}

fn set(value: impl Into<Value>) -> Edit {
    Edit::Set(value.into())
}

/// A text of so many characters, none of them ASCII: bytes and UTF-16 units would count otherwise.
fn long(characters: usize) -> Edit {
    set("𝄞".repeat(characters))
}

fn ascii(characters: usize) -> Edit {
    set("a".repeat(characters))
}

fn edited(base: &Value, pointer: &str, edit: &Edit) -> String {
    let mut value = base.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = value.pointer_mut(parent).unwrap();
    match (parent, edit) {
        (Value::Array(items), Edit::Set(new)) => items[key.parse::<usize>().unwrap()] = new.clone(),
        (parent, Edit::Set(new)) => parent[key] = new.clone(),
        (parent, Edit::Drop) => {
            parent.as_object_mut().unwrap().shift_remove(key);
        }
    }
    value.to_string()
}

fn case(rule: Rule, base: (Reader, Value), pointer: &str, bad: Edit, good: Edit) -> Case {
    Case {
        rule,
        reader: base.0,
        at: pointer.to_owned(),
        bad: edited(&base.1, pointer, &bad),
        good: edited(&base.1, pointer, &good),
    }
}

fn raw(rule: Rule, reader: Reader, at: &str, bad: impl Into<String>, good: impl Into<String>) -> Case {
    Case { rule, reader, at: at.to_owned(), bad: bad.into(), good: good.into() }
}

/// One character too many, and where there is a least number, one too few.
fn length_rows(base: fn() -> bases::Base, pointer: &str, length: Rule, min: usize, max: usize) -> Vec<Case> {
    let over = case(length, base(), pointer, long(max + 1), long(max));
    let under = (min > 0).then(|| case(length, base(), pointer, set(""), long(min)));
    std::iter::once(over).chain(under).collect()
}

/// A required text that is missing, or none.
fn text_rows(base: fn() -> bases::Base, pointer: &str, present: Rule, kind: Rule, good: &str) -> Vec<Case> {
    vec![
        case(present, base(), pointer, Edit::Drop, set(good)),
        case(kind, base(), pointer, set(1), set(good)),
        case(kind, base(), pointer, set(json!([good])), set(good)),
    ]
}

/// The rule and place of the first violation, and the close; `Ok` when there is none.
fn judge(reader: Reader, text: &str, contract: &Contract) -> Result<(), (Rule, String, Option<Close>)> {
    let of_frame = |error: FrameError| (error.rule, error.pointer, Some(error.close));
    match reader {
        Reader::First => AppFrame::decode_first(text, contract).map(drop).map_err(of_frame),
        Reader::Session => AppFrame::decode_in_session(text, "s1", contract).map(drop).map_err(of_frame),
        Reader::Daemon => DaemonFrame::decode(text, contract).map(drop).map_err(of_frame),
        Reader::Params(method) => {
            let params: Value = serde_json::from_str(text).unwrap();
            let read = Params::decode(method, Some(&params), contract);
            read.map(drop).map_err(|error| (error.rule, error.parameter, None))
        }
    }
}

fn all() -> Vec<Case> {
    let mut cases = frames::cases();
    cases.extend(handshakes::cases());
    cases.extend(descriptors::cases());
    cases.extend(params::cases());
    cases
}

#[test]
fn every_violation_is_found_and_its_neighbour_passes() {
    for Case { rule, reader, at, bad, good } in all() {
        let contract = contract_for(rule);
        let found = judge(reader, &bad, &contract);
        assert_eq!(found, Err((rule, at, rule.close())), "{rule}: {}", shortened(&bad));
        assert_eq!(judge(reader, &good, &contract), Ok(()), "{rule}, neighbour: {}", shortened(&good));
    }
}

#[test]
fn every_rule_has_a_row() {
    let covered: BTreeSet<Rule> = all().into_iter().map(|case| case.rule).collect();
    let missing: Vec<_> = Rule::ALL.iter().filter(|rule| !covered.contains(rule) && **rule != Rule::Utf8).collect();
    // A frame is a text already where it is decoded; `strict::tests` breaks that rule.
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_waived_rule_is_not_reported() {
    for Case { rule, reader, bad, .. } in waivable() {
        let bent = contract_for(rule).waive(rule);
        if let Err((other, ..)) = judge(reader, &bad, &bent) {
            assert_ne!(other, rule, "{}", shortened(&bad));
        }
    }
}

#[test]
fn with_everything_waived_everything_passes() {
    let lax = Contract::default().waive_all(Rule::ALL.iter().copied());
    for Case { rule, reader, bad, .. } in waivable() {
        assert_eq!(judge(reader, &bad, &lax), Ok(()), "{rule}: {}", shortened(&bad));
    }
}

/// All rows but those of the one rule without which there is nothing to decode.
fn waivable() -> impl Iterator<Item = Case> {
    all().into_iter().filter(|case| case.rule != Rule::DaemonMessageType)
}

#[test]
fn unknown_keys_are_tolerated_or_not_everywhere() {
    let refusing = Contract { refuse_unknown_keys: true, ..Contract::default() };
    for (reader, base) in bases::all() {
        let mut more = base.clone();
        more["x-extra"] = json!({ "null": null });
        assert_eq!(judge(reader, &base.to_string(), &refusing), Ok(()), "{base}");
        assert_eq!(judge(reader, &more.to_string(), &Contract::default()), Ok(()), "{base}");
        let (rule, at, _) = judge(reader, &more.to_string(), &refusing).unwrap_err();
        assert_eq!((rule, at.as_str()), (Rule::UnknownKey, "/x-extra"), "{base}");
    }
}

#[test]
fn an_optional_null_is_a_wrong_type() {
    for Case { rule, reader, at, good, .. } in all() {
        if rule.kind() != super::Kind::Type || rule.area() == Area::Params || rule.field().is_empty() || at == "/error"
        {
            continue;
        }
        let base: Value = serde_json::from_str(&good).unwrap();
        let null = edited(&base, &at, &set(Value::Null));
        assert_eq!(judge(reader, &null, &Contract::default()).unwrap_err().0, rule, "{null}");
    }
}

fn contract_for(rule: Rule) -> Contract {
    Contract { refuse_unknown_keys: rule == Rule::UnknownKey, ..Contract::default() }
}

fn shortened(text: &str) -> String {
    text.chars().take(400).collect()
}

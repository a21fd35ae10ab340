//! Holding a value against a [`Kind`].

use super::compare::{compare, is_type, length, same};
use super::kind::Kind;
use super::outcome::{MatchOutcome, Mismatch, NOTHING, words};
use super::place::Place;
use super::words::{count, describe, describe_bytes, shorten};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::cmp::Ordering;

pub(super) fn run(kind: &Kind, actual: Option<&Value>) -> MatchOutcome {
    let mut findings = Findings::default();
    findings.check(kind, actual, Place::WHOLE);
    let matched = !findings.failed;
    if let Some(error) = actual.and_then(|actual| unexpected_error(kind, actual))
        && !matched
    {
        findings.mismatches = vec![error];
    }
    MatchOutcome {
        matched,
        mismatches: findings.mismatches,
        captures: if matched { findings.captures } else { Vec::new() },
        alternative: (matched && !findings.alternatives.is_empty()).then(|| findings.alternatives.join(", ")),
    }
}

/// An error that came instead of a result is the whole story; that this or that member is missing is not.
fn unexpected_error(kind: &Kind, actual: &Value) -> Option<Mismatch> {
    let came = actual.as_object().filter(|members| members.len() == 1 && members.contains_key("error"))?;
    let mentions = |kind: &Kind| match kind {
        Kind::Object { members, .. } => members.iter().any(|(name, _)| name == "error"),
        _ => true,
    };
    let silent = match kind {
        Kind::All(items) => !items.iter().any(|item| matches!(item, Kind::Object { .. }) && mentions(item)),
        kind => !mentions(kind),
    };
    silent.then(|| Mismatch {
        pointer: String::new(),
        expected: words(&kind.to_value()),
        actual: format!("the error {}", words(&came["error"])),
    })
}

#[derive(Default)]
struct Findings {
    failed: bool,
    /// Only whether it fails is asked, not why.
    quiet: bool,
    mismatches: Vec<Mismatch>,
    captures: Vec<(String, Value)>,
    alternatives: Vec<String>,
}

impl Findings {
    fn check(&mut self, kind: &Kind, actual: Option<&Value>, place: Place<'_>) {
        match (kind, actual) {
            _ if self.quiet && self.failed => {}
            (Kind::Presence(true), actual) => self.require(actual.is_some(), place, actual, || "something".into()),
            (Kind::Presence(false), actual) => self.require(actual.is_none(), place, actual, || NOTHING.into()),
            (Kind::All(items), actual) => items.iter().for_each(|item| self.check(item, actual, place)),
            (Kind::OneOf { alternatives, .. }, actual) => self.one_of(alternatives, actual, place),
            (Kind::Not(_), None) => self.miss(place, None, || describe(kind)),
            (kind, None) => self.miss(place, None, || describe(kind)),
            (kind, Some(actual)) => self.present(kind, actual, place),
        }
    }

    fn present(&mut self, kind: &Kind, actual: &Value, place: Place<'_>) {
        let expected = || describe(kind);
        match kind {
            Kind::Equal(value) => self.equal(value, actual, place),
            Kind::Object { members, exact } => self.object(kind, members, *exact, actual, place),
            Kind::List(items) => self.list(items, actual, place),
            Kind::Exactly(inner) => self.check(inner, Some(actual), place),
            Kind::Not(inner) => self.require(!fits(inner, Some(actual)), place, Some(actual), expected),
            Kind::Contains(items) => self.contains(items, actual, place),
            Kind::Lacks(items) => self.lacks(items, actual, place),
            Kind::Unordered(items) => self.unordered(items, actual, place),
            Kind::Each(inner) => match actual {
                Value::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        self.check(inner, Some(item), place.index(index));
                    }
                }
                _ => self.miss(place, Some(actual), || "a list".into()),
            },
            Kind::Unique => self.unique(actual, place),
            Kind::Regex(regex) => self.text(actual, place, expected, |text| regex.is_match(text)),
            Kind::StartsWith(start) => self.text(actual, place, expected, |text| text.starts_with(start)),
            Kind::EndsWith(end) => self.text(actual, place, expected, |text| text.ends_with(end)),
            Kind::Length(inner) => match length(actual) {
                Some(length) => self.measured(inner, length, "length", place),
                None => self.miss(place, Some(actual), || "something with a length".into()),
            },
            Kind::Bytes(inner) => match actual.as_str() {
                Some(text) => self.measured(inner, text.len(), "length in bytes", place),
                None => self.miss(place, Some(actual), || "text".into()),
            },
            Kind::AtLeast(bound) => self.ordered(actual, bound, Ordering::Less, place, expected),
            Kind::AtMost(bound) => self.ordered(actual, bound, Ordering::Greater, place, expected),
            Kind::Type(name) => self.require(is_type(name, actual), place, Some(actual), expected),
            Kind::Parsed(inner) => match actual.as_str().map(serde_json::from_str::<Value>) {
                Some(Ok(value)) => self.check(inner, Some(&value), place.parsed()),
                _ => self.miss(place, Some(actual), || "text that is JSON".into()),
            },
            Kind::Decoded(bytes) => match actual.as_str().map(|text| STANDARD.decode(text)) {
                Some(Ok(came)) if came == *bytes => {}
                Some(Ok(came)) => self.miss_with(place, expected, || describe_bytes(&came)),
                _ => self.miss(place, Some(actual), || "text that is base64".into()),
            },
            Kind::Schema { validator, .. } => {
                for error in validator.iter_errors(actual) {
                    let pointer = error.instance_path().to_string();
                    let breach = || format!("a breach: {}", shorten(error.to_string()));
                    self.miss_with(place.pointer(&pointer), || "what the schema asks for".into(), breach);
                }
            }
            Kind::Capture { name, inner } => {
                if let Some(inner) = inner {
                    self.check(inner, Some(actual), place);
                }
                if !self.quiet {
                    self.captures.push((name.clone(), actual.clone()));
                }
            }
            Kind::Presence(_) | Kind::All(_) | Kind::OneOf { .. } => self.check(kind, Some(actual), place),
        }
    }

    fn equal(&mut self, expected: &Value, actual: &Value, place: Place<'_>) {
        match (expected, actual) {
            (Value::Object(wanted), Value::Object(came)) => {
                for (name, wanted) in wanted {
                    match came.get(name) {
                        Some(came) => self.equal(wanted, came, place.member(name)),
                        None => self.miss(place.member(name), None, || words(wanted)),
                    }
                }
                for (name, came) in came.iter().filter(|(name, _)| !wanted.contains_key(*name)) {
                    self.miss(place.member(name), Some(came), || NOTHING.into());
                }
            }
            (Value::Array(wanted), Value::Array(came)) if wanted.len() == came.len() => {
                for (index, (wanted, came)) in wanted.iter().zip(came).enumerate() {
                    self.equal(wanted, came, place.index(index));
                }
            }
            (wanted, came) => self.require(same(wanted, came), place, Some(came), || words(wanted)),
        }
    }

    fn object(&mut self, kind: &Kind, members: &[(String, Kind)], exact: bool, actual: &Value, place: Place<'_>) {
        let Value::Object(came) = actual else {
            return self.miss(place, Some(actual), || describe(kind));
        };
        for (name, kind) in members {
            self.check(kind, came.get(name), place.member(name));
        }
        if exact {
            for (name, value) in came.iter().filter(|(name, _)| !members.iter().any(|(known, _)| known == *name)) {
                self.miss(place.member(name), Some(value), || NOTHING.into());
            }
        }
    }

    fn list(&mut self, items: &[Kind], actual: &Value, place: Place<'_>) {
        match actual {
            Value::Array(came) if came.len() == items.len() => {
                for (index, (kind, item)) in items.iter().zip(came).enumerate() {
                    self.check(kind, Some(item), place.index(index));
                }
            }
            Value::Array(came) => {
                let expected = || format!("a list of {}: {}", count(items.len()), words(&Kind::list_value(items)));
                self.miss_with(place, expected, || format!("{}: {}", count(came.len()), words(actual)));
            }
            _ => self.miss(place, Some(actual), || words(&Kind::list_value(items))),
        }
    }

    fn contains(&mut self, items: &[Kind], actual: &Value, place: Place<'_>) {
        for kind in items {
            match (kind, actual) {
                (_, Value::Array(came)) => match came.iter().find(|item| fits(kind, Some(item))) {
                    Some(item) => self.check(kind, Some(item), place),
                    None => self.miss(place, Some(actual), || format!("a list that contains {}", describe(kind))),
                },
                (Kind::Equal(Value::String(part)), Value::String(text)) => {
                    self.require(text.contains(part.as_str()), place, Some(actual), || {
                        format!("text that contains {}", describe(kind))
                    });
                }
                _ => self.miss(place, Some(actual), || format!("something that contains {}", describe(kind))),
            }
        }
    }

    fn lacks(&mut self, items: &[Kind], actual: &Value, place: Place<'_>) {
        for kind in items {
            match (kind, actual) {
                (_, Value::Array(came)) => {
                    if let Some(index) = came.iter().position(|item| fits(kind, Some(item))) {
                        let nothing_like = || format!("nothing like {}", describe(kind));
                        self.miss(place.index(index), Some(&came[index]), nothing_like);
                    }
                }
                (Kind::Equal(Value::String(part)), Value::String(text)) => {
                    self.require(!text.contains(part.as_str()), place, Some(actual), || {
                        format!("text without {}", describe(kind))
                    });
                }
                _ => self.miss(place, Some(actual), || format!("a list or text without {}", describe(kind))),
            }
        }
    }

    /// A pairing of matchers and items, found by augmenting paths.
    fn unordered(&mut self, items: &[Kind], actual: &Value, place: Place<'_>) {
        let Value::Array(came) = actual else {
            return self.miss(place, Some(actual), || "a list".into());
        };
        if came.len() != items.len() {
            let expected = || format!("{} in any order: {}", count(items.len()), words(&Kind::list_value(items)));
            return self.miss_with(place, expected, || format!("{}: {}", count(came.len()), words(actual)));
        }
        let fitting = |kind| (0..came.len()).filter(|index| fits(kind, Some(&came[*index]))).collect();
        let fitting: Vec<Vec<usize>> = items.iter().map(fitting).collect();
        let mut taken_by = vec![None; came.len()];
        for (wanted, kind) in items.iter().enumerate() {
            if !augment(wanted, &fitting, &mut taken_by, &mut vec![false; came.len()]) {
                self.miss(place, Some(actual), || format!("an item of its own for {}", describe(kind)));
            }
        }
        for (index, wanted) in taken_by.iter().enumerate() {
            if let Some(wanted) = wanted {
                self.check(&items[*wanted], Some(&came[index]), place.index(index));
            }
        }
    }

    fn unique(&mut self, actual: &Value, place: Place<'_>) {
        let Value::Array(items) = actual else {
            return self.miss(place, Some(actual), || "a list".into());
        };
        let twice = (1..items.len()).find(|index| items[..*index].iter().any(|item| same(item, &items[*index])));
        if let Some(index) = twice {
            self.miss_with(place, || describe(&Kind::Unique), || format!("{} twice", words(&items[index])));
        }
    }

    fn one_of(&mut self, alternatives: &[(String, Kind)], actual: Option<&Value>, place: Place<'_>) {
        match alternatives.iter().find(|(_, kind)| fits(kind, actual)) {
            Some((name, kind)) => {
                if !self.quiet {
                    self.alternatives.push(name.clone());
                }
                self.check(kind, actual, place);
            }
            None => self.miss(place, actual, || {
                let names: Vec<_> =
                    alternatives.iter().map(|(name, kind)| format!("{name} ({})", describe(kind))).collect();
                format!("one of: {}", names.join(", "))
            }),
        }
    }

    /// A matcher on a length. What it misses is told of the thing that has the length.
    fn measured(&mut self, inner: &Kind, measure: usize, what: &str, place: Place<'_>) {
        let mut measured = Self { quiet: self.quiet, ..Self::default() };
        measured.check(inner, Some(&measure.into()), Place::WHOLE);
        self.failed |= measured.failed;
        self.captures.append(&mut measured.captures);
        self.alternatives.append(&mut measured.alternatives);
        for mismatch in measured.mismatches {
            self.miss_with(place, || format!("{what} {}", mismatch.expected), || mismatch.actual);
        }
    }

    fn ordered(
        &mut self,
        actual: &Value,
        bound: &Value,
        wrong: Ordering,
        place: Place<'_>,
        expected: impl FnOnce() -> String,
    ) {
        let ordering = match (actual, bound) {
            (Value::Number(came), Value::Number(bound)) => compare(came, bound),
            _ => None,
        };
        self.require(ordering.is_some_and(|ordering| ordering != wrong), place, Some(actual), expected);
    }

    fn text(
        &mut self,
        actual: &Value,
        place: Place<'_>,
        expected: impl FnOnce() -> String,
        holds: impl Fn(&str) -> bool,
    ) {
        self.require(actual.as_str().is_some_and(holds), place, Some(actual), expected);
    }

    fn require(&mut self, holds: bool, place: Place<'_>, actual: Option<&Value>, expected: impl FnOnce() -> String) {
        if !holds {
            self.miss(place, actual, expected);
        }
    }

    fn miss(&mut self, place: Place<'_>, actual: Option<&Value>, expected: impl FnOnce() -> String) {
        self.miss_with(place, expected, || actual.map_or_else(|| NOTHING.to_owned(), words));
    }

    fn miss_with(&mut self, place: Place<'_>, expected: impl FnOnce() -> String, actual: impl FnOnce() -> String) {
        self.failed = true;
        if !self.quiet && self.mismatches.len() < MatchOutcome::MOST {
            self.mismatches.push(Mismatch { pointer: place.to_string(), expected: expected(), actual: actual() });
        }
    }
}

fn fits(kind: &Kind, actual: Option<&Value>) -> bool {
    let mut findings = Findings { quiet: true, ..Findings::default() };
    findings.check(kind, actual, Place::WHOLE);
    !findings.failed
}

fn augment(wanted: usize, fitting: &[Vec<usize>], taken_by: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    // Free items first: most lists need no second thought.
    if let Some(index) = fitting[wanted].iter().copied().find(|index| taken_by[*index].is_none()) {
        taken_by[index] = Some(wanted);
        return true;
    }
    for &index in &fitting[wanted] {
        if std::mem::replace(&mut seen[index], true) {
            continue;
        }
        if let Some(other) = taken_by[index]
            && augment(other, fitting, taken_by, seen)
        {
            taken_by[index] = Some(wanted);
            return true;
        }
    }
    false
}

//! Reading single values of a target file, collecting every mistake on the way.

use super::mistakes::Mistake;
use super::placeholders;
use crate::scenario::node::{Key, Node, Span, Value};
use std::time::Duration;

/// Reads values; what is wrong with one is noted, and something harmless stands in for it.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// What was wrong so far.
    pub(super) mistakes: Vec<Mistake>,
}

impl Reader {
    pub(super) fn texts(&mut self, node: &Node, name: &str) -> Vec<String> {
        match node.member(name).map(|node| (&node.value, &node.span)) {
            None => Vec::new(),
            Some((Value::List(items), _)) => items.iter().filter_map(|item| self.text(item)).collect(),
            Some((_, span)) => {
                self.mistake(span.clone(), format!("`{name}` must be a list of strings"), None);
                Vec::new()
            }
        }
    }

    pub(super) fn choices(&mut self, node: &Node, name: &str, known: &[&str]) -> Vec<String> {
        let spans: Vec<Span> = match node.member(name).map(|node| &node.value) {
            Some(Value::List(items)) => items.iter().map(|item| item.span.clone()).collect(),
            _ => Vec::new(),
        };
        let texts = self.texts(node, name);
        for (text, span) in texts.iter().zip(spans) {
            if !known.contains(&text.as_str()) {
                self.unknown(span, text, &format!("no {} a target can claim", singular(name)), known);
            }
        }
        texts
    }

    pub(super) fn choice(&mut self, node: &Node, name: &str, known: &[&str]) -> Option<String> {
        let node = node.member(name)?;
        let text = self.text(node)?;
        if !known.contains(&text.as_str()) {
            self.unknown(node.span.clone(), &text, &format!("no value of `{name}`"), known);
        }
        Some(text)
    }

    pub(super) fn required_text(&mut self, node: &Node, name: &str, meaning: &str) -> String {
        match node.member(name) {
            Some(value) => self.text(value).unwrap_or_default(),
            None => {
                self.mistake(node.span.start..node.span.start, format!("`{name}` is missing: {meaning}"), None);
                String::new()
            }
        }
    }

    pub(super) fn text(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::String(text) => {
                self.check_placeholders(node);
                Some(text.clone())
            }
            _ => {
                self.mistake(node.span.clone(), "this must be a string".into(), Some("put it in quotes".into()));
                None
            }
        }
    }

    pub(super) fn flag(&mut self, node: &Node, name: &str, default: bool) -> bool {
        match node.member(name).map(|node| (&node.value, &node.span)) {
            None => default,
            Some((Value::Bool(flag), _)) => *flag,
            Some((_, span)) => {
                self.mistake(span.clone(), format!("`{name}` must be true or false"), None);
                default
            }
        }
    }

    pub(super) fn seconds(&mut self, node: &Node, name: &str, default: f64) -> Duration {
        let seconds = match node.member(name).map(|node| (&node.value, &node.span)) {
            None => default,
            Some((Value::Number(number), span)) => match number.as_f64() {
                Some(seconds) if seconds > 0.0 && seconds <= 86_400.0 => seconds,
                _ => {
                    self.mistake(span.clone(), format!("`{name}` must be more than 0 and at most 86400"), None);
                    default
                }
            },
            Some((_, span)) => {
                self.mistake(span.clone(), format!("`{name}` must be a number of seconds"), None);
                default
            }
        };
        Duration::from_secs_f64(seconds)
    }

    pub(super) fn check_placeholders(&mut self, node: &Node) {
        match &node.value {
            Value::String(text) => {
                if let Err(unknown) = placeholders::check(text) {
                    let help = nearest(&unknown.name, placeholders::NAMES);
                    self.mistake(node.span.clone(), unknown.to_string(), help);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.check_placeholders(item)),
            Value::Map(members) => members.iter().for_each(|(_, node)| self.check_placeholders(node)),
            _ => {}
        }
    }

    pub(super) fn keys(&mut self, node: &Node, place: &str, known: &[&str]) {
        let Value::Map(members) = &node.value else {
            self.mistake(node.span.clone(), format!("{place} must be a table"), None);
            return;
        };
        for (Key { name, span }, _) in members {
            if !known.contains(&name.as_str()) {
                self.unknown(span.clone(), name, &format!("no key of {place}"), known);
            }
        }
    }

    pub(super) fn unknown(&mut self, span: Span, text: &str, what: &str, known: &[&str]) {
        let help = nearest(text, known);
        self.mistake(span, format!("`{text}` is {what}"), help);
    }

    pub(super) fn mistake(&mut self, span: Span, message: String, help: Option<String>) {
        self.mistakes.push(Mistake { span, message, help });
    }
}

fn singular(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

fn nearest(text: &str, known: &[&str]) -> Option<String> {
    let best = known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(text, candidate), candidate))
        .min_by_key(|(distance, _)| *distance)?;
    Some(if best.0 <= 3.max(text.len() / 3) {
        format!("did you mean `{}`?", best.1)
    } else {
        format!("known: {}", known.join(", "))
    })
}

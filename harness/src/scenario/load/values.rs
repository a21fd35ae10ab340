//! Arguments and expectations, as far as they can be judged before anything runs.

use super::loader::Loader;
use crate::scenario::matcher::{self, NEEDS_ALTERNATIVES, Operand, TYPES, not_a_regex};
use crate::scenario::mistake::Mistake;
use crate::scenario::node::{Key, Node, Value};
use crate::scenario::spelling::nearest;
use crate::scenario::template::{
    self, GENERATORS, GeneratorOperand, NOT_BASE64, NOT_HEX, decode_base64, decode_hex, find_generator,
    is_generator_key,
};

impl Loader<'_> {
    /// A value with templates and generators in it.
    pub(super) fn value(&mut self, node: &Node) {
        match &node.value {
            Value::String(text) => self.template(node, text),
            Value::List(items) => items.iter().for_each(|item| self.value(item)),
            Value::Map(members) => self.map(members),
            _ => {}
        }
    }

    fn map(&mut self, members: &[(Key, Node)]) {
        if let [(key, operand)] = members
            && is_generator_key(&key.name)
        {
            return self.generator(key, operand);
        }
        for (key, value) in members {
            self.key_template(key);
            if let Some(generator) = find_generator(&key.name) {
                let detail = format!("stands alone in its map: `{}`", generator.usage);
                self.problem(&key.span, Mistake::Generator { key: key.name.clone(), detail });
            }
            self.value(value);
        }
    }

    fn key_template(&mut self, key: &Key) {
        if key.name.contains("${") {
            let node = Node { value: Value::Null, span: key.span.clone() };
            self.template(&node, &key.name);
        }
    }

    fn generator(&mut self, key: &Key, operand: &Node) {
        let Some(generator) = find_generator(&key.name) else {
            let keys = GENERATORS.iter().map(|generator| generator.key);
            let mistake = Mistake::UnknownGenerator {
                key: key.name.clone(),
                nearest: nearest(&key.name, keys.clone()).map(str::to_owned),
                known: keys.map(str::to_owned).collect(),
                matcher: matcher::find(&key.name).is_some(),
            };
            self.problem(&key.span, mistake);
            return self.value(operand);
        };
        if let Some(wrong) = wrong_operand(generator.operand, operand) {
            let detail = format!("{wrong}: `{}`", generator.usage);
            self.problem(&operand.span, Mistake::Generator { key: key.name.clone(), detail });
        }
        let counter = operand.member("as").filter(|_| key.name == "$list");
        let counter = counter.and_then(|node| self.new_name(node, "a counter"));
        let depth = self.names.loops.len();
        self.names.loops.extend(counter);
        match &operand.value {
            Value::Map(members) if matches!(generator.operand, GeneratorOperand::Map(..)) => {
                members.iter().filter(|(key, _)| key.name != "as").for_each(|(_, value)| self.value(value));
            }
            _ => self.value(operand),
        }
        self.names.loops.truncate(depth);
    }

    /// An expectation.
    pub(super) fn matcher(&mut self, node: &Node) {
        match &node.value {
            Value::String(text) => self.template(node, text),
            Value::List(items) => items.iter().for_each(|item| self.matcher(item)),
            Value::Map(members) => {
                if let [(key, operand)] = members.as_slice()
                    && matcher::find(&key.name).is_none()
                    && find_generator(&key.name).is_some()
                {
                    return self.generator(key, operand);
                }
                for (key, operand) in members {
                    self.matcher_member(key, operand);
                }
            }
            _ => {}
        }
    }

    fn matcher_member(&mut self, key: &Key, operand: &Node) {
        if !key.name.starts_with('$') || key.name.starts_with("$$") || key.name.starts_with("${") {
            self.key_template(key);
            return self.matcher(operand);
        }
        match matcher::find(&key.name) {
            Some(syntax) => self.operand(key, syntax.operand, operand),
            None => {
                let keys = matcher_keys();
                let nearest = nearest(&key.name, keys.iter().map(String::as_str)).map(str::to_owned);
                self.problem(&key.span, Mistake::UnknownMatcher { key: key.name.clone(), nearest, known: keys });
                self.matcher(operand);
            }
        }
    }

    fn operand(&mut self, key: &Key, form: Operand, node: &Node) {
        let vacuous = matches!(&node.value, Value::List(items) if items.is_empty());
        let wrong = if vacuous && matches!(key.name.as_str(), "$all" | "$contains" | "$lacks") {
            Some("needs at least one entry: with none it always holds".to_owned())
        } else if is_open(node) && form != Operand::Capture {
            self.value(node);
            None
        } else {
            self.literal_operand(form, node)
        };
        if let Some(detail) = wrong {
            self.problem(&node.span, Mistake::MatcherOperand { key: key.name.clone(), detail });
        }
    }

    fn literal_operand(&mut self, form: Operand, node: &Node) -> Option<String> {
        let wrong = |right: bool, detail: &str| (!right).then(|| detail.to_owned());
        match (form, &node.value) {
            (Operand::Matcher | Operand::OneOrMany, _) => {
                self.matcher(node);
                None
            }
            (Operand::Count, Value::Number(_) | Value::Map(_)) => {
                self.matcher(node);
                None
            }
            (Operand::Count, _) => Some("needs a whole number or a matcher".into()),
            (Operand::Matchers, Value::List(_)) => {
                self.matcher(node);
                None
            }
            (Operand::Matchers, _) => Some("needs a list".into()),
            (Operand::Alternatives, Value::List(items)) if !items.is_empty() => {
                self.matcher(node);
                None
            }
            (Operand::Alternatives, Value::Map(members)) if !members.is_empty() => {
                for (key, inner) in members {
                    self.key_template(key);
                    self.matcher(inner);
                }
                None
            }
            (Operand::Alternatives, _) => Some(NEEDS_ALTERNATIVES.into()),
            (Operand::True, value) => wrong(*value == Value::Bool(true), "needs `true`"),
            (Operand::Flag, value) => wrong(matches!(value, Value::Bool(_)), "needs `true` or `false`"),
            (Operand::Number, value) => wrong(matches!(value, Value::Number(_)), "needs a number"),
            (Operand::Range, Value::List(items)) => {
                self.value(node);
                let numbers = items.iter().all(|item| matches!(item.value, Value::Number(_)) || is_open(item));
                wrong(numbers && items.len() == 2, "needs two numbers")
            }
            (Operand::Range, _) => Some("needs two numbers".into()),
            (Operand::Text, value) => wrong(matches!(value, Value::String(_)), "needs text"),
            (Operand::Regex, Value::String(text)) => regex::Regex::new(text).err().map(|error| not_a_regex(&error)),
            (Operand::Type, Value::String(text)) => {
                (!TYPES.contains(&text.as_str())).then(|| match nearest(text, TYPES.iter().copied()) {
                    Some(nearest) => format!("knows no type `{text}`; did you mean `{nearest}`?"),
                    None => format!("knows no type `{text}`; there are {}", TYPES.join(", ")),
                })
            }
            (Operand::Regex | Operand::Type, _) => Some("needs text".into()),
            (Operand::Bytes, value) => wrong(matches!(value, Value::String(_)), "needs text or bytes"),
            (Operand::Schema, Value::Map(_) | Value::Bool(_)) => {
                self.value(node);
                let invalid = jsonschema::validator_for(&node.to_json()).err();
                invalid.filter(|_| !has_template(node)).map(|error| format!("needs a JSON Schema: {error}"))
            }
            (Operand::Schema, _) => Some("needs a JSON Schema".into()),
            (Operand::Capture, _) => self.capture(node),
        }
    }

    fn capture(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::String(_) => {
                self.new_name(node, "a value");
                None
            }
            Value::Map(members) if node.member("as").is_some() => {
                for (key, value) in members {
                    match key.name.as_str() {
                        "as" => {
                            self.new_name(value, "a value");
                        }
                        "is" => self.matcher(value),
                        _ => self.known_key(key, "`$capture`", &["as", "is"]),
                    }
                }
                None
            }
            _ => Some("needs a name, or `{ as: name, is: m }`".into()),
        }
    }

    /// A value of a row: an argument or an expectation, so both kinds of `$` keys may stand in it.
    pub(super) fn row_value(&mut self, key: &Key, node: &Node) {
        self.key_template(key);
        match &node.value {
            Value::String(text) => self.template(node, text),
            Value::List(items) => items.iter().for_each(|item| self.row_value(key, item)),
            Value::Map(members) => match members.as_slice() {
                [(only, operand)] if find_generator(&only.name).is_some() && matcher::find(&only.name).is_none() => {
                    self.generator(only, operand);
                }
                [(only, _)] if is_generator_key(&only.name) && matcher::find(&only.name).is_none() => {
                    self.unknown_dollar(only);
                }
                members => {
                    for (key, value) in members {
                        self.row_value(key, value);
                    }
                }
            },
            _ => {}
        }
    }

    fn unknown_dollar(&mut self, key: &Key) {
        let mut known: Vec<_> = GENERATORS.iter().map(|generator| generator.key.to_owned()).collect();
        known.extend(matcher_keys());
        let nearest = nearest(&key.name, known.iter().map(String::as_str)).map(str::to_owned);
        self.problem(&key.span, Mistake::UnknownDollarKey { key: key.name.clone(), nearest, known });
    }
}

/// Whether only a run can tell what the value is.
pub(super) fn is_open(node: &Node) -> bool {
    match &node.value {
        Value::String(text) => text.contains("${"),
        Value::Map(members) => match members.as_slice() {
            // `$bytes` is a matcher, and a generator where no matcher can stand.
            [(key, _)] => is_generator_key(&key.name) && (key.name == "$bytes" || matcher::find(&key.name).is_none()),
            _ => false,
        },
        _ => false,
    }
}

fn has_template(node: &Node) -> bool {
    match &node.value {
        Value::String(text) => text.contains("${"),
        Value::List(items) => items.iter().any(has_template),
        Value::Map(members) => members.iter().any(|(key, value)| key.name.contains("${") || has_template(value)),
        _ => false,
    }
}

fn wrong_operand(form: GeneratorOperand, node: &Node) -> Option<String> {
    if template::is_whole(node) {
        return None;
    }
    let text = |node: &Node| node.text().map(str::to_owned);
    match (form, &node.value) {
        (GeneratorOperand::Any, _) => None,
        (GeneratorOperand::Tuple(length), Value::List(items)) if items.len() == length => match items.as_slice() {
            [_, Node { value: Value::Number(times), .. }] if times.as_u64().is_none() => {
                Some(format!("cannot repeat {times} times"))
            }
            _ => None,
        },
        (GeneratorOperand::Tuple(length), _) => Some(format!("needs a list of {length}")),
        (GeneratorOperand::AtLeast(least), Value::List(items)) if items.len() >= least => None,
        (GeneratorOperand::AtLeast(_), _) => Some("needs a list".into()),
        (GeneratorOperand::Map(required, optional), Value::Map(members)) => {
            let missing = required.iter().find(|key| node.member(key).is_none());
            let extra = members
                .iter()
                .find(|(key, _)| !required.contains(&key.name.as_str()) && !optional.contains(&key.name.as_str()));
            match (missing, extra) {
                (Some(key), _) => Some(format!("needs `{key}`")),
                (None, Some((key, _))) => Some(format!("takes no `{}`", key.name)),
                (None, None) => None,
            }
        }
        (GeneratorOperand::Map(..), _) => Some("needs a map".into()),
        (GeneratorOperand::Hex, _) if has_template(node) => None,
        (GeneratorOperand::Hex, _) => text(node).and_then(|text| decode_hex(&text)).is_none().then(|| NOT_HEX.into()),
        (GeneratorOperand::Base64, _) if has_template(node) => None,
        (GeneratorOperand::Base64, _) => {
            text(node).and_then(|text| decode_base64(&text)).is_none().then(|| NOT_BASE64.into())
        }
    }
}

/// All keys of matchers, for suggestions.
fn matcher_keys() -> Vec<String> {
    matcher::MATCHERS.iter().map(|matcher| matcher.key.to_owned()).collect()
}

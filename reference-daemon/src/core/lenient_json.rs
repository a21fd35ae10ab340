//! JSON with one mistake in it, read as it was meant. Only the measuring mode wants that (see `waiver`).

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What a text means that makes one mistake, of whatever kind, as often as it likes. `None` when it makes none, makes
/// mistakes of two kinds, or cannot be understood.
pub(super) fn read_as_meant(text: &str) -> Option<Value> {
    let mut reader = LenientReader { text: text.chars().collect(), at: 0, depth: 0, mistakes: BTreeSet::new() };
    let value = reader.document()?;
    (reader.mistakes.len() == 1).then_some(value)
}

/// The kinds of mistakes that some readers of JSON let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mistake {
    Quotes,
    BareKey,
    Comment,
    NoComma,
    NoColon,
    TrailingComma,
    Word,
    ControlCharacter,
    Escape,
    NotClosed,
    MoreBehind,
    NoObject,
    ByteOrderMark,
    KeyTwice,
}

struct LenientReader {
    text: Vec<char>,
    at: usize,
    depth: usize,
    mistakes: BTreeSet<Mistake>,
}

impl LenientReader {
    fn document(&mut self) -> Option<Value> {
        if self.take('\u{feff}') {
            self.mistakes.insert(Mistake::ByteOrderMark);
        }
        let value = self.value()?;
        self.space();
        if self.at < self.text.len() {
            self.mistakes.insert(Mistake::MoreBehind);
        }
        match value {
            Value::Object(_) => Some(value),
            Value::Array(items) => self.instead_of_object(items.into_iter().next()?),
            Value::String(inner) => self.instead_of_object(serde_json::from_str(&inner).ok()?),
            _ => None,
        }
    }

    fn instead_of_object(&mut self, value: Value) -> Option<Value> {
        self.mistakes.insert(Mistake::NoObject);
        value.is_object().then_some(value)
    }

    fn value(&mut self) -> Option<Value> {
        self.space();
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let value = match self.peek()? {
            '{' => self.object(),
            '[' => self.array(),
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            _ => self.word(),
        };
        self.depth -= 1;
        value
    }

    fn object(&mut self) -> Option<Value> {
        self.at += 1;
        let mut object = Map::new();
        while self.goes_on('}', !object.is_empty()) {
            let key = match self.peek()? {
                quote @ ('"' | '\'') => self.string(quote)?,
                _ => {
                    self.mistakes.insert(Mistake::BareKey);
                    self.run(|letter| letter.is_alphanumeric() || letter == '_')?
                }
            };
            self.space();
            if !self.take(':') {
                self.mistakes.insert(Mistake::NoColon);
            }
            let value = self.value()?;
            if object.insert(key, value).is_some() {
                self.mistakes.insert(Mistake::KeyTwice);
            }
        }
        Some(Value::Object(object))
    }

    fn array(&mut self) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        while self.goes_on(']', !items.is_empty()) {
            items.push(self.value()?);
        }
        Some(Value::Array(items))
    }

    /// Whether one more item follows. Takes the comma between two items, or the end.
    fn goes_on(&mut self, end: char, behind_item: bool) -> bool {
        self.space();
        if self.take(end) {
            return false;
        }
        if behind_item && self.at < self.text.len() {
            if !self.take(',') {
                self.mistakes.insert(Mistake::NoComma);
            }
            self.space();
            if self.take(end) {
                self.mistakes.insert(Mistake::TrailingComma);
                return false;
            }
        }
        if self.at == self.text.len() {
            self.mistakes.insert(Mistake::NotClosed);
            return false;
        }
        true
    }

    fn string(&mut self, quote: char) -> Option<String> {
        self.at += 1;
        if quote == '\'' {
            self.mistakes.insert(Mistake::Quotes);
        }
        let mut text = String::new();
        loop {
            let Some(letter) = self.peek() else {
                self.mistakes.insert(Mistake::NotClosed);
                return Some(text);
            };
            self.at += 1;
            match letter {
                _ if letter == quote => return Some(text),
                '\\' => text.push_str(&self.escape()?),
                '\0'..' ' => {
                    self.mistakes.insert(Mistake::ControlCharacter);
                    text.push(letter);
                }
                _ => text.push(letter),
            }
        }
    }

    /// What stands for an escape: its character, or, where it is none, its letters.
    fn escape(&mut self) -> Option<String> {
        for length in [11, 5, 1] {
            let Some(letters) = self.text.get(self.at..self.at + length) else { continue };
            let escape: String = letters.iter().collect();
            if let Ok(text) = serde_json::from_str::<String>(&format!("\"\\{escape}\""))
                && text.chars().count() == 1
            {
                self.at += length;
                return Some(text);
            }
        }
        self.mistakes.insert(Mistake::Escape);
        Some(String::new())
    }

    /// A number, `true`, `false`, `null`, or something that others write in their place.
    fn word(&mut self) -> Option<Value> {
        let word = self.run(|letter| letter.is_alphanumeric() || "+-._".contains(letter))?;
        if let Ok(value) = serde_json::from_str(&word) {
            return Some(value);
        }
        self.mistakes.insert(Mistake::Word);
        Some(match word.to_lowercase().as_str() {
            "true" => true.into(),
            "false" => false.into(),
            _ => 1.into(),
        })
    }

    fn run(&mut self, belongs: impl Fn(char) -> bool) -> Option<String> {
        let rest = self.text.get(self.at..)?;
        let run: String = rest.iter().copied().take_while(|letter| belongs(*letter)).collect();
        self.at += run.chars().count();
        (!run.is_empty()).then_some(run)
    }

    fn space(&mut self) {
        loop {
            while self.peek().is_some_and(|letter| matches!(letter, ' ' | '\t' | '\n' | '\r')) {
                self.at += 1;
            }
            let rest = self.text.get(self.at..).unwrap_or_default();
            if !rest.starts_with(&['/', '*']) {
                return;
            }
            self.mistakes.insert(Mistake::Comment);
            let length = rest.windows(2).position(|pair| pair == ['*', '/']).map_or(rest.len(), |end| end + 2);
            self.at += length;
        }
    }

    fn take(&mut self, letter: char) -> bool {
        let there = self.peek() == Some(letter);
        self.at += usize::from(there);
        there
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }
}

/// Nothing that is meant to be served nests deeper.
const DEEPEST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_mistake_is_forgiven() {
        for text in [
            r#"{"a":1,"b":"x""#,
            r#"{"a":1,"b":"x"#,
            r#"{"a":1,"b":"x",}"#,
            r#"{"a":1 "b":"x"}"#,
            r#"{"a" 1,"b":"x"}"#,
            r#"{'a':1,'b':'x'}"#,
            r#"{a:1,b:"x"}"#,
            r#"{"a":1,/* c */"b":"x"}"#,
            r#"{"a":1,"b":"x"}{"a":1}"#,
            r#"{"a":1,"b":"x"} y"#,
            r#"{"a":01,"b":"x"}"#,
            r#"{"a":NaN,"b":"x"}"#,
            r#"{"a":.5,"b":"x"}"#,
            r#"[{"a":1,"b":"x"}]"#,
            "\u{feff}{\"a\":1,\"b\":\"x\"}",
        ] {
            assert_eq!(read_as_meant(text), Some(json!({ "a": 1, "b": "x" })), "{text}");
        }
        assert_eq!(read_as_meant(r#"{"a":"\x41\n"}"#), Some(json!({ "a": "x41\n" })));
        assert_eq!(read_as_meant("{\"a\":\"\n\"}"), Some(json!({ "a": "\n" })));
    }

    #[test]
    fn two_mistakes_are_not() {
        for text in ["", "hello", "5", "{}", r#"{'a':1,}"#, r#"[{"a":1}"#, r#"{a:01}"#, r#""{""#] {
            assert_eq!(read_as_meant(text), None, "{text}");
        }
    }
}

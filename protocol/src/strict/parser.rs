//! The reader itself: recursive descent over UTF-8 text, one step per level of nesting.

use super::strictness::{StrictError, Strictness};
use crate::contract::Rule;
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// A position in a text that is being read.
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    strictness: Strictness,
}

type Read<T> = Result<T, StrictError>;

impl<'a> Parser<'a> {
    /// A reader at the start of `text`.
    pub(super) fn new(text: &'a str, strictness: Strictness) -> Self {
        Self { text, at: 0, depth: 0, strictness }
    }

    /// Reads the one value that the text holds.
    pub(super) fn document(mut self) -> Read<Value> {
        self.space();
        let value = self.value()?;
        self.space();
        if self.at < self.text.len() {
            return Err(self.syntax("text after the end of the value"));
        }
        Ok(value)
    }

    fn value(&mut self) -> Read<Value> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(_) => Err(self.syntax("something that starts no value")),
            None => Err(self.syntax("the end of the text where a value should start")),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Read<Value>) -> Read<Value> {
        if self.depth == self.strictness.max_depth {
            let limit = self.strictness.max_depth;
            return Err(self.error(Rule::JsonDepth, self.at, format!("more than {limit} levels of nesting")));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Read<Value> {
        self.space();
        if self.take(b'}') {
            return Ok(Value::Object(Map::new()));
        }
        let mut object = Map::with_capacity(USUAL_KEYS);
        loop {
            self.space();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.syntax("no key where a key should start"));
            }
            let key = self.string()?;
            let value = self.member();
            match object.entry(key) {
                Entry::Occupied(twin) if self.strictness.refuse_duplicate_keys => {
                    let explanation = format!("the key {:?} a second time", twin.key());
                    return Err(self.error(Rule::DuplicateKey, start, explanation));
                }
                Entry::Occupied(mut twin) => _ = twin.insert(value?),
                Entry::Vacant(place) => _ = place.insert(value?),
            }
            self.space();
            if self.take(b'}') {
                return Ok(Value::Object(object));
            }
            if !self.take(b',') {
                return Err(self.syntax("neither `,` nor `}` after a value"));
            }
        }
    }

    /// What follows a key: a colon and a value.
    fn member(&mut self) -> Read<Value> {
        self.space();
        if !self.take(b':') {
            return Err(self.syntax("no `:` after a key"));
        }
        self.space();
        self.value()
    }

    fn array(&mut self) -> Read<Value> {
        let mut items = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.space();
            items.push(self.value()?);
            self.space();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            if !self.take(b',') {
                return Err(self.syntax("neither `,` nor `]` after a value"));
            }
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Read<Value> {
        if !self.rest().starts_with(word) {
            return Err(self.syntax("a word that is no value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Read<Value> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') && self.digits() == 0 {
            return Err(self.syntax("a number without digits"));
        }
        if self.take(b'.') && self.digits() == 0 {
            return Err(self.syntax("a number without digits after the point"));
        }
        if self.take(b'e') || self.take(b'E') {
            let _signed = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err(self.syntax("a number without digits in its exponent"));
            }
        }
        let number = self.text.get(start..self.at).and_then(|token| serde_json::from_str::<Number>(token).ok());
        number
            .map(Value::Number)
            .ok_or_else(|| self.error(Rule::JsonNumber, start, "a number that no reader can hold".into()))
    }

    fn digits(&mut self) -> usize {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += count;
        count
    }

    fn string(&mut self) -> Read<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let plain = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
            text.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.syntax("a control character in a string")),
                None => return Err(self.syntax("the end of the text within a string")),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek();
        self.at += 1;
        Ok(match letter {
            Some(same @ (b'"' | b'\\' | b'/')) => char::from(same),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            _ => {
                self.at = start;
                return Err(self.syntax("an escape that JSON does not know"));
            }
        })
    }

    fn unicode_escape(&mut self, start: usize) -> Read<char> {
        let unit = self.hex4()?;
        if let Some(character) = char::from_u32(unit) {
            return Ok(character);
        }
        let after = self.at;
        if unit < 0xdc00 && self.rest().starts_with("\\u") {
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let scalar = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = after;
        }
        if self.strictness.refuse_lone_surrogates {
            return Err(self.error(Rule::LoneSurrogate, start, "half of a surrogate pair".into()));
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Read<u32> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(self.syntax("a `\\u` without four hexadecimal digits"));
        };
        self.at += 4;
        Ok(unit)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn syntax(&self, found: &str) -> StrictError {
        self.error(Rule::JsonSyntax, self.at, found.into())
    }

    fn error(&self, rule: Rule, offset: usize, explanation: String) -> StrictError {
        StrictError { offset: offset.min(self.text.len()), rule, explanation }
    }
}

/// Room for keys that an object starts with: most have no more.
const USUAL_KEYS: usize = 7;

//! Reading an object field by field, with a rule for everything that can be wrong.

use crate::close::Close;
use crate::contract::{Contract, Rule};
use crate::frame::FrameError;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// An object that is being read, the place where it stands, and the contract that it is judged by.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    pointer: String,
    contract: &'a Contract,
    home: Option<Close>,
}

impl<'a> Fields<'a> {
    /// Takes `value` as the object at `pointer`; `rule` says that it must be one. Where that is waived, anything else
    /// counts as an empty object.
    pub(crate) fn of(value: &'a Value, pointer: &str, contract: &'a Contract, rule: Rule) -> Result<Self, FrameError> {
        let fields = Self::new(value.as_object().unwrap_or(&EMPTY), pointer, contract, rule);
        if !value.is_object() {
            fields.broken_here(rule, format!("this is {}", kind_of(value)))?;
        }
        Ok(fields)
    }

    /// Reads `object`, which stands at `pointer`. A key that nobody knows ends the socket as `home` would.
    pub(crate) fn new(object: &'a Map<String, Value>, pointer: &str, contract: &'a Contract, home: Rule) -> Self {
        Self { object, pointer: pointer.to_owned(), contract, home: home.close() }
    }

    /// The value of `key`, whatever it is.
    pub(crate) fn any(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key)
    }

    /// The JSON pointer of `key`.
    pub(crate) fn pointer_to(&self, key: &str) -> String {
        child(&self.pointer, key)
    }

    /// Reports that `rule` is broken at `key`, unless it is waived.
    pub(crate) fn broken(&self, rule: Rule, key: &str, found: String) -> Result<(), FrameError> {
        if !self.contract.applies(rule) {
            return Ok(());
        }
        Err(self.error(rule, self.pointer_to(key), &found))
    }

    /// Reports that `rule` is broken at `path`, several steps of a pointer below the object, unless it is waived.
    pub(crate) fn broken_within(&self, rule: Rule, path: &str, found: String) -> Result<(), FrameError> {
        if !self.contract.applies(rule) {
            return Ok(());
        }
        Err(self.error(rule, format!("{}/{path}", self.pointer), &found))
    }

    /// Reports that `rule` is broken by the object itself, unless it is waived.
    pub(crate) fn broken_here(&self, rule: Rule, found: String) -> Result<(), FrameError> {
        if !self.contract.applies(rule) {
            return Ok(());
        }
        Err(self.error(rule, self.pointer.clone(), &found))
    }

    /// A text that must be there. Waived: a missing one is empty, another type is its JSON text.
    pub(crate) fn required_text(&self, key: &str, present: Rule, kind: Rule) -> Result<String, FrameError> {
        match self.any(key) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => {
                self.wrong_type(kind, key, other)?;
                Ok(other.to_string())
            }
            None => {
                self.missing(present, key)?;
                Ok(String::new())
            }
        }
    }

    /// A text that may be absent. Waived: another type counts as absent.
    pub(crate) fn optional_text(&self, key: &str, kind: Rule) -> Result<Option<String>, FrameError> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => self.wrong_type(kind, key, other).map(|()| None),
        }
    }

    /// An array that must be there. Waived: anything else counts as an empty one.
    pub(crate) fn required_array(&self, key: &str, present: Rule, kind: Rule) -> Result<&'a [Value], FrameError> {
        match self.any(key) {
            Some(Value::Array(items)) => Ok(items),
            Some(other) => self.wrong_type(kind, key, other).map(|()| &[][..]),
            None => self.missing(present, key).map(|()| &[][..]),
        }
    }

    /// An array that may be absent. Waived: another type counts as absent.
    pub(crate) fn optional_array(&self, key: &str, kind: Rule) -> Result<Option<&'a [Value]>, FrameError> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(other) => self.wrong_type(kind, key, other).map(|()| None),
        }
    }

    /// An object that may be absent. Waived: another type counts as absent.
    pub(crate) fn optional_object(&self, key: &str, kind: Rule) -> Result<Option<&'a Map<String, Value>>, FrameError> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => self.wrong_type(kind, key, other).map(|()| None),
        }
    }

    /// A boolean that may be absent. Waived: another type counts as absent.
    pub(crate) fn optional_bool(&self, key: &str, kind: Rule) -> Result<Option<bool>, FrameError> {
        match self.any(key) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(other) => self.wrong_type(kind, key, other).map(|()| None),
        }
    }

    /// Checks the length of a text, in characters.
    pub(crate) fn length(&self, text: &str, key: &str, rule: Rule, min: usize, max: usize) -> Result<(), FrameError> {
        match text.chars().count() {
            count if (min..=max).contains(&count) => Ok(()),
            count => self.broken(rule, key, format!("this one has {count} characters, the limit is {max}")),
        }
    }

    /// Refuses every key but `known`, where the contract is bent to do so (BRG-CON-17 tolerates them).
    pub(crate) fn nothing_else(&self, known: &[&str]) -> Result<(), FrameError> {
        if !self.contract.refuse_unknown_keys {
            return Ok(());
        }
        self.only(known, Rule::UnknownKey)
    }

    /// Refuses every key but `known`.
    pub(crate) fn only(&self, known: &[&str], rule: Rule) -> Result<(), FrameError> {
        match self.object.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => self.broken(rule, key, format!("{key:?} is another key")),
            None => Ok(()),
        }
    }

    /// Reports that `key` has the wrong type, unless that is waived.
    pub(crate) fn wrong_type(&self, rule: Rule, key: &str, found: &Value) -> Result<(), FrameError> {
        self.broken(rule, key, format!("this is {}", kind_of(found)))
    }

    /// Reports that `key` is missing, unless that is waived.
    pub(crate) fn missing(&self, rule: Rule, key: &str) -> Result<(), FrameError> {
        self.broken(rule, key, "it is missing".into())
    }

    fn error(&self, rule: Rule, pointer: String, found: &str) -> FrameError {
        let mut error = FrameError::new(rule, pointer, found);
        if let (Rule::UnknownKey, Some(close)) = (rule, self.home) {
            error.close = close;
        }
        error
    }
}

/// Checks the length of a text that a constructor was given.
pub(crate) fn check_text(text: &str, rule: Rule, min: usize, max: usize, pointer: &str) -> Result<(), FrameError> {
    match text.chars().count() {
        count if (min..=max).contains(&count) => Ok(()),
        count => Err(FrameError::new(rule, pointer.into(), &format!("this one has {count} characters"))),
    }
}

/// The JSON pointer (RFC 6901) of `key` below `pointer`.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The value as an integer of the contract: a number without a fractional part, however it is spelled (`2`, `2.0` and
/// `2e0` are one number to most readers). Below 0 and above `u64::MAX` it saturates; see [`is_integer`] first.
pub(crate) fn integer(value: &Value) -> Option<i128> {
    let number = value.as_number()?;
    if let Some(unsigned) = number.as_u64() {
        return Some(i128::from(unsigned));
    }
    if let Some(signed) = number.as_i64() {
        return Some(i128::from(signed));
    }
    #[expect(clippy::cast_possible_truncation, reason = "a float cast saturates, which is what is wanted")]
    number.as_f64().filter(|float| float.fract() == 0.0).map(|float| float as i128)
}

/// What a value is, for a sentence.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);

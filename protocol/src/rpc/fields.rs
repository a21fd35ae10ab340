//! Reading what a daemon answers.

use super::Timestamp;
use crate::fields::{child, kind_of};
use serde_json::{Map, Value};
use thiserror::Error;

/// An answer that has not the form of the contract.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{explanation} (at {pointer:?})")]
pub struct ShapeError {
    /// Where: a JSON pointer (RFC 6901) into what was decoded.
    pub pointer: String,
    /// What was expected, and what was found.
    pub explanation: String,
}

/// An object of an answer.
pub(super) struct Shape<'a> {
    object: &'a Map<String, Value>,
    pointer: String,
}

impl<'a> Shape<'a> {
    pub(super) fn of(value: &'a Value, pointer: &str) -> Result<Self, ShapeError> {
        match value.as_object() {
            Some(object) => Ok(Self { object, pointer: pointer.to_owned() }),
            None => Err(ShapeError {
                pointer: pointer.to_owned(),
                explanation: format!("an object was expected, this is {}", kind_of(value)),
            }),
        }
    }

    pub(super) fn any(&self, key: &str) -> Option<&'a Value> {
        self.object.get(key)
    }

    pub(super) fn pointer_to(&self, key: &str) -> String {
        child(&self.pointer, key)
    }

    pub(super) fn wrong(&self, key: &str, expected: &str) -> ShapeError {
        let found = self.any(key).map_or("nothing is there", kind_of);
        ShapeError { pointer: self.pointer_to(key), explanation: format!("{expected}; found: {found}") }
    }

    pub(super) fn required(&self, key: &str) -> Result<&'a Value, ShapeError> {
        self.any(key).ok_or_else(|| self.wrong(key, &format!("`{key}` is required")))
    }

    pub(super) fn text(&self, key: &str) -> Result<String, ShapeError> {
        let text = self.any(key).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| self.wrong(key, &format!("`{key}` is a string")))
    }

    pub(super) fn optional_text(&self, key: &str) -> Result<Option<String>, ShapeError> {
        self.any(key).map(|_| self.text(key)).transpose()
    }

    pub(super) fn count(&self, key: &str) -> Result<u64, ShapeError> {
        let count = self.any(key).and_then(Value::as_u64);
        count.ok_or_else(|| self.wrong(key, &format!("`{key}` is an integer not less than 0")))
    }

    pub(super) fn optional_count(&self, key: &str) -> Result<Option<u64>, ShapeError> {
        self.any(key).map(|_| self.count(key)).transpose()
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, ShapeError> {
        let flag = self.any(key).and_then(Value::as_bool);
        flag.ok_or_else(|| self.wrong(key, &format!("`{key}` is a boolean")))
    }

    pub(super) fn time(&self, key: &str) -> Result<Timestamp, ShapeError> {
        let time = self.any(key).and_then(Timestamp::decode);
        time.ok_or_else(|| self.wrong(key, &format!("`{key}` is a time of ISO 8601")))
    }

    pub(super) fn optional_time(&self, key: &str) -> Result<Option<Timestamp>, ShapeError> {
        self.any(key).map(|_| self.time(key)).transpose()
    }

    pub(super) fn array(&self, key: &str) -> Result<&'a [Value], ShapeError> {
        let items = self.any(key).and_then(Value::as_array);
        items.map(Vec::as_slice).ok_or_else(|| self.wrong(key, &format!("`{key}` is an array")))
    }
}

/// The list of an answer: under `key`, or the answer itself. The pointer of the list comes with it.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> Result<(&'a [Value], String), ShapeError> {
    if let Value::Array(items) = value {
        return Ok((items, String::new()));
    }
    let shape = Shape::of(value, "")?;
    Ok((shape.array(key)?, shape.pointer_to(key)))
}

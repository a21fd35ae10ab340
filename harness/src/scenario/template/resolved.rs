//! Values after templates and generators: JSON, with bytes where an author asked for them.

use serde_json::Value;
use std::borrow::Cow;

/// A resolved value. Everything that can be JSON is [`Json`](Self::Json); a list or map is of the other kinds only if
/// there are bytes in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    /// JSON.
    Json(Value),
    /// Bytes, from `$bytes`, `$base64` or what was made of them.
    Bytes(Vec<u8>),
    /// A list with bytes somewhere in it.
    List(Vec<Resolved>),
    /// A map with bytes somewhere in it, in the order written.
    Map(Vec<(String, Resolved)>),
}

/// Bytes stand where only JSON makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bytes make no sense here; JSON is needed (`{{ $encoded: … }}` makes base64 text of bytes)")]
pub struct BytesInJson;

impl Resolved {
    pub(super) fn list(items: Vec<Self>) -> Self {
        if items.iter().all(|item| matches!(item, Self::Json(_))) {
            Self::Json(items.into_iter().filter_map(|item| item.into_json().ok()).collect())
        } else {
            Self::List(items)
        }
    }

    pub(super) fn map(members: Vec<(String, Self)>) -> Self {
        if members.iter().all(|(_, value)| matches!(value, Self::Json(_))) {
            let members = members.into_iter().filter_map(|(name, value)| Some((name, value.into_json().ok()?)));
            Self::Json(Value::Object(members.collect()))
        } else {
            Self::Map(members)
        }
    }

    /// The value as JSON.
    ///
    /// # Errors
    ///
    /// When there are bytes in it.
    pub fn into_json(self) -> Result<Value, BytesInJson> {
        match self {
            Self::Json(value) => Ok(value),
            _ => Err(BytesInJson),
        }
    }

    /// The value as JSON, when there are no bytes in it.
    pub fn as_json(&self) -> Option<&Value> {
        match self {
            Self::Json(value) => Some(value),
            _ => None,
        }
    }

    /// Bytes, or the UTF-8 of a string; `None` for anything else.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Json(Value::String(text)) => Some(text.as_bytes()),
            _ => None,
        }
    }

    /// The text, when the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        self.as_json().and_then(Value::as_str)
    }

    /// A member of a map.
    pub fn member(&self, name: &str) -> Option<Cow<'_, Self>> {
        match self {
            Self::Json(Value::Object(members)) => members.get(name).map(|value| Cow::Owned(Self::Json(value.clone()))),
            Self::Map(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| Cow::Borrowed(value)),
            _ => None,
        }
    }

    /// The items, when the value is a list.
    pub fn items(&self) -> Option<Vec<Cow<'_, Self>>> {
        match self {
            Self::Json(Value::Array(items)) => {
                Some(items.iter().map(|item| Cow::Owned(Self::Json(item.clone()))).collect())
            }
            Self::List(items) => Some(items.iter().map(Cow::Borrowed).collect()),
            _ => None,
        }
    }
}

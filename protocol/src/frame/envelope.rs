//! What all frames have in common: the text, the object, the `type`.

use super::FrameError;
use crate::contract::{Contract, Rule};
use crate::fields::kind_of;
use crate::strict::{Strictness, read};
use serde_json::{Map, Value};

/// Reads the text of a frame as a JSON object.
pub(super) fn object(text: &str, contract: &Contract) -> Result<Map<String, Value>, FrameError> {
    let size = text.len();
    if size > contract.limits.frame_bytes && contract.applies(Rule::FrameBytes) {
        return Err(FrameError::new(Rule::FrameBytes, String::new(), &format!("this one has {size}")));
    }
    match read(text.as_bytes(), Strictness::of_frames(contract)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) if contract.applies(Rule::JsonObject) => {
            Err(FrameError::new(Rule::JsonObject, String::new(), &format!("this is {}", kind_of(&other))))
        }
        Ok(_) => Ok(Map::new()),
        Err(error) if contract.applies(error.rule) => Err(error.into()),
        Err(_) => Ok(Map::new()),
    }
}

/// The `type` of a frame, where it is a text.
pub(super) fn type_of(object: &Map<String, Value>) -> Option<&str> {
    object.get("type").and_then(Value::as_str)
}

/// The error of a frame whose `type` is not the right one.
pub(super) fn wrong_type_name(rule: Rule, object: &Map<String, Value>) -> FrameError {
    let found = match object.get("type") {
        Some(value) => format!("this one is {value}"),
        None => "it is missing".into(),
    };
    FrameError::new(rule, "/type".into(), &found)
}

/// The wire form of a frame of an app's session: `type`, `session_id`, then `fields`.
pub(super) fn write(
    kind: &str,
    session_id: &str,
    fields: impl IntoIterator<Item = (&'static str, Value)>,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".into(), kind.into());
    object.insert("session_id".into(), session_id.into());
    object.extend(fields.into_iter().map(|(key, value)| (key.to_owned(), value)));
    object
}

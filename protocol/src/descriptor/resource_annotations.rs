//! The annotations of a resource.

use super::spelling::Spelling;
use crate::contract::{Contract, Rule};
use crate::fields::{Fields, kind_of};
use crate::frame::FrameError;
use crate::syntax::is_iso_8601;
use serde_json::{Map, Number, Value};

/// For whom a resource is, how much it matters, and when it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceAnnotations {
    audience: Option<Vec<String>>,
    priority: Option<Number>,
    last_modified: Option<String>,
}

/// A reader of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Audience {
    /// The spelling on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl ResourceAnnotations {
    /// The same annotations with this audience.
    #[must_use]
    pub fn with_audience(mut self, audience: &[Audience]) -> Self {
        self.audience = Some(audience.iter().map(|reader| reader.as_str().to_owned()).collect());
        self
    }

    /// The same annotations with this priority.
    ///
    /// # Errors
    /// It is not from 0 to 1.
    pub fn with_priority(mut self, priority: f64) -> Result<Self, FrameError> {
        self.priority = Number::from_f64(priority).filter(|_| (0.0..=1.0).contains(&priority));
        match self.priority {
            Some(_) => Ok(self),
            None => Err(FrameError::new(Rule::PriorityRange, "/priority".into(), &format!("this is {priority}"))),
        }
    }

    /// The same annotations with this time of the last change.
    ///
    /// # Errors
    /// It is no date or time of ISO 8601.
    pub fn with_last_modified(mut self, last_modified: &str) -> Result<Self, FrameError> {
        if !is_iso_8601(last_modified) {
            let found = format!("this one is {last_modified:?}");
            return Err(FrameError::new(Rule::LastModifiedSyntax, "/last_modified".into(), &found));
        }
        self.last_modified = Some(last_modified.to_owned());
        Ok(self)
    }

    pub(super) fn decode_at(
        object: &Map<String, Value>,
        pointer: &str,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = Fields::new(object, pointer, contract, Rule::ResourceAnnotationsType);
        let audience = audience(&fields)?;
        let priority = priority(&fields)?;
        let last_modified = fields.optional_text("last_modified", Rule::LastModifiedType)?;
        if let Some(text) = last_modified.as_deref().filter(|text| !is_iso_8601(text)) {
            fields.broken(Rule::LastModifiedSyntax, "last_modified", format!("this one is {text:?}"))?;
        }
        fields.only(&["audience", "priority", "last_modified"], Rule::ResourceAnnotationsUnknownKey)?;
        Ok(Self { audience, priority, last_modified })
    }

    /// For whom: `user`, `assistant`, both or (an empty list) nobody in particular.
    pub fn audience(&self) -> Option<&[String]> {
        self.audience.as_deref()
    }

    /// How much it matters, from 0 to 1.
    pub fn priority(&self) -> Option<f64> {
        self.priority.as_ref().and_then(Number::as_f64)
    }

    /// When it changed last: a date or time of ISO 8601, verbatim.
    pub fn last_modified(&self) -> Option<&str> {
        self.last_modified.as_deref()
    }

    pub(super) fn spelled(&self, spelling: Spelling) -> Value {
        let mut object = Map::new();
        if let Some(audience) = &self.audience {
            object.insert("audience".into(), audience.clone().into());
        }
        if let Some(priority) = &self.priority {
            object.insert("priority".into(), Value::Number(priority.clone()));
        }
        if let Some(last_modified) = &self.last_modified {
            let key = spelling.pick("last_modified", "lastModified");
            object.insert(key.into(), last_modified.as_str().into());
        }
        Value::Object(object)
    }
}

fn audience(fields: &Fields<'_>) -> Result<Option<Vec<String>>, FrameError> {
    let Some(items) = fields.optional_array("audience", Rule::AudienceType)? else {
        return Ok(None);
    };
    let mut readers = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let key = format!("audience/{index}");
        match item.as_str() {
            Some(reader) => {
                if !["user", "assistant"].contains(&reader) {
                    fields.broken_within(Rule::AudienceValue, &key, format!("this one is {reader:?}"))?;
                }
                readers.push(reader.to_owned());
            }
            None => fields.broken_within(Rule::AudienceType, &key, format!("this is {}", kind_of(item)))?,
        }
    }
    Ok(Some(readers))
}

fn priority(fields: &Fields<'_>) -> Result<Option<Number>, FrameError> {
    let Some(value) = fields.any("priority") else {
        return Ok(None);
    };
    let Value::Number(number) = value else {
        return fields.wrong_type(Rule::PriorityType, "priority", value).map(|()| None);
    };
    if !number.as_f64().is_some_and(|priority| (0.0..=1.0).contains(&priority)) {
        fields.broken(Rule::PriorityRange, "priority", format!("this is {number}"))?;
    }
    Ok(Some(number.clone()))
}

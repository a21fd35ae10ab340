//! Metadata as it is validated at registration (TG-07..TG-14, TG-16).

use fluent_uri::Iri;
use iolite_protocol::descriptor::ResourceAnnotations;
use serde_json::{Map, Value};

/// A metadata key that breaks its rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// `uri` is missing, no text, or has no scheme.
    #[error("`uri` must be an absolute URI, found {found}")]
    Uri {
        /// The JSON of what stands there, or `nothing`.
        found: String,
    },
    /// `name` is missing, no text, or empty.
    #[error("`name` must be a non-empty string, found {found}")]
    Name {
        /// The JSON of what stands there, or `nothing`.
        found: String,
    },
    /// `title`, `description` or `mimeType` is no text.
    #[error("`{key}` must be a string where it is given, found {found}")]
    Text {
        /// The key.
        key: &'static str,
        /// The JSON of what stands there.
        found: String,
    },
    /// `annotations`, or one of its keys, breaks its rule.
    #[error("`annotations{pointer}` must be {wanted}, found {found}")]
    Annotations {
        /// Which key; empty for the whole.
        pointer: &'static str,
        /// The rule.
        wanted: &'static str,
        /// The JSON of what stands there.
        found: String,
    },
    /// `size` is no integer from 0 to 2^53-1.
    #[error("`size` must be an integer from 0 to 2^53-1, found {found}")]
    Size {
        /// The JSON of what stands there.
        found: String,
    },
    /// `icons` is no array of objects with a `src`.
    #[error("`icons` must be an array of objects with a string `src`, found {found}")]
    Icons {
        /// The JSON of what stands there.
        found: String,
    },
    /// `_meta` is no object.
    #[error("`_meta` must be an object, found {found}")]
    Meta {
        /// The JSON of what stands there.
        found: String,
    },
}

/// Metadata that was validated, and copied: nothing that happens to the definition changes it (TG-05).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metadata {
    pub(super) uri: String,
    pub(super) name: String,
    entry: Map<String, Value>,
}

impl Metadata {
    /// The first rule that is broken, in the order of the keys' table. Keys that nobody knows are left out.
    pub(super) fn validate(given: &Map<String, Value>) -> Result<Self, MetadataError> {
        let uri = given
            .get("uri")
            .and_then(Value::as_str)
            .filter(|uri| is_absolute(uri))
            .ok_or_else(|| MetadataError::Uri { found: found(given.get("uri")) })?;
        let name = given
            .get("name")
            .and_then(Value::as_str)
            .filter(|name| !name.is_empty())
            .ok_or_else(|| MetadataError::Name { found: found(given.get("name")) })?;
        for key in ["title", "description", "mimeType"] {
            if let Some(other) = given.get(key).filter(|value| !value.is_string()) {
                let found = other.to_string();
                return Err(MetadataError::Text { key, found });
            }
        }
        if let Some(annotations) = given.get("annotations") {
            check_annotations(annotations)?;
        }
        if let Some(size) = given.get("size")
            && !is_size(size)
        {
            let found = size.to_string();
            return Err(MetadataError::Size { found });
        }
        if let Some(icons) = given.get("icons")
            && !are_icons(icons)
        {
            let found = icons.to_string();
            return Err(MetadataError::Icons { found });
        }
        if let Some(meta) = given.get("_meta").filter(|meta| !meta.is_object()) {
            let found = meta.to_string();
            return Err(MetadataError::Meta { found });
        }
        let entry = KEYS.iter().filter_map(|&key| Some((key.to_owned(), given.get(key)?.clone()))).collect();
        Ok(Self { uri: uri.to_owned(), name: name.to_owned(), entry })
    }

    /// The entry of a listing. Icons are left out where the revision does not know them (TG-13).
    pub(super) fn entry(&self, with_icons: bool) -> Value {
        let mut entry = self.entry.clone();
        if !with_icons {
            entry.shift_remove("icons");
        }
        entry.into()
    }
}

/// Whether `text` has a scheme and is otherwise a URI, or an IRI: nothing is normalized, so what is registered is what
/// must be asked for (TG-07, TG-08).
pub(super) fn is_absolute(text: &str) -> bool {
    Iri::parse(text).is_ok()
}

fn check_annotations(annotations: &Value) -> Result<(), MetadataError> {
    let wrong = |pointer, wanted, value: &Value| {
        let found = value.to_string();
        Err(MetadataError::Annotations { pointer, wanted, found })
    };
    let Some(object) = annotations.as_object() else {
        return wrong("", "an object", annotations);
    };
    if let Some(audience) = object.get("audience") {
        let known = |role: &Value| matches!(role.as_str(), Some("user" | "assistant"));
        if !audience.as_array().is_some_and(|roles| roles.iter().all(known)) {
            return wrong(".audience", "a list of `user` and `assistant`", audience);
        }
    }
    if let Some(priority) = object.get("priority")
        && !priority.as_f64().is_some_and(|value| (0.0..=1.0).contains(&value))
    {
        return wrong(".priority", "a number from 0 to 1", priority);
    }
    if let Some(modified) = object.get("lastModified")
        && !modified.as_str().is_some_and(is_timestamp)
    {
        return wrong(".lastModified", "an ISO 8601 timestamp", modified);
    }
    Ok(())
}

fn is_timestamp(text: &str) -> bool {
    ResourceAnnotations::default().with_last_modified(text).is_ok()
}

fn is_size(size: &Value) -> bool {
    size.as_u64().is_some_and(|size| size <= MAX_SAFE_INTEGER)
        || size.as_f64().is_some_and(|size| size.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER as f64).contains(&size))
}

fn are_icons(icons: &Value) -> bool {
    icons.as_array().is_some_and(|icons| icons.iter().all(|icon| icon.get("src").is_some_and(Value::is_string)))
}

fn found(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}

const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// The keys of a listing entry, in its order.
const KEYS: [&str; 9] = ["uri", "name", "title", "description", "mimeType", "annotations", "size", "icons", "_meta"];

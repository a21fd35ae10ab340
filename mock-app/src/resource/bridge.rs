//! A definition as a mock app's registration: MCP's spelling becomes the bridge's, and the bridge's rules apply.

use super::definition::ResourceDefinition;
use super::metadata::{Metadata, MetadataError};
use super::reading::{ReadContext, ReadResult, ReaderFailure, ResultError};
use crate::app::{Answer, Registration, Script};
use iolite_protocol::contract::Contract;
use iolite_protocol::descriptor::ResourceDescriptor;
use iolite_protocol::frame::FrameError;
use serde_json::{Map, Value, json};

/// Why a definition cannot be an app's resource.
#[derive(Debug, thiserror::Error)]
pub enum NotForTheBridge {
    /// Its metadata breaks a rule of its own.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// Its metadata is right, but the bridge's descriptor asks for more: a name of `[a-zA-Z0-9_-]`, a description,
    /// an ASCII URI, and so on.
    #[error("the bridge refuses the descriptor at {}: {}", .0.pointer, .0.explanation)]
    Descriptor(FrameError),
}

impl Registration {
    /// Registers a definition: its metadata is validated and copied now, its reader runs on reads. `_meta` has no
    /// place in the bridge protocol and is left out.
    ///
    /// # Errors
    /// The metadata breaks a rule, its own or the bridge's.
    pub fn of_definition(definition: &ResourceDefinition) -> Result<Self, NotForTheBridge> {
        let entry = Metadata::validate(definition.metadata())?.entry(true);
        let descriptor =
            ResourceDescriptor::decode(&to_wire(&entry), &Contract::default()).map_err(NotForTheBridge::Descriptor)?;
        let script = Script::answer(Answer::Definition(definition.clone()));
        Ok(Self::from(descriptor).with_script(script))
    }
}

/// Runs the definition's reader and converts its result to the `contents` of a `resource_result`.
pub(crate) async fn read_for_wire(definition: &ResourceDefinition, uri: &str) -> Result<Value, ReadForWireError> {
    let result: ReadResult = definition.read(uri, ReadContext::default()).await?;
    let mut result = result.validate()?;
    Ok(match result["contents"].take() {
        Value::Array(entries) => entries.iter().map(to_wire).collect(),
        other => other,
    })
}

/// Why a read through the bridge fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadForWireError {
    #[error(transparent)]
    Reader(#[from] ReaderFailure),
    #[error(transparent)]
    Result(#[from] ResultError),
}

/// MCP's keys in the bridge's spelling, here and in annotations and icons.
fn to_wire(entry: &Value) -> Value {
    let respell = |object: &Map<String, Value>| -> Map<String, Value> {
        object
            .iter()
            .filter(|(key, _)| *key != "_meta")
            .map(|(key, value)| {
                let key = match key.as_str() {
                    "mimeType" => "mime_type",
                    "lastModified" => "last_modified",
                    other => other,
                };
                (key.to_owned(), value.clone())
            })
            .collect()
    };
    let Some(object) = entry.as_object() else {
        return entry.clone();
    };
    let mut wire = respell(object);
    if let Some(annotations) = object.get("annotations").and_then(Value::as_object) {
        wire.insert("annotations".to_owned(), respell(annotations).into());
    }
    if let Some(icons) = object.get("icons").and_then(Value::as_array) {
        let icons: Vec<Value> =
            icons.iter().map(|icon| icon.as_object().map_or(json!(null), |icon| respell(icon).into())).collect();
        wire.insert("icons".to_owned(), icons.into());
    }
    wire.into()
}

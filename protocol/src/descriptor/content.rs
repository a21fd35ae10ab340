//! What a read returns: content items.

use crate::contract::{Contract, Rule};
use crate::fields::{Fields, child};
use crate::frame::FrameError;
use crate::syntax::{base64_bytes, base64_text, is_uri};
use serde_json::{Map, Value};

/// One item of the contents of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentItem {
    uri: Option<String>,
    mime_type: Option<String>,
    body: ContentBody,
}

/// What an item holds: exactly one of the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentBody {
    /// Text, verbatim.
    Text(String),
    /// Bytes, as standard base64 with padding, verbatim.
    Blob(String),
}

impl ContentItem {
    /// An item of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { uri: None, mime_type: None, body: ContentBody::Text(text.into()) }
    }

    /// An item of bytes.
    pub fn blob(bytes: &[u8]) -> Self {
        Self { uri: None, mime_type: None, body: ContentBody::Blob(base64_text(bytes)) }
    }

    /// The same item with a uri of its own.
    #[must_use]
    pub fn with_uri(mut self, uri: impl Into<String>) -> Self {
        self.uri = Some(uri.into());
        self
    }

    /// The same item with a type of its own.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Reads an item.
    ///
    /// # Errors
    /// The first rule it breaks (BRG-RES-09).
    pub fn decode(value: &Value, contract: &Contract) -> Result<Self, FrameError> {
        Self::decode_at(value, "", contract)
    }

    /// Reads a list of items, all or nothing.
    pub(crate) fn decode_all(items: &[Value], pointer: &str, contract: &Contract) -> Result<Vec<Self>, FrameError> {
        let mut decoded = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match Self::decode_at(item, &child(pointer, &index.to_string()), contract) {
                Ok(item) => decoded.push(item),
                Err(_) if contract.drop_invalid_items => (),
                Err(error) => return Err(error),
            }
        }
        Ok(decoded)
    }

    fn decode_at(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        let fields = Fields::of(value, pointer, contract, Rule::ContentObject)?;
        let uri = fields.optional_text("uri", Rule::ContentUriType)?;
        let mime_type = fields.optional_text("mime_type", Rule::ContentMimeTypeType)?;
        if fields.any("text").is_some() && fields.any("blob").is_some() {
            fields.broken(Rule::ContentExactlyOne, "blob", "this one has both".into())?;
        }
        let body = if fields.any("text").is_none() && fields.any("blob").is_some() {
            ContentBody::Blob(blob(&fields)?)
        } else {
            ContentBody::Text(fields.required_text("text", Rule::ContentTextOrBlob, Rule::ContentTextType)?)
        };
        fields.nothing_else(&["uri", "mime_type", "text", "blob"])?;
        Ok(Self { uri, mime_type, body })
    }

    /// The item's own uri. The contract gives it no form; see [`absolute_uri`](Self::absolute_uri).
    pub fn uri(&self) -> Option<&str> {
        self.uri.as_deref()
    }

    /// The item's own uri where it is absolute: then agents see it instead of the one they asked for (BRG-MCP-09).
    pub fn absolute_uri(&self) -> Option<&str> {
        self.uri().filter(|uri| is_uri(uri))
    }

    /// The item's own type. Where it is absent nothing is put in its place (BRG-RES-07).
    pub fn mime_type(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    /// What it holds.
    pub fn body(&self) -> &ContentBody {
        &self.body
    }

    /// The bytes it holds: those of the text, or the decoded blob. `None` only for a blob that a bent contract let
    /// through.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match &self.body {
            ContentBody::Text(text) => Some(text.clone().into_bytes()),
            ContentBody::Blob(blob) => base64_bytes(blob),
        }
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        self.spelled(self.uri(), "mime_type")
    }

    /// The item as MCP's `resources/read` returns it for `requested`: its own uri where that is absolute, else the
    /// requested one (BRG-MCP-09).
    pub fn to_mcp(&self, requested: &str) -> Value {
        self.spelled(Some(self.absolute_uri().unwrap_or(requested)), "mimeType")
    }

    fn spelled(&self, uri: Option<&str>, mime_type_key: &str) -> Value {
        let mut object = Map::new();
        if let Some(uri) = uri {
            object.insert("uri".into(), uri.into());
        }
        if let Some(mime_type) = &self.mime_type {
            object.insert(mime_type_key.into(), mime_type.as_str().into());
        }
        let (key, body) = match &self.body {
            ContentBody::Text(text) => ("text", text),
            ContentBody::Blob(blob) => ("blob", blob),
        };
        object.insert(key.into(), body.as_str().into());
        Value::Object(object)
    }
}

fn blob(fields: &Fields<'_>) -> Result<String, FrameError> {
    let blob = fields.required_text("blob", Rule::ContentTextOrBlob, Rule::ContentBlobType)?;
    if base64_bytes(&blob).is_none() {
        fields.broken(Rule::BlobBase64, "blob", format!("this one of {} characters is not", blob.chars().count()))?;
    }
    Ok(blob)
}

//! The resource descriptor (section 5 of the contract).

use super::spelling::Spelling;
use super::{Icon, ResourceAnnotations};
use crate::contract::{Contract, Rule};
use crate::fields::{Fields, child, integer};
use crate::frame::FrameError;
use crate::syntax::{is_mime_type, is_name, is_uri};
use serde_json::{Value, json};

/// A read-only resource as an app registers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceDescriptor {
    uri: String,
    name: String,
    description: String,
    mime_type: Option<String>,
    title: Option<String>,
    size: Option<u64>,
    annotations: Option<ResourceAnnotations>,
    icons: Option<Vec<Icon>>,
}

impl ResourceDescriptor {
    /// A resource with the three fields that it must have.
    ///
    /// # Errors
    /// `uri` is no ASCII URI with a scheme of at most 2,048 characters, `name` is not 1 to 64 of `[a-zA-Z0-9_-]`, or
    /// `description` is not 1 to 4,096 characters long.
    pub fn new(uri: &str, name: &str, description: &str) -> Result<Self, FrameError> {
        Self::decode(&json!({ "uri": uri, "name": name, "description": description }), &Contract::default())
    }

    /// The same resource with this type of its content.
    ///
    /// # Errors
    /// It is not `type/subtype` of at most 255 characters.
    pub fn with_mime_type(self, mime_type: &str) -> Result<Self, FrameError> {
        self.with("mime_type", mime_type.into())
    }

    /// The same resource with this name for people.
    ///
    /// # Errors
    /// It is not 1 to 256 characters long.
    pub fn with_title(self, title: &str) -> Result<Self, FrameError> {
        self.with("title", title.into())
    }

    /// The same resource with this size of its content, in bytes.
    ///
    /// # Errors
    /// It is above 2^53 - 1.
    pub fn with_size(self, size: u64) -> Result<Self, FrameError> {
        self.with("size", size.into())
    }

    /// The same resource with these annotations.
    #[must_use]
    pub fn with_annotations(mut self, annotations: ResourceAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// The same resource with these icons.
    #[must_use]
    pub fn with_icons(mut self, icons: Vec<Icon>) -> Self {
        self.icons = Some(icons);
        self
    }

    /// Reads a descriptor.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn decode(value: &Value, contract: &Contract) -> Result<Self, FrameError> {
        Self::decode_at(value, "", contract)
    }

    pub(crate) fn decode_at(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::of(value, pointer, contract, Rule::ResourceObject)?;
        let uri = uri(&fields, contract)?;
        let name = fields.required_text("name", Rule::ResourceNamePresent, Rule::ResourceNameType)?;
        fields.length(&name, "name", Rule::ResourceNameLength, 1, limits.resource_name_max)?;
        if !is_name(&name) {
            fields.broken(Rule::ResourceNamePattern, "name", format!("this one is {name:?}"))?;
        }
        let description =
            fields.required_text("description", Rule::ResourceDescriptionPresent, Rule::ResourceDescriptionType)?;
        fields.length(&description, "description", Rule::ResourceDescriptionLength, 1, limits.description_max)?;
        let mime_type = fields.optional_text("mime_type", Rule::ResourceMimeTypeType)?;
        if let Some(mime_type) = &mime_type {
            fields.length(mime_type, "mime_type", Rule::ResourceMimeTypeLength, 0, limits.mime_type_max)?;
            if !is_mime_type(mime_type) {
                fields.broken(Rule::ResourceMimeTypeSyntax, "mime_type", format!("this one is {mime_type:?}"))?;
            }
        }
        let title = fields.optional_text("title", Rule::ResourceTitleType)?;
        if let Some(title) = &title {
            fields.length(title, "title", Rule::ResourceTitleLength, 1, limits.title_max)?;
        }
        let size = size(&fields, contract)?;
        let annotations = fields
            .optional_object("annotations", Rule::ResourceAnnotationsType)?
            .map(|object| ResourceAnnotations::decode_at(object, &child(pointer, "annotations"), contract))
            .transpose()?;
        let icons = fields
            .optional_array("icons", Rule::IconsType)?
            .map(|icons| Icon::decode_all(icons, &child(pointer, "icons"), contract))
            .transpose()?;
        fields.nothing_else(&KEYS)?;
        Ok(Self { uri, name, description, mime_type, title, size, annotations, icons })
    }

    /// The app's own uri, unique within a session (BRG-RES-03).
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The name, unique within a session (BRG-RES-03). It is what agents address, behind the alias.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the resource holds, for people and agents.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The type of the content.
    pub fn mime_type(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    /// The name for people.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The size of the content, in bytes.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The annotations.
    pub fn annotations(&self) -> Option<&ResourceAnnotations> {
        self.annotations.as_ref()
    }

    /// The icons: `None` when the key was absent, an empty slice when the array was empty.
    pub fn icons(&self) -> Option<&[Icon]> {
        self.icons.as_deref()
    }

    /// The wire form: the keys of the contract, in its order, absent ones left out.
    pub fn to_json(&self) -> Value {
        self.spelled(Spelling::Wire, true)
    }

    /// The entry of an MCP resource list, with MCP's spelling of the keys and the app's own `uri` (the daemon puts
    /// the exposed one in its place). `icons` says whether the negotiated revision knows icons (BRG-MCP-03).
    pub fn to_mcp(&self, icons: bool) -> Value {
        self.spelled(Spelling::Mcp, icons)
    }

    fn spelled(&self, spelling: Spelling, with_icons: bool) -> Value {
        let mime_type_key = spelling.pick("mime_type", "mimeType");
        let mut object = json!({ "uri": self.uri, "name": self.name, "description": self.description });
        if let Some(mime_type) = &self.mime_type {
            object[mime_type_key] = mime_type.as_str().into();
        }
        if let Some(title) = &self.title {
            object["title"] = title.as_str().into();
        }
        if let Some(size) = self.size {
            object["size"] = size.into();
        }
        if let Some(annotations) = &self.annotations {
            object["annotations"] = annotations.spelled(spelling);
        }
        if let (Some(icons), true) = (&self.icons, with_icons) {
            object["icons"] = icons.iter().map(|icon| icon.spelled(spelling)).collect();
        }
        object
    }

    fn with(self, key: &str, value: Value) -> Result<Self, FrameError> {
        let mut object = self.to_json();
        object[key] = value;
        Self::decode(&object, &Contract::default())
    }
}

fn uri(fields: &Fields<'_>, contract: &Contract) -> Result<String, FrameError> {
    let uri = fields.required_text("uri", Rule::ResourceUriPresent, Rule::ResourceUriType)?;
    fields.length(&uri, "uri", Rule::ResourceUriLength, 1, contract.limits.uri_max)?;
    if !uri.is_ascii() {
        fields.broken(Rule::ResourceUriAscii, "uri", format!("this one is {uri:?}"))?;
    } else if !is_uri(&uri) {
        fields.broken(Rule::ResourceUriAbsolute, "uri", format!("this one is {uri:?}"))?;
    }
    Ok(uri)
}

fn size(fields: &Fields<'_>, contract: &Contract) -> Result<Option<u64>, FrameError> {
    let Some(value) = fields.any("size") else {
        return Ok(None);
    };
    let Some(size) = integer(value) else {
        return fields.broken(Rule::ResourceSizeType, "size", format!("this is {value}")).map(|()| None);
    };
    if !(0..=i128::from(contract.limits.size_max)).contains(&size) {
        fields.broken(Rule::ResourceSizeRange, "size", format!("this is {value}"))?;
    }
    Ok(u64::try_from(size).ok())
}

const KEYS: [&str; 8] = ["uri", "name", "description", "mime_type", "title", "size", "annotations", "icons"];

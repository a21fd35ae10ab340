//! The icons of a resource.

use super::spelling::Spelling;
use crate::contract::{Contract, Rule};
use crate::fields::{Fields, child, kind_of};
use crate::frame::FrameError;
use crate::syntax::{is_icon_source, is_mime_type};
use serde_json::{Value, json};

/// One icon of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    src: String,
    mime_type: Option<String>,
    sizes: Option<Vec<String>>,
    theme: Option<String>,
}

/// The background that an icon is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// An icon without any of the optional fields.
    ///
    /// # Errors
    /// `src` is no http, https or data URI.
    pub fn new(src: &str) -> Result<Self, FrameError> {
        Self::decode_at(&json!({ "src": src }), "", &Contract::default())
    }

    /// The same icon with this type.
    ///
    /// # Errors
    /// It is not `type/subtype`.
    pub fn with_mime_type(self, mime_type: &str) -> Result<Self, FrameError> {
        let mut object = self.spelled(Spelling::Wire);
        object["mime_type"] = mime_type.into();
        Self::decode_at(&object, "", &Contract::default())
    }

    /// The same icon with these sizes (`48x48`, `any`).
    #[must_use]
    pub fn with_sizes(mut self, sizes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.sizes = Some(sizes.into_iter().map(Into::into).collect());
        self
    }

    /// The same icon for this background.
    #[must_use]
    pub fn with_theme(mut self, theme: Theme) -> Self {
        let text = match theme {
            Theme::Light => "light",
            Theme::Dark => "dark",
        };
        self.theme = Some(text.to_owned());
        self
    }

    pub(super) fn decode_all(items: &[Value], pointer: &str, contract: &Contract) -> Result<Vec<Self>, FrameError> {
        items
            .iter()
            .enumerate()
            .filter(|(_, item)| item.is_object() || contract.applies(Rule::IconObject))
            .map(|(index, item)| Self::decode_at(item, &child(pointer, &index.to_string()), contract))
            .collect()
    }

    fn decode_at(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        let fields = Fields::of(value, pointer, contract, Rule::IconObject)?;
        let src = fields.required_text("src", Rule::IconSrcPresent, Rule::IconSrcType)?;
        if !is_icon_source(&src) {
            fields.broken(Rule::IconSrcScheme, "src", format!("this one is {src:?}"))?;
        }
        let mime_type = fields.optional_text("mime_type", Rule::IconMimeTypeType)?;
        if let Some(mime_type) = mime_type.as_deref().filter(|mime_type| !is_mime_type(mime_type)) {
            fields.broken(Rule::IconMimeTypeSyntax, "mime_type", format!("this one is {mime_type:?}"))?;
        }
        let sizes = sizes(&fields)?;
        let theme = fields.optional_text("theme", Rule::IconThemeType)?;
        if let Some(theme) = theme.as_deref().filter(|theme| !["light", "dark"].contains(theme)) {
            fields.broken(Rule::IconThemeValue, "theme", format!("this one is {theme:?}"))?;
        }
        fields.nothing_else(&["src", "mime_type", "sizes", "theme"])?;
        Ok(Self { src, mime_type, sizes, theme })
    }

    /// Where the image is: an http, https or data URI.
    pub fn src(&self) -> &str {
        &self.src
    }

    /// The type of the image.
    pub fn mime_type(&self) -> Option<&str> {
        self.mime_type.as_deref()
    }

    /// The sizes it is good for.
    pub fn sizes(&self) -> Option<&[String]> {
        self.sizes.as_deref()
    }

    /// The background it is drawn for: `light` or `dark`.
    pub fn theme(&self) -> Option<&str> {
        self.theme.as_deref()
    }

    pub(super) fn spelled(&self, spelling: Spelling) -> Value {
        let mut object = json!({ "src": self.src });
        if let Some(mime_type) = &self.mime_type {
            object[spelling.pick("mime_type", "mimeType")] = mime_type.as_str().into();
        }
        if let Some(sizes) = &self.sizes {
            object["sizes"] = sizes.clone().into();
        }
        if let Some(theme) = &self.theme {
            object["theme"] = theme.as_str().into();
        }
        object
    }
}

fn sizes(fields: &Fields<'_>) -> Result<Option<Vec<String>>, FrameError> {
    let Some(items) = fields.optional_array("sizes", Rule::IconSizesType)? else {
        return Ok(None);
    };
    let mut sizes = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(size) => sizes.push(size.to_owned()),
            None => {
                let found = format!("this is {}", kind_of(item));
                fields.broken_within(Rule::IconSizesType, &format!("sizes/{index}"), found)?;
            }
        }
    }
    Ok(Some(sizes))
}

//! What an app answers to a read.

use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::descriptor::ContentItem;
use crate::fields::Fields;
use serde_json::{Map, Value};

/// `resource_result`: a read succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceResult {
    session_id: String,
    id: String,
    contents: Vec<ContentItem>,
}

impl ResourceResult {
    /// The frame's `type`.
    pub const TYPE: &str = "resource_result";

    /// The success of read `id`.
    pub fn new(session_id: &str, id: &str, contents: Vec<ContentItem>) -> Self {
        Self { session_id: session_id.to_owned(), id: id.to_owned(), contents }
    }

    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = Fields::new(object, "", contract, Rule::ContentsPresent);
        let id = fields.required_text("id", Rule::ResourceResultIdPresent, Rule::ResourceResultIdType)?;
        let items = fields.required_array("contents", Rule::ContentsPresent, Rule::ContentsType)?;
        let contents = ContentItem::decode_all(items, "/contents", contract)?;
        fields.nothing_else(&["type", "session_id", "id", "contents"])?;
        Ok(Self { session_id: session_id.to_owned(), id, contents })
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The read. Any text: an id that no read has is ignored (BRG-RES-11).
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The contents, in the app's order; none is a success too (BRG-RES-08).
    pub fn contents(&self) -> &[ContentItem] {
        &self.contents
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let contents = self.contents.iter().map(ContentItem::to_json).collect();
        envelope::write(Self::TYPE, &self.session_id, [("id", self.id.as_str().into()), ("contents", contents)]).into()
    }
}

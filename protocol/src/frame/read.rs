//! What a daemon asks of an app's resources.

use super::texts::{name, text};
use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::fields::Fields;
use crate::syntax::is_uri;
use serde_json::{Map, Value};

/// `resource_read`: the app is to read a resource (BRG-RES-06).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceRead {
    session_id: String,
    id: String,
    name: String,
    uri: String,
}

impl ResourceRead {
    /// The frame's `type`.
    pub const TYPE: &str = "resource_read";

    /// A read.
    ///
    /// # Errors
    /// An id is not 1 to 128 characters long, or `name` or `uri` is not what a resource may have.
    pub fn new(session_id: &str, id: &str, name: &str, uri: &str, contract: &Contract) -> Result<Self, FrameError> {
        let fields = [("id", id.into()), ("name", name.into()), ("uri", uri.into())];
        Self::decode(&envelope::write(Self::TYPE, session_id, fields), contract)
    }

    pub(super) fn decode(object: &Map<String, Value>, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::new(object, "", contract, Rule::ResourceReadId);
        let session_id = text(&fields, "session_id", Rule::DaemonSessionId, limits.session_id_max)?;
        let id = text(&fields, "id", Rule::ResourceReadId, limits.call_id_max)?;
        let name = name(&fields, Rule::ResourceReadName, limits.resource_name_max)?;
        let uri = text(&fields, "uri", Rule::ResourceReadUri, limits.uri_max)?;
        if !(uri.is_ascii() && is_uri(&uri)) {
            fields.broken(Rule::ResourceReadUri, "uri", format!("this one is {uri:?}"))?;
        }
        for key in ["args", "arguments", "params", "input"] {
            if fields.any(key).is_some() {
                fields.broken(Rule::ResourceReadInput, key, format!("this one has {key:?}"))?;
            }
        }
        fields.nothing_else(&["type", "session_id", "id", "name", "uri"])?;
        Ok(Self { session_id, id, name, uri })
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The read's id, which its answer repeats.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The resource's name, as registered.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The resource's own uri, as registered.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let fields =
            [("id", self.id.as_str().into()), ("name", self.name.as_str().into()), ("uri", self.uri.as_str().into())];
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

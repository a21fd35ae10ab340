//! Registration with a server: a static list, exact URIs, reads, and the two revisions' faces of one registry
//! (TG-05, TG-06, TG-08, TG-15, TG-19..TG-21, TG-30, TG-36, TG-41, TG-42).

use super::definition::ResourceDefinition;
use super::metadata::{Metadata, MetadataError};
use super::reading::{ReadContext, ResultError};
use futures_util::FutureExt;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;

/// The protocol revisions that one registry is shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision {
    /// 2025-06-18: no icons in listings, `-32002` for an unknown URI.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// A static list of resources. It can only be made whole: one wrong definition and there is none.
#[derive(Clone, Debug)]
pub struct ResourceRegistry {
    entries: Vec<(Metadata, ResourceDefinition)>,
    by_uri: HashMap<String, usize>,
}

impl ResourceRegistry {
    /// Validates and copies the metadata of every definition. Reads nothing.
    ///
    /// # Errors
    /// The first definition whose metadata breaks a rule, or whose URI another one has.
    pub fn register(definitions: impl IntoIterator<Item = ResourceDefinition>) -> Result<Self, RegistrationError> {
        let mut entries = Vec::new();
        let mut by_uri = HashMap::new();
        for (index, definition) in definitions.into_iter().enumerate() {
            let metadata = Metadata::validate(definition.metadata())
                .map_err(|error| RegistrationError::Metadata { index, error })?;
            if by_uri.insert(metadata.uri.clone(), index).is_some() {
                let uri = metadata.uri;
                return Err(RegistrationError::DuplicateUri { index, uri });
            }
            entries.push((metadata, definition));
        }
        Ok(Self { entries, by_uri })
    }

    /// The listing, in order of registration: the same for every caller, always.
    pub fn listing(&self, revision: Revision) -> Vec<Value> {
        self.entries.iter().map(|(metadata, _)| metadata.entry(revision == Revision::Modern)).collect()
    }

    /// Reads the resource with exactly this URI: no normalization, no case folding. One run of its reader.
    ///
    /// # Errors
    /// No such URI, a failing (or panicking) reader, or a result that cannot be sent.
    pub async fn read(&self, uri: &str, context: ReadContext) -> Result<Value, ReadError> {
        let (_, definition) = self
            .by_uri
            .get(uri)
            .and_then(|&index| self.entries.get(index))
            .ok_or_else(|| ReadError::UnknownUri { uri: uri.to_owned() })?;
        let reading = AssertUnwindSafe(definition.read(uri, context));
        let result = reading
            .catch_unwind()
            .await
            .map_err(|_| ReadError::Reader("the reader panicked".to_owned()))?
            .map_err(|failure| ReadError::Reader(failure.0))?;
        Ok(result.validate()?)
    }
}

/// Why a list of definitions was not registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistrationError {
    /// A definition's metadata breaks a rule.
    #[error("definition {index}: {error}")]
    Metadata {
        /// Which definition, from 0.
        index: usize,
        /// The rule.
        error: MetadataError,
    },
    /// Two definitions have one URI, whatever their names (TG-15).
    #[error("definition {index}: another definition has the uri {uri:?}")]
    DuplicateUri {
        /// The later one, from 0.
        index: usize,
        /// The URI.
        uri: String,
    },
}

/// Why a read has no contents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The server offers no resources at all.
    #[error("the server has no resources capability")]
    NoCapability,
    /// `uri` is missing or no string.
    #[error("`uri` must be a string")]
    InvalidUri,
    /// No resource has exactly this URI. Never the same as empty contents (TG-36).
    #[error("no resource has the uri {uri:?}")]
    UnknownUri {
        /// The URI that was asked for.
        uri: String,
    },
    /// The reader failed. The text is for logs only.
    #[error("the reader failed: {0}")]
    Reader(String),
    /// The reader's result cannot be sent.
    #[error("the reader returned an invalid result: {0}")]
    Result(#[from] ResultError),
}

impl ReadError {
    /// The JSON-RPC error code.
    pub fn code(&self, revision: Revision) -> i32 {
        match (self, revision) {
            (Self::NoCapability, _) => -32601,
            (Self::InvalidUri, _) | (Self::UnknownUri { .. }, Revision::Modern) => -32602,
            (Self::UnknownUri { .. }, Revision::Legacy) => -32002,
            (Self::Reader(_) | Self::Result(_), _) => -32603,
        }
    }

    /// The JSON-RPC error object: what went wrong inside a reader stays inside (TG-41).
    pub fn to_json(&self, revision: Revision) -> Value {
        let mut error = json!({ "code": self.code(revision) });
        error["message"] = match self {
            Self::Reader(_) | Self::Result(_) => "the resource could not be read".into(),
            other => other.to_string().into(),
        };
        if let Self::UnknownUri { uri } = self {
            error["data"] = json!({ "uri": uri });
        }
        error
    }
}

/// What a server is made of. Tools must be given, if only as an empty list (TG-19); resources need not.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    tools: Vec<Value>,
    resources: Option<Vec<ResourceDefinition>>,
}

impl ServerOptions {
    /// A server with these tools (entries of a `tools/list` result) and without resources.
    pub fn new(tools: Vec<Value>) -> Self {
        Self { tools, resources: None }
    }

    /// The same server with these resources. An empty list offers the capability all the same.
    pub fn resources(mut self, resources: Vec<ResourceDefinition>) -> Self {
        self.resources = Some(resources);
        self
    }
}

/// The resource side of a server, without a transport: what it offers, lists and reads.
#[derive(Clone, Debug)]
pub struct ResourceServer {
    tools: Vec<Value>,
    resources: Option<ResourceRegistry>,
}

impl ResourceServer {
    /// Registers everything. Reads nothing.
    ///
    /// # Errors
    /// As [`ResourceRegistry::register`].
    pub fn new(options: ServerOptions) -> Result<Self, RegistrationError> {
        Ok(Self { tools: options.tools, resources: options.resources.map(ResourceRegistry::register).transpose()? })
    }

    /// The capabilities to be announced: `resources` only where the option was given (TG-20). The list is static and
    /// nothing can be subscribed to, so neither is promised.
    pub fn capabilities(&self) -> Value {
        let mut capabilities = json!({ "tools": {} });
        if self.resources.is_some() {
            capabilities["resources"] = json!({});
        }
        capabilities
    }

    /// The tools, as given.
    pub fn tools(&self) -> &[Value] {
        &self.tools
    }

    /// The result of `resources/list`, without the modern envelope.
    ///
    /// # Errors
    /// The capability was not offered.
    pub fn list(&self, revision: Revision) -> Result<Value, ReadError> {
        Ok(json!({ "resources": self.registry()?.listing(revision) }))
    }

    /// The result of `resources/read` with these params, without the modern envelope.
    ///
    /// # Errors
    /// Everything that [`ReadError`] names.
    pub async fn read(&self, params: &Value, context: ReadContext) -> Result<Value, ReadError> {
        let registry = self.registry()?;
        let uri = params["uri"].as_str().ok_or(ReadError::InvalidUri)?;
        registry.read(uri, context).await
    }

    fn registry(&self) -> Result<&ResourceRegistry, ReadError> {
        self.resources.as_ref().ok_or(ReadError::NoCapability)
    }
}

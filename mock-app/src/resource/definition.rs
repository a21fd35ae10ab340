//! The definition itself, and its builder (TG-01, TG-03, TG-04).

use super::reading::{ReadContext, ReadResult, ReaderFailure};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

type Reader = dyn Fn(String, ReadContext) -> BoxFuture<'static, Result<ReadResult, ReaderFailure>> + Send + Sync;

/// Metadata and a reader. Immutable; clones share the reader and its count of reads.
#[derive(Clone)]
pub struct ResourceDefinition(Arc<Inner>);

struct Inner {
    metadata: Map<String, Value>,
    reader: Box<Reader>,
    reads: AtomicUsize,
}

impl ResourceDefinition {
    /// Begins a definition with the two keys that it must have.
    pub fn builder(uri: &str, name: &str) -> ResourceBuilder {
        ResourceBuilder::default().set("uri", uri.into()).set("name", name.into())
    }

    /// Begins a definition with metadata as a JSON manifest gives it, right or wrong: it is judged when it is
    /// registered.
    pub fn from_json(metadata: Map<String, Value>) -> ResourceBuilder {
        ResourceBuilder { metadata, reader: None }
    }

    /// Runs the reader and returns what it returns, neither validated nor converted (TG-40).
    ///
    /// # Errors
    /// The reader's own failure.
    pub async fn read(&self, uri: &str, context: ReadContext) -> Result<ReadResult, ReaderFailure> {
        self.0.reads.fetch_add(1, Ordering::SeqCst);
        (self.0.reader)(uri.to_owned(), context).await
    }

    /// How often the reader was run, through any clone and any server (TG-06, TG-30).
    pub fn reads(&self) -> usize {
        self.0.reads.load(Ordering::SeqCst)
    }

    /// A builder with the same metadata and no reader: definitions do not change, changed copies are made.
    pub fn to_builder(&self) -> ResourceBuilder {
        Self::from_json(self.0.metadata.clone())
    }

    pub(super) fn metadata(&self) -> &Map<String, Value> {
        &self.0.metadata
    }
}

impl fmt::Debug for ResourceDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceDefinition")
            .field("metadata", &self.0.metadata)
            .field("reads", &self.reads())
            .finish_non_exhaustive()
    }
}

/// Puts a definition together. Keys are MCP's.
#[derive(Default)]
pub struct ResourceBuilder {
    metadata: Map<String, Value>,
    reader: Option<Box<Reader>>,
}

impl ResourceBuilder {
    /// The name for people.
    pub fn title(self, title: &str) -> Self {
        self.set("title", title.into())
    }

    /// What the resource holds.
    pub fn description(self, description: &str) -> Self {
        self.set("description", description.into())
    }

    /// The type of the content, as listed. It is not copied to what is read.
    pub fn mime_type(self, mime_type: &str) -> Self {
        self.set("mimeType", mime_type.into())
    }

    /// The size of the raw content, in bytes: 0 to 2^53-1.
    pub fn size(self, bytes: u64) -> Self {
        self.set("size", bytes.into())
    }

    /// Whom the content is for: `user`, `assistant`.
    pub fn audience(self, audience: &[&str]) -> Self {
        self.annotate("audience", audience.to_vec().into())
    }

    /// How important the content is: 0 to 1. JSON has no NaN and no infinities; they are refused at registration.
    pub fn priority(self, priority: f64) -> Self {
        let value = if priority.is_finite() { priority.into() } else { priority.to_string().into() };
        self.annotate("priority", value)
    }

    /// When the content changed last, as ISO 8601 writes it.
    pub fn last_modified(self, timestamp: &str) -> Self {
        self.annotate("lastModified", timestamp.into())
    }

    /// Icons, listed where the revision knows them.
    pub fn icons(self, icons: Value) -> Self {
        self.set("icons", icons)
    }

    /// Metadata of one's own, copied into listings.
    pub fn meta(self, meta: Value) -> Self {
        self.set("_meta", meta)
    }

    /// The reader: run on reads only, with the requested uri and the request's context.
    pub fn reader<F>(self, reader: F) -> Self
    where
        F: Fn(String, ReadContext) -> Result<ReadResult, ReaderFailure> + Send + Sync + 'static,
    {
        self.async_reader(move |uri, context| std::future::ready(reader(uri, context)))
    }

    /// As [`reader`](Self::reader), for a reader that has to wait.
    pub fn async_reader<F, R>(mut self, reader: F) -> Self
    where
        F: Fn(String, ReadContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<ReadResult, ReaderFailure>> + Send + 'static,
    {
        self.reader = Some(Box::new(move |uri, context| Box::pin(reader(uri, context))));
        self
    }

    /// The definition. Its metadata has not been looked at yet.
    ///
    /// # Errors
    /// There is no reader.
    pub fn build(self) -> Result<ResourceDefinition, NoReader> {
        let reader = self.reader.ok_or(NoReader)?;
        Ok(ResourceDefinition(Arc::new(Inner { metadata: self.metadata, reader, reads: AtomicUsize::new(0) })))
    }

    fn set(mut self, key: &str, value: Value) -> Self {
        self.metadata.insert(key.to_owned(), value);
        self
    }

    fn annotate(mut self, key: &str, value: Value) -> Self {
        let annotations = self.metadata.entry("annotations").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(annotations) = annotations {
            annotations.insert(key.to_owned(), value);
        }
        self
    }
}

impl fmt::Debug for ResourceBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceBuilder")
            .field("metadata", &self.metadata)
            .field("has_reader", &self.reader.is_some())
            .finish()
    }
}

/// A definition without a reader (TG-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a resource definition needs a reader")]
pub struct NoReader;

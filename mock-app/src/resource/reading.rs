//! What a reader is given, what it returns, and how that is validated for the wire (TG-31, TG-33..TG-39).

use super::metadata::is_absolute;
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::sync::watch;

/// The request that a reader answers. It cannot be changed by the reader.
#[derive(Clone, Debug, Default)]
pub struct ReadContext {
    caller: Option<Arc<str>>,
    meta: Arc<Map<String, Value>>,
    cancelled: Option<watch::Receiver<bool>>,
}

impl ReadContext {
    /// The same context with the caller's verified identity.
    pub fn with_caller(mut self, caller: &str) -> Self {
        self.caller = Some(caller.into());
        self
    }

    /// The same context with the request's metadata.
    pub fn with_meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Arc::new(meta);
        self
    }

    /// The same context, cancelled when `cancellation` is.
    pub fn with_cancellation(mut self, cancellation: &Cancellation) -> Self {
        self.cancelled = Some(cancellation.0.subscribe());
        self
    }

    /// Who asks, where that was verified.
    pub fn caller(&self) -> Option<&str> {
        self.caller.as_deref()
    }

    /// The request's metadata.
    pub fn meta(&self) -> &Map<String, Value> {
        &self.meta
    }

    /// Whether nobody waits for the answer any more. Cooperative: the reader decides what it does about it.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|cancelled| *cancelled.borrow())
    }

    /// Waits for the cancellation; for ever if there is none.
    pub async fn cancelled(&self) {
        let never = std::future::pending();
        let Some(mut cancelled) = self.cancelled.clone() else {
            return never.await;
        };
        if cancelled.wait_for(|cancelled| *cancelled).await.is_err() {
            never.await
        }
    }
}

/// Cancels the reads whose contexts were made with it.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(watch::Sender<bool>);

impl Cancellation {
    /// Cancels, once and for all.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// A reader's own failure. Its text is for logs: a server tells the caller only that the read failed (TG-41).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReaderFailure(pub String);

/// One entry of a read's contents. Right ones are made by [`text`](Self::text) and [`blob`](Self::blob).
#[derive(Clone, Debug, PartialEq)]
pub struct Content(Map<String, Value>);

impl Content {
    /// A text entry with its own absolute URI. `""` is a text like any other (TG-37).
    pub fn text(uri: &str, text: &str) -> Self {
        Self(Map::new()).set("uri", uri).set("text", text)
    }

    /// A blob entry with its own absolute URI. `base64` is standard base64 with padding and passes through as it is:
    /// bytes are never encoded for the reader (TG-35).
    pub fn blob(uri: &str, base64: &str) -> Self {
        Self(Map::new()).set("uri", uri).set("blob", base64)
    }

    /// The same entry with a type of its own.
    pub fn mime_type(self, mime_type: &str) -> Self {
        self.set("mimeType", mime_type)
    }

    /// The same entry with metadata.
    pub fn meta(self, meta: Value) -> Self {
        self.set("_meta", meta)
    }

    fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }
}

/// What a reader returns. It is validated when a server converts it, not before.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadResult(Value);

impl ReadResult {
    /// These entries, in this order. None is a valid result for a resource that exists (TG-36).
    pub fn of(contents: impl IntoIterator<Item = Content>) -> Self {
        let contents: Vec<Value> = contents.into_iter().map(|entry| entry.0.into()).collect();
        Self(json!({ "contents": contents }))
    }

    /// Whatever JSON a reader comes up with, right or wrong.
    pub fn raw(result: Value) -> Self {
        Self(result)
    }

    /// The same result with metadata of its own (TG-38).
    pub fn meta(mut self, meta: Value) -> Self {
        if let Value::Object(result) = &mut self.0 {
            result.insert("_meta".to_owned(), meta);
        }
        self
    }

    /// The result as the reader made it.
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// The result for the wire, `{contents, _meta?}`: all of it right, or nothing of it (TG-33). Nothing is filled in
    /// from the definition (TG-34); keys that nobody knows are left out.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn validate(&self) -> Result<Value, ResultError> {
        let result = self.0.as_object().ok_or(ResultError::NoContents)?;
        let contents = result.get("contents").and_then(Value::as_array).ok_or(ResultError::NoContents)?;
        let contents: Vec<Value> =
            contents.iter().enumerate().map(|(index, entry)| validate_entry(index, entry)).collect::<Result<_, _>>()?;
        let mut converted = json!({ "contents": contents });
        match result.get("_meta") {
            None => {}
            Some(meta @ Value::Object(_)) => converted["_meta"] = meta.clone(),
            Some(_) => return Err(ResultError::Meta),
        }
        Ok(converted)
    }
}

/// A reader's result that cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultError {
    /// It is no object with an array `contents`.
    #[error("a read result is an object with an array `contents`")]
    NoContents,
    /// An entry is no object.
    #[error("contents[{index}] is no object")]
    NoObject {
        /// Which entry.
        index: usize,
    },
    /// An entry has no absolute URI of its own.
    #[error("contents[{index}].uri must be an absolute URI")]
    Uri {
        /// Which entry.
        index: usize,
    },
    /// An entry has both `text` and `blob`.
    #[error("contents[{index}] has both `text` and `blob`")]
    Both {
        /// Which entry.
        index: usize,
    },
    /// An entry has neither `text` nor `blob`.
    #[error("contents[{index}] has neither `text` nor `blob`")]
    Neither {
        /// Which entry.
        index: usize,
    },
    /// `text`, `blob` or `mimeType` is no string.
    #[error("contents[{index}].{key} must be a string")]
    NoString {
        /// Which entry.
        index: usize,
        /// Which key.
        key: &'static str,
    },
    /// A blob is no standard base64 with padding.
    #[error("contents[{index}].blob must be standard base64 with padding")]
    Base64 {
        /// Which entry.
        index: usize,
    },
    /// An entry's `_meta` is no object.
    #[error("contents[{index}]._meta must be an object")]
    EntryMeta {
        /// Which entry.
        index: usize,
    },
    /// The result's `_meta` is no object.
    #[error("`_meta` must be an object")]
    Meta,
}

fn validate_entry(index: usize, entry: &Value) -> Result<Value, ResultError> {
    let entry = entry.as_object().ok_or(ResultError::NoObject { index })?;
    let has_uri = entry.get("uri").and_then(Value::as_str).is_some_and(is_absolute);
    if !has_uri {
        return Err(ResultError::Uri { index });
    }
    let body = match (entry.get("text"), entry.get("blob")) {
        (Some(_), Some(_)) => return Err(ResultError::Both { index }),
        (None, None) => return Err(ResultError::Neither { index }),
        (Some(_), None) => "text",
        (None, Some(_)) => "blob",
    };
    for key in [body, "mimeType"] {
        if entry.get(key).is_some_and(|value| !value.is_string()) {
            return Err(ResultError::NoString { index, key });
        }
    }
    if let Some(Value::String(blob)) = entry.get("blob")
        && STANDARD.decode(blob).is_err()
    {
        return Err(ResultError::Base64 { index });
    }
    if entry.get("_meta").is_some_and(|meta| !meta.is_object()) {
        return Err(ResultError::EntryMeta { index });
    }
    let kept = |key: &str| Some((key.to_owned(), entry.get(key)?.clone()));
    Ok(["uri", "mimeType", "text", "blob", "_meta"].into_iter().filter_map(kept).collect())
}

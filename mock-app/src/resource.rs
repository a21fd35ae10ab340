//! Resource definitions: metadata and a reader, kept apart from any server until they are registered with one.
//!
//! A [`ResourceDefinition`] is an immutable value. Building it checks one thing, that there is a reader; its metadata
//! is validated, and copied, when a [`ResourceRegistry`] or a [`ResourceServer`] takes it, or when it becomes a
//! [`Registration`](crate::app::Registration) of a mock app. Readers run on reads and never before. What a reader
//! returns is validated when it is converted for the wire; nothing is filled in from the metadata.
//!
//! ```
//! use iolite_mock_app::resource::{Content, ReadContext, ReadResult, ResourceDefinition, ResourceRegistry, Revision};
//!
//! let cart = ResourceDefinition::builder("app://cart", "cart")
//!     .mime_type("application/json")
//!     .reader(|uri, _context| Ok(ReadResult::of([Content::text(&uri, "[]")])))
//!     .build()?;
//! let registry = ResourceRegistry::register([cart])?;
//! assert_eq!(registry.listing(Revision::Modern)[0]["mimeType"], "application/json");
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! let result = runtime.block_on(registry.read("app://cart", ReadContext::default()))?;
//! assert_eq!(result["contents"][0]["text"], "[]");
//! assert!(result["contents"][0].get("mimeType").is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Facts of the field that Rust makes moot
//!
//! Four facts of the field's resource API are about a language without checked types, and have no counterpart here:
//! the reader's inferred return type (TG-02: every reader returns a [`ReadResult`]), unbranded look-alikes and object
//! spreads (TG-17: nothing else has the type), duplicate package copies that recognize each other's brand (TG-18: two
//! versions of a crate have two types), and metadata values that JSON cannot hold, such as functions and cycles
//! (the rest of TG-14: [`serde_json::Value`] cannot hold them either; NaN and infinities can be given to
//! [`ResourceBuilder::priority`] and are refused).

mod bridge;
mod definition;
mod metadata;
mod reading;
mod server;
#[cfg(test)]
mod tests;

pub use bridge::NotForTheBridge;
pub(crate) use bridge::read_for_wire;
pub use definition::{NoReader, ResourceBuilder, ResourceDefinition};
pub use metadata::MetadataError;
pub use reading::{Cancellation, Content, ReadContext, ReadResult, ReaderFailure, ResultError};
pub use server::{ReadError, RegistrationError, ResourceRegistry, ResourceServer, Revision, ServerOptions};

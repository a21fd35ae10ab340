//! What apps register and what a read returns: tools, resources and content items.
//!
//! A descriptor that exists is valid. It keeps the keys that the contract names and drops all others, so nothing that
//! an app adds reaches an agent.

mod content;
mod icon;
mod resource;
mod resource_annotations;
mod spelling;
mod tool;

pub use content::{ContentBody, ContentItem};
pub use icon::{Icon, Theme};
pub use resource::ResourceDescriptor;
pub use resource_annotations::{Audience, ResourceAnnotations};
pub use tool::{ToolAnnotations, ToolDescriptor};

#[cfg(test)]
mod tests;

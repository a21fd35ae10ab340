//! The scenario language: files in, checked stories out.

pub mod actor_kind;
pub mod diagnostics;
pub mod docs;
pub mod features;
#[cfg(test)]
mod gallery;
pub mod ids;
pub mod load;
pub mod matcher;
pub mod mistake;
pub mod model;
pub mod node;
pub mod schema;
pub mod selection;
pub mod set;
pub mod spelling;
pub mod template;
pub mod verb;
pub mod verbs;
pub mod yaml;

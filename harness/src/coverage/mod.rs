//! Coverage: every promise, the checks that really ran for it, and the faults that were really noticed.
//!
//! Rows are joined with the ids that runs emitted, never with what scenario files claim.

pub mod claimed;
mod render;
mod rows;

pub use render::{html, json, markdown, table};
pub use rows::{Row, rows};

//! Every mistake a scenario file can hold: one variant each, with its place and a way out.

mod error;
mod kinds;
mod words;

pub use error::{LoadError, Problem};
pub use kinds::{Mistake, Undeclared};

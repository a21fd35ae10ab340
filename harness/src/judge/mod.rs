//! From records to verdicts.

pub mod verdict;
pub mod watch;

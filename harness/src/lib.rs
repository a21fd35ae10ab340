//! Conformance harness for bridge daemons: scenario files in, verdicts with proof from the wire out.

pub mod scenario;
pub mod judge;
pub mod target;
pub mod transcript;
pub mod report;
pub mod requirements;
pub mod engine;
pub mod cargo_test;
pub mod cli;
pub mod known;

//! Conformance harness for bridge daemons: scenario files in, verdicts with proof from the wire out.
//!
//! A [scenario] says who does what and what must come of it. The [engine] plays it against the daemon that a [target] file
//! describes, records everything in a [transcript], and enters what each check found; [watchers](judge::watch) judge the
//! transcript without being asked. A [report] shows the verdicts with the [promises](requirements) they are about.
//! [`faults`] measures the suite itself. [`cargo_test`] runs it inside the tests of another repository.

pub mod cargo_test;
pub mod cli;
pub mod coverage;
pub mod engine;
pub mod faults;
pub mod judge;
pub mod report;
pub mod requirements;
pub mod scenario;
pub mod target;
pub mod transcript;
pub mod vocabulary;

//! The engine: plays scenarios against a daemon, records everything, and enters what each check found.
//!
//! [`Runner::run`] plays every telling of every scenario, some side by side, each on a daemon of its own. A story is played
//! step by step by its actors; what they see goes into the transcript, what a step claims goes into the book of checks. Waits
//! end when what they wait for arrives, or at a deadline scaled from the daemon's own round trips; silences end at a fence.

mod actors;
mod book;
mod cast;
mod control;
mod cue;
pub mod facts;
mod fences;
pub mod ids;
mod language;
mod log;
mod options;
mod outcome;
mod pace;
mod runner;
mod stage;
mod stayers;
mod steps;
mod story;
mod world;

pub use book::Levels;
pub use ids::{Telling, check_id, check_ids, run_id, tellings};
pub use options::{Enough, RunOptions, Watch};
pub use runner::{RunEvent, RunResult, Runner, SetupError};
pub use stage::FENCE_PREFIX;

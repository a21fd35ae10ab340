//! The engine: plays scenarios against a daemon, records everything, and enters what each check found.
//!
//! [`Runner::run`] plays every scenario once for each combination of its axes, some side by side, each on a daemon of its own. A run is played
//! step by step by its actors; what they see goes into the transcript, what a step claims goes into the results of its check. Waits
//! end when what they wait for arrives, or at a deadline scaled from the daemon's own round trips; silences end at a fence.

mod actors;
mod case_state;
mod cast;
mod check_results;
mod control;
mod evaluation;
mod fences;
pub mod ids;
mod log;
mod options;
mod pace;
mod persistent_actors;
pub mod run_metadata;
mod runner;
mod scenario_run;
mod stage;
mod step_context;
mod step_outcome;
mod steps;

pub use check_results::Levels;
pub use ids::{AxisValues, axis_combinations, check_id, check_ids, run_id};
pub use options::{Enough, RunOptions, Watch};
pub use runner::{RunEvent, RunResult, Runner, SetupError};
pub use stage::FENCE_PREFIX;

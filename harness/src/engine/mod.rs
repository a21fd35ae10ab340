//! The engine: plays scenarios against a daemon, records everything, and enters what each check found.
//!
//! [`Runner::run`] plays every scenario once for each combination of its axes, some side by side, each on a daemon of its own.
//! A run is played step by step by its actors; what they see goes into the transcript, what a step claims goes into the
//! results of its check. Waits end when what they wait for arrives, or at a deadline scaled from the daemon's own round
//! trips; silences end at a fence.
//!
//! From below: what the daemon says ([`control`]) and the daemon itself ([`stage`]); the context of a step
//! ([`step_context`]) and the actors that play it; the state of a case, its steps and fences; the run of a scenario; the
//! [`Runner`]. Each knows only what stands before it.

mod actors;
mod case_names;
mod case_run;
mod case_state;
mod cast;
mod check_results;
mod control;
mod evaluation;
mod fence_marks;
mod fence_names;
mod fences;
pub mod ids;
mod log;
mod options;
mod other_actors;
mod pace;
mod persistent_actors;
mod repeats;
mod run_record;
mod run_result;
mod runner;
mod scenario_run;
mod stage;
mod step_context;
mod step_outcome;
mod steps;
mod tap_switch;

pub use check_results::Levels;
pub use fence_names::FENCE_PREFIX;
pub use ids::{AxisValues, axis_combinations, check_id, check_ids, run_id};
pub use options::{Enough, RunOptions, Watch};
pub use runner::{RunEvent, RunResult, Runner, SetupError};

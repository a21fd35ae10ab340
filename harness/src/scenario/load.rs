//! From a file's text to a [`Scenario`], or to everything that is wrong with it.

mod args;
mod cases;
mod cast;
mod checks;
mod features;
mod loader;
mod names;
mod references;
mod shape;
mod steps;
mod top;
mod values;

pub use loader::LoadContext;

pub(super) use cases::AXES;
pub(super) use cast::APP_OPTIONS;
pub(super) use steps::CONTROL as CONTROL_STEPS;

use super::mistake::{LoadError, Mistake, Problem};
use super::model::Scenario;
use super::node::Source;
use super::yaml;
use loader::Loader;
use std::sync::Arc;

/// Loads one scenario. `id` is its path under the scenario root without its ending.
///
/// # Errors
///
/// All mistakes of the file, in the order in which they stand there.
pub fn load(source: &Arc<Source>, id: &str, context: &LoadContext<'_>) -> Result<Scenario, LoadError> {
    let mut problems = Vec::new();
    let scenario = yaml::read(source, &mut problems).and_then(|root| {
        let mut loader = Loader::new(source, context);
        let scenario = loader.scenario(&root, id);
        problems.append(&mut loader.problems);
        scenario
    });
    // Whoever mends the rest may well use something else then.
    let undeclared = |problem: &Problem| matches!(problem.mistake, Mistake::UndeclaredFeature { .. });
    if !problems.iter().all(undeclared) {
        problems.retain(|problem| !undeclared(problem));
    }
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems.dedup();
    match scenario {
        Some(scenario) if problems.is_empty() => Ok(scenario),
        _ => Err(LoadError { source: Arc::clone(source), problems }),
    }
}

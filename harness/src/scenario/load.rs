//! From a file's text to a [`Scenario`], or to everything that is wrong with it.

mod args;
mod cases;
mod cast;
mod checks;
mod names;
mod shape;
mod steps;
mod top;
mod values;

pub(super) use cases::AXES;
pub(super) use cast::APP_OPTIONS;
pub(super) use steps::CONTROL as CONTROL_STEPS;

use super::matcher;
use super::mistake::{LoadError, Mistake, Problem};
use super::model::Scenario;
use super::node::{Source, Span};
use super::yaml;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the loader can know about names that are defined outside scenario files. What is `None` is not checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadContext<'a> {
    /// Ids of all promises.
    pub promises: Option<&'a BTreeSet<String>>,
    /// Ids of all field bugs.
    pub bugs: Option<&'a BTreeSet<String>>,
    /// Everything a target can claim.
    pub features: Option<&'a BTreeSet<String>>,
    /// Names of all client profiles.
    pub profiles: Option<&'a BTreeSet<String>>,
}

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
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems.dedup();
    match scenario {
        Some(scenario) if problems.is_empty() => Ok(scenario),
        _ => Err(LoadError { source: Arc::clone(source), problems }),
    }
}

/// Everything that is known while a file is read.
struct Loader<'a> {
    source: &'a Arc<Source>,
    context: &'a LoadContext<'a>,
    problems: Vec<Problem>,
    names: names::Names,
    /// Labels seen so far, by slug.
    labels: BTreeMap<String, Span>,
    /// Members of `${case.…}` that steps use, and where first.
    case_uses: BTreeMap<String, Span>,
    /// Keys of the rows of the case table; `None` without a table.
    case_keys: Option<BTreeSet<String>>,
    /// Axes of `each`; `None` without any.
    axes: Option<BTreeSet<String>>,
    part: Part,
}

/// The part of a file whose steps are being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Once,
    Story,
    Finally,
}

impl<'a> Loader<'a> {
    fn new(source: &'a Arc<Source>, context: &'a LoadContext<'a>) -> Self {
        Self {
            source,
            context,
            problems: Vec::new(),
            names: names::Names::default(),
            labels: BTreeMap::new(),
            case_uses: BTreeMap::new(),
            case_keys: None,
            axes: None,
            part: Part::Story,
        }
    }

    fn problem(&mut self, span: &Span, mistake: Mistake) {
        self.problems.push(Problem { span: span.clone(), mistake });
    }
}

/// All keys of matchers, for suggestions.
fn matcher_keys() -> Vec<String> {
    matcher::MATCHERS.iter().map(|matcher| matcher.key.to_owned()).collect()
}

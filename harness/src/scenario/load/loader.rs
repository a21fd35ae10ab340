//! What is known while a file is read, and the mistakes found so far.

use super::names::Names;
use crate::scenario::mistake::{Mistake, Problem};
use crate::scenario::node::{Source, Span};
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

/// Everything that is known while a file is read.
pub(super) struct Loader<'a> {
    pub(super) source: &'a Arc<Source>,
    pub(super) context: &'a LoadContext<'a>,
    pub(super) problems: Vec<Problem>,
    pub(super) names: Names,
    /// Labels seen so far, by slug.
    pub(super) labels: BTreeMap<String, Span>,
    /// Members of `${case.…}` that steps use, and where first.
    pub(super) case_uses: BTreeMap<String, Span>,
    /// Keys of the rows of the case table; `None` without a table.
    pub(super) case_keys: Option<BTreeSet<String>>,
    /// Axes of `each`; `None` without any.
    pub(super) axes: Option<BTreeSet<String>>,
    pub(super) part: Part,
    /// Features that the scenario declares.
    pub(super) declared: BTreeSet<String>,
    /// What the step that is being read has used so far.
    pub(super) uses: Vec<Use>,
    /// Members of `${case.…}` that stand in expectations.
    pub(super) case_expectations: BTreeSet<String>,
    /// Members of `${case.…}` that hold a command line.
    pub(super) case_commands: BTreeSet<String>,
}

/// Something that needs a feature.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) feature: String,
    pub(super) what: String,
    pub(super) span: Span,
}

/// The part of a file whose steps are being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Once,
    Steps,
    Finally,
}

impl<'a> Loader<'a> {
    pub(super) fn new(source: &'a Arc<Source>, context: &'a LoadContext<'a>) -> Self {
        Self {
            source,
            context,
            problems: Vec::new(),
            names: Names::default(),
            labels: BTreeMap::new(),
            case_uses: BTreeMap::new(),
            case_keys: None,
            axes: None,
            part: Part::Steps,
            declared: BTreeSet::new(),
            uses: Vec::new(),
            case_expectations: BTreeSet::new(),
            case_commands: BTreeSet::new(),
        }
    }

    pub(super) fn problem(&mut self, span: &Span, mistake: Mistake) {
        self.problems.push(Problem { span: span.clone(), mistake });
    }
}

//! How a run is to go.

use super::check_results::Levels;
use crate::judge::verdict::CheckResult;
use crate::transcript::metadata::RunMetadata;
use iolite_mock_client::profile::Profile;
use iolite_protocol::transcript::Record;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What watchers make of a transcript.
pub type Watch = Arc<dyn Fn(&[Record], &RunMetadata) -> Vec<CheckResult> + Send + Sync>;

/// How a run is to go.
#[derive(Clone)]
pub struct RunOptions {
    /// Factor on every deadline. 1 is normal; more for slow machines.
    pub patience: f64,
    /// How many scenarios run side by side. By default twice as many as there are processors, and at least four: a quick
    /// daemon keeps the processors busy, and one that makes its clients wait gains by more.
    pub jobs: usize,
    /// How long one case may take before it is given up, before patience. Time that a daemon without a movable clock lets
    /// pass for the scenario is added.
    pub case_max: Duration,
    /// Folder for transcripts; none are written without one.
    pub transcripts: Option<PathBuf>,
    /// Whether transcripts of scenarios without a breach are written, too.
    pub keep_all: bool,
    /// Environment for the daemon and everything of it that is started.
    pub env: Vec<(String, String)>,
    /// How binding each promise is.
    pub levels: Arc<Levels>,
    /// Client profiles besides those that are built in. One with the same name goes before.
    pub profiles: Vec<Profile>,
    /// Watchers; they judge the transcript of each run.
    pub watch: Option<Watch>,
    /// When a run may end early.
    pub enough: Enough,
    /// Ends the run early and tidily: what was not reached is not verified.
    pub cancel: CancellationToken,
}

/// When enough has been seen. What lies behind is not verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Enough {
    /// Every case of every run is played.
    #[default]
    Never,
    /// At the first breach of this promise; runs that have not begun are left out.
    Breach(String),
    /// In each run, as soon as so many cases in a row have waited in vain and shown no breach that was not known from the
    /// cases before.
    Repeats(usize),
}

impl Enough {
    /// The promise whose first breach is enough.
    pub fn breach(&self) -> Option<&str> {
        match self {
            Self::Breach(promise) => Some(promise),
            Self::Never | Self::Repeats(_) => None,
        }
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            patience: 1.0,
            jobs: jobs(),
            case_max: Duration::from_secs(180),
            transcripts: None,
            keep_all: false,
            env: Vec::new(),
            levels: Arc::default(),
            profiles: Vec::new(),
            watch: None,
            enough: Enough::Never,
            cancel: CancellationToken::new(),
        }
    }
}

fn jobs() -> usize {
    std::thread::available_parallelism().map_or(4, |processors| (2 * processors.get()).max(4))
}

impl std::fmt::Debug for RunOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunOptions")
            .field("patience", &self.patience)
            .field("jobs", &self.jobs)
            .field("case_max", &self.case_max)
            .field("transcripts", &self.transcripts)
            .field("env", &self.env)
            .finish_non_exhaustive()
    }
}

impl RunOptions {
    /// The profile of that name.
    pub(super) fn profile(&self, name: &str) -> Option<Profile> {
        self.profiles.iter().find(|profile| profile.name == name).cloned().or_else(|| Profile::named(name))
    }
}

//! The suite inside `cargo test`: every scenario is a test of its own.
//!
//! In the repository of a Rust daemon, five lines and a target file are enough:
//!
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! ```no_run
//! // tests/conformance.rs
//! fn main() -> std::process::ExitCode {
//!     iolite::cargo_test::Suite::of_target("tests/conformance.toml").main()
//! }
//! ```
//!
//! Filters, `--list`, `--exact` and nextest work as with any other test.

use crate::engine::{RunOptions, Runner};
use crate::judge::watch;
use crate::report::Tally;
use crate::report::console::Report;
use crate::requirements::Catalogue;
use crate::scenario::model::Scenario;
use crate::scenario::set::ScenarioSet;
use crate::target::Target;
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Runtime;

/// Which scenarios are run against which daemon.
#[derive(Clone, Debug)]
pub struct Suite {
    target: Result<Arc<Target>, String>,
    folders: Vec<PathBuf>,
    embedded: bool,
    patience: f64,
}

impl Suite {
    /// The embedded scenarios against the daemon of a target file. The path is relative to the package's folder, where cargo
    /// runs tests.
    pub fn of_target(path: impl AsRef<Path>) -> Self {
        let own = std::env::current_exe().unwrap_or_default();
        Self::new(Target::load(path.as_ref(), &own).map(Arc::new).map_err(|mistakes| mistakes.to_string()))
    }

    /// The embedded scenarios against the reference daemon of an `iolite` binary.
    pub fn of_reference(binary: impl AsRef<Path>) -> Self {
        Self::new(Ok(Arc::new(Target::reference(binary.as_ref()))))
    }

    fn new(target: Result<Arc<Target>, String>) -> Self {
        Self { target, folders: Vec::new(), embedded: true, patience: 1.0 }
    }

    /// Scenarios of your own besides the embedded ones.
    #[must_use]
    pub fn with_scenarios(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }

    /// Only scenarios of your own.
    #[must_use]
    pub fn without_embedded(mut self) -> Self {
        self.embedded = false;
        self
    }

    /// Factor on every deadline; 1 unless told otherwise.
    #[must_use]
    pub fn with_patience(mut self, patience: f64) -> Self {
        self.patience = patience;
        self
    }

    /// Runs the tests that the process's arguments ask for. A target or scenario file that cannot be understood is the failure
    /// of a test named `setup`.
    pub fn main(self) -> ExitCode {
        let arguments = Arguments::from_args();
        let trials = self.trials().unwrap_or_else(|why| vec![Trial::test("setup", move || Err(Failed::from(why)))]);
        libtest_mimic::run(&arguments, trials).exit_code()
    }

    fn trials(&self) -> Result<Vec<Trial>, String> {
        let target = self.target.clone()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("the runtime could not be started: {error}"))?;
        let runtime = Arc::new(runtime);
        let scenarios = self.scenarios()?;
        Ok(scenarios
            .into_iter()
            .map(|scenario| {
                let (runtime, target, patience) = (runtime.clone(), target.clone(), self.patience);
                Trial::test(scenario.id.clone(), move || test(&runtime, target, &scenario, patience))
            })
            .collect())
    }

    fn scenarios(&self) -> Result<Vec<Arc<Scenario>>, String> {
        let vocabulary = crate::vocabulary::Vocabulary::builtin();
        let mut set = ScenarioSet::default();
        if self.embedded {
            set = ScenarioSet::embedded(&vocabulary.context()).map_err(|error| error.to_string())?;
        }
        for folder in &self.folders {
            let more = ScenarioSet::from_path(folder, &vocabulary.context()).map_err(|error| error.to_string())?;
            set = set.merged(more);
        }
        Ok(set.scenarios)
    }
}

fn test(runtime: &Runtime, target: Arc<Target>, scenario: &Arc<Scenario>, patience: f64) -> Result<(), Failed> {
    let options = RunOptions {
        patience,
        levels: Arc::new(Catalogue::builtin().levels()),
        watch: Some(Arc::new(watch::judge)),
        transcripts: Some(std::env::temp_dir().join("iolite-transcripts")),
        ..RunOptions::default()
    };
    let began = Instant::now();
    let name = target.name.clone();
    let result = runtime
        .block_on(Runner::new(target, options).run(vec![scenario.clone()], |_| ()))
        .map_err(|error| Failed::from(error.to_string()))?;
    let tally = Tally::of(&result.scenarios);
    if !tally.has_findings() && tally.broken == 0 && result.not_started.is_empty() {
        return Ok(());
    }
    let report = Report {
        target: &name,
        results: &result.scenarios,
        sources: &BTreeMap::from([(scenario.id.clone(), scenario.source.clone())]),
        catalogue: Catalogue::builtin(),
        unjudged: &BTreeSet::new(),
        again: "",
        colour: false,
        wall: began.elapsed(),
    };
    Err(Failed::from(format!("{}{}", report.render(), result.not_started.join("\n"))))
}

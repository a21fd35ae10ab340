//! `iolite run`: the main job.

use super::output::{Format, complain, print, print_json};
use super::select::TargetOptions;
use super::{exit, select};
use crate::engine::{RunOptions, RunResult, Runner};
use crate::judge::verdict::Verdict;
use crate::judge::watch;
use crate::report::console::Report;
use crate::report::json;
use crate::report::progress::Progress;
use crate::report::{Tally, unjudged};
use crate::requirements::Catalogue;
use crate::requirements::sets::RequirementSet;
use crate::target::raise_file_limit;
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Arguments of `iolite run`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Scenario ids, promise ids, files or folders; all embedded scenarios when absent.
    patterns: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Factor on every deadline; more for slow machines.
    #[arg(long, default_value_t = 1.0, value_parser = patience)]
    patience: f64,
    /// How many scenarios run side by side.
    #[arg(long, short, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Folder for transcripts.
    #[arg(long, value_name = "DIR", default_value = "iolite-out")]
    out: PathBuf,
    /// Keep the transcripts of scenarios without findings, too.
    #[arg(long)]
    keep_transcripts: bool,
    /// Only count what this requirement set requires, such as `bridge-v2`. Everything else runs, and only warns.
    #[arg(long, value_name = "SET")]
    requirements: Option<String>,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn main(options: &Options) -> u8 {
    let selection = match select::scenarios(&options.patterns) {
        Ok(selection) => selection,
        Err(code) => return code,
    };
    let target = match select::target(&options.target) {
        Ok(target) => target,
        Err(code) => return code,
    };
    let requirements = match requirement_set(options) {
        Ok(set) => set,
        Err(code) => return code,
    };
    let began = Instant::now();
    let progress = Progress::new(options.format == Format::Json);
    let sources = selection.scenarios.iter().map(|scenario| (scenario.id.clone(), scenario.source.clone())).collect();
    let claimed: BTreeSet<String> = selection
        .scenarios
        .iter()
        .filter(|scenario| scenario.features.iter().all(|feature| target.claims(feature)))
        .map(|scenario| scenario.id.clone())
        .collect();
    let shown = progress.clone();
    let run_options = run_options(options);
    let outcome = block_on(&run_options.cancel.clone(), async {
        let runner = Runner::new(target.clone(), run_options);
        runner.run(selection.scenarios, move |event| shown.show(&event)).await
    });
    progress.clear();
    let mut result = match outcome {
        Ok(Ok(result)) => result,
        Ok(Err(error)) => {
            complain(&format!("iolite: {}: {error}", target.name));
            return exit::TARGET;
        }
        Err(code) => return code,
    };
    if let Some(set) = &requirements {
        count_only(set, &mut result);
    }
    let wall = began.elapsed();
    let unjudged = unjudged(&result.scenarios, |scenario| claimed.contains(scenario));
    match options.format {
        Format::Json => print_json(&json::document(&target.name, &result.scenarios, &unjudged, wall)),
        Format::Text => {
            let report = Report {
                target: &target.name,
                results: &result.scenarios,
                sources: &sources,
                catalogue: Catalogue::builtin(),
                unjudged: &unjudged,
                again: &again(options),
                colour: std::io::stdout().is_terminal(),
                wall,
            };
            print(&report.render());
        }
    }
    for why in &result.not_started {
        complain(&format!("iolite: {}: {why}", target.name));
    }
    for left in &result.left_behind {
        complain(&format!("iolite: {}: {left}", target.name));
    }
    if result.cancelled {
        complain("iolite: ended early; what was not reached is not verified");
    }
    exit_code(&result)
}

/// The exit code of a run; when several apply, the highest.
pub(super) fn exit_code(result: &RunResult) -> u8 {
    let tally = Tally::of(&result.scenarios);
    if tally.broken > 0 {
        exit::OWN_FAULT
    } else if !result.not_started.is_empty() && !result.started {
        exit::TARGET
    } else if tally.has_findings() {
        exit::FINDINGS
    } else {
        exit::OK
    }
}

/// Runs a future on a runtime of its own. Ctrl-C and SIGTERM cancel the token; the future then has to end by itself.
pub(super) fn block_on<T>(cancel: &CancellationToken, future: impl Future<Output = T>) -> Result<T, u8> {
    raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
        complain(&format!("iolite: the runtime could not be started: {error}"));
        exit::OWN_FAULT
    })?;
    let cancel = cancel.clone();
    let value = runtime.block_on(async {
        let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
        let (Ok(mut interrupt), Ok(mut terminate)) = signals else { return future.await };
        tokio::pin!(future);
        loop {
            tokio::select! {
                value = &mut future => return value,
                _ = interrupt.recv() => cancel.cancel(),
                _ = terminate.recv() => cancel.cancel(),
            }
        }
    });
    // Whatever is still being torn down gets a moment; nothing may keep the command from ending.
    runtime.shutdown_timeout(Duration::from_secs(2));
    Ok(value)
}

fn requirement_set(options: &Options) -> Result<Option<RequirementSet>, u8> {
    let Some(name) = &options.requirements else { return Ok(None) };
    let sets = RequirementSet::builtin().map_err(|why| {
        complain(&format!("iolite: {why}"));
        exit::OWN_FAULT
    })?;
    let names: Vec<String> = sets.iter().map(|set| set.name.clone()).collect();
    sets.into_iter().find(|set| set.name == *name).map(Some).ok_or_else(|| {
        complain(&format!("iolite: there is no requirement set `{name}`; known: {}", names.join(", ")));
        exit::INPUT
    })
}

/// What the set does not require runs, and its breaches are told, but they only warn.
fn count_only(set: &RequirementSet, result: &mut RunResult) {
    for check in result.scenarios.iter_mut().flat_map(|scenario| &mut scenario.checks) {
        if matches!(check.verdict, Verdict::Fail | Verdict::NotVerified) && !set.counts(&check.promises) {
            check.verdict = Verdict::Warn;
            check.message = format!("not required by {}: {}", set.name, check.message);
        }
    }
}

fn run_options(options: &Options) -> RunOptions {
    let defaults = RunOptions::default();
    RunOptions {
        patience: options.patience,
        jobs: options.jobs.map_or(defaults.jobs, usize::from),
        transcripts: Some(options.out.clone()),
        keep_all: options.keep_transcripts,
        levels: Arc::new(Catalogue::builtin().levels()),
        watch: Some(Arc::new(watch::judge)),
        ..defaults
    }
}

fn again(options: &Options) -> String {
    let quoted = |path: &Path| format!(" --target {}", path.display());
    options.target.target.as_deref().map(quoted).unwrap_or_default()
}

/// Reads a factor on deadlines.
pub(super) fn patience(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if (0.05..=100.0).contains(&factor) => Ok(factor),
        _ => Err("a number from 0.05 to 100 was expected".into()),
    }
}

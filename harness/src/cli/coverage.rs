//! `iolite coverage`: promises against checks that ran and faults that were noticed.

use super::output::{complain, print, print_json};
use super::select::TargetOptions;
use super::{exit, faults, run, select};
use crate::coverage;
use crate::requirements::Catalogue;

/// Arguments of `iolite coverage`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Factor on every deadline; more for slow machines.
    #[arg(long, default_value_t = 1.0, value_parser = run::patience)]
    patience: f64,
    /// How to write the matrix.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    target: TargetOptions,
}

/// Forms of the matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table for the console.
    #[default]
    Text,
    /// One JSON document.
    Json,
    /// A Markdown table.
    Markdown,
    /// One HTML page.
    Html,
}

pub(super) fn main(options: &Options) -> u8 {
    if options.target.target.is_some() {
        return unjudged(&options.target);
    }
    let measurement = match faults::measurement_of(select::embedded, options.patience) {
        Ok(measurement) => measurement,
        Err(code) => return code,
    };
    let cancel = measurement.options.cancel.clone();
    let all: Vec<_> = iolite_reference_daemon::faults::all().iter().collect();
    let outcome =
        run::block_on(&cancel, async { (measurement.run_without_fault().await, measurement.run(&all, |_| ()).await) });
    let (run, measured) = match outcome {
        Ok((Ok(run), measured)) => (run, measured),
        Ok((Err(error), _)) => {
            complain(&format!("iolite: {error}"));
            return exit::TARGET;
        }
        Err(code) => return code,
    };
    let rows = coverage::rows(Catalogue::builtin(), &run.scenarios, &measured);
    match options.format {
        Format::Text => print(&coverage::table(&rows)),
        Format::Json => print_json(&coverage::json(&rows)),
        Format::Markdown => print(&coverage::markdown(&rows)),
        Format::Html => print(&coverage::html(&rows)),
    }
    let survivors: Vec<&str> =
        measured.iter().filter(|noticed| noticed.survived()).map(|noticed| noticed.fault).collect();
    if !survivors.is_empty() {
        complain(&format!("iolite: nothing noticed {}", survivors.join(", ")));
    }
    let whole = survivors.is_empty() && rows.iter().all(|row| row.gaps().is_empty());
    if whole && !cancel.is_cancelled() { exit::OK } else { exit::FINDINGS }
}

/// What a target claims and no check can judge there. Nothing runs.
fn unjudged(options: &TargetOptions) -> u8 {
    let (target, set) = match (select::target(options), select::embedded()) {
        (Ok(target), Ok(set)) => (target, set),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    let judged = coverage::claimed::judged(set.scenarios.iter().map(|scenario| &**scenario), &target);
    let claimed: Vec<_> = coverage::claimed::claimed(Catalogue::builtin(), &target).collect();
    let open: Vec<_> = claimed.iter().filter(|promise| !judged.contains_key(&promise.id)).collect();
    for promise in &open {
        print(&format!("{}  {}\n", promise.id, promise.statement));
    }
    print(&format!("{} promises claimed, {} that no applicable check judges\n", claimed.len(), open.len()));
    if open.is_empty() { exit::OK } else { exit::FINDINGS }
}

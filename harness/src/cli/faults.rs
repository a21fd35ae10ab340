//! `iolite faults`: how much the suite would notice.

use super::output::{Format, complain, print, print_json};
use super::{exit, run, select};
use crate::engine::{RunOptions, SetupError, check_ids};
use crate::faults::{self, Measurement, Noticed, NoticedCache, Until};
use crate::judge::watch;
use crate::requirements::Catalogue;
use crate::scenario::model::Scenario;
use crate::scenario::set::ScenarioSet;
use crate::target::Target;
use iolite_reference_daemon::faults::{EVERYTHING, Fault};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Arguments of `iolite faults`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Fault ids, beginnings of them up to a dash (`res`), or promise ids; all faults when absent.
    patterns: Vec<String>,
    /// Only list the faults.
    #[arg(long)]
    list: bool,
    /// Name the faults that this check notices, given by its id, or without case and telling for all of them
    /// (`res/snapshot-replaces:the-old-one-is-gone`, `watch/secrets`). Its scenario is run against every fault that hurts a
    /// promise of it.
    #[arg(long, value_name = "CHECK", conflicts_with_all = ["patterns", "list"])]
    explain: Option<String>,
    /// Run every scenario bound to any promise that a fault hurts, to its end, and name the checks that no fault makes fail.
    /// Takes minutes.
    #[arg(long)]
    thorough: bool,
    /// Write down where each fault was noticed, so that the next measurement looks there first. What was known of faults
    /// that are not measured now stays.
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    remember: Option<PathBuf>,
    /// Factor on every deadline; more for slow machines.
    #[arg(long, default_value_t = 1.0, value_parser = run::patience)]
    patience: f64,
    /// How many faults, or with --thorough scenarios, are measured side by side.
    #[arg(long, short, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// How to write the matrix.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn main(options: &Options) -> u8 {
    let chosen = match chosen(options) {
        Ok(chosen) => chosen,
        Err(code) => return code,
    };
    if options.list {
        return list(&chosen, options.format);
    }
    let measurement = match measurement(options) {
        Ok(measurement) => measurement,
        Err(code) => return code,
    };
    let began = Instant::now();
    let cancel = measurement.options.cancel.clone();
    let mut known = measurement.cache.clone();
    let all = options.thorough && options.patterns.is_empty();
    let measured = run::block_on(&cancel, async {
        let run = if all { Some(measurement.run_without_fault().await?.scenarios) } else { None };
        let mut measured = measurement.run(&chosen, |_| ()).await;
        // Perhaps only a case shows a check that comes after others which wait in vain.
        let is_shown = |check: &String| measured.iter().any(|noticed| noticed.fails(check));
        let idle = match &run {
            Some(run) => faults::unfailed(run, &measured).1,
            None => options.explain.iter().filter(|check| !is_shown(check)).cloned().collect(),
        };
        measurement.look_again(&chosen, &idle, &mut measured).await;
        Ok((run, measured))
    });
    let (run, measured) = match measured {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            let error: SetupError = error;
            complain(&format!("iolite: {error}"));
            return exit::TARGET;
        }
        Err(code) => return code,
    };
    let idle = run.map(|run| faults::unfailed(&run, &measured));
    if let Some(check) = &options.explain {
        return explain(check, &measured);
    }
    if let Some(file) = &options.remember {
        known.learn(&measured);
        if let Err(error) = std::fs::write(file, known.to_toml()) {
            complain(&format!("iolite: {} cannot be written: {error}", file.display()));
            return exit::INPUT;
        }
    }
    let survivors = measured.iter().filter(|noticed| noticed.survived()).count();
    match options.format {
        Format::Json => {
            let mut document = json!({
                "faults": measured, "survivors": survivors,
                "wall_ms": u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            });
            if let Some((checks, idle)) = &idle {
                document["checks"] = json!(checks);
                document["idle"] = json!(idle);
            }
            print_json(&document);
        }
        Format::Text => {
            let mut text = matrix(&measured);
            let strays = measured.iter().filter(|noticed| !noticed.strays.is_empty()).count();
            let _ = writeln!(
                text,
                "{} faults: {} noticed, {survivors} SURVIVED, {strays} with checks that failed without need, in {:.1} s",
                measured.len(),
                measured.len() - survivors,
                began.elapsed().as_secs_f64()
            );
            if let Some((checks, idle)) = &idle {
                let _ = writeln!(text, "{checks} checks, {} of them failed by no fault", idle.len());
                idle.iter().for_each(|check| {
                    let _ = writeln!(text, "  {check}");
                });
            }
            print(&text);
        }
    }
    if cancel.is_cancelled() {
        complain("iolite: ended early");
        return exit::FINDINGS;
    }
    let idle = idle.is_some_and(|(_, idle)| !idle.is_empty());
    if survivors > 0 || idle { exit::FINDINGS } else { exit::OK }
}

fn chosen(options: &Options) -> Result<Vec<&'static Fault>, u8> {
    let all: Vec<&'static Fault> = iolite_reference_daemon::faults::all().iter().collect();
    if let Some(check) = &options.explain {
        let scenario = check.split_once(':').map_or(check.as_str(), |(scenario, _)| scenario);
        if let Some(name) = check.strip_prefix(WATCHER) {
            let watcher = watch::WATCHERS.iter().find(|watcher| watcher.name == name);
            let promises = watcher.map_or(&[][..], |watcher| watcher.promises);
            let hurts = |fault: &&Fault| {
                fault.promises.iter().any(|promise| *promise == EVERYTHING || promises.contains(promise))
            };
            return Ok(all.into_iter().filter(hurts).collect());
        }
        let set = select::embedded()?;
        let bound = |fault: &&Fault| {
            fault.promises.contains(&EVERYTHING)
                || set.select(fault.promises).scenarios.iter().any(|bound| scenario.starts_with(bound.id.as_str()))
        };
        return Ok(all.into_iter().filter(bound).collect());
    }
    if options.patterns.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<&'static Fault> = Vec::new();
    for pattern in &options.patterns {
        let fits = |fault: &&&'static Fault| {
            fault.id == pattern
                || fault.id.strip_prefix(pattern.as_str()).is_some_and(|rest| rest.starts_with('-'))
                || fault.promises.first() == Some(&pattern.as_str())
        };
        let fitting: Vec<_> = all.iter().filter(fits).copied().collect();
        if fitting.is_empty() {
            let nearest = crate::scenario::spelling::nearest(pattern, all.iter().map(|fault| fault.id));
            let help = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
            complain(&format!("iolite: no fault is called `{pattern}`{help}"));
            return Err(exit::INPUT);
        }
        chosen.extend(fitting);
    }
    Ok(chosen)
}

fn measurement(options: &Options) -> Result<Measurement, u8> {
    let mut measurement = measurement_of(select::embedded, options.patience)?;
    measurement.jobs = usize::from(options.jobs);
    measurement.until = match &options.explain {
        Some(check) => Until::Fails(check.clone()),
        None if options.thorough => Until::AllRun,
        None => Until::Noticed,
    };
    let watcher = |check: &str| {
        let name = check.strip_prefix(WATCHER);
        name.is_some_and(|name| watch::WATCHERS.iter().any(|watcher| watcher.name == name))
    };
    if let Some(check) = options.explain.as_ref().filter(|check| !watcher(check)) {
        measurement.suite.scenarios.retain(|scenario| {
            check.strip_prefix(scenario.id.as_str()).is_some_and(|rest| rest.starts_with([':', '/', '@']))
        });
        if measurement.suite.scenarios.is_empty() {
            complain(&format!("iolite: no scenario holds a check `{check}`; `iolite list --checks` prints them all"));
            return Err(exit::INPUT);
        }
        let known: BTreeSet<String> = measurement.suite.scenarios.iter().flat_map(|scenario| names(scenario)).collect();
        let label = check.rsplit_once(':').map_or("", |(_, label)| label);
        if !known.contains(check) && !watcher(label) {
            let nearest = crate::scenario::spelling::nearest(check, known.iter().map(String::as_str));
            let help = nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
            complain(&format!("iolite: there is no check `{check}`{help}"));
            return Err(exit::INPUT);
        }
    }
    Ok(measurement)
}

/// What the checks of a scenario can be called: their ids, and what all their cases share.
fn names(scenario: &Scenario) -> impl Iterator<Item = String> {
    check_ids(scenario).into_iter().flat_map(|id| [faults::stem(&scenario.id, &id), id])
}

/// A measurement of the reference daemon with the usual options.
pub(super) fn measurement_of(
    suite: impl FnOnce() -> Result<ScenarioSet, u8>,
    patience: f64,
) -> Result<Measurement, u8> {
    Ok(Measurement {
        target: Arc::new(Target::reference(&select::own_binary()?)),
        suite: suite()?,
        options: RunOptions {
            patience,
            levels: Arc::new(Catalogue::builtin().levels()),
            watch: Some(Arc::new(watch::judge)),
            ..RunOptions::default()
        },
        jobs: JOBS,
        until: Until::Noticed,
        cache: NoticedCache::builtin().cloned().map_err(|why| {
            complain(&format!("iolite: what is remembered of faults cannot be read: {why}"));
            exit::OWN_FAULT
        })?,
    })
}

fn list(faults: &[&'static Fault], format: Format) -> u8 {
    match format {
        Format::Json => {
            let faults: Vec<_> = faults
                .iter()
                .map(|fault| json!({ "id": fault.id, "promises": fault.promises, "title": fault.title }))
                .collect();
            print_json(&json!({ "faults": faults }));
        }
        Format::Text => {
            let mut text = String::new();
            for fault in faults {
                let _ =
                    writeln!(text, "{:<44} {:<11} {}", fault.id, fault.promises.first().unwrap_or(&""), fault.title);
            }
            let _ = writeln!(text, "{} faults", faults.len());
            print(&text);
        }
    }
    exit::OK
}

fn matrix(measured: &[Noticed]) -> String {
    let mut text = String::new();
    for noticed in measured {
        let verdict = match noticed.by.as_slice() {
            [] => "SURVIVED".to_string(),
            [one] => one.clone(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        };
        let _ = writeln!(text, "{:<44} {:<11} {verdict}", noticed.fault, noticed.promise);
        for stray in &noticed.strays {
            let _ = writeln!(text, "{:<56} failed without need: {stray}", "");
        }
    }
    text
}

fn explain(check: &str, measured: &[Noticed]) -> u8 {
    let mut text = String::new();
    for noticed in measured.iter().filter(|noticed| noticed.fails(check)) {
        let _ = writeln!(text, "{:<44} {:<11} {}", noticed.fault, noticed.promise, noticed.title);
    }
    if text.is_empty() {
        complain(&format!("iolite: {check} notices none of the {} faults of its promises", measured.len()));
        return exit::FINDINGS;
    }
    print(&text);
    exit::OK
}

/// How many faults are measured side by side unless told otherwise. Most of them wait for a deadline most of the time.
const JOBS: usize = 32;

/// How the names of watchers begin.
const WATCHER: &str = "watch/";

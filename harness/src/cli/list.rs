//! `iolite list`: what there is.

use super::output::{Format, print, print_json};
use super::{exit, select};
use crate::engine;
use crate::requirements::Catalogue;
use serde_json::json;
use std::fmt::Write;

/// Arguments of `iolite list`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Scenario ids, promise ids, files or folders; all embedded scenarios when absent.
    patterns: Vec<String>,
    /// List every check by its id.
    #[arg(long)]
    checks: bool,
    /// List the promises of the contract instead.
    #[arg(long, conflicts_with_all = ["checks", "patterns"])]
    promises: bool,
    /// How to write the list.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn main(options: &Options) -> u8 {
    if options.promises {
        return promises(options.format);
    }
    let selection = match select::scenarios(&options.patterns) {
        Ok(selection) => selection,
        Err(code) => return code,
    };
    let mut text = String::new();
    let mut document = Vec::new();
    let mut checks_in_all = 0;
    for scenario in &selection.scenarios {
        let checks = engine::ids::check_ids(scenario);
        checks_in_all += checks.len();
        let _ = writeln!(text, "{:<52} {}", scenario.id, scenario.title);
        if options.checks {
            for check in &checks {
                let _ = writeln!(text, "    {check}");
            }
        }
        document.push(json!({
            "id": scenario.id, "title": scenario.title, "path": scenario.source.path, "requires": scenario.requires,
            "bugs": scenario.bugs, "features": scenario.features, "checks": checks,
        }));
    }
    match options.format {
        Format::Json => print_json(&json!({ "scenarios": document })),
        Format::Text => {
            let _ =
                writeln!(text, "{} scenarios, {checks_in_all} checks besides the watchers", selection.scenarios.len());
            print(&text);
        }
    }
    exit::OK
}

fn promises(format: Format) -> u8 {
    let catalogue = Catalogue::builtin();
    match format {
        Format::Json => {
            let promises: Vec<_> = catalogue
                .promises()
                .map(|promise| json!({ "id": promise.id, "level": promise.level, "statement": promise.statement }))
                .collect();
            print_json(&json!({ "promises": promises }));
        }
        Format::Text => {
            let mut text = String::new();
            let mut group = "";
            for promise in catalogue.promises() {
                if group != promise.group {
                    group = &promise.group;
                    let _ = writeln!(text, "\n{group}  {}", catalogue.title(group).unwrap_or_default());
                }
                let _ = writeln!(text, "  {} {}", promise.id, promise.statement);
            }
            print(text.trim_start());
        }
    }
    exit::OK
}

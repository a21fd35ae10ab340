//! `iolite check`: scenario files, without running anything.

use super::output::{Format, print, print_json};
use super::{exit, select};
use crate::scenario::diagnostics;
use crate::scenario::set::ScenarioSet;
use crate::vocabulary::Vocabulary;
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `iolite check`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Scenario files or folders; the embedded scenarios when absent.
    paths: Vec<PathBuf>,
    /// How to write the outcome.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn main(options: &Options) -> u8 {
    let vocabulary = Vocabulary::builtin();
    let context = vocabulary.context();
    let sets = if options.paths.is_empty() {
        vec![ScenarioSet::embedded(&context)]
    } else {
        options.paths.iter().map(|path| ScenarioSet::from_path(path, &context)).collect()
    };
    let mut count = 0;
    let mut wrong = Vec::new();
    for set in sets {
        match set {
            Ok(set) => count += set.scenarios.len(),
            Err(error) => wrong.extend(error.files),
        }
    }
    match options.format {
        Format::Json => {
            let files: Vec<_> = wrong.iter().map(diagnostics::to_json).collect();
            print_json(&json!({ "ok": wrong.is_empty(), "scenarios": count, "files": files }));
        }
        Format::Text if wrong.is_empty() => print(&format!("{count} scenarios are well formed\n")),
        Format::Text => select::print_mistakes(&wrong),
    }
    if wrong.is_empty() { exit::OK } else { exit::INPUT }
}

//! `iolite explain`: what a promise means and what proves it.

use super::output::{Format, complain, print, print_json};
use super::{exit, select};
use crate::judge::watch::WATCHERS;
use crate::requirements::Catalogue;
use crate::scenario::model::Level;
use serde_json::json;
use std::fmt::Write;

/// Arguments of `iolite explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Id of a promise, such as BRG-RES-05.
    promise: String,
    /// How to write it.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn main(options: &Options) -> u8 {
    let catalogue = Catalogue::builtin();
    let id = options.promise.to_ascii_uppercase();
    let Some(promise) = catalogue.promise(&id) else {
        let help = catalogue.nearest(&id).map(|nearest| format!("; did you mean {nearest}?"));
        let help = help.unwrap_or_else(|| "; `iolite list --promises` prints them all".into());
        complain(&format!("iolite: there is no promise {id}{help}"));
        return exit::INPUT;
    };
    let proving = match select::embedded() {
        Ok(set) => set.select(&[&id]).scenarios,
        Err(code) => return code,
    };
    let watching: Vec<_> = WATCHERS.iter().filter(|watcher| watcher.promises.contains(&id.as_str())).collect();
    if options.format == Format::Json {
        print_json(&json!({
            "id": promise.id, "level": promise.level, "origin": promise.origin.words(), "statement": promise.statement,
            "unchecked": promise.unchecked,
            "scenarios": proving.iter().map(|scenario| &scenario.id).collect::<Vec<_>>(),
            "watchers": watching.iter().map(|watcher| watcher.name).collect::<Vec<_>>(),
        }));
        return exit::OK;
    }
    let level = match promise.level {
        Level::Must => "must: a breach fails",
        Level::Should => "should: a breach warns",
        Level::Option => "option: what happened is recorded",
    };
    let mut text = format!("{} ({level})\n\n  {}\n\nFrom {}.\n", promise.id, promise.statement, promise.origin.words());
    if let Some(reason) = &promise.unchecked {
        let _ = writeln!(text, "\nNo check of a running daemon can prove it: {reason}");
    }
    if !proving.is_empty() {
        let _ = writeln!(text, "\nProved by");
        for scenario in &proving {
            let _ = writeln!(text, "  {:<50} {}", scenario.id, scenario.title);
        }
    }
    if !watching.is_empty() {
        let _ = writeln!(text, "\nWatched in every scenario by");
        for watcher in watching {
            let _ = writeln!(text, "  {:<50} {}", watcher.name, watcher.summary);
        }
    }
    let _ = writeln!(text, "\nRun them: iolite run {id}");
    print(&text);
    exit::OK
}

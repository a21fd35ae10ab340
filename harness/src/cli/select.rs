//! Which scenarios, and which daemon: what several commands ask for in the same words.

use super::exit;
use super::output::complain;
use crate::scenario::diagnostics::{self, Style};
use crate::scenario::mistake::LoadError;
use crate::scenario::selection::Selection;
use crate::scenario::set::ScenarioSet;
use crate::target::Target;
use crate::vocabulary::Vocabulary;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options that say which daemon.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TargetOptions {
    /// Target file; the reference daemon inside this binary when absent.
    #[arg(long, value_name = "FILE")]
    pub(super) target: Option<PathBuf>,
}

/// The scenarios that patterns name. Words that are paths to existing files or folders are read from there; all others select
/// among the embedded ones, by id or promise. No words select all embedded ones. Mistakes are printed.
pub(super) fn scenarios(patterns: &[String]) -> Result<Selection, u8> {
    let vocabulary = Vocabulary::builtin();
    let context = vocabulary.context();
    let (paths, words): (Vec<&String>, Vec<&String>) = patterns.iter().partition(|word| is_path(word));
    let mut set = ScenarioSet::default();
    let mut wrong: Vec<LoadError> = Vec::new();
    for path in &paths {
        match ScenarioSet::from_path(Path::new(path), &context) {
            Ok(more) => set = set.merged(more),
            Err(error) => wrong.extend(error.files),
        }
    }
    let mut selection = Selection { scenarios: set.scenarios, unmatched: Vec::new() };
    if paths.is_empty() || !words.is_empty() {
        match ScenarioSet::embedded(&context) {
            Ok(embedded) => {
                let chosen = embedded.select(&words);
                selection.scenarios.extend(chosen.scenarios);
                selection.unmatched = chosen.unmatched;
            }
            Err(error) => wrong.extend(error.files),
        }
    }
    if !wrong.is_empty() {
        print_mistakes(&wrong);
        return Err(exit::INPUT);
    }
    for pattern in &selection.unmatched {
        let help = pattern.nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
        complain(&format!("iolite: no scenario, promise or path is called `{}`{help}", pattern.pattern));
    }
    if !selection.unmatched.is_empty() {
        return Err(exit::INPUT);
    }
    Ok(selection)
}

/// The scenarios that come with iolite. Mistakes are printed.
pub(super) fn embedded() -> Result<ScenarioSet, u8> {
    ScenarioSet::embedded(&Vocabulary::builtin().context()).map_err(|error| {
        print_mistakes(&error.files);
        exit::OWN_FAULT
    })
}

/// Prints what is wrong with files, for people.
pub(super) fn print_mistakes(files: &[LoadError]) {
    let style = if std::io::stderr().is_terminal() { Style::Coloured } else { Style::Plain };
    let count: usize = files.iter().map(|file| file.problems.len()).sum();
    for file in files {
        complain(&diagnostics::render(file, style));
        complain("");
    }
    complain(&format!("iolite: {count} mistakes in {} files; nothing was run", files.len()));
}

/// The daemon under test. Mistakes are printed.
pub(super) fn target(options: &TargetOptions) -> Result<Arc<Target>, u8> {
    let own = own_binary()?;
    match &options.target {
        None => Ok(Arc::new(Target::reference(&own))),
        Some(path) => Target::load(path, &own).map(Arc::new).map_err(|mistakes| {
            complain(&format!(
                "{mistakes}\niolite: {} mistakes in the target file; nothing was run",
                mistakes.mistakes.len()
            ));
            exit::INPUT
        }),
    }
}

/// Path of the running binary.
pub(super) fn own_binary() -> Result<PathBuf, u8> {
    std::env::current_exe().map_err(|error| {
        complain(&format!("iolite: its own binary cannot be found: {error}"));
        exit::OWN_FAULT
    })
}

fn is_path(word: &str) -> bool {
    let path = Path::new(word);
    path.exists() && (path.is_dir() || path.extension().is_some()) || word.ends_with(".yaml") || word.starts_with("./")
}

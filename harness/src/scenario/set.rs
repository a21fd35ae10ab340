//! Sets of scenarios: a folder, a file, or those that come with iolite.

use super::load::{LoadContext, load};
use super::mistake::{LoadError, Mistake, Problem};
use super::model::Scenario;
use super::node::Source;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../scenarios");

/// Scenarios in the order of their ids.
#[derive(Clone, Debug, Default)]
pub struct ScenarioSet {
    /// The scenarios.
    pub scenarios: Vec<Arc<Scenario>>,
}

/// A file that may hold a scenario.
struct File {
    id: String,
    path: PathBuf,
    /// What is in it, or why it cannot be read.
    bytes: Result<Vec<u8>, String>,
}

/// Files that cannot be understood, in the order of their paths.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", display(.files))]
pub struct SetError {
    /// What is wrong with each of them; never empty.
    pub files: Vec<LoadError>,
}

fn display(files: &[LoadError]) -> String {
    files.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl ScenarioSet {
    /// The scenarios that come with iolite.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with them; a test sees to it that nothing is.
    pub fn embedded(context: &LoadContext<'_>) -> Result<Self, SetError> {
        let mut files = Vec::new();
        collect_embedded(&EMBEDDED, &mut files);
        let texts = files.into_iter().map(|file| {
            let path = Path::new("scenarios").join(file.path());
            File { id: id(file.path()), path, bytes: Ok(file.contents().to_vec()) }
        });
        Self::from_files(texts.collect(), context)
    }

    /// All scenarios of a folder and the folders in it (`*.yaml`), or the one of a file.
    ///
    /// Ids of a folder's scenarios are paths below it; a file's id is its name.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with them, unreadable folders and files included.
    pub fn from_path(path: &Path, context: &LoadContext<'_>) -> Result<Self, SetError> {
        let mut files = Vec::new();
        if path.is_file() {
            let id = id(Path::new(path.file_name().unwrap_or_default()));
            files.push(File { id, path: path.to_owned(), bytes: read(path) });
        } else {
            collect_folder(path, path, &mut files);
        }
        Self::from_files(files, context)
    }

    /// Both sets in one. Of two scenarios with one id, `other`'s stays.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let mut scenarios: BTreeMap<String, Arc<Scenario>> = BTreeMap::new();
        for scenario in self.scenarios.into_iter().chain(other.scenarios) {
            scenarios.insert(scenario.id.clone(), scenario);
        }
        Self { scenarios: scenarios.into_values().collect() }
    }

    fn from_files(mut files: Vec<File>, context: &LoadContext<'_>) -> Result<Self, SetError> {
        files.sort_by(|one, other| one.id.cmp(&other.id));
        let mut scenarios: Vec<Arc<Scenario>> = Vec::new();
        let mut errors = Vec::new();
        for loaded in in_parallel(files, |File { id, path, bytes }| load_bytes(&id, &path, bytes, context)) {
            match loaded {
                Ok(scenario) => scenarios.push(Arc::new(scenario)),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(Self { scenarios }) } else { Err(SetError { files: errors }) }
    }
}

/// What `work` makes of each item, in their order, on as many threads as there are processors.
fn in_parallel<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = items.len().div_ceil(threads).max(1);
    let mut items = items.into_iter();
    let shares =
        std::iter::from_fn(|| Some(items.by_ref().take(share).collect::<Vec<_>>()).filter(|it| !it.is_empty()));
    let work = &work;
    std::thread::scope(|scope| {
        let start = |share: Vec<T>| scope.spawn(move || share.into_iter().map(work).collect::<Vec<_>>());
        let started: Vec<_> = shares.map(start).collect();
        let joined = started.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect()
    })
}

fn load_bytes(
    id: &str,
    path: &Path,
    bytes: Result<Vec<u8>, String>,
    context: &LoadContext<'_>,
) -> Result<Scenario, LoadError> {
    let path = path.display().to_string();
    let bytes = bytes.map_err(|detail| LoadError {
        source: Source::new(&*path, ""),
        problems: vec![Problem { span: 0..0, mistake: Mistake::Unreadable { detail } }],
    })?;
    match String::from_utf8(bytes) {
        Ok(text) => load(&Source::new(path, text), id, context),
        Err(error) => {
            let valid_up_to = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let mistake = Mistake::NotUtf8 { valid_up_to };
            let problems = vec![Problem { span: valid_up_to..valid_up_to, mistake }];
            Err(LoadError { source: Source::new(path, text), problems })
        }
    }
}

/// A path below the root, without its ending, with `/` whatever the system.
fn id(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let joined = parts.join("/");
    joined.strip_suffix(".yaml").unwrap_or(&joined).to_owned()
}

fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml")
}

fn collect_embedded<'a>(folder: &'a Dir<'a>, files: &mut Vec<&'a include_dir::File<'a>>) {
    files.extend(folder.files().filter(|file| is_scenario(file.path())));
    for folder in folder.dirs() {
        collect_embedded(folder, files);
    }
}

/// Folders whose name starts with a dot are left alone, and links are not followed into folders: they may lead round
/// in circles.
fn collect_folder(root: &Path, folder: &Path, files: &mut Vec<File>) {
    let unreadable = |error: io::Error| File {
        id: id(folder.strip_prefix(root).unwrap_or(folder)),
        path: folder.to_owned(),
        bytes: Err(error.to_string()),
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return files.push(unreadable(error)),
    };
    for entry in entries {
        let (path, kind) = match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
            Ok(entry) => entry,
            Err(error) => {
                files.push(unreadable(error));
                continue;
            }
        };
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if kind.is_dir() && !hidden {
            collect_folder(root, &path, files);
        } else if (kind.is_file() || kind.is_symlink()) && is_scenario(&path) {
            let id = id(path.strip_prefix(root).unwrap_or(&path));
            let bytes = read(&path);
            files.push(File { id, path, bytes });
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;

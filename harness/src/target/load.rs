//! Reading target files, and the one that is embedded.

use super::decode::decode;
use super::description::Target;
use super::mistakes::{Mistake, TargetMistakes};
use crate::scenario::node::Source;
use std::path::{Path, PathBuf};

impl Target {
    /// Reads a target file. A file that cannot be read is reported like a mistake at its beginning.
    pub fn load(path: &Path, own_binary: &Path) -> Result<Self, TargetMistakes> {
        let shown = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
                decode(&Source::new(shown, text), &folder, own_binary)
            }
            Err(error) => Err(TargetMistakes {
                source: Source::new(shown, ""),
                mistakes: vec![Mistake {
                    span: 0..0,
                    message: format!("this target file cannot be read: {error}"),
                    help: Some("name a TOML file as described in docs/targets.md".into()),
                }],
            }),
        }
    }

    /// The reference daemon inside this binary: the default target.
    pub fn reference(own_binary: &Path) -> Self {
        let source = Source::new("fixtures/targets/reference.toml (embedded)", REFERENCE);
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        match decode(&source, &here, own_binary) {
            Ok(target) => target,
            Err(mistakes) => unreachable!("the embedded target file is tested: {mistakes}"),
        }
    }
}

/// The embedded target file.
pub const REFERENCE: &str = include_str!("../../../fixtures/targets/reference.toml");

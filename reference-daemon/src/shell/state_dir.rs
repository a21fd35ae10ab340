//! Names and permissions of what lies in the state folder (BRG-RPC-10).

use super::error::ShellError;
use crate::rules::ShellRules;
use std::fs::{DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Name of the environment variable that chooses the state folder.
pub const STATE_DIR_VARIABLE: &str = "IOLITE_STATE_DIR";

/// A state folder. Holding one says nothing about whether it exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDir {
    root: PathBuf,
}

impl StateDir {
    /// The folder at this path.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder a command works on: the one given, else the environment's ([`STATE_DIR_VARIABLE`]), else `.iolite` in
    /// the home folder, else `.iolite` in the current one. Its path is absolute.
    pub fn choose(given: Option<PathBuf>) -> Self {
        let from_env = || std::env::var_os(STATE_DIR_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = || std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default().join(".iolite");
        let chosen = given.or_else(from_env).unwrap_or_else(home);
        Self::at(std::path::absolute(&chosen).unwrap_or(chosen))
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The control RPC's Unix socket.
    pub fn control_socket(&self) -> PathBuf {
        self.root.join("control.sock")
    }

    /// The TLS leaf's private key, PKCS #8 in PEM.
    pub fn key(&self) -> PathBuf {
        self.root.join("tls-key.pem")
    }

    /// The configuration.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.json")
    }

    /// The running daemon's process id. Locked while it runs.
    pub fn pid_file(&self) -> PathBuf {
        self.root.join("daemon.pid")
    }

    /// The sessions that lived when a daemon with a bent rule table ended, one id per line.
    pub fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    /// The folder of audit files.
    pub fn audit(&self) -> PathBuf {
        self.root.join("audit")
    }

    /// Creates the folder if needed and makes it private, and the configuration file too if there is one.
    ///
    /// # Errors
    /// [`ShellError::File`] when the path cannot be a folder of ours.
    pub fn prepare(&self, rules: &ShellRules) -> Result<(), ShellError> {
        make_private_dir(&self.root, rules.state_dir_mode)?;
        let config = self.config();
        if config.exists() {
            set_mode(&config, rules.config_mode)?;
        }
        Ok(())
    }
}

/// Creates a folder (and its parents) if needed, and sets its permission bits.
///
/// # Errors
/// [`ShellError::File`] when it cannot be created or its bits cannot be set.
pub fn make_private_dir(path: &Path, mode: u32) -> Result<(), ShellError> {
    DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(path)
        .map_err(|source| ShellError::file("create the folder", path, source))?;
    set_mode(path, mode)
}

/// Sets the permission bits of a file or folder, whatever the process's umask is.
///
/// # Errors
/// [`ShellError::File`] when the system refuses.
pub fn set_mode(path: &Path, mode: u32) -> Result<(), ShellError> {
    std::fs::set_permissions(path, Permissions::from_mode(mode))
        .map_err(|source| ShellError::file("set the permissions of", path, source))
}

//! The pid file: says who runs, and its lock keeps a second daemon from starting on the same folder.

use super::error::ShellError;
use super::state_dir::StateDir;
use crate::rules::ShellRules;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A pid file of ours, locked until it is dropped or removed.
#[derive(Debug)]
pub struct PidFile {
    path: PathBuf,
    file: File,
}

impl PidFile {
    /// Locks the folder's pid file and writes our process id into it. A file left by a dead daemon is taken over.
    ///
    /// # Errors
    /// [`ShellError::AlreadyRunning`] when another process holds the lock; [`ShellError::File`] otherwise.
    pub fn take(dir: &StateDir, rules: &ShellRules) -> Result<Self, ShellError> {
        let path = dir.pid_file();
        loop {
            let mut file = open(&path).map_err(|source| ShellError::file("open", &path, source))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(ShellError::AlreadyRunning { path: dir.path().to_owned(), pid: read_pid(&mut file) });
                }
                Err(TryLockError::Error(source)) => {
                    return Err(ShellError::file("lock", &path, source));
                }
            }
            // Its last owner may have removed the file between our opening and locking it.
            if !is_the_file_at(&file, &path) {
                continue;
            }
            if rules.write_pid {
                write_pid(&mut file).map_err(|source| ShellError::file("write", &path, source))?;
            }
            return Ok(Self { path, file });
        }
    }

    /// Removes the file, then gives up the lock.
    ///
    /// # Errors
    /// The system's, when the file cannot be removed.
    pub fn remove(self) -> io::Result<()> {
        let removed = std::fs::remove_file(&self.path);
        drop(self.file);
        removed
    }
}

/// The process id a folder's pid file names, if there is one that can be read.
pub fn pid_of(dir: &StateDir) -> Option<u32> {
    File::open(dir.pid_file()).ok().and_then(|mut file| read_pid(&mut file))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

fn is_the_file_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn write_pid(file: &mut File) -> io::Result<()> {
    // A file that is cut and written is flushed to the disk by some file systems when it is closed.
    if file.metadata()?.len() > 0 {
        file.rewind()?;
        file.set_len(0)?;
    }
    writeln!(file, "{}", std::process::id())
}

//! Processes that outlive the deployment they were started for.
//!
//! Everything that is started for a deployment has the deployment's folder in its environment, and hands it on to what it
//! starts itself, also into another session. Nobody else has that folder's name.

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// The environment variable that holds the folder of the deployment a process belongs to.
pub const MARKER: &str = "IOLITE_SCRATCH";

/// How often is looked whether processes that were told to end are gone.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// How often is looked whether processes that were killed are gone.
const GONE_LOOKS_MAX: usize = 100;

/// A process that was still there and has been ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Its process id.
    pub id: i32,
    /// Its command line, for people.
    pub command: String,
}

impl std::fmt::Display for Leftover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` (process {})", self.command, self.id)
    }
}

/// Gives the processes of a folder until the deadline to end by themselves, then ends those that are left.
pub(super) async fn end_all(folder: &Path, until: Instant) -> Vec<Leftover> {
    let mut ticks = tokio::time::interval(LOOK_AGAIN);
    loop {
        ticks.tick().await;
        let left = of_folder(folder);
        if left.is_empty() {
            return Vec::new();
        }
        if Instant::now() >= until {
            let ended = left.into_iter().filter_map(|id| end(id, folder)).collect();
            // A killed process is gone a little later, unless it hangs in the kernel.
            for _ in 0..GONE_LOOKS_MAX {
                if of_folder(folder).is_empty() {
                    break;
                }
                ticks.tick().await;
            }
            return ended;
        }
    }
}

fn of_folder(folder: &Path) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| belongs(*id, folder)).collect()
}

/// Whether a living process has the folder in its environment. That of a process of somebody else cannot be read.
fn belongs(id: i32, folder: &Path) -> bool {
    let wanted = format!("{MARKER}={}", folder.display());
    let environment = std::fs::read(proc_file(id, "environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
}

fn end(id: i32, folder: &Path) -> Option<Leftover> {
    let handle = pidfd_open(Pid::from_raw(id)?, PidfdFlags::empty()).ok()?;
    // The id may have gone to a stranger before it was held fast.
    if !belongs(id, folder) {
        return None;
    }
    let words = std::fs::read(proc_file(id, "cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " ");
    pidfd_send_signal(handle, Signal::KILL).ok()?;
    Some(Leftover { id, command })
}

fn proc_file(id: i32, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{id}/{name}"))
}

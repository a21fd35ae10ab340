//! What servers of one state folder share when the rules say so: nothing, by the contract (`BRG-MCP-19`, `BRG-MCP-22`).

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Files beside the control socket.
#[derive(Clone, Debug)]
pub struct SharedState {
    folder: PathBuf,
}

impl SharedState {
    /// The files beside this control socket.
    pub fn beside(control_socket: &Path) -> Self {
        let folder = control_socket.parent().unwrap_or(Path::new("."));
        Self { folder: folder.to_owned() }
    }

    /// Takes the only lock there is, until the file is dropped; `None` when it is taken.
    pub fn take_lock(&self) -> Option<File> {
        let lock = File::create(self.folder.join("mcp.lock")).ok()?;
        lock.try_lock().ok()?;
        Some(lock)
    }

    /// The subscriptions that the server before this one saved.
    pub fn subscriptions(&self) -> BTreeSet<String> {
        let text = std::fs::read_to_string(self.subscriptions_file()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Saves subscriptions for the next server. A failure to write is only logged.
    pub fn leave(&self, subscriptions: &BTreeSet<String>) {
        let lines: Vec<&str> = subscriptions.iter().map(String::as_str).collect();
        if let Err(error) = std::fs::write(self.subscriptions_file(), lines.join("\n")) {
            tracing::debug!(%error, "subscriptions are not left behind");
        }
    }

    fn subscriptions_file(&self) -> PathBuf {
        self.folder.join("mcp-subscriptions")
    }
}

//! The state folder: audit, modes, files; and the daemon's log.

use crate::engine::cue::Cue;
use crate::engine::outcome::{Deed, Done, Fault};
use crate::engine::stage::FENCE_PREFIX;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// How often the audit is read again when it is not yet as expected. Between two readings lies a round trip, so that a
/// daemon that writes behind its answers gets the time to.
const READINGS: usize = 50;

/// The most that is read of one file.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

pub(super) async fn audit(cue: &Cue<'_>) -> Done {
    claimed(cue, "audit")?;
    let folder = cue.world.stage.state_dir().await.join("audit");
    let matcher = match cue.action.check.as_ref().and_then(|check| check.expect.as_ref()) {
        Some(expected) => Some(cue.matcher(expected)?),
        None => None,
    };
    for _ in 1..READINGS {
        let outcome = json!({ "records": records(&folder) });
        if matcher.as_ref().is_none_or(|matcher| matcher.matches(&outcome)) || !cue.world.stage.is_running() {
            return Ok(Deed::of(outcome));
        }
        // What it answers does not matter.
        let _ = cue.world.stage.rpc("daemon.status", Some(json!({}))).await;
    }
    Ok(Deed::of(json!({ "records": records(&folder) })))
}

pub(super) async fn logs(cue: &Cue<'_>) -> Done {
    Ok(Deed::of(json!({ "stderr": cue.world.stage.stderr().await.join("\n") })))
}

pub(super) async fn stat(cue: &Cue<'_>) -> Done {
    let path = path(cue).await?;
    let outcome = match std::fs::symlink_metadata(path) {
        Err(_) => json!({ "exists": false }),
        Ok(metadata) => {
            let kind = metadata.file_type();
            let kind = if kind.is_file() {
                "file"
            } else if kind.is_dir() {
                "folder"
            } else if kind.is_socket() {
                "socket"
            } else if kind.is_symlink() {
                "link"
            } else {
                "other"
            };
            let mode = format!("{:04o}", metadata.permissions().mode() & 0o7777);
            json!({ "exists": true, "mode": mode, "kind": kind })
        }
    };
    Ok(Deed::of(outcome))
}

pub(super) async fn read_file(cue: &Cue<'_>) -> Done {
    let path = path(cue).await?;
    Ok(match read(&path) {
        Ok(bytes) => Deed::of(match String::from_utf8(bytes) {
            Ok(text) => json!({ "text": text }),
            Err(error) => json!({ "base64": STANDARD.encode(error.as_bytes()) }),
        }),
        Err(error) => Deed::error("unreadable", error.to_string(), serde_json::Map::new()),
    })
}

async fn path(cue: &Cue<'_>) -> Result<PathBuf, Fault> {
    claimed(cue, "state_dir")?;
    let given = cue.needed_text("path")?;
    let relative = Path::new(&given);
    if relative.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(cue.wrong("path", "must lead to something under the state folder"));
    }
    Ok(cue.world.stage.state_dir().await.join(relative))
}

fn claimed(cue: &Cue<'_>, feature: &str) -> Result<(), Fault> {
    if cue.world.stage.target().claims(feature) {
        return Ok(());
    }
    Err(Fault::NotApplicable(format!("the target does not claim `{feature}`")))
}

/// All records of all files, oldest first, without those of the engine's fences. A line that is no JSON stays a string.
fn records(folder: &Path) -> Vec<Value> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let texts = files.iter().filter_map(|file| read(file).ok());
    let lines = texts.flat_map(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    let records = lines.filter(|line| !line.is_empty());
    let records = records.map(|line| serde_json::from_str(&line).unwrap_or(Value::String(line)));
    records.filter(|record: &Value| record.get("caller").and_then(Value::as_str) != Some(FENCE_PREFIX)).collect()
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    // A FIFO or device would block or never end; nothing of that kind belongs into a state folder.
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

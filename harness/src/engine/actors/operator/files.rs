//! The state folder: audit, modes, files; and the daemon's log.

use crate::engine::fence_names::FENCE_CALLER;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// How often the audit is read again when it is not yet as expected. Between two readings lies a round trip, so that a
/// daemon that writes behind its answers gets the time to.
const READINGS: usize = 50;

/// The most that is read of one file.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

pub(super) async fn audit(step: &StepContext<'_>) -> StepResult {
    claimed(step, "audit")?;
    let folder = step.stage.state_dir().await.join("audit");
    let matcher = match step.action.check.as_ref().and_then(|check| check.expect.as_ref()) {
        Some(expected) => Some(step.matcher(expected)?),
        None => None,
    };
    for _ in 1..READINGS {
        let outcome = audited(&folder, step.stage.fences().tool_calls());
        if matcher.as_ref().is_none_or(|matcher| matcher.matches(&outcome)) || !step.stage.is_running() {
            return Ok(StepOutcome::of(outcome));
        }
        // What it answers does not matter.
        let _ = step.stage.rpc("daemon.status", Some(json!({}))).await;
    }
    Ok(StepOutcome::of(audited(&folder, step.stage.fences().tool_calls())))
}

pub(super) async fn logs(step: &StepContext<'_>) -> StepResult {
    Ok(StepOutcome::of(json!({ "stderr": step.stage.stderr().await.join("\n") })))
}

pub(super) async fn stat(step: &StepContext<'_>) -> StepResult {
    let path = path(step).await?;
    Ok(StepOutcome::of(seen(&path)))
}

/// Files by what they are for: their names are the daemon's own business.
pub(super) async fn files(step: &StepContext<'_>) -> StepResult {
    claimed(step, "state_dir")?;
    let stage = step.stage;
    let root = stage.state_dir().await;
    let inside = |path: &Path| path.strip_prefix(&root).ok().map(|inside| inside.display().to_string());
    let entry = |path: &Path| {
        let mut entry = seen(path);
        let is_there = entry["exists"] == true;
        entry["path"] = inside(path)?.into();
        is_there.then_some(entry)
    };
    let found = below(&root);
    let audit: Vec<Value> =
        found.iter().filter(|path| path.starts_with(root.join("audit"))).filter_map(|path| entry(path)).collect();
    let mut outcome = json!({ "folder": entry(&root), "audit": audit });
    let socket = stage.socket().ok().and_then(|path| entry(&path));
    let config = stage.config_path().await.and_then(|path| entry(&path));
    let key = found.iter().find(|path| read(path).is_ok_and(|bytes| holds_a_key(&bytes))).and_then(|path| entry(path));
    let pid = found.iter().find(|path| read(path).is_ok_and(|bytes| holds_a_pid(&bytes))).and_then(|path| entry(path));
    for (role, file) in [("socket", socket), ("config", config), ("key", key), ("pid", pid)] {
        if let Some(file) = file {
            outcome[role] = file;
        }
    }
    Ok(StepOutcome::of(outcome))
}

pub(super) async fn chmod(step: &StepContext<'_>) -> StepResult {
    let path = path(step).await?;
    let mode = u32::from_str_radix(&step.needed_text("mode")?, 8).ok().filter(|mode| *mode <= 0o7777);
    let mode = mode.ok_or_else(|| step.wrong("mode", "must be up to four octal digits"))?;
    // A link may lead out of the folder.
    if std::fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(StepError::Unmet(format!("{} is a link", path.display())));
    }
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode))
        .map_err(|error| StepError::Unmet(format!("{}: {error}", path.display())))?;
    Ok(StepOutcome::of(seen(&path)))
}

pub(super) async fn read_file(step: &StepContext<'_>) -> StepResult {
    let path = path(step).await?;
    Ok(match read(&path) {
        Ok(bytes) => StepOutcome::of(match String::from_utf8(bytes) {
            Ok(text) => json!({ "text": text }),
            Err(error) => json!({ "base64": STANDARD.encode(error.as_bytes()) }),
        }),
        Err(error) => StepOutcome::error("unreadable", error.to_string(), serde_json::Map::new()),
    })
}

async fn path(step: &StepContext<'_>) -> Result<PathBuf, StepError> {
    claimed(step, "state_dir")?;
    let given = step.needed_text("path")?;
    let relative = Path::new(&given);
    if relative.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(step.wrong("path", "must lead to something under the state folder"));
    }
    Ok(step.stage.state_dir().await.join(relative))
}

fn claimed(step: &StepContext<'_>, feature: &str) -> Result<(), StepError> {
    if step.stage.target().claims(feature) {
        return Ok(());
    }
    Err(StepError::NotApplicable(format!("the target does not claim `{feature}`")))
}

/// What `stat` tells of a path.
fn seen(path: &Path) -> Value {
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return json!({ "exists": false }) };
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
    json!({ "exists": true, "mode": format!("{:04o}", metadata.permissions().mode() & 0o7777), "kind": kind })
}

/// Everything below a folder but folders, in the order of the paths. Links are not followed.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => found.extend(below(&path)),
            _ => found.push(path),
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn holds_a_key(bytes: &[u8]) -> bool {
    const MARK: &[u8] = b"PRIVATE KEY-----";
    bytes.windows(MARK.len()).any(|window| window == MARK)
}

fn holds_a_pid(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.trim().parse::<u32>().is_ok())
}

/// All records, oldest first, and each file with its own.
fn audited(folder: &Path, mut fences: Vec<(String, String)>) -> Value {
    let files: Vec<(String, Vec<Value>)> = entries(folder)
        .iter()
        .filter_map(|path| {
            Some((path.file_name()?.to_string_lossy().into_owned(), records(&read(path).ok()?, &mut fences)))
        })
        .collect();
    let all: Vec<&Value> = files.iter().flat_map(|(_, records)| records).collect();
    let file = |(name, records): &(String, Vec<Value>)| {
        let date = name.strip_suffix(".jsonl");
        json!({ "name": name, "date": date, "records": records })
    };
    let files: Vec<Value> = files.iter().map(file).collect();
    json!({ "records": all, "files": files })
}

/// The records of one file, without those of the engine's fences. A line that is no JSON stays a string.
///
/// A fence's record is known by its caller, session, tool and empty arguments; each call of a fence has at most one.
fn records(bytes: &[u8], fences: &mut Vec<(String, String)>) -> Vec<Value> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter(|line| !line.is_empty());
    let records = lines.map(|line| serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned())));
    records.filter(|record: &Value| !is_of_a_fence(record, fences)).collect()
}

fn is_of_a_fence(record: &Value, fences: &mut Vec<(String, String)>) -> bool {
    let text = |name: &str| record.get(name).and_then(Value::as_str);
    let no_arguments = format!("{:x}", Sha256::digest(b"{}"));
    if text("caller") != Some(FENCE_CALLER) || text("argsSha256").is_some_and(|found| found != no_arguments) {
        return false;
    }
    let own = fences
        .iter()
        .position(|(session, tool)| text("sessionId") == Some(session.as_str()) && text("tool") == Some(tool.as_str()));
    own.map(|at| fences.swap_remove(at)).is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_of_a_fence_is_left_out_once_and_no_other() {
        let record = |caller: &str, arguments: &str| {
            let hash = format!("{:x}", Sha256::digest(arguments));
            json!({ "sessionId": "s", "tool": "t", "caller": caller, "argsSha256": hash })
        };
        let all = [record("client", "{\"a\":1}"), record("cli", "{}"), record("client", "{}"), record("client", "{}")];
        let text = all.iter().map(|record| format!("{record}\n")).collect::<String>();
        let left = records(text.as_bytes(), &mut vec![("s".into(), "t".into()), ("s".into(), "u".into())]);
        assert_eq!(left, [all[0].clone(), all[1].clone(), all[3].clone()]);
    }
}

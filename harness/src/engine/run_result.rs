//! The result of a run, and the proof of it that is kept.

use super::case_state::RunState;
use super::options::RunOptions;
use crate::judge::verdict::{ScenarioResult, Verdict};
use crate::scenario::model::Scenario;
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::Record;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Closes a run: what was found out about each check, and what the watchers make of its transcript.
pub(super) fn result(
    scenario: &Scenario,
    options: &RunOptions,
    id: &str,
    run: &RunState,
    began: Instant,
) -> ScenarioResult {
    let metadata = run.record.metadata();
    let mut checks = run.checks.finish();
    let watched = |records: &[Record]| match &options.watch {
        Some(watch) if !records.is_empty() => watch(records, &metadata),
        _ => Vec::new(),
    };
    checks.extend(run.record.recorder.read(watched));
    let breach = checks.iter().any(|check| check.verdict >= Verdict::Warn);
    let mut result = ScenarioResult {
        scenario: scenario.id.clone(),
        title: scenario.title.clone(),
        path: scenario.source.path.clone(),
        checks,
        transcript: None,
        micros: u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX),
    };
    if let Some(folder) = options.transcripts.as_ref().filter(|_| run.record.recorder.position() > 0)
        && (breach || options.keep_all)
    {
        result.transcript = keep(id, run, &metadata, folder);
    }
    result
}

/// Writes the transcript and the metadata beside it. One that cannot be written is no verdict about the daemon.
fn keep(id: &str, run: &RunState, metadata: &RunMetadata, folder: &Path) -> Option<String> {
    let path: PathBuf = folder.join(format!("{id}.jsonl"));
    if let Err(error) = run.record.recorder.save(&path, id) {
        tracing::warn!("{} cannot be written: {error}", path.display());
        return None;
    }
    let beside = path.with_extension("facts.json");
    let written = serde_json::to_vec_pretty(metadata).map_err(std::io::Error::other);
    if let Err(error) = written.and_then(|bytes| std::fs::write(&beside, bytes)) {
        tracing::warn!("{} cannot be written: {error}", beside.display());
    }
    Some(path.display().to_string())
}

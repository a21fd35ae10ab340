//! The report for machines: one JSON document, format version [`VERSION`].

use super::Tally;
use crate::judge::verdict::ScenarioResult;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// Version of the report format.
pub const VERSION: u32 = 1;

/// The whole run as one document. Check ids, verdicts and promise ids are stable; messages are for people.
pub fn document(target: &str, results: &[ScenarioResult], unjudged: &BTreeSet<String>, wall: Duration) -> Value {
    let tally = Tally::of(results);
    json!({
        "report": VERSION,
        "tool": { "name": "iolite", "version": env!("CARGO_PKG_VERSION") },
        "target": target,
        "tally": tally,
        "findings": tally.has_findings(),
        "unjudged": unjudged,
        "wall_ms": u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
        "scenarios": results,
    })
}

//! What became of a fault, and what the cases of a check share.

use iolite_reference_daemon::faults::Fault;
use serde::Serialize;
use std::collections::BTreeMap;

/// What became of one fault.
#[derive(Clone, Debug, Serialize)]
pub struct Noticed {
    /// The fault's id.
    pub fault: &'static str,
    /// What goes wrong, in plain words.
    pub title: &'static str,
    /// The promise it breaks.
    pub promise: &'static str,
    /// Promises it also hurts.
    pub also: Vec<&'static str>,
    /// Ids of checks that failed and are bound to the promise.
    pub by: Vec<String>,
    /// Ids of checks that failed although they have nothing to do with any of its promises.
    pub strays: Vec<String>,
    /// Ids of all checks that failed, whatever they are bound to, and what all cases of each share ([`stem`]).
    pub failed: BTreeMap<String, String>,
    /// Why the daemon would not start with this fault, when that is how it showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_started: Option<String>,
    /// The first check that could not be verified, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unverified: Option<String>,
    /// How many scenarios were run.
    pub scenarios: usize,
    /// The scenario that noticed it, the quickest when several were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noticed_in: Option<String>,
    /// How long that scenario took, in milliseconds.
    pub noticed_ms: u64,
}

impl Noticed {
    /// Whether no check bound to its promise failed.
    pub fn survived(&self) -> bool {
        self.by.is_empty()
    }

    /// A fault that has met no scenario yet.
    pub(super) fn nothing(fault: &'static Fault) -> Self {
        Self {
            fault: fault.id,
            title: fault.title,
            promise: fault.promises.first().copied().unwrap_or_default(),
            also: fault.promises.iter().skip(1).copied().collect(),
            by: Vec::new(),
            strays: Vec::new(),
            failed: BTreeMap::new(),
            not_started: None,
            unverified: None,
            scenarios: 0,
            noticed_in: None,
            noticed_ms: 0,
        }
    }

    /// Adds what other scenarios brought.
    pub(super) fn merge(&mut self, other: Self) {
        let sooner = self.noticed_in.is_none() || other.noticed_ms < self.noticed_ms;
        if let Some(scenario) = other.noticed_in.filter(|_| sooner) {
            (self.noticed_in, self.noticed_ms) = (Some(scenario), other.noticed_ms);
        }
        self.by.extend(other.by);
        self.strays.extend(other.strays);
        self.failed.extend(other.failed);
        self.not_started = self.not_started.take().or(other.not_started);
        self.unverified = self.unverified.take().or(other.unverified);
        self.scenarios += other.scenarios;
    }

    /// Whether this check failed, given by its id or by what all its cases share ([`stem`]).
    pub fn fails(&self, check: &str) -> bool {
        self.failed.iter().any(|(id, stem)| id == check || stem == check)
    }
}

/// What all cases and runs of a check share: `<scenario>:<label>`, or `watch/<name>` for a watcher, which is one check
/// wherever it looks.
pub fn stem(scenario: &str, check: &str) -> String {
    let label = check.rsplit_once(':').map_or(check, |(_, label)| label);
    if label.starts_with("watch/") { label.to_owned() } else { format!("{scenario}:{label}") }
}

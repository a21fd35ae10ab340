//! What is said about a promise, and the proof.

use crate::scenario::model::Level;
use serde::{Deserialize, Serialize};

/// The six things that can be said of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The promise was kept.
    Pass,
    /// An option was taken one way or the other, or the target does not claim the feature: nothing to judge.
    NotApplicable,
    /// A SHOULD was not kept.
    Warn,
    /// A prerequisite was missing, so nothing is known. Never green.
    NotVerified,
    /// A MUST was broken.
    Fail,
    /// iolite itself is at fault.
    Broken,
}

impl Verdict {
    /// Whether a promise was found broken.
    pub fn is_breach(self) -> bool {
        matches!(self, Self::Fail | Self::Warn)
    }
}

/// The result of one check: the same id whether it passes or fails.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResult {
    /// Stable id: `<scenario>[/<case>][@<each>]:<label>`, or `<scenario>…:watch/<watcher>` for watchers.
    pub id: String,
    /// Promise ids that the check proves.
    pub promises: Vec<String>,
    /// How binding the check is.
    pub level: Level,
    /// What is said.
    pub verdict: Verdict,
    /// One sentence: what was expected and what came instead, or why nothing is known. Empty on a pass.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Name of the alternative that happened, where several were acceptable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What was expected, for people and machines. JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<serde_json::Value>,
    /// Everything that arrived while the check waited, oldest first. JSON.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrived: Vec<serde_json::Value>,
    /// Sequence numbers of the transcript records that prove it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<u64>,
    /// Where in the scenario file the claim stands: byte offsets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
    /// How long the step took, in microseconds.
    #[serde(default)]
    pub micros: u64,
}

/// Everything one run of one scenario (one `each` combination, all its cases) brought to light.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScenarioResult {
    /// Scenario id.
    pub scenario: String,
    /// Title.
    pub title: String,
    /// Path of the scenario file, for people.
    pub path: String,
    /// Every check, in the order of the file; watchers last.
    pub checks: Vec<CheckResult>,
    /// Path of the transcript, when one was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
    /// Wall time in microseconds.
    pub micros: u64,
}

impl CheckResult {
    /// Whether it proves that promise.
    pub fn proves(&self, promise: &str) -> bool {
        self.promises.iter().any(|proved| proved == promise)
    }

    /// Whether it found that promise broken.
    pub fn breaks(&self, promise: &str) -> bool {
        self.verdict.is_breach() && self.proves(promise)
    }
}

impl ScenarioResult {
    /// Whether any check found that promise broken.
    pub fn breaks(&self, promise: &str) -> bool {
        self.checks.iter().any(|check| check.breaks(promise))
    }

    /// The worst verdict among the checks.
    pub fn worst(&self) -> Verdict {
        self.checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::NotApplicable)
    }
}

//! What comes of holding a value against a matcher.

use serde_json::Value;
use std::fmt;

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchOutcome {
    /// Whether the value matched.
    pub matched: bool,
    /// Why not, at most [`MOST`](Self::MOST) reasons. Empty exactly if it matched.
    pub mismatches: Vec<Mismatch>,
    /// Names bound by `$capture`, in the order met. Empty unless it matched.
    pub captures: Vec<(String, Value)>,
    /// Name of the alternative of `$one_of` that held; several are joined by `, `.
    pub alternative: Option<String>,
}

/// One reason why a value did not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON pointer to the place; empty for the value as a whole.
    pub pointer: String,
    /// What was expected there, in words.
    pub expected: String,
    /// What came, in words.
    pub actual: String,
}

impl MatchOutcome {
    /// Most mismatches that are told.
    pub const MOST: usize = 20;

    /// All mismatches in one sentence each, separated by `; `.
    pub fn message(&self) -> String {
        self.mismatches.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(formatter, "at {}: ", self.pointer)?;
        }
        write!(formatter, "expected {}, got {}", self.expected, self.actual)
    }
}

/// A value in words: compact JSON, the middle left out when it is long.
pub(super) fn words(value: &Value) -> String {
    let text = value.to_string();
    let characters = text.chars().count();
    if characters <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST * 2 / 3).collect();
    let tail: String = text.chars().skip(characters - LONGEST / 6).collect();
    format!("{head}…{tail} ({characters} characters)")
}

/// A missing value in words.
pub(super) const NOTHING: &str = "nothing";

const LONGEST: usize = 240;

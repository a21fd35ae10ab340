//! Why a frame was refused.

use crate::clipped::clipped;
use crate::close::Close;
use crate::contract::Rule;
use crate::strict::StrictError;
use thiserror::Error;

/// A frame, or a part of one, that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{explanation}{}", place(pointer))]
pub struct FrameError {
    /// The rule.
    pub rule: Rule,
    /// Where: a JSON pointer (RFC 6901) into what was decoded; empty for the whole of it.
    pub pointer: String,
    /// What the rule asks and what was found instead, in words.
    pub explanation: String,
    /// What it does to the socket that the frame came from.
    pub close: Close,
}

impl FrameError {
    pub(crate) fn new(rule: Rule, pointer: String, found: &str) -> Self {
        Self {
            rule,
            pointer,
            explanation: format!("{}; {}", rule.explanation(), clipped(found)),
            close: rule.close().unwrap_or(Close::INVALID_MESSAGE),
        }
    }
}

impl From<StrictError> for FrameError {
    fn from(error: StrictError) -> Self {
        Self::new(error.rule, String::new(), &format!("found {error}"))
    }
}

fn place(pointer: &str) -> String {
    match pointer {
        "" => String::new(),
        pointer => format!(" (at {pointer})"),
    }
}

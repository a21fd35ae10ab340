//! How strict the reader is, and what it says when it refuses.

use crate::contract::{Contract, Rule};
use thiserror::Error;

/// How strict [`read`](super::read) is. The default refuses everything it can and bounds the depth at 256 levels, which leaves
/// room for a frame of the deepest kind wrapped into an RPC or MCP answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strictness {
    /// Deepest nesting of arrays and objects. Values above 512 count as 512.
    pub max_depth: usize,
    /// Whether a key that is in an object already is refused. Where not, the last one wins, in the first one's place.
    pub refuse_duplicate_keys: bool,
    /// Whether an escaped surrogate without its partner is refused. Where not, it reads as U+FFFD.
    pub refuse_lone_surrogates: bool,
}

impl Default for Strictness {
    fn default() -> Self {
        Self { max_depth: 256, refuse_duplicate_keys: true, refuse_lone_surrogates: true }
    }
}

impl Strictness {
    /// What the contract asks of a frame.
    pub fn of_frames(contract: &Contract) -> Self {
        Self {
            max_depth: if contract.applies(Rule::JsonDepth) { contract.limits.json_depth } else { DEPTH_CEILING },
            refuse_duplicate_keys: contract.applies(Rule::DuplicateKey),
            refuse_lone_surrogates: contract.applies(Rule::LoneSurrogate),
        }
    }
}

/// Why [`read`](super::read) refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{explanation}, at byte {offset}")]
pub struct StrictError {
    /// The byte (from 0) where reading could not go on.
    pub offset: usize,
    /// The rule that is broken: one of those of the text area.
    pub rule: Rule,
    /// What was found, in words.
    pub explanation: String,
}

/// Deeper nesting than this could exhaust the stack of a small thread.
pub(super) const DEPTH_CEILING: usize = 512;

//! A parameter that was refused.

use crate::contract::Rule;
use thiserror::Error;

/// A parameter of the wrong shape: the answer is `invalid_request` and names it (BRG-RPC-11).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("parameter `{parameter}`: {why}")]
pub struct InvalidParam {
    /// The parameter, or `params` for all of them.
    pub parameter: String,
    /// The rule that it breaks.
    pub rule: Rule,
    /// What the rule asks and what was found instead, in words.
    pub why: String,
}

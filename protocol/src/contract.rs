//! The contract as a value: which rules a decoder applies, and with which limits.
//!
//! [`Contract::default`] is the contract itself. Anything else is a *bent* contract: it exists so that a wrong
//! implementation can be described as data (a waived [`Rule`], another limit) instead of as code. With a bent
//! contract the types of this crate can hold values that the contract forbids, and in no other way.

mod area;
#[cfg(test)]
mod cases;
mod limits;
pub(crate) mod mend;
mod rule;

pub use area::{Area, Kind};
pub use limits::Limits;
pub use mend::Mend;
pub use rule::Rule;

use std::collections::BTreeSet;

/// Which rules hold. Every decoder of this crate takes one.
///
/// ```
/// use iolite_protocol::contract::{Contract, Rule};
/// use iolite_protocol::descriptor::ResourceDescriptor;
///
/// let relative = serde_json::json!({ "uri": "cart", "name": "cart", "description": "The cart" });
/// let error = ResourceDescriptor::decode(&relative, &Contract::default()).unwrap_err();
/// assert_eq!(error.rule, Rule::ResourceUriAbsolute);
///
/// let bent = Contract::default().waive(Rule::ResourceUriAbsolute);
/// assert!(ResourceDescriptor::decode(&relative, &bent).is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// The numbers that the rules measure against.
    pub limits: Limits,
    /// Rules that are *not* applied. A decoder that meets a violation of one goes on as best it can:
    /// a wrong optional field counts as absent, a wrong required text as the JSON text of what stands there, a
    /// missing required field as empty, a wrong element of a list is left out. ([`Rule::DaemonMessageType`] holds all
    /// the same: without it there is nothing to decode.)
    pub waived: BTreeSet<Rule>,
    /// Refuses keys that the contract does not name, everywhere. The contract tolerates them (BRG-CON-17).
    pub refuse_unknown_keys: bool,
    /// Drops the invalid elements of a registry snapshot and keeps the others. The contract refuses the whole frame
    /// (BRG-TOL-02, BRG-RES-02).
    pub drop_invalid_elements: bool,
    /// Drops the invalid items of a resource result and keeps the others. The contract refuses the whole frame
    /// (BRG-RES-09).
    pub drop_invalid_items: bool,
    /// Wrong spellings of parameters that are mended. The contract mends none (BRG-LNK-03).
    pub mends: BTreeSet<Mend>,
}

impl Contract {
    /// The same contract without `rule`.
    #[must_use]
    pub fn waive(mut self, rule: Rule) -> Self {
        self.waived.insert(rule);
        self
    }

    /// The same contract without any of `rules`.
    #[must_use]
    pub fn waive_all(mut self, rules: impl IntoIterator<Item = Rule>) -> Self {
        self.waived.extend(rules);
        self
    }

    /// Whether `rule` is applied.
    pub fn applies(&self, rule: Rule) -> bool {
        !self.waived.contains(&rule)
    }
}

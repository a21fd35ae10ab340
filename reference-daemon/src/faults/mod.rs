//! The faults: the ways to break a promise, as data. A reader of the daemon can skip this folder.
//!
//! A [`Fault`] changes the table of [`crate::rules`]; nothing else in the daemon knows that faults exist. One file for
//! each file of rules.

mod audit;
mod cancel;
mod claim;
mod cli;
mod connection;
mod fallback;
mod fault;
mod foundation;
mod in_flight;
mod lawful;
mod link;
mod mcp;
mod mcp_answers;
mod mcp_conduct;
mod mcp_lists;
mod mcp_own_tools;
mod mcp_paging;
mod mcp_schemas;
mod policy;
mod recovery;
mod refusals;
mod registry;
mod resources;
mod rpc;
mod session;
mod shell;
mod spellings;
mod texts;
mod times;
mod tools;
mod wires;

pub use fault::{EVERYTHING, Fault};

use crate::rules::Rules;
use std::sync::LazyLock;

/// All faults, in the order of the contract's areas.
pub fn all() -> &'static [Fault] {
    static ALL: LazyLock<Vec<Fault>> = LazyLock::new(|| {
        [
            link::FAULTS,
            spellings::FAULTS,
            times::FAULTS,
            connection::FAULTS,
            claim::FAULTS,
            session::FAULTS,
            recovery::FAULTS,
            tools::FAULTS,
            cancel::FAULTS,
            texts::FAULTS,
            resources::FAULTS,
            rpc::FAULTS,
            refusals::FAULTS,
            wires::FAULTS,
            mcp::FAULTS,
            mcp_lists::FAULTS,
            mcp_answers::FAULTS,
            mcp_own_tools::FAULTS,
            mcp_paging::FAULTS,
            mcp_schemas::FAULTS,
            mcp_conduct::FAULTS,
            fallback::FAULTS,
            policy::FAULTS,
            audit::FAULTS,
            cli::FAULTS,
            shell::FAULTS,
            foundation::FAULTS,
        ]
        .concat()
    });
    &ALL
}

/// Bends the table by what is named: a fault, the profile or the measuring mode. False where nothing has that name.
pub fn bend(rules: &mut Rules, name: &str) -> bool {
    match name {
        WAIVE_ONE_RULE => rules.foundation.waives_one_rule = true,
        LAWFUL_STRANGER => lawful::bend(rules),
        id => match all().iter().find(|fault| fault.id == id) {
            Some(fault) => (fault.bend)(rules),
            None => return false,
        },
    }
    true
}

/// The contract with one fault in it; `None` for an unknown fault id.
pub fn bent(fault_id: &str) -> Option<Rules> {
    let fault = all().iter().find(|fault| fault.id == fault_id)?;
    let mut rules = Rules::default();
    (fault.bend)(&mut rules);
    Some(rules)
}

/// Names the profile that takes the other choice wherever the contract leaves one. It is no fault: it breaks no promise, and
/// it stands in no list.
pub const LAWFUL_STRANGER: &str = "lawful-stranger";

/// Names the measuring mode where else a fault is named. It is no fault: no promise is broken by intent, nothing is measured
/// about it, and it stands in no list.
pub const WAIVE_ONE_RULE: &str = "lint-waive-one-rule";

#[cfg(test)]
mod tests;

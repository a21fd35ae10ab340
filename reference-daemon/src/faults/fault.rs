//! What a fault is, and short ways to write down the common ones.

use crate::rules::Rules;

/// Stands among the promises of a fault that hurts everything built on what it breaks.
pub const EVERYTHING: &str = "*";

/// One way to break a promise, as data.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// `<group>-<what goes wrong>` in kebab case, stable.
    pub id: &'static str,
    /// The promise it breaks, then those it also hurts, or [`EVERYTHING`].
    pub promises: &'static [&'static str],
    /// What goes wrong, in plain words.
    pub title: &'static str,
    /// The change to the table.
    pub bend: fn(&mut Rules),
}

/// A fault beneath everything: its id, the promise it breaks, its title, and what it changes.
macro_rules! beneath {
    ($id:literal, $promise:literal, $title:literal, $area:ident.$member:ident = $value:expr) => {
        $crate::faults::fault::Fault {
            id: $id,
            promises: &[$promise, $crate::faults::fault::EVERYTHING],
            title: $title,
            bend: |rules| rules.$area.$member = $value,
        }
    };
}
pub(super) use beneath;

/// A fault that changes one rule: its id, its promises, its title, and what it changes.
macro_rules! bends {
    ($id:literal, $promises:expr, $title:literal, $area:ident.$member:ident = $value:expr) => {
        $crate::faults::fault::Fault {
            id: $id,
            promises: &$promises,
            title: $title,
            bend: |rules| rules.$area.$member = $value,
        }
    };
}
pub(super) use bends;

/// A fault that waives field rules of the contract: its id, its promises, its title, and the rules.
macro_rules! waives {
    ($id:literal, $promises:expr, $title:literal, [$($rule:ident),+]) => {
        $crate::faults::fault::Fault {
            id: $id,
            promises: &$promises,
            title: $title,
            bend: |rules| rules.contract.waived.extend([$(iolite_protocol::contract::Rule::$rule),+]),
        }
    };
}
pub(super) use waives;

/// One way to be wrong that tools and resources share.
pub(super) struct Pair {
    /// The fault of tools.
    pub(super) tools: Fault,
    /// The fault of resources.
    pub(super) resources: Fault,
}

/// Pairs of faults: what changes in the rules of either kind, then for each kind the id, the title and the promises.
macro_rules! pairs {
    ($(
        $name:ident: $part:ident.$member:ident = $value:expr;
        tools: $tools_id:literal $tools_title:literal [$($tools_promise:expr),+];
        resources: $resources_id:literal $resources_title:literal [$($resources_promise:expr),+];
    )+) => {$(
        pub(super) const $name: Pair = Pair {
            tools: Fault {
                id: $tools_id,
                promises: &[$($tools_promise),+],
                title: $tools_title,
                bend: |rules| rules.tools.$part.$member = $value,
            },
            resources: Fault {
                id: $resources_id,
                promises: &[$($resources_promise),+],
                title: $resources_title,
                bend: |rules| rules.resources.$part.$member = $value,
            },
        };
    )+};
}
pub(super) use pairs;

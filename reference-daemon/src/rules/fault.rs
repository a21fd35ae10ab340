//! Faults: the ways to break a promise, as data.

use super::{
    Rules, audit, claim, cli, connection, fallback, foundation, link, mcp, mcp_answers, mcp_lists, policy, resources,
    rpc, session, shell, tools,
};
use std::sync::LazyLock;

/// Stands among the promises that a fault also hurts when it takes the ground from under all of them.
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
        $crate::rules::Fault {
            id: $id,
            promises: &[$promise, $crate::rules::EVERYTHING],
            title: $title,
            bend: |rules| rules.$area.$member = $value,
        }
    };
}
pub(super) use beneath;

/// All faults, in the order of the contract's areas.
pub fn faults() -> &'static [Fault] {
    static ALL: LazyLock<Vec<Fault>> = LazyLock::new(|| {
        [
            link::FAULTS,
            connection::FAULTS,
            claim::FAULTS,
            session::FAULTS,
            tools::FAULTS,
            resources::FAULTS,
            rpc::FAULTS,
            mcp::FAULTS,
            mcp_lists::FAULTS,
            mcp_answers::FAULTS,
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

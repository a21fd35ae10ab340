//! Faults of what refused requests leave behind, and of what is told of lost events.

use super::fault::{Fault, bends};
use crate::rules::{LostEvents, RefusedSubscription};

pub(super) const FAULTS: &[Fault] = &[
    bends!(
        "rpc-refused-subscribe-ends",
        ["BRG-RPC-16"],
        "A refused subscription ends the one before",
        refusals.subscribe = RefusedSubscription::Ends
    ),
    bends!(
        "rpc-refused-subscribe-widens",
        ["BRG-RPC-16"],
        "A refused subscription makes the one before hear everything",
        refusals.subscribe = RefusedSubscription::Widens
    ),
    bends!(
        "rpc-refused-revoke-revokes",
        ["BRG-RPC-16"],
        "A revoke that is refused because several live revokes the first",
        refusals.revoke_nobody = false
    ),
    bends!(
        "rpc-done-without-version",
        ["BRG-RPC-16", "BRG-RPC-08"],
        "A request without the version is refused and done",
        refusals.undone_without_version = false
    ),
    bends!(
        "rpc-done-with-odd-id",
        ["BRG-RPC-16", "BRG-RPC-08"],
        "A request whose id is none is refused and done",
        refusals.undone_with_odd_id = false
    ),
    bends!(
        "rpc-shutdown-with-odd-params",
        ["BRG-RPC-16", "BRG-CON-11"],
        "A refused shutdown ends the daemon",
        refusals.shutdown_with_right_params = false
    ),
    bends!("rpc-refused-call-told", ["BRG-RPC-16"], "A refused call is told as started", refusals.untold_calls = false),
    bends!("rpc-one-spelling-of-numbers", ["BRG-RPC-11"], "2.0 is no whole number", refusals.any_spelling = false),
    bends!(
        "rpc-lost-untold",
        ["BRG-RPC-15"],
        "That events were lost is not told",
        refusals.lost_events = LostEvents::Never
    ),
    bends!(
        "rpc-lost-always-told",
        ["BRG-RPC-15"],
        "That events were lost is told always",
        refusals.lost_events = LostEvents::Always
    ),
    bends!(
        "rpc-lost-untold-with-limit",
        ["BRG-RPC-15"],
        "That events were lost is not told with a limit",
        refusals.lost_events = LostEvents::WithoutLimit
    ),
];

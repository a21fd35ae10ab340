//! The profile of a daemon that decides differently where the contract leaves room, and breaks no promise.

use crate::rules::Rules;

/// Takes the other lawful choices.
pub(super) fn bend(rules: &mut Rules) {
    rules.rpc.any_caller = false;
    rules.cancel.in_every_session = false;
    // The daemon's own MCP server must then say whose call it cancels.
    rules.mcp.cancel_names_session = true;
    rules.mcp_paging.size = Some(3);
    rules.cli.link_payload = false;
}

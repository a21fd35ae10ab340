//! Every fault of the core's rules shows on a wire.

use super::stories::{all, tell};
use crate::faults;
use crate::rules::Rules;

/// A fault that only the core can show: nothing of the MCP server, the command line or the shell is bent.
fn is_the_cores(rules: &Rules) -> bool {
    let contract = Rules::default();
    rules.mcp == contract.mcp
        && rules.mcp_lists == contract.mcp_lists
        && rules.mcp_answers == contract.mcp_answers
        && rules.mcp_own_tools == contract.mcp_own_tools
        && rules.mcp_paging == contract.mcp_paging
        && rules.mcp_schemas == contract.mcp_schemas
        && rules.mcp_conduct == contract.mcp_conduct
        && rules.fallback == contract.fallback
        && rules.cli == contract.cli
        && rules.shell == contract.shell
}

#[test]
fn every_fault_of_the_core_shows() {
    let contract = Rules::default();
    let mut silent: Vec<(&str, Rules)> = faults::all()
        .iter()
        // Lines have one table, for operators and agents.
        .filter(|fault| !fault.id.starts_with("mcp-"))
        .filter_map(|fault| Some((fault.id, faults::bent(fault.id)?)))
        .filter(|(_, rules)| is_the_cores(rules))
        .collect();
    for story in all() {
        let told = tell(&story, &contract, None);
        assert!(tell(&story, &contract, None) == told, "a story is told the same twice");
        silent.retain(|(_, rules)| tell(&story, rules, Some(&told)) == told);
    }
    let silent: Vec<&str> = silent.iter().map(|(id, _)| *id).collect();
    assert_eq!(silent, Vec::<&str>::new(), "faults that no story shows");
}

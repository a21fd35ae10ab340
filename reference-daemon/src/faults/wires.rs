//! Faults of lines, texts and doubled members.

use super::fault::{Fault, bends};
use crate::rules::{Doubled, LineEnd, TextChange};

pub(super) const FAULTS: &[Fault] = &[
    bends!(
        "mcp-lines-end-at-separators",
        ["BRG-MCP-34"],
        "Lines of agents end at U+0085, U+2028 and U+2029",
        wires.agent_lines = LineEnd::AnySeparator
    ),
    bends!(
        "mcp-lines-end-at-cr",
        ["BRG-MCP-34"],
        "Lines of agents end at CR",
        wires.agent_lines = LineEnd::CarriageReturn
    ),
    bends!(
        "rpc-lines-end-at-separators",
        ["BRG-MCP-34", "BRG-RPC-09"],
        "Lines of operators end at U+0085, U+2028 and U+2029",
        wires.operator_lines = LineEnd::AnySeparator
    ),
    bends!(
        "rpc-lines-end-at-cr",
        ["BRG-MCP-34", "BRG-RPC-09"],
        "Lines of operators end at CR",
        wires.operator_lines = LineEnd::CarriageReturn
    ),
    bends!(
        "mcp-wide-letters-cut",
        ["BRG-MCP-34"],
        "Lines of agents are decoded in chunks of 64 KiB",
        wires.agent_chunks = Some(65_536)
    ),
    bends!(
        "rpc-wide-letters-cut",
        ["BRG-MCP-34"],
        "Lines of operators are decoded in chunks of 64 KiB",
        wires.operator_chunks = Some(65_536)
    ),
    bends!(
        "mcp-separators-to-blanks",
        ["BRG-MCP-34"],
        "Separators of lines are blanks in results for agents",
        wires.texts_to_agents = TextChange::SeparatorsToBlanks
    ),
    bends!(
        "mcp-newlines-joined",
        ["BRG-MCP-34"],
        "Every end of a line is LF in results for agents",
        wires.texts_to_agents = TextChange::NewlinesToLineFeeds
    ),
    bends!(
        "mcp-texts-cut",
        ["BRG-MCP-34"],
        "Texts for agents are cut at 64 KiB",
        wires.texts_to_agents = TextChange::CutAt(65_536)
    ),
    bends!(
        "mcp-marks-lost",
        ["BRG-MCP-34"],
        "Byte order marks are lost in results for agents",
        wires.texts_to_agents = TextChange::WithoutMark
    ),
    bends!(
        "mcp-basic-plane-only",
        ["BRG-MCP-34"],
        "Letters beyond the basic plane are lost in results for agents",
        wires.texts_to_agents = TextChange::BasicPlane
    ),
    bends!(
        "mcp-controls-lost",
        ["BRG-MCP-34"],
        "Control characters are lost in results for agents",
        wires.texts_to_agents = TextChange::WithoutControls
    ),
    bends!(
        "rpc-first-of-two-is-judged",
        ["BRG-RPC-14"],
        "Of two names the policy judges the first, and the last is called",
        wires.doubled = Doubled::FirstIsJudged
    ),
    bends!(
        "rpc-first-of-two-is-recorded",
        ["BRG-RPC-14"],
        "Of two arguments the first is recorded, and the last is sent",
        wires.doubled = Doubled::FirstIsRecorded
    ),
    bends!(
        "mcp-both-of-two-are-done",
        ["BRG-RPC-14", "BRG-MCP-27"],
        "A request that names two tools calls both",
        wires.refuse_doubled_of_agents = false
    ),
];

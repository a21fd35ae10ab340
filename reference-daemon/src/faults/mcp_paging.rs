//! Faults of pages and cursors.

use super::fault::{Fault, bends};
use crate::rules::BadCursor;

pub(super) const FAULTS: &[Fault] = &[
    bends!(
        "mcp-cursors-internal-error",
        ["BRG-MCP-35", "BRG-MCP-27"],
        "A cursor that is none is an internal error",
        mcp_paging.bad_cursor = BadCursor::InternalError
    ),
    bends!(
        "mcp-cursors-empty-page",
        ["BRG-MCP-35", "BRG-MCP-27"],
        "A cursor that is none gives an empty page",
        mcp_paging.bad_cursor = BadCursor::EmptyPage
    ),
    Fault {
        id: "mcp-pages-skip-one",
        promises: &["BRG-MCP-35"],
        title: "Each page but the first leaves out an entry",
        bend: |rules| {
            rules.mcp_paging.size = Some(7);
            rules.mcp_paging.shift = 1;
        },
    },
    Fault {
        id: "mcp-pages-repeat-one",
        promises: &["BRG-MCP-35"],
        title: "Each page but the first repeats an entry",
        bend: |rules| {
            rules.mcp_paging.size = Some(7);
            rules.mcp_paging.shift = -1;
        },
    },
    Fault {
        id: "mcp-pages-never-end",
        promises: &["BRG-MCP-35"],
        title: "The last page has a cursor as well",
        bend: |rules| {
            rules.mcp_paging.size = Some(7);
            rules.mcp_paging.ends = false;
        },
    },
    Fault {
        id: "mcp-pages-last-missing",
        promises: &["BRG-MCP-35"],
        title: "The walk ends before the last page",
        bend: |rules| {
            rules.mcp_paging.size = Some(7);
            rules.mcp_paging.last_page = false;
        },
    },
    Fault {
        id: "mcp-pages-equal-names-lost",
        promises: &["BRG-MCP-35"],
        title: "Of entries with one name the walk meets the first",
        bend: |rules| {
            rules.mcp_paging.size = Some(7);
            rules.mcp_paging.equal_names = false;
        },
    },
    Fault {
        id: "mcp-cursors-plain-numbers",
        promises: &["BRG-MCP-35", "BRG-MCP-27"],
        title: "A cursor is a number that anybody can write",
        bend: |rules| {
            rules.mcp_paging.size = Some(7);
            rules.mcp_paging.sealed = false;
        },
    },
];

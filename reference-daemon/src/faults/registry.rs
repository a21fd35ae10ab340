//! Faults that the tool registry and the resource registry can both have.

use super::fault::{Fault, Pair, pairs};
use crate::rules::{AfterResume, Snapshot, Tell, Upsert};

pairs! {
    SNAPSHOT_MERGES: registry.snapshot = Snapshot::Merge;
        tools: "tol-snapshot-merges" "A tool snapshot is added to what is there"
            ["BRG-TOL-01", "BRG-TOL-06", "BRG-RPC-13", "BRG-TOL-03"];
        resources: "res-snapshot-merges" "A resource snapshot is added to what is there"
            ["BRG-RES-01", "BRG-RES-05", "BRG-RES-13", "BRG-RPC-13"];

    EMPTY_SNAPSHOT_IGNORED: registry.snapshot = Snapshot::IgnoreEmpty;
        tools: "tol-empty-snapshot-ignored" "An empty tool snapshot changes nothing" ["BRG-TOL-01", "BRG-RPC-13"];
        resources: "res-empty-snapshot-ignored" "An empty resource snapshot changes nothing"
            ["BRG-RES-01", "BRG-RES-05", "BRG-RPC-13"];

    SECOND_SNAPSHOT_IGNORED: registry.snapshot = Snapshot::FirstOnly;
        tools: "tol-second-snapshot-ignored" "Only a session's first tool snapshot counts"
            ["BRG-TOL-01", "BRG-TOL-06", "BRG-TOL-04", "BRG-RPC-13", "BRG-TOL-03"];
        resources: "res-second-snapshot-ignored" "Only a session's first resource snapshot counts"
            ["BRG-RES-01", "BRG-RES-05", "BRG-RES-13", "BRG-RPC-13", "BRG-MCP-12", "BRG-MCP-14"];

    UPSERT_KEEPS_OLD: registry.upsert = Upsert::KeepOld;
        tools: "tol-upsert-keeps-old" "An upsert of a known tool changes nothing" ["BRG-TOL-03"];
        resources: "res-upsert-keeps-old" "An upsert of a known resource changes nothing" ["BRG-RES-01", "BRG-RES-15"];

    UPSERT_MOVES_ENTRY: registry.upsert = Upsert::MoveToEnd;
        tools: "tol-upsert-moves-entry" "An upsert moves a known tool to the end of the list"
            ["BRG-RPC-13", "BRG-TOL-03"];
        resources: "res-upsert-moves-entry" "An upsert moves a known resource to the end of the list"
            ["BRG-RPC-13", "BRG-RES-01"];

    REMOVE_IGNORED: registry.remove = false;
        tools: "tol-remove-ignored" "A removed tool stays" ["BRG-TOL-03"];
        resources: "res-remove-ignored" "A removed resource stays" ["BRG-RES-01", "BRG-RES-13", "BRG-MCP-10"];

    REMOVE_UNKNOWN_CLOSES: registry.remove_unknown = false;
        tools: "tol-remove-unknown-closes" "Removing an unknown tool closes the socket"
            ["BRG-TOL-03", "BRG-TOL-04", "BRG-TOL-02"];
        resources: "res-remove-unknown-closes" "Removing an unknown resource closes the socket"
            ["BRG-RES-01", "BRG-RES-02"];

    RESUME_CLEARS: registry.after_resume = AfterResume::Clear;
        tools: "tol-resume-clears" "A resume empties the tool registry" ["BRG-TOL-06"];
        resources: "res-resume-clears" "A resume empties the resource registry"
            ["BRG-RES-05", "BRG-SES-07", "BRG-RPC-03", "BRG-RPC-05"];

    RESUME_MERGES: registry.after_resume = AfterResume::MergeNext;
        tools: "tol-resume-merges" "The tool snapshot after a resume is added to the kept tools"
            ["BRG-TOL-06", "BRG-TOL-01"];
        resources: "res-resume-merges" "The resource snapshot after a resume is added to the kept resources"
            ["BRG-RES-05", "BRG-RES-13"];

    RESUME_STALE: registry.after_resume = AfterResume::IgnoreNext;
        tools: "tol-resume-stale" "The tool snapshot after a resume is ignored" ["BRG-TOL-06", "BRG-TOL-01"];
        resources: "res-resume-stale" "The resource snapshot after a resume is ignored"
            ["BRG-RES-05", "BRG-MCP-12", "BRG-RES-13", "BRG-MCP-14"];

    CHANGES_UNTOLD: registry.tell = Tell::Never;
        tools: "tol-changes-untold" "Changes of the tool registry are no events"
            ["BRG-RPC-05", "BRG-RPC-07", "BRG-RPC-06"];
        resources: "res-changes-untold" "Changes of the resource registry are no events"
            [
                "BRG-RPC-05", "BRG-MCP-12", "BRG-MCP-14", "BRG-MCP-13", "BRG-RES-05", "BRG-MCP-24",
                "BRG-FBK-06", "BRG-MCP-26", "BRG-MCP-03", "BRG-MCP-04", "BRG-FBK-03", "BRG-MCP-22"
            ];

    LIST_SORTED: registry.registry_order = false;
        tools: "tol-list-sorted" "Tools are listed by name" ["BRG-RPC-13"];
        resources: "res-list-sorted" "Resources are listed by name" ["BRG-RPC-13"];
}

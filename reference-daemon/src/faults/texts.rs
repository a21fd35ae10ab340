//! Faults of long texts, of frames of certain lengths, and of much at once.

use super::fault::Fault;
use crate::rules::{Alteration, ContentAlteration};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "tol-arguments-cut-at-64-kib",
        promises: &["BRG-TOL-07", "BRG-MCP-34", "BRG-CON-18"],
        title: "Texts in arguments end after 64 KiB",
        bend: |rules| rules.tools.arguments = Alteration::CutLong,
    },
    Fault {
        id: "tol-arguments-split-at-64-kib",
        promises: &["BRG-TOL-07", "BRG-MCP-34", "BRG-CON-18"],
        title: "A wide character of arguments that lies across a border of 64 KiB is spoilt",
        bend: |rules| rules.tools.arguments = Alteration::SplitLong,
    },
    Fault {
        id: "tol-arguments-separators-are-newlines",
        promises: &["BRG-TOL-07", "BRG-MCP-34"],
        title: "Line separators in arguments become newlines",
        bend: |rules| rules.tools.arguments = Alteration::LineSeparators,
    },
    Fault {
        id: "tol-result-cut-at-100-kib",
        promises: &["BRG-TOL-07", "BRG-MCP-34", "BRG-CON-08", "BRG-CON-18"],
        title: "Texts in results end after 100 KiB",
        bend: |rules| rules.tools.result = Alteration::CutVeryLong,
    },
    Fault {
        id: "tol-result-split-at-64-kib",
        promises: &["BRG-TOL-07", "BRG-MCP-34"],
        title: "A wide character of a result that lies across a border of 64 KiB is spoilt",
        bend: |rules| rules.tools.result = Alteration::SplitLong,
    },
    Fault {
        id: "tol-details-split-at-64-kib",
        promises: &["BRG-TOL-08", "BRG-MCP-34"],
        title: "A wide character of an error's details that lies across a border of 64 KiB is spoilt",
        bend: |rules| rules.texts.error_details = Alteration::SplitLong,
    },
    Fault {
        id: "rpc-event-split-at-64-kib",
        promises: &["BRG-RPC-06", "BRG-MCP-34", "BRG-RPC-07"],
        title: "A wide character of an event that lies across a border of 64 KiB is spoilt",
        bend: |rules| rules.texts.event_payload = Alteration::SplitLong,
    },
    Fault {
        id: "rpc-event-cut-at-100-kib",
        promises: &["BRG-RPC-06", "BRG-MCP-34", "BRG-RPC-07"],
        title: "Texts in events end after 100 KiB",
        bend: |rules| rules.texts.event_payload = Alteration::CutVeryLong,
    },
    Fault {
        id: "res-contents-split-at-64-kib",
        promises: &["BRG-RES-07", "BRG-MCP-34"],
        title: "A wide character of contents that lies across a border of 64 KiB is spoilt",
        bend: |rules| rules.resources.contents = ContentAlteration::SplitText,
    },
    Fault {
        id: "con-frame-of-126-bytes-refused",
        promises: &["BRG-CON-10"],
        title: "A frame of exactly 126 bytes is taken for too long",
        bend: |rules| rules.texts.refused_length = Some(126),
    },
    Fault {
        id: "con-frame-of-64-kib-refused",
        promises: &["BRG-CON-10"],
        title: "A frame of exactly 64 KiB is taken for too long",
        bend: |rules| rules.texts.refused_length = Some(65_536),
    },
    Fault {
        id: "con-frames-beyond-64-kib-refused",
        promises: &["BRG-CON-10", "BRG-CON-08", "BRG-TOL-07", "BRG-MCP-34", "BRG-RES-07", "BRG-RPC-06", "BRG-TOL-08"],
        title: "Frames of 64 KiB and more are taken for too long",
        bend: |rules| rules.texts.refused_from = Some(65_536),
    },
    Fault {
        id: "tol-calls-beyond-64-kib-lost",
        promises: &["BRG-TOL-07", "BRG-MCP-34", "BRG-CON-18", "BRG-CON-11"],
        title: "Calls of more than 64 KiB never reach their app",
        bend: |rules| rules.texts.unsent_from = Some(65_536),
    },
    Fault {
        id: "tol-fifty-calls-open",
        promises: &["BRG-TOL-10", "BRG-RPC-09", "BRG-CON-11", "BRG-TOL-18"],
        title: "An app has fifty calls open at most",
        bend: |rules| rules.texts.open_calls = Some(50),
    },
    Fault {
        id: "tol-hundred-call-ids",
        promises: &["BRG-TOL-10", "BRG-RPC-09", "BRG-TOL-07"],
        title: "The hundredth call has the id of the first again",
        bend: |rules| rules.texts.call_ids = Some(100),
    },
    Fault {
        id: "res-thirty-reads-open",
        promises: &["BRG-RES-11"],
        title: "The daemon has thirty reads open at most",
        bend: |rules| rules.texts.open_reads = Some(30),
    },
];

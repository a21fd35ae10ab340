//! Watchers: promises that hold everywhere, judged from the transcript of every scenario without being asked.
//!
//! A watcher looks at one thing on one kind of wire. Where that wire was never used, it says nothing at all, so a pass
//! always means that there was something to see.

mod app_wire;
mod exchange;
mod handshake;
mod listing;
mod observation;
mod parsed_transcript;
mod progress;
mod provenance;
mod secrets;
mod strictness;
mod survival;

#[cfg(test)]
mod tests;

use super::verdict::{CheckResult, Verdict};
use crate::scenario::model::Level;
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::Record;
use observation::Observation;
use parsed_transcript::ParsedTranscript;
use serde_json::json;

/// How many breaches of one watcher stand in its message; the evidence lists all.
const TOLD_MAX: usize = 5;

/// One watcher.
#[derive(Debug)]
pub struct Watcher {
    /// Name; its check's id ends in `watch/<name>`.
    pub name: &'static str,
    /// What it watches, in one sentence.
    pub summary: &'static str,
    /// Promises it proves.
    pub promises: &'static [&'static str],
    judge: fn(&ParsedTranscript<'_>, &RunMetadata) -> Observation,
}

/// All watchers.
pub static WATCHERS: &[Watcher] = &[
    Watcher {
        name: "strict-app-frames",
        summary: "every frame sent to an app is strict JSON and keeps its field rules and limits",
        promises: &["BRG-CON-18", "BRG-SES-01", "BRG-TOL-07", "BRG-RES-06"],
        judge: strictness::app_frames,
    },
    Watcher {
        name: "strict-rpc-lines",
        summary: "every line of the control RPC is strict JSON-RPC",
        promises: &["BRG-RPC-09"],
        judge: strictness::rpc_lines,
    },
    Watcher {
        name: "strict-mcp-lines",
        summary: "nothing but strict JSON-RPC, one message a line, comes from the MCP server",
        promises: &["BRG-MCP-24"],
        judge: strictness::mcp_lines,
    },
    Watcher {
        name: "rpc-answers",
        summary: "every answer on the control RPC carries the id of a request that waits, once",
        promises: &["BRG-RPC-09"],
        judge: exchange::rpc,
    },
    Watcher {
        name: "mcp-answers",
        summary: "every answer of the MCP server carries the id of a request that waits, once",
        promises: &["BRG-MCP-27"],
        judge: exchange::mcp,
    },
    Watcher {
        name: "handshake-first",
        summary: "the MCP server sends nothing of its own accord before the handshake is complete",
        promises: &["BRG-MCP-01"],
        judge: handshake::nothing_before,
    },
    Watcher {
        name: "declared-only",
        summary: "the MCP server sends only the notifications that its capabilities allow",
        promises: &["BRG-MCP-01"],
        judge: handshake::declared_only,
    },
    Watcher {
        name: "subscribed-only",
        summary: "updates come only for URIs that this client has subscribed to",
        promises: &["BRG-MCP-16"],
        judge: handshake::subscribed_only,
    },
    Watcher {
        name: "era",
        summary: "nothing of another revision leaks into the one that was negotiated",
        promises: &["BRG-MCP-21"],
        judge: handshake::era,
    },
    Watcher {
        name: "lists-well-formed",
        summary: "listed tools and resources have the required members, allowed names, and no twins",
        promises: &["BRG-MCP-04", "BRG-MCP-28"],
        judge: listing::lists,
    },
    Watcher {
        name: "progress",
        summary: "progress comes only with the token of a request that waits, and it grows",
        promises: &["BRG-TOL-16", "BRG-TOL-14"],
        judge: progress::tokens,
    },
    Watcher {
        name: "provenance",
        summary: "no app's content turns up under another's name",
        promises: &["BRG-MCP-04", "BRG-TOL-10"],
        judge: provenance::owners,
    },
    Watcher {
        name: "secrets",
        summary: "no token leaves the wires it belongs to",
        promises: &["BRG-SES-12"],
        judge: secrets::kept,
    },
    Watcher {
        name: "call-ids",
        summary: "every call and read sent to an app has an id of its own and that socket's session",
        promises: &["BRG-TOL-07", "BRG-RES-06"],
        judge: app_wire::call_ids,
    },
    Watcher {
        name: "silent-after-close",
        summary: "nothing is sent to an app after the close frame",
        promises: &["BRG-SES-15"],
        judge: app_wire::silent_after_close,
    },
    Watcher {
        name: "event-numbers",
        summary: "the numbers of a session's events grow",
        promises: &["BRG-RPC-06"],
        judge: exchange::event_numbers,
    },
    Watcher {
        name: "survival",
        summary: "the daemon is alive until it is told to end",
        promises: &["BRG-CON-11"],
        judge: survival::daemon,
    },
    Watcher {
        name: "mcp-survival",
        summary: "the MCP server is alive until it is told to end",
        promises: &["BRG-MCP-38"],
        judge: survival::mcp_server,
    },
];

/// Judges one run. The ids of the results are `<run>:watch/<name>`.
pub fn judge(records: &[Record], metadata: &RunMetadata) -> Vec<CheckResult> {
    let transcript = ParsedTranscript::new(records);
    WATCHERS.iter().filter_map(|watcher| result(watcher, &transcript, metadata)).collect()
}

fn result(watcher: &Watcher, transcript: &ParsedTranscript<'_>, metadata: &RunMetadata) -> Option<CheckResult> {
    let breaches = match (watcher.judge)(transcript, metadata) {
        Observation::Nothing => return None,
        Observation::Seen(breaches) => breaches,
    };
    let mut message: Vec<String> = breaches.iter().take(TOLD_MAX).map(|breach| breach.why.clone()).collect();
    if breaches.len() > TOLD_MAX {
        message.push(format!("and {} more", breaches.len() - TOLD_MAX));
    }
    let mut evidence: Vec<u64> = breaches.iter().flat_map(|breach| breach.records.iter().copied()).collect();
    evidence.sort_unstable();
    evidence.dedup();
    let arrived = transcript.shown(&evidence);
    Some(CheckResult {
        id: format!("{}:watch/{}", metadata.run, watcher.name),
        promises: watcher.promises.iter().map(ToString::to_string).collect(),
        level: Level::Must,
        verdict: if breaches.is_empty() { Verdict::Pass } else { Verdict::Fail },
        message: message.join("; "),
        outcome: None,
        expected: (!breaches.is_empty()).then(|| json!(watcher.summary)),
        arrived,
        evidence,
        span: None,
        micros: 0,
    })
}

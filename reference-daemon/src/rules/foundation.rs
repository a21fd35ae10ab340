//! Decisions that everything stands on: a daemon that takes one of them wrongly fails wherever it is used.
//!
//! Their faults show which checks notice when something beneath them gives way, so each of them hurts [`EVERYTHING`].

use super::{EVERYTHING, Fault};

/// The decisions. [`Default`] is the contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundationRules {
    /// Every so manieth call fails for no reason, unsent (`TOL-07`: none).
    pub failing_calls: Option<u64>,
    /// Every so manieth read fails for no reason, unsent (`RES-06`: none).
    pub failing_reads: Option<u64>,
    /// Every so manieth request of the control RPC fails for no reason, on connections other than the daemon's first
    /// (`RPC-09`: none).
    pub failing_requests: Option<u64>,
    /// Every so manieth snapshot is ignored (`TOL-01`, `RES-01`: none).
    pub ignored_snapshots: Option<u64>,
    /// Every so manieth answer of an app is taken for a failure (`TOL-10`: none).
    pub lost_answers: Option<u64>,
    /// Every so manieth claim is turned away (`SES-01`: none).
    pub refused_claims: Option<u64>,
    /// Every so manieth resume is turned away (`SES-08`: none).
    pub refused_resumes: Option<u64>,
    /// Every so manieth frame in a session closes its socket (`CON-07`: none).
    pub refused_frames: Option<u64>,
    /// Every so manieth event is not told on connections other than the daemon's first (`RPC-06`: none).
    pub lost_events: Option<u64>,
    /// Events are told on the daemon's first connection only (`RPC-06`: on all).
    pub deaf_connections: bool,
    /// What one app sends makes the daemon send something to all others (`CON-11`: no).
    pub disturbed_neighbours: bool,
    /// Every request of the control RPC makes the daemon send something to all apps (`TOL-13`: no).
    pub stirred_apps: bool,
    /// A broken rule ends the session instead of suspending it (`SES-16`: no).
    pub deadly_violations: bool,
    /// A broken rule discards all pending links (`CON-11`: no).
    pub burnt_links: bool,
}

/// Whether the one with this number, from 1, is an `every`-th.
pub fn is_due(every: Option<u64>, number: u64) -> bool {
    every.is_some_and(|every| every > 0 && number.is_multiple_of(every))
}

macro_rules! fault {
    ($id:literal, $promise:literal, $title:literal, $area:ident.$member:ident = $value:expr) => {
        Fault { id: $id, promises: &[$promise, EVERYTHING], title: $title, bend: |rules| rules.$area.$member = $value }
    };
}

pub(super) const FAULTS: &[Fault] = &[
    fault!("tol-calls-fail", "BRG-TOL-07", "No call reaches its app", foundation.failing_calls = Some(1)),
    fault!("tol-second-call-fails", "BRG-TOL-07", "Every second call fails unsent", foundation.failing_calls = Some(2)),
    fault!("tol-third-call-fails", "BRG-TOL-07", "Every third call fails unsent", foundation.failing_calls = Some(3)),
    fault!("tol-fifth-call-fails", "BRG-TOL-07", "Every fifth call fails unsent", foundation.failing_calls = Some(5)),
    fault!("res-reads-fail", "BRG-RES-06", "No read reaches its app", foundation.failing_reads = Some(1)),
    fault!("res-second-read-fails", "BRG-RES-06", "Every second read fails unsent", foundation.failing_reads = Some(2)),
    fault!("res-third-read-fails", "BRG-RES-06", "Every third read fails unsent", foundation.failing_reads = Some(3)),
    fault!("res-fifth-read-fails", "BRG-RES-06", "Every fifth read fails unsent", foundation.failing_reads = Some(5)),
    fault!(
        "rpc-requests-fail",
        "BRG-RPC-09",
        "Only the first connection is served",
        foundation.failing_requests = Some(1)
    ),
    fault!(
        "rpc-second-request-fails",
        "BRG-RPC-09",
        "Every second request fails",
        foundation.failing_requests = Some(2)
    ),
    fault!("rpc-third-request-fails", "BRG-RPC-09", "Every third request fails", foundation.failing_requests = Some(3)),
    fault!("rpc-fifth-request-fails", "BRG-RPC-09", "Every fifth request fails", foundation.failing_requests = Some(5)),
    fault!("mcp-requests-fail", "BRG-MCP-01", "Every MCP request fails", mcp.failing_requests = Some(1)),
    fault!("mcp-second-request-fails", "BRG-MCP-01", "Every second MCP request fails", mcp.failing_requests = Some(2)),
    fault!("mcp-third-request-fails", "BRG-MCP-01", "Every third MCP request fails", mcp.failing_requests = Some(3)),
    fault!("mcp-fifth-request-fails", "BRG-MCP-01", "Every fifth MCP request fails", mcp.failing_requests = Some(5)),
    fault!("tol-snapshots-ignored", "BRG-TOL-01", "Snapshots are ignored", foundation.ignored_snapshots = Some(1)),
    fault!(
        "tol-second-snapshots-ignored",
        "BRG-TOL-01",
        "Every second snapshot is ignored",
        foundation.ignored_snapshots = Some(2)
    ),
    fault!(
        "tol-third-snapshots-ignored",
        "BRG-TOL-01",
        "Every third snapshot is ignored",
        foundation.ignored_snapshots = Some(3)
    ),
    fault!(
        "rpc-one-listener",
        "BRG-RPC-06",
        "Only the first connection hears events",
        foundation.deaf_connections = true
    ),
    fault!(
        "con-neighbours-disturbed",
        "BRG-CON-11",
        "What an app sends stirs all others",
        foundation.disturbed_neighbours = true
    ),
    fault!(
        "tol-cancel-out-of-nothing",
        "BRG-TOL-13",
        "Every request makes apps cancel what they do not have",
        foundation.stirred_apps = true
    ),
    fault!("tol-answers-lost", "BRG-TOL-10", "No answer of an app counts", foundation.lost_answers = Some(1)),
    fault!(
        "tol-second-answer-lost",
        "BRG-TOL-10",
        "Every second answer is a failure",
        foundation.lost_answers = Some(2)
    ),
    fault!("tol-third-answer-lost", "BRG-TOL-10", "Every third answer is a failure", foundation.lost_answers = Some(3)),
    fault!("tol-fifth-answer-lost", "BRG-TOL-10", "Every fifth answer is a failure", foundation.lost_answers = Some(5)),
    fault!(
        "ses-second-claim-refused",
        "BRG-SES-01",
        "Every second claim is turned away",
        foundation.refused_claims = Some(2)
    ),
    fault!(
        "ses-third-claim-refused",
        "BRG-SES-01",
        "Every third claim is turned away",
        foundation.refused_claims = Some(3)
    ),
    fault!("ses-no-resumes", "BRG-SES-08", "No session can be resumed", foundation.refused_resumes = Some(1)),
    fault!(
        "ses-second-resume-refused",
        "BRG-SES-08",
        "Every second resume is turned away",
        foundation.refused_resumes = Some(2)
    ),
    fault!(
        "ses-third-resume-refused",
        "BRG-SES-08",
        "Every third resume is turned away",
        foundation.refused_resumes = Some(3)
    ),
    fault!(
        "con-fourth-frame-refused",
        "BRG-CON-07",
        "Every fourth frame closes its socket",
        foundation.refused_frames = Some(4)
    ),
    fault!(
        "con-seventh-frame-refused",
        "BRG-CON-07",
        "Every seventh frame closes its socket",
        foundation.refused_frames = Some(7)
    ),
    fault!("rpc-second-event-lost", "BRG-RPC-06", "Every second event is lost", foundation.lost_events = Some(2)),
    fault!("rpc-third-event-lost", "BRG-RPC-06", "Every third event is lost", foundation.lost_events = Some(3)),
    fault!("rpc-fifth-event-lost", "BRG-RPC-06", "Every fifth event is lost", foundation.lost_events = Some(5)),
    fault!(
        "ses-violation-ends-session",
        "BRG-SES-16",
        "A broken rule ends the session",
        foundation.deadly_violations = true
    ),
    fault!(
        "con-violation-burns-links",
        "BRG-CON-11",
        "A broken rule discards all pending links",
        foundation.burnt_links = true
    ),
    fault!("cli-stack-traces", "BRG-CLI-03", "Failures show a stack trace", cli.stack_traces = true),
    fault!("cli-start-fails", "BRG-CLI-04", "`daemon start` fails", cli.failing_command = Some("daemon start")),
    fault!("cli-stop-fails", "BRG-CLI-04", "`daemon stop` fails", cli.failing_command = Some("daemon stop")),
    fault!("cli-status-fails", "BRG-CLI-04", "`daemon status` fails", cli.failing_command = Some("daemon status")),
    fault!("cli-link-fails", "BRG-CLI-04", "`link` fails", cli.failing_command = Some("link")),
    fault!("cli-ls-fails", "BRG-CLI-04", "`ls` fails", cli.failing_command = Some("ls")),
    fault!("cli-tools-fails", "BRG-CLI-01", "`tools` fails", cli.failing_command = Some("tools")),
    fault!("cli-invoke-fails", "BRG-CLI-04", "`invoke` fails", cli.failing_command = Some("invoke")),
    fault!("cli-resources-fails", "BRG-CLI-01", "`resources` fails", cli.failing_command = Some("resources")),
    fault!("cli-read-fails", "BRG-CLI-01", "`read` fails", cli.failing_command = Some("read")),
    fault!("cli-events-fails", "BRG-CLI-04", "`events` fails", cli.failing_command = Some("events")),
    fault!("cli-revoke-fails", "BRG-CLI-04", "`revoke` fails", cli.failing_command = Some("revoke")),
    fault!("cli-keygen-fails", "BRG-CLI-04", "`keygen` fails", cli.failing_command = Some("keygen")),
];

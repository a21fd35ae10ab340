//! Faults of what everything stands on. They show which checks notice when something beneath them gives way, so each
//! hurts [`EVERYTHING`]. Those of the MCP server and the command line stand with their other faults.

use super::fault::{Fault, beneath};

pub(super) const FAULTS: &[Fault] = &[
    beneath!("tol-calls-fail", "BRG-TOL-07", "No call reaches its app", foundation.failing_calls = Some(1)),
    beneath!(
        "tol-second-call-fails",
        "BRG-TOL-07",
        "Every second call fails unsent",
        foundation.failing_calls = Some(2)
    ),
    beneath!("tol-third-call-fails", "BRG-TOL-07", "Every third call fails unsent", foundation.failing_calls = Some(3)),
    beneath!("tol-fifth-call-fails", "BRG-TOL-07", "Every fifth call fails unsent", foundation.failing_calls = Some(5)),
    beneath!(
        "tol-seventh-call-fails",
        "BRG-TOL-07",
        "Every seventh call fails unsent",
        foundation.failing_calls = Some(7)
    ),
    beneath!(
        "res-contents-invented",
        "BRG-RES-06",
        "Reads have empty contents, and no app is asked",
        foundation.invented_contents = true
    ),
    beneath!("res-reads-fail", "BRG-RES-06", "No read reaches its app", foundation.failing_reads = Some(1)),
    beneath!(
        "res-second-read-fails",
        "BRG-RES-06",
        "Every second read fails unsent",
        foundation.failing_reads = Some(2)
    ),
    beneath!("res-third-read-fails", "BRG-RES-06", "Every third read fails unsent", foundation.failing_reads = Some(3)),
    beneath!("res-fifth-read-fails", "BRG-RES-06", "Every fifth read fails unsent", foundation.failing_reads = Some(5)),
    beneath!(
        "rpc-requests-fail",
        "BRG-RPC-09",
        "Only the first connection is served",
        foundation.failing_requests = Some(1)
    ),
    beneath!(
        "rpc-second-request-fails",
        "BRG-RPC-09",
        "Every second request fails",
        foundation.failing_requests = Some(2)
    ),
    beneath!(
        "rpc-third-request-fails",
        "BRG-RPC-09",
        "Every third request fails",
        foundation.failing_requests = Some(3)
    ),
    beneath!(
        "rpc-fifth-request-fails",
        "BRG-RPC-09",
        "Every fifth request fails",
        foundation.failing_requests = Some(5)
    ),
    beneath!("tol-snapshots-ignored", "BRG-TOL-01", "Snapshots are ignored", foundation.ignored_snapshots = Some(1)),
    beneath!(
        "tol-second-snapshots-ignored",
        "BRG-TOL-01",
        "Every second snapshot is ignored",
        foundation.ignored_snapshots = Some(2)
    ),
    beneath!(
        "tol-third-snapshots-ignored",
        "BRG-TOL-01",
        "Every third snapshot is ignored",
        foundation.ignored_snapshots = Some(3)
    ),
    beneath!(
        "rpc-one-listener",
        "BRG-RPC-06",
        "Only the first connection hears events",
        foundation.events_to_first_only = true
    ),
    beneath!(
        "con-neighbours-disturbed",
        "BRG-CON-11",
        "What an app sends stirs all others",
        foundation.frames_reach_others = true
    ),
    beneath!(
        "tol-cancel-out-of-nothing",
        "BRG-TOL-13",
        "Every request makes apps cancel what they do not have",
        foundation.stray_cancels = true
    ),
    beneath!("tol-answers-lost", "BRG-TOL-10", "No answer of an app counts", foundation.lost_answers = Some(1)),
    beneath!(
        "tol-second-answer-lost",
        "BRG-TOL-10",
        "Every second answer is a failure",
        foundation.lost_answers = Some(2)
    ),
    beneath!(
        "tol-third-answer-lost",
        "BRG-TOL-10",
        "Every third answer is a failure",
        foundation.lost_answers = Some(3)
    ),
    beneath!(
        "tol-fifth-answer-lost",
        "BRG-TOL-10",
        "Every fifth answer is a failure",
        foundation.lost_answers = Some(5)
    ),
    beneath!("ses-no-claims", "BRG-SES-01", "No link can be claimed", foundation.refused_claims = Some(1)),
    beneath!(
        "ses-second-claim-refused",
        "BRG-SES-01",
        "Every second claim is turned away",
        foundation.refused_claims = Some(2)
    ),
    beneath!(
        "ses-third-claim-refused",
        "BRG-SES-01",
        "Every third claim is turned away",
        foundation.refused_claims = Some(3)
    ),
    beneath!("ses-no-resumes", "BRG-SES-08", "No session can be resumed", foundation.refused_resumes = Some(1)),
    beneath!(
        "ses-second-resume-refused",
        "BRG-SES-08",
        "Every second resume is turned away",
        foundation.refused_resumes = Some(2)
    ),
    beneath!(
        "ses-third-resume-refused",
        "BRG-SES-08",
        "Every third resume is turned away",
        foundation.refused_resumes = Some(3)
    ),
    beneath!(
        "con-second-frame-refused",
        "BRG-CON-07",
        "Every second frame closes its socket",
        foundation.refused_frames = Some(2)
    ),
    beneath!(
        "con-third-frame-refused",
        "BRG-CON-07",
        "Every third frame closes its socket",
        foundation.refused_frames = Some(3)
    ),
    beneath!(
        "con-fifth-frame-refused",
        "BRG-CON-07",
        "Every fifth frame closes its socket",
        foundation.refused_frames = Some(5)
    ),
    beneath!(
        "con-sixth-frame-refused",
        "BRG-CON-07",
        "Every sixth frame closes its socket",
        foundation.refused_frames = Some(6)
    ),
    beneath!(
        "con-ninth-frame-refused",
        "BRG-CON-07",
        "Every ninth frame closes its socket",
        foundation.refused_frames = Some(9)
    ),
    beneath!(
        "con-twelfth-frame-refused",
        "BRG-CON-07",
        "Every twelfth frame closes its socket",
        foundation.refused_frames = Some(12)
    ),
    beneath!(
        "con-seventieth-frame-refused",
        "BRG-CON-07",
        "Every seventieth frame closes its socket",
        foundation.refused_frames = Some(70)
    ),
    beneath!(
        "con-fourth-frame-refused",
        "BRG-CON-07",
        "Every fourth frame closes its socket",
        foundation.refused_frames = Some(4)
    ),
    beneath!(
        "con-seventh-frame-refused",
        "BRG-CON-07",
        "Every seventh frame closes its socket",
        foundation.refused_frames = Some(7)
    ),
    beneath!(
        "res-thirty-eighth-read-lost",
        "BRG-RES-11",
        "Every thirty-eighth read never reaches its app",
        foundation.lost_reads = Some(38)
    ),
    beneath!("rpc-second-event-lost", "BRG-RPC-06", "Every second event is lost", foundation.lost_events = Some(2)),
    beneath!("rpc-third-event-lost", "BRG-RPC-06", "Every third event is lost", foundation.lost_events = Some(3)),
    beneath!("rpc-fifth-event-lost", "BRG-RPC-06", "Every fifth event is lost", foundation.lost_events = Some(5)),
    beneath!(
        "con-violation-heeded",
        "BRG-TOL-02",
        "What a frame says takes effect before its socket is closed for it",
        foundation.violations_take_effect = true
    ),
    beneath!(
        "ses-violation-ends-session",
        "BRG-SES-16",
        "A broken rule ends the session",
        foundation.violations_end_sessions = true
    ),
    beneath!(
        "con-violation-burns-links",
        "BRG-CON-11",
        "A broken rule discards all pending links",
        foundation.violations_discard_links = true
    ),
];

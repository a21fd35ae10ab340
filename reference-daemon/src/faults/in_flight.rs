//! Faults that calls and reads in flight can both have.

use super::fault::{EVERYTHING, Fault, Pair, pairs};
use crate::rules::{OnLoss, Recipient, StrayAnswer};

pairs! {
    TO_FIRST_SESSION: in_flight.recipient = Recipient::First;
        tools: "tol-call-to-first-session" "Calls go to the session that was claimed first"
            ["BRG-TOL-07", "BRG-TOL-10", "BRG-TOL-11", "BRG-SES-16", "BRG-TOL-15"];
        resources: "res-read-from-first-session" "Reads go to the session that was claimed first"
            ["BRG-RES-06", "BRG-SES-16", "BRG-MCP-04", "BRG-FBK-04", "BRG-FBK-06"];

    NAMES_OTHER_SESSION: in_flight.own_session_id = false;
        tools: "tol-call-names-other-session" "Call frames carry a session id that is not the app's"
            ["BRG-TOL-07", EVERYTHING];
        resources: "res-read-names-other-session" "Read frames carry a session id that is not the app's"
            ["BRG-RES-06", EVERYTHING];

    ID_REUSED: in_flight.fresh_id = false;
        tools: "tol-call-id-reused" "All calls of one tool share one call id"
            [
                "BRG-TOL-07", "BRG-TOL-10", "BRG-TOL-16", "BRG-TOL-11", "BRG-CON-11", "BRG-TOL-14",
                "BRG-TOL-09", "BRG-RPC-09", "BRG-TOL-17", "BRG-TOL-13", "BRG-MCP-22"
            ];
        resources: "res-read-id-reused" "All reads of one resource share one id"
            ["BRG-RES-06", "BRG-RES-11", "BRG-RPC-03"];

    SENT_TWICE: in_flight.send_once = false;
        tools: "tol-call-sent-twice" "Every call is sent twice" ["BRG-TOL-07", EVERYTHING];
        resources: "res-read-sent-twice" "Every read is sent twice"
            [
                "BRG-RES-06", "BRG-SES-16", "BRG-CON-17", "BRG-RPC-03", "BRG-RES-13", "BRG-RES-11",
                "BRG-RES-09", "BRG-CON-11", "BRG-MCP-10", "BRG-TOL-11", "BRG-TOL-06", "BRG-MCP-23"
            ];

    ERROR_TYPE_REWRAPPED: in_flight.keep_error_type = false;
        tools: "tol-error-type-rewrapped" "Every app error becomes tool_execution_error"
            ["BRG-TOL-08", "BRG-MCP-08", "BRG-TOL-13"];
        resources: "res-error-type-rewrapped" "Every error of a reader becomes tool_execution_error" ["BRG-RES-10"];

    CALLER_TIMEOUT_IGNORED: in_flight.obey_caller_timeout = false;
        tools: "tol-caller-timeout-ignored" "timeoutMs of a call is ignored" ["BRG-TOL-09", "BRG-AUD-01"];
        resources: "res-caller-timeout-ignored" "timeoutMs of a read is ignored" ["BRG-RES-11", "BRG-AUD-02"];

    DEADLINE_NEVER: in_flight.keep_deadline = false;
        tools: "tol-deadline-never" "A call without an answer waits for ever" ["BRG-TOL-09", "BRG-AUD-01"];
        resources: "res-deadline-never" "A read without an answer waits for ever" ["BRG-RES-11", "BRG-AUD-02"];

    TIMEOUT_WRONG_TYPE: in_flight.timeout_type = "tool_execution_error";
        tools: "tol-timeout-wrong-type" "A passed deadline is told as tool_execution_error"
            ["BRG-TOL-09", "BRG-AUD-01"];
        resources: "res-timeout-wrong-type" "A read's passed deadline is told as tool_execution_error"
            ["BRG-RES-11", "BRG-AUD-02"];

    STRAY_RESULT_CLOSES: in_flight.stray_answer = StrayAnswer::Close;
        tools: "tol-stray-result-closes" "A late or unknown result closes the socket"
            ["BRG-TOL-10", "BRG-TOL-09", "BRG-TOL-11", "BRG-CON-07", "BRG-RES-11", "BRG-TOL-07", "BRG-CON-11"];
        resources: "res-stray-result-closes" "A late or unknown answer to a read closes the socket"
            ["BRG-RES-11", "BRG-CON-07", "BRG-TOL-10"];

    STRAY_RESULT_ANSWERS_OLDEST: in_flight.stray_answer = StrayAnswer::AnswerOldest;
        tools: "tol-stray-result-answers-oldest" "A result of an unknown id answers the oldest call"
            ["BRG-TOL-10", "BRG-TOL-09"];
        resources: "res-stray-result-answers-oldest" "An answer of an unknown id answers the oldest read"
            ["BRG-RES-11"];

    FOREIGN_RESULT_ACCEPTED: in_flight.ignore_foreign = false;
        tools: "tol-foreign-result-accepted" "Another app's result answers the call" ["BRG-TOL-10"];
        resources: "res-foreign-result-accepted" "Another app's contents answer the read" ["BRG-RES-11"];

    RESULTS_IN_ORDER: in_flight.match_by_id = false;
        tools: "tol-results-in-order" "Results answer calls in the order of asking, whatever their id"
            ["BRG-TOL-10", "BRG-TOL-16"];
        resources: "res-results-in-order" "Contents answer reads in the order of asking, whatever their id"
            ["BRG-RES-11"];

    WAITS_AFTER_LOSS: in_flight.on_loss = OnLoss::Wait;
        tools: "tol-loss-leaves-calls" "Calls wait for their deadline after the socket is lost"
            ["BRG-TOL-11", "BRG-SES-16", "BRG-TOL-13", "BRG-CON-11", "BRG-TOL-15", "BRG-AUD-01"];
        resources: "res-loss-leaves-reads" "Reads wait for their deadline after the socket is lost"
            ["BRG-RES-11", "BRG-SES-16", "BRG-AUD-02"];

    LOSS_WRONG_TYPE: in_flight.loss_type = "session_not_active";
        tools: "tol-loss-wrong-type" "A lost socket fails calls with session_not_active" ["BRG-TOL-11", "BRG-AUD-01"];
        resources: "res-loss-wrong-type" "A lost socket fails reads with session_not_active"
            ["BRG-RES-11", "BRG-AUD-02"];

    WAITS_AFTER_REVOKE: in_flight.end_at_once = false;
        tools: "tol-revoke-leaves-calls" "Calls wait for their deadline after the session is revoked" ["BRG-TOL-11"];
        resources: "res-revoke-leaves-reads" "Reads wait for their deadline after the session is revoked"
            ["BRG-RES-11"];

    REVOKE_WRONG_TYPE: in_flight.end_type = "session_suspended";
        tools: "tol-revoke-wrong-type" "Revoking fails calls with session_suspended" ["BRG-TOL-11"];
        resources: "res-revoke-wrong-type" "Revoking fails reads with session_suspended" ["BRG-RES-11"];

    WAITS_FOR_RESUME: in_flight.refuse_suspended = false;
        tools: "tol-suspended-call-waits" "A call to a suspended session waits for the resume"
            ["BRG-TOL-11", "BRG-MCP-23", "BRG-SES-07", "BRG-SES-16", "BRG-AUD-01", "BRG-RPC-01"];
        resources: "res-suspended-read-waits" "A read from a suspended session waits for the resume"
            ["BRG-RPC-03", "BRG-RES-11", "BRG-AUD-02"];

    SUSPENDED_WRONG_TYPE: in_flight.suspended_type = "session_not_active";
        tools: "tol-suspended-wrong-type" "A call to a suspended session fails with session_not_active"
            ["BRG-TOL-11", "BRG-MCP-23", "BRG-AUD-01"];
        resources: "res-suspended-wrong-type" "Reading from a suspended session fails with session_not_active"
            ["BRG-RPC-03", "BRG-RES-11", "BRG-AUD-02"];

    UNKNOWN_SENT: in_flight.refuse_unknown = false;
        tools: "tol-unknown-tool-sent" "A call of an unknown tool is sent to the app" ["BRG-TOL-12", "BRG-AUD-04"];
        resources: "res-unknown-sent" "A read of an unknown resource is sent to the app"
            ["BRG-RPC-04", "BRG-RES-13", "BRG-AUD-02"];

    UNKNOWN_WRONG_TYPE: in_flight.unknown_type = "invalid_request";
        tools: "tol-unknown-tool-wrong-type" "An unknown tool is told as invalid_request" ["BRG-TOL-12", "BRG-AUD-01"];
        resources: "res-unknown-wrong-type" "An unknown resource is told as invalid_request"
            ["BRG-RPC-04", "BRG-AUD-02"];
}

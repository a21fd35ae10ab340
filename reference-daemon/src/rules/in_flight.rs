//! Decisions that calls and reads in flight have in common.

/// Decisions about what is in flight. [`Default`] is the contract. Deadlines stand in the contract's limits.
#[derive(Clone, Debug, PartialEq)]
pub struct InFlightRules {
    /// Whom it goes to (`TOL-07`, `RES-06`).
    pub recipient: Recipient,
    /// Its frame carries the receiving session's id (`TOL-07`, `RES-06`); otherwise a made-up one.
    pub own_session_id: bool,
    /// It has a fresh id (`TOL-07`, `RES-06`); otherwise all of one name share theirs.
    pub fresh_id: bool,
    /// It is sent once (`TOL-07`, `RES-06`).
    pub send_once: bool,
    /// It is sent also where an equal one is in flight (`TOL-07`, `RES-06`).
    pub send_equal: bool,
    /// It is sent also where an equal one of another caller is in flight (`TOL-07`, `RES-06`).
    pub send_for_each_caller: bool,
    /// It is put to every session (`RES-06`: no).
    pub broadcast: bool,
    /// `timeoutMs` is obeyed (`TOL-09`).
    pub obey_caller_timeout: bool,
    /// The deadline is kept (`TOL-09`); otherwise it waits for ever.
    pub keep_deadline: bool,
    /// The type of a passed deadline (`TOL-09`).
    pub timeout_type: &'static str,
    /// What an answer to nothing in flight does (`TOL-10`).
    pub stray_answer: StrayAnswer,
    /// Another session's answer is ignored (`TOL-10`).
    pub ignore_foreign: bool,
    /// Answers are matched by id (`TOL-10`); otherwise the oldest in flight is answered.
    pub match_by_id: bool,
    /// What a lost socket does (`TOL-11`).
    pub on_loss: OnLoss,
    /// The type of a lost socket (`TOL-11`).
    pub loss_type: &'static str,
    /// Revoke and expiry end it at once (`TOL-11`).
    pub end_at_once: bool,
    /// The type of revoke and expiry (`TOL-11`).
    pub end_type: &'static str,
    /// The type of asking a suspended session (`TOL-11`, `RPC-03`).
    pub suspended_type: &'static str,
    /// A suspended session is not asked (`TOL-11`); otherwise the request waits for the resume.
    pub refuse_suspended: bool,
    /// The type of an unknown name (`TOL-12`, `RPC-04`).
    pub unknown_type: &'static str,
    /// An unknown name is not sent (`TOL-12`, `RPC-04`).
    pub refuse_unknown: bool,
    /// The app's error type is passed on (`TOL-08`, `RES-10`); otherwise it becomes `tool_execution_error`.
    pub keep_error_type: bool,
    /// What is put before the app's message (`TOL-08`, `RES-10`: nothing).
    pub message_prefix: &'static str,
    /// The app's details are passed on (`TOL-08`).
    pub keep_details: bool,
}

/// Whom a call or read goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// The session it was meant for.
    Owner,
    /// The active session that was claimed first.
    First,
    /// The active session that was claimed last.
    Last,
}

/// What an answer to nothing in flight does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrayAnswer {
    /// It is ignored.
    Ignore,
    /// It breaks a rule: `invalid_message`.
    Close,
    /// It answers the oldest in flight.
    AnswerOldest,
}

/// What a lost socket does to what is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLoss {
    /// It fails at once.
    Fail,
    /// It waits for its deadline.
    Wait,
    /// It is sent again after the resume.
    SendAgain,
}

impl Default for InFlightRules {
    fn default() -> Self {
        Self {
            recipient: Recipient::Owner,
            own_session_id: true,
            fresh_id: true,
            send_once: true,
            send_equal: true,
            send_for_each_caller: true,
            broadcast: false,
            obey_caller_timeout: true,
            keep_deadline: true,
            timeout_type: "tool_timeout",
            stray_answer: StrayAnswer::Ignore,
            ignore_foreign: true,
            match_by_id: true,
            on_loss: OnLoss::Fail,
            loss_type: "session_suspended",
            end_at_once: true,
            end_type: "unknown_session",
            suspended_type: "session_suspended",
            refuse_suspended: true,
            unknown_type: "tool_not_found",
            refuse_unknown: true,
            keep_error_type: true,
            message_prefix: "",
            keep_details: true,
        }
    }
}

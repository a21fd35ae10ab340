//! How calls and reads end: the one place where each is told about, recorded and answered, once.

use super::audit::{AuditRecord, Outcome};
use super::in_flight::{AppRequest, PendingRequest, RequestKind};
use super::io::{Output, Timer};
use super::policy::NO_CONSENT_CHANNEL;
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{AuditLeak, NO_REASON, OnLoss, is_due};
use iolite_protocol::error_type::AppError;
use iolite_protocol::event::EventKind;
use iolite_protocol::rpc::RpcError;
use serde_json::{Value, json};

/// How a call or read ended.
#[derive(Debug)]
pub(super) enum Completion {
    /// With the app's result, or its contents.
    Success(Value),
    /// With the app's error.
    App(AppError),
    /// Without the app: its type and a message for people.
    Failed(&'static str, String),
    /// By policy; with a message where it was because nobody could be asked for consent.
    Denied(Option<String>),
}

impl Completion {
    pub(super) fn failed(error_type: &'static str, message: String) -> Self {
        Self::Failed(error_type, message)
    }

    pub(super) fn invalid(message: String) -> Self {
        Self::Failed("invalid_request", message)
    }
}

impl Core {
    /// The text, unless it is longer than a frame may be (`BRG-CON-18`).
    pub(super) fn within_limit(&self, text: String) -> Result<String, Completion> {
        let limit = self.rules.contract.limits.frame_bytes;
        if text.len() > limit && self.rules.connection.check_outgoing {
            return Err(Completion::invalid(format!(
                "the frame would have {} bytes, and may have {limit}",
                text.len()
            )));
        }
        Ok(text)
    }

    /// What waited for the app's return is sent. By the contract nothing waits.
    pub(super) fn send_waiting(&mut self, serial: Serial) {
        let texts: Vec<String> = self.in_flight.of_target(serial).filter_map(|pending| pending.text.clone()).collect();
        for text in texts {
            self.send_to(serial, text);
        }
    }

    /// The socket is lost: what is in flight fails at once (`BRG-TOL-11`, `BRG-RES-11`).
    pub(super) fn fail_in_flight_on_loss(&mut self, serial: Serial) {
        let lost: Vec<u64> = self
            .in_flight
            .of_target(serial)
            .filter(|pending| self.in_flight_rules(pending.request.kind).on_loss == OnLoss::Fail)
            .map(|pending| pending.serial)
            .collect();
        for pending in lost {
            self.fail(pending, |rules| rules.loss_type, "the app's connection was lost");
        }
    }

    /// The session is over: what is in flight fails at once (`BRG-TOL-11`, `BRG-RES-11`).
    pub(super) fn fail_in_flight_on_end(&mut self, serial: Serial) {
        let lost: Vec<u64> = self
            .in_flight
            .of_target(serial)
            .filter(|pending| self.in_flight_rules(pending.request.kind).end_at_once)
            .map(|pending| pending.serial)
            .collect();
        for pending in lost {
            self.fail(pending, |rules| rules.end_type, "the session is over");
        }
    }

    pub(super) fn fail_all_in_flight(&mut self) {
        let all: Vec<u64> = self.in_flight.iter().map(|pending| pending.serial).collect();
        for pending in all {
            self.fail(pending, |rules| rules.loss_type, "the daemon stops");
        }
    }

    /// Nobody answered in time (`BRG-TOL-09`).
    pub(super) fn deadline_passed(&mut self, serial: u64) {
        self.fail(serial, |rules| rules.timeout_type, "the app did not answer in time");
    }

    fn fail(&mut self, serial: u64, error_type: impl Fn(&crate::rules::InFlightRules) -> &'static str, message: &str) {
        if let Some(pending) = self.in_flight.take(serial) {
            let error_type = error_type(self.in_flight_rules(pending.request.kind));
            self.complete(pending, Completion::failed(error_type, message.to_owned()));
        }
    }

    /// A call or read that was in flight ends. The caller has taken it out of the table already.
    pub(super) fn complete(&mut self, pending: PendingRequest, completion: Completion) {
        let completion = match completion {
            Completion::Success(_) | Completion::App(_) => self.counted(completion),
            completion => completion,
        };
        self.cancel_timer(Timer::Deadline(pending.serial));
        if pending.request.kind == RequestKind::Call {
            let (outcome, error_type) = self.outcome(&pending.request, &completion);
            let mut data = json!({
                "callId": pending.id,
                "tool": pending.request.name,
                "outcome": outcome,
            });
            if let Some(error_type) = error_type {
                data["errorType"] = error_type.into();
            }
            data["durationMs"] = self.now.since(pending.request.started).into();
            let request = pending.request.origin.clone();
            let session = pending.request.session;
            self.emit_for_request(EventKind::ToolCallFinished, session, data, Some(&request));
        }
        let id = pending.id;
        if self.rules.cancel.late_is_sent && pending.request.kind == RequestKind::Call {
            self.finished_calls.insert(id.clone(), pending.target);
        }
        self.finish(pending.request, completion, Some(&id));
    }

    /// Records and answers, once (`BRG-AUD-04`). `id` is the id on the wire, if there was one.
    pub(super) fn finish(&mut self, request: AppRequest, completion: Completion, id: Option<&str>) {
        self.record(&request, &completion, id.is_some());
        let answer = match completion {
            Completion::Success(value) => Ok(self.success(request.kind, value, id.unwrap_or_default())),
            Completion::App(error) => Err(self.app_error(request.kind, &error)),
            Completion::Failed(error_type, message) => Err(self.typed(error_type, message)),
            Completion::Denied(reason) => Err(self.denied(&request, reason)),
        };
        self.answer(&request.origin, answer);
    }

    /// An answer of an app, unless it is to be lost. Only a bent rule table wants that.
    fn counted(&mut self, answer: Completion) -> Completion {
        self.counts.answers += 1;
        match is_due(self.rules.foundation.lost_answers, self.counts.answers) {
            true => Completion::failed("internal_error", NO_REASON.to_owned()),
            false => answer,
        }
    }

    fn success(&self, kind: RequestKind, value: Value, id: &str) -> Value {
        match kind {
            RequestKind::Call => json!({ "result": value, "callId": id }),
            RequestKind::Read if self.rules.rpc.read_id => json!({ "contents": value, "readId": id }),
            RequestKind::Read => json!({ "contents": value }),
        }
    }

    /// The app's own error, verbatim (`BRG-TOL-08`, `BRG-RES-10`).
    fn app_error(&self, kind: RequestKind, error: &AppError) -> RpcError {
        let rules = self.in_flight_rules(kind);
        let mut data = json!({ "type": self.error_type(kind, error) });
        if let Some(details) = error.details().filter(|_| rules.keep_details) {
            data["details"] = super::alterations::value(details.clone(), self.rules.texts.error_details);
        }
        let message = format!("{}{}", rules.message_prefix, error.message());
        RpcError::new(RpcError::TYPED, message, Some(data))
    }

    fn error_type<'a>(&self, kind: RequestKind, error: &'a AppError) -> &'a str {
        match self.in_flight_rules(kind).keep_error_type {
            true => error.type_text(),
            false => "tool_execution_error",
        }
    }

    fn denied(&self, request: &AppRequest, reason: Option<String>) -> RpcError {
        let error_type = self.rules.policy.denied_type;
        match reason {
            None => self.typed(error_type, format!("policy denies {}/{}", request.alias, request.name)),
            Some(message) => RpcError::new(
                RpcError::TYPED,
                message,
                Some(json!({
                    "type": error_type,
                    "reason": NO_CONSENT_CHANNEL,
                    "details": { "reason": NO_CONSENT_CHANNEL },
                })),
            ),
        }
    }

    fn outcome(&self, request: &AppRequest, completion: &Completion) -> (Outcome, Option<String>) {
        match completion {
            Completion::Success(_) => (Outcome::Ok, None),
            Completion::App(error) => {
                let outcome = match error.type_text() {
                    "tool_cancelled" => Outcome::Cancelled,
                    _ => Outcome::Error,
                };
                (outcome, Some(self.error_type(request.kind, error).to_owned()))
            }
            Completion::Failed(error_type, _) => (Outcome::Error, Some((*error_type).to_owned())),
            Completion::Denied(_) => (Outcome::Denied, Some(self.rules.policy.denied_type.to_owned())),
        }
    }

    /// Appends what happened to the audit (`BRG-AUD-01`, `BRG-AUD-02`).
    fn record(&mut self, request: &AppRequest, completion: &Completion, sent: bool) {
        let rules = &self.rules.audit;
        let (outcome, error_type) = self.outcome(request, completion);
        let timed_out = matches!(completion, Completion::Failed(kind, _)
            if *kind == self.in_flight_rules(request.kind).timeout_type);
        let wanted = match request.kind {
            RequestKind::Call => rules.record_calls,
            RequestKind::Read => rules.record_reads && rules.unrecorded_reader != Some(request.caller.as_str()),
        } && (rules.record_failures || outcome != Outcome::Error)
            && (rules.record_denials || outcome != Outcome::Denied)
            && (rules.record_timeouts || !timed_out)
            && (rules.record_unsent || sent || outcome == Outcome::Denied);
        if !wanted {
            return;
        }
        let leaked = match (rules.leak, completion) {
            (AuditLeak::Result, Completion::Success(value)) => Some(value.clone()),
            (AuditLeak::Arguments, _) => request.leaked.clone(),
            _ => None,
        };
        let names_tool = request.kind == RequestKind::Call || !rules.reads_name_resource;
        let name = || Some(request.name.clone());
        let record = AuditRecord {
            ts: self.now.iso(),
            session_id: match rules.true_session {
                true => request.session_id.clone(),
                false => request.alias.clone(),
            },
            alias: request.alias.clone(),
            tool: name().filter(|_| names_tool),
            resource: name().filter(|_| !names_tool),
            args_sha256: request.args_sha256.clone(),
            outcome: match outcome {
                Outcome::Error if !rules.error_outcome => Outcome::Ok,
                Outcome::Denied if !rules.denied_outcome => Outcome::Error,
                Outcome::Cancelled if !rules.cancelled_outcome => Outcome::Error,
                other => other,
            },
            error_type: error_type.filter(|_| rules.error_type),
            duration_ms: match rules.true_duration {
                true => self.now.since(request.started),
                false => 0,
            },
            caller: match rules.true_caller {
                true => request.caller.clone(),
                false => "rpc".to_owned(),
            },
            leaked,
        };
        let times = match request.kind == RequestKind::Read && !rules.once {
            true => 2,
            false => 1,
        };
        for _ in 0..times {
            self.out.push(Output::Audit(Box::new(record.clone())));
        }
    }
}

/// How deep arrays and objects are nested: 1 for an empty one, 0 for anything else.
pub(super) fn depth(value: &Value) -> usize {
    let deepest = |depths: &mut dyn Iterator<Item = usize>| depths.max().unwrap_or(0) + 1;
    match value {
        Value::Array(items) => deepest(&mut items.iter().map(depth)),
        Value::Object(members) => deepest(&mut members.values().map(depth)),
        _ => 0,
    }
}

//! What apps answer, and cancelling (`BRG-TOL-10`, `-13` … `-17`, `BRG-RES-07` … `BRG-RES-11`).

use super::alterations;
use super::completion::Completion;
use super::connections::RequestRef;
use super::in_flight::{PendingRequest, RequestKind};
use super::io::{ConnectionId, SocketId};
use super::sessions::Serial;
use super::state::Core;
use crate::rules::StrayAnswer;
use iolite_protocol::close::Close;
use iolite_protocol::error_type::{AppError, AppErrorType};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{DaemonFrame, ResourceResult, ToolCallProgress, ToolCancel, ToolResult};
use serde_json::{Value, json};

impl Core {
    pub(super) fn tool_result(&mut self, socket: SocketId, from: Serial, result: &ToolResult) {
        let Some(pending) = self.take_answered(socket, RequestKind::Call, from, result.id()) else {
            return;
        };
        let completion = match result.result() {
            Value::Null if !self.rules.tools.null_is_success => {
                Completion::failed("tool_execution_error", "the tool returned nothing".to_owned())
            }
            value => Completion::Success(alterations::value(value.clone(), self.rules.tools.result)),
        };
        self.complete(pending, completion);
    }

    pub(super) fn resource_result(&mut self, socket: SocketId, from: Serial, result: &ResourceResult) {
        let Some(pending) = self.take_answered(socket, RequestKind::Read, from, result.id()) else {
            return;
        };
        let rules = &self.rules.resources;
        if result.contents().is_empty() && !rules.empty_is_success {
            let error_type = rules.in_flight.unknown_type;
            let completion = Completion::failed(error_type, "the resource has no contents".to_owned());
            return self.complete(pending, completion);
        }
        let mime_type = pending.mime_type.as_deref();
        let contents = Value::Array(alterations::contents(result.contents(), rules.contents, mime_type));
        if !rules.always_ask
            && let Some(session) = self.sessions.get_mut(pending.request.session)
        {
            session.kept_contents.insert(pending.request.name.clone(), contents.clone());
        }
        self.complete(pending, Completion::Success(contents));
    }

    pub(super) fn error_answer(
        &mut self,
        socket: SocketId,
        kind: RequestKind,
        from: Serial,
        id: &str,
        error: &AppError,
    ) {
        if let Some(pending) = self.take_answered(socket, kind, from, id) {
            let completion = match kind == RequestKind::Call || self.rules.resources.errors_fail {
                true => Completion::App(error.clone()),
                false => Completion::Success(json!([])),
            };
            self.complete(pending, completion);
        }
    }

    /// The request that an answer belongs to: the one of that id, sent to this very session (`BRG-TOL-10`). Anything
    /// else is ignored.
    fn take_answered(&mut self, socket: SocketId, kind: RequestKind, from: Serial, id: &str) -> Option<PendingRequest> {
        let rules = self.in_flight_rules(kind);
        let oldest = || self.in_flight.of_target(from).find(|pending| pending.request.kind == kind);
        let own = |pending: &&PendingRequest| pending.target == from || !rules.ignore_foreign;
        let found = match rules.match_by_id {
            true => self.in_flight.by_id(kind, id).filter(own),
            false => oldest(),
        };
        let found = match (found, rules.stray_answer) {
            (None, StrayAnswer::AnswerOldest) => oldest(),
            (None, StrayAnswer::Close) => {
                self.violation(socket, Close::INVALID_MESSAGE);
                return None;
            }
            (found, _) => found,
        };
        let serial = found?.serial;
        self.in_flight.take(serial)
    }

    /// Progress of a call that goes on becomes an event; any other goes nowhere (`BRG-TOL-14`).
    pub(super) fn progress(&mut self, from: Serial, progress: &ToolCallProgress) {
        let rules = &self.rules.tools;
        if !rules.forward_progress {
            return;
        }
        let own = self.in_flight.by_id(RequestKind::Call, progress.id()).filter(|pending| pending.target == from);
        let told = match rules.progress_own_call {
            true => own,
            false => self.in_flight.of_target(from).rfind(|pending| pending.request.kind == RequestKind::Call),
        };
        if told.is_none() && rules.drop_late_progress {
            return;
        }
        if progress.progress().is_none() && !rules.progress_without_number {
            return;
        }
        let mut data = json!({ "callId": told.map_or(progress.id(), |pending| &pending.id) });
        if let Some(pending) = told {
            data["tool"] = pending.request.name.as_str().into();
        }
        if let Some(value) = progress.progress() {
            data["progress"] = value.clone().into();
        }
        if let Some(message) = progress.message() {
            data["message"] = message.into();
        }
        let request = told.map(|pending| pending.request.origin.clone());
        self.emit_for_request(EventKind::ToolCallProgress, from, data, request.as_ref());
    }

    /// `tools.cancel`: asks the app to end a pending call (`BRG-TOL-13`).
    pub(super) fn tools_cancel(&mut self, request: &RequestRef, call_id: &str) {
        let rules = &self.rules.tools;
        let found = self.in_flight.by_id(RequestKind::Call, call_id);
        let Some((target, serial, name)) =
            found.map(|pending| (pending.target, pending.serial, pending.request.name.clone()))
        else {
            let answer = json!({ "cancelled": rules.cancel_unknown });
            return self.answer(request, Ok(answer));
        };
        let serials: Vec<u64> = match rules.cancel_one {
            true => vec![serial],
            false => self
                .in_flight
                .of_target(target)
                .filter(|pending| pending.request.kind == RequestKind::Call && pending.request.name == name)
                .map(|pending| pending.serial)
                .collect(),
        };
        for serial in serials {
            self.cancel(serial, "cancelled");
        }
        self.answer(request, Ok(json!({ "cancelled": self.rules.rpc.tell_cancelled })));
    }

    /// The caller is gone: its calls are cancelled at their apps (`BRG-TOL-17`). There is no such frame for reads:
    /// they end with the app's answer or their deadline.
    pub(super) fn caller_gone(&mut self, connection: ConnectionId) {
        let rules = &self.rules.tools;
        if !rules.close_cancels {
            return;
        }
        let reason = rules.close_reason;
        let is_call = |pending: &&PendingRequest| pending.request.kind == RequestKind::Call;
        let serials: Vec<u64> = match rules.close_cancels_own_only {
            true => self.in_flight.of_connection(connection).filter(is_call).map(|pending| pending.serial).collect(),
            false => self.in_flight.iter().filter(is_call).map(|pending| pending.serial).collect(),
        };
        for serial in serials {
            self.cancel(serial, reason);
        }
    }

    /// Tells the app that nobody waits for a call any more. The app's `tool_cancelled` then ends it.
    fn cancel(&mut self, serial: u64, reason: &str) {
        let Some(pending) = self.in_flight.get(serial) else {
            return;
        };
        let (target, id) = (pending.target, pending.id.clone());
        let session = self.sessions.get(target);
        let session_id = match self.rules.tools.cancel_names_session {
            true => session.map(|session| session.id.clone()).unwrap_or_default(),
            false => id.clone(),
        };
        let frame = ToolCancel::new(&session_id, &id, reason, &self.rules.contract);
        if let (Ok(frame), true) = (frame, self.rules.tools.cancel_reaches_app) {
            self.send_to(target, DaemonFrame::ToolCancel(frame).encode());
        }
        if self.rules.tools.cancel_waits {
            return;
        }
        let cancelled = AppError::new(AppErrorType::ToolCancelled, "the call was cancelled");
        if let (Some(pending), Ok(error)) = (self.in_flight.take(serial), cancelled) {
            self.complete(pending, Completion::App(error));
        }
    }
}

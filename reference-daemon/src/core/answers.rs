//! What apps answer, and cancelling (`BRG-TOL-10`, `-13` … `-17`, `BRG-RES-07` … `BRG-RES-11`).

use super::alterations;
use super::completion::Completion;
use super::connections::RequestRef;
use super::in_flight::{PendingRequest, RequestKind};
use super::io::{ConnectionId, SocketId};
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{Aim, StrayAnswer};
use iolite_protocol::close::Close;
use iolite_protocol::error_type::{AppError, AppErrorType};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{DaemonFrame, ResourceResult, ToolCallProgress, ToolCancel, ToolResult};
use iolite_protocol::rpc::ToolsCancel;
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
        self.in_flight.progressed(progress.id());
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

    /// `tools.cancel`: asks the app to end a pending call, by the reason given (`BRG-TOL-13`, `BRG-TOL-18`, `BRG-TOL-19`).
    /// Without a selector the call is looked for in every session: its id is nobody else's.
    pub(super) fn tools_cancel(&mut self, request: &RequestRef, cancel: &ToolsCancel) {
        let rules = &self.rules.cancel;
        let selector = cancel.selector.as_deref().filter(|_| rules.obey_selector);
        let session = match selector.map(|selector| self.select(Some(selector))).transpose() {
            Ok(session) => session,
            Err(error) => return self.answer(request, Err(error)),
        };
        if !rules.in_every_session
            && selector.is_none()
            && self.sessions.iter().nth(1).is_some()
            && let Err(error) = self.select(None)
        {
            return self.answer(request, Err(error));
        }
        let bytes = cancel.reason.as_deref().map_or(0, str::len);
        if rules.reason_in_bytes && bytes > self.rules.contract.limits.reason_max {
            let error = self.typed("invalid_request", "parameter `reason`: it is too long".to_owned());
            return self.answer(request, Err(error));
        }
        let found = self.in_flight.by_id(RequestKind::Call, &cancel.call_id);
        let found = found.filter(|pending| session.is_none_or(|session| pending.target == session));
        let Some((target, serial, name)) = found
            .filter(|pending| self.may_be_cancelled(pending))
            .map(|pending| (pending.target, pending.serial, pending.request.name.clone()))
        else {
            if let Some(target) = self.finished_calls.get(&cancel.call_id) {
                self.send_cancel(*target, &cancel.call_id, self.rules.cancel.own_reason);
            }
            let answer = json!({ "cancelled": self.rules.tools.cancel_unknown });
            return self.answer(request, Ok(answer));
        };
        let serials: Vec<u64> = match self.rules.tools.cancel_one {
            true => vec![self.aimed_at(target, serial)],
            false => self
                .in_flight
                .of_target(target)
                .filter(|pending| pending.request.kind == RequestKind::Call && pending.request.name == name)
                .map(|pending| pending.serial)
                .collect(),
        };
        let reason = cancel.reason.as_deref().unwrap_or(self.rules.cancel.own_reason).to_owned();
        for serial in serials {
            self.cancel(serial, &reason);
        }
        self.answer(request, Ok(json!({ "cancelled": self.rules.rpc.tell_cancelled })));
    }

    /// Whether what the call has been through lets it be cancelled; by the contract always.
    fn may_be_cancelled(&self, pending: &PendingRequest) -> bool {
        let rules = &self.rules.cancel;
        let open = self.in_flight.of_connection(pending.request.origin.connection).count();
        (rules.after_progress || !pending.progressed) && (rules.beside_others || open <= 1)
    }

    /// The call that a cancel of this one ends; by the contract itself.
    fn aimed_at(&self, target: Serial, serial: u64) -> u64 {
        let mut calls = self.in_flight.of_target(target).filter(|pending| pending.request.kind == RequestKind::Call);
        let other = match self.rules.cancel.aim {
            Aim::Named => None,
            Aim::Newest => calls.next_back(),
            Aim::Oldest => calls.next(),
        };
        other.map_or(serial, |other| other.serial)
    }

    /// Cancels a call although the request for it was refused. Only a bent rule table wants that.
    pub(super) fn cancel_by_id(&mut self, call_id: &str) {
        let found = self.in_flight.by_id(RequestKind::Call, call_id).map(|pending| pending.serial);
        if let Some(serial) = found {
            self.cancel(serial, self.rules.cancel.own_reason);
        }
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
        self.send_cancel(target, &id, reason);
        if self.rules.tools.cancel_waits {
            return;
        }
        let cancelled = AppError::new(AppErrorType::ToolCancelled, "the call was cancelled");
        if let (Some(pending), Ok(error)) = (self.in_flight.take(serial), cancelled) {
            self.complete(pending, Completion::App(error));
        }
    }
    fn send_cancel(&mut self, target: Serial, id: &str, reason: &str) {
        let session = self.sessions.get(target);
        let session_id = match self.rules.tools.cancel_names_session {
            true => session.map(|session| session.id.clone()).unwrap_or_default(),
            false => id.to_owned(),
        };
        let frame = ToolCancel::new(&session_id, id, reason, &self.rules.contract);
        if let (Ok(frame), true) = (frame, self.rules.tools.cancel_reaches_app) {
            self.send_to(target, DaemonFrame::ToolCancel(frame).encode());
        }
    }
}

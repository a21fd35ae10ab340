//! What apps answer, and cancelling (`BRG-TOL-10`, `-13` … `-17`, `BRG-RES-07` … `BRG-RES-11`).

use super::Core;
use super::alter;
use super::flights::{Flight, Kind};
use super::io::{ConnectionId, SocketId};
use super::rpc::RequestRef;
use super::send::Ending;
use super::sessions::Serial;
use crate::rules::StrayAnswer;
use iolite_protocol::close::Close;
use iolite_protocol::error_type::{AppError, AppErrorType};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{
    DaemonFrame, ResourceErrorFrame, ResourceResult, ToolCallProgress, ToolCancel, ToolErrorFrame, ToolResult,
};
use serde_json::{Value, json};

impl Core {
    pub(super) fn tool_result(&mut self, socket: SocketId, from: Serial, result: &ToolResult) {
        let Some(flight) = self.take_answered(socket, Kind::Call, from, result.id()) else {
            return;
        };
        let ending = match result.result() {
            Value::Null if !self.rules.tools.null_is_success => {
                Ending::failed("tool_execution_error", "the tool returned nothing".to_owned())
            }
            value => Ending::Success(alter::value(value.clone(), self.rules.tools.result)),
        };
        self.land(flight, ending);
    }

    pub(super) fn tool_error(&mut self, socket: SocketId, from: Serial, frame: &ToolErrorFrame) {
        if let Some(flight) = self.take_answered(socket, Kind::Call, from, frame.id()) {
            self.land(flight, Ending::App(frame.error().clone()));
        }
    }

    pub(super) fn resource_result(&mut self, socket: SocketId, from: Serial, result: &ResourceResult) {
        let Some(flight) = self.take_answered(socket, Kind::Read, from, result.id()) else {
            return;
        };
        let rules = &self.rules.resources;
        if result.contents().is_empty() && !rules.empty_is_success {
            let error_type = rules.reads.unknown_type;
            let ending = Ending::failed(error_type, "the resource has no contents".to_owned());
            return self.land(flight, ending);
        }
        let mime_type = flight.mime_type.as_deref();
        let contents = Value::Array(alter::contents(result.contents(), rules.contents, mime_type));
        if !rules.always_ask
            && let Some(session) = self.sessions.get_mut(flight.asked.session)
        {
            session.kept_contents.insert(flight.asked.name.clone(), contents.clone());
        }
        self.land(flight, Ending::Success(contents));
    }

    pub(super) fn resource_error(&mut self, socket: SocketId, from: Serial, frame: &ResourceErrorFrame) {
        if let Some(flight) = self.take_answered(socket, Kind::Read, from, frame.id()) {
            let ending = match self.rules.resources.errors_fail {
                true => Ending::App(frame.error().clone()),
                false => Ending::Success(json!([])),
            };
            self.land(flight, ending);
        }
    }

    /// The flight that an answer belongs to: its id, asked of this very session (`BRG-TOL-10`). Anything else is
    /// ignored.
    fn take_answered(&mut self, socket: SocketId, kind: Kind, from: Serial, id: &str) -> Option<Flight> {
        let rules = self.flight_rules(kind);
        let oldest = || self.flights.of_target(from).find(|flight| flight.asked.kind == kind);
        let own = |flight: &&Flight| flight.target == from || !rules.ignore_foreign;
        let found = match rules.match_by_id {
            true => self.flights.by_id(kind, id).filter(own),
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
        self.flights.take(serial)
    }

    /// Progress of a call that goes on becomes an event; any other goes nowhere (`BRG-TOL-14`).
    pub(super) fn progress(&mut self, from: Serial, progress: &ToolCallProgress) {
        let rules = &self.rules.tools;
        if !rules.forward_progress {
            return;
        }
        let own = self.flights.by_id(Kind::Call, progress.id()).filter(|flight| flight.target == from);
        let told = match rules.progress_own_call {
            true => own,
            false => self.flights.of_target(from).rfind(|flight| flight.asked.kind == Kind::Call),
        };
        if told.is_none() && rules.drop_late_progress {
            return;
        }
        if progress.progress().is_none() && !rules.progress_without_number {
            return;
        }
        let mut data = json!({ "callId": told.map_or(progress.id(), |flight| &flight.id) });
        if let Some(flight) = told {
            data["tool"] = flight.asked.name.as_str().into();
        }
        if let Some(value) = progress.progress() {
            data["progress"] = value.clone().into();
        }
        if let Some(message) = progress.message() {
            data["message"] = message.into();
        }
        let request = told.map(|flight| flight.asked.request.clone());
        self.tell_own(EventKind::ToolCallProgress, from, data, request.as_ref());
    }

    /// `tools.cancel`: asks the app to end a pending call (`BRG-TOL-13`).
    pub(super) fn tools_cancel(&mut self, request: &RequestRef, call_id: &str) {
        let rules = &self.rules.tools;
        let found = self.flights.by_id(Kind::Call, call_id);
        let Some((target, serial, name)) =
            found.map(|flight| (flight.target, flight.serial, flight.asked.name.clone()))
        else {
            let answer = json!({ "cancelled": rules.cancel_unknown });
            return self.answer(request, Ok(answer));
        };
        let serials: Vec<u64> = match rules.cancel_one {
            true => vec![serial],
            false => self
                .flights
                .of_target(target)
                .filter(|flight| flight.asked.kind == Kind::Call && flight.asked.name == name)
                .map(|flight| flight.serial)
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
        let is_call = |flight: &&Flight| flight.asked.kind == Kind::Call;
        let serials: Vec<u64> = match rules.close_cancels_own_only {
            true => self.flights.of_connection(connection).filter(is_call).map(|flight| flight.serial).collect(),
            false => self.flights.iter().filter(is_call).map(|flight| flight.serial).collect(),
        };
        for serial in serials {
            self.cancel(serial, reason);
        }
    }

    /// Tells the app that nobody waits for a call any more. The app's `tool_cancelled` then ends it.
    fn cancel(&mut self, serial: u64, reason: &str) {
        let Some(flight) = self.flights.get(serial) else {
            return;
        };
        let (target, id) = (flight.target, flight.id.clone());
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
        if let (Some(flight), Ok(error)) = (self.flights.take(serial), cancelled) {
            self.land(flight, Ending::App(error));
        }
    }
}

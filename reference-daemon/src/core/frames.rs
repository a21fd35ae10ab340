//! What an app says in its session (`BRG-CON-05` … `BRG-CON-07`, `BRG-CON-16`, sections 4 and 5).

use super::in_flight::RequestKind;
use super::io::SocketId;
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{NO_REASON, Order, is_due};
use iolite_protocol::close::Close;
use iolite_protocol::contract::{Contract, Rule};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{AppEvent, AppFrame, DaemonFrame, FrameError, ToolCancel};
use serde_json::json;

impl Core {
    pub(super) fn frame_arrived(&mut self, socket: SocketId, serial: Serial, text: &str) {
        let Some(id) = self.sessions.get(serial).map(|session| session.id.clone()) else {
            return;
        };
        if self.rules.foundation.frames_reach_others {
            self.send_stray_cancels(Some(serial));
        }
        self.counts.frames += 1;
        let now = self.now;
        if let Some(session) = self.sessions.get_mut(serial) {
            session.past.frames += 1;
            session.past.last_frame = now;
        }
        if is_due(self.rules.foundation.refused_frames, self.counts.frames) {
            return self.violation(socket, Close::INVALID_MESSAGE);
        }
        match self.decode(text, &id) {
            Ok(frame) => {
                if !self.rules.connection.frames_count_once {
                    self.take_frame(socket, serial, frame.clone());
                }
                self.take_frame(socket, serial, frame);
            }
            Err(error) => {
                if self.rules.foundation.violations_take_effect
                    && let Ok(frame) = AppFrame::decode_in_session(text, &id, &self.without_rules())
                {
                    self.take_frame(socket, serial, frame);
                }
                self.waive_in_session(socket, serial, text, &error);
                self.violation(socket, error.close);
            }
        }
    }

    /// The contract of those who let everything pass. Only a bent rule table wants that.
    pub(super) fn without_rules(&self) -> Contract {
        self.rules.contract.clone().waive_all(Rule::ALL.iter().copied())
    }

    /// Judges a frame in the table's order; the contract's is the decoder's own.
    fn decode(&self, text: &str, session_id: &str) -> Result<AppFrame, FrameError> {
        let contract = &self.rules.contract;
        let result = AppFrame::decode_in_session(text, session_id, contract);
        match (&result, self.rules.connection.order) {
            (Err(error), Order::SessionTypeRules) if error.close == Close::UNKNOWN_MESSAGE_TYPE => {
                let typeless = contract.clone().waive_all(TYPE_RULES);
                AppFrame::decode_in_session(text, session_id, &typeless).and(result)
            }
            (Err(error), Order::TypeRulesSession) if error.close == Close::SESSION_MISMATCH => {
                let sessionless = contract.clone().waive_all(SESSION_RULES);
                AppFrame::decode_in_session(text, session_id, &sessionless).and(result)
            }
            _ => result,
        }
    }

    pub(super) fn take_frame(&mut self, socket: SocketId, serial: Serial, frame: AppFrame) {
        match frame {
            AppFrame::ToolSnapshot(snapshot) => self.snapshot(serial, snapshot.into_entries()),
            AppFrame::ToolDelta(delta) => self.delta(socket, serial, delta.into_change()),
            AppFrame::ResourceSnapshot(snapshot) => self.snapshot(serial, snapshot.into_entries()),
            AppFrame::ResourceDelta(delta) => self.delta(socket, serial, delta.into_change()),
            AppFrame::ToolResult(result) => self.tool_result(socket, serial, &result),
            AppFrame::ToolError(frame) => {
                self.error_answer(socket, RequestKind::Call, serial, frame.id(), frame.error());
            }
            AppFrame::ToolCallProgress(progress) => self.progress(serial, &progress),
            AppFrame::ResourceResult(result) => self.resource_result(socket, serial, &result),
            AppFrame::ResourceError(frame) => {
                self.error_answer(socket, RequestKind::Read, serial, frame.id(), frame.error());
            }
            AppFrame::Event(event) => self.app_event(socket, serial, &event),
            AppFrame::Ignored(_) => (),
        }
    }

    /// Sends every app but this one something that it has not asked for. Only a bent rule table wants that.
    pub(super) fn send_stray_cancels(&mut self, but: Option<Serial>) {
        let apps: Vec<(Serial, String)> = self
            .sessions
            .iter()
            .filter(|session| Some(session.serial) != but)
            .map(|session| (session.serial, session.id.clone()))
            .collect();
        for (serial, id) in apps {
            if let Ok(frame) = ToolCancel::new(&id, "of_nothing", NO_REASON, &self.rules.contract) {
                self.send_to(serial, DaemonFrame::ToolCancel(frame).encode());
            }
        }
    }

    /// An `event` frame becomes an `app_event`, also the one that marks a resource stale (`BRG-RES-12`).
    fn app_event(&mut self, socket: SocketId, serial: Serial, event: &AppEvent) {
        let rules = &self.rules.resources;
        if event.name() == AppEvent::RESOURCE_UPDATED {
            let known = event.stale_resource().is_some_and(|name| {
                self.sessions.get(serial).is_some_and(|session| session.resources.find(name).is_some())
            });
            if !known && !rules.stale_unknown {
                return self.violation(socket, Close::INVALID_MESSAGE);
            }
            if !rules.stale_is_event {
                return;
            }
        }
        let mut data = json!({ "name": event.name() });
        if let Some(payload) = event.payload() {
            data["payload"] = super::alterations::value(payload.clone(), self.rules.texts.event_payload);
        }
        data["ts"] = event.ts().clone().into();
        self.emit(EventKind::AppEvent, serial, data);
    }
}

const TYPE_RULES: [Rule; 3] = [Rule::MessageType, Rule::DaemonTypeFromApp, Rule::HandshakeTypeInSession];

const SESSION_RULES: [Rule; 2] = [Rule::SessionIdPresent, Rule::SessionIdMatch];

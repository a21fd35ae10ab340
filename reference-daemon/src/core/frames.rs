//! What an app says in its session (`BRG-CON-05` … `BRG-CON-07`, `BRG-CON-16`, sections 4 and 5).

use super::io::SocketId;
use super::registry::Effect;
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{NO_REASON, Order, Tell, Unasked, UriConflict, is_due};
use iolite_protocol::close::Close;
use iolite_protocol::contract::{Contract, Rule};
use iolite_protocol::descriptor::{ResourceDescriptor, ToolDescriptor};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{AppEvent, AppFrame, Change, DaemonFrame, FrameError, ToolCancel};
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
            AppFrame::ToolSnapshot(snapshot) => self.tool_snapshot(serial, snapshot.into_entries()),
            AppFrame::ToolDelta(delta) => self.tool_delta(socket, serial, delta.into_change()),
            AppFrame::ResourceSnapshot(snapshot) => {
                self.resource_snapshot(serial, snapshot.into_entries());
            }
            AppFrame::ResourceDelta(delta) => {
                self.resource_delta(socket, serial, delta.into_change());
            }
            AppFrame::ToolResult(result) => self.tool_result(socket, serial, &result),
            AppFrame::ToolError(error) => self.tool_error(socket, serial, &error),
            AppFrame::ToolCallProgress(progress) => self.progress(serial, &progress),
            AppFrame::ResourceResult(result) => self.resource_result(socket, serial, &result),
            AppFrame::ResourceError(error) => self.resource_error(socket, serial, &error),
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

    /// Whether a snapshot is to be ignored. Only a bent rule table wants that.
    fn ignores_snapshot(&mut self) -> bool {
        self.counts.snapshots += 1;
        is_due(self.rules.foundation.ignored_snapshots, self.counts.snapshots)
    }

    fn tool_snapshot(&mut self, serial: Serial, entries: Vec<ToolDescriptor>) {
        if self.ignores_snapshot() {
            return;
        }
        let rules = &self.rules.tools.registry;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let before = session.tools.len();
        let effect = session.tools.replace(entries, rules);
        let emptied = match rules.leave_other {
            true => Effect::Unchanged,
            false => session.resources.clear(),
        };
        self.tools_changed(serial, effect, before);
        if emptied == Effect::Changed {
            self.resources_changed(serial, emptied, 0);
        }
    }

    fn tool_delta(&mut self, socket: SocketId, serial: Serial, change: Change<ToolDescriptor>) {
        let rules = &self.rules.tools.registry;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let before = session.tools.len();
        let effect = match change {
            Change::Upsert(tool) => session.tools.upsert(tool, UriConflict::Refuse, rules),
            Change::Remove(name) => session.tools.remove(&name, rules),
        };
        match effect {
            Effect::Refused => self.violation(socket, Close::INVALID_REGISTRY),
            effect => self.tools_changed(serial, effect, before),
        }
    }

    fn resource_snapshot(&mut self, serial: Serial, entries: Vec<ResourceDescriptor>) {
        if self.ignores_snapshot() {
            return;
        }
        let rules = &self.rules.resources.registry;
        let unasked = self.rules.resources.unasked == Unasked::OnUpsert;
        let read: Vec<ResourceDescriptor> = match unasked {
            true => entries.clone(),
            false => Vec::new(),
        };
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let before = session.resources.len();
        let effect = session.resources.replace(entries, rules);
        let emptied = match rules.leave_other {
            true => Effect::Unchanged,
            false => session.tools.clear(),
        };
        self.resources_changed(serial, effect, before);
        if emptied == Effect::Changed {
            self.tools_changed(serial, emptied, 0);
        }
        for resource in read {
            self.read_unasked(serial, &resource);
        }
    }

    fn resource_delta(&mut self, socket: SocketId, serial: Serial, change: Change<ResourceDescriptor>) {
        let rules = &self.rules.resources;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let before = session.resources.len();
        let upserted = match &change {
            Change::Upsert(resource) if rules.unasked == Unasked::OnUpsert => Some(resource.clone()),
            Change::Upsert(_) | Change::Remove(_) => None,
        };
        let effect = match change {
            Change::Upsert(resource) => session.resources.upsert(resource, rules.uri_conflict, &rules.registry),
            Change::Remove(name) => session.resources.remove(&name, &rules.registry),
        };
        match effect {
            Effect::Refused => return self.violation(socket, Close::INVALID_REGISTRY),
            effect => self.resources_changed(serial, effect, before),
        }
        if let Some(resource) = upserted {
            self.read_unasked(serial, &resource);
        }
    }

    /// Tells of a change of the tool registry, and of nothing else (`BRG-RPC-05`).
    fn tools_changed(&mut self, serial: Serial, effect: Effect, before: usize) {
        let tell = self.rules.tools.registry.tell;
        if !is_announced(tell, effect) {
            return;
        }
        self.emit_tool_count(serial, (tell == Tell::OldCount).then_some(before));
        if tell == Tell::Both {
            self.emit_resource_count(serial, None);
        }
    }

    /// Tells of a change of the resource registry, and of nothing else (`BRG-RPC-05`).
    fn resources_changed(&mut self, serial: Serial, effect: Effect, before: usize) {
        let tell = self.rules.resources.registry.tell;
        if !is_announced(tell, effect) {
            return;
        }
        self.emit_resource_count(serial, (tell == Tell::OldCount).then_some(before));
        if tell == Tell::Both {
            self.emit_tool_count(serial, None);
        }
    }

    fn emit_tool_count(&mut self, serial: Serial, count: Option<usize>) {
        let current = self.sessions.get(serial).map_or(0, |session| session.tools.len());
        let data = json!({ "toolCount": count.unwrap_or(current) });
        self.emit(EventKind::ToolsChanged, serial, data);
    }

    fn emit_resource_count(&mut self, serial: Serial, count: Option<usize>) {
        let current = self.sessions.get(serial).map_or(0, |session| session.resources.len());
        let data = json!({ "resourceCount": count.unwrap_or(current) });
        self.emit(EventKind::ResourcesChanged, serial, data);
    }

    /// The app came back: its kept entries stand until its snapshots arrive (`BRG-TOL-06`, `BRG-RES-05`).
    pub(super) fn registries_resumed(&mut self, serial: Serial) {
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let tools = session.tools.resume(&self.rules.tools.registry);
        let resources = session.resources.resume(&self.rules.resources.registry);
        self.changed_by_itself(serial, tools, resources);
    }

    /// The app is away: its entries are kept (`BRG-SES-07`).
    pub(super) fn registries_suspended(&mut self, serial: Serial) {
        let rules = &self.rules.session;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let tools = match rules.keep_tools {
            true => Effect::Unchanged,
            false => session.tools.clear(),
        };
        let resources = match rules.keep_resources {
            true => Effect::Unchanged,
            false => session.resources.clear(),
        };
        self.changed_by_itself(serial, tools, resources);
    }

    fn changed_by_itself(&mut self, serial: Serial, tools: Effect, resources: Effect) {
        if tools == Effect::Changed || !self.rules.session.loss_is_no_change {
            self.tools_changed(serial, Effect::Changed, 0);
        }
        if resources == Effect::Changed {
            self.resources_changed(serial, resources, 0);
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
            data["payload"] = payload.clone();
        }
        data["ts"] = event.ts().clone().into();
        self.emit(EventKind::AppEvent, serial, data);
    }
}

fn is_announced(tell: Tell, effect: Effect) -> bool {
    match tell {
        Tell::Never => false,
        Tell::Always => true,
        Tell::Changes | Tell::OldCount | Tell::Both => effect == Effect::Changed,
    }
}

const TYPE_RULES: [Rule; 3] = [Rule::MessageType, Rule::DaemonTypeFromApp, Rule::HandshakeTypeInSession];

const SESSION_RULES: [Rule; 2] = [Rule::SessionIdPresent, Rule::SessionIdMatch];

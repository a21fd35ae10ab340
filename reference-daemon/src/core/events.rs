//! Events: each is numbered and retained, and sent to those who subscribed (`BRG-RPC-06`, `BRG-RPC-07`).

use super::connections::RequestRef;
use super::event_log::Retained;
use super::io::{ConnectionId, Output};
use super::sessions::Serial;
use super::state::Core;
use super::time::time_text;
use crate::rules::{Unasked, is_due};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::AppEvent;
use serde_json::{Map, Value};

/// What an event is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) session_id: &'a str,
    pub(super) alias: Option<&'a str>,
}

impl Core {
    /// Emits an event of a live session.
    pub(super) fn emit(&mut self, kind: EventKind, serial: Serial, data: Value) {
        if kind == EventKind::AppEvent {
            self.read_if_stale(serial, &data);
        }
        self.emit_for_request(kind, serial, data, None);
    }

    /// Emits an event of a live session that a request caused: the connection which made the request gets its id with
    /// the event, as `data.requestId`.
    pub(super) fn emit_for_request(
        &mut self,
        kind: EventKind,
        serial: Serial,
        data: Value,
        request: Option<&RequestRef>,
    ) {
        let Some(session) = self.sessions.get(serial) else {
            return;
        };
        let (session_id, alias) = (session.id.clone(), session.alias.clone());
        let subject = Subject { session_id: &session_id, alias: Some(&alias) };
        self.emit_about(kind, Some(subject), data, request);
    }

    /// Emits an event, of a session or of the daemon itself.
    pub(super) fn emit_about(
        &mut self,
        kind: EventKind,
        subject: Option<Subject<'_>>,
        data: Value,
        request: Option<&RequestRef>,
    ) {
        let session_id = subject.map(|subject| subject.session_id);
        let seq = self.events.next_seq(session_id, &self.rules.rpc);
        let mut record = Map::new();
        record.insert("kind".into(), kind.as_str().into());
        if let Some(subject) = subject {
            record.insert("sessionId".into(), subject.session_id.into());
            if let Some(alias) = subject.alias {
                record.insert("alias".into(), alias.into());
            }
        }
        record.insert("ts".into(), time_text(self.now, &self.rules.rpc).into());
        record.insert("data".into(), data);
        record.insert("seq".into(), seq.into());
        let record = Value::Object(record);
        self.send_event(kind, session_id, &record, request);
        if let Some(session_id) = session_id
            && (kind.is_retained() || !self.rules.rpc.forget_progress)
        {
            let size = i64::try_from(self.config.event_buffer_size)
                .unwrap_or(i64::MAX)
                .saturating_add(self.rules.rpc.retention_shift);
            let event = Retained { seq, kind, record };
            self.events.retain(session_id, event, usize::try_from(size).unwrap_or_default());
        }
    }

    fn send_event(&mut self, kind: EventKind, session_id: Option<&str>, record: &Value, request: Option<&RequestRef>) {
        let listeners: Vec<ConnectionId> = self
            .connections
            .iter()
            .filter(|(_, connection)| match &connection.filter {
                Some(filter) => filter.lets_pass(kind, session_id, &self.rules.rpc),
                None => !self.rules.rpc.subscribers_only,
            })
            .map(|(id, _)| *id)
            .filter(|id| !self.rules.foundation.events_to_first_only || self.first_connection == Some(*id))
            .collect();
        if listeners.is_empty() {
            return;
        }
        let line = notification(record);
        for connection in listeners {
            if self.first_connection != Some(connection) {
                self.counts.events += 1;
                let lost = is_due(self.rules.foundation.lost_events, self.counts.events);
                if lost || self.rules.rpc.untold_kind == Some(kind) {
                    continue;
                }
            }
            let own = request.filter(|request| request.connection == connection).and_then(|request| request.id.clone());
            let seq = self.seq_of_filter(connection, session_id);
            let line = match (own, seq) {
                (None, None) => line.clone(),
                (own, seq) => {
                    let mut record = record.clone();
                    if let Some(id) = own {
                        record["data"]["requestId"] = id;
                    }
                    if let Some(seq) = seq {
                        record["seq"] = seq.into();
                    }
                    notification(&record)
                }
            };
            if self.rules.rpc.repeated_kind == Some(kind) {
                self.out.push(Output::RpcSend { connection, line: line.clone() });
            }
            self.out.push(Output::RpcSend { connection, line });
        }
    }

    /// The number of an event among those of the kinds that a listener asked for. By the contract events are numbered
    /// for all listeners alike: `None`.
    fn seq_of_filter(&self, connection: ConnectionId, session_id: Option<&str>) -> Option<usize> {
        if self.rules.rpc.seq_for_all {
            return None;
        }
        let kinds = self.connections.get(&connection)?.filter.as_ref()?.kinds.as_ref()?;
        Some(self.events.count(session_id?, kinds) + 1)
    }

    /// A resource was marked stale: by the contract nobody reads it for that (`BRG-RES-14`).
    fn read_if_stale(&mut self, serial: Serial, event: &Value) {
        if self.rules.resources.unasked != Unasked::OnStale || event["name"] != AppEvent::RESOURCE_UPDATED {
            return;
        }
        let name = event["payload"]["name"].as_str().unwrap_or_default();
        let found = self.sessions.get(serial).and_then(|session| session.resources.find(name)).cloned();
        if let Some(resource) = found {
            self.read_unasked(serial, &resource);
        }
    }
}

fn notification(record: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"event","params":{record}}}"#)
}

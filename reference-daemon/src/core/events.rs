//! Events: numbered per session, retained per session, sent to those who subscribed (`BRG-RPC-06`, `BRG-RPC-07`).

use super::Core;
use super::io::{ConnectionId, Now, Output};
use super::rpc::RequestRef;
use super::sessions::Serial;
use crate::rules::{RpcRules, Unasked, is_due};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::AppEvent;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What was told about one session, and the count of it.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    seq: u64,
    retained: VecDeque<Retained>,
}

/// One event that can still be asked for.
#[derive(Debug)]
pub(super) struct Retained {
    pub(super) seq: u64,
    pub(super) kind: EventKind,
    pub(super) record: Value,
}

/// All events that can still be asked for, by session id.
#[derive(Debug, Default)]
pub(super) struct Events {
    buffers: HashMap<String, Buffer>,
    shared_seq: u64,
}

/// What a connection wants to hear.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Filter {
    /// Only this session's.
    pub(super) session_id: Option<String>,
    /// Only these kinds.
    pub(super) kinds: Option<BTreeSet<EventKind>>,
}

/// What an event is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) session_id: &'a str,
    pub(super) alias: Option<&'a str>,
}

/// One page of events.
#[derive(Debug)]
pub(super) struct Page {
    /// Oldest first.
    pub(super) events: Vec<Value>,
    /// Where the next page begins.
    pub(super) cursor: u64,
}

impl Events {
    /// Events after `since`, oldest first, at most `limit` (`BRG-RPC-07`).
    pub(super) fn since(
        &self,
        session_id: &str,
        since: Option<u64>,
        kinds: Option<&BTreeSet<EventKind>>,
        limit: usize,
        rules: &RpcRules,
    ) -> Page {
        let empty = Buffer::default();
        let buffer = self.buffers.get(session_id).unwrap_or(&empty);
        let too_old = since.zip(buffer.retained.front()).is_some_and(|(since, oldest)| since + 1 < oldest.seq);
        let since = since.unwrap_or(0);
        let first = match rules.after_since {
            true => since.saturating_add(1),
            false => since,
        };
        let start = match too_old && !rules.old_cursor_begins {
            true => buffer.retained.len(),
            false => buffer.retained.partition_point(|event| event.seq < first),
        };
        let wanted = |event: &&Retained| kinds.is_none_or(|kinds| kinds.contains(&event.kind) || !rules.filter_kinds);
        let mut found: Vec<&Retained> =
            buffer.retained.range(start..).filter(wanted).take(limit.saturating_add(1)).collect();
        let more = found.len() > limit;
        if more && !rules.limit_keeps_oldest {
            found = buffer.retained.range(start..).filter(wanted).collect();
            found.drain(..found.len() - limit);
        }
        found.truncate(limit);
        let last_seen = match more {
            true => found.last().map(|event| event.seq),
            false => buffer.retained.back().map(|event| event.seq),
        };
        let mut events: Vec<Value> = found.into_iter().map(|event| event.record.clone()).collect();
        if !rules.oldest_first {
            events.reverse();
        }
        Page { events, cursor: last_seen.unwrap_or_default().max(since) }
    }

    /// Forgets a session (`BRG-RPC-07`).
    pub(super) fn forget(&mut self, session_id: &str) {
        self.buffers.remove(session_id);
    }

    /// Forgets what a session's listeners have been given. Only a bent rule table wants that.
    pub(super) fn forget_until(&mut self, session_id: &str, cursor: u64) {
        if let Some(buffer) = self.buffers.get_mut(session_id) {
            buffer.retained.retain(|event| event.seq > cursor);
        }
    }

    /// How many events of these kinds a session has. Only a bent rule table asks.
    fn count(&self, session_id: &str, kinds: &BTreeSet<EventKind>) -> usize {
        let retained = self.buffers.get(session_id).map(|buffer| &buffer.retained);
        retained.into_iter().flatten().filter(|event| kinds.contains(&event.kind)).count()
    }

    /// Whether anything is known of this session.
    pub(super) fn knows(&self, session_id: &str) -> bool {
        self.buffers.contains_key(session_id)
    }

    fn next_seq(&mut self, session_id: Option<&str>, rules: &RpcRules) -> u64 {
        let counter = match session_id {
            Some(id) if rules.seq_per_session => &mut self.buffers.entry(id.to_owned()).or_default().seq,
            Some(_) | None => &mut self.shared_seq,
        };
        *counter += rules.seq_step;
        *counter
    }

    fn retain(&mut self, session_id: &str, event: Retained, size: usize) {
        let buffer = self.buffers.entry(session_id.to_owned()).or_default();
        buffer.retained.push_back(event);
        while buffer.retained.len() > size {
            buffer.retained.pop_front();
        }
    }
}

impl Core {
    /// Tells an event of a live session.
    pub(super) fn emit(&mut self, kind: EventKind, serial: Serial, data: Value) {
        if kind == EventKind::AppEvent {
            self.read_if_stale(serial, &data);
        }
        self.emit_for_request(kind, serial, data, None);
    }

    /// Tells an event of a live session that came of a request: the connection which made the request hears the
    /// request's id with it, as `data.requestId`.
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

    /// Tells an event of whatever it is about.
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

    /// The number of an event about to be told to a listener that asked for some kinds, counted by those. By the
    /// contract no listener counts for itself.
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

impl Filter {
    fn lets_pass(&self, kind: EventKind, session_id: Option<&str>, rules: &RpcRules) -> bool {
        let session =
            !rules.filter_session || self.session_id.as_deref().is_none_or(|wanted| session_id == Some(wanted));
        let kinds = !rules.filter_kinds || self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
        session && kinds
    }
}

/// A moment as the RPC writes it.
pub(super) fn time_text(moment: Now, rules: &RpcRules) -> String {
    match rules.iso_times {
        true => moment.iso(),
        false => moment.unix_ms.to_string(),
    }
}

fn notification(record: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"event","params":{record}}}"#)
}

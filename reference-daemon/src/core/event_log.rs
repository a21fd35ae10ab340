//! Events that can still be asked for: numbered and retained per session (`BRG-RPC-07`).

use crate::rules::RpcRules;
use iolite_protocol::event::EventKind;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What was told about one session, and the count of it.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    seq: u64,
    /// The number of the newest event that had to make room.
    dropped: u64,
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
pub(super) struct EventLog {
    buffers: HashMap<String, Buffer>,
    shared_seq: u64,
}

/// Which events a connection subscribed to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Filter {
    /// Only this session's.
    pub(super) session_id: Option<String>,
    /// Only these kinds.
    pub(super) kinds: Option<BTreeSet<EventKind>>,
}

/// One page of events.
#[derive(Debug)]
pub(super) struct Page {
    /// Oldest first.
    pub(super) events: Vec<Value>,
    /// Where the next page begins.
    pub(super) cursor: u64,
    /// Whether events behind `since` had to make room (`BRG-RPC-15`).
    pub(super) lost: bool,
}

impl EventLog {
    /// EventLog after `since`, oldest first, at most `limit` (`BRG-RPC-07`).
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
        let lost = since.is_some_and(|since| since < buffer.dropped);
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
        Page { events, cursor: last_seen.unwrap_or_default().max(since), lost }
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
    pub(super) fn count(&self, session_id: &str, kinds: &BTreeSet<EventKind>) -> usize {
        let retained = self.buffers.get(session_id).map(|buffer| &buffer.retained);
        retained.into_iter().flatten().filter(|event| kinds.contains(&event.kind)).count()
    }

    /// Whether anything is known of this session.
    pub(super) fn knows(&self, session_id: &str) -> bool {
        self.buffers.contains_key(session_id)
    }

    pub(super) fn next_seq(&mut self, session_id: Option<&str>, rules: &RpcRules) -> u64 {
        let counter = match session_id {
            Some(id) if rules.seq_per_session => &mut self.buffers.entry(id.to_owned()).or_default().seq,
            Some(_) | None => &mut self.shared_seq,
        };
        *counter += rules.seq_step;
        *counter
    }

    pub(super) fn retain(&mut self, session_id: &str, event: Retained, size: usize) {
        let buffer = self.buffers.entry(session_id.to_owned()).or_default();
        buffer.retained.push_back(event);
        while buffer.retained.len() > size {
            buffer.dropped = buffer.retained.pop_front().map_or(buffer.dropped, |event| event.seq);
        }
    }
}

impl Filter {
    pub(super) fn lets_pass(&self, kind: EventKind, session_id: Option<&str>, rules: &RpcRules) -> bool {
        let session =
            !rules.filter_session || self.session_id.as_deref().is_none_or(|wanted| session_id == Some(wanted));
        let kinds = !rules.filter_kinds || self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
        session && kinds
    }
}

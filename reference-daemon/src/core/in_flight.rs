//! Calls and reads that wait for their app.

use super::connections::RequestRef;
use super::io::{ConnectionId, Now};
use super::sessions::Serial;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum RequestKind {
    /// A tool call.
    Call,
    /// A resource read.
    Read,
}

/// What was asked for: enough to answer and to record it.
#[derive(Clone, Debug)]
pub(super) struct AppRequest {
    pub(super) kind: RequestKind,
    pub(super) origin: RequestRef,
    /// The session that was asked for.
    pub(super) session: Serial,
    pub(super) session_id: String,
    pub(super) alias: String,
    /// The tool or resource.
    pub(super) name: String,
    pub(super) args_sha256: Option<String>,
    /// The arguments, where a bent rule table wants them in the audit.
    pub(super) leaked: Option<Value>,
    pub(super) caller: String,
    pub(super) started: Now,
}

/// One call or read in flight.
#[derive(Debug)]
pub(super) struct PendingRequest {
    pub(super) serial: u64,
    /// The id on the wire.
    pub(super) id: String,
    /// The session it was sent to: the one asked for, by the contract.
    pub(super) target: Serial,
    pub(super) request: AppRequest,
    /// The frame, where a bent rule table may send it again.
    pub(super) text: Option<String>,
    /// The descriptor's MIME type, for a read.
    pub(super) mime_type: Option<String>,
    /// Whether its app has told of its progress. Only a bent rule table looks at it.
    pub(super) progressed: bool,
}

/// Everything in flight. Finding one by id takes constant time.
#[derive(Debug, Default)]
pub(super) struct InFlight {
    all: BTreeMap<u64, PendingRequest>,
    by_id: HashMap<(RequestKind, String), u64>,
    by_target: HashMap<Serial, BTreeSet<u64>>,
    by_connection: HashMap<ConnectionId, BTreeSet<u64>>,
}

impl InFlight {
    pub(super) fn insert(&mut self, pending: PendingRequest) {
        let serial = pending.serial;
        self.by_id.insert((pending.request.kind, pending.id.clone()), serial);
        self.by_target.entry(pending.target).or_default().insert(serial);
        self.by_connection.entry(pending.request.origin.connection).or_default().insert(serial);
        self.all.insert(serial, pending);
    }

    pub(super) fn take(&mut self, serial: u64) -> Option<PendingRequest> {
        let pending = self.all.remove(&serial)?;
        let key = (pending.request.kind, pending.id.clone());
        if self.by_id.get(&key) == Some(&serial) {
            self.by_id.remove(&key);
        }
        let connection = pending.request.origin.connection;
        leave(&mut self.by_target, &pending.target, serial);
        leave(&mut self.by_connection, &connection, serial);
        Some(pending)
    }

    pub(super) fn get(&self, serial: u64) -> Option<&PendingRequest> {
        self.all.get(&serial)
    }

    pub(super) fn by_id(&self, kind: RequestKind, id: &str) -> Option<&PendingRequest> {
        self.get(*self.by_id.get(&(kind, id.to_owned()))?)
    }

    /// Takes note of a call's progress.
    pub(super) fn progressed(&mut self, id: &str) {
        let serial = self.by_id.get(&(RequestKind::Call, id.to_owned()));
        if let Some(pending) = serial.and_then(|serial| self.all.get_mut(serial)) {
            pending.progressed = true;
        }
    }

    /// Those sent to a session, oldest first.
    pub(super) fn of_target(&self, target: Serial) -> impl DoubleEndedIterator<Item = &PendingRequest> + use<'_> {
        self.by_target.get(&target).into_iter().flatten().filter_map(|serial| self.all.get(serial))
    }

    /// Those asked for on a connection, oldest first.
    pub(super) fn of_connection(&self, connection: ConnectionId) -> impl Iterator<Item = &PendingRequest> + use<'_> {
        self.by_connection.get(&connection).into_iter().flatten().filter_map(|serial| self.all.get(serial))
    }

    /// All, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &PendingRequest> {
        self.all.values()
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
}

fn leave<K: Eq + std::hash::Hash>(map: &mut HashMap<K, BTreeSet<u64>>, key: &K, serial: u64) {
    if let Some(set) = map.get_mut(key) {
        set.remove(&serial);
        if set.is_empty() {
            map.remove(key);
        }
    }
}

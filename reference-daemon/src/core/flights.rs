//! Calls and reads that wait for their app.

use super::io::{ConnectionId, Now};
use super::rpc::RequestRef;
use super::sessions::Serial;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// A tool call.
    Call,
    /// A resource read.
    Read,
}

/// What was asked for: enough to answer and to record it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) kind: Kind,
    pub(super) request: RequestRef,
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
pub(super) struct Flight {
    pub(super) serial: u64,
    /// The id on the wire.
    pub(super) id: String,
    /// The session it was sent to: the one asked for, by the contract.
    pub(super) target: Serial,
    pub(super) asked: Asked,
    /// The frame, where a bent rule table may send it again.
    pub(super) text: Option<String>,
    /// The descriptor's MIME type, for a read.
    pub(super) mime_type: Option<String>,
}

/// Everything in flight. Finding one by id takes constant time.
#[derive(Debug, Default)]
pub(super) struct Flights {
    all: BTreeMap<u64, Flight>,
    by_id: HashMap<(Kind, String), u64>,
    by_target: HashMap<Serial, BTreeSet<u64>>,
    by_connection: HashMap<ConnectionId, BTreeSet<u64>>,
}

impl Flights {
    pub(super) fn insert(&mut self, flight: Flight) {
        let serial = flight.serial;
        self.by_id.insert((flight.asked.kind, flight.id.clone()), serial);
        self.by_target.entry(flight.target).or_default().insert(serial);
        self.by_connection.entry(flight.asked.request.connection).or_default().insert(serial);
        self.all.insert(serial, flight);
    }

    pub(super) fn take(&mut self, serial: u64) -> Option<Flight> {
        let flight = self.all.remove(&serial)?;
        let key = (flight.asked.kind, flight.id.clone());
        if self.by_id.get(&key) == Some(&serial) {
            self.by_id.remove(&key);
        }
        let connection = flight.asked.request.connection;
        leave(&mut self.by_target, &flight.target, serial);
        leave(&mut self.by_connection, &connection, serial);
        Some(flight)
    }

    pub(super) fn get(&self, serial: u64) -> Option<&Flight> {
        self.all.get(&serial)
    }

    pub(super) fn by_id(&self, kind: Kind, id: &str) -> Option<&Flight> {
        self.get(*self.by_id.get(&(kind, id.to_owned()))?)
    }

    /// Those sent to a session, oldest first.
    pub(super) fn of_target(&self, target: Serial) -> impl DoubleEndedIterator<Item = &Flight> + use<'_> {
        self.by_target.get(&target).into_iter().flatten().filter_map(|serial| self.all.get(serial))
    }

    /// Those asked for on a connection, oldest first.
    pub(super) fn of_connection(&self, connection: ConnectionId) -> impl Iterator<Item = &Flight> + use<'_> {
        self.by_connection.get(&connection).into_iter().flatten().filter_map(|serial| self.all.get(serial))
    }

    /// All, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Flight> {
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

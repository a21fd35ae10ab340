//! The records of one connection.

use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use std::sync::Arc;

/// Writes one connection's records.
#[derive(Clone, Debug)]
pub struct ConnectionRecorder {
    tap: Tap,
    actor: Arc<str>,
    connection: u32,
}

impl ConnectionRecorder {
    /// Records the `connection`-th connection (from 1) of `actor`.
    pub fn new(tap: Tap, actor: &str, connection: u32) -> Self {
        Self { tap, actor: actor.into(), connection }
    }

    /// Records nothing.
    pub fn silent() -> Self {
        Self::new(Tap::none(), "", 1)
    }

    pub(super) fn record(&self, direction: Direction, payload: Payload) {
        self.tap.record(Record::seen(Wire::App, &self.actor, self.connection, direction, payload));
    }
}

//! The daemon lives until it is told to end.

use super::tape::Tape;
use super::{Breach, Sighting};
use crate::engine::facts::Facts;
use iolite_protocol::transcript::{Payload, Wire};

/// No daemon process died unasked.
pub(super) fn daemon(tape: &Tape<'_>, facts: &Facts) -> Sighting {
    if facts.daemons.is_empty() {
        return Sighting::Nothing;
    }
    let exits: Vec<u64> = tape
        .wire(Wire::Process)
        .filter(|entry| matches!(entry.record.payload, Payload::Exit { .. }))
        .map(|entry| entry.seq())
        .collect();
    let breaches = facts
        .daemons
        .iter()
        .filter(|daemon| daemon.died && !daemon.asked)
        .map(|_| Breach::new("the daemon ended although nobody had asked it to", exits.clone()))
        .collect();
    Sighting::Seen(breaches)
}

//! The daemon lives until it is told to end.

use super::observation::{Breach, Observation};
use super::parsed_transcript::ParsedTranscript;
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::{Payload, Wire};

/// No daemon process died unasked.
pub(super) fn daemon(transcript: &ParsedTranscript<'_>, metadata: &RunMetadata) -> Observation {
    if metadata.daemons.is_empty() {
        return Observation::Nothing;
    }
    let exits: Vec<u64> = transcript
        .wire(Wire::Process)
        .filter(|entry| matches!(entry.record.payload, Payload::Exit { .. }))
        .map(|entry| entry.seq())
        .collect();
    let breaches = metadata
        .daemons
        .iter()
        .filter(|daemon| daemon.died && !daemon.asked)
        .map(|_| Breach::new("the daemon ended although nobody had asked it to", exits.clone()))
        .collect();
    Observation::Seen(breaches)
}

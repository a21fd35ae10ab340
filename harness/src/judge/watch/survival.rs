//! The daemon and its MCP servers live until they are told to end.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{Entry, ParsedTranscript};
use crate::transcript::metadata::RunMetadata;
use iolite_mock_client::process::{ENDED_WITH_OWNER, INPUT_CLOSED};
use iolite_protocol::transcript::{Payload, Wire};

/// Beginnings of the notes that a client leaves when it ends its server.
const ENDED_BY_US: &[&str] = &["sent SIGTERM", "sent SIGINT", "sent SIGHUP", "sent SIGKILL", ENDED_WITH_OWNER];

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

/// No MCP server that had been met ended unasked. One whose client wrote what is no MCP is not judged here.
pub(super) fn mcp_server(transcript: &ParsedTranscript<'_>, metadata: &RunMetadata) -> Observation {
    let connections = transcript.connections(Wire::Mcp);
    let met = metadata.clients.iter().filter(|client| client.revision.is_some() && !client.raw);
    let mut seen = false;
    let mut breaches = Vec::new();
    for client in met {
        seen = true;
        let Some(entries) = connections.get(&(client.actor.as_str(), client.connection)) else { continue };
        let is_exit = |entry: &&Entry<'_>| matches!(entry.record.payload, Payload::Exit { .. });
        let Some(end) = entries.iter().position(is_exit) else { continue };
        // A signal is only noted when there was somebody to get it, so that it may be noted behind the end.
        let asked = entries.iter().enumerate().any(|(at, entry)| match &entry.record.payload {
            Payload::Note { text } if text == INPUT_CLOSED => at < end,
            Payload::Note { text } => ENDED_BY_US.iter().any(|note| text.starts_with(note)),
            _ => false,
        });
        if !asked {
            let why = format!("the MCP server of {} ended although nobody had asked it to", client.actor);
            breaches.push(Breach::new(why, [entries[end].seq()]));
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

//! Tokens stay where they belong: on the app's own socket, and inside the payload of the link that hands one out.

use super::observation::{Breach, Observation};
use super::parsed_transcript::ParsedTranscript;
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::{Payload, Wire};
use std::collections::HashSet;

/// A shorter secret would turn up by chance. Real ones have 32 random bytes.
const SECRET_MIN: usize = 16;

/// Looks for every secret in everything that came from the daemon on any other wire.
pub(super) fn kept(transcript: &ParsedTranscript<'_>, metadata: &RunMetadata) -> Observation {
    let secrets: HashSet<&[u8]> =
        metadata.secrets.iter().map(String::as_bytes).filter(|s| s.len() >= SECRET_MIN).collect();
    if secrets.is_empty() {
        return Observation::Nothing;
    }
    let mut breaches = Vec::new();
    for entry in transcript.entries().iter().filter(|entry| entry.is_from_daemon() && entry.record.wire != Wire::App) {
        let text = match &entry.record.payload {
            Payload::Text { text } | Payload::Stderr { text } => text,
            _ => continue,
        };
        for secret in words(text).filter(|word| secrets.contains(word)) {
            let wire = match entry.record.wire {
                Wire::Rpc => "the control RPC",
                Wire::Mcp => "the MCP wire",
                Wire::Cli => "the command line's output",
                _ => "the daemon's output",
            };
            let shown = String::from_utf8_lossy(&secret[..4]);
            let why = format!("a token ({shown}…) stands on {wire}, seen by {}", entry.record.actor);
            breaches.push(Breach::new(why, [entry.seq()]));
        }
    }
    Observation::Seen(breaches)
}

/// The runs of base64url characters in a text. A secret inside a longer run does not count: a link's payload holds the token
/// on purpose.
fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    let runs = text.as_bytes().split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    runs.filter(|word| word.len() >= SECRET_MIN)
}

//! Provenance: mock content says for whom it was made, so that it is known under a wrong name.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{ParsedTranscript, is_answer, method, request_id};
use crate::transcript::metadata::RunMetadata;
use iolite_mock_app::app::{Stamp, Subject};
use iolite_protocol::transcript::Wire;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Stamped content in answers to MCP and control-RPC clients, against what was asked.
pub(super) fn owners(transcript: &ParsedTranscript<'_>, metadata: &RunMetadata) -> Observation {
    let owners = alias_owners(metadata);
    let mut seen = false;
    let mut breaches = Vec::new();
    for wire in [Wire::Mcp, Wire::Rpc] {
        for entries in transcript.connections(wire).values() {
            let mut asked: BTreeMap<String, &Value> = BTreeMap::new();
            for entry in entries {
                let Some(value) = entry.value() else { continue };
                if !entry.is_from_daemon() {
                    if let Some(id) = request_id(value) {
                        asked.insert(id.to_string(), value);
                    }
                    continue;
                }
                if !is_answer(value) {
                    continue;
                }
                let id = value.get("id").map(Value::to_string).unwrap_or_default();
                let Some(request) = asked.remove(&id) else { continue };
                let Some(addressed) = addressed(request, metadata) else { continue };
                let Some(allowed) = owners.get(addressed.owner.as_str()) else { continue };
                for stamp in Stamp::find_all(&value.to_string()) {
                    seen = true;
                    let resource_fits = match (&stamp.subject, &addressed.resource) {
                        (Subject::Read { resource, .. }, Some(name)) => resource == name,
                        _ => true,
                    };
                    if !allowed.contains(stamp.session.as_str()) || !resource_fits {
                        let why = format!(
                            "{} asked {} for {} and got content that {} made: {stamp}",
                            entry.record.actor,
                            addressed.owner,
                            addressed.resource.as_deref().unwrap_or("a result"),
                            stamp.app
                        );
                        breaches.push(Breach::new(why, [entry.seq()]));
                    }
                }
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// Whom a request names, and which resource of theirs.
struct Addressed {
    owner: String,
    resource: Option<String>,
}

fn addressed(request: &Value, metadata: &RunMetadata) -> Option<Addressed> {
    let params = request.get("params")?;
    let text = |pointer: &str| params.pointer(pointer).and_then(Value::as_str);
    match method(request)? {
        "resources/read" => by_uri(text("/uri")?, metadata),
        "tools/call" if text("/name")? == format!("{}_read", metadata.prefix) => {
            by_uri(text("/arguments/uri")?, metadata)
        }
        "tools/call" => {
            let (owner, _) = text("/name")?.split_once("__")?;
            Some(Addressed { owner: owner.to_string(), resource: None })
        }
        "resources.read" => {
            Some(Addressed { owner: text("/selector")?.to_string(), resource: text("/name").map(str::to_string) })
        }
        "tools.call" => Some(Addressed { owner: text("/selector")?.to_string(), resource: None }),
        _ => None,
    }
}

fn by_uri(uri: &str, metadata: &RunMetadata) -> Option<Addressed> {
    let rest = uri.strip_prefix(&metadata.scheme)?.strip_prefix("://")?;
    let (owner, resource) = rest.split_once('/')?;
    Some(Addressed { owner: owner.to_string(), resource: Some(resource.to_string()) })
}

/// The sessions that content may come from, by alias and by session id. An alias that went from one session to another
/// allows both: which of them had it at the time is for the scenario to say.
fn alias_owners(metadata: &RunMetadata) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for app in metadata.apps.values() {
        for session in &app.sessions {
            owners.entry(session).or_default().insert(session);
            for alias in &app.aliases {
                owners.entry(alias).or_default().insert(session);
            }
        }
    }
    owners
}

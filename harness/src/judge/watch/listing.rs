//! Lists of tools and resources: required members, allowed names, no twins.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{Entry, ParsedTranscript};
use crate::transcript::metadata::RunMetadata;
use iolite_protocol::transcript::Wire;
use serde_json::Value;
use std::collections::BTreeSet;

/// The longest name of an exposed tool.
const TOOL_NAME_MAX: usize = 64;

/// Every list in every answer.
pub(super) fn lists(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entry in transcript.wire(Wire::Mcp).filter(|entry| entry.is_from_daemon()) {
        let Some(result) = entry.value().and_then(|value| value.get("result")) else { continue };
        for (list, key, judge) in [
            ("tools", "name", tool as fn(&Value) -> Option<String>),
            ("resources", "uri", resource as fn(&Value) -> Option<String>),
        ] {
            let Some(items) = result.get(list).and_then(Value::as_array) else { continue };
            seen = true;
            let mut keys = BTreeSet::new();
            for item in items {
                breaches.extend(judge(item).map(|why| breach(entry, &why)));
                breaches.extend(null_member(item).map(|why| breach(entry, &why)));
                let name = item.get(key).and_then(Value::as_str).unwrap_or_default();
                if !keys.insert(name) {
                    breaches.push(breach(entry, &format!("{list} list that holds {name} twice")));
                }
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

fn tool(tool: &Value) -> Option<String> {
    let name = tool.get("name").and_then(Value::as_str);
    let Some(name) = name else { return Some("tool without a name".into()) };
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > TOOL_NAME_MAX || !name.chars().all(allowed) {
        return Some(format!("tool named {name:?}, which is no name of 1 to {TOOL_NAME_MAX} of A-Z a-z 0-9 _ -"));
    }
    for (schema, required) in [("inputSchema", true), ("outputSchema", false)] {
        match tool.get(schema) {
            None if required => return Some(format!("tool {name} without {schema}")),
            Some(value) if value.get("type").and_then(Value::as_str) != Some("object") => {
                return Some(format!("tool {name} whose {schema} is not of type object"));
            }
            _ => {}
        }
    }
    None
}

fn resource(resource: &Value) -> Option<String> {
    let uri = resource.get("uri").and_then(Value::as_str);
    let Some(uri) = uri else { return Some("resource without a URI".into()) };
    if !uri.split_once(':').is_some_and(|(scheme, rest)| !scheme.is_empty() && !rest.is_empty()) {
        return Some(format!("resource whose URI {uri:?} is not absolute"));
    }
    if resource.get("name").and_then(Value::as_str).is_none_or(str::is_empty) {
        return Some(format!("resource {uri} without a name"));
    }
    None
}

fn null_member(item: &Value) -> Option<String> {
    let (name, _) = item.as_object()?.iter().find(|(_, value)| value.is_null())?;
    Some(format!("entry whose `{name}` is null instead of absent"))
}

fn breach(entry: &Entry<'_>, why: &str) -> Breach {
    Breach::new(format!("{} got a {why}", entry.record.actor), [entry.seq()])
}

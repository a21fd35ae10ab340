//! What an MCP server may say of its own accord, and when.

use super::observation::{Breach, Observation};
use super::parsed_transcript::{Entry, ParsedTranscript, is_answer, method, request_id};
use crate::transcript::metadata::RunMetadata;
use iolite_mock_client::revision::Revision;
use iolite_protocol::transcript::Wire;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Nothing before the answer to `initialize` but answers, and no notification before the client is initialized. Where
/// there is no handshake, nothing but what a listen stream has acknowledged.
pub(super) fn nothing_before(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(Wire::Mcp).values() {
        if opens_without_handshake(entries) {
            seen = true;
            breaches.extend(Streams::read(entries).breaches);
            continue;
        }
        let mut initialized = false;
        for entry in entries {
            let Some(value) = entry.value() else { continue };
            if !entry.is_from_daemon() {
                initialized |= method(value) == Some("notifications/initialized");
                continue;
            }
            seen = true;
            if !initialized && !is_answer(value) {
                let what = method(value).unwrap_or("a message");
                let why = format!("{} got {what} before it was initialized", entry.record.actor);
                breaches.push(Breach::new(why, [entry.seq()]));
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// Notifications and requests only as the capabilities in the handshake allow.
pub(super) fn declared_only(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(Wire::Mcp).values() {
        let Some(capabilities) = capabilities(entries) else { continue };
        seen = true;
        let has = |path: &str| capabilities.pointer(path) == Some(&Value::Bool(true));
        for entry in entries.iter().filter(|entry| entry.is_from_daemon()) {
            let Some(value) = entry.value() else { continue };
            let Some(name) = method(value) else { continue };
            let allowed = match name {
                "notifications/tools/list_changed" => has("/tools/listChanged"),
                "notifications/resources/list_changed" => has("/resources/listChanged"),
                "notifications/resources/updated" => has("/resources/subscribe"),
                "notifications/prompts/list_changed" => has("/prompts/listChanged"),
                "notifications/message" => capabilities.get("logging").is_some(),
                "notifications/progress" | "notifications/cancelled" | "ping" => true,
                _ => false,
            };
            if !allowed {
                let why = format!("{} got {name}, which no declared capability allows", entry.record.actor);
                breaches.push(Breach::new(why, [entry.seq()]));
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// `updated` only between the answer to a subscription and the answer to its end, or for what a listen stream has
/// acknowledged.
pub(super) fn subscribed_only(transcript: &ParsedTranscript<'_>, _: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for entries in transcript.connections(Wire::Mcp).values() {
        if opens_without_handshake(entries) {
            seen = true;
            breaches.extend(Streams::read(entries).strays);
            continue;
        }
        let mut asked: BTreeMap<String, (bool, String)> = BTreeMap::new();
        let mut subscribed: BTreeSet<String> = BTreeSet::new();
        for entry in entries {
            let Some(value) = entry.value() else { continue };
            if !entry.is_from_daemon() {
                if let (Some(id), Some(name)) = (request_id(value), method(value))
                    && let Some(uri) = value.pointer("/params/uri").and_then(Value::as_str)
                    && matches!(name, "resources/subscribe" | "resources/unsubscribe")
                {
                    asked.insert(id.to_string(), (name == "resources/subscribe", uri.to_string()));
                }
                continue;
            }
            if is_answer(value) {
                seen = true;
                let id = value.get("id").map(Value::to_string).unwrap_or_default();
                match asked.remove(&id).filter(|_| value.get("result").is_some()) {
                    Some((true, uri)) => drop(subscribed.insert(uri)),
                    Some((false, uri)) => drop(subscribed.remove(&uri)),
                    None => {}
                }
            } else if method(value) == Some("notifications/resources/updated") {
                let uri = value.pointer("/params/uri").and_then(Value::as_str).unwrap_or_default();
                let covered = subscribed.iter().any(|subscribed| uri.starts_with(subscribed.as_str()));
                if !covered {
                    let why = format!("{} got an update of {uri}, to which it has no subscription", entry.record.actor);
                    breaches.push(Breach::new(why, [entry.seq()]));
                }
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// Members that only another revision knows.
pub(super) fn era(transcript: &ParsedTranscript<'_>, metadata: &RunMetadata) -> Observation {
    let mut seen = false;
    let mut breaches = Vec::new();
    for ((actor, connection), entries) in transcript.connections(Wire::Mcp) {
        let negotiated = metadata
            .clients
            .iter()
            .find(|client| client.actor == actor && client.connection == connection)
            .and_then(|client| Revision::parse(client.revision.as_deref()?));
        let Some(revision) = negotiated else { continue };
        let rules = revision.facts();
        for entry in entries.iter().filter(|entry| entry.is_from_daemon()) {
            let Some(result) = entry.value().and_then(|value| value.get("result")) else { continue };
            seen = true;
            for (member, known) in
                [("resultType", rules.result_type), ("ttlMs", rules.cache_hints), ("cacheScope", rules.cache_hints)]
            {
                if !known && result.get(member).is_some() {
                    breaches.push(leak(entry, member, revision));
                }
            }
            let listed = ["tools", "resources"].into_iter().filter_map(|list| result.get(list)?.as_array()).flatten();
            if !rules.icons && listed.into_iter().any(|item| item.get("icons").is_some()) {
                breaches.push(leak(entry, "icons", revision));
            }
        }
    }
    if seen { Observation::Seen(breaches) } else { Observation::Nothing }
}

/// Whether this client's requests describe themselves.
fn opens_without_handshake(entries: &[&Entry<'_>]) -> bool {
    let version = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
    entries.iter().any(|entry| !entry.is_from_daemon() && entry.value().is_some_and(|v| v.pointer(version).is_some()))
}

/// The listen streams of one connection. A stream's end is not judged: what was under way when the client cancelled it
/// arrives all the same.
#[derive(Default)]
struct Streams {
    /// By the request's id: the URIs acknowledged, once it is.
    acknowledged: BTreeMap<String, Option<BTreeSet<String>>>,
    /// What came of the server's own accord, or too early.
    breaches: Vec<Breach>,
    /// Updates that no stream covers.
    strays: Vec<Breach>,
}

impl Streams {
    fn read(entries: &[&Entry<'_>]) -> Self {
        let mut streams = Self::default();
        for entry in entries {
            let Some(value) = entry.value() else { continue };
            if entry.is_from_daemon() {
                streams.hear(entry, value);
            } else if method(value) == Some("subscriptions/listen")
                && let Some(id) = request_id(value)
            {
                streams.acknowledged.insert(id.to_string(), None);
            }
        }
        streams
    }

    fn hear(&mut self, entry: &Entry<'_>, value: &Value) {
        let Some(name) = method(value) else { return };
        let params = value.get("params");
        let stream = params
            .and_then(|params| params.pointer("/_meta/io.modelcontextprotocol~1subscriptionId"))
            .and_then(|id| self.acknowledged.get_mut(&id.to_string()));
        let breach = |why: &str| Breach::new(format!("{} got {name} {why}", entry.record.actor), [entry.seq()]);
        match stream {
            Some(acknowledged) if name == "notifications/subscriptions/acknowledged" => {
                let uris = params.and_then(|params| params.pointer("/notifications/resourceSubscriptions")?.as_array());
                let uris = uris.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
                *acknowledged = Some(uris.collect());
            }
            Some(None) => self.breaches.push(breach("before its stream was acknowledged")),
            Some(Some(uris)) if name == "notifications/resources/updated" => {
                let uri = params.and_then(|params| params.get("uri")?.as_str()).unwrap_or_default();
                if !uris.iter().any(|subscribed| uri.starts_with(subscribed.as_str())) {
                    self.strays.push(breach(&format!("of {uri}, which its stream does not cover")));
                }
            }
            Some(Some(_)) => {}
            None if matches!(name, "notifications/progress" | "notifications/message" | "notifications/cancelled") => {}
            None => self.breaches.push(breach("outside of any stream that it listens to")),
        }
    }
}

fn leak(entry: &Entry<'_>, member: &str, revision: Revision) -> Breach {
    let why = format!("{} got `{member}`, which revision {revision} does not know", entry.record.actor);
    Breach::new(why, [entry.seq()])
}

fn capabilities<'a>(entries: &'a [&Entry<'_>]) -> Option<&'a Value> {
    let opening =
        entries.iter().find(|entry| !entry.is_from_daemon() && entry.value().and_then(method) == Some("initialize"))?;
    let id = opening.value()?.get("id")?;
    entries
        .iter()
        .filter(|entry| entry.is_from_daemon())
        .filter_map(|entry| entry.value())
        .find(|value| is_answer(value) && value.get("id") == Some(id))?
        .pointer("/result/capabilities")
}

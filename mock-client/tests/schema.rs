//! The protocol's own schemas and example messages, where they lie beside the project: our table agrees with the ones,
//! our classification takes every one of the others.

mod support;

use iolite_mock_client::Witness;
use iolite_mock_client::raw::{Limits, Message, RawLane};
use iolite_mock_client::revision::{Revision, Subscribing};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::soon;

/// Where the published schemas lie, if they do.
fn published() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/mcp-schema");
    folder.is_dir().then_some(folder)
}

fn json_in(path: &Path) -> Value {
    let text = std::fs::read(path).expect("a published file can be read");
    serde_json::from_slice(&text).expect("a published file is JSON")
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a published folder can be read");
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// The kind of message an example's folder says it is, and the message itself.
fn message_of(kind: &str, example: &Value) -> Option<(&'static str, Value)> {
    if kind.ends_with("Response") {
        Some(("response", example.clone()))
    } else if kind.ends_with("Notification") {
        Some(("notification", example.clone()))
    } else if kind.ends_with("Request") && example.get("jsonrpc").is_some() {
        Some(("request", example.clone()))
    } else if kind.ends_with("Error") && example.get("error").is_some() {
        Some(("response", example.clone()))
    } else if kind.ends_with("Result") {
        Some(("response", json!({ "jsonrpc": "2.0", "id": 1, "result": example })))
    } else if kind.ends_with("Error") && example.get("code").is_some() {
        Some(("response", json!({ "jsonrpc": "2.0", "id": 1, "error": example })))
    } else {
        None
    }
}

#[tokio::test]
async fn every_published_example_is_a_message() {
    let Some(published) = published() else {
        return;
    };
    let folders = files_in(&published.join("2026-07-28/examples"));
    let files = folders.iter().flat_map(|folder| files_in(folder));
    let examples: Vec<(PathBuf, Value)> = files.map(|path| (path.clone(), json_in(&path))).collect();
    let mut expected = Vec::new();
    let mut stream = String::new();
    for (path, example) in &examples {
        let kind = path.parent().and_then(Path::file_name).unwrap().to_string_lossy();
        if let Some((kind, message)) = message_of(&kind, example) {
            expected.push((path, kind));
            stream += &format!("{message}\n");
        }
    }
    assert!(expected.len() > 40, "{} of {}", expected.len(), examples.len());

    let output = std::io::Cursor::new(stream.into_bytes());
    let (input, _keep) = tokio::io::duplex(64);
    let lane = RawLane::over_streams(output, input, Witness::none(), Limits::default());
    lane.end(soon()).await.unwrap();
    let arrived = lane.since(Default::default());
    assert_eq!(arrived.len(), expected.len());
    for (arrived, (path, kind)) in arrived.iter().zip(expected) {
        let found = match &arrived.message {
            Message::Response(_) => "response",
            Message::Notification { .. } => "notification",
            Message::Request { .. } => "request",
            Message::Violation(violation) => panic!("{}: {violation}", path.display()),
        };
        assert_eq!(found, kind, "{}", path.display());
    }
}

#[test]
fn the_table_of_revisions_agrees_with_the_published_schemas() {
    let Some(published) = published() else {
        return;
    };
    for revision in Revision::ALL {
        let schema = json_in(&published.join(revision.name()).join("schema.json"));
        let types = schema.get("$defs").or_else(|| schema.get("definitions")).unwrap();
        let knows = |name: &str| types.get(name).is_some();
        let requires = |name: &str, member: &str| {
            let required = types[name]["required"].as_array();
            required.is_some_and(|members| members.iter().any(|found| found == member))
        };
        let facts = revision.facts();
        assert_eq!(facts.handshake, knows("InitializeRequest"), "{revision}");
        assert_eq!(facts.subscribing == Subscribing::PerUri, knows("SubscribeRequest"), "{revision}");
        assert_eq!(facts.subscribing == Subscribing::Listening, knows("SubscriptionsListenRequest"), "{revision}");
        assert_eq!(facts.icons, !types["Resource"]["properties"]["icons"].is_null(), "{revision}");
        assert_eq!(facts.result_type, requires("Result", "resultType"), "{revision}");
        for member in ["ttlMs", "cacheScope"] {
            assert_eq!(facts.cache_hints, requires("ListResourcesResult", member), "{revision}");
        }
        let structured = &types["CallToolResult"]["properties"]["structuredContent"];
        assert_eq!(facts.any_structured_content, structured["type"] != "object", "{revision}");
        assert_eq!(facts.batching, knows("JSONRPCBatchRequest"), "{revision}");
        assert_eq!(facts.server_requests, knows("ServerRequest"), "{revision}");
        assert_eq!(facts.ping, knows("PingRequest"), "{revision}");
        assert_eq!(facts.logging, knows("SetLevelRequest"), "{revision}");
        let error = ["JSONRPCError", "JSONRPCErrorResponse"].into_iter().find(|name| knows(name)).unwrap();
        assert_eq!(facts.error_without_id, !requires(error, "id"), "{revision}");
    }
}

//! Stories of the stock SDK: it understands a good server, and what it makes of a bad one is visible.

mod support;

use iolite_mock_client::outcome::Outcome;
use iolite_mock_client::process::{CommandLine, Grace};
use iolite_mock_client::revision::Revision;
use iolite_mock_client::sdk::{SdkClient, SdkError};
use iolite_mock_client::session::Client;
use iolite_mock_client::{ListError, Witness};
use iolite_protocol::transcript::{Direction, Payload};
use serde_json::{Value, json};
use std::time::Duration;
use support::{Memory, PATIENCE, fake, soon};

const LEGACY: Revision = Revision::V2025_11_25;

async fn client(manners: &str) -> SdkClient {
    connect(&fake(manners), LEGACY, Witness::none(), PATIENCE).await.expect("the SDK connects")
}

async fn connect(
    command: &CommandLine,
    revision: Revision,
    witness: Witness,
    patience: Duration,
) -> Result<SdkClient, SdkError> {
    SdkClient::spawn(command, revision, Client::default(), witness, patience).await
}

#[tokio::test]
async fn the_revision_is_the_one_that_was_named() {
    for revision in [Revision::V2025_06_18, LEGACY, Revision::V2026_07_28] {
        let memory = Memory::default();
        let client = connect(&fake("normal"), revision, memory.witness(), PATIENCE).await.unwrap();
        assert_eq!(client.server()["protocolVersion"], revision.name());
        let first = memory.payloads().into_iter().find_map(|payload| match payload {
            Payload::Text { text } => Some(text),
            _ => None,
        });
        assert!(first.unwrap().contains(revision.name()));
    }
}

#[tokio::test]
async fn operations_have_the_same_outcomes_as_on_the_raw_lane() {
    let client = client("normal").await;
    let tools = client.list_tools().await.unwrap();
    let names: Vec<&Value> = tools.entries.iter().map(|tool| &tool["name"]).collect();
    assert_eq!((names.len(), tools.pages.len()), (3, 3));
    assert_eq!(client.list_resources().await.unwrap().entries[0]["uri"], "app://a");
    assert!(client.list_resource_templates().await.unwrap().entries.is_empty());
    let read = client.read("app://a").await.unwrap();
    assert_eq!(read.result().unwrap()["contents"][0]["text"], "é\0");
    let missing = client.read("app://b").await.unwrap();
    let expected =
        Outcome::Error { code: -32002, message: "not found".into(), data: Some(json!({ "uri": "app://b" })) };
    assert_eq!(missing, expected);
    assert_eq!(client.ping().await.unwrap(), Outcome::Result(json!({})));
    let called = client.call("t", Some(json!({ "a": 1 }))).await.unwrap();
    assert_eq!(called.result().unwrap()["content"][0]["text"], "called");
    let error = client.call("t", Some(json!([]))).await.unwrap_err();
    assert!(matches!(error, SdkError::Inexpressible { .. }), "{error}");
}

#[tokio::test]
async fn notifications_come_back_as_the_json_they_were() {
    let client = client("normal").await;
    client.subscribe("app://a").await.unwrap();
    let notification = client.next_notification(soon()).await.unwrap();
    assert_eq!(notification.method, "notifications/resources/updated");
    assert_eq!(notification.params, Some(json!({ "uri": "app://a" })));
    client.unsubscribe("app://a").await.unwrap();
    assert!(client.drain_notifications().is_empty());
}

#[tokio::test]
async fn open_requests_finish_in_any_order() {
    let client = client("normal").await;
    let hold = json!({ "name": "hold" });
    let one = client.start("tools/call", Some(hold.clone())).await.unwrap();
    let two = client.start("tools/call", Some(hold)).await.unwrap();
    assert_ne!((one.id(), one.token()), (two.id(), two.token()));
    client.call("release", None).await.unwrap();
    for open in [one, two] {
        let outcome = client.finish(open).await.unwrap();
        assert_eq!(outcome.result().unwrap()["content"][0]["text"], "held");
    }
    client.cancel(&json!("x"), Some("why")).await.unwrap();
    let told = client.next_notification(soon()).await.unwrap();
    assert_eq!(told.params, Some(json!({ "requestId": "x", "reason": "why" })));
}

#[tokio::test]
async fn every_request_reaches_the_wire_even_when_the_server_allows_caching() {
    let memory = Memory::default();
    let modern = Revision::V2026_07_28;
    let client = connect(&fake("normal"), modern, memory.witness(), PATIENCE).await.unwrap();
    for _ in 0..3 {
        client.list_resources().await.unwrap();
    }
    let asked = |record: &iolite_protocol::transcript::Record| match &record.payload {
        Payload::Text { text } => record.direction == Direction::ToDaemon && text.contains("resources/list"),
        _ => false,
    };
    assert_eq!(memory.records().iter().filter(|record| asked(record)).count(), 3);
}

#[tokio::test]
async fn listening_brings_notifications_until_it_is_cancelled() {
    let modern = Revision::V2026_07_28;
    let client = connect(&fake("normal"), modern, Witness::none(), PATIENCE).await.unwrap();
    let subscription = client.listen(json!({ "toolsListChanged": true })).await.unwrap();
    assert_eq!(subscription.acknowledged, json!({ "toolsListChanged": true }));
    let changed = client.next_notification(soon()).await.unwrap();
    assert_eq!(changed.method, "notifications/tools/list_changed");
    let id = subscription.id.clone();
    subscription.cancel().await.unwrap();
    let told = client.next_notification(soon()).await.unwrap();
    assert_eq!(told.params.unwrap()["requestId"], id);
}

#[tokio::test]
async fn garbage_is_recorded_although_the_sdk_overlooks_it() {
    let memory = Memory::default();
    let client = connect(&fake("garbage"), LEGACY, memory.witness(), PATIENCE).await.unwrap();
    client.ping().await.unwrap();
    let garbage = |payload: &Payload| match payload {
        Payload::Text { text } => text == "Listening on port 8080",
        Payload::Bytes { what, .. } => what == "invalid_utf8",
        _ => false,
    };
    assert!(memory.payloads().iter().filter(|payload| garbage(payload)).count() >= 4);
}

#[tokio::test]
async fn each_operation_has_a_deadline_of_its_own() {
    let patience = Duration::from_millis(100);
    let opening = connect(&fake("mute"), LEGACY, Witness::none(), patience).await;
    assert!(matches!(opening, Err(SdkError::Timeout { .. })), "{opening:?}");

    let mut client = client("normal").await;
    client.set_patience(patience);
    let held = client.call("hold", None).await.unwrap_err();
    assert!(matches!(held, SdkError::Timeout { .. }), "{held}");
    let told = client.next_notification(soon()).await.unwrap();
    assert_eq!(told.method, "notifications/got_cancel");
}

#[tokio::test]
async fn lists_without_end_are_left() {
    let error = client("circular").await.list_tools().await.unwrap_err();
    assert!(matches!(error, ListError::RepeatedCursor { .. }), "{error}");
}

#[tokio::test]
async fn a_server_that_dies_closes_the_client() {
    let died = connect(&fake("dies"), LEGACY, Witness::none(), PATIENCE).await;
    assert!(matches!(died, Err(SdkError::Opening(_))), "{died:?}");
    let missing = CommandLine::new("/no/such/program");
    let missing = connect(&missing, LEGACY, Witness::none(), PATIENCE).await;
    assert!(matches!(missing, Err(SdkError::Spawn(_))));
}

#[tokio::test]
async fn stopping_and_dropping_leave_no_process() {
    let stopped = client("normal").await.stop(Grace::default()).await.unwrap().unwrap();
    assert!(stopped.exit.success());
    let dropped = client("polite").await;
    let gone = dropped.process().unwrap().exit_watch();
    drop(dropped);
    assert_eq!(gone.wait(soon()).await.unwrap().signal, Some(9));
}

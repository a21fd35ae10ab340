//! Stories of a session: the everyday operations, in order and out of it.

mod support;

use iolite_mock_client::ListError;
use iolite_mock_client::listing::Listed;
use iolite_mock_client::outcome::Outcome;
use iolite_mock_client::raw::Cursor;
use iolite_mock_client::revision::Revision;
use iolite_mock_client::session::{Answering, Client, Progress, Session};
use serde_json::{Value, json};
use support::{PATIENCE, lane, session, soon};

const LEGACY: Revision = Revision::V2025_11_25;
const MODERN: Revision = Revision::V2026_07_28;

fn names(entries: &[Value]) -> Vec<&str> {
    entries.iter().filter_map(|entry| entry["name"].as_str()).collect()
}

#[tokio::test]
async fn a_legacy_session_opens_with_a_handshake() {
    let session = session("normal", Revision::V2025_06_18);
    let outcome = session.open().await.unwrap();
    assert_eq!(outcome.result().unwrap()["protocolVersion"], "2025-06-18");
    assert_eq!(session.ping().await.unwrap(), Outcome::Result(json!({})));
    let other = session.initialize("1999-01-01", json!({ "x": 1 }), json!(null)).await.unwrap();
    assert_eq!(other.result().unwrap()["protocolVersion"], "1999-01-01");
}

#[tokio::test]
async fn lists_are_followed_to_their_end() {
    let session = session("normal", LEGACY);
    let tools = session.list_tools().await.unwrap();
    assert_eq!(names(&tools.entries), ["one", "two", "three"]);
    assert_eq!(tools.pages.len(), 3);
    assert_eq!(names(&session.list_resources().await.unwrap().entries), ["a"]);
    assert!(session.list_resource_templates().await.unwrap().entries.is_empty());
    let page = session.list_page(Listed::Tools, Some(json!("last"))).await.unwrap();
    assert_eq!(names(page.result().unwrap()["tools"].as_array().unwrap()), ["three"]);
}

#[tokio::test]
async fn lists_without_end_are_left() {
    let circular = session("circular", LEGACY).list_tools().await.unwrap_err();
    assert!(matches!(&circular, ListError::RepeatedCursor { cursor, .. } if cursor == "same"));
    let endless = session("endless", LEGACY).list_tools().await.unwrap_err();
    assert!(matches!(&endless, ListError::TooManyPages { limit: 1_000, .. }), "{endless}");
}

#[tokio::test]
async fn a_list_that_is_refused_or_unanswered_says_so() {
    let refused = session("normal", LEGACY).list(Listed::Prompts).await.unwrap_err();
    let ListError::Refused { outcome, .. } = refused else {
        panic!("{refused}");
    };
    assert_eq!(outcome.code(), Some(-32601));
    let dead = session("dies", LEGACY).list_tools().await.unwrap_err();
    assert!(matches!(dead, ListError::Call { .. }), "{dead}");
}

#[tokio::test]
async fn errors_are_outcomes_with_everything_in_them() {
    let session = session("normal", LEGACY);
    let outcome = session.read("app://nothing").await.unwrap();
    let expected =
        Outcome::Error { code: -32002, message: "not found".into(), data: Some(json!({ "uri": "app://nothing" })) };
    assert_eq!(outcome, expected);
    let read = session.read("app://a").await.unwrap();
    assert_eq!(read.result().unwrap()["contents"][0]["text"], "é\0");
}

#[tokio::test]
async fn open_calls_finish_in_any_order() {
    let session = session("normal", LEGACY);
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(session.start_call("hold", None, Progress::None).await.unwrap());
    }
    session.call("release", Some(json!({})), Progress::None).await.unwrap();
    for open in held {
        let outcome = session.finish(&open, soon()).await.unwrap();
        assert_eq!(outcome.result().unwrap()["content"][0]["text"], "held");
    }
}

#[tokio::test]
async fn calls_carry_exactly_the_params_they_were_given() {
    let session = session("normal", LEGACY);
    let echo = |outcome: Outcome| outcome.result().unwrap()["_meta"]["params"].clone();
    let bare = session.call("t", None, Progress::None).await.unwrap();
    assert_eq!(echo(bare), json!({ "name": "t" }));
    let arguments = Some(json!([1, null]));
    let full = session.call("t", arguments, Progress::Token(json!(5))).await.unwrap();
    let expected = json!({ "name": "t", "arguments": [1, null], "_meta": { "progressToken": 5 } });
    assert_eq!(echo(full), expected);
}

#[tokio::test]
async fn progress_comes_with_the_calls_own_token() {
    let session = session("normal", LEGACY);
    let one = session.start_call("progress", None, Progress::Fresh).await.unwrap();
    let two = session.start_call("progress", None, Progress::Fresh).await.unwrap();
    assert_ne!(one.token, two.token);
    for open in [&two, &one] {
        session.finish(open, soon()).await.unwrap();
    }
    let tokens: Vec<Option<Value>> = session
        .drain_notifications()
        .into_iter()
        .map(|notification| notification.params.map(|params| params["progressToken"].clone()))
        .collect();
    assert_eq!(tokens, [one.token, two.token]);
}

#[tokio::test]
async fn notifications_queue_up_and_are_handed_out_once() {
    let session = session("normal", LEGACY);
    for uri in ["app://a", "app://b"] {
        assert_eq!(session.subscribe(uri).await.unwrap(), Outcome::Result(json!({})));
    }
    for uri in ["app://a", "app://b"] {
        let notification = session.next_notification(soon()).await.unwrap();
        assert_eq!(notification.method, "notifications/resources/updated");
        assert_eq!(notification.params, Some(json!({ "uri": uri })));
    }
    session.unsubscribe("app://a").await.unwrap();
    assert!(session.drain_notifications().is_empty());
    // The log keeps what the queue gave away.
    assert_eq!(session.lane().since(Cursor::START).len(), 5);
}

#[tokio::test]
async fn a_cancellation_names_the_request() {
    let session = session("normal", LEGACY);
    let open = session.start_call("hold", None, Progress::None).await.unwrap();
    session.cancel(&open.pending.id, Some("enough")).await.unwrap();
    let notification = session.next_notification(soon()).await.unwrap();
    let expected = json!({ "requestId": open.pending.id, "reason": "enough" });
    assert_eq!(notification.params, Some(expected));
}

#[tokio::test]
async fn the_servers_requests_are_answered_like_a_plain_client_does() {
    let session = session("asks", LEGACY);
    session.ping().await.unwrap();
    let mut got = Vec::new();
    for _ in 0..2 {
        got.push(session.next_notification(soon()).await.unwrap().params.unwrap());
    }
    assert_eq!(got[0], json!({ "jsonrpc": "2.0", "id": "p", "result": {} }));
    assert_eq!((&got[1]["id"], &got[1]["error"]["code"]), (&json!(900), &json!(-32601)));
}

#[tokio::test]
async fn a_silent_client_leaves_the_servers_requests_to_the_scenario() {
    let lane = lane("asks");
    let silent = Answering::Silent;
    let session = Session::new(lane, LEGACY, Client::default(), PATIENCE, silent);
    session.ping().await.unwrap();
    let answer = json!({ "jsonrpc": "2.0", "id": "p", "result": { "own": true } });
    session.lane().send(&answer).await.unwrap();
    let got = session.next_notification(soon()).await.unwrap();
    assert_eq!(got.params, Some(answer));
}

#[tokio::test]
async fn a_modern_session_describes_every_request() {
    let session = session("normal", MODERN);
    let server = session.open().await.unwrap();
    assert_eq!(server.result().unwrap()["resultType"], "complete");
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "mine" });
    let params = json!({ "name": "t", "_meta": meta });
    let outcome = session.request("tools/call", Some(params)).await.unwrap();
    let sent = &outcome.result().unwrap()["_meta"]["params"]["_meta"];
    assert_eq!(sent["io.modelcontextprotocol/protocolVersion"], "mine");
    assert_eq!(sent["io.modelcontextprotocol/clientCapabilities"], json!({}));
    assert!(sent["io.modelcontextprotocol/clientInfo"].is_object());

    let listening = session.listen(json!({ "toolsListChanged": true })).await.unwrap();
    let acknowledged = session.next_notification(soon()).await.unwrap();
    assert_eq!(acknowledged.method, "notifications/subscriptions/acknowledged");
    let changed = session.next_notification(soon()).await.unwrap().params.unwrap();
    let subscription = &changed["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(*subscription, listening.pending.id);
}

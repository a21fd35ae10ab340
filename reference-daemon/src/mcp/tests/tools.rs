//! Calls, progress, cancellation and the server's own tools.

use super::support::*;
use serde_json::{Value, json};

async fn ready(sessions: Vec<FakeSession>) -> (Bench, FakeDaemon) {
    let mut bench = Bench::new();
    let daemon = FakeDaemon::start(&bench.socket, sessions);
    bench.initialize("2025-06-18").await;
    (bench, daemon)
}

fn phone() -> FakeSession {
    FakeSession::new("s1", "a").tools(&["t"])
}

#[tokio::test]
async fn a_call_reaches_the_owner_and_its_result_comes_back_unchanged() {
    let (mut bench, mut daemon) = ready(vec![phone(), FakeSession::new("s2", "b").tools(&["t"])]).await;
    let args = json!({"big": 9_007_199_254_740_991_u64, "float": 0.1, "text": "é\u{0}", "z": null, "a": [[]]});
    bench.ask("tools/call", json!({"name": "b__t", "arguments": args})).await;
    let asked = daemon.next("tools.call").await;
    assert_eq!(
        asked.params.to_string(),
        json!({"selector": "s2", "name": "t", "args": args, "caller": "mcp"}).to_string()
    );
    asked.answer(json!({"result": args, "callId": "c"}));
    let result = bench.next().await["result"].clone();
    assert_eq!(result["structuredContent"].to_string(), args.to_string());
    assert_eq!(result["content"], json!([{"type": "text", "text": args.to_string()}]));
    bench.ask("tools/call", json!({"name": "a__t"})).await;
    let asked = daemon.next("tools.call").await;
    assert_eq!(asked.params["args"], json!({}));
    asked.answer(json!({"result": null, "callId": "c"}));
    assert_eq!(bench.next().await["result"], json!({"content": [{"type": "text", "text": "null"}]}));
}

#[tokio::test]
async fn errors_are_results_that_name_their_type() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    for (kind, details, text) in [
        ("tool_execution_error", Some(json!({"a": 1})), "tool_execution_error: m {\"a\":1}"),
        ("session_suspended", None, "session_suspended: m"),
        ("policy_denied", None, "policy_denied: m"),
        ("tool_not_found", None, "tool_not_found: m"),
    ] {
        bench.ask("tools/call", json!({"name": "t"})).await;
        daemon.next("tools.call").await.refuse(kind, "m", details);
        assert_eq!(bench.next().await["result"], json!({"content": [{"type": "text", "text": text}], "isError": true}));
    }
    bench.ask("tools/call", json!({"name": "t"})).await;
    let asked = daemon.next("tools.call").await;
    daemon.change("tools_changed", "s1", json!({}), |sessions| sessions[0].tools.clear());
    asked.refuse("tool_not_found", "m", None);
    bench.notified("tools/list_changed").await;
    assert_eq!(bench.next().await["error"]["code"], -32602);
}

#[tokio::test]
async fn a_result_must_keep_the_output_schema_that_is_listed() {
    let mut session = phone();
    session.tools[0]["output_schema"] = json!({"type": "object", "required": ["n"]});
    let (mut bench, mut daemon) = ready(vec![session]).await;
    for (result, fits) in [(json!({"n": 1}), true), (json!([1]), false), (json!({}), false)] {
        bench.ask("tools/call", json!({"name": "t"})).await;
        daemon.next("tools.call").await.answer(json!({"result": result, "callId": "c"}));
        let shown = bench.next().await["result"].clone();
        assert_eq!(shown.get("structuredContent"), fits.then_some(&result));
        assert_eq!(shown.get("isError"), (!fits).then_some(&json!(true)));
    }
}

#[tokio::test]
async fn progress_and_cancel_belong_to_their_own_call() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    let call = |token: Value| json!({"name": "t", "_meta": {"progressToken": token}});
    let first = bench.ask("tools/call", call(json!(0))).await;
    let second = bench.ask("tools/call", call(json!("0"))).await;
    let third = bench.ask("tools/call", json!({"name": "t"})).await;
    let asked = [daemon.next("tools.call").await, daemon.next("tools.call").await, daemon.next("tools.call").await];
    asked[1].event("tool_call_started", json!({"callId": "foreign", "name": "t"}));
    asked[1].started("two");
    asked[0].started("one");
    asked[2].started("three");
    for (id, value) in [("two", 0.5), ("foreign", 0.6), ("one", 0.25), ("three", 0.1)] {
        asked[0].event("tool_call_progress", json!({"callId": id, "progress": value, "message": id}));
    }
    assert_eq!(bench.notified("progress").await, json!({"progressToken": "0", "progress": 0.5, "message": "two"}));
    assert_eq!(bench.notified("progress").await, json!({"progressToken": 0, "progress": 0.25, "message": "one"}));
    bench.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": second}})).await;
    let cancel = daemon.next("tools.cancel").await;
    assert_eq!(cancel.params, json!({"callId": "two"}));
    cancel.answer(json!({"cancelled": true}));
    asked[1].event("tool_call_progress", json!({"callId": "two", "progress": 0.9}));
    asked[1].refuse("tool_cancelled", "cancelled", None);
    asked[2].answer(json!({"result": 3, "callId": "three"}));
    assert_eq!(bench.next().await["id"], third);
    asked[0].event("tool_call_finished", json!({"callId": "one", "outcome": "ok"}));
    asked[0].event("tool_call_progress", json!({"callId": "one", "progress": 1}));
    asked[0].answer(json!({"result": 1, "callId": "one"}));
    assert_eq!(bench.next().await["id"], first);
    assert_eq!(bench.result("ping", json!({})).await, json!({}));
}

#[tokio::test]
async fn a_call_cancelled_before_it_has_a_name_is_cancelled_as_soon_as_it_has_one() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    let id = bench.ask("tools/call", json!({"name": "t"})).await;
    let asked = daemon.next("tools.call").await;
    bench.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})).await;
    assert_eq!(bench.result("ping", json!({})).await, json!({}));
    asked.started("late");
    assert_eq!(daemon.next("tools.cancel").await.params, json!({"callId": "late"}));
}

#[tokio::test]
async fn what_a_call_changed_is_announced_before_its_result() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    bench.ask("tools/call", json!({"name": "t"})).await;
    let asked = daemon.next("tools.call").await;
    daemon.change("tools_changed", "s1", json!({}), |sessions| sessions[0].tools.push(tool("u")));
    asked.answer(json!({"result": 1, "callId": "c"}));
    bench.notified("tools/list_changed").await;
    assert_eq!(bench.next().await["result"]["content"][0]["text"], "1");
}

#[tokio::test]
async fn requests_are_answered_while_a_call_is_open() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    let slow = bench.ask("tools/call", json!({"name": "t"})).await;
    let asked = daemon.next("tools.call").await;
    assert_eq!(bench.result("ping", json!({})).await, json!({}));
    assert_eq!(bench.tool_names().await, ["t"]);
    asked.answer(json!({"result": 1, "callId": "c"}));
    assert_eq!(bench.next().await["id"], slow);
}

#[tokio::test]
async fn connecting_and_waiting() {
    let (mut bench, mut daemon) = ready(Vec::new()).await;
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    bench.ask("tools/call", call("cordierite_connect", json!({"ttlSeconds": 5}))).await;
    let asked = daemon.next("link.create").await;
    assert_eq!(asked.params, json!({"ttlSeconds": 5}));
    asked.answer(json!({
        "sessionId": "s1", "deepLinkPayload": "AgQ", "endpoint": {"family": "ipv4", "address": "127.0.0.1", "port": 7},
        "expiresAt": "2025-01-01T00:00:00Z", "pin": format!("sha256/{}=", "A".repeat(43)),
    }));
    let link = bench.next().await["result"]["structuredContent"].clone();
    assert_eq!(link["sessionId"], "s1");
    assert!(link["deepLink"].as_str().unwrap().starts_with("iolite:///?cordierite=AgQ&pin=sha256/"));

    let waiting = bench.ask("tools/call", call("cordierite_wait_for_session", json!({"sessionId": "s1"}))).await;
    bench.tool_names().await;
    daemon.change("session_claimed", "s1", json!({}), |sessions| sessions.push(FakeSession::new("s1", "a")));
    let answer = bench.next().await;
    assert_eq!(answer["id"], waiting);
    assert_eq!(answer["result"]["structuredContent"], json!({"sessionId": "s1", "alias": "a", "claimed": true}));
}

#[tokio::test]
async fn waiting_ends_with_the_link_or_the_time() {
    let (mut bench, daemon) = ready(Vec::new()).await;
    let wait = |arguments: Value| json!({"name": "cordierite_wait_for_session", "arguments": arguments});
    let result = bench.result("tools/call", wait(json!({"sessionId": "s1", "timeoutMs": 1}))).await;
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("tool_timeout: "));
    bench.ask("tools/call", wait(json!({"sessionId": "s1"}))).await;
    daemon.change("link_expired", "s1", json!({}), |_| {});
    let result = bench.next().await["result"].clone();
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("unknown_session: "));
}

#[tokio::test]
async fn events_that_happened_and_events_to_come() {
    let (mut bench, daemon) = ready(vec![phone()]).await;
    let wait = |arguments: Value| json!({"name": "cordierite_wait_for_event", "arguments": arguments});
    daemon.app_event("s1", "saved", json!({"id": 1}));
    let found = bench.result("tools/call", wait(json!({"name": "saved"}))).await;
    assert_eq!(found["structuredContent"]["payload"], json!({"id": 1}));
    let waiting = bench.ask("tools/call", wait(json!({"selector": "s1", "name": "saved", "match": {"id": 2}}))).await;
    bench.tool_names().await;
    daemon.app_event("s1", "saved", json!({"id": 3}));
    daemon.app_event("s1", "saved", json!({"id": 2, "more": true}));
    let answer = bench.next().await;
    assert_eq!(answer["id"], waiting);
    assert_eq!(answer["result"]["structuredContent"]["payload"], json!({"id": 2, "more": true}));
    let page = bench
        .result("tools/call", json!({"name": "cordierite_events", "arguments": {"selector": "s1", "since": 1}}))
        .await;
    assert_eq!(page["structuredContent"]["events"].as_array().unwrap().len(), 2);
}

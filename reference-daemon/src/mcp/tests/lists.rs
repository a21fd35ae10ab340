//! Lists, announcements, reads and subscriptions.

use super::support::*;
use crate::rules::Rules;
use serde_json::{Value, json};

fn phone() -> FakeSession {
    FakeSession::new("s1", "a").tools(&["t"]).resources(&["cart"])
}

async fn ready(sessions: Vec<FakeSession>) -> (Bench, FakeDaemon) {
    let mut bench = Bench::new();
    let daemon = FakeDaemon::start(&bench.socket, sessions);
    bench.initialize("2025-11-25").await;
    (bench, daemon)
}

#[tokio::test]
async fn what_is_there_before_the_client_is_no_change() {
    let (mut bench, _daemon) = ready(vec![phone()]).await;
    assert_eq!(bench.tool_names().await, ["t"]);
    assert_eq!(bench.uris().await, ["cordierite://a/cart"]);
}

#[tokio::test]
async fn a_visible_change_is_announced_and_the_list_shows_it() {
    let (mut bench, daemon) = ready(vec![phone()]).await;
    daemon.change("resources_changed", "s1", json!({"resourceCount": 2}), |sessions| {
        sessions[0].resources.push(resource("user"));
    });
    bench.notified("resources/list_changed").await;
    assert_eq!(bench.uris().await, ["cordierite://a/cart", "cordierite://a/user"]);
    daemon.change("tools_changed", "s1", json!({"toolCount": 0}), |sessions| {
        sessions[0].tools.clear();
    });
    bench.notified("tools/list_changed").await;
    assert_eq!(bench.tool_names().await, [] as [&str; 0]);
}

#[tokio::test]
async fn invisible_changes_are_silent() {
    let (mut bench, daemon) = ready(vec![phone()]).await;
    daemon.change("session_suspended", "s1", json!({}), |sessions| sessions[0].state = "suspended");
    daemon.change("session_resumed", "s1", json!({}), |sessions| sessions[0].state = "active");
    daemon.change("resources_changed", "s1", json!({"resourceCount": 1}), |_| {});
    daemon.change("tools_changed", "s1", json!({"toolCount": 1}), |_| {});
    assert_eq!(bench.tool_names().await, ["t"]);
    // The fence: one change that shows.
    daemon.change("tools_changed", "s1", json!({"toolCount": 2}), |sessions| sessions[0].tools.push(tool("u")));
    bench.notified("tools/list_changed").await;
}

#[tokio::test]
async fn a_list_is_fresh_even_without_its_announcement() {
    let (mut bench, daemon) = ready(vec![phone()]).await;
    daemon.change("resources_changed", "s1", json!({"resourceCount": 0}), |sessions| sessions[0].resources.clear());
    let (answer, _) = bench.exchange("resources/list", json!({})).await;
    assert_eq!(answer["result"]["resources"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn sessions_come_and_go() {
    let (mut bench, daemon) = ready(vec![phone()]).await;
    daemon.change("session_claimed", "s2", json!({}), |sessions| {
        sessions.push(FakeSession::new("s2", "b").tools(&["t"]).resources(&["cart"]));
    });
    bench.notified("tools/list_changed").await;
    bench.notified("resources/list_changed").await;
    assert_eq!(bench.tool_names().await, ["a__t", "b__t"]);
    assert_eq!(bench.uris().await, ["cordierite://a/cart", "cordierite://b/cart"]);
    daemon.change("session_revoked", "s1", json!({}), |sessions| {
        sessions.remove(0);
    });
    bench.notified("tools/list_changed").await;
    bench.notified("resources/list_changed").await;
    assert_eq!(bench.tool_names().await, ["t"]);
    assert_eq!(bench.uris().await, ["cordierite://b/cart"]);
}

#[tokio::test]
async fn a_storm_of_changes_ends_in_the_last_state() {
    let (mut bench, daemon) = ready(vec![phone()]).await;
    for index in 0..500 {
        daemon.change("resources_changed", "s1", json!({}), |sessions| {
            sessions[0].resources.push(resource(&format!("r{index}")));
        });
    }
    let (answer, _) = bench.exchange("resources/list", json!({})).await;
    assert_eq!(answer["result"]["resources"].as_array().unwrap().len(), 502);
}

#[tokio::test]
async fn icons_are_shown_where_the_revision_knows_them() {
    for (revision, shown) in [("2025-06-18", false), ("2025-11-25", true)] {
        let mut bench = Bench::new();
        let mut session = phone();
        session.resources[0]["icons"] = json!([{"src": "https://example.org/i.png"}]);
        let _daemon = FakeDaemon::start(&bench.socket, vec![session]);
        bench.initialize(revision).await;
        let list = bench.result("resources/list", json!({})).await;
        assert_eq!(list["resources"][1].get("icons").is_some(), shown);
        let fallback = bench.result("tools/call", json!({"name": "cordierite_list_resources"})).await;
        assert_eq!(fallback["structuredContent"], list);
    }
}

#[tokio::test]
async fn a_read_returns_the_items_and_both_faces_agree() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    let contents =
        json!([{"text": "é\u{0}", "mime_type": "text/plain"}, {"blob": "AP+ACg==", "uri": "app://part"}, {"text": ""}]);
    let expected = json!({"contents": [
        {"uri": "cordierite://a/cart", "mimeType": "text/plain", "text": "é\u{0}"},
        {"uri": "app://part", "blob": "AP+ACg=="},
        {"uri": "cordierite://a/cart", "text": ""},
    ]});
    let id = bench.ask("resources/read", json!({"uri": "cordierite://a/cart"})).await;
    let asked = daemon.next("resources.read").await;
    assert_eq!(asked.params, json!({"selector": "s1", "name": "cart", "caller": "mcp"}));
    asked.answer(json!({"contents": contents, "readId": "r"}));
    assert_eq!(bench.next().await, json!({"jsonrpc": "2.0", "id": id, "result": expected}));

    let read = json!({"name": "cordierite_read", "arguments": {"uri": "cordierite://a/cart"}});
    bench.ask("tools/call", read).await;
    daemon.next("resources.read").await.answer(json!({"contents": contents, "readId": "r"}));
    let result = bench.next().await["result"].clone();
    assert_eq!(result["structuredContent"], expected);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), expected);
    assert!(result.get("isError").is_none());
}

#[tokio::test]
async fn the_sessions_resource_equals_the_daemons_list() {
    let (mut bench, _daemon) = ready(vec![phone()]).await;
    let result = bench.result("resources/read", json!({"uri": "cordierite://sessions"})).await;
    let item = &result["contents"][0];
    assert_eq!((&item["uri"], &item["mimeType"]), (&json!("cordierite://sessions"), &json!("application/json")));
    let text: Value = serde_json::from_str(item["text"].as_str().unwrap()).unwrap();
    assert_eq!(text["sessions"][0]["sessionId"], "s1");
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    for uri in ["cordierite://a/gone", "cordierite://b/cart", "cordierite://a/cart/", "app://cart", ""] {
        let (code, data) = bench.failure("resources/read", json!({"uri": uri})).await;
        assert_eq!((code, data), (-32002, json!({"uri": uri})));
    }
    bench.ask("resources/read", json!({"uri": "cordierite://a/cart"})).await;
    daemon.next("resources.read").await.refuse("tool_execution_error", "boom", Some(json!([1])));
    assert_eq!(
        bench.next().await["error"],
        json!({"code": -32603, "message": "boom", "data": {"type": "tool_execution_error", "details": [1]}})
    );
    // The app's own word, for a resource that is still there.
    bench.ask("resources/read", json!({"uri": "cordierite://a/cart"})).await;
    daemon.next("resources.read").await.refuse("tool_not_found", "not here", None);
    assert_eq!(bench.next().await["error"]["data"]["type"], "tool_not_found");
    // The daemon's, for one that went away in the meantime.
    bench.ask("resources/read", json!({"uri": "cordierite://a/cart"})).await;
    let asked = daemon.next("resources.read").await;
    daemon.change("resources_changed", "s1", json!({}), |sessions| sessions[0].resources.clear());
    asked.refuse("tool_not_found", "no such resource", None);
    bench.notified("resources/list_changed").await;
    assert_eq!(bench.next().await["error"]["code"], -32002);
}

#[tokio::test]
async fn the_fallback_tools_fail_as_results() {
    let (mut bench, mut daemon) = ready(vec![phone()]).await;
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    for (params, begins) in [
        (call("cordierite_read", json!({"uri": "cordierite://a/gone"})), "tool_not_found: "),
        (call("cordierite_read", json!({})), "invalid_request: "),
        (call("cordierite_read", json!({"uri": 5})), "invalid_request: "),
        (call("cordierite_read", json!({"uri": "cordierite://a/cart", "x": 1})), "invalid_request: "),
        (call("cordierite_list_resources", json!({"cursor": "0"})), "invalid_request: "),
    ] {
        let result = bench.result("tools/call", params.clone()).await;
        assert_eq!(result["isError"], true, "{params}");
        assert!(result["content"][0]["text"].as_str().unwrap().starts_with(begins), "{result}");
        assert!(result.get("structuredContent").is_none());
    }
    bench.ask("tools/call", call("cordierite_read", json!({"uri": "cordierite://a/cart"}))).await;
    daemon.next("resources.read").await.refuse("session_suspended", "away", None);
    let result = bench.next().await["result"].clone();
    assert_eq!(result["content"][0]["text"], "session_suspended: away");
}

#[tokio::test]
async fn a_stale_mark_reaches_subscribers_only_between_subscribe_and_unsubscribe() {
    let other = FakeSession::new("s2", "b").resources(&["cart"]);
    let (mut bench, daemon) = ready(vec![phone(), other]).await;
    let mark = |session: &str| daemon.app_event(session, "resource_updated", json!({"name": "cart"}));
    mark("s1");
    bench.tool_names().await;
    let uri = json!({"uri": "cordierite://a/cart"});
    assert_eq!(bench.result("resources/subscribe", uri.clone()).await, json!({}));
    mark("s2");
    mark("s1");
    assert_eq!(bench.notified("resources/updated").await, uri);
    // Twice subscribed is once subscribed.
    bench.result("resources/subscribe", uri.clone()).await;
    assert_eq!(bench.result("resources/unsubscribe", uri.clone()).await, json!({}));
    mark("s1");
    bench.tool_names().await;
    assert_eq!(bench.result("resources/unsubscribe", uri.clone()).await, json!({}));
    bench.result("resources/subscribe", json!({"uri": "cordierite://b/cart"})).await;
    mark("s1");
    mark("s2");
    assert_eq!(bench.notified("resources/updated").await, json!({"uri": "cordierite://b/cart"}));
    let unknown = bench.failure("resources/subscribe", json!({"uri": "cordierite://a/gone"})).await;
    assert_eq!(unknown, (-32002, json!({"uri": "cordierite://a/gone"})));
}

#[tokio::test]
async fn several_clients_do_not_disturb_each_other() {
    let (mut first, daemon) = ready(vec![phone()]).await;
    let mut second = first.beside(Rules::default());
    second.initialize("2025-06-18").await;
    assert_eq!(first.tool_names().await, second.tool_names().await);
    first.result("resources/subscribe", json!({"uri": "cordierite://a/cart"})).await;
    daemon.app_event("s1", "resource_updated", json!({"name": "cart"}));
    first.notified("resources/updated").await;
    assert_eq!(second.uris().await, ["cordierite://a/cart"]);
    first.hang_up().await;
    first.ended().await;
    daemon.app_event("s1", "resource_updated", json!({"name": "cart"}));
    assert_eq!(second.tool_names().await, ["t"]);
}

#[tokio::test]
async fn bent_servers_share_what_is_not_to_be_shared() {
    let mut rules = Rules::default();
    rules.mcp_answers.subscriptions_end_with_connection = false;
    rules.mcp.serves_several = false;
    let mut first = Bench::with(rules.clone());
    let daemon = FakeDaemon::start(&first.socket, vec![phone()]);
    first.initialize("2025-06-18").await;
    first.result("resources/subscribe", json!({"uri": "cordierite://a/cart"})).await;
    let mut shut_out = first.beside(rules);
    shut_out.initialize("2025-06-18").await;
    assert_eq!(shut_out.failure("tools/list", json!({})).await.0, -32603);
    let folder = first.keep_folder();
    first.hang_up().await;
    first.ended().await;
    let mut heir = shut_out.beside({
        let mut rules = Rules::default();
        rules.mcp_answers.subscriptions_end_with_connection = false;
        rules
    });
    heir.initialize("2025-06-18").await;
    daemon.app_event("s1", "resource_updated", json!({"name": "cart"}));
    heir.notified("resources/updated").await;
    drop(folder);
}

#[tokio::test]
async fn bent_servers_are_wrong_on_the_wire() {
    let bent = async |bend: fn(&mut Rules)| {
        let mut rules = Rules::default();
        bend(&mut rules);
        let mut bench = Bench::with(rules);
        let daemon = FakeDaemon::start(&bench.socket, vec![phone()]);
        bench.initialize("2025-06-18").await;
        (bench, daemon)
    };
    let (mut cached, daemon) = bent(|rules| rules.mcp_lists.fresh_lists = false).await;
    cached.uris().await;
    daemon.change("resources_changed", "s1", json!({}), |sessions| sessions[0].resources.clear());
    cached.notified("resources/list_changed").await;
    assert_eq!(cached.uris().await.len(), 1);

    let (mut empty, _daemon) = bent(|rules| rules.mcp_answers.unknown_uri = crate::rules::UnknownUri::Empty).await;
    assert_eq!(empty.result("resources/read", json!({"uri": "x:y"})).await, json!({"contents": []}));

    let (mut prompts, _daemon) = bent(|rules| rules.mcp.promise_prompts = true).await;
    assert_eq!(prompts.failure("prompts/list", json!({})).await.0, -32601);

    let (mut modern, _daemon) = bent(|rules| rules.mcp.plain_envelope = false).await;
    assert_eq!(modern.result("resources/list", json!({})).await["resultType"], "complete");

    let (mut frozen, _daemon) = bent(|rules| rules.fallback.errors_as_results = false).await;
    let read = json!({"name": "cordierite_read", "arguments": {"uri": "x:y"}});
    assert_eq!(frozen.failure("tools/call", read).await.0, -32603);
}

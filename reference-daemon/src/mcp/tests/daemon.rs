//! A daemon that is not there yet, goes away, and comes back (`BRG-MCP-26`).

use super::support::*;
use crate::rules::Rules;
use serde_json::json;

fn phone() -> FakeSession {
    FakeSession::new("s1", "a").tools(&["t"]).resources(&["cart"])
}

#[tokio::test]
async fn without_a_daemon_requests_fail_at_once_and_the_handshake_works() {
    let mut bench = Bench::new();
    bench.initialize("2025-11-25").await;
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/read", json!({"uri": "cordierite://a/cart"})),
        ("resources/subscribe", json!({"uri": "cordierite://a/cart"})),
    ] {
        let (code, data) = bench.failure(method, params).await;
        assert_eq!((code, &data["type"]), (-32603, &json!("daemon_unreachable")), "{method}");
    }
    let result = bench.result("tools/call", json!({"name": "cordierite_list_resources"})).await;
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("daemon_unreachable: "));
    assert_eq!(bench.result("ping", json!({})).await, json!({}));

    let _daemon = FakeDaemon::start(&bench.socket, vec![phone()]);
    bench.notified("tools/list_changed").await;
    bench.notified("resources/list_changed").await;
    assert_eq!(bench.tool_names().await, ["t"]);
}

#[tokio::test]
async fn a_daemon_that_comes_back_is_read_anew() {
    let mut bench = Bench::new();
    let mut daemon = FakeDaemon::start(&bench.socket, vec![phone()]);
    bench.initialize("2025-11-25").await;
    bench.result("resources/subscribe", json!({"uri": "cordierite://a/cart"})).await;
    bench.ask("tools/call", json!({"name": "t"})).await;
    daemon.next("tools.call").await;
    daemon.stop().await;
    let result = bench.next().await["result"].clone();
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("daemon_unreachable: "));
    assert_eq!(bench.failure("resources/list", json!({})).await.0, -32603);

    // The same state: nothing to tell, and the subscription stands.
    let daemon = FakeDaemon::start(&bench.socket, vec![phone()]);
    until_served(&mut bench).await;
    daemon.app_event("s1", "resource_updated", json!({"name": "cart"}));
    assert_eq!(bench.notified("resources/updated").await, json!({"uri": "cordierite://a/cart"}));
    daemon.stop().await;

    // A daemon that forgot everything.
    let _daemon = FakeDaemon::start(&bench.socket, Vec::new());
    bench.notified("tools/list_changed").await;
    bench.notified("resources/list_changed").await;
    assert_eq!(bench.tool_names().await, [] as [&str; 0]);
}

#[tokio::test]
async fn a_bent_server_never_comes_back() {
    let mut rules = Rules::default();
    rules.mcp.reconnect = false;
    let mut bench = Bench::with(rules);
    let daemon = FakeDaemon::start(&bench.socket, vec![phone()]);
    bench.initialize("2025-11-25").await;
    daemon.stop().await;
    let _daemon = FakeDaemon::start(&bench.socket, vec![phone()]);
    assert_eq!(bench.failure("tools/list", json!({})).await.0, -32603);
    assert_eq!(bench.failure("tools/list", json!({})).await.0, -32603);
}

/// Asks until the server is connected again. Each attempt is answered at once, so this is no waiting in the dark.
async fn until_served(bench: &mut Bench) {
    loop {
        let (answer, before) = bench.exchange("resources/list", json!({})).await;
        assert!(before.is_empty(), "{before:?}");
        if answer.get("result").is_some() {
            return;
        }
    }
}

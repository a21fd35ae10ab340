//! Handshake, malformed input and the end.

use super::support::*;
use serde_json::{Value, json};

#[tokio::test]
async fn the_revision_asked_for_is_answered_or_the_latest() {
    for (asked, agreed) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        let mut bench = Bench::new();
        let _daemon = FakeDaemon::start(&bench.socket, Vec::new());
        let result = bench.initialize(asked).await;
        assert_eq!(result["protocolVersion"], agreed);
        assert_eq!(
            result["capabilities"],
            json!({"resources": {"subscribe": true, "listChanged": true}, "tools": {"listChanged": true}})
        );
        assert!(!result.to_string().contains("null"), "{result}");
        assert!(result["instructions"].as_str().unwrap().contains("cordierite_read"));
    }
}

#[tokio::test]
async fn what_comes_before_initialize_is_refused_and_the_server_lives() {
    let mut bench = Bench::new();
    let mut daemon = FakeDaemon::start(&bench.socket, vec![FakeSession::new("s1", "a").tools(&["t"])]);
    assert_eq!(bench.failure("tools/list", json!({})).await.0, -32600);
    assert_eq!(bench.failure("tools/call", json!({"name": "t"})).await.0, -32600);
    assert_eq!(bench.failure("server/discover", json!({})).await.0, -32601);
    assert_eq!(bench.result("ping", json!({})).await, json!({}));
    bench.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let no_version = json!({"capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
    assert_eq!(bench.failure("initialize", no_version).await.0, -32602);
    bench.initialize("2025-11-25").await;
    assert_eq!(bench.tool_names().await, ["t"]);
    assert!(daemon.asked.try_recv().is_err());
}

#[tokio::test]
async fn malformed_input_of_every_kind_gets_its_code_and_the_server_lives() {
    let mut bench = Bench::new();
    let _daemon = FakeDaemon::start(&bench.socket, Vec::new());
    bench.initialize("2025-06-18").await;
    for (line, code) in [
        (&b"{ not json"[..], -32700),
        (b"\xff\xfe", -32700),
        (b"[]", -32600),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (b"5", -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    ] {
        bench.line(line).await;
        let answer = bench.next().await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &Value::Null));
    }
    bench.line(&vec![b'x'; 5 * 1024 * 1024]).await;
    assert_eq!(bench.next().await["error"]["code"], -32600);
    bench.line(b"").await;
    bench.line(b"\r").await;
    bench.send(json!({"jsonrpc": "2.0", "method": "notifications/unheard_of", "params": 5})).await;
    bench.send(json!({"jsonrpc": "2.0", "id": 9, "result": {}})).await;
    for (method, params, code) in [
        ("nonsense", json!({}), -32601),
        ("prompts/list", json!({}), -32601),
        ("logging/setLevel", json!({"level": "info"}), -32601),
        ("completion/complete", json!({}), -32601),
        ("subscriptions/listen", json!({"notifications": {}}), -32601),
        ("tools/list", json!({"cursor": "made up"}), -32602),
        ("resources/list", json!({"cursor": 5}), -32602),
        ("resources/templates/list", json!({"cursor": "x"}), -32602),
        ("tools/list", json!([1]), -32602),
        ("tools/call", json!({"name": 5}), -32602),
        ("tools/call", json!({"name": "t", "arguments": []}), -32602),
        ("tools/call", json!({"name": "never existed"}), -32602),
        ("resources/read", json!({"uri": 5}), -32602),
        ("resources/read", json!({}), -32602),
        ("resources/subscribe", json!({}), -32602),
        ("resources/unsubscribe", json!({"uri": []}), -32602),
    ] {
        let (given, _) = bench.failure(method, params.clone()).await;
        assert_eq!(given, code, "{method} {params}");
    }
    let again =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
    assert_eq!(bench.failure("initialize", again).await.0, -32600);
    assert_eq!(bench.result("ping", json!({})).await, json!({}));
    assert_eq!(bench.result("resources/templates/list", json!({})).await, json!({"resourceTemplates": []}));
}

#[tokio::test]
async fn a_line_in_pieces_and_with_carriage_return_is_one_line() {
    let mut bench = Bench::new();
    let _daemon = FakeDaemon::start(&bench.socket, Vec::new());
    bench.initialize("2025-11-25").await;
    bench.line(b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}\r").await;
    assert_eq!(bench.next().await, json!({"jsonrpc": "2.0", "id": "x", "result": {}}));
}

#[tokio::test]
async fn a_client_that_never_says_initialized_is_served_and_not_notified() {
    let mut bench = Bench::new();
    let daemon = FakeDaemon::start(&bench.socket, Vec::new());
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
    bench.result("initialize", params).await;
    assert_eq!(bench.uris().await, [] as [&str; 0]);
    daemon.change("session_claimed", "s1", json!({}), |sessions| {
        sessions.push(FakeSession::new("s1", "a").resources(&["r"]));
    });
    assert_eq!(bench.uris().await, ["cordierite://a/r"]);
    bench.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    bench.notified("resources/list_changed").await;
}

#[tokio::test]
async fn the_server_ends_with_its_input_and_gives_up_what_waits_for_an_app() {
    let mut bench = Bench::new();
    let session = FakeSession::new("s1", "a").tools(&["slow"]).resources(&["slow"]);
    let mut daemon = FakeDaemon::start(&bench.socket, vec![session]);
    bench.initialize("2025-11-25").await;
    bench.ask("tools/call", json!({"name": "slow"})).await;
    bench.ask("resources/read", json!({"uri": "cordierite://a/slow"})).await;
    bench.ask("tools/call", json!({"name": "cordierite_wait_for_session", "arguments": {"sessionId": "never"}})).await;
    daemon.next("tools.call").await;
    daemon.next("resources.read").await;
    let last = bench.ask("tools/list", json!({})).await;
    bench.hang_up().await;
    let lines = bench.ended().await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(lines[0]["id"], last);
    soon(daemon.closed.recv()).await.unwrap();
}

#[tokio::test]
async fn an_input_that_ends_at_once_ends_the_server() {
    let mut bench = Bench::new();
    bench.hang_up().await;
    assert!(bench.ended().await.is_empty());
}

#[tokio::test]
async fn a_client_that_reads_no_more_ends_the_server() {
    let (near, far) = tokio::io::duplex(64);
    let (read, write) = tokio::io::split(near);
    let (_input, held_open) = tokio::io::duplex(64);
    let options = crate::mcp::Options {
        control_socket: "/nonexistent/control.sock".into(),
        naming: crate::mcp::Naming::default(),
        rules: crate::rules::Rules::default(),
    };
    drop((far, read));
    let mut rules = options.clone();
    rules.rules.mcp.quiet_stdout = false;
    soon(crate::mcp::serve(held_open, write, rules)).await;
}

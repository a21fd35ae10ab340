//! The client against the other end of an in-memory pipe.

use super::*;
use crate::rpc_client::DAEMON_UNREACHABLE;
use tokio::io::{DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split};

struct Peer {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl Peer {
    async fn request(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn send(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
}

fn pair(on_event: impl Fn(Event) + Send + Sync + 'static) -> (RpcClient, Peer) {
    let (near, far) = duplex(1 << 16);
    let (read, write) = split(near);
    let client = RpcClient::over(read, write, Arc::new(on_event));
    let (read, write) = split(far);
    let lines = BufReader::new(read).lines();
    (client, Peer { lines, write })
}

#[tokio::test]
async fn answers_find_their_calls_in_any_order() {
    let (client, mut peer) = pair(|_| {});
    let first = client.open("a", json!({})).unwrap();
    let second = client.open("b", json!({"x": 1})).unwrap();
    let one = peer.request().await;
    let two = peer.request().await;
    assert_eq!(two["method"], "b");
    assert_eq!(two["params"], json!({"x": 1}));
    peer.send(&json!({"jsonrpc": "2.0", "id": two["id"], "result": "two"}).to_string()).await;
    peer.send("no json").await;
    peer.send(&json!({"jsonrpc": "2.0", "id": one["id"], "result": null}).to_string()).await;
    assert_eq!(second.answer().await, Ok(json!("two")));
    assert_eq!(first.answer().await, Ok(Value::Null));
}

#[tokio::test]
async fn events_before_an_answer_are_seen_before_it() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let (client, mut peer) = pair(move |event| sink.lock().unwrap().push(event));
    let call = client.open("sessions.list", json!({})).unwrap();
    let request = peer.request().await;
    peer.send(r#"{"jsonrpc":"2.0","method":"event","params":{"kind":"tools_changed","sessionId":"s","seq":4,"data":{"toolCount":2}}}"#).await;
    peer.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": []}).to_string()).await;
    assert_eq!(call.answer().await, Ok(json!([])));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].kind.as_str(), seen[0].seq), ("tools_changed", Some(4)));
}

#[tokio::test]
async fn a_refusal_keeps_type_message_and_details() {
    let (client, mut peer) = pair(|_| {});
    let call = client.open("tools.call", json!({})).unwrap();
    let request = peer.request().await;
    peer.send(
        &json!({
            "jsonrpc": "2.0", "id": request["id"],
            "error": {"code": -32000, "message": "boom", "data": {"type": "tool_execution_error", "details": {"a": 1}}}
        })
        .to_string(),
    )
    .await;
    let error = call.answer().await.unwrap_err();
    assert_eq!(error.error_type(), "tool_execution_error");
    assert_eq!(error.to_string(), "boom");
    assert_eq!(error.details(), Some(&json!({"a": 1})));
}

#[tokio::test]
async fn a_lost_connection_fails_what_is_open_and_what_comes_after() {
    let (client, peer) = pair(|_| {});
    let call = client.open("sessions.list", json!({})).unwrap();
    drop(peer);
    assert_eq!(call.answer().await, Err(RpcClientError::ConnectionLost));
    client.closed().await;
    let after = client.call("sessions.list", json!({}), QUICK).await;
    assert_eq!(after, Err(RpcClientError::ConnectionLost));
}

#[tokio::test(start_paused = true)]
async fn a_silent_daemon_is_given_up_at_the_deadline() {
    let (client, _peer) = pair(|_| {});
    let error = client.call("sessions.list", json!({}), QUICK).await.unwrap_err();
    assert_eq!(error, RpcClientError::DeadlinePassed { method: "sessions.list".to_owned(), after: QUICK });
    assert!(error.is_unreachable());
}

#[tokio::test]
async fn a_request_over_the_line_limit_is_not_sent() {
    let (client, mut peer) = pair(|_| {});
    let huge = client.call("tools.call", json!({"args": "x".repeat(LINE_LIMIT)}), QUICK);
    assert!(matches!(huge.await, Err(RpcClientError::RequestTooLong { .. })));
    let _next = client.open("sessions.list", json!({})).unwrap();
    assert_eq!(peer.request().await["method"], "sessions.list");
}

#[tokio::test]
async fn nobody_listening_is_unreachable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("control.sock");
    let error = RpcClient::connect(&path, QUICK, Arc::new(|_| {})).await.unwrap_err();
    assert!(matches!(error, RpcClientError::Unreachable { .. }));
    assert_eq!(error.error_type(), DAEMON_UNREACHABLE);
}

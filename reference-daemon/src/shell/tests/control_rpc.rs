//! BRG-RPC-08: what a control connection may do, and what it costs the others.

use super::daemon::Daemon;
use crate::shell::rules_bent_by;
use serde_json::json;

const LIMIT: usize = 1_048_576;

#[tokio::test]
async fn garbage_is_answered_and_does_not_end_the_connection() {
    let daemon = Daemon::start().await;
    let mut operator = daemon.operator().await;
    for garbage in [&b"nonsense\n"[..], b"\xFF\xFE\n", b"{\"a\":1\n"] {
        operator.send(garbage).await;
        assert_eq!(operator.line().await.unwrap()["error"]["code"], -32700);
    }
    operator.send(b"{}\n").await;
    assert_eq!(operator.line().await.unwrap()["error"]["code"], -32600);
    operator.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,").await;
    operator.send(b"\"method\":\"nothing\"}\n").await;
    assert_eq!(operator.line().await.unwrap()["error"]["code"], -32601);
    assert!(operator.states().await.is_empty());
}

#[tokio::test]
async fn a_line_over_the_limit_ends_its_own_connection_only() {
    let daemon = Daemon::start().await;
    let mut other = daemon.operator().await;
    let mut operator = daemon.operator().await;
    operator.send(&[&vec![b' '; LIMIT - 2][..], b"{}\n"].concat()).await;
    assert_eq!(operator.line().await.unwrap()["error"]["code"], -32600);
    operator.send_all_that_is_taken(&[&vec![b' '; LIMIT - 1][..], b"{}\n"].concat()).await;
    // At most one last error, then the end.
    while let Some(line) = operator.line().await {
        assert!(line["error"].is_object(), "{line}");
    }
    assert!(other.states().await.is_empty());

    // An endless line is not kept.
    let mut operator = daemon.operator().await;
    operator.send_all_that_is_taken(&vec![b'x'; 8 * LIMIT]).await;
    while operator.line().await.is_some() {}
    assert!(other.states().await.is_empty());
}

#[tokio::test]
async fn bent_line_limits() {
    let bent = |id: &'static str| Daemon::start_with(move |options| options.rules = rules_bent_by(id).unwrap());
    let daemon = bent("rpc-long-line-ends-all").await;
    let mut other = daemon.operator().await;
    assert!(other.states().await.is_empty());
    daemon.operator().await.send_all_that_is_taken(&vec![b'x'; LIMIT + 1]).await;
    while other.line().await.is_some() {}

    let daemon = bent("rpc-long-line-served").await;
    let mut operator = daemon.operator().await;
    operator.send(&[&vec![b' '; LIMIT][..], b"{}\n"].concat()).await;
    assert_eq!(operator.line().await.unwrap()["error"]["code"], -32600);
}

#[tokio::test]
async fn a_connection_that_leaves_is_forgotten() {
    let daemon = Daemon::start().await;
    for _ in 0..50 {
        let mut operator = daemon.operator().await;
        operator.send(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"met").await;
    }
    let status = daemon.operator().await.call("daemon.status", json!({})).await;
    assert!(status.is_object());
    assert_eq!(daemon.stop().await, 0);
}

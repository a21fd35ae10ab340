//! Proofs that a daemon is ready: something on its standard output, or a socket that answers.

use super::process::Output;
use super::rpc_request::ask;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::watch;

/// Waits for a JSON document with a member; gives the line it ended on and the member's text. The document may span lines.
pub(super) async fn json_member(mut stdout: watch::Receiver<Output>, member: &str) -> Option<(u64, String)> {
    loop {
        let (lines, ended) = {
            let output = stdout.borrow_and_update();
            (output.since(0), output.ended)
        };
        let starts = (0..lines.len()).filter(|start| lines[*start].1.trim_start().starts_with('{'));
        for start in starts {
            let mut text = String::new();
            for (number, line) in &lines[start..] {
                text.push_str(line);
                text.push('\n');
                if let Ok(Value::Object(document)) = serde_json::from_str::<Value>(&text)
                    && let Some(value) = find_member(&document, member)
                {
                    return Some((*number, value));
                }
            }
        }
        if ended || stdout.changed().await.is_err() {
            return None;
        }
    }
}

/// The member's text, wherever in the document's objects it stands; the outermost counts.
fn find_member(document: &Map<String, Value>, member: &str) -> Option<String> {
    let mut level = vec![document];
    while !level.is_empty() {
        if let Some(value) = level.iter().find_map(|members| members.get(member)) {
            return Some(value.as_str().map_or_else(|| value.to_string(), str::to_string));
        }
        level = level.iter().flat_map(|members| members.values()).filter_map(Value::as_object).collect();
    }
    None
}

pub(super) async fn line_with(mut stdout: watch::Receiver<Output>, contains: &str) -> Option<u64> {
    loop {
        let (lines, ended) = {
            let output = stdout.borrow_and_update();
            (output.since(0), output.ended)
        };
        if let Some((number, _)) = lines.iter().find(|(_, line)| line.contains(contains)) {
            return Some(*number);
        }
        if ended || stdout.changed().await.is_err() {
            return None;
        }
    }
}

/// Tries the socket until `daemon.status` is answered. Nothing announces that a socket has begun to listen, so it is asked
/// again at short intervals until the caller's deadline.
pub(super) async fn answering(socket: Option<PathBuf>) -> Option<()> {
    let socket = socket?;
    let mut ticks = tokio::time::interval(Duration::from_millis(10));
    loop {
        ticks.tick().await;
        if ask(&socket, "daemon.status").await.is_ok() {
            return Some(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_outermost_member_counts_however_deep_it_stands() {
        let found = |document: Value| find_member(document.as_object().unwrap(), "socket_path");
        assert_eq!(found(json!({ "socket_path": "/a", "data": { "socket_path": "/b" } })), Some("/a".into()));
        assert_eq!(
            found(json!({ "ok": true, "data": { "daemon": { "pid": 1, "socket_path": "/c" } } })),
            Some("/c".into())
        );
        assert_eq!(found(json!({ "data": ["socket_path"] })), None);
    }
}

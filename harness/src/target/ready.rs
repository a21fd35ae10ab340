//! Proofs that a daemon is ready: something on its standard output, or a socket that answers.

use super::process::Output;
use super::question::ask;
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

fn find_member(document: &Map<String, Value>, member: &str) -> Option<String> {
    let inner = document.get("data").and_then(Value::as_object);
    let value = document.get(member).or_else(|| inner?.get(member))?;
    Some(value.as_str().map_or_else(|| value.to_string(), str::to_string))
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

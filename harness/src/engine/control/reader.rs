//! Reading lines from the control socket until it ends.

use super::line::{Line, LineKind, Seen, bytes_payload};
use crate::engine::log::Log;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::strict::{self, Strictness};
use iolite_protocol::transcript::{Direction, Payload};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::AsyncReadExt;
use tokio::net::unix::OwnedReadHalf;

/// The longest line that is read as one: 16 MiB, sixteen times what the contract allows. A longer one ends the
/// connection from our side.
const LINE_MAX: usize = 16 * 1024 * 1024;

pub(super) async fn read_lines(mut stream: OwnedReadHalf, log: Log<Line>, seen: Seen) {
    let mut pending: Vec<u8> = Vec::new();
    let mut chunk = vec![0; 16 * 1024];
    let how = loop {
        let count = match stream.read(&mut chunk).await {
            Ok(0) => break "eof".to_owned(),
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break "reset".to_owned(),
            Err(error) => break error.to_string(),
        };
        let searched = pending.len();
        pending.extend_from_slice(&chunk[..count]);
        let mut from = 0;
        while let Some(end) = find_newline(&pending, from.max(searched)) {
            take(&pending[from..end], &log, &seen);
            from = end + 1;
        }
        pending.drain(..from);
        if pending.len() > LINE_MAX {
            break format!("a line of more than {LINE_MAX} bytes");
        }
    };
    if !pending.is_empty() {
        seen.record(Direction::FromDaemon, bytes_payload("unfinished", &pending));
    }
    seen.record(Direction::Local, Payload::Ended { how: how.clone() });
    log.end(how);
}

fn find_newline(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..].iter().position(|&byte| byte == b'\n').map(|at| from + at)
}

fn take(bytes: &[u8], log: &Log<Line>, seen: &Seen) {
    let value = match std::str::from_utf8(bytes) {
        Ok(text) => {
            // Read as strictly as the watchers do, so that they need not parse it again. What breaks a rule is left to them.
            let says = strict::read(bytes, Strictness::default()).ok().map(Arc::new);
            seen.line(text, says.clone());
            let lenient = || Arc::new(serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())));
            says.unwrap_or_else(lenient)
        }
        Err(_) => {
            seen.record(Direction::FromDaemon, bytes_payload("invalid_utf8", bytes));
            Arc::new(json!({ "$base64": STANDARD.encode(bytes) }))
        }
    };
    let kind = kind(&value);
    log.push(Line { value, kind, taken: false, ours: false });
}

fn kind(value: &Value) -> LineKind {
    let Some(members) = value.as_object() else { return LineKind::Other };
    if members.get("method").and_then(Value::as_str) == Some("event") && !members.contains_key("id") {
        LineKind::Event
    } else if members.contains_key("result") || members.contains_key("error") {
        LineKind::Answer(members.get("id").map_or_else(|| "null".to_owned(), Value::to_string))
    } else {
        LineKind::Other
    }
}

//! One question on a daemon's control socket, without keeping the connection.

use serde_json::{Value, json};
use std::path::Path;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

/// Asks one thing on the control RPC and gives the whole answer; an error in it is an error here.
pub(super) async fn ask(socket: &Path, method: &str) -> std::io::Result<Value> {
    let mut stream = UnixStream::connect(socket).await?;
    let line = json!({"jsonrpc": "2.0", "id": "iolite", "method": method, "params": {}});
    stream.write_all(format!("{line}\n").as_bytes()).await?;
    let mut answer = String::new();
    BufReader::new(stream).take(1024 * 1024).read_line(&mut answer).await?;
    let answer: Value = serde_json::from_str(&answer)?;
    match answer.get("error") {
        None => Ok(answer),
        Some(error) => Err(std::io::Error::other(format!("{method} was refused: {error}"))),
    }
}

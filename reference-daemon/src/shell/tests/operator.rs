//! A control RPC client that sends lines as it is told.

use super::within;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use std::path::Path;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

pub struct Operator {
    read: BufReader<OwnedReadHalf>,
    write: OwnedWriteHalf,
    last_id: u64,
}

impl Operator {
    pub async fn connect(socket: &Path) -> Self {
        let (read, write) = within(UnixStream::connect(socket)).await.unwrap().into_split();
        Self { read: BufReader::new(read), write, last_id: 0 }
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        within(self.write.write_all(bytes)).await.unwrap();
    }

    /// Writes as long as the daemon takes it, while it may be ending the connection.
    pub async fn send_all_that_is_taken(&mut self, bytes: &[u8]) {
        let _ended = within(self.write.write_all(bytes)).await;
    }

    /// The next line; nothing at the end.
    pub async fn line(&mut self) -> Option<Value> {
        let mut line = Vec::new();
        match within(self.read.read_until(b'\n', &mut line)).await {
            Ok(1..) => Some(serde_json::from_slice(&line).unwrap()),
            Ok(0) | Err(_) => None,
        }
    }

    /// One request, answered with its result.
    pub async fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        self.send(format!("{request}\n").as_bytes()).await;
        let mut answer = self.line().await.expect("an answer");
        assert_eq!(answer["id"], self.last_id, "{answer}");
        answer.get_mut("result").unwrap_or_else(|| panic!("no result for {method}")).take()
    }

    /// A fresh link: its session id, and the frame that claims it.
    pub async fn claim(&mut self) -> (String, String) {
        let link = self.call("link.create", json!({})).await;
        let session_id = link["sessionId"].as_str().unwrap().to_owned();
        let payload = URL_SAFE_NO_PAD.decode(link["deepLinkPayload"].as_str().unwrap()).unwrap();
        // The token stands before the eight bytes of the expiry.
        let token = URL_SAFE_NO_PAD.encode(&payload[payload.len() - 40..payload.len() - 8]);
        let claim = json!({
            "type": "session_claim", "protocol_version": 2, "session_id": session_id, "token": token, "device_model": "Test",
        });
        (session_id, claim.to_string())
    }

    pub async fn states(&mut self) -> Vec<String> {
        let listed = self.call("sessions.list", json!({})).await;
        let sessions = listed.as_array().or_else(|| listed["sessions"].as_array()).unwrap();
        sessions.iter().map(|session| session["state"].as_str().unwrap().to_owned()).collect()
    }
}

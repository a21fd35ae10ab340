//! The app against a daemon that each test plays itself.

mod answers;
mod promises;
mod sessions;

use super::*;
use crate::fake_daemon::{FakeDaemon, Peer, soon};
use crate::tls::Trust;
use iolite_protocol::bootstrap::{Endpoint, Link};
use serde_json::{Value, json};

/// An app and the daemon's side of its newest connection.
struct Pair {
    app: App,
    daemon: FakeDaemon,
    peer: Peer,
}

const SESSION: &str = "session-1";

fn link(daemon: &FakeDaemon) -> Link {
    let address = daemon.address();
    let endpoint = Endpoint::new(address.ip(), address.port()).unwrap();
    Link::new(SESSION, [7; 32], endpoint, 4_000_000_000).unwrap()
}

fn ack(resume_token: &str) -> Value {
    json!({
        "type": "session_ack",
        "session_id": SESSION,
        "status": "ok",
        "alias": "pixel-8",
        "resume_token": resume_token,
        "keepalive_interval_s": 15,
        "grace_s": 60,
    })
}

fn tool(name: &str) -> Registration {
    Registration::new(json!({ "name": name, "description": "d" }))
}

fn resource(name: &str) -> Registration {
    Registration::new(json!({ "uri": format!("app://{name}"), "name": name, "description": "d" }))
}

fn call(id: &str, name: &str) -> Value {
    json!({ "type": "tool_call", "session_id": SESSION, "id": id, "name": name, "args": { "n": 1 } })
}

fn read(id: &str, name: &str) -> Value {
    json!({
        "type": "resource_read",
        "session_id": SESSION,
        "id": id,
        "name": name,
        "uri": format!("app://{name}"),
    })
}

impl Pair {
    /// An app that was prepared, has claimed, and whose snapshots the daemon has read.
    async fn active(prepare: impl FnOnce(&App)) -> Self {
        let app = App::new(AppConfig::named("phone").with_model("Pixel 8"));
        prepare(&app);
        let daemon = FakeDaemon::start().await;
        let link = link(&daemon);
        let serve = async {
            let mut peer = daemon.accept().await;
            assert_eq!(peer.read_json().await["type"], "session_claim");
            peer.send_json(ack("token-1")).await;
            peer
        };
        let trust = Trust::Pinned(daemon.pin());
        let (acked, peer) = tokio::join!(app.claim(&link, trust, soon()), serve);
        acked.unwrap();
        let mut pair = Self { app, daemon, peer };
        pair.read_snapshots().await;
        pair
    }

    async fn read_snapshots(&mut self) -> (Value, Value) {
        let tools = self.peer.read_json().await;
        let resources = self.peer.read_json().await;
        assert_eq!(tools["type"], "tool_registry_snapshot");
        assert_eq!(resources["type"], "resource_registry_snapshot");
        assert_eq!(tools["session_id"], SESSION);
        (tools["tools"].clone(), resources["resources"].clone())
    }

    /// Resumes on a new connection; returns the daemon's side of the old one.
    async fn resume(&mut self, resume_token: &str) -> Peer {
        let serve = async {
            let mut peer = self.daemon.accept().await;
            let frame = peer.read_json().await;
            peer.send_json(ack(resume_token)).await;
            (peer, frame)
        };
        let (acked, (peer, frame)) = tokio::join!(self.app.resume(soon()), serve);
        assert_eq!(frame["type"], "session_resume");
        acked.unwrap();
        std::mem::replace(&mut self.peer, peer)
    }

    /// Everything that the app sent before now.
    async fn sent_so_far(&mut self) -> Vec<Value> {
        self.app.send_json(&json!("fence")).await.unwrap();
        let mut seen = Vec::new();
        loop {
            let frame = self.peer.read_json().await;
            if frame == "fence" {
                return seen;
            }
            seen.push(frame);
        }
    }
}

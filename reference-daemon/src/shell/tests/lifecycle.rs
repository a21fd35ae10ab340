//! BRG-CON-14, BRG-LNK-04, BRG-RPC-10, BRG-SES-13: start, files, end.

use super::daemon::Daemon;
use crate::shell::identity::pin_of;
use crate::shell::{ClockChoice, Options, StateDir, rules_bent_by};
use rcgen::{KeyPair, PublicKeyData as _};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn ready_says_where_and_the_files_are_private() {
    let daemon = Daemon::start().await;
    assert_eq!(daemon.ready["socket_path"], daemon.dir.control_socket().to_str().unwrap());
    assert_eq!(daemon.ready["state_dir"], daemon.dir.path().to_str().unwrap());
    assert_eq!(daemon.ready["pid"], std::process::id());
    assert_ne!(daemon.port(), 0);
    assert_eq!(mode(daemon.dir.path()), 0o700);
    for file in [daemon.dir.control_socket(), daemon.dir.key(), daemon.dir.pid_file()] {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    let pid = std::fs::read_to_string(daemon.dir.pid_file()).unwrap();
    assert_eq!(pid.trim(), std::process::id().to_string());
    assert_eq!(daemon.stop().await, 0);
}

#[tokio::test]
async fn the_leaf_is_the_pinned_one() {
    let daemon = Daemon::start().await;
    let link = daemon.operator().await.call("link.create", json!({})).await;
    let status = daemon.operator().await.call("daemon.status", json!({})).await;
    assert_eq!(status["pinnedKeys"], json!([link["pin"]]));
    let key = KeyPair::from_pem(&std::fs::read_to_string(daemon.dir.key()).unwrap()).unwrap();
    let public = key.subject_public_key_info();
    assert_eq!(link["pin"], pin_of(&public));
    let leaf = daemon.app().await.leaf();
    assert!(leaf.windows(public.len()).any(|window| window == public));
}

#[tokio::test]
async fn the_end_of_input_closes_every_socket_with_1001() {
    let daemon = Daemon::start().await;
    let (mut claimed, _) = daemon.claimed().await;
    let mut unclaimed = daemon.app().await;
    let readers = tokio::spawn(async move {
        for app in [&mut claimed, &mut unclaimed] {
            assert_eq!(app.close().await, (1001, "daemon_shutdown".to_owned()));
            app.finish(1001).await;
        }
    });
    assert_eq!(daemon.stop().await, 0);
    readers.await.unwrap();
}

#[tokio::test]
async fn an_operator_may_end_it_and_gets_an_answer() {
    let daemon = Daemon::start().await;
    let (mut app, _) = daemon.claimed().await;
    let mut operator = daemon.operator().await;
    operator.call("daemon.shutdown", json!({})).await;
    assert_eq!(operator.line().await, None);
    assert_eq!(app.close().await, (1001, "daemon_shutdown".to_owned()));
    drop(app);
    let (code, dir, _root) = daemon.ended().await;
    assert_eq!(code, 0);
    assert!(!dir.control_socket().exists() && !dir.pid_file().exists());
}

#[tokio::test]
async fn a_peer_that_never_answers_the_close_cannot_keep_it_alive() {
    let daemon = Daemon::start().await;
    let (app, _) = daemon.claimed().await;
    assert_eq!(daemon.stop().await, 0);
    drop(app);
}

#[tokio::test]
async fn a_manual_clock_stands_still_until_it_is_moved() {
    let mut daemon = Daemon::start().await;
    let mut operator = daemon.operator().await;
    operator.call("link.create", json!({ "ttlSeconds": 60 })).await;
    operator.call("events.subscribe", json!({ "kinds": ["link_expired"] })).await;
    daemon.say("nonsense").await;
    daemon.say("").await;
    daemon.advance(59_999).await;
    daemon.advance(1).await;
    let event = operator.line().await.unwrap();
    assert_eq!(event["params"]["kind"], "link_expired");
    daemon.advance(0).await;
}

#[tokio::test]
async fn the_systems_clock_serves_too() {
    let daemon = Daemon::start_with(|options: &mut Options| options.clock = ClockChoice::System).await;
    let (mut app, _) = daemon.claimed().await;
    daemon.operator().await.call("daemon.shutdown", json!({})).await;
    assert_eq!(app.close().await, (1001, "daemon_shutdown".to_owned()));
    app.finish(1001).await;
    assert_eq!(daemon.ended().await.0, 0);
}

#[tokio::test]
async fn the_audit_is_written_before_the_answer() {
    let daemon = Daemon::start().await;
    let (_app, session_id) = daemon.claimed().await;
    let mut operator = daemon.operator().await;
    let params = json!({ "selector": session_id, "name": "missing" });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools.call", "params": params });
    operator.send(format!("{call}\n").as_bytes()).await;
    assert_eq!(operator.line().await.unwrap()["error"]["data"]["type"], "tool_not_found");
    let files: Vec<_> = std::fs::read_dir(daemon.dir.audit()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    assert_eq!(mode(&files[0]), 0o600);
    assert_eq!(mode(&daemon.dir.audit()), 0o700);
    let record: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&files[0]).unwrap()).unwrap();
    assert_eq!(record["sessionId"], session_id.as_str());
    let date = files[0].file_stem().unwrap().to_str().unwrap();
    assert!(record["ts"].as_str().unwrap().starts_with(date));
}

#[tokio::test]
async fn bent_modes() {
    let bent = async |id: &str, config: bool| {
        let root = tempfile::tempdir().unwrap();
        let dir = StateDir::at(root.path().join("state"));
        if config {
            std::fs::create_dir(dir.path()).unwrap();
            std::fs::write(dir.config(), "{}").unwrap();
        }
        let rules = rules_bent_by(id).unwrap();
        Daemon::try_start(root, |options| options.rules = rules).await.unwrap()
    };
    assert_eq!(mode(bent("rpc-state-dir-open", false).await.dir.path()), 0o755);
    let daemon = bent("rpc-control-socket-open", false).await;
    assert_eq!(mode(&daemon.dir.control_socket()), 0o666);
    assert_eq!(mode(&bent("rpc-key-open", false).await.dir.key()), 0o644);
    assert_eq!(mode(&bent("rpc-config-open", true).await.dir.config()), 0o644);
}

#[tokio::test]
async fn bent_ends() {
    for (id, code, socket, pid) in [
        ("con-shutdown-exit-1", 1, false, false),
        ("con-shutdown-leaves-socket-file", 0, true, false),
        ("con-shutdown-leaves-pid-file", 0, false, true),
    ] {
        let daemon = Daemon::start_with(|options| options.rules = rules_bent_by(id).unwrap()).await;
        daemon.operator().await.call("daemon.shutdown", json!({})).await;
        let (ended, dir, _root) = daemon.ended().await;
        assert_eq!((ended, dir.control_socket().exists(), dir.pid_file().exists()), (code, socket, pid), "{id}");
    }
    let daemon = Daemon::start_with(|options| {
        options.rules = rules_bent_by("con-shutdown-cuts-sockets").unwrap();
    })
    .await;
    let (mut app, _) = daemon.claimed().await;
    daemon.operator().await.call("daemon.shutdown", json!({})).await;
    assert_eq!(app.frame().await, None);
}

//! Claims, resumes, connections, and waiting.

use super::*;
use crate::socket::{Ended, Event, HowToEnd, RawFrame};
use tokio::time::Instant;

#[tokio::test]
async fn a_claim_says_who_it_is_and_keeps_what_it_is_told() {
    let app = App::new(AppConfig::named("phone").with_model("Pixel 8"));
    let daemon = FakeDaemon::start().await;
    let link = link(&daemon);
    let serve = async {
        let mut peer = daemon.accept().await;
        let claim = peer.read_json().await;
        peer.send_json(ack("token-1")).await;
        (peer, claim)
    };
    let trust = Trust::Pinned(daemon.pin());
    let (acked, (_peer, claim)) = tokio::join!(app.claim(&link, trust, soon()), serve);
    assert_eq!(acked.unwrap().alias(), "pixel-8");
    assert_eq!(
        claim,
        json!({
            "type": "session_claim",
            "protocol_version": 2,
            "session_id": SESSION,
            "token": link.token_text(),
            "device_model": "Pixel 8",
        })
    );
    let session = app.session().unwrap();
    assert_eq!((session.id.as_str(), session.resume_token.as_str()), (SESSION, "token-1"));
    assert!(!format!("{session:?}").contains("token-1"));
    assert_eq!(app.status(), Status::Active);
    assert_eq!(app.connection().unwrap().presented_pin(), Some(daemon.pin()));
}

#[tokio::test]
async fn a_refused_claim_and_a_resume_of_nothing_are_typed_errors() {
    let app = App::new(AppConfig::named("phone"));
    assert!(matches!(app.resume(soon()).await, Err(StartError::NoSession)));
    assert!(matches!(app.take_close(soon()).await, Err(WaitError::NoConnection)));
    assert!(app.send_text("x").await.is_err());

    let daemon = FakeDaemon::start().await;
    let link = link(&daemon);
    let serve = async {
        let mut peer = daemon.accept().await;
        peer.read_json().await;
        peer.send(RawFrame::close(1008, "link_expired")).await;
        peer
    };
    let (refused, _peer) = tokio::join!(app.claim(&link, Trust::AnyKey, soon()), serve);
    assert!(matches!(
        refused,
        Err(StartError::Refused { code: Some(1008), reason }) if reason == "link_expired"
    ));
    assert!(app.session().is_none());
}

#[tokio::test]
async fn a_resume_leaves_the_old_socket_to_the_daemon() {
    let mut pair = Pair::active(|_| ()).await;
    let mut old = pair.resume("token-2").await;
    pair.read_snapshots().await;
    let connections = pair.app.connections();
    assert_eq!(connections.iter().map(Connection::number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(pair.app.session().unwrap().resume_token, "token-2");

    connections[0].send_json(&json!("late on the old one")).await.unwrap();
    assert_eq!(old.read_json().await, "late on the old one");
    old.send(RawFrame::close(1000, "session_replaced")).await;
    let expected = Closing::Frame { code: Some(1000), reason: "session_replaced".into() };
    assert_eq!(connections[0].take_close(soon()).await.unwrap(), expected);
    assert_eq!(pair.app.status(), Status::Active, "the old socket's end is not the session's");
    assert!(pair.app.post_event("e", None));
}

#[tokio::test]
async fn an_old_connections_late_acknowledgement_changes_nothing() {
    let mut pair = Pair::active(|_| ()).await;
    let mut old = pair.resume("token-2").await;
    pair.read_snapshots().await;
    old.send_json(ack("token-9")).await;
    let connections = pair.app.connections();
    connections[0].take_type("session_ack", soon()).await.unwrap();
    assert_eq!(pair.app.session().unwrap().resume_token, "token-2");
}

#[tokio::test]
async fn a_session_can_be_adopted_by_another_app() {
    let pair = Pair::active(|_| ()).await;
    let thief = App::new(AppConfig::named("thief"));
    let target = Target::of_link(&link(&pair.daemon), Trust::AnyKey);
    thief.adopt(pair.app.session().unwrap(), target);
    let serve = async {
        let mut peer = pair.daemon.accept().await;
        let frame = peer.read_json().await;
        peer.send(RawFrame::bare_close()).await;
        (peer, frame)
    };
    let (resumed, (_peer, frame)) = tokio::join!(thief.resume(soon()), serve);
    assert_eq!(frame["resume_token"], "token-1");
    assert!(matches!(resumed, Err(StartError::Refused { code: None, .. })));
}

#[tokio::test]
async fn a_wait_that_fails_shows_everything_that_arrived() {
    let mut pair = Pair::active(|_| ()).await;
    pair.app.set_serving(Serving::Manual);
    pair.peer.send_json(json!({ "type": "mystery" })).await;
    pair.peer.send(RawFrame::binary([1])).await;
    pair.peer.send_json(json!({ "type": "fence" })).await;
    let connection = pair.app.connection().unwrap();
    let fence = connection.take_type("fence", soon()).await.unwrap();
    assert!(matches!(fence.frame, Some(Err(_))), "no frame of the contract");

    let error = pair.app.take_call(None, Instant::now()).await.unwrap_err();
    let WaitError::DeadlinePassed { arrived } = error else { panic!("{error}") };
    assert_eq!(arrived.len(), 2);
    assert_eq!(arrived[0].json, Some(json!({ "type": "mystery" })));
    assert_eq!(arrived[1].event, Event::Binary(vec![1]));

    pair.app.end(HowToEnd::Drop).await;
    let error = pair.app.take_call(None, soon()).await.unwrap_err();
    assert!(matches!(error, WaitError::Ended { ended: Ended::Local, .. }), "{error}");
    assert_eq!(error.arrived().len(), 3, "the end is among them");
    assert_eq!(connection.wait_end(soon()).await.unwrap(), Ended::Local);
}

#[tokio::test]
async fn an_end_without_a_close_frame_is_told_apart() {
    use tokio::io::AsyncWriteExt;
    let mut pair = Pair::active(|_| ()).await;
    pair.peer.stream.shutdown().await.unwrap();
    let closing = pair.app.take_close(soon()).await.unwrap();
    assert_eq!(closing, Closing::NoFrame(Ended::Eof { close_notify: true }));
    assert_eq!(pair.app.status(), Status::Lost);
    assert!(!pair.app.post_event("e", None));
}

#[tokio::test]
async fn dropping_the_app_closes_its_socket_even_while_scripts_wait() {
    let gate = Gate::closed();
    let script = Script::default().then(Step::Wait(gate.clone()));
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t").with_script(script));
    })
    .await;
    pair.peer.send_json(call("c1", "t")).await;
    let connection = pair.app.connection().unwrap();
    connection.take_type("tool_call", soon()).await.unwrap();
    drop(connection);
    drop(pair.app);
    let (rest, _) = pair.peer.read_to_end().await;
    assert!(rest.is_empty());
}

#[tokio::test]
async fn a_flood_that_nobody_takes_ends_the_connection() {
    let mut config = AppConfig::named("phone");
    config.socket.backlog_limit = 100_000;
    let app = App::new(config);
    let daemon = FakeDaemon::start().await;
    let target = Target::of_link(&link(&daemon), Trust::AnyKey);
    let (opened, mut peer) = tokio::join!(app.open(target, soon()), daemon.accept());
    let connection = opened.unwrap();
    let frame = RawFrame::text(vec![b'x'; 1000]).mask(crate::socket::Mask::Missing).encode([0; 4]);
    let flood = async {
        use tokio::io::AsyncWriteExt;
        while peer.stream.write_all(&frame).await.is_ok() {}
    };
    let (ended, ()) = tokio::join!(connection.wait_end(soon()), flood);
    assert_eq!(ended.unwrap(), Ended::Flood { limit: 100_000 });
    assert!(connection.arrived().len() < 200);
}

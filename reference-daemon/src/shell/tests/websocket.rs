//! BRG-CON-01, -04, -08, -10, -11, -12, -15: what a socket may do, and what it costs the others.

use super::app::{App, client_frame};
use super::daemon::Daemon;
use super::within;
use crate::shell::rules_bent_by;
use crate::shell::run::SUDDEN_DEATH;
use crate::shell::websocket::frame;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

const LIMIT: usize = 262_144;

fn object_of(size: usize) -> String {
    format!("{{\"pad\":\"{}\"}}", "x".repeat(size - r#"{"pad":""}"#.len()))
}

#[tokio::test]
async fn a_frame_of_the_limit_is_served_and_one_byte_more_is_not() {
    let daemon = Daemon::start().await;
    let (mut other, _) = daemon.claimed().await;
    let mut app = daemon.app().await;
    app.send_text(&object_of(LIMIT)).await;
    assert_eq!(app.close().await, (1008, "expected_claim_or_resume".to_owned()));
    app.finish(1008).await;

    let mut app = daemon.app().await;
    app.send_text(&object_of(LIMIT + 1)).await;
    assert_eq!(app.close().await.0, 1009);
    app.finish(1009).await;

    let text = object_of(LIMIT + 1);
    let mut app = daemon.app().await;
    app.send_bytes(&client_frame(frame::TEXT, &text.as_bytes()[..LIMIT])).await;
    app.send_bytes(&client_frame(0x80, &text.as_bytes()[LIMIT..])).await;
    assert_eq!(app.close().await.0, 1009);

    // Judged by the announced length: not one byte of the payload need arrive.
    let mut app = daemon.app().await;
    app.send_bytes(&ANNOUNCED).await;
    assert_eq!(app.close().await.0, 1009);

    other.send_bytes(&client_frame(0x80 | frame::PING, b"alive")).await;
    assert_eq!(other.frame().await, Some((frame::PONG, b"alive".to_vec())));
    assert_eq!(daemon.operator().await.states().await, ["active"]);
    drop(other);
    assert_eq!(daemon.stop().await, 0);
}

#[tokio::test]
async fn fragments_with_a_ping_between_are_one_message() {
    let daemon = Daemon::start().await;
    let (_, claim) = daemon.operator().await.claim().await;
    // A character is split between the fragments.
    let claim = claim.replace("\"Test\"", "\"é\"");
    let cut = claim.find('é').unwrap() + 1;
    let bytes = claim.as_bytes();
    let mut app = daemon.app().await;
    app.send_bytes(&client_frame(frame::TEXT, &bytes[..cut])).await;
    app.send_bytes(&client_frame(0x80 | frame::PING, b"?")).await;
    assert_eq!(app.frame().await, Some((frame::PONG, b"?".to_vec())));
    app.send_bytes(&client_frame(frame::CONTINUATION, &bytes[cut..cut + 1])).await;
    app.send_bytes(&client_frame(0x80 | frame::CONTINUATION, &bytes[cut + 1..])).await;
    assert_eq!(app.json().await["type"], "session_ack");
}

#[tokio::test]
async fn invalid_utf8_closes_with_1007_wherever_it_is_split() {
    let daemon = Daemon::start().await;
    for frames in [
        client_frame(0x81, &[b'"', 0xFF, b'"']),
        [client_frame(0x01, &[b'"', 0xC3]), client_frame(0x80, b"(\"")].concat(),
        client_frame(0x81, &[0xED, 0xA0, 0x80]),
    ] {
        let mut app = daemon.app().await;
        app.send_bytes(&frames).await;
        assert_eq!(app.close().await.0, 1007);
        app.finish(1007).await;
    }
    assert!(daemon.operator().await.states().await.is_empty());
}

#[tokio::test]
async fn breaking_the_framing_closes_with_1002_and_suspends_at_once() {
    let daemon = Daemon::start().await;
    let mut operator = daemon.operator().await;
    let frames = [
        client_frame(0xC1, b"{}"),
        client_frame(0x83, b"{}"),
        vec![0x81, 2, b'{', b'}'],
        client_frame(0x80, b"{}"),
        [client_frame(0x01, b"{"), client_frame(0x81, b"}")].concat(),
        client_frame(0x89, &[b'x'; 126]),
        client_frame(0x09, b"x"),
        client_frame(0x88, b"x"),
    ];
    for (count, frame) in frames.iter().enumerate() {
        let (mut app, _) = daemon.claimed().await;
        app.send_bytes(frame).await;
        assert_eq!(app.close().await, (1002, String::new()), "frame {count}");
        // The peer has not answered the close.
        assert_eq!(operator.states().await, vec!["suspended"; count + 1]);
        app.finish(1002).await;
    }
}

#[tokio::test]
async fn the_first_offence_decides_the_close() {
    let daemon = Daemon::start().await;
    for (frames, close) in [
        ([client_frame(0x02, b"{"), client_frame(0x80, b"}")], 1003),
        ([client_frame(0x81, b"no JSON"), client_frame(0x83, b"")], 1008),
        ([client_frame(0x81, b"no JSON"), client_frame(0x88, &1000_u16.to_be_bytes())], 1008),
        ([client_frame(0x83, b""), client_frame(0x81, b"no JSON")], 1002),
    ] {
        let mut app = daemon.app().await;
        app.send_bytes(&frames.concat()).await;
        assert_eq!(app.close().await.0, close, "{frames:?}");
    }
}

#[tokio::test]
async fn a_peers_close_is_answered_with_its_code() {
    let daemon = Daemon::start().await;
    let (mut app, _) = daemon.claimed().await;
    app.send_bytes(&client_frame(0x88, &[&4321_u16.to_be_bytes()[..], b"bye"].concat())).await;
    assert_eq!(app.close().await, (4321, String::new()));
    assert_eq!(app.frame().await, None);
    assert_eq!(daemon.operator().await.states().await, ["suspended"]);
}

#[tokio::test]
async fn a_closed_socket_has_no_power() {
    let daemon = Daemon::start().await;
    let (_, claim) = daemon.operator().await.claim().await;
    let mut app = daemon.app().await;
    app.send_bytes(&[client_frame(0x82, b"\0"), client_frame(0x81, claim.as_bytes())].concat()).await;
    assert_eq!(app.close().await, (1003, "binary_frame_not_supported".to_owned()));
    app.send_text(&claim).await;
    let mut second = daemon.app().await;
    second.send_text(&claim).await;
    assert_eq!(second.json().await["type"], "session_ack");
    app.finish(1003).await;
}

#[tokio::test]
async fn a_claim_has_ten_seconds() {
    let mut daemon = Daemon::start().await;
    let (_, claim) = daemon.operator().await.claim().await;
    let mut prompt = daemon.app().await;
    let mut late = daemon.app().await;
    daemon.advance(9_999).await;
    prompt.send_text(&claim).await;
    daemon.advance(1).await;
    assert_eq!(prompt.json().await["type"], "session_ack");
    assert_eq!(late.close().await, (1008, "pre_claim_timeout".to_owned()));
    late.finish(1008).await;
}

#[tokio::test]
async fn two_missed_pongs_are_the_loss_of_the_socket() {
    let mut daemon = Daemon::start().await;
    let (mut app, _) = daemon.claimed().await;
    for _ in 0..3 {
        daemon.advance(15_000).await;
        assert_eq!(app.frame().await, Some((frame::PING, Vec::new())));
        app.send_bytes(&client_frame(0x80 | frame::PONG, b"")).await;
    }
    for _ in 0..3 {
        daemon.advance(15_000).await;
    }
    let mut pings = 0;
    while let Some(frame) = app.frame().await {
        assert_eq!(frame.0, frame::PING);
        pings += 1;
    }
    assert_eq!(pings, 2);
    assert_eq!(daemon.operator().await.states().await, ["suspended"]);
}

#[tokio::test]
async fn stalled_handshakes_block_nobody_and_end_in_time() {
    let mut daemon = Daemon::start().await;
    let mut stalled = within(TcpStream::connect(("127.0.0.1", daemon.port()))).await.unwrap();
    let (mut app, _) = daemon.claimed().await;
    daemon.advance(10_000).await;
    let mut rest = Vec::new();
    let _ended = within(stalled.read_to_end(&mut rest)).await;
    app.send_bytes(&client_frame(0x89, b"")).await;
    assert_eq!(app.frame().await, Some((frame::PONG, Vec::new())));
}

#[tokio::test]
async fn a_peer_that_never_reads_is_cut_and_the_others_are_served() {
    let daemon = Daemon::start().await;
    let (mut stop_reading, _) = daemon.claimed().await;
    let (mut other, _) = daemon.claimed().await;
    let pings = client_frame(0x89, &[b'x'; 125]).repeat(1_000);
    let flood = tokio::spawn(async move { stop_reading.send_until_cut(&pings).await });
    for _ in 0..10 {
        other.send_bytes(&client_frame(0x89, b"")).await;
        assert_eq!(other.frame().await, Some((frame::PONG, Vec::new())));
    }
    within(flood).await.unwrap();
    assert_eq!(daemon.operator().await.states().await, ["suspended", "active"]);
}

/// Makes the daemon send 9 MB to an app that does not read; gives the app and whoever waits for the answers.
async fn overwhelm(daemon: &Daemon) -> (App, JoinHandle<usize>) {
    let (mut app, session_id) = daemon.claimed().await;
    let tool = json!({ "name": "t", "description": "d" });
    let snapshot = json!({ "type": "tool_registry_snapshot", "session_id": session_id, "tools": [tool] });
    app.send_text(&snapshot.to_string()).await;
    let mut operator = daemon.operator().await;
    while operator.call("tools.list", json!({ "selector": session_id })).await["tools"] == json!([]) {}
    let calls = tokio::spawn(async move {
        let args = json!({ "pad": "x".repeat(150_000) });
        let params = json!({ "selector": session_id, "name": "t", "args": args });
        for id in 0..60 {
            let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools.call", "params": params });
            operator.send(format!("{call}\n").as_bytes()).await;
        }
        let mut answered = 0;
        while answered < 60 && operator.line().await.is_some() {
            answered += 1;
        }
        answered
    });
    (app, calls)
}

#[tokio::test]
async fn an_app_that_does_not_take_its_calls_is_cut() {
    let daemon = Daemon::start().await;
    let (mut app, calls) = overwhelm(&daemon).await;
    // Every call is answered, without the app having read a byte: its session is suspended.
    assert_eq!(within(calls).await.unwrap(), 60);
    assert_eq!(daemon.operator().await.states().await, ["suspended"]);
    while app.frame().await.is_some() {}
}

#[tokio::test]
async fn a_bent_daemon_waits_for_a_slow_reader() {
    let daemon = bent("con-slow-reader-blocks").await;
    let (mut app, calls) = overwhelm(&daemon).await;
    // Nothing was thrown away while the app did not read: all the others waited for it.
    for _ in 0..60 {
        assert_eq!(app.json().await["type"], "tool_call");
    }
    drop(app);
    assert_eq!(within(calls).await.unwrap(), 60);
}

#[tokio::test]
async fn two_hundred_sockets_are_served_at_once() {
    let daemon = Daemon::start().await;
    let mut operator = daemon.operator().await;
    let mut apps = Vec::new();
    for _ in 0..210 {
        let (_, claim) = operator.claim().await;
        let mut app = daemon.app().await;
        app.send_text(&claim).await;
        apps.push(app);
    }
    for app in &mut apps {
        assert_eq!(app.json().await["type"], "session_ack");
    }
    assert_eq!(operator.states().await, vec!["active"; 210]);
}

async fn bent(id: &str) -> Daemon {
    let rules = rules_bent_by(id).unwrap();
    Daemon::start_with(|options| options.rules = rules).await
}

#[tokio::test]
async fn bent_answers_to_bad_messages() {
    let daemon = bent("con-oversized-cut").await;
    let mut app = daemon.app().await;
    app.send_bytes(&ANNOUNCED).await;
    assert_eq!(app.frame().await, None);

    let daemon = bent("con-utf8-repaired").await;
    let mut app = daemon.app().await;
    app.send_bytes(&client_frame(0x81, &[0xFF])).await;
    assert_eq!(app.close().await, (1008, "invalid_json".to_owned()));

    let daemon = bent("con-invalid-utf8-cut").await;
    let mut app = daemon.app().await;
    app.send_bytes(&client_frame(0x81, &[0xFF])).await;
    assert_eq!(app.frame().await, None);

    for (id, frame) in
        [("con-oversized-kills", ANNOUNCED.to_vec()), ("con-invalid-utf8-kills", client_frame(0x81, &[0xFF]))]
    {
        let daemon = bent(id).await;
        let mut app = daemon.app().await;
        app.send_bytes(&frame).await;
        assert_eq!(daemon.ended().await.0, SUDDEN_DEATH);
    }
}

#[tokio::test]
async fn bent_listeners() {
    let daemon = bent("con-pings-unanswered").await;
    let mut app = daemon.app().await;
    app.send_bytes(&[client_frame(0x89, b"?"), client_frame(0x82, b"")].concat()).await;
    assert_eq!(app.close().await.0, 1003);

    let daemon = bent("ses-socket-cap").await;
    let mut apps = Vec::new();
    for _ in 0..64 {
        apps.push(daemon.app().await);
    }
    let mut surplus = within(TcpStream::connect(("127.0.0.1", daemon.port()))).await.unwrap();
    let mut rest = Vec::new();
    within(surplus.read_to_end(&mut rest)).await.unwrap();
    assert!(rest.is_empty());

    let mut daemon = bent("con-stalled-handshake-blocks").await;
    let stalled = within(TcpStream::connect(("127.0.0.1", daemon.port()))).await.unwrap();
    let port = daemon.port();
    let second = tokio::spawn(async move { App::connect(port).await });
    daemon.advance(9_999).await;
    assert!(!second.is_finished());
    daemon.advance(1).await;
    within(second).await.unwrap();
    drop(stalled);
}

/// The head of a text frame of 100 MiB, and none of it.
const ANNOUNCED: [u8; 14] = [0x81, 0xFF, 0, 0, 0, 0, 0x06, 0x40, 0, 0, 1, 2, 3, 4];

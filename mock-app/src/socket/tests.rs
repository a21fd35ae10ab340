//! The socket against a daemon that reads bytes.

use super::frame::{CLOSE, LengthForm, PONG, TEXT};
use super::*;
use crate::fake_daemon::{FakeDaemon, Peer, soon};
use crate::tls::TlsError;
use iolite_protocol::transcript::{Record, Tap};
use std::sync::Arc;
use std::sync::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

struct Recording(Arc<Mutex<Vec<Record>>>);

impl Recording {
    fn new() -> (Self, ConnectionRecorder) {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let sink = kept.clone();
        let tap = Tap::new(move |record| sink.lock().unwrap().push(record));
        (Self(kept), ConnectionRecorder::new(tap, "phone", 1))
    }

    fn seen(&self) -> Vec<(Direction, Payload)> {
        let records = self.0.lock().unwrap();
        records.iter().map(|record| (record.direction, record.payload.clone())).collect()
    }
}

async fn connect_with(options: SocketOptions, recorder: ConnectionRecorder) -> (Socket, Peer) {
    let daemon = FakeDaemon::start().await;
    let trust = Trust::Pinned(daemon.pin());
    let (socket, peer) =
        tokio::join!(Socket::connect(daemon.address(), trust, &options, recorder, soon()), daemon.accept());
    (socket.unwrap(), peer)
}

async fn connect() -> (Socket, Peer) {
    connect_with(SocketOptions::default(), ConnectionRecorder::silent()).await
}

#[tokio::test]
async fn a_text_frame_arrives_masked_and_whole() {
    let (socket, mut peer) = connect().await;
    socket.sender().send(RawFrame::text("{}")).await.unwrap();
    let frame = peer.read_frame().await;
    assert!(frame.masked);
    assert_eq!((frame.opcode, frame.payload.as_slice()), (TEXT, &b"{}"[..]));
}

#[tokio::test]
async fn every_misbehaviour_reaches_the_wire_bit_for_bit() {
    let mask = Mask::Key([1, 2, 3, 4]);
    let cases = [
        RawFrame::text("a").mask(Mask::Missing),
        RawFrame::text("a").rsv(7).mask(mask),
        RawFrame::new(0x7, "a").mask(mask),
        RawFrame::text([0xC3, 0x28]).mask(mask),
        RawFrame::text("a").fin(false).mask(mask),
        RawFrame::continuation("a").mask(mask),
        RawFrame::ping(vec![0; 200]).mask(mask),
        RawFrame::ping("p").fin(false).mask(mask),
        RawFrame::text("a").declaring(9).mask(mask),
        RawFrame::text("a").length_form(LengthForm::Bits64).mask(mask),
        RawFrame::text("a").mask(Mask::Mismatched { announced: [9; 4], used: [8; 4] }),
        RawFrame::binary(vec![0; 300_000]).mask(mask),
        RawFrame::close(1005, [0xff, 0xfe]).mask(mask),
        RawFrame::new(CLOSE, [3]).mask(mask),
    ];
    let (socket, mut peer) = connect().await;
    for frame in cases {
        let expected = frame.encode([0; 4]);
        let (sent, read) = tokio::join!(socket.sender().send(frame), peer.read_exact(expected.len()));
        sent.unwrap();
        assert_eq!(read, expected);
    }
}

#[tokio::test]
async fn control_frames_go_between_fragments_in_one_write() {
    let (socket, mut peer) = connect().await;
    let mut frames = RawFrame::fragments(TEXT, b"abc", 2);
    frames.insert(1, RawFrame::ping("x"));
    socket.sender().send_all(frames).await.unwrap();
    let mut opcodes = Vec::new();
    for _ in 0..3 {
        opcodes.push(peer.read_frame().await.opcode);
    }
    assert_eq!(opcodes, [1, 9, 0]);
}

#[tokio::test]
async fn half_a_frame_can_be_all_there_is() {
    let (socket, mut peer) = connect().await;
    let frame = RawFrame::text("half").mask(Mask::Key([7; 4]));
    let whole = frame.encode([0; 4]);
    socket.sender().send_part(frame, 5).await.unwrap();
    socket.sender().end(HowToEnd::Eof).await;
    let (bytes, error) = peer.read_to_end().await;
    assert_eq!((bytes.as_slice(), error), (&whole[..5], None));
}

#[tokio::test]
async fn raw_bytes_go_below_the_frames() {
    let (socket, mut peer) = connect().await;
    socket.sender().send_bytes(b"GET / HTTP/1.1".to_vec()).await.unwrap();
    assert_eq!(peer.read_exact(14).await, b"GET / HTTP/1.1");
}

#[tokio::test]
async fn each_ending_looks_different_to_the_daemon() {
    use std::io::ErrorKind::{ConnectionReset, UnexpectedEof};
    for (ending, expected) in [
        (HowToEnd::Eof, None),
        (HowToEnd::Fin, Some(UnexpectedEof)),
        (HowToEnd::Drop, Some(UnexpectedEof)),
        (HowToEnd::Reset, Some(ConnectionReset)),
    ] {
        let (socket, mut peer) = connect().await;
        socket.sender().end(ending).await;
        assert_eq!(peer.read_to_end().await.1, expected, "{ending:?}");
    }
    let (socket, mut peer) = connect().await;
    drop(socket);
    assert_eq!(peer.read_to_end().await.1, Some(UnexpectedEof));
}

#[tokio::test]
async fn behind_an_eof_the_daemon_is_still_read() {
    let (mut socket, mut peer) = connect().await;
    socket.sender().end(HowToEnd::Eof).await;
    peer.read_to_end().await;
    peer.send(RawFrame::text("still here")).await;
    assert_eq!(socket.events().next().await, Event::Text("still here".into()));
}

#[tokio::test]
async fn pings_are_answered_until_told_otherwise() {
    let (mut socket, mut peer) = connect().await;
    peer.send(RawFrame::ping("one")).await;
    let pong = peer.read_frame().await;
    assert_eq!((pong.opcode, pong.payload.as_slice()), (PONG, &b"one"[..]));

    socket.sender().answer_pings(false);
    peer.send(RawFrame::ping("two")).await;
    assert_eq!(socket.events().next().await, Event::Ping(b"one".to_vec()));
    assert_eq!(socket.events().next().await, Event::Ping(b"two".to_vec()));
    socket.sender().send(RawFrame::text("fence")).await.unwrap();
    assert_eq!(peer.read_frame().await.opcode, TEXT, "no pong came before the fence");
}

#[tokio::test]
async fn a_close_is_echoed_and_then_the_end_is_seen() {
    let (mut socket, mut peer) = connect().await;
    peer.send(RawFrame::close(1008, "revoked")).await;
    let echo = peer.read_frame().await;
    assert_eq!((echo.opcode, echo.payload), (CLOSE, 1008u16.to_be_bytes().to_vec()));
    let close = Event::Close { code: Some(1008), reason: "revoked".into() };
    assert_eq!(socket.events().next().await, close);
    peer.stream.shutdown().await.unwrap();
    let end = Event::Ended(Ended::Eof { close_notify: true });
    assert_eq!(socket.events().next().await, end);
    assert!(socket.sender().send(RawFrame::text("late")).await.is_err());
}

#[tokio::test]
async fn a_close_can_be_ignored_and_talked_over() {
    let (mut socket, mut peer) = connect().await;
    socket.sender().answer_close(false);
    peer.send(RawFrame::close(1000, "session_replaced")).await;
    assert!(matches!(socket.events().next().await, Event::Close { .. }));
    socket.sender().send(RawFrame::text("late")).await.unwrap();
    assert_eq!(peer.read_frame().await.payload, b"late");
}

#[tokio::test]
async fn a_half_open_peer_reads_nothing_until_it_does_again() {
    let (mut socket, mut peer) = connect().await;
    socket.sender().read(false);
    peer.send(RawFrame::ping("unread")).await;
    socket.sender().send(RawFrame::text("fence")).await.unwrap();
    assert_eq!(peer.read_frame().await.opcode, TEXT);
    socket.sender().read(true);
    assert_eq!(socket.events().next().await, Event::Ping(b"unread".to_vec()));
    assert_eq!(peer.read_frame().await.opcode, PONG);
}

#[tokio::test]
async fn a_reset_does_not_wait_for_a_daemon_that_does_not_read() {
    let (socket, _peer) = connect().await;
    let stuck = socket.sender().clone();
    let writing = tokio::spawn(async move { stuck.send(RawFrame::binary(vec![0; 64 << 20])).await });
    socket.sender().end(HowToEnd::Reset).await;
    assert!(writing.await.unwrap().is_err());
}

#[tokio::test]
async fn a_flood_is_cut_off_not_kept() {
    let options = SocketOptions { backlog_limit: 100_000, ..SocketOptions::default() };
    let (mut socket, mut peer) = connect_with(options, ConnectionRecorder::silent()).await;
    let flood = tokio::spawn(async move {
        let frame = RawFrame::text(vec![b'x'; 1000]).mask(Mask::Missing).encode([0; 4]);
        while peer.stream.write_all(&frame).await.is_ok() {}
    });
    flood.await.unwrap();
    let mut texts = 0;
    let end = loop {
        match socket.events().next().await {
            Event::Text(_) => texts += 1,
            other => break other,
        }
    };
    assert_eq!(end, Event::Ended(Ended::Flood { limit: 100_000 }));
    assert!(texts <= 100, "{texts}");
}

#[tokio::test]
async fn a_monstrous_frame_ends_as_a_flood() {
    let (mut socket, mut peer) = connect().await;
    peer.send(RawFrame::text("x").declaring(1 << 50)).await;
    assert!(matches!(socket.events().next().await, Event::Ended(Ended::Flood { .. })));
}

#[tokio::test]
async fn the_daemons_violations_are_events() {
    let (mut socket, mut peer) = connect().await;
    peer.send(RawFrame::text("x").mask(Mask::Key([1; 4]))).await;
    assert_eq!(socket.events().next().await, Event::Violation(Violation::Masked));
    assert_eq!(socket.events().next().await, Event::Text("x".into()));
    peer.send_bytes(&[0x81, 0x05, b'x']).await;
    peer.stream.shutdown().await.unwrap();
    assert_eq!(socket.events().next().await, Event::Violation(Violation::Truncated));
}

#[tokio::test]
async fn bytes_right_behind_the_upgrade_are_not_lost() {
    let daemon = FakeDaemon::start().await;
    let early = RawFrame::text("early").mask(Mask::Missing).encode([0; 4]);
    let options = SocketOptions {
        path: "/bridge".into(),
        headers: vec![("X-Odd".into(), "1".into())],
        ..SocketOptions::default()
    };
    let (socket, peer) = tokio::join!(
        Socket::connect(daemon.address(), Trust::AnyKey, &options, ConnectionRecorder::silent(), soon()),
        daemon.accept_with(&early)
    );
    let mut socket = socket.unwrap();
    assert_eq!(socket.events().next().await, Event::Text("early".into()));
    assert_eq!(socket.presented_pin(), Some(daemon.pin()));
    assert!(peer.head.starts_with("GET /bridge HTTP/1.1\r\n"), "{}", peer.head);
    assert!(peer.head.contains("X-Odd: 1\r\n"), "{}", peer.head);
}

#[tokio::test]
async fn a_connection_can_stop_before_tls_or_before_the_upgrade() {
    let daemon = FakeDaemon::start().await;
    let options = |stage| SocketOptions { stage, ..SocketOptions::default() };
    let tcp = options(Stage::Tcp);
    let (socket, mut stream) = tokio::join!(
        Socket::connect(daemon.address(), Trust::AnyKey, &tcp, ConnectionRecorder::silent(), soon()),
        daemon.accept_tcp()
    );
    let mut socket = socket.unwrap();
    socket.sender().send_bytes(b"no TLS".to_vec()).await.unwrap();
    let mut bytes = [0; 6];
    stream.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"no TLS");
    drop(stream);
    assert!(matches!(socket.events().next().await, Event::Ended(_)));

    let tls = options(Stage::Tls);
    let (socket, mut stream) = tokio::join!(
        Socket::connect(daemon.address(), Trust::AnyKey, &tls, ConnectionRecorder::silent(), soon()),
        daemon.accept_tls()
    );
    let mut socket = socket.unwrap();
    stream.write_all(b"HTTP/1.1 408").await.unwrap();
    assert_eq!(socket.events().next().await, Event::Raw(b"HTTP/1.1 408".to_vec()));
}

#[tokio::test]
async fn a_wrong_pin_and_a_passed_deadline_are_told_apart() {
    let daemon = FakeDaemon::start().await;
    let options = SocketOptions::default();
    let trust = Trust::Pinned(Pin::of_sha256([1; 32]));
    let (socket, _refused) = tokio::join!(
        Socket::connect(daemon.address(), trust, &options, ConnectionRecorder::silent(), soon()),
        daemon.try_accept_tls()
    );
    assert!(matches!(socket, Err(ConnectError::Tls(TlsError::PinMismatch { .. }))));
    let past = Instant::now();
    let late = Socket::connect(daemon.address(), trust, &options, ConnectionRecorder::silent(), past).await;
    assert!(matches!(late, Err(ConnectError::DeadlinePassed { .. })));
}

#[tokio::test]
async fn the_tap_hears_both_directions_in_order() {
    let (recording, recorder) = Recording::new();
    let (mut socket, mut peer) = connect_with(SocketOptions::default(), recorder).await;
    socket.sender().send(RawFrame::text("up")).await.unwrap();
    let pieces = RawFrame::fragments(TEXT, b"pq", 2);
    socket.sender().send_all(pieces).await.unwrap();
    socket.sender().send(RawFrame::text("x").rsv(1)).await.unwrap();
    for _ in 0..4 {
        peer.read_frame().await;
    }
    peer.send(RawFrame::text("down")).await;
    peer.send(RawFrame::close(1000, "revoked")).await;
    socket.events().next().await;
    assert_eq!(peer.read_frame().await.opcode, CLOSE);
    peer.stream.shutdown().await.unwrap();
    while !matches!(socket.events().next().await, Event::Ended(_)) {}

    let text = |text: &str| Payload::Text { text: text.into() };
    let bytes = |what: &str, base64: &str| Payload::Bytes { what: what.into(), base64: base64.into() };
    let close = |reason: &str| Payload::Close { code: Some(1000), reason: reason.into() };
    let seen = recording.seen();
    assert!(matches!(&seen[0], (Direction::Local, Payload::Opened { detail }) if detail.starts_with("wss://")));
    use Direction::{FromDaemon, ToDaemon};
    assert_eq!(
        seen[1..5],
        [
            (ToDaemon, text("up")),
            (ToDaemon, bytes("fragment", "cA==")),
            (ToDaemon, bytes("continuation", "cQ==")),
            (ToDaemon, text("pq")),
        ]
    );
    assert!(matches!(&seen[5], (ToDaemon, Payload::Bytes { what, .. }) if what.contains("reserved bits")));
    assert_eq!(
        seen[6..],
        [
            (ToDaemon, text("x")),
            (FromDaemon, text("down")),
            (FromDaemon, close("revoked")),
            (ToDaemon, close("")),
            (FromDaemon, Payload::Ended { how: "eof".into() }),
        ]
    );
}

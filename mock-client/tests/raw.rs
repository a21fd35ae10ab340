//! Stories of the raw lane: nothing is invented, hidden, or waited for without end.

mod support;

use iolite_mock_client::outcome::Outcome;
use iolite_mock_client::process::Grace;
use iolite_mock_client::raw::{Cursor, End, Limits, Message, RawLane, Relation, Response, SendError, WaitFailure, Why};
use iolite_mock_client::{Witness, within};
use iolite_protocol::transcript::{Direction, Payload};
use serde_json::{Value, json};
use std::time::Duration;
use support::{Memory, fake, lane, soon, violations};

/// A deadline for something that is known never to come.
const A_MOMENT: Duration = Duration::from_millis(50);

fn relation(message: &Message) -> Relation {
    match message {
        Message::Response(response) => response.relation.clone(),
        other => panic!("no response: {other:?}"),
    }
}

fn answer(method: &str) -> Relation {
    let method = method.into();
    Relation::Answer { method }
}

#[tokio::test]
async fn ids_of_any_json_are_echoed_and_told_apart() {
    let lane = lane("normal");
    for id in [json!(1), json!("1"), json!(-7), json!(""), json!("é\"\\"), json!(u64::MAX)] {
        let pending = lane.request_as(id.clone(), "ping", None).await.unwrap();
        let arrived = lane.response(&pending, soon()).await.unwrap();
        let expected = Response { id, outcome: Outcome::Result(json!({})), relation: answer("ping") };
        assert_eq!(arrived.message, Message::Response(expected));
    }
    // The counter goes around the 1 that was used.
    assert_eq!(lane.request("ping", None).await.unwrap().id, json!(2));
}

#[tokio::test]
async fn everything_sent_and_received_is_recorded_in_order() {
    let memory = Memory::default();
    let lane = RawLane::spawn(&fake("normal"), memory.witness(), Limits::default()).unwrap();
    let pending = lane.request_as(json!("a"), "ping", None).await.unwrap();
    lane.response(&pending, soon()).await.unwrap();
    lane.send_bytes(b"\xff{").await.unwrap();
    lane.stop(Grace::default()).await.unwrap();
    let seen: Vec<(Direction, String)> = memory
        .records()
        .into_iter()
        .filter_map(|record| match record.payload {
            Payload::Text { text } => Some((record.direction, text)),
            Payload::Bytes { what, base64 } => Some((record.direction, format!("{what} {base64}"))),
            Payload::Ended { how } => Some((record.direction, how)),
            _ => None,
        })
        .collect();
    let expected = [
        (Direction::ToDaemon, r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#),
        (Direction::FromDaemon, r#"{"jsonrpc":"2.0","id":"a","result":{}}"#),
        (Direction::ToDaemon, "raw /3s="),
        (Direction::Local, "eof"),
    ];
    let expected = expected.map(|(direction, text)| (direction, text.to_owned()));
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn garbage_is_kept_beside_the_answer() {
    let lane = lane("garbage");
    let pending = lane.request("ping", None).await.unwrap();
    lane.response(&pending, soon()).await.unwrap();
    let arrived = lane.since(Cursor::START);
    let expected = [Why::NotJson, Why::NotUtf8, Why::Blank, Why::Batch, Why::NotStrictJson, Why::BadId];
    assert_eq!(violations(&arrived), expected);
    assert_eq!(arrived.len(), expected.len() + 1);
    assert_eq!(arrived[1].line.as_bytes(), b"\xff\xfe");
    let places: Vec<u64> = arrived.iter().map(|entry| entry.cursor.position()).collect();
    assert_eq!(places, [1, 2, 3, 4, 5, 6, 7]);
}

#[tokio::test]
async fn an_answer_of_the_other_id_type_is_no_answer() {
    let lane = lane("other-type");
    for (id, other) in [(json!(1), json!("1")), (json!("20"), json!(20))] {
        let pending = lane.request_as(id.clone(), "ping", None).await.unwrap();
        let is_other = |arrived: &iolite_mock_client::raw::Arrived| {
            matches!(
                &arrived.message, Message::Response(response) if response.id == other
            )
        };
        let arrived = lane.wait(pending.sent, soon(), "other id", is_other).await.unwrap();
        assert_eq!(relation(&arrived.message), Relation::OtherType { asked: id });
        let error = lane.response(&pending, within(A_MOMENT)).await.unwrap_err();
        assert!(error.is_deadline());
        assert_eq!(error.arrived.len(), 1);
    }
}

#[tokio::test]
async fn a_second_answer_is_seen_as_one() {
    let lane = lane("twice");
    let pending = lane.request("ping", None).await.unwrap();
    let first = lane.response(&pending, soon()).await.unwrap();
    assert_eq!(relation(&first.message), answer("ping"));
    let second = lane.wait(first.cursor, soon(), "anything", |_| true).await.unwrap();
    let method = "ping".into();
    assert_eq!(relation(&second.message), Relation::Again { method });
}

#[tokio::test]
async fn a_malformed_answer_ends_the_waiting_at_once() {
    let lane = lane("malformed");
    let pending = lane.request("ping", None).await.unwrap();
    let error = lane.response(&pending, soon()).await.unwrap_err();
    assert!(matches!(error.why, WaitFailure::Malformed(_)), "{error}");
    assert_eq!(violations(&error.arrived), [Why::Ambiguous]);
}

#[tokio::test]
async fn a_server_that_never_answers_meets_the_deadline() {
    let lane = lane("mute");
    let pending = lane.request("ping", None).await.unwrap();
    let error = lane.response(&pending, within(A_MOMENT)).await.unwrap_err();
    assert!(error.is_deadline() && error.arrived.is_empty());
    assert!(error.to_string().contains("response to ping (id 1)"), "{error}");
}

#[tokio::test]
async fn a_server_that_dies_ends_the_waiting_at_once() {
    let lane = lane("dies");
    let pending = lane.request("ping", None).await.unwrap();
    let error = lane.response(&pending, soon()).await.unwrap_err();
    assert!(matches!(error.why, WaitFailure::Ended(End::Eof)), "{error}");
    assert_eq!(violations(&error.arrived), [Why::Unterminated]);
    assert_eq!(lane.exit(soon()).await.unwrap().code, Some(3));
    // The pipe breaks as soon as the system notices.
    let refused = lane.request("ping", None).await;
    assert!(matches!(refused, Err(SendError::Closed { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_flood_of_bytes_is_cut() {
    let lane = lane("flood-bytes");
    lane.send_text("go").await.unwrap();
    let limit = Limits::default().line_bytes;
    assert_eq!(lane.end(soon()).await, Some(End::LineTooLong { limit }));
    let arrived = lane.since(Cursor::START);
    assert_eq!(violations(&arrived), [Why::TooLong]);
    assert!(arrived[0].line.as_bytes().len() <= 4 * 1024);
    // Nobody reads its output any more; that ends it.
    lane.exit(soon()).await.unwrap();
}

#[tokio::test]
async fn a_flood_of_lines_is_cut() {
    let memory = Memory::default();
    let limits = Limits { kept_bytes: 1_000_000, ..Limits::default() };
    let lane = RawLane::spawn(&fake("flood-lines"), memory.witness(), limits).unwrap();
    lane.send_text("go").await.unwrap();
    let end = lane.end(soon()).await;
    assert_eq!(end, Some(End::TooMuch { limit: 1_000_000 }));
    let kept: usize = lane.since(Cursor::START).iter().map(|entry| entry.line.as_bytes().len()).sum();
    assert!((300_000..1_000_000).contains(&kept), "{kept}");
    lane.exit(soon()).await.unwrap();
    assert!(memory.payloads().iter().any(|payload| matches!(payload, Payload::Ended { .. })));
}

#[tokio::test]
async fn a_server_that_does_not_read_stalls_the_sending_only() {
    let limits = Limits { send_patience: A_MOMENT, ..Limits::default() };
    let lane = RawLane::spawn(&fake("deaf"), Witness::none(), limits).unwrap();
    let big = "x".repeat(1_000_000);
    let error = lane.send_text(&big).await.unwrap_err();
    assert_eq!(error, SendError::Stalled { bytes: 1_000_000 });
    let hurry = Grace { after_stdin: A_MOMENT, after_terminate: support::PATIENCE };
    let stopped = lane.stop(hurry).await.unwrap().unwrap();
    assert_eq!(stopped.exit.signal, Some(15));
}

#[tokio::test]
async fn bytes_can_be_split_anywhere_and_are_read_apart() {
    let lane = lane("reads");
    let message = b"{\"jsonrpc\":\"2.0\"}\r\n";
    let pieces: Vec<Vec<u8>> = message.iter().map(|byte| vec![*byte]).collect();
    let sent = lane.send_pieces(pieces).await.unwrap();
    // The last piece is not waited for.
    assert_eq!(sent.read_apart, message.len() - 1);
    let mut after = Cursor::START;
    for _ in 0..message.len() {
        let one = |_: &str, params: Option<&Value>| params == Some(&json!({ "bytes": 1 }));
        let arrived = lane.notification(after, soon(), "a read", one).await.unwrap();
        after = arrived.cursor;
    }
}

#[tokio::test]
async fn split_and_crlf_messages_are_served_and_correlated() {
    let lane = lane("normal");
    let text = r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#;
    let sent = lane.position();
    let (head, tail) = text.as_bytes().split_at(20);
    lane.send_pieces(vec![head.into(), tail.into(), b"\n".into()]).await.unwrap();
    lane.send_crlf(&text.replace("\"s\"", "\"t\"")).await.unwrap();
    for id in ["s", "t"] {
        let pending = iolite_mock_client::raw::PendingId { id: id.into(), method: "ping".into(), sent };
        let arrived = lane.response(&pending, soon()).await.unwrap();
        assert_eq!(relation(&arrived.message), answer("ping"));
    }
}

#[tokio::test]
async fn many_tasks_wait_on_one_lane() {
    let lane = lane("normal");
    let asks = (0..100).map(|number| {
        let lane = &lane;
        async move {
            let id = json!(format!("n{number}"));
            let pending = lane.request_as(id, "ping", None).await.unwrap();
            lane.response(&pending, soon()).await.unwrap();
        }
    });
    futures_util::future::join_all(asks).await;
    assert_eq!(lane.since(Cursor::START).len(), 100);
    lane.forget(lane.position());
    assert!(lane.since(Cursor::START).is_empty());
    let pending = lane.request("ping", None).await.unwrap();
    let arrived = lane.response(&pending, soon()).await.unwrap();
    assert_eq!(arrived.cursor.position(), 101);
}

#[tokio::test]
async fn a_lane_speaks_over_any_byte_stream() {
    let (ours, theirs) = tokio::io::duplex(64);
    let (output, input) = tokio::io::split(ours);
    let lane = RawLane::over_streams(output, input, Witness::none(), Limits::default());
    let server = async {
        let (output, mut input) = tokio::io::split(theirs);
        let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(output));
        lines.next_line().await.unwrap().unwrap();
        let answer = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
        tokio::io::AsyncWriteExt::write_all(&mut input, answer).await.unwrap();
    };
    let client = async {
        let pending = lane.request("ping", None).await.unwrap();
        lane.response(&pending, soon()).await.unwrap();
    };
    tokio::join!(server, client);
    assert_eq!(lane.end(soon()).await, Some(End::Eof));
}

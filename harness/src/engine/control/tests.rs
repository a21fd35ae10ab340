use super::*;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// A daemon that answers each line with what `answer` makes of it; nothing written ends the connection.
async fn daemon(answer: fn(&Value) -> Vec<u8>) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("control.sock");
    let listener = UnixListener::bind(&path).unwrap();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let bytes = answer(&serde_json::from_str(&line).unwrap_or(Value::String(line)));
            if bytes.is_empty() || write.write_all(&bytes).await.is_err() {
                return;
            }
        }
    });
    (folder, path)
}

#[tokio::test]
async fn answers_are_matched_by_id_and_events_are_kept_apart() {
    let (_folder, path) = daemon(|request| {
        let id = request["id"].as_u64().unwrap();
        let event = json!({ "jsonrpc": "2.0", "method": "event", "params": { "kind": "app_event" } });
        match id {
            1 => format!("{event}\n").into_bytes(),
            _ => format!(
                "{}\n{}\n",
                json!({ "jsonrpc": "2.0", "id": 2, "error": { "code": -32601, "message": "no" } }),
                json!({ "jsonrpc": "2.0", "id": 1, "result": { "ok": true } })
            )
            .into_bytes(),
        }
    })
    .await;
    let recorder = crate::transcript::Recorder::new();
    let control = Control::connect(&path, "operator", 1, recorder.tap(), soon()).await.unwrap();
    let one = control.start("first", None, None, soon()).await.unwrap();
    let two = control.start("second", Some(json!({})), None, soon()).await.unwrap();
    assert_eq!(control.finish(&one, soon()).await.unwrap().0, json!({ "ok": true }));
    assert_eq!(control.finish(&two, soon()).await.unwrap().0, json!({ "error": { "code": -32601, "message": "no" } }));
    let events = control.log().read(0, |lines| lines.iter().filter(|line| line.kind == LineKind::Event).count());
    assert_eq!(events, 1);
    control.close().await;
    let records = recorder.read(<[_]>::to_vec);
    assert_eq!(records.len(), 7, "{records:#?}");
    assert_eq!(records[6].payload, Payload::Ended { how: "local".into() });
}

#[tokio::test]
async fn garbage_is_kept_and_an_end_ends_the_wait() {
    let (_folder, path) = daemon(|request| match request.as_str() {
        Some("garbage") => b"{no json\n\xff\xfe\nhalf".to_vec(),
        _ => Vec::new(),
    })
    .await;
    let control = Control::connect(&path, "operator", 1, Tap::none(), soon()).await.unwrap();
    control.write(b"garbage\n", soon()).await.unwrap();
    let id = control.start("x", None, None, soon()).await.unwrap();
    let error = control.finish(&id, soon()).await.unwrap_err();
    assert!(matches!(error, ControlError::Unanswered(Unmet::Ended(_))), "{error:?}");
    let values = control.log().read(0, |lines| lines.iter().map(|line| Value::clone(&line.value)).collect::<Vec<_>>());
    assert_eq!(values, [json!("{no json"), json!({ "$base64": "//4=" })]);
    assert!(Control::connect(&path.with_extension("gone"), "operator", 2, Tap::none(), soon()).await.is_err());
}

#[tokio::test]
async fn only_what_a_strict_reader_takes_is_read_for_the_watchers() {
    let (_folder, path) = daemon(|request| match request["id"].as_u64() {
        Some(1) => b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\n".to_vec(),
        _ => b"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"a\":1,\"a\":2}}\n".to_vec(),
    })
    .await;
    let recorder = crate::transcript::Recorder::new();
    let control = Control::connect(&path, "operator", 1, recorder.tap(), soon()).await.unwrap();
    assert_eq!(control.call("one", None, soon()).await.unwrap(), json!({ "a": 1 }));
    assert_eq!(control.call("two", None, soon()).await.unwrap(), json!({ "a": 2 }));
    let said = recorder.scan(0, |record| (record.direction == Direction::FromDaemon).then(|| record.says.is_some()));
    assert_eq!(said, [true, false]);
}

#[tokio::test]
async fn a_connection_is_at_rest_when_all_was_asked_for_and_answered() {
    let (_folder, path) = daemon(|request| match request["id"].as_u64() {
        Some(1) => b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n".to_vec(),
        _ => b"{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n".to_vec(),
    })
    .await;
    let control = Control::connect(&path, "operator", 1, Tap::none(), soon()).await.unwrap();
    assert!(control.is_idle());
    let one = control.start("one", None, None, soon()).await.unwrap();
    assert!(!control.is_idle(), "a request is open");
    control.finish(&one, soon()).await.unwrap();
    assert!(control.is_idle());
    control.call("two", None, soon()).await.unwrap();
    assert!(!control.is_idle(), "an answer came that nobody had asked for");
    control.close().await;
    assert!(!control.is_idle());
}

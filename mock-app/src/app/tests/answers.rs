//! Scripts, manual answers, and provenance.

use super::*;
use crate::resource::{Content, ReadResult, ResourceDefinition};
use iolite_protocol::error_type::AppErrorType;

#[tokio::test]
async fn default_content_says_where_it_came_from() {
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t"));
        app.register_resource(resource("cart"));
    })
    .await;
    pair.peer.send_json(call("c1", "t")).await;
    let result = pair.peer.read_json().await;
    let stamp = "iolite-stamp app=phone session=session-1 call=c1 tool=t";
    assert_eq!(
        result,
        json!({
            "type": "tool_result",
            "session_id": SESSION,
            "id": "c1",
            "result": { "echo": { "n": 1 }, "stamp": stamp },
        })
    );
    pair.peer.send_json(read("r1", "cart")).await;
    let result = pair.peer.read_json().await;
    assert_eq!(result["type"], "resource_result");
    assert_eq!(
        result["contents"],
        json!([{ "text": "iolite-stamp app=phone session=session-1 read=r1 resource=cart" }])
    );
    assert_eq!(pair.app.served(Kind::Resource, "cart"), 1);
    assert!(pair.app.open_requests().is_empty());
}

#[tokio::test]
async fn scripts_answer_in_turn_with_errors_and_invalid_content() {
    let answers = Answer::InTurn(vec![
        Answer::Value(json!([{ "text": "x", "blob": "x" }])),
        Answer::error(AppErrorType::ToolExecutionError, "broken"),
        Answer::With(std::sync::Arc::new(|frame| Answer::Value(frame["uri"].clone()))),
        Answer::text("last"),
    ]);
    let mut pair = Pair::active(|app| {
        app.register_resource(resource("cart").with_script(Script::answer(answers)));
    })
    .await;
    let mut seen = Vec::new();
    for id in 0..5 {
        pair.peer.send_json(read(&format!("r{id}"), "cart")).await;
        let frame = pair.peer.read_json().await;
        seen.push(frame.get("contents").unwrap_or(&frame["error"]).clone());
    }
    assert_eq!(
        seen,
        [
            json!([{ "text": "x", "blob": "x" }]),
            json!({ "type": "tool_execution_error", "message": "broken" }),
            json!("app://cart"),
            json!([{ "text": "last" }]),
            json!([{ "text": "last" }]),
        ]
    );
}

#[tokio::test]
async fn an_answer_can_be_a_frame_with_some_keys_wrong_or_missing() {
    let keys = json!({ "result": Answer::ABSENT, "extra": 1, "session_id": null });
    let Value::Object(keys) = keys else { panic!() };
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t").with_script(Script::answer(Answer::Frame(keys))));
    })
    .await;
    pair.peer.send_json(call("c1", "t")).await;
    assert_eq!(
        pair.peer.read_json().await,
        json!({ "type": "tool_result", "session_id": null, "id": "c1", "extra": 1 })
    );
}

#[tokio::test]
async fn a_script_reports_progress_and_waits_at_its_gate() {
    let gate = Gate::closed();
    let script = Script::answer(Answer::Value(json!(null)))
        .then(Step::Progress { progress: Some(0.5), message: Some("half".into()) })
        .then(Step::Wait(gate.clone()))
        .then(Step::Send(json!({ "type": "odd" })));
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t").with_script(script));
    })
    .await;
    pair.peer.send_json(call("c1", "t")).await;
    let progress = pair.peer.read_json().await;
    assert_eq!((&progress["progress"], &progress["message"]), (&json!(0.5), &json!("half")));
    assert_eq!(pair.app.open_requests().len(), 1);
    assert!(pair.sent_so_far().await.is_empty());
    gate.let_through(1);
    assert_eq!(pair.peer.read_json().await, json!({ "type": "odd" }));
    let result = pair.peer.read_json().await;
    assert_eq!((&result["id"], &result["result"]), (&json!("c1"), &json!(null)));
}

#[tokio::test]
async fn what_is_not_registered_or_not_enabled_is_not_served() {
    let mut pair = Pair::active(|app| {
        app.register_resource(resource("off").disabled());
    })
    .await;
    for (frame, kind) in [(call("c1", "ghost"), "tool_error"), (read("r1", "off"), "resource_error")] {
        pair.peer.send_json(frame).await;
        let answer = pair.peer.read_json().await;
        assert_eq!(answer["type"], kind);
        assert_eq!(answer["error"]["type"], "tool_not_found");
    }
}

#[tokio::test]
async fn a_cancelled_call_ends_with_its_error_unless_told_otherwise() {
    let never = Script::answer(Answer::Never);
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("polite").with_script(never.clone()));
        app.register_tool(tool("deaf").with_script(never.ignoring_cancel()));
    })
    .await;
    let cancel =
        |id: &str| json!({ "type": "tool_cancel", "session_id": SESSION, "id": id, "reason": "connection_closed" });
    for frame in [call("c1", "polite"), call("c2", "deaf"), cancel("c2"), cancel("c1")] {
        pair.peer.send_json(frame).await;
    }
    let error = pair.peer.read_json().await;
    assert_eq!((&error["id"], &error["type"]), (&json!("c1"), &json!("tool_error")));
    assert_eq!(error["error"]["type"], "tool_cancelled");
    let open = pair.app.open_requests();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].id, "c2");
    let seen = pair.app.take_cancel(Some("c2"), soon()).await.unwrap();
    assert_eq!(seen.reason(), "connection_closed");
}

#[tokio::test]
async fn a_cancel_stops_a_script_at_its_gate() {
    let gate = Gate::closed();
    let script = Script::default().then(Step::Wait(gate.clone()));
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t").with_script(script));
    })
    .await;
    pair.peer.send_json(call("c1", "t")).await;
    let cancel = json!({ "type": "tool_cancel", "session_id": SESSION, "id": "c1", "reason": "x" });
    pair.peer.send_json(cancel).await;
    assert_eq!(pair.peer.read_json().await["error"]["type"], "tool_cancelled");
    gate.open();
    pair.peer.send_json(call("c2", "t")).await;
    assert_eq!(pair.peer.read_json().await["id"], "c2", "c1 got one answer only");
}

#[tokio::test]
async fn the_driver_answers_by_id_in_any_order() {
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t"));
        app.register_resource(resource("cart"));
    })
    .await;
    pair.app.set_serving(Serving::Manual);
    for frame in [call("c1", "t"), read("r1", "cart"), call("c2", "t")] {
        pair.peer.send_json(frame).await;
    }
    let read = pair.app.take_read(Some("cart"), soon()).await.unwrap();
    let first = pair.app.take_call(None, soon()).await.unwrap();
    let second = pair.app.take_call(Some("t"), soon()).await.unwrap();
    assert_eq!((first.id(), second.id(), read.uri()), ("c1", "c2", "app://cart"));
    let open: Vec<_> = pair.app.open_requests().into_iter().map(|open| open.id).collect();
    assert_eq!(open, ["c1", "r1", "c2"]);

    pair.app.progress("c1", Some(1.0), None).await.unwrap();
    pair.app.answer("c2", Answer::Value(json!(2))).await.unwrap();
    pair.app.answer("r1", Answer::Stamped).await.unwrap();
    let error = Answer::error(AppErrorType::ToolTimeout, "slow");
    pair.app.answer("c1", error).await.unwrap();
    let mut order = Vec::new();
    for _ in 0..4 {
        let frame = pair.peer.read_json().await;
        order.push(format!("{} {}", frame["type"].as_str().unwrap(), frame["id"].as_str().unwrap()));
    }
    assert_eq!(order, ["tool_call_progress c1", "tool_result c2", "resource_result r1", "tool_error c1"]);
    assert!(matches!(
        pair.app.answer("c1", Answer::Stamped).await,
        Err(AnswerError::NotOpen { id }) if id == "c1"
    ));
}

#[tokio::test]
async fn answers_go_to_the_connection_that_asked() {
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t"));
    })
    .await;
    pair.app.set_serving(Serving::Manual);
    pair.peer.send_json(call("c1", "t")).await;
    pair.app.take_call(None, soon()).await.unwrap();
    let mut old = pair.resume("token-2").await;
    pair.app.answer("c1", Answer::Value(json!("late"))).await.unwrap();
    assert_eq!(old.read_json().await["result"], "late");
    pair.read_snapshots().await;
    assert!(pair.sent_so_far().await.is_empty());
}

#[tokio::test]
async fn a_definitions_reader_serves_reads_and_its_mistakes_become_errors() {
    let right = ResourceDefinition::builder("app://right", "right")
        .description("d")
        .mime_type("text/x")
        .async_reader(|uri, _| async move {
            tokio::task::yield_now().await;
            Ok(ReadResult::of([Content::text(&uri, ""), Content::blob("app://other", "AA==").mime_type("a/b")]))
        })
        .build()
        .unwrap();
    let wrong = ResourceDefinition::builder("app://wrong", "wrong")
        .description("d")
        .reader(|_, _| Ok(ReadResult::raw(json!({ "contents": [{ "text": "x" }] }))))
        .build()
        .unwrap();
    let mut pair = Pair::active(|app| {
        for definition in [&right, &wrong] {
            app.register_resource(Registration::of_definition(definition).unwrap());
        }
    })
    .await;
    assert_eq!(right.reads(), 0);
    pair.peer.send_json(read("r1", "right")).await;
    assert_eq!(
        pair.peer.read_json().await["contents"],
        json!([
            { "uri": "app://right", "text": "" },
            { "uri": "app://other", "mime_type": "a/b", "blob": "AA==" },
        ])
    );
    assert_eq!(right.reads(), 1);
    pair.peer.send_json(read("r2", "wrong")).await;
    assert_eq!(pair.peer.read_json().await["error"]["type"], "tool_execution_error");
}

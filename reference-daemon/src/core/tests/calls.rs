//! Tool calls (`BRG-TOL-07` … `BRG-TOL-17`).

use super::bench::{App, Bench, text, tool};
use crate::core::io::Input;
use iolite_protocol::close::Close;
use serde_json::{Value, json};

fn phone(bench: &mut Bench) -> App {
    let app = bench.app("phone");
    bench.register_tools(&app, &["t", "u"]);
    app
}

/// BRG-TOL-07
#[test]
fn calls_reach_their_app_and_values_pass_unchanged() {
    let mut bench = Bench::new();
    let other = bench.app("other");
    bench.register_tools(&other, &["t"]);
    let app = phone(&mut bench);
    let deep = (0..30).fold(json!([null]), |inner, _| json!({"n": inner}));
    let value = json!({
        "z": null, "a": [9_007_199_254_740_991_u64, -0.5, 1e300, "é\u{0}😀 ", "", {}, []], "deep": deep,
    });
    let (id, call) = bench.call(&app, "t", value.clone());
    let frame = bench.last(app.socket);
    assert_eq!(frame, json!({"type": "tool_call", "session_id": app.id, "id": call, "name": "t", "args": value}));
    assert_eq!(frame["args"].to_string(), value.to_string(), "also the order of members");
    assert_eq!(bench.sent(other.socket, "tool_call").len(), 0);
    bench.say(app.socket, app.result(&call, value.clone()));
    let answer = bench.operator_answer(id).unwrap();
    assert_eq!(answer["result"]["result"].to_string(), value.to_string());
    assert_eq!(answer["result"]["callId"], call);
    // Absent arguments are an empty object; ids are fresh.
    bench.ask(bench.operator, "tools.call", json!({"selector": "phone", "name": "t"}));
    assert_eq!(bench.last(app.socket)["args"], json!({}));
    assert_ne!(bench.last(app.socket)["id"], call);
}

/// BRG-TOL-08
#[test]
fn app_errors_arrive_verbatim() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    for kind in [
        "tool_not_found",
        "tool_input_validation_error",
        "tool_output_validation_error",
        "tool_execution_error",
        "tool_serialization_error",
        "tool_timeout",
        "tool_cancelled",
    ] {
        let (id, call) = bench.call(&app, "t", json!({}));
        let error = json!({"type": kind, "message": " as it is\n", "details": {"a": [null, 1]}});
        bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error})));
        assert_eq!(
            bench.operator_answer(id).unwrap()["error"],
            json!({
                "code": -32000, "message": " as it is\n",
                "data": {"type": kind, "details": {"a": [null, 1]}},
            })
        );
    }
    let (id, call) = bench.call(&app, "t", json!({}));
    let error = json!({"type": "tool_execution_error", "message": "m"});
    bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error})));
    let data = &bench.operator_answer(id).unwrap()["error"]["data"];
    assert_eq!(data.get("details"), None);
}

/// BRG-TOL-09
#[test]
fn deadlines_are_chosen_and_clamped() {
    let mut bench = Bench::configured(|config| config.keepalive_interval_s = 1_000_000);
    let app = bench.app("phone");
    let tools = json!([tool("plain"), {"name": "own", "description": "d", "timeout_ms": 3_000},
        {"name": "huge", "description": "d", "timeout_ms": 999_999_999}]);
    bench.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": tools})));
    for (name, timeout, expected) in [
        ("plain", json!({}), 10_000),
        ("own", json!({}), 3_000),
        ("own", json!({"timeoutMs": 4_000}), 4_000),
        ("plain", json!({"timeoutMs": 1}), 1_000),
        ("plain", json!({"timeoutMs": 1_000_000}), 600_000),
        ("huge", json!({}), 600_000),
    ] {
        let mut params = timeout.clone();
        params["name"] = json!(name);
        let id = bench.ask(bench.operator, "tools.call", params);
        let call = text(&bench.last(app.socket)["id"]);
        bench.advance(expected - 1);
        assert_eq!(bench.operator_answer(id), None, "{name} {timeout}");
        bench.advance(1);
        assert_eq!(bench.failure(id), "tool_timeout", "{name} {timeout}");
        // A late answer harms nothing.
        bench.say(app.socket, app.result(&call, json!(1)));
        assert_eq!(bench.answers(bench.operator, id).len(), 1);
        assert_eq!(bench.close_of(app.socket), None);
    }
}

/// BRG-TOL-10
#[test]
fn answers_find_their_own_call() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let stranger = bench.app("stranger");
    bench.register_tools(&stranger, &["t"]);
    let calls: Vec<(u64, String)> = (0..20).map(|number| bench.call(&app, "t", json!({"n": number}))).collect();
    let (foreign, foreign_call) = bench.call(&stranger, "t", json!({}));
    // Strangers, unknown ids, the other kind of answer: ignored.
    bench.say(stranger.socket, stranger.result(&calls[3].1, json!("forged")));
    bench.say(app.socket, app.result("unknown", json!("x")));
    bench.say(app.socket, app.result(&foreign_call, json!("x")));
    bench.say(app.socket, app.contents(&calls[3].1, json!([{"text": "x"}])));
    for (id, _) in &calls {
        assert_eq!(bench.operator_answer(*id), None);
    }
    // Any order.
    for index in (0..20).map(|step| step * 7 % 20) {
        bench.say(app.socket, app.result(&calls[index].1, json!(index)));
        bench.say(app.socket, app.result(&calls[index].1, json!("again")));
    }
    for (index, (id, _)) in calls.iter().enumerate() {
        assert_eq!(bench.operator_answer(*id).unwrap()["result"]["result"], index);
    }
    assert_eq!(bench.operator_answer(foreign), None);
}

/// BRG-TOL-11
#[test]
fn calls_fail_with_their_session() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let (id, _) = bench.call(&app, "t", json!({}));
    bench.hang_up(app.socket);
    assert_eq!(bench.failure(id), "session_suspended");
    assert_eq!(bench.error_type("tools.call", json!({"name": "t"})), "session_suspended");
    assert_eq!(
        bench.error_type("tools.call", json!({"name": "no_such_tool"})),
        "session_suspended",
        "state is judged before the registry"
    );
    let app = bench.resume(&app);
    let (id, call) = bench.call(&app, "t", json!({}));
    bench.ok("sessions.revoke", json!({}));
    assert_eq!(bench.failure(id), "unknown_session");
    bench.say(app.socket, app.result(&call, json!(1)));
    assert_eq!(bench.answers(bench.operator, id).len(), 1);
    assert!(bench.timers.is_empty(), "{:?}", bench.timers);
}

/// BRG-TOL-12
#[test]
fn wrong_calls_do_not_reach_the_app() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    for (params, kind) in [
        (json!({"name": "nope"}), "tool_not_found"),
        (json!({"name": "t", "args": []}), "invalid_request"),
        (json!({"name": "t", "args": null}), "invalid_request"),
        (json!({"name": "t", "args": "x"}), "invalid_request"),
        (json!({}), "invalid_request"),
        (json!({"name": "t", "timeoutMs": 0}), "invalid_request"),
        (json!({"name": "t", "selector": "other"}), "unknown_session"),
    ] {
        assert_eq!(bench.error_type("tools.call", params.clone()), kind, "{params}");
    }
    assert_eq!(bench.sent(app.socket, "tool_call").len(), 0);
}

/// BRG-TOL-13
#[test]
fn cancelling_asks_the_app() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let (id, call) = bench.call(&app, "t", json!({}));
    let (_, other) = bench.call(&app, "t", json!({}));
    assert_eq!(bench.ok("tools.cancel", json!({"callId": call})), json!({"cancelled": true}));
    assert_eq!(
        bench.last(app.socket),
        json!({"type": "tool_cancel", "session_id": app.id, "id": call, "reason": "cancelled"})
    );
    assert_eq!(bench.operator_answer(id), None, "the app ends the call");
    let error = json!({"type": "tool_cancelled", "message": "ok"});
    bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error})));
    assert_eq!(bench.failure(id), "tool_cancelled");
    for finished in [call.as_str(), "unknown"] {
        assert_eq!(bench.ok("tools.cancel", json!({"callId": finished})), json!({"cancelled": false}));
    }
    let cancels = bench.sent(app.socket, "tool_cancel");
    assert_eq!(cancels.len(), 1);
    assert_ne!(cancels[0]["id"], other);
    // An app may still answer with a result.
    let (id, call) = bench.call(&app, "t", json!({}));
    bench.ok("tools.cancel", json!({"callId": call}));
    bench.say(app.socket, app.result(&call, json!("done already")));
    assert_eq!(bench.operator_answer(id).unwrap()["result"]["result"], "done already");
}

/// BRG-TOL-14, BRG-TOL-16
#[test]
fn progress_belongs_to_its_call_and_ends_with_it() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let stranger = bench.app("stranger");
    let listener = bench.listener(json!({"kinds": ["tool_call_progress"]}));
    bench.ask(bench.operator, "events.subscribe", json!({"kinds": ["tool_call_progress"]}));
    let (first, first_call) = bench.call(&app, "t", json!({}));
    let (_, second_call) = bench.call(&app, "t", json!({}));
    let progress = |call: &str| json!({"id": call, "progress": 0.5, "message": "half"});
    bench.say(app.socket, app.frame("tool_call_progress", progress(&first_call)));
    bench.say(app.socket, app.frame("tool_call_progress", json!({"id": second_call})));
    let heard = bench.heard(listener);
    assert_eq!(heard[0]["data"], json!({"callId": first_call, "tool": "t", "progress": 0.5, "message": "half"}));
    assert_eq!(heard[1]["data"], json!({"callId": second_call, "tool": "t"}));
    // The connection that made the request hears its id.
    assert_eq!(bench.heard(bench.operator)[0]["data"]["requestId"], first);
    bench.say(app.socket, app.result(&first_call, json!(1)));
    bench.say(app.socket, app.frame("tool_call_progress", progress(&first_call)));
    bench.say(app.socket, app.frame("tool_call_progress", progress("unknown")));
    let mut forged = stranger.frame("tool_call_progress", progress(&second_call));
    forged["session_id"] = json!(stranger.id);
    bench.say(stranger.socket, forged);
    assert_eq!(bench.heard(listener).len(), 2);
}

/// BRG-TOL-15
#[test]
fn results_need_a_result_and_errors_a_known_type() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let (id, call) = bench.call(&app, "t", json!({}));
    bench.say(app.socket, app.result(&call, json!(null)));
    let answer = bench.operator_answer(id).unwrap();
    assert_eq!(answer["result"].get("result"), Some(&Value::Null));
    let mut app = app;
    for rest in [
        json!({}),
        json!({"error": {"type": "no_such_type", "message": "m"}}),
        json!({"error": {"type": "tool_timeout", "message": ""}}),
        json!({"error": "x"}),
    ] {
        let (id, call) = bench.call(&app, "t", json!({}));
        let kind = match rest.get("error") {
            None => "tool_result",
            Some(_) => "tool_error",
        };
        let mut frame = app.frame(kind, rest.clone());
        frame["id"] = json!(call);
        bench.say(app.socket, frame);
        assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_MESSAGE), "{rest}");
        assert_eq!(bench.failure(id), "session_suspended");
        app = bench.resume(&app);
    }
}

/// BRG-TOL-17
#[test]
fn a_caller_that_leaves_cancels_its_calls() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let (kept, kept_call) = bench.call(&app, "t", json!({}));
    let caller = bench.connect();
    bench.ask(caller, "tools.call", json!({"name": "t"}));
    let call = text(&bench.last(app.socket)["id"]);
    bench.put(Input::RpcClosed { connection: caller });
    let cancels = bench.sent(app.socket, "tool_cancel");
    assert_eq!(
        cancels,
        [json!({"type": "tool_cancel", "session_id": app.id, "id": call, "reason": "connection_closed"})]
    );
    // Its answer goes nowhere; the other call goes on.
    let error = json!({"type": "tool_cancelled", "message": "ok"});
    bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error})));
    assert_eq!(bench.lines.get(&caller), None);
    assert_eq!(bench.audit.len(), 1);
    bench.say(app.socket, app.result(&kept_call, json!(1)));
    assert!(bench.operator_answer(kept).is_some());
}

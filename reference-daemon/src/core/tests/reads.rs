//! Resource reads (`BRG-RES-06` … `BRG-RES-13`, `BRG-RPC-03`, `-04`).

use super::bench::{App, Bench, text};
use crate::core::io::Input;
use iolite_protocol::close::Close;
use serde_json::{Value, json};

fn phone(bench: &mut Bench) -> App {
    let app = bench.app("phone");
    bench.register_resources(&app, &["x", "y"]);
    app
}

/// BRG-RES-06
#[test]
fn a_read_goes_to_its_owner_with_name_and_uri_only() {
    let mut bench = Bench::new();
    let other = bench.app("other");
    bench.register_resources(&other, &["x"]);
    let app = phone(&mut bench);
    let (_, read) = bench.read(&app, "x");
    assert_eq!(
        bench.last(app.socket),
        json!({"type": "resource_read", "session_id": app.id, "id": read, "name": "x", "uri": "app://x"})
    );
    let (_, again) = bench.read(&app, "x");
    assert_ne!(read, again);
    assert_eq!(bench.sent(app.socket, "resource_read").len(), 2);
    assert!(bench.sent(other.socket, "resource_read").is_empty());
}

/// BRG-RES-07, BRG-RES-08, BRG-RPC-03
#[test]
fn contents_come_back_unchanged() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    for contents in [
        json!([]),
        json!([{"text": ""}]),
        json!([{"text": " é\u{0}\r\n😀 "}, {"blob": "AP+A"}, {"blob": ""}]),
        json!([{"text": "b", "uri": "app://part", "mime_type": "a/b"}, {"text": "a"}]),
        json!([{"text": "é".repeat(100_000)}]),
    ] {
        let (id, read) = bench.read(&app, "x");
        bench.say(app.socket, app.contents(&read, contents.clone()));
        let answer = bench.operator_answer(id).unwrap();
        assert_eq!(answer["result"], json!({"contents": contents, "readId": read}));
    }
}

/// BRG-RES-09
#[test]
fn invalid_contents_fail_the_read() {
    let mut bench = Bench::new();
    let mut app = phone(&mut bench);
    for contents in [
        json!([{"text": "a"}, {"text": "a", "blob": ""}]),
        json!([{"text": "a"}, {}]),
        json!([{"text": 7}]),
        json!([{"blob": "not base64"}]),
        json!([{"blob": "AP-A"}]),
        json!("x"),
        json!(null),
    ] {
        let (id, read) = bench.read(&app, "x");
        bench.say(app.socket, app.contents(&read, contents.clone()));
        assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_MESSAGE), "{contents}");
        assert_eq!(bench.failure(id), "session_suspended");
        app = bench.resume(&app);
    }
}

/// BRG-RES-10
#[test]
fn reader_errors_arrive_verbatim() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let (id, read) = bench.read(&app, "x");
    let error = json!({"type": "tool_execution_error", "message": " m ", "details": null});
    bench.say(app.socket, app.frame("resource_error", json!({"id": read, "error": error})));
    assert_eq!(
        bench.operator_answer(id).unwrap()["error"],
        json!({"code": -32000, "message": " m ", "data": {"type": "tool_execution_error", "details": null}})
    );
}

/// BRG-RES-11
#[test]
fn reads_in_flight_behave_like_calls() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let stranger = bench.app("stranger");
    // Deadline and late answer.
    let (id, read) = bench.read(&app, "x");
    bench.advance(9_999);
    assert_eq!(bench.operator_answer(id), None);
    bench.advance(1);
    assert_eq!(bench.failure(id), "tool_timeout");
    bench.say(app.socket, app.contents(&read, json!([])));
    assert_eq!(bench.answers(bench.operator, id).len(), 1);
    let params = json!({"selector": "phone", "name": "x", "timeoutMs": 1});
    let id = bench.ask(bench.operator, "resources.read", params);
    bench.advance(1_000);
    assert_eq!(bench.failure(id), "tool_timeout");
    // Ids.
    let (first, first_read) = bench.read(&app, "x");
    let (second, second_read) = bench.read(&app, "x");
    bench.say(stranger.socket, stranger.contents(&first_read, json!([])));
    bench.say(app.socket, app.contents("unknown", json!([])));
    bench.say(app.socket, app.result(&first_read, json!(1)));
    bench.say(app.socket, app.contents(&second_read, json!([{"text": "2"}])));
    assert_eq!(bench.operator_answer(first), None);
    assert_eq!(bench.operator_answer(second).unwrap()["result"]["contents"], json!([{"text": "2"}]));
    // Loss, suspension, revoke.
    bench.hang_up(app.socket);
    assert_eq!(bench.failure(first), "session_suspended");
    assert_eq!(bench.error_type("resources.read", json!({"selector": "phone", "name": "x"})), "session_suspended");
    let app = bench.resume(&app);
    let (id, _) = bench.read(&app, "x");
    bench.ok("sessions.revoke", json!({"selector": "phone"}));
    assert_eq!(bench.failure(id), "unknown_session");
}

/// BRG-RES-13, BRG-RPC-04
#[test]
fn only_what_is_registered_now_can_be_read() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let remove = json!({"operation": "remove", "name": "x"});
    bench.say(app.socket, app.frame("resource_registry_delta", remove));
    for name in ["x", "unknown", "", "../y", "app://y"] {
        let params = json!({"name": name});
        assert_eq!(bench.error_type("resources.read", params), "tool_not_found", "{name}");
    }
    assert!(bench.sent(app.socket, "resource_read").is_empty());
    bench.read(&app, "y");
    assert_eq!(bench.sent(app.socket, "resource_read").len(), 1);
}

/// BRG-RES-13: a read in flight ends well although its resource is removed meanwhile.
#[test]
fn a_read_in_flight_outlives_its_registration() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let (id, read) = bench.read(&app, "x");
    bench.register_resources(&app, &[]);
    bench.say(app.socket, app.contents(&read, json!([])));
    assert!(bench.operator_answer(id).unwrap().get("result").is_some());
}

/// BRG-MCP-20: every read asks the app.
#[test]
fn nothing_is_kept() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    for body in ["old", "new"] {
        let (id, read) = bench.read(&app, "x");
        bench.say(app.socket, app.contents(&read, json!([{"text": body}])));
        let answer: Value = bench.operator_answer(id).unwrap();
        assert_eq!(answer["result"]["contents"][0]["text"], body);
    }
}

/// BRG-TOL-17: there is no frame that cancels a read; its answer goes nowhere.
#[test]
fn a_reader_that_leaves_is_forgotten() {
    let mut bench = Bench::new();
    let app = phone(&mut bench);
    let caller = bench.connect();
    bench.ask(caller, "resources.read", json!({"name": "x"}));
    let read = text(&bench.last(app.socket)["id"]);
    bench.put(Input::RpcClosed { connection: caller });
    assert_eq!(bench.sent(app.socket, "tool_cancel"), Vec::<Value>::new());
    bench.say(app.socket, app.contents(&read, json!([])));
    assert_eq!(bench.lines.get(&caller), None);
    assert_eq!(bench.audit.len(), 1);
}

//! Connection rules (`BRG-CON-…`).

use super::bench::{Bench, claim, tool};
use crate::core::io::{Input, SocketId};
use iolite_protocol::close::Close;
use serde_json::json;

fn closes_with(bench: &Bench, socket: SocketId, close: Close, why: &str) {
    assert_eq!(bench.close_of(socket), Some(close), "{why}");
}

/// BRG-CON-01
#[test]
fn binary_frames_close_before_and_after_the_claim() {
    let mut bench = Bench::new();
    let socket = bench.open();
    bench.put(Input::SocketBinary { socket });
    closes_with(&bench, socket, Close::BINARY_FRAME_NOT_SUPPORTED, "before");
    let app = bench.app("a");
    bench.put(Input::SocketBinary { socket: app.socket });
    closes_with(&bench, app.socket, Close::BINARY_FRAME_NOT_SUPPORTED, "after");
    assert_eq!(bench.state(&app), "suspended");
}

/// BRG-CON-02, BRG-CON-12, BRG-CON-13
#[test]
fn text_that_is_no_json_object_closes() {
    for garbage in ["", "{", "nul", "[]", "7", "\"x\"", "{} {}", r#"{"a":1,"a":2}"#] {
        let mut bench = Bench::new();
        let app = bench.app("a");
        bench.say_text(app.socket, garbage);
        closes_with(&bench, app.socket, Close::INVALID_JSON, garbage);
        let socket = bench.open();
        bench.say_text(socket, garbage);
        closes_with(&bench, socket, Close::INVALID_JSON, garbage);
    }
    let mut bench = Bench::new();
    let socket = bench.open();
    bench.put(Input::SocketInvalidUtf8 { socket });
    closes_with(&bench, socket, Close::INVALID_UTF8, "utf-8");
}

/// BRG-CON-03
#[test]
fn the_first_frame_claims_or_resumes() {
    for first in [
        json!({}),
        json!({"type": "event", "name": "x", "ts": 1}),
        json!({"type": "session_claim"}),
        json!({"type": "session_resume", "protocol_version": 2}),
        json!({"type": 5}),
    ] {
        let mut bench = Bench::new();
        let socket = bench.open();
        bench.say(socket, first.clone());
        closes_with(&bench, socket, Close::EXPECTED_CLAIM_OR_RESUME, &first.to_string());
    }
}

/// BRG-CON-04
#[test]
fn a_socket_has_ten_seconds_to_claim() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    let quick = bench.open();
    let slow = bench.open();
    bench.advance(9_999);
    bench.say(quick, claim(&id, &token, "a"));
    bench.advance(1);
    assert_eq!(bench.close_of(quick), None);
    closes_with(&bench, slow, Close::PRE_CLAIM_TIMEOUT, "slow");
}

/// BRG-CON-05
#[test]
fn unknown_types_close() {
    for kind in [json!("nonsense"), json!("session_ack"), json!("tool_call"), json!("session_claim"), json!(null)] {
        let mut bench = Bench::new();
        let app = bench.app("a");
        let mut frame = app.frame("x", json!({}));
        frame["type"] = kind.clone();
        bench.say(app.socket, frame);
        closes_with(&bench, app.socket, Close::UNKNOWN_MESSAGE_TYPE, &kind.to_string());
    }
}

/// BRG-CON-06
#[test]
fn other_sessions_frames_close() {
    let mut bench = Bench::new();
    let other = bench.app("other");
    for id in [json!(other.id), json!(""), json!(7), json!(null)] {
        let app = bench.app("a");
        let mut frame = app.event("x", json!(1));
        frame["session_id"] = id.clone();
        bench.say(app.socket, frame);
        closes_with(&bench, app.socket, Close::SESSION_MISMATCH, &id.to_string());
    }
    let app = bench.app("a");
    bench.say(app.socket, json!({"type": "event", "name": "x", "ts": 1}));
    closes_with(&bench, app.socket, Close::SESSION_MISMATCH, "absent");
    assert_eq!(bench.state(&other), "active");
}

/// BRG-CON-07
#[test]
fn broken_field_rules_close() {
    let mut bench = Bench::new();
    for (kind, rest, close) in [
        ("event", json!({"name": ""}), Close::INVALID_MESSAGE),
        ("tool_result", json!({"id": "x"}), Close::INVALID_MESSAGE),
        ("tool_call_progress", json!({"id": 1}), Close::INVALID_MESSAGE),
        ("resource_result", json!({"id": "x", "contents": 1}), Close::INVALID_MESSAGE),
        ("tool_registry_snapshot", json!({}), Close::INVALID_REGISTRY),
        ("resource_registry_delta", json!({"operation": "x"}), Close::INVALID_REGISTRY),
    ] {
        let app = bench.app("a");
        bench.say(app.socket, app.frame(kind, rest));
        closes_with(&bench, app.socket, close, kind);
    }
}

/// BRG-CON-08
#[test]
fn frames_may_be_just_as_long_as_allowed() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    let neighbour = bench.app("b");
    let empty = app.event("x", json!("")).to_string().len();
    let fits = app.event("x", json!("y".repeat(262_144 - empty)));
    assert_eq!(fits.to_string().len(), 262_144);
    let listener = bench.listener(json!({}));
    bench.say(app.socket, fits);
    assert_eq!(bench.heard_kinds(listener), ["app_event"]);
    bench.say(app.socket, app.event("x", json!("y".repeat(262_145 - empty))));
    closes_with(&bench, app.socket, Close::MESSAGE_TOO_BIG, "one byte over");
    let app = bench.resume(&app);
    bench.put(Input::SocketTooBig { socket: app.socket });
    closes_with(&bench, app.socket, Close::MESSAGE_TOO_BIG, "seen by the shell");
    assert_eq!(bench.state(&neighbour), "active");
}

/// BRG-CON-09
#[test]
fn two_missed_pongs_lose_the_socket() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.advance(14_999);
    assert_eq!(bench.pings.get(&app.socket), None);
    bench.advance(1);
    assert_eq!(bench.pings[&app.socket], 1);
    bench.put(Input::SocketPong { socket: app.socket });
    bench.advance(30_000);
    assert_eq!(bench.pings[&app.socket], 3);
    assert_eq!(bench.state(&app), "active");
    bench.advance(15_000);
    assert_eq!(bench.state(&app), "suspended");
    assert!(bench.dropped.contains(&app.socket));
    // Its late close changes nothing, and it can come back.
    bench.hang_up(app.socket);
    let app = bench.resume(&app);
    bench.advance_lively(600_000);
    assert_eq!(bench.state(&app), "active");
}

/// BRG-CON-09: sockets that never claimed are not pinged.
#[test]
fn pings_begin_with_the_session() {
    let mut bench = Bench::configured(|config| config.keepalive_interval_s = 5);
    bench.open();
    bench.advance(60_000);
    assert!(bench.pings.is_empty());
}

/// BRG-CON-11
#[test]
fn a_violation_concerns_nobody_else() {
    let mut bench = Bench::new();
    let bad = bench.app("bad");
    let good = bench.app("good");
    bench.register_tools(&good, &["t"]);
    let (id, call) = bench.call(&good, "t", json!({}));
    let listener = bench.listener(json!({"sessionSelector": good.id}));
    bench.say_text(bad.socket, "garbage");
    assert_eq!(bench.heard(listener), Vec::<serde_json::Value>::new());
    assert_eq!(bench.state(&good), "active");
    assert_eq!(bench.close_of(good.socket), None);
    bench.say(good.socket, good.result(&call, json!(1)));
    assert_eq!(bench.operator_answer(id).unwrap()["result"]["result"], 1);
}

/// BRG-CON-14
#[test]
fn shutdown_closes_everything() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let (call, _) = bench.call(&app, "t", json!({}));
    let unclaimed = bench.open();
    let id = bench.ask(bench.operator, "daemon.shutdown", json!({}));
    assert!(bench.operator_answer(id).unwrap().get("result").is_some());
    closes_with(&bench, app.socket, Close::DAEMON_SHUTDOWN, "app");
    closes_with(&bench, unclaimed, Close::DAEMON_SHUTDOWN, "unclaimed");
    assert_eq!(bench.failure(call), "session_suspended");
    assert!(bench.ended.contains(&bench.operator));
    assert!(bench.stopped);
    assert_eq!(bench.put(Input::SocketOpened { socket: SocketId(99) }), []);
    let mut bench = Bench::new();
    bench.put(Input::Shutdown);
    assert!(bench.stopped);
}

/// BRG-CON-15
#[test]
fn nothing_behind_a_violation_counts() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    let socket = bench.open();
    bench.put(Input::SocketBinary { socket });
    bench.say(socket, claim(&id, &token, "a"));
    assert_eq!(bench.last(socket), json!(null));
    let socket = bench.claim(&id, &token, "a");
    assert_eq!(bench.last(socket)["status"], "ok", "the link was not consumed");

    let app = bench.app("b");
    bench.say(app.socket, app.frame("nonsense", json!({})));
    bench.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": [tool("t")]})));
    assert_eq!(bench.tool_names(&app), Vec::<String>::new());
}

/// BRG-CON-16
#[test]
fn frames_are_judged_in_order() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.say(app.socket, json!({"type": "nonsense", "session_id": "other"}));
    closes_with(&bench, app.socket, Close::UNKNOWN_MESSAGE_TYPE, "type first");
    let app = bench.app("b");
    bench.say(app.socket, json!({"type": "tool_registry_snapshot", "session_id": "other"}));
    closes_with(&bench, app.socket, Close::SESSION_MISMATCH, "then session");

    for (fault, frame, close) in [
        ("con-session-judged-before-type", json!({"type": "nonsense", "session_id": "other"}), Close::SESSION_MISMATCH),
        (
            "con-rules-judged-before-session",
            json!({"type": "tool_registry_snapshot", "session_id": "other"}),
            Close::INVALID_REGISTRY,
        ),
    ] {
        let mut bench = Bench::bent(fault);
        let app = bench.app("a");
        bench.say(app.socket, frame);
        closes_with(&bench, app.socket, close, fault);
    }
}

/// BRG-CON-17
#[test]
fn unknown_keys_are_tolerated() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    let socket = bench.open();
    let mut first = claim(&id, &token, "a");
    first["x"] = json!({"y": [1]});
    bench.say(socket, first);
    assert_eq!(bench.last(socket)["status"], "ok");
    bench.say(
        socket,
        json!({
            "type": "tool_registry_snapshot", "session_id": id, "x": null,
            "tools": [{"name": "t", "description": "d", "x": 1}],
        }),
    );
    assert_eq!(bench.close_of(socket), None);
    let listed = bench.ok("tools.list", json!({}));
    assert_eq!(listed["tools"], json!([{"name": "t", "description": "d", "policy": "allow"}]));
}

/// BRG-CON-18
#[test]
fn what_would_be_too_long_is_refused_before_sending() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let (id, call) = bench.call(&app, "t", json!({"x": ""}));
    let overhead = bench.last(app.socket).to_string().len();
    bench.say(app.socket, app.result(&call, json!(null)));
    assert!(bench.operator_answer(id).is_some());

    let (id, call) = bench.call(&app, "t", json!({"x": "y".repeat(262_144 - overhead)}));
    assert_eq!(bench.operator_answer(id), None);
    assert_eq!(bench.last(app.socket).to_string().len(), 262_144);
    bench.say(app.socket, app.result(&call, json!(null)));

    let before = bench.sent(app.socket, "tool_call").len();
    let (id, _) = bench.call(&app, "t", json!({"x": "y".repeat(262_145 - overhead)}));
    assert_eq!(bench.failure(id), "invalid_request");
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let (id, _) = bench.call(&app, "t", json!({"x": deep}));
    assert_eq!(bench.failure(id), "invalid_request");
    assert_eq!(bench.sent(app.socket, "tool_call").len(), before);

    let long = bench.app(&"m".repeat(256));
    assert_eq!(long.alias.len(), 128);
    let second = bench.app(&"m".repeat(256));
    assert_eq!(second.alias.len(), 128);
    assert!(second.alias.ends_with("m-2"));
}

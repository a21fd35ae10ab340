//! Suspension, return, replacement, ends (`BRG-SES-07` … `BRG-SES-10`, `-15`, `-16`).

use super::bench::{Bench, resume};
use crate::core::io::Input;
use iolite_protocol::close::Close;
use serde_json::json;

/// BRG-SES-07
#[test]
fn a_lost_socket_suspends_and_keeps_everything() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    bench.register_resources(&app, &["r"]);
    let listener = bench.listener(json!({}));
    bench.advance(1_000);
    bench.hang_up(app.socket);
    let listed = bench.ok("sessions.list", json!({}));
    let session = &listed["sessions"][0];
    assert_eq!(session["state"], "suspended");
    assert_eq!(session["alias"], "a");
    assert_eq!(session["suspendedAt"], "2026-07-28T09:30:01.250Z");
    assert_eq!(session["device"]["model"], "a");
    assert_eq!((&session["toolCount"], &session["resourceCount"]), (&json!(1), &json!(1)));
    assert_eq!(bench.tool_names(&app), ["t"]);
    assert_eq!(bench.resource_names(&app), ["r"]);
    assert_eq!(bench.heard_kinds(listener), ["session_suspended"]);
}

/// BRG-SES-08
#[test]
fn grace_is_exact() {
    let mut bench = Bench::new();
    let back = bench.app("back");
    let gone = bench.app("gone");
    bench.hang_up(back.socket);
    bench.hang_up(gone.socket);
    let listener = bench.listener(json!({}));
    bench.advance(59_999);
    let back = bench.resume(&back);
    assert_eq!((bench.state(&back).as_str(), back.alias.as_str()), ("active", "back"));
    let listed = bench.ok("sessions.describe", json!({"selector": back.id}));
    assert_eq!(listed.get("suspendedAt"), None);
    bench.advance(1);
    assert_eq!(bench.heard_kinds(listener), ["session_resumed", "session_expired"]);
    let socket = bench.open();
    bench.say(socket, resume(&gone.id, &gone.resume_token));
    assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));
    assert_eq!(bench.app("gone").alias, "gone");
    // The grace of an earlier suspension is forgotten.
    bench.advance_lively(120_000);
    assert_eq!(bench.state(&back), "active");
}

/// BRG-SES-09, BRG-SES-15
#[test]
fn a_resume_replaces_the_old_socket_which_is_powerless() {
    let mut bench = Bench::new();
    let old = bench.app("a");
    bench.register_tools(&old, &["t"]);
    let (pending, call) = bench.call(&old, "t", json!({}));
    let listener = bench.listener(json!({"sessionSelector": old.id}));
    let new = bench.resume(&old);
    assert_eq!(bench.close_of(old.socket), Some(Close::SESSION_REPLACED));
    assert_eq!(bench.failure(pending), "session_suspended");
    let (id, fresh) = bench.call(&new, "t", json!({}));
    assert_ne!(call, fresh);
    // Everything the old socket still says is ignored.
    bench.say(old.socket, old.frame("tool_registry_snapshot", json!({"tools": []})));
    bench.say(old.socket, old.event("late", json!(1)));
    bench.say(old.socket, old.result(&fresh, json!("forged")));
    bench.say_text(old.socket, "garbage");
    bench.put(Input::SocketBinary { socket: old.socket });
    bench.hang_up(old.socket);
    assert_eq!(bench.state(&new), "active");
    assert_eq!(bench.tool_names(&new), ["t"]);
    assert_eq!(bench.operator_answer(id), None);
    bench.say(new.socket, new.result(&fresh, json!("true")));
    assert_eq!(bench.operator_answer(id).unwrap()["result"]["result"], "true");
    let kinds = bench.heard_kinds(listener);
    assert!(!kinds.contains(&"app_event".to_owned()), "{kinds:?}");
    assert!(!kinds.contains(&"session_suspended".to_owned()), "{kinds:?}");
}

/// BRG-SES-10
#[test]
fn revoke_ends_a_session() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    let suspended = bench.app("b");
    bench.hang_up(suspended.socket);
    let listener = bench.listener(json!({}));
    for victim in [&app, &suspended] {
        let answer = bench.ok("sessions.revoke", json!({"selector": victim.alias}));
        assert_eq!(answer["sessionId"], victim.id);
        assert_eq!(bench.state(victim), "gone");
        let socket = bench.open();
        bench.say(socket, resume(&victim.id, &victim.resume_token));
        assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));
        let socket = bench.claim(&victim.id, &victim.token, "a");
        assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));
    }
    assert_eq!(bench.close_of(app.socket), Some(Close::REVOKED));
    assert_eq!(bench.heard_kinds(listener), ["session_revoked", "session_revoked"]);
    assert_eq!(bench.app("a").alias, "a");
    // Frames behind the revoke are ignored.
    bench.say(app.socket, app.event("late", json!(1)));
    assert_eq!(bench.error_type("sessions.revoke", json!({"selector": "nobody"})), "unknown_session");
}

/// BRG-SES-16
#[test]
fn a_violation_suspends_at_once() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    bench.register_resources(&app, &["r"]);
    let (call, _) = bench.call(&app, "t", json!({}));
    let (read, _) = bench.read(&app, "r");
    bench.say_text(app.socket, "garbage");
    // The peer has not closed yet.
    assert_eq!(bench.state(&app), "suspended");
    assert_eq!(bench.failure(call), "session_suspended");
    assert_eq!(bench.failure(read), "session_suspended");
    let app = bench.resume(&app);
    assert_eq!(bench.state(&app), "active");
    assert_eq!(bench.tool_names(&app), ["t"]);
}

/// BRG-SES-07: a session suspended twice has the grace of the second time.
#[test]
fn grace_begins_anew() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.hang_up(app.socket);
    bench.advance(50_000);
    let app = bench.resume(&app);
    bench.hang_up(app.socket);
    bench.advance(59_999);
    assert_eq!(bench.state(&app), "suspended");
    bench.advance(1);
    assert_eq!(bench.state(&app), "gone");
}

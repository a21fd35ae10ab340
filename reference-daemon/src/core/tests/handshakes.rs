//! Claims, resumes, aliases (`BRG-SES-…`).

use super::bench::{Bench, claim, resume};
use iolite_protocol::close::Close;
use serde_json::json;

/// BRG-SES-01
#[test]
fn a_right_claim_is_acked_and_listed() {
    let mut bench = Bench::configured(|config| {
        config.grace_s = 33;
        config.keepalive_interval_s = 11;
    });
    let (id, token) = bench.link();
    bench.advance(1_500);
    let listener = bench.listener(json!({}));
    let socket = bench.claim(&id, &token, "Pixel 8");
    let ack = bench.last(socket);
    assert_eq!(
        ack,
        json!({
            "type": "session_ack", "session_id": id, "status": "ok", "alias": "pixel-8",
            "resume_token": ack["resume_token"], "keepalive_interval_s": 11, "grace_s": 33,
        })
    );
    assert_eq!(
        bench.ok("sessions.list", json!({})),
        json!({"sessions": [{
            "sessionId": id, "alias": "pixel-8", "state": "active",
            "device": {"manufacturer": "Acme", "model": "Pixel 8", "os": "os 1"},
            "createdAt": "2026-07-28T09:30:00.250Z", "claimedAt": "2026-07-28T09:30:01.750Z",
            "toolCount": 0, "resourceCount": 0,
        }]})
    );
    assert_eq!(bench.heard_kinds(listener), ["session_claimed"]);
    assert_eq!(bench.ok("sessions.describe", json!({}))["sessionId"], json!(id));
}

/// BRG-SES-02
#[test]
fn claims_are_judged_field_by_field() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    for (key, value) in [
        ("protocol_version", json!(1)),
        ("protocol_version", json!("2")),
        ("session_id", json!("")),
        ("session_id", json!("x".repeat(129))),
        ("session_id", json!(null)),
        ("token", json!("")),
        ("token", json!("x".repeat(129))),
        ("token", json!(7)),
        ("device_model", json!(7)),
        ("device_os", json!("x".repeat(257))),
        ("device_manufacturer", json!(null)),
    ] {
        let mut frame = claim(&id, &token, "a");
        frame[key] = value.clone();
        let socket = bench.open();
        bench.say(socket, frame);
        assert_eq!(bench.close_of(socket), Some(Close::EXPECTED_CLAIM_OR_RESUME), "{key} {value}");
    }
    for key in ["protocol_version", "session_id", "token"] {
        let mut frame = claim(&id, &token, "a");
        frame.as_object_mut().unwrap().remove(key);
        let socket = bench.open();
        bench.say(socket, frame);
        assert_eq!(bench.close_of(socket), Some(Close::EXPECTED_CLAIM_OR_RESUME), "{key}");
    }
    // None of these was a failed attempt.
    let mut frame = claim(&id, &token, &"x".repeat(256));
    frame.as_object_mut().unwrap().remove("device_os");
    let socket = bench.open();
    bench.say(socket, frame);
    assert_eq!(bench.last(socket)["status"], "ok");
    let socket = bench.open();
    bench.say(socket, claim(&"x".repeat(128), &"x".repeat(128), "a"));
    assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));
}

/// BRG-SES-03
#[test]
fn five_wrong_tokens_kill_the_link() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    for attempt in 1..=5 {
        let socket = bench.claim(&id, "wrong", "a");
        let expected = match attempt {
            5 => Close::CLAIM_ATTEMPTS_EXCEEDED,
            _ => Close::INVALID_TOKEN,
        };
        assert_eq!(bench.close_of(socket), Some(expected), "attempt {attempt}");
    }
    let socket = bench.claim(&id, &token, "a");
    assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));

    let (id, token) = bench.link();
    for _ in 1..=4 {
        bench.claim(&id, "wrong", "a");
    }
    let socket = bench.claim(&id, &token, "a");
    assert_eq!(bench.last(socket)["status"], "ok");
}

/// BRG-SES-04, BRG-SES-14, BRG-SES-17
#[test]
fn a_token_works_once() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    for token in [app.token.as_str(), "wrong"] {
        let socket = bench.claim(&app.id, token, "a");
        assert_eq!(bench.close_of(socket), Some(Close::ALREADY_CLAIMED));
    }
    bench.hang_up(app.socket);
    assert_eq!(bench.state(&app), "suspended");
    let socket = bench.claim(&app.id, &app.token, "a");
    assert_eq!(bench.close_of(socket), Some(Close::ALREADY_CLAIMED));
    assert_eq!(bench.state(&app), "suspended");
    let socket = bench.claim("nobody", "x", "a");
    assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));
}

/// BRG-SES-05
#[test]
fn aliases_are_unique_and_freed_by_the_end() {
    let mut bench = Bench::new();
    let first = bench.app("Pixel 8");
    let second = bench.app("Pixel 8");
    let third = bench.app("pixel-8");
    assert_eq!([&first.alias, &second.alias, &third.alias], ["pixel-8", "pixel-8-2", "pixel-8-3"]);
    bench.hang_up(first.socket);
    assert_eq!(bench.app("Pixel 8").alias, "pixel-8-4", "kept while suspended");
    bench.ok("sessions.revoke", json!({"selector": second.id}));
    assert_eq!(bench.app("Pixel 8").alias, "pixel-8-2", "freed by revoke");
    bench.advance_lively(60_000);
    assert_eq!(bench.state(&first), "gone");
    assert_eq!(bench.app("Pixel 8").alias, "pixel-8", "freed by expiry");
    assert_eq!(bench.app("日本").alias, "device");
    assert_eq!(bench.app("").alias, "device-2");
}

/// BRG-SES-06
#[test]
fn every_resume_rotates_the_token() {
    let mut bench = Bench::new();
    let first = bench.app("a");
    bench.hang_up(first.socket);
    let second = bench.resume(&first);
    assert_ne!(first.resume_token, second.resume_token);
    assert_eq!((&first.id, &first.alias), (&second.id, &second.alias));
    for token in [first.resume_token.as_str(), first.token.as_str(), "wrong"] {
        let socket = bench.open();
        bench.say(socket, resume(&first.id, token));
        assert_eq!(bench.close_of(socket), Some(Close::INVALID_RESUME_TOKEN));
    }
    assert_eq!(bench.state(&second), "active", "wrong tokens disturb nobody");
    assert_eq!(bench.close_of(second.socket), None);
    let third = bench.resume(&second);
    assert_ne!(second.resume_token, third.resume_token);
}

/// BRG-SES-08, BRG-SES-13, BRG-SES-17
#[test]
fn only_live_sessions_resume() {
    let mut bench = Bench::new();
    let (pending, _) = bench.link();
    for id in ["nobody", pending.as_str()] {
        let socket = bench.open();
        bench.say(socket, resume(id, "x"));
        assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION), "{id}");
    }
}

/// BRG-SES-11
#[test]
fn there_is_no_cap_on_sessions() {
    let mut bench = Bench::new();
    for _ in 0..300 {
        bench.app("many");
    }
    let listed = bench.ok("sessions.list", json!({}));
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 300);
    assert_eq!(listed["sessions"][299]["alias"], "many-300");
}

/// BRG-SES-12
#[test]
fn tokens_stay_between_app_and_daemon() {
    let mut bench = Bench::new();
    let listener = bench.listener(json!({}));
    let first = bench.app("a");
    bench.register_tools(&first, &["t"]);
    bench.call(&first, "t", json!({}));
    bench.hang_up(first.socket);
    let second = bench.resume(&first);
    bench.ok("sessions.list", json!({}));
    bench.ok("sessions.describe", json!({}));
    bench.ok("daemon.status", json!({}));
    bench.ok("events.since", json!({}));
    let mut said: Vec<String> = bench.heard(listener).iter().map(ToString::to_string).collect();
    said.extend(bench.lines[&bench.operator].iter().map(ToString::to_string));
    said.extend(bench.log.iter().cloned());
    said.extend(bench.audit.iter().map(|record| record.to_line()));
    for secret in [&first.token, &first.resume_token, &second.resume_token] {
        assert!(said.iter().all(|line| !line.contains(secret)));
    }
}

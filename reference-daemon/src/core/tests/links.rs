//! Bootstrap links (`BRG-LNK-…`).

use super::bench::{Bench, text};
use iolite_protocol::bootstrap::Link;
use iolite_protocol::close::Close;
use serde_json::{Value, json};
use std::collections::HashSet;

fn decoded(created: &Value) -> Link {
    Link::decode(created["deepLinkPayload"].as_str().unwrap()).unwrap()
}

/// BRG-LNK-01
#[test]
fn the_payload_says_what_the_answer_says() {
    let mut bench = Bench::new();
    let created = bench.ok("link.create", json!({}));
    let link = decoded(&created);
    assert_eq!(created["sessionId"], link.session_id());
    assert_eq!(created["endpoint"], json!({"family": "ipv4", "address": "127.0.0.1", "port": 7443}));
    assert_eq!(link.endpoint().address().to_string(), "127.0.0.1");
    assert_eq!(link.endpoint().port(), 7443);
    assert_eq!(created["expiresAt"], "2026-07-28T09:35:00.000Z");
    assert_eq!(link.expires_at(), 1_785_231_300);
    assert!(text(&created["pin"]).starts_with("sha256/"));
    let members: Vec<_> = created.as_object().unwrap().keys().collect();
    assert_eq!(members, ["sessionId", "deepLinkPayload", "endpoint", "expiresAt", "pin"]);
}

/// BRG-LNK-02
#[test]
fn no_two_links_share_id_or_token() {
    let mut bench = Bench::new();
    let mut seen = HashSet::new();
    for _ in 0..50 {
        let (id, token) = bench.link();
        assert_eq!((id.len(), token.len()), (16, 43));
        assert!(seen.insert(id) && seen.insert(token));
    }
}

/// BRG-LNK-03
#[test]
fn ttl_and_address_are_obeyed() {
    let mut bench = Bench::configured(|config| config.link_ttl_s = 42);
    let plain = decoded(&bench.ok("link.create", json!({})));
    assert_eq!(plain.expires_at(), 1_785_231_042);
    let asked = bench.ok("link.create", json!({"ttlSeconds": 7, "addressOverride": "::1"}));
    let link = decoded(&asked);
    assert_eq!(link.expires_at(), 1_785_231_007);
    assert_eq!(link.endpoint().address().to_string(), "::1");
    assert_eq!(asked["endpoint"]["family"], "ipv6");
    for params in [
        json!({"ttlSeconds": 0}),
        json!({"ttlSeconds": -1}),
        json!({"ttlSeconds": 1.5}),
        json!({"ttlSeconds": "60"}),
        json!({"ttlSeconds": null}),
        json!({"addressOverride": "localhost"}),
        json!({"addressOverride": 7}),
    ] {
        assert_eq!(bench.error_type("link.create", params.clone()), "invalid_request", "{params}");
    }
    // Nothing overflows.
    bench.ok("link.create", json!({"ttlSeconds": u64::MAX}));
}

/// BRG-LNK-04
#[test]
fn the_pin_is_one_of_the_pinned_keys() {
    let mut bench = Bench::new();
    let created = bench.ok("link.create", json!({}));
    let status = bench.ok("daemon.status", json!({}));
    assert_eq!(status["pinnedKeys"], json!([created["pin"]]));
    assert_eq!(status["sessions"]["pending"], 1);
}

/// BRG-SES-04
#[test]
fn a_link_lives_to_its_last_millisecond() {
    let mut bench = Bench::new();
    let (early, early_token) = bench.link();
    let (late, late_token) = bench.link();
    bench.advance(299_999);
    let socket = bench.claim(&early, &early_token, "a");
    assert_eq!(bench.last(socket)["status"], "ok");
    bench.advance(1);
    let socket = bench.claim(&late, &late_token, "b");
    assert_eq!(bench.close_of(socket), Some(Close::LINK_EXPIRED));
}

/// BRG-SES-04: also when the shell is late with the timer.
#[test]
fn expiry_needs_no_timer() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    bench.now = bench.now.plus(300_000);
    let socket = bench.claim(&id, &token, "b");
    assert_eq!(bench.close_of(socket), Some(Close::LINK_EXPIRED));
    assert!(bench.timers.keys().all(|timer| !matches!(timer, crate::core::io::Timer::LinkExpiry(_))));
}

/// BRG-SES-17
#[test]
fn expiry_is_told_once() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    let listener = bench.listener(json!({"kinds": ["link_expired"]}));
    bench.advance(300_000);
    let heard = bench.heard(listener);
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0]["sessionId"], id);
    for expected in [Close::LINK_EXPIRED, Close::UNKNOWN_SESSION, Close::UNKNOWN_SESSION] {
        let socket = bench.claim(&id, &token, "b");
        assert_eq!(bench.close_of(socket), Some(expected));
    }
}

/// BRG-SES-10
#[test]
fn a_pending_link_can_be_revoked() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    bench.ok("sessions.revoke", json!({"selector": id}));
    let socket = bench.claim(&id, &token, "b");
    assert_eq!(bench.close_of(socket), Some(Close::UNKNOWN_SESSION));
    assert_eq!(bench.error_type("sessions.revoke", json!({"selector": id})), "unknown_session");
}

/// BRG-SES-12
#[test]
fn the_token_stands_in_the_payload_only() {
    let mut bench = Bench::new();
    let listener = bench.listener(json!({}));
    let (_, token) = bench.link();
    assert!(bench.heard(listener).iter().all(|event| !event.to_string().contains(&token)));
    assert!(bench.log.iter().all(|line| !line.contains(&token)));
}

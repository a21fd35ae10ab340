//! Policy and audit (`BRG-POL-…`, `BRG-AUD-…`).

use super::bench::{App, Bench};
use crate::core::audit::Outcome;
use crate::core::io::Input;
use serde_json::{Value, json};

fn phone(policy: Value) -> (Bench, App) {
    let mut bench = Bench::configured(|config| {
        config.policy = serde_json::from_value(policy).unwrap();
    });
    let app = bench.app("phone");
    let tools = json!([
        {"name": "t", "description": "d"},
        {"name": "wipe", "description": "d", "annotations": {"destructiveHint": true}},
    ]);
    bench.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": tools})));
    bench.register_resources(&app, &["x"]);
    (bench, app)
}

/// BRG-POL-01
#[test]
fn denied_calls_are_not_sent() {
    let (mut bench, app) = phone(json!({
        "default": "deny", "destructive": "prompt", "tools": {"phone/u": "allow"},
    }));
    let answer = bench.rpc("tools.call", json!({"name": "t"}));
    assert_eq!(answer["error"]["data"]["type"], "policy_denied");
    let answer = bench.rpc("tools.call", json!({"name": "wipe"}));
    assert_eq!(answer["error"]["data"]["type"], "policy_denied");
    assert_eq!(answer["error"]["data"]["reason"], "no_consent_channel");
    assert_eq!(bench.error_type("tools.call", json!({"name": "nope"})), "tool_not_found");
    assert!(bench.sent(app.socket, "tool_call").is_empty());
    let listed = bench.ok("tools.list", json!({}));
    assert_eq!((&listed["tools"][0]["policy"], &listed["tools"][1]["policy"]), (&json!("deny"), &json!("prompt")));
    bench.hang_up(app.socket);
    assert_eq!(
        bench.error_type("tools.call", json!({"name": "t"})),
        "session_suspended",
        "state is judged before policy"
    );
}

/// BRG-POL-01
#[test]
fn overrides_name_alias_and_tool() {
    let (mut bench, app) = phone(json!({
        "default": "deny", "tools": {"phone/t": "allow", "tablet/wipe": "allow", "phone/wipe": "deny"},
    }));
    let (id, _) = bench.call(&app, "t", json!({}));
    assert_eq!(bench.operator_answer(id), None);
    assert_eq!(bench.error_type("tools.call", json!({"name": "wipe"})), "policy_denied");
}

/// BRG-POL-02, BRG-POL-03, BRG-POL-04
#[test]
fn reads_have_a_rule_of_their_own() {
    for policy in [json!({"default": "deny", "destructive": "deny"}), json!({"resources": "allow"})] {
        let (mut bench, app) = phone(policy);
        let (id, _) = bench.read(&app, "x");
        assert_eq!(bench.operator_answer(id), None, "it was sent");
        assert_eq!(bench.ok("resources.list", json!({}))["resources"][0]["policy"], "allow");
    }
    let (mut bench, app) = phone(json!({"resources": "deny"}));
    for caller in ["rpc", "cli", "mcp", "mcp-fallback"] {
        let params = json!({"name": "x", "caller": caller});
        assert_eq!(bench.error_type("resources.read", params), "policy_denied");
    }
    assert_eq!(bench.ok("resources.list", json!({}))["resources"][0]["policy"], "deny");
    assert!(bench.sent(app.socket, "resource_read").is_empty());
    assert_eq!(bench.audit.len(), 4);
    let (mut bench, _) = phone(json!({"resources": "prompt"}));
    assert_eq!(bench.error_type("resources.read", json!({"name": "x"})), "policy_denied");
}

/// BRG-AUD-01
#[test]
fn a_call_is_recorded_when_it_ends() {
    let (mut bench, app) = phone(json!({}));
    let params = json!({"name": "t", "args": {"b": 1, "a": "secret"}, "caller": "tests"});
    bench.ask(bench.operator, "tools.call", params);
    let call = bench.last(app.socket)["id"].as_str().unwrap().to_owned();
    assert!(bench.audit.is_empty());
    bench.advance(1_234);
    bench.say(app.socket, app.result(&call, json!("confidential")));
    let line = bench.audit[0].to_line();
    assert_eq!(bench.audit[0].utc_date(), "2026-07-28");
    assert_eq!(
        serde_json::from_str::<Value>(&line).unwrap(),
        json!({
            "ts": "2026-07-28T09:30:01.484Z", "sessionId": app.id, "alias": "phone", "tool": "t",
            "argsSha256": bench.audit[0].args_sha256, "outcome": "ok", "durationMs": 1_234, "caller": "tests",
        })
    );
    assert_eq!(bench.audit[0].args_sha256.as_ref().unwrap().len(), 64);
    // BRG-AUD-03
    assert!(!line.contains("secret") && !line.contains("confidential"));
}

/// BRG-AUD-01: the hash is that of the arguments' JSON text.
#[test]
fn the_hash_can_be_recomputed() {
    let (mut bench, _) = phone(json!({"default": "deny"}));
    bench.rpc("tools.call", json!({"name": "t"}));
    assert_eq!(
        bench.audit[0].args_sha256.as_deref(),
        // printf '{}' | sha256sum
        Some("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    );
}

/// BRG-AUD-02
#[test]
fn a_read_is_recorded_as_a_resource() {
    let (mut bench, app) = phone(json!({}));
    let (_, read) = bench.read(&app, "x");
    bench.say(app.socket, app.contents(&read, json!([{"text": "secret"}])));
    let line = bench.audit[0].to_line();
    assert_eq!(
        serde_json::from_str::<Value>(&line).unwrap(),
        json!({
            "ts": "2026-07-28T09:30:00.250Z", "sessionId": app.id, "alias": "phone", "resource": "x",
            "outcome": "ok", "durationMs": 0, "caller": "rpc",
        })
    );
    assert!(!line.contains("secret"));
}

/// BRG-AUD-04
#[test]
fn whatever_happens_is_recorded_once() {
    let (mut bench, app) = phone(json!({"tools": {"phone/wipe": "deny"}}));
    let error = |kind: &str| json!({"type": kind, "message": "m"});
    let (_, call) = bench.call(&app, "t", json!({}));
    bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error("tool_execution_error")})));
    let (_, call) = bench.call(&app, "t", json!({}));
    bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error("tool_cancelled")})));
    let (_, read) = bench.read(&app, "x");
    bench.say(app.socket, app.frame("resource_error", json!({"id": read, "error": error("tool_execution_error")})));
    bench.rpc("tools.call", json!({"name": "wipe"}));
    bench.rpc("tools.call", json!({"name": "nope"}));
    bench.rpc("resources.read", json!({"name": "nope"}));
    bench.call(&app, "t", json!({}));
    bench.read(&app, "x");
    bench.advance(10_000);
    bench.call(&app, "t", json!({}));
    bench.hang_up(app.socket);
    bench.rpc("tools.call", json!({"name": "t"}));
    bench.rpc("resources.read", json!({"name": "x"}));
    let app = bench.resume(&app);
    bench.read(&app, "x");
    bench.ok("sessions.revoke", json!({}));
    let recorded: Vec<(Outcome, &str)> =
        bench.audit.iter().map(|record| (record.outcome, record.error_type.as_deref().unwrap_or(""))).collect();
    assert_eq!(
        recorded,
        [
            (Outcome::Error, "tool_execution_error"),
            (Outcome::Cancelled, "tool_cancelled"),
            (Outcome::Error, "tool_execution_error"),
            (Outcome::Denied, "policy_denied"),
            (Outcome::Error, "tool_not_found"),
            (Outcome::Error, "tool_not_found"),
            (Outcome::Error, "tool_timeout"),
            (Outcome::Error, "tool_timeout"),
            (Outcome::Error, "session_suspended"),
            (Outcome::Error, "session_suspended"),
            (Outcome::Error, "session_suspended"),
            (Outcome::Error, "unknown_session"),
        ]
    );
}

/// BRG-AUD-01: what names no live session is not recorded.
#[test]
fn nothing_is_recorded_without_a_session() {
    let mut bench = Bench::new();
    bench.rpc("tools.call", json!({"name": "t"}));
    let (mut other, _) = phone(json!({}));
    other.rpc("tools.call", json!({"name": "t", "selector": "nobody"}));
    other.rpc("tools.call", json!({"name": 7}));
    other.put(Input::Shutdown);
    assert!(bench.audit.is_empty() && other.audit.is_empty());
}

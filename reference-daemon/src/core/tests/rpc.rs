//! The control RPC (`BRG-RPC-…`).

use super::bench::{Bench, text};
use crate::core::io::Input;
use serde_json::{Value, json};

/// BRG-RPC-01
#[test]
fn selectors_choose_one_session() {
    let mut bench = Bench::new();
    assert_eq!(bench.error_type("tools.list", json!({})), "no_session");
    let phone = bench.app("Phone");
    assert_eq!(bench.ok("sessions.describe", json!({}))["alias"], "phone");
    bench.hang_up(phone.socket);
    assert_eq!(bench.ok("sessions.describe", json!({}))["alias"], "phone", "suspended is live");
    let tablet = bench.app("Tablet");
    let answer = bench.rpc("tools.list", json!({}));
    assert_eq!(answer["error"]["data"]["type"], "ambiguous_session");
    let message = text(&answer["error"]["message"]);
    assert!(message.contains("phone") && message.contains("tablet"), "{message}");
    for (selector, id) in [(phone.id.as_str(), &phone.id), ("phone", &phone.id), ("tablet", &tablet.id)] {
        let described = bench.ok("sessions.describe", json!({"selector": selector}));
        assert_eq!(described["sessionId"], *id);
    }
    for selector in ["Phone", "phon", "phone ", "", "nobody"] {
        let params = json!({"selector": selector});
        assert_eq!(bench.error_type("tools.list", params), "unknown_session", "{selector}");
    }
}

/// BRG-RPC-08
#[test]
fn garbage_gets_the_right_error_and_the_connection_lives() {
    let mut bench = Bench::new();
    let operator = bench.connect();
    for (line, code) in [
        ("{", -32700),
        ("nonsense", -32700),
        ("\u{1}", -32700),
        ("[]", -32600),
        ("7", -32600),
        ("null", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"daemon.status"}"#, -32600),
    ] {
        bench.line(operator, line);
        let last = bench.lines[&operator].last().unwrap().clone();
        assert_eq!(last["error"]["code"], code, "{line}");
        assert!(last.get("id").is_some(), "{line}");
    }
    bench.put(Input::RpcLine { connection: operator, line: vec![0xff, 0xfe] });
    assert_eq!(bench.lines[&operator].last().unwrap()["error"]["code"], -32700);
    let id = bench.ask(operator, "daemon.status", json!({}));
    assert!(bench.answer(operator, id).is_some());
    assert_eq!(bench.lines[&operator].len(), 12);
}

/// BRG-RPC-08
#[test]
fn a_long_line_ends_its_own_connection() {
    let mut bench = Bench::new();
    let long = bench.connect();
    let base = r#"{"jsonrpc":"2.0","id":1,"method":"daemon.status","params":{"x":""}}"#;
    let fits = base.replace("\"\"}}", &format!("\"{}\"}}}}", "y".repeat((1 << 20) - base.len())));
    assert_eq!(fits.len(), 1 << 20);
    bench.line(long, &fits);
    assert_eq!(bench.lines[&long].len(), 1);
    bench.line(long, &format!("{fits} "));
    assert!(bench.ended.contains(&long));
    bench.line(long, base);
    assert_eq!(bench.lines[&long].len(), 1, "nothing behind it counts");
    let other = bench.connect();
    bench.put(Input::RpcLineTooLong { connection: other });
    assert!(bench.ended.contains(&other));
    bench.ok("daemon.status", json!({}));
}

/// BRG-RPC-09
#[test]
fn answers_carry_their_own_id_in_any_order() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let operator = bench.connect();
    let ids = [json!("1"), json!(1), json!(0), json!(-7), json!("ü\"{"), json!(1.5), json!(null)];
    let mut calls = Vec::new();
    for id in &ids {
        let request = json!({
            "jsonrpc": "2.0", "id": id, "method": "tools.call", "params": {"name": "t", "args": {"id": id}},
        });
        bench.line(operator, &request.to_string());
        calls.push(text(&bench.last(app.socket)["id"]));
    }
    let quick = bench.ask(operator, "daemon.status", json!({}));
    assert_eq!(bench.lines[&operator].len(), 1, "slow requests hold up nobody");
    assert!(bench.answer(operator, quick).is_some());
    for (call, id) in calls.iter().zip(&ids).rev() {
        bench.say(app.socket, app.result(call, id.clone()));
    }
    let answers = bench.lines[&operator][1..].to_vec();
    assert_eq!(answers.len(), ids.len());
    for (answer, id) in answers.iter().zip(ids.iter().rev()) {
        assert_eq!((&answer["id"], &answer["result"]["result"]), (id, id));
    }
}

/// BRG-RPC-11
#[test]
fn unknown_methods_and_wrong_shapes_are_told() {
    let mut bench = Bench::new();
    bench.app("a");
    for method in ["", "tools", "Tools.list", "rpc.discover", "__proto__", "resources.subscribe"] {
        let answer = bench.rpc(method, json!({}));
        assert_eq!(answer["error"]["code"], -32601, "{method}");
    }
    for (method, params, parameter) in [
        ("tools.list", json!({"selector": null}), "selector"),
        ("tools.list", json!({"selector": 7}), "selector"),
        ("tools.list", json!([]), "params"),
        ("sessions.revoke", json!({"selector": []}), "selector"),
        ("resources.read", json!({"name": 7}), "name"),
        ("resources.read", json!({}), "name"),
        ("resources.read", json!({"name": "x", "timeoutMs": "1"}), "timeoutMs"),
        ("tools.call", json!({"name": "x", "caller": 7}), "caller"),
        ("tools.cancel", json!({}), "callId"),
        ("events.subscribe", json!({"kinds": "x"}), "kinds"),
        ("events.since", json!({"since": -1}), "since"),
        ("events.since", json!({"limit": 0}), "limit"),
    ] {
        let answer = bench.rpc(method, params.clone());
        assert_eq!(answer["error"]["code"], -32000, "{method} {params}");
        assert_eq!(answer["error"]["data"]["type"], "invalid_request", "{method} {params}");
        assert!(text(&answer["error"]["message"]).contains(parameter), "{method} {params}");
    }
}

/// BRG-RPC-12
#[test]
fn notifications_get_no_answer() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let operator = bench.connect();
    for (method, params) in [
        ("daemon.status", json!({})),
        ("no.such.method", json!({})),
        ("tools.call", json!({"name": 7})),
        ("tools.call", json!({"name": "t"})),
    ] {
        let line = json!({"jsonrpc": "2.0", "method": method, "params": params});
        bench.line(operator, &line.to_string());
    }
    let call = text(&bench.last(app.socket)["id"]);
    bench.say(app.socket, app.result(&call, json!(1)));
    assert_eq!(bench.lines.get(&operator), None);
}

/// BRG-RPC-13
#[test]
fn sessions_are_listed_in_claim_order_without_pending_links() {
    let mut bench = Bench::new();
    let (late, late_token) = bench.link();
    let first = bench.app("z");
    let second = bench.app("a");
    bench.link();
    bench.claim(&late, &late_token, "m");
    bench.hang_up(first.socket);
    let first = bench.resume(&first);
    let listed = bench.ok("sessions.list", json!({}));
    let ids: Vec<&Value> = listed["sessions"].as_array().unwrap().iter().map(|session| &session["sessionId"]).collect();
    assert_eq!(ids, [&json!(first.id), &json!(second.id), &json!(late)]);
}

#[test]
fn status_counts() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.app("b");
    bench.link();
    bench.hang_up(app.socket);
    bench.advance(1_000);
    let status = bench.ok("daemon.status", json!({}));
    assert_eq!(status["sessions"], json!({"active": 1, "suspended": 1, "pending": 1}));
    assert_eq!(status["uptimeMs"], 1_000);
    assert_eq!(status["startedAt"], "2026-07-28T09:30:00.250Z");
    assert!(status["version"].is_string() && status["pid"].is_u64());
}

#[test]
fn what_a_gone_connection_says_is_ignored() {
    let mut bench = Bench::new();
    let operator = bench.connect();
    bench.put(Input::RpcClosed { connection: operator });
    bench.ask(operator, "link.create", json!({}));
    assert_eq!(bench.lines.get(&operator), None);
    assert_eq!(bench.ok("daemon.status", json!({}))["sessions"]["pending"], 0);
}

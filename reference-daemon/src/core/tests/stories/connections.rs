//! Links, sockets, sessions.

use crate::core::io::Input;
use crate::core::tests::bench::{App, Bench, claim, resume};
use serde_json::json;

pub(in crate::core::tests) fn links(bench: &mut Bench) {
    for params in [
        json!({}),
        json!({"ttlSeconds": 5}),
        json!({"addressOverride": "10.0.0.1"}),
        json!({"ttlSeconds": 0}),
        json!({"addressOverride": "x"}),
    ] {
        bench.rpc("link.create", params);
    }
    bench.rpc("daemon.status", json!({}));
    let (id, token) = bench.link();
    let (doomed, _) = bench.link();
    bench.rpc("sessions.revoke", json!({"selector": doomed}));
    bench.advance(301_000);
    for _ in 0..2 {
        bench.claim(&id, &token, "late");
    }
}

pub(in crate::core::tests) fn first_frames(bench: &mut Bench) {
    let socket = bench.open();
    bench.put(Input::SocketBinary { socket });
    let (id, token) = bench.link();
    bench.say(socket, claim(&id, &token, "behind"));
    for first in ["{", "[]", "{}", r#"{"type":"event","type":"event"}"#] {
        let socket = bench.open();
        bench.say_text(socket, first);
    }
    let socket = bench.open();
    bench.put(Input::SocketInvalidUtf8 { socket });
    let (id, token) = bench.link();
    for (key, value) in [
        ("protocol_version", json!(1)),
        ("device_model", json!(7)),
        ("device_model", json!("x".repeat(257))),
        ("token", json!("x".repeat(128))),
        ("token", json!("x".repeat(129))),
        ("session_id", json!("x".repeat(128))),
        ("session_id", json!("x".repeat(129))),
    ] {
        let mut frame = claim(&id, &token, "a");
        frame[key] = value;
        let socket = bench.open();
        bench.say(socket, frame);
    }
    let (id, token) = bench.link();
    bench.claim(&id, &token, &"x".repeat(256));
    let (id, token) = bench.link();
    let socket = bench.open();
    bench.advance(4_000);
    bench.open();
    bench.advance(5_999);
    bench.say(socket, claim(&id, &token, "in time"));
    bench.advance(6_000);
}

pub(in crate::core::tests) fn frames(bench: &mut Bench) {
    let other = bench.app("other");
    let broken: [fn(&App, &App) -> String; 12] = [
        |_, _| "{".to_owned(),
        |app, _| app.frame("nonsense", json!({})).to_string(),
        |app, _| app.frame("tool_call", json!({})).to_string(),
        |app, other| {
            let mut frame = app.event("x", json!(1));
            frame["session_id"] = json!(other.id);
            frame.to_string()
        },
        |_, _| json!({"type": "event", "name": "x", "ts": 1}).to_string(),
        |app, _| app.frame("event", json!({"name": ""})).to_string(),
        |app, _| app.frame("tool_registry_snapshot", json!({})).to_string(),
        |_, _| json!({"type": "nonsense", "session_id": "x"}).to_string(),
        |_, _| json!({"type": "tool_registry_snapshot", "session_id": "x"}).to_string(),
        |app, _| app.event("x", json!({"a": 1})).to_string().replace("\"a\"", "\"x\":0,\"x\""),
        |app, _| {
            let mut frame = app.event("x", json!(1));
            frame["extra"] = json!(1);
            frame.to_string()
        },
        |app, _| app.event("resource_updated", json!({"name": "unknown"})).to_string(),
    ];
    for frame in broken {
        let app = bench.app("a");
        let text = frame(&app, &other);
        bench.say_text(app.socket, &text);
        bench.say(app.socket, app.event("behind", json!(1)));
    }
    let app = bench.app("b");
    bench.put(Input::SocketBinary { socket: app.socket });
}

pub(in crate::core::tests) fn sizes(bench: &mut Bench) {
    let app = bench.app("a");
    let empty = app.event("x", json!("")).to_string().len();
    for size in [262_144, 262_145, 300_000] {
        let app = bench.app("sized");
        bench.say(app.socket, app.event("x", json!("y".repeat(size - empty))));
    }
    bench.register_tools(&app, &["t"]);
    bench.call(&app, "t", json!({"x": "y".repeat(262_144)}));
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"daemon.status","params":{"x":""}}"#;
    let full = line.replace("\"\"}}", &format!("\"{}\"}}}}", "y".repeat((1 << 20) - line.len())));
    let operator = bench.connect();
    bench.line(operator, &full);
    bench.line(operator, &format!("{full} "));
    let long = bench.app(&"m".repeat(256));
    bench.say(long.socket, long.event("x", json!(1)));
}

pub(in crate::core::tests) fn keepalive(bench: &mut Bench) {
    let silent = bench.app("silent");
    let lively = bench.app("lively");
    for _ in 0..8 {
        bench.advance(7_500);
        bench.put(Input::SocketPong { socket: lively.socket });
        bench.rpc("sessions.list", json!({}));
    }
    bench.hang_up(silent.socket);
}

pub(in crate::core::tests) fn claims(bench: &mut Bench) {
    let (id, token) = bench.link();
    for _ in 0..4 {
        bench.claim(&id, "wrong", "a");
    }
    bench.claim(&id, &token, "after four");
    let (id, token) = bench.link();
    for _ in 0..5 {
        bench.claim(&id, "wrong", "a");
    }
    bench.claim(&id, &token, "after five");
    let app = bench.app("once");
    bench.claim(&app.id, &app.token, "twice");
    bench.advance(1_000);
    bench.claim(&app.id, &app.token, "twice");
    for id in ["unknown", &bench.link().0] {
        let socket = bench.open();
        bench.say(socket, resume(id, "x"));
    }
    bench.hang_up(app.socket);
    bench.claim(&app.id, &app.token, "while suspended");
}

pub(in crate::core::tests) fn aliases(bench: &mut Bench) {
    let first = bench.app("Pixel 8");
    for model in ["Pixel 8", "(A)  b", "", "日本"] {
        bench.app(model);
    }
    bench.hang_up(first.socket);
    bench.app("Pixel 8");
    bench.rpc("sessions.revoke", json!({"selector": first.id}));
    bench.app("Pixel 8");
}

pub(in crate::core::tests) fn suspensions(bench: &mut Bench) {
    let app = bench.app("a");
    let gone = bench.app("gone");
    bench.register_tools(&app, &["t"]);
    bench.register_resources(&app, &["r"]);
    bench.hang_up(app.socket);
    bench.hang_up(gone.socket);
    for method in ["tools.list", "resources.list", "sessions.describe"] {
        bench.rpc(method, json!({"selector": app.id}));
    }
    let socket = bench.open();
    bench.say(socket, resume(&app.id, "wrong"));
    let app = bench.resume(&app);
    let old = app.clone();
    bench.hang_up(app.socket);
    let app = bench.resume(&app);
    bench.hang_up(app.socket);
    let socket = bench.open();
    bench.say(socket, resume(&old.id, &old.resume_token));
    bench.advance(40_000);
    let app = bench.resume(&app);
    bench.advance(50_000);
    bench.rpc("sessions.list", json!({}));
    let socket = bench.open();
    bench.say(socket, resume(&gone.id, &gone.resume_token));
    bench.say(app.socket, app.event("still here", json!(1)));
}

pub(in crate::core::tests) fn replacements(bench: &mut Bench) {
    let old = bench.app("a");
    bench.register_tools(&old, &["t"]);
    let new = bench.resume(&old);
    bench.say(old.socket, old.event("late", json!(1)));
    bench.hang_up(old.socket);
    bench.say(new.socket, new.event("now", json!(1)));
    bench.rpc("sessions.revoke", json!({"selector": old.id}));
    let socket = bench.open();
    bench.say(socket, resume(&new.id, &new.resume_token));
    bench.app("a");
}

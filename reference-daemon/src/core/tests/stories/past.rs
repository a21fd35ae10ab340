//! Spellings, long times, what sessions go through, cancels, long texts.

use super::traffic::both_lists;
use crate::core::io::Input;
use crate::core::tests::bench::{Bench, resource, resume, tool};
use serde_json::{Value, json};

pub(in crate::core::tests) fn spellings(bench: &mut Bench) {
    let times = [json!("60"), json!(60.5), json!(true), json!([60])];
    for ttl in times {
        bench.rpc("link.create", json!({"ttlSeconds": ttl}));
    }
    for address in [
        " 127.0.0.1",
        "127.0.0.01",
        "127.1",
        "0x7f.0.0.1",
        "+127.0.0.1",
        "127..0.1",
        "127.0.0.1/32",
        "[::1]",
        "１２７.0.0.1",
        "2001:db8::00007",
    ] {
        bench.rpc("link.create", json!({"addressOverride": address}));
    }
    bench.rpc("daemon.status", json!({}));
}

pub(in crate::core::tests) fn long_times(bench: &mut Bench) {
    const YEAR_S: u64 = 31_536_000;
    // Five seconds more than 32 bits hold.
    const WRAPPED_MS: u64 = 4_294_972_296;
    bench.core.config.grace_s = YEAR_S;
    bench.rpc("link.create", json!({"ttlSeconds": YEAR_S}));
    let app = bench.app("a");
    let tools = json!([tool("t"), {"name": "slow", "description": "d", "timeout_ms": WRAPPED_MS}]);
    bench.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": tools})));
    for (name, timeout) in [("t", WRAPPED_MS), ("t", 2_147_483_648), ("slow", 600_000)] {
        let params = json!({"selector": app.id, "name": name, "args": {}, "timeoutMs": timeout});
        bench.ask(bench.operator, "tools.call", params);
    }
    bench.call(&app, "slow", json!({}));
    bench.hang_up(app.socket);
}

pub(in crate::core::tests) fn past(bench: &mut Bench) {
    let mut mute = bench.app("mute");
    let mut quiet = bench.app("quiet");
    let gone = bench.app("gone");
    bench.register_tools(&quiet, &["t"]);
    for app in [&mute, &gone] {
        bench.advance(9_000);
        bench.hang_up(app.socket);
    }
    bench.rpc("sessions.describe", json!({"selector": mute.id}));
    bench.rpc("events.since", json!({"selector": mute.id}));
    bench.rpc("events.subscribe", json!({"sessionSelector": mute.id}));
    mute = bench.resume(&mute);
    bench.rpc("sessions.list", json!({}));
    for _ in 0..12 {
        bench.hang_up(quiet.socket);
        bench.advance(3_000);
        quiet = bench.resume(&quiet);
        both_lists(bench, &quiet);
    }
    for _ in 0..12 {
        let socket = bench.open();
        bench.say(socket, resume(&quiet.id, "guess"));
    }
    bench.hang_up(quiet.socket);
    bench.resume(&quiet);
    bench.advance(60_000);
    bench.rpc("sessions.revoke", json!({"selector": gone.id}));
    bench.hang_up(mute.socket);
    bench.rpc("sessions.revoke", json!({"selector": mute.id}));
    let talker = bench.app("talker");
    for _ in 0..500 {
        bench.advance(10_000);
        bench.put(Input::SocketPong { socket: talker.socket });
    }
    bench.hang_up(talker.socket);
    bench.rpc("sessions.revoke", json!({"selector": talker.id}));
}

pub(in crate::core::tests) fn cancels(bench: &mut Bench) {
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let calls: Vec<String> = (0..3).map(|_| bench.call(&app, "t", json!({})).1).collect();
    bench.say(app.socket, app.frame("tool_call_progress", json!({"id": calls[1], "progress": 1})));
    for reason in [json!(""), json!(5), json!("x".repeat(4_096)), json!("x".repeat(4_097)), json!("é".repeat(4_096))] {
        bench.rpc("tools.cancel", json!({"callId": calls[1], "reason": reason}));
    }
    bench.rpc("tools.cancel", json!({"callId": calls[1]}));
    bench.rpc("tools.cancel", json!({"callId": calls[1], "selector": "nobody"}));
    bench.say(app.socket, app.result(&calls[1], json!(1)));
    bench.rpc("tools.cancel", json!({"callId": calls[1]}));
}

pub(in crate::core::tests) fn long_texts(bench: &mut Bench) {
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    bench.say(app.socket, app.frame("resource_registry_snapshot", json!({"resources": [resource("r")]})));
    let long = json!(format!("x{}\u{2028}", "é".repeat(60_000)));
    let (_, call) = bench.call(&app, "t", json!({"x": long}));
    bench.say(app.socket, app.result(&call, long.clone()));
    let (_, call) = bench.call(&app, "t", json!({}));
    let error = json!({"type": "tool_execution_error", "message": "m", "details": long});
    bench.say(app.socket, app.frame("tool_error", json!({"id": call, "error": error})));
    bench.say(app.socket, app.event("long", long.clone()));
    let (_, read) = bench.read(&app, "r");
    bench.say(app.socket, app.frame("resource_result", json!({"id": read, "contents": [{"text": long}]})));
    for bytes in [126, 65_536] {
        let bare = app.frame("event", json!({"name": "e", "ts": 1, "x": ""}));
        let missing = usize::saturating_sub(bytes, bare.to_string().len());
        bench.say(app.socket, app.frame("event", json!({"name": "e", "ts": 1, "x": "x".repeat(missing)})));
    }
    for _ in 0..110 {
        bench.call(&app, "t", json!({}));
        bench.read(&app, "r");
    }
    let _: Value = bench.rpc("sessions.list", json!({}));
}

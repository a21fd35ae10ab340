//! Registries, calls, reads.

use crate::core::io::Input;
use crate::core::tests::bench::{App, Bench, resource, tool};
use serde_json::{Value, json};

pub(in crate::core::tests) fn registries(bench: &mut Bench) {
    let mut app = bench.app("a");
    let faces = [
        ("tool_registry_snapshot", "tool_registry_delta", "tools", "tool", tool as fn(&str) -> Value),
        ("resource_registry_snapshot", "resource_registry_delta", "resources", "resource", resource),
    ];
    for (snapshot, delta, list, item, entry) in faces {
        bench.say(app.socket, app.frame(snapshot, json!({list: [entry("b"), entry("a")]})));
        bench.say(app.socket, app.frame(snapshot, json!({list: [entry("b"), entry("a")]})));
        let mut other = entry("b");
        other["description"] = json!("other");
        bench.say(app.socket, app.frame(delta, json!({"operation": "upsert", item: other})));
        both_lists(bench, &app);
        bench.say(app.socket, app.frame(delta, json!({"operation": "upsert", item: entry("c")})));
        bench.say(app.socket, app.frame(delta, json!({"operation": "remove", "name": "a"})));
        both_lists(bench, &app);
        bench.say(app.socket, app.frame(delta, json!({"operation": "remove", "name": "unknown"})));
        bench.hang_up(app.socket);
        app = bench.resume(&app);
        both_lists(bench, &app);
        bench.say(app.socket, app.frame(snapshot, json!({list: [entry("d")]})));
        both_lists(bench, &app);
        bench.say(app.socket, app.frame(snapshot, json!({list: []})));
        bench.say(app.socket, app.frame(snapshot, json!({list: [entry("e")]})));
        both_lists(bench, &app);
        bench.rpc("resources.read", json!({"selector": app.id, "name": "a"}));
        for entries in [json!([entry("f"), entry("f")]), json!([entry("g"), {"name": 7}])] {
            bench.say(app.socket, app.frame(snapshot, json!({list: entries})));
            both_lists(bench, &app);
            app = bench.resume(&app);
        }
        bench.say(app.socket, app.frame(delta, json!({"operation": "other", item: entry("h")})));
        app = bench.resume(&app);
    }
    let mut namesake = resource("e");
    namesake["uri"] = json!("app://namesake");
    let namesakes = json!({"resources": [resource("e"), namesake]});
    bench.say(app.socket, app.frame("resource_registry_snapshot", namesakes));
    both_lists(bench, &app);
    let app = bench.resume(&app);
    let mut twin = resource("twin");
    twin["uri"] = json!("app://e");
    bench.say(app.socket, app.frame("resource_registry_snapshot", json!({"resources": [resource("e"), twin]})));
    let app = bench.resume(&app);
    bench.say(app.socket, app.frame("resource_registry_delta", json!({"operation": "upsert", "resource": twin})));
    both_lists(bench, &app);
    bench.say(app.socket, app.event("resource_updated", json!({"name": "e"})));
    let app = bench.app("whole");
    bench.register_resources(&app, &["r"]);
    bench.register_tools(&app, &["t"]);
    let bare = json!({"uri": "app://bare", "name": "bare", "description": "d"});
    bench.say(app.socket, app.frame("resource_registry_delta", json!({"operation": "upsert", "resource": bare})));
    both_lists(bench, &app);
    bench.say(app.socket, app.event("resource_updated", json!({"name": "bare"})));
}

pub(in crate::core::tests) fn both_lists(bench: &mut Bench, app: &App) {
    bench.rpc("tools.list", json!({"selector": app.id}));
    bench.rpc("resources.list", json!({"selector": app.id}));
}

pub(in crate::core::tests) fn calls(bench: &mut Bench) {
    let first = bench.app("first");
    let app = bench.app("a");
    bench.register_tools(&first, &["t"]);
    let tools = json!([tool("t"), {"name": "slow", "description": "d", "timeout_ms": 2_000}]);
    bench.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": tools})));
    let deep = (0..12).fold(json!(1), |inner, _| json!([inner]));
    let value = json!({"n": null, "big": 9_007_199_254_740_991_u64, "t": " é ", "e": "", "deep": deep});
    let (_, one) = bench.call(&app, "t", value.clone());
    let (_, two) = bench.call(&app, "t", json!({}));
    let (_, three) = bench.call(&app, "t", json!({}));
    bench.say(app.socket, app.frame("tool_call_progress", json!({"id": one, "progress": 1})));
    bench.say(first.socket, first.result(&one, json!("forged")));
    bench.say(app.socket, app.result("unknown", json!("stray")));
    bench.say(app.socket, app.result(&two, value));
    bench.rpc("tools.cancel", json!({"callId": one}));
    bench.rpc("tools.cancel", json!({"callId": two}));
    let error = json!({"type": "tool_cancelled", "message": "m", "details": [1]});
    bench.say(app.socket, app.frame("tool_error", json!({"id": one, "error": error})));
    bench.say(app.socket, app.frame("tool_call_progress", json!({"id": one})));
    bench.say(app.socket, app.result(&three, json!(null)));
    for params in [
        json!({"name": "slow"}),
        json!({"name": "t", "timeoutMs": 1}),
        json!({"name": "t"}),
        json!({"name": "t", "timeoutMs": 601_000}),
    ] {
        let mut params = params;
        params["selector"] = json!(app.id);
        bench.ask(bench.operator, "tools.call", params);
        for _ in 0..7 {
            bench.advance_lively(2_000);
        }
    }
    bench.advance_lively(601_000);
    for params in [json!({"name": "nope"}), json!({"name": "t", "args": []})] {
        let mut params = params;
        params["selector"] = json!(app.id);
        bench.rpc("tools.call", params);
    }
    let caller = bench.connect();
    bench.ask(caller, "tools.call", json!({"selector": app.id, "name": "t"}));
    bench.call(&app, "t", json!({}));
    bench.put(Input::RpcClosed { connection: caller });
    bench.hang_up(app.socket);
    bench.rpc("tools.call", json!({"selector": app.id, "name": "t"}));
    bench.rpc("tools.call", json!({"selector": app.id, "name": "nope"}));
    let mut app = bench.resume(&app);
    for frame in [
        json!({"error": {"type": "no_such_type", "message": "m"}}),
        json!({"error": {"type": "tool_execution_error", "message": "m".repeat(4_096)}}),
        json!({}),
    ] {
        let (_, call) = bench.call(&app, "t", json!({}));
        let kind = match frame.get("error") {
            Some(_) => "tool_error",
            None => "tool_result",
        };
        let mut frame = app.frame(kind, frame);
        frame["id"] = json!(call);
        bench.say(app.socket, frame);
        app = bench.resume(&app);
    }
    bench.call(&app, "t", json!({}));
    bench.say_text(app.socket, "garbage");
    bench.rpc("sessions.list", json!({}));
    bench.hang_up(app.socket);
    let app = bench.resume(&app);
    bench.call(&app, "t", json!({}));
    bench.rpc("sessions.revoke", json!({"selector": app.id}));
    bench.advance(10_000);
}

pub(in crate::core::tests) fn reads(bench: &mut Bench) {
    let first = bench.app("first");
    let app = bench.app("a");
    bench.register_resources(&first, &["r"]);
    bench.register_resources(&app, &["r", "s"]);
    let contents = json!([
        {"text": " a\u{0}\r\n"}, {"text": ""}, {"blob": "+/8="}, {"text": "b", "uri": "app://x", "mime_type": "a/b"},
        {"text": "y".repeat(70_000)},
    ]);
    for contents in [contents, json!([])] {
        let (_, read) = bench.read(&app, "r");
        bench.say(app.socket, app.contents(&read, contents));
    }
    let (_, one) = bench.read(&app, "s");
    let (_, two) = bench.read(&app, "s");
    bench.say(first.socket, first.contents(&one, json!([{"text": "forged"}])));
    bench.say(app.socket, app.contents("unknown", json!([{"text": "stray"}])));
    bench.say(app.socket, app.contents(&two, json!([{"text": "2"}])));
    let error = json!({"type": "tool_input_validation_error", "message": "m", "details": 1});
    bench.say(app.socket, app.frame("resource_error", json!({"id": one, "error": error})));
    let params = json!({"selector": app.id, "name": "s", "timeoutMs": 2_000, "caller": "mcp"});
    bench.ask(bench.operator, "resources.read", params);
    bench.advance(3_000);
    bench.read(&app, "s");
    bench.advance_lively(10_000);
    bench.rpc("resources.read", json!({"selector": app.id, "name": "nope"}));
    let mut app = app;
    for contents in
        [json!([{"text": "a", "blob": ""}]), json!([{}]), json!([{"blob": "?"}, {"text": "kept"}]), json!(7)]
    {
        let (_, read) = bench.read(&app, "s");
        bench.say(app.socket, app.contents(&read, contents));
        app = bench.resume(&app);
    }
    bench.read(&app, "s");
    let second = bench.connect();
    bench.ask(second, "resources.read", json!({"selector": app.id, "name": "s"}));
    bench.hang_up(app.socket);
    bench.rpc("resources.read", json!({"selector": app.id, "name": "s"}));
    bench.rpc("resources.read", json!({"selector": app.id, "name": "nope"}));
    let app = bench.resume(&app);
    bench.read(&app, "s");
    bench.rpc("sessions.revoke", json!({"selector": app.id}));
    bench.advance(10_000);
}

pub(in crate::core::tests) fn crowd(bench: &mut Bench) {
    for _ in 0..202 {
        bench.app("many");
    }
    let app = bench.app("storm");
    bench.register_tools(&app, &["t"]);
    for _ in 0..34 {
        bench.ask(bench.operator, "tools.call", json!({"selector": app.id, "name": "t"}));
    }
    let all: Vec<Value> = (0..600).map(|number| resource(&format!("r{number}"))).collect();
    bench.say(app.socket, app.frame("resource_registry_snapshot", json!({"resources": all})));
    for number in 0..100 {
        let remove = json!({"operation": "remove", "name": format!("r{number}")});
        bench.say(app.socket, app.frame("resource_registry_delta", remove));
    }
    for number in 200..240 {
        bench.ask(bench.operator, "resources.read", json!({"selector": app.id, "name": format!("r{number}")}));
    }
    both_lists(bench, &app);
}

pub(in crate::core::tests) fn descriptors(bench: &mut Bench) {
    let tools = [
        json!({"name": "a b"}),
        json!({"name": "t".repeat(64)}),
        json!({"name": "t".repeat(65)}),
        json!({"description": ""}),
        json!({"description": "d".repeat(4_096)}),
        json!({"description": "d".repeat(4_097)}),
        json!({"input_schema": 7}),
        json!({"annotations": {"unknownHint": true}}),
        json!({"annotations": {"readOnlyHint": "yes"}}),
        json!({"timeout_ms": 0}),
    ];
    let resources = [
        json!({"uri": ""}),
        json!({"uri": "relative"}),
        json!({"uri": "app://é"}),
        json!({"uri": format!("app://{}", "u".repeat(2_042))}),
        json!({"uri": format!("app://{}", "u".repeat(2_043))}),
        json!({"name": "a b"}),
        json!({"name": "r".repeat(64)}),
        json!({"name": "r".repeat(65)}),
        json!({"description": ""}),
        json!({"mime_type": "text"}),
        json!({"mime_type": format!("a/{}", "b".repeat(254))}),
        json!({"title": ""}),
        json!({"title": "t".repeat(256)}),
        json!({"size": -1}),
        json!({"size": 1_u64 << 53}),
        json!({"annotations": {"unknown": 1}}),
        json!({"annotations": {"audience": ["everybody"]}}),
        json!({"annotations": {"priority": 2}}),
        json!({"annotations": {"last_modified": "yesterday"}}),
        json!({"icons": [{"src": "file:///x"}]}),
        json!({"icons": [{"src": "https://e.example/i", "theme": "blue"}]}),
    ];
    let rows = tools
        .map(|change| ("tool", tool("t"), change))
        .into_iter()
        .chain(resources.map(|change| ("resource", resource("r"), change)));
    for (kind, mut entry, change) in rows {
        let app = bench.app("a");
        for (key, value) in change.as_object().unwrap() {
            entry[key] = value.clone();
        }
        let frame = format!("{kind}_registry_delta");
        bench.say(app.socket, app.frame(&frame, json!({"operation": "upsert", kind: entry})));
        bench.rpc("sessions.revoke", json!({"selector": app.id}));
    }
}

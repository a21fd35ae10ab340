//! The operator's side: selectors, events, policy, audit.

use super::traffic::both_lists;
use crate::core::io::Input;
use crate::core::tests::bench::{Bench, text, tool};
use serde_json::json;

pub(in crate::core::tests) fn operator(bench: &mut Bench) {
    bench.rpc("tools.list", json!({}));
    let phone = bench.app("phone");
    bench.app("tablet");
    bench.link();
    bench.register_tools(&phone, &["t"]);
    for params in [
        json!({}),
        json!({"selector": "pho"}),
        json!({"selector": "phone"}),
        json!({"selector": "nobody"}),
        json!({"selector": null}),
        json!({"selector": 7}),
    ] {
        bench.rpc("tools.list", params);
    }
    bench.rpc("sessions.list", json!({}));
    bench.rpc("no.such.method", json!({}));
    let caller = bench.connect();
    for line in [
        r#"{"jsonrpc":"2.0","id":"7","method":"daemon.status"}"#,
        r#"{"jsonrpc":"2.0","id":"b","method":"daemon.status"}"#,
        r#"{"jsonrpc":"2.0","method":"daemon.status"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools.call","params":{"selector":"phone","name":"t"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"daemon.status"}"#,
        "{",
        "7",
    ] {
        bench.line(caller, line);
    }
    for _ in 0..5 {
        bench.ask(caller, "sessions.list", json!({}));
    }
}

pub(in crate::core::tests) fn events(bench: &mut Bench) {
    let app = bench.app("a");
    let other = bench.app("b");
    bench.register_tools(&app, &["t"]);
    let some = bench.listener(json!({"sessionSelector": "a", "kinds": ["app_event"]}));
    bench.listener(json!({"kinds": ["no_such_kind"]}));
    bench.say(other.socket, other.event("tick", json!(0)));
    let (_, call) = bench.call(&app, "t", json!({}));
    bench.say(app.socket, app.frame("tool_call_progress", json!({"id": call})));
    bench.say(app.socket, app.result(&call, json!(1)));
    bench.rpc("events.since", json!({"selector": "a"}));
    for number in 0..260 {
        bench.say(app.socket, app.event("tick", json!(number)));
    }
    for params in [
        json!({}),
        json!({"since": 1}),
        json!({"since": 100, "limit": 3}),
        json!({"since": 100, "limit": 3}),
        json!({"since": 303}),
        json!({"kinds": ["tools_changed"]}),
    ] {
        let mut params = params;
        params["selector"] = json!("a");
        bench.rpc("events.since", params);
    }
    bench.rpc("sessions.revoke", json!({"selector": "a"}));
    bench.rpc("events.since", json!({"selector": app.id}));
    bench.put(Input::RpcClosed { connection: some });
}

pub(in crate::core::tests) fn governed(bench: &mut Bench) {
    let app = bench.app("a");
    let other = bench.app("b");
    for app in [&app, &other] {
        let wipe = json!({"name": "wipe", "description": "d", "annotations": {"destructiveHint": true}});
        let tools = json!([tool("t"), tool("u"), wipe]);
        bench.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": tools})));
        bench.register_resources(app, &["r"]);
        both_lists(bench, app);
        for caller in [None, Some("cli"), Some("mcp"), Some("mcp-fallback")] {
            for name in ["t", "u", "wipe", "nope"] {
                let mut params = json!({"selector": app.id, "name": name, "args": {"secret": 1}});
                if let Some(caller) = caller {
                    params["caller"] = json!(caller);
                }
                bench.ask(bench.operator, "tools.call", params);
                let call = text(&bench.last(app.socket)["id"]);
                bench.advance(10);
                bench.say(app.socket, app.result(&call, json!("secret")));
            }
            let mut params = json!({"selector": app.id, "name": "r"});
            if let Some(caller) = caller {
                params["caller"] = json!(caller);
            }
            bench.ask(bench.operator, "resources.read", params);
            let read = text(&bench.last(app.socket)["id"]);
            bench.say(app.socket, app.contents(&read, json!([{"text": "secret"}])));
        }
    }
    bench.hang_up(other.socket);
    bench.rpc("tools.call", json!({"selector": "b", "name": "u"}));
}

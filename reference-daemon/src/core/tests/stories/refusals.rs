//! What refused requests leave behind, members that stand twice, and lines that end where none does.

use crate::core::tests::bench::Bench;
use serde_json::json;

pub(in crate::core::tests) fn refusals(bench: &mut Bench) {
    let app = bench.app("a");
    bench.app("b");
    bench.register_tools(&app, &["t", "u"]);
    let listener = bench.listener(json!({"kinds": ["app_event"]}));
    bench.ask(listener, "events.subscribe", json!({"kinds": ["no_such_kind"]}));
    bench.say(app.socket, app.event("tick", json!(0)));
    let caller = bench.connect();
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"sessions.revoke","params":{}}"#,
        r#"{"jsonrpc":"1.0","id":2,"method":"link.create","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":[3],"method":"link.create","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"link.create","params":{"ttlSeconds":60.0}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools.call","params":{"selector":"a","name":"t","name":"u","args":{"n":1}}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"tools.call","params":{"selector":"a","name":"t","args":{"n":1},"args":{"n":2}}}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":7,\r\"method\":\"daemon.status\"}",
    ] {
        bench.line(caller, line);
    }
    for number in 0..300 {
        bench.say(app.socket, app.event("tick", json!(number)));
    }
    bench.rpc("events.since", json!({"selector": "a", "since": 1, "limit": 2}));
    bench.rpc("sessions.list", json!({}));
    bench.rpc("daemon.status", json!({}));
    bench.line(caller, r#"{"jsonrpc":"2.0","id":8,"method":"daemon.shutdown","params":[1]}"#);
    bench.rpc("sessions.list", json!({}));
}

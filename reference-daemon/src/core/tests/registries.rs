//! Tool and resource registries (`BRG-TOL-01` … `-06`, `BRG-RES-01` … `-05`, `-12`, `-14`, `-15`, `BRG-RPC-05`).

use super::bench::{App, Bench, resource, tool};
use iolite_protocol::close::Close;
use serde_json::{Value, json};
use std::time::Instant;

/// The two registries have one shape: kind of frame, key of the list, key of one entry.
#[derive(Clone, Copy)]
struct RegistryNames {
    snapshot: &'static str,
    delta: &'static str,
    list: &'static str,
    item: &'static str,
    method: &'static str,
    event: &'static str,
    entry: fn(&str) -> Value,
}

const REGISTRIES: [RegistryNames; 2] = [
    RegistryNames {
        snapshot: "tool_registry_snapshot",
        delta: "tool_registry_delta",
        list: "tools",
        item: "tool",
        method: "tools.list",
        event: "tools_changed",
        entry: tool,
    },
    RegistryNames {
        snapshot: "resource_registry_snapshot",
        delta: "resource_registry_delta",
        list: "resources",
        item: "resource",
        method: "resources.list",
        event: "resources_changed",
        entry: resource,
    },
];

impl RegistryNames {
    fn snapshot(self, bench: &mut Bench, app: &App, entries: &[Value]) {
        bench.say(app.socket, app.frame(self.snapshot, json!({self.list: entries})));
    }

    fn upsert(self, bench: &mut Bench, app: &App, entry: Value) {
        let frame = app.frame(self.delta, json!({"operation": "upsert", self.item: entry}));
        bench.say(app.socket, frame);
    }

    fn remove(self, bench: &mut Bench, app: &App, name: &str) {
        let frame = app.frame(self.delta, json!({"operation": "remove", "name": name}));
        bench.say(app.socket, frame);
    }

    fn entries(self, bench: &mut Bench, app: &App) -> Vec<Value> {
        let listed = bench.ok(self.method, json!({"selector": app.id}));
        listed[self.list].as_array().unwrap().clone()
    }

    fn names(self, bench: &mut Bench, app: &App) -> Vec<String> {
        let entries = self.entries(bench, app);
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    }

    fn entries_of(self, names: &[&str]) -> Vec<Value> {
        names.iter().map(|name| (self.entry)(name)).collect()
    }
}

/// BRG-TOL-01, BRG-TOL-03, BRG-RES-01
#[test]
fn snapshots_replace_and_deltas_change_one_entry() {
    for names in REGISTRIES {
        let mut bench = Bench::new();
        let app = bench.app("a");
        names.snapshot(&mut bench, &app, &names.entries_of(&["b", "a", "c"]));
        assert_eq!(names.names(&mut bench, &app), ["b", "a", "c"]);
        let mut changed = (names.entry)("a");
        changed["description"] = json!("other");
        names.upsert(&mut bench, &app, changed.clone());
        assert_eq!(names.names(&mut bench, &app), ["b", "a", "c"], "an upsert keeps its place");
        assert_eq!(names.entries(&mut bench, &app)[1]["description"], "other");
        names.upsert(&mut bench, &app, (names.entry)("d"));
        names.remove(&mut bench, &app, "b");
        names.remove(&mut bench, &app, "unknown");
        assert_eq!(names.names(&mut bench, &app), ["a", "c", "d"]);
        names.snapshot(&mut bench, &app, &names.entries_of(&["c"]));
        assert_eq!(names.names(&mut bench, &app), ["c"]);
        names.snapshot(&mut bench, &app, &[]);
        assert_eq!(names.names(&mut bench, &app), Vec::<String>::new());
        assert_eq!(bench.close_of(app.socket), None);
    }
}

/// BRG-RES-01
#[test]
fn the_registries_do_not_touch_each_other() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["x"]);
    bench.register_resources(&app, &["x"]);
    for (changed, other) in [(REGISTRIES[0], REGISTRIES[1]), (REGISTRIES[1], REGISTRIES[0])] {
        changed.snapshot(&mut bench, &app, &[]);
        changed.remove(&mut bench, &app, "x");
        assert_eq!(other.names(&mut bench, &app), ["x"]);
        changed.upsert(&mut bench, &app, (changed.entry)("x"));
    }
}

/// BRG-TOL-02, BRG-TOL-04, BRG-RES-02
#[test]
fn an_invalid_frame_changes_nothing() {
    for names in REGISTRIES {
        let mut bench = Bench::new();
        let bad = json!({"name": "not a name", "description": "d"});
        for frame in [json!({names.list: [(names.entry)("new"), bad]}), json!({names.list: "x"}), json!({})] {
            let app = bench.app("a");
            names.snapshot(&mut bench, &app, &names.entries_of(&["kept"]));
            bench.say(app.socket, app.frame(names.snapshot, frame.clone()));
            assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_REGISTRY), "{frame}");
            assert_eq!(names.names(&mut bench, &app), ["kept"]);
        }
        for frame in [
            json!({"operation": "upsert"}),
            json!({"operation": "upsert", names.item: bad}),
            json!({"operation": "replace", names.item: (names.entry)("x")}),
            json!({"operation": "remove"}),
            json!({"operation": "remove", "name": ""}),
            json!({}),
        ] {
            let app = bench.app("a");
            names.snapshot(&mut bench, &app, &names.entries_of(&["kept"]));
            bench.say(app.socket, app.frame(names.delta, frame.clone()));
            assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_REGISTRY), "{frame}");
            assert_eq!(names.names(&mut bench, &app), ["kept"]);
        }
    }
}

/// BRG-TOL-05, BRG-RES-03
#[test]
fn nothing_is_registered_twice() {
    let mut bench = Bench::new();
    for names in REGISTRIES {
        let app = bench.app("a");
        names.snapshot(&mut bench, &app, &names.entries_of(&["x", "x"]));
        assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_REGISTRY));
    }
    let app = bench.app("a");
    let mut twin = resource("y");
    twin["uri"] = json!("app://x");
    REGISTRIES[1].snapshot(&mut bench, &app, &[resource("x"), twin]);
    assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_REGISTRY));
}

/// BRG-RES-04
#[test]
fn a_uri_belongs_to_one_name() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_resources(&app, &["x", "y"]);
    let mut moved = resource("x");
    moved["uri"] = json!("app://elsewhere");
    moved["mime_type"] = json!("a/b");
    REGISTRIES[1].upsert(&mut bench, &app, moved);
    assert_eq!(bench.close_of(app.socket), None);
    let mut takes_old = resource("z");
    takes_old["uri"] = json!("app://x");
    REGISTRIES[1].upsert(&mut bench, &app, takes_old);
    assert_eq!(bench.close_of(app.socket), None, "the old uri is free");
    let mut thief = resource("thief");
    thief["uri"] = json!("app://y");
    REGISTRIES[1].upsert(&mut bench, &app, thief);
    assert_eq!(bench.close_of(app.socket), Some(Close::INVALID_REGISTRY));
    assert_eq!(bench.resource_names(&app), ["x", "y", "z"]);
}

/// BRG-TOL-06, BRG-RES-05
#[test]
fn a_resume_keeps_entries_until_the_snapshot_replaces_them() {
    for names in REGISTRIES {
        let mut bench = Bench::new();
        let app = bench.app("a");
        names.snapshot(&mut bench, &app, &names.entries_of(&["old", "both"]));
        bench.hang_up(app.socket);
        let app = bench.resume(&app);
        assert_eq!(names.names(&mut bench, &app), ["old", "both"]);
        names.snapshot(&mut bench, &app, &names.entries_of(&["both", "new"]));
        assert_eq!(names.names(&mut bench, &app), ["both", "new"]);
    }
}

/// BRG-RPC-05
#[test]
fn every_change_is_told_and_nothing_else() {
    for names in REGISTRIES {
        let mut bench = Bench::new();
        let app = bench.app("a");
        let listener = bench.listener(json!({"kinds": ["tools_changed", "resources_changed"]}));
        let key = match names.item {
            "tool" => "toolCount",
            _ => "resourceCount",
        };
        names.snapshot(&mut bench, &app, &[]);
        names.remove(&mut bench, &app, "x");
        names.snapshot(&mut bench, &app, &names.entries_of(&["x", "y"]));
        names.snapshot(&mut bench, &app, &names.entries_of(&["x", "y"]));
        names.upsert(&mut bench, &app, (names.entry)("x"));
        names.upsert(&mut bench, &app, (names.entry)("z"));
        names.remove(&mut bench, &app, "y");
        names.snapshot(&mut bench, &app, &names.entries_of(&["z", "x"]));
        bench.hang_up(app.socket);
        let app = bench.resume(&app);
        names.snapshot(&mut bench, &app, &names.entries_of(&["z", "x"]));
        names.snapshot(&mut bench, &app, &[]);
        let heard = bench.heard(listener);
        assert!(heard.iter().all(|event| event["kind"] == names.event));
        let counts: Vec<Value> = heard.iter().map(|event| event["data"][key].clone()).collect();
        assert_eq!(counts, [2, 3, 2, 2, 0]);
        assert!(heard.iter().all(|event| event["data"].as_object().unwrap().len() == 1));
    }
}

/// BRG-RES-12
#[test]
fn a_stale_mark_is_an_ordinary_event_too() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_resources(&app, &["x"]);
    let listener = bench.listener(json!({}));
    for payload in [json!({"name": "x"}), json!({"name": "unknown"}), json!(null), json!(7)] {
        bench.say(app.socket, app.event("resource_updated", payload.clone()));
        let heard = bench.heard(listener);
        let last = heard.last().unwrap();
        assert_eq!(last["kind"], "app_event");
        assert_eq!(last["data"]["name"], "resource_updated");
        assert_eq!(last["data"]["payload"], payload);
    }
    assert_eq!(bench.heard(listener).len(), 4);
    assert_eq!(bench.close_of(app.socket), None);
}

/// BRG-RES-14
#[test]
fn nothing_is_read_unasked() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_resources(&app, &["x", "y"]);
    REGISTRIES[1].upsert(&mut bench, &app, resource("z"));
    bench.say(app.socket, app.event("resource_updated", json!({"name": "x"})));
    bench.listener(json!({}));
    bench.resource_names(&app);
    bench.hang_up(app.socket);
    let back = bench.resume(&app);
    bench.register_resources(&back, &["x"]);
    assert!(bench.sent(app.socket, "resource_read").is_empty());
    assert!(bench.sent(back.socket, "resource_read").is_empty());
}

/// BRG-RES-15
#[test]
fn a_thousand_resources_and_deltas_end_in_the_last_state() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    let listener = bench.listener(json!({"kinds": ["resources_changed"]}));
    let begun = Instant::now();
    let names: Vec<String> = (0..1_000).map(|number| format!("r{number}")).collect();
    let all: Vec<Value> = names.iter().map(|name| resource(name)).collect();
    REGISTRIES[1].snapshot(&mut bench, &app, &all);
    for (number, name) in names.iter().enumerate() {
        if number % 2 == 0 {
            REGISTRIES[1].remove(&mut bench, &app, name);
        } else {
            let mut entry = resource(name);
            entry["size"] = json!(number);
            REGISTRIES[1].upsert(&mut bench, &app, entry);
        }
    }
    let entries = REGISTRIES[1].entries(&mut bench, &app);
    assert_eq!(entries.len(), 500);
    for (index, entry) in entries.iter().enumerate() {
        assert_eq!(entry["size"], 2 * index + 1);
    }
    let heard = bench.heard(listener);
    assert_eq!(heard.len(), 1_001, "one event per change");
    assert_eq!(heard.last().unwrap()["data"]["resourceCount"], 500);
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

/// BRG-RPC-02, BRG-RPC-13
#[test]
fn lists_use_wire_spelling_and_work_while_suspended() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    let full = json!({
        "uri": "app://x", "name": "x", "description": "d", "mime_type": "text/plain", "title": "X",
        "size": 7, "annotations": {"audience": ["user"], "priority": 0.5, "last_modified": "2026-01-01T00:00:00Z"},
        "icons": [{"src": "https://e.example/i.png", "mime_type": "image/png", "theme": "dark"}],
    });
    REGISTRIES[1].snapshot(&mut bench, &app, std::slice::from_ref(&full));
    bench.hang_up(app.socket);
    let mut expected = full;
    expected["policy"] = json!("allow");
    assert_eq!(bench.ok("resources.list", json!({})), json!({"resources": [expected]}));
}

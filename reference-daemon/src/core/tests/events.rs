//! Events (`BRG-RPC-06`, `BRG-RPC-07`).

use super::bench::{App, Bench};
use serde_json::{Value, json};

fn seqs(events: &Value) -> Vec<u64> {
    let events = events.as_array().unwrap();
    events.iter().map(|event| event["seq"].as_u64().unwrap()).collect()
}

fn busy(bench: &mut Bench, app: &App, events: u64) {
    for number in 0..events {
        bench.say(app.socket, app.event("tick", json!(number)));
    }
}

/// BRG-RPC-06
#[test]
fn subscriptions_filter_by_session_and_kind() {
    let mut bench = Bench::new();
    let deaf = bench.connect();
    let all = bench.listener(json!({}));
    let phone = bench.app("phone");
    let ticks = bench.listener(json!({"sessionSelector": "phone", "kinds": ["app_event"]}));
    let none = bench.listener(json!({"kinds": []}));
    let tablet = bench.app("tablet");
    bench.say(phone.socket, phone.event("tick", json!({"a": 1})));
    bench.say(tablet.socket, tablet.event("tick", json!(2)));
    bench.register_tools(&phone, &["t"]);
    assert_eq!(
        bench.heard(ticks),
        [json!({
            "kind": "app_event", "sessionId": phone.id, "alias": "phone",
            "ts": "2026-07-28T09:30:00.250Z", "data": {"name": "tick", "payload": {"a": 1}, "ts": 1},
            "seq": 3,
        })]
    );
    assert_eq!(
        bench.heard_kinds(all),
        [
            "link_created",
            "session_claimed",
            "link_created",
            "session_claimed",
            "app_event",
            "app_event",
            "tools_changed"
        ]
    );
    assert!(bench.heard(none).is_empty() && bench.heard(deaf).is_empty());
    assert_eq!(bench.error_type("events.subscribe", json!({"kinds": ["no_such_kind"]})), "invalid_request");
    assert_eq!(bench.error_type("events.subscribe", json!({"sessionSelector": "nobody"})), "unknown_session");
}

/// BRG-RPC-06
#[test]
fn each_session_counts_its_own_events() {
    let mut bench = Bench::new();
    let all = bench.listener(json!({}));
    let phone = bench.app("phone");
    let tablet = bench.app("tablet");
    busy(&mut bench, &phone, 3);
    busy(&mut bench, &tablet, 2);
    for app in [&phone, &tablet] {
        let heard = bench.heard(all);
        let own: Vec<u64> = heard
            .iter()
            .filter(|event| event["sessionId"] == app.id)
            .map(|event| event["seq"].as_u64().unwrap())
            .collect();
        let expected: Vec<u64> = (1..=own.len() as u64).collect();
        assert_eq!(own, expected);
    }
}

/// BRG-RPC-06: a claim can be waited for.
#[test]
fn a_pending_links_events_can_be_subscribed_to() {
    let mut bench = Bench::new();
    let (id, token) = bench.link();
    let listener = bench.listener(json!({"sessionSelector": id}));
    bench.app("other");
    bench.claim(&id, &token, "mine");
    assert_eq!(bench.heard_kinds(listener), ["session_claimed"]);
}

/// BRG-RPC-06: one subscription a connection.
#[test]
fn a_second_subscription_takes_the_place_of_the_first() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    let listener = bench.listener(json!({}));
    bench.ask(listener, "events.subscribe", json!({"kinds": ["tools_changed"]}));
    busy(&mut bench, &app, 1);
    bench.register_tools(&app, &["t"]);
    assert_eq!(bench.heard_kinds(listener), ["tools_changed"]);
}

/// BRG-RPC-07
#[test]
fn the_cursor_goes_on_without_gap_or_repeat() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    busy(&mut bench, &app, 8);
    let all = bench.ok("events.since", json!({}));
    assert_eq!(seqs(&all["events"]), (1..=10).collect::<Vec<_>>());
    assert_eq!(all["cursor"], 10);
    let mut cursor = json!(0);
    let mut seen = Vec::new();
    loop {
        let page = bench.ok("events.since", json!({"since": cursor, "limit": 3}));
        seen.extend(seqs(&page["events"]));
        if page["events"].as_array().unwrap().is_empty() {
            assert_eq!(page["cursor"], cursor);
            break;
        }
        cursor = page["cursor"].clone();
    }
    assert_eq!(seen, (1..=10).collect::<Vec<_>>());
    let ticks = bench.ok("events.since", json!({"kinds": ["app_event"], "limit": 2}));
    assert_eq!(seqs(&ticks["events"]), [3, 4]);
    assert_eq!(ticks["cursor"], 4);
    let claims = bench.ok("events.since", json!({"kinds": ["session_claimed"]}));
    assert_eq!((seqs(&claims["events"]), &claims["cursor"]), (vec![2], &json!(10)));
    let beyond = bench.ok("events.since", json!({"since": 99}));
    assert_eq!((&beyond["events"], &beyond["cursor"]), (&json!([]), &json!(99)));
    assert_eq!(bench.error_type("events.since", json!({"kinds": ["x"]})), "invalid_request");
}

/// BRG-RPC-07
#[test]
fn so_many_events_are_retained_per_session() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    let quiet = bench.app("quiet");
    busy(&mut bench, &app, 300);
    let page = bench.ok("events.since", json!({"selector": "a"}));
    assert_eq!(seqs(&page["events"]), (47..=302).collect::<Vec<_>>());
    let page = bench.ok("events.since", json!({"selector": quiet.id}));
    assert_eq!(seqs(&page["events"]), [1, 2]);
    let mut bench = Bench::configured(|config| config.event_buffer_size = 2);
    let app = bench.app("a");
    busy(&mut bench, &app, 5);
    assert_eq!(seqs(&bench.ok("events.since", json!({}))["events"]), [6, 7]);
}

/// BRG-RPC-07
#[test]
fn progress_is_not_retained_and_events_go_with_the_session() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let (_, call) = bench.call(&app, "t", json!({}));
    bench.say(app.socket, app.frame("tool_call_progress", json!({"id": call})));
    bench.say(app.socket, app.result(&call, json!(1)));
    let page = bench.ok("events.since", json!({}));
    let kinds: Vec<&Value> = page["events"].as_array().unwrap().iter().map(|e| &e["kind"]).collect();
    assert_eq!(kinds, ["link_created", "session_claimed", "tools_changed", "tool_call_started", "tool_call_finished"]);
    assert_eq!(seqs(&page["events"]), [1, 2, 3, 4, 6], "progress counts");
    assert_eq!(page["events"][4]["data"]["outcome"], "ok");
    bench.ok("sessions.revoke", json!({}));
    assert_eq!(bench.error_type("events.since", json!({"selector": app.id})), "unknown_session");
}

/// FIFO on one socket: a change is told before the result that follows it (`BRG-MCP-14`).
#[test]
fn a_change_is_told_before_the_result_behind_it() {
    let mut bench = Bench::new();
    let app = bench.app("a");
    bench.register_tools(&app, &["t"]);
    let operator = bench.operator;
    bench.ask(operator, "events.subscribe", json!({}));
    let (id, call) = bench.call(&app, "t", json!({}));
    bench.register_resources(&app, &["new"]);
    bench.say(app.socket, app.result(&call, json!(1)));
    let lines = &bench.lines[&operator];
    let at = |wanted: &dyn Fn(&Value) -> bool| lines.iter().position(wanted).unwrap();
    let change = at(&|line| line["params"]["kind"] == "resources_changed");
    let finished = at(&|line| line["params"]["kind"] == "tool_call_finished");
    let answer = at(&|line| line["id"] == id);
    assert!(change < finished && finished < answer);
}

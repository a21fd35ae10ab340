//! Each watcher is fed a transcript that keeps its promise, and one or more that break it.

use super::*;
use crate::transcript::metadata::{AppMetadata, ClientMetadata, DaemonMetadata};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::transcript::{Direction, Payload, Wire};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A transcript in the making: each line is one thing that travelled.
struct Sample {
    records: Vec<Record>,
    metadata: RunMetadata,
}

impl Sample {
    fn new() -> Self {
        let client = |connection| ClientMetadata {
            actor: "agent".into(),
            connection,
            revision: Some("2025-06-18".into()),
            ..ClientMetadata::default()
        };
        let app =
            |session: &str, alias: &str| AppMetadata { sessions: vec![session.into()], aliases: vec![alias.into()] };
        Self {
            records: Vec::new(),
            metadata: RunMetadata {
                run: "x/y".into(),
                scheme: "bridge".into(),
                prefix: "bridge".into(),
                clients: vec![client(1)],
                apps: BTreeMap::from([("phone".into(), app("s1", "pixel")), ("tablet".into(), app("s2", "ipad"))]),
                secrets: BTreeSet::from(["A-very-secret-token-of-some-length".into()]),
                daemons: vec![DaemonMetadata { asked: true, died: false }],
                ..RunMetadata::default()
            },
        }
    }

    fn push(mut self, wire: Wire, direction: Direction, payload: Payload) -> Self {
        let actor = match wire {
            Wire::App => "phone",
            Wire::Mcp => "agent",
            Wire::Rpc => "operator",
            _ => "daemon",
        };
        let seq = self.records.len() as u64 + 1;
        self.records.push(Record { seq, at_us: seq, ..Record::seen(wire, actor, 1, direction, payload) });
        self
    }

    fn tell(self, wire: Wire, value: Value) -> Self {
        self.push(wire, Direction::ToDaemon, Payload::Text { text: value.to_string() })
    }

    fn told(self, wire: Wire, value: Value) -> Self {
        self.told_text(wire, &value.to_string())
    }

    fn told_text(self, wire: Wire, text: &str) -> Self {
        self.push(wire, Direction::FromDaemon, Payload::Text { text: text.into() })
    }

    /// A complete handshake with these capabilities.
    fn handshake(self, capabilities: Value) -> Self {
        self.tell(Wire::Mcp, json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}))
            .told(Wire::Mcp, json!({"jsonrpc": "2.0", "id": 0, "result": {"capabilities": capabilities}}))
            .tell(Wire::Mcp, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    }

    fn ask(self, wire: Wire, id: u64, method: &str, params: Value) -> Self {
        self.tell(wire, json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    fn answer(self, wire: Wire, id: u64, result: Value) -> Self {
        self.told(wire, json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }

    fn notify(self, method: &str, params: Value) -> Self {
        self.told(Wire::Mcp, json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn verdict(&self, watcher: &str) -> Option<Verdict> {
        let id = format!("x/y:watch/{watcher}");
        let result = judge(&self.records, &self.metadata).into_iter().find(|result| result.id == id)?;
        if result.verdict == Verdict::Fail {
            assert!(!result.message.is_empty() && !result.evidence.is_empty() || watcher == "survival", "{result:?}");
        }
        Some(result.verdict)
    }

    #[track_caller]
    fn keeps(self, watcher: &str) {
        assert_eq!(self.verdict(watcher), Some(Verdict::Pass), "{watcher}");
    }

    #[track_caller]
    fn breaks(self, watcher: &str) {
        assert_eq!(self.verdict(watcher), Some(Verdict::Fail), "{watcher}");
    }
}

const ALL: &str = r#"{"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}}"#;

fn all() -> Value {
    serde_json::from_str(ALL).unwrap()
}

fn call(id: &str, session: &str) -> Value {
    json!({"type": "tool_call", "session_id": session, "id": id, "name": "t", "args": {}})
}

fn ack(session: &str) -> Value {
    json!({"type": "session_ack", "session_id": session, "status": "ok", "alias": "pixel", "resume_token": "r",
        "keepalive_interval_s": 15, "grace_s": 60})
}

#[test]
fn names_and_promises_are_sound() {
    let names: BTreeSet<_> = WATCHERS.iter().map(|watcher| watcher.name).collect();
    assert_eq!(names.len(), WATCHERS.len());
    for promise in WATCHERS.iter().flat_map(|watcher| watcher.promises) {
        assert!(crate::requirements::Catalogue::builtin().promise(promise).is_some(), "{promise}");
    }
}

#[test]
fn an_empty_transcript_proves_nothing() {
    let sample = Sample { metadata: RunMetadata::default(), records: Vec::new() };
    assert!(judge(&sample.records, &sample.metadata).is_empty());
}

#[test]
fn strict_app_frames() {
    Sample::new().told(Wire::App, ack("s1")).keeps("strict-app-frames");
    Sample::new().told_text(Wire::App, "{\"type\":").breaks("strict-app-frames");
    Sample::new()
        .told_text(Wire::App, "{\"type\":\"session_ack\",\"type\":\"session_ack\"}")
        .breaks("strict-app-frames");
    Sample::new().told(Wire::App, json!({"type": "hello"})).breaks("strict-app-frames");
    let long =
        json!({"type": "tool_call", "session_id": "s1", "id": "1", "name": "t", "args": {"x": "y".repeat(262_144)}});
    Sample::new().told(Wire::App, long).breaks("strict-app-frames");
    let bytes = Payload::Bytes { what: "binary".into(), base64: String::new() };
    Sample::new().push(Wire::App, Direction::FromDaemon, bytes).breaks("strict-app-frames");
    // An HTTP answer instead of the upgrade is no frame, and does not excuse what comes on another socket.
    let refused = || {
        let answer = Payload::Bytes { what: "raw".into(), base64: STANDARD.encode("HTTP/1.1 400 Bad Request\r\n\r\n") };
        Sample::new().push(Wire::App, Direction::FromDaemon, answer)
    };
    assert_eq!(refused().verdict("strict-app-frames"), None);
    assert_eq!(refused().verdict("silent-after-close"), Some(Verdict::Pass));
    refused().told_text(Wire::App, "{\"type\":").breaks("strict-app-frames");
}

#[test]
fn strict_lines() {
    for (wire, name) in [(Wire::Rpc, "strict-rpc-lines"), (Wire::Mcp, "strict-mcp-lines")] {
        Sample::new().answer(wire, 1, json!({})).keeps(name);
        for wrong in [
            "no json",
            "[]",
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#,
            r#"{"id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        ] {
            Sample::new().told_text(wire, wrong).breaks(name);
        }
    }
}

#[test]
fn answers_belong_to_requests() {
    for (wire, name) in [(Wire::Rpc, "rpc-answers"), (Wire::Mcp, "mcp-answers")] {
        let asked = || Sample::new().ask(wire, 1, "x", json!({}));
        asked().answer(wire, 1, json!({})).keeps(name);
        asked().answer(wire, 2, json!({})).breaks(name);
        asked().answer(wire, 1, json!({})).answer(wire, 1, json!({})).breaks(name);
        asked().told(wire, json!({"jsonrpc": "2.0", "id": "1", "result": {}})).breaks(name);
        let refusal = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "m"}});
        asked().told(wire, refusal.clone()).breaks(name);
        let garbage = Payload::Text { text: "garbage".into() };
        Sample::new().push(wire, Direction::ToDaemon, garbage).told(wire, refusal).keeps(name);
        // Requests are requests in whatever pieces they are written.
        let piece = |bytes: &[u8]| Payload::Bytes { what: "raw".into(), base64: STANDARD.encode(bytes) };
        let pieces =
            [&b"\r\n{\"jsonrpc\":\"2.0\",\"id\":1,"[..], b"\"method\":\"x\"}\r\n{\"id\":2,\"method\":\"x\"}\n{"];
        let written =
            pieces.iter().fold(Sample::new(), |sample, bytes| sample.push(wire, Direction::ToDaemon, piece(bytes)));
        written.answer(wire, 2, json!({})).answer(wire, 1, json!({})).keeps(name);
        Sample::new().push(wire, Direction::ToDaemon, piece(pieces[0])).answer(wire, 1, json!({})).breaks(name);
    }
}

#[test]
fn nothing_before_the_handshake() {
    Sample::new().handshake(all()).notify("notifications/tools/list_changed", json!({})).keeps("handshake-first");
    Sample::new()
        .tell(Wire::Mcp, json!({"jsonrpc": "2.0", "id": 0, "method": "initialize"}))
        .notify("notifications/tools/list_changed", json!({}))
        .breaks("handshake-first");
}

#[test]
fn without_a_handshake_everything_belongs_to_a_stream() {
    let uri = "bridge://pixel/cart";
    let listen = || {
        let version = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
        let params = json!({"notifications": {"resourceSubscriptions": [uri]}, "_meta": version});
        Sample::new().ask(Wire::Mcp, 7, "subscriptions/listen", params)
    };
    let on = |stream: u64| json!({"io.modelcontextprotocol/subscriptionId": stream});
    let acknowledged = |stream: u64| {
        let params = json!({"notifications": {"resourceSubscriptions": [uri]}, "_meta": on(stream)});
        listen().notify("notifications/subscriptions/acknowledged", params)
    };
    let updated = "notifications/resources/updated";
    for watcher in ["handshake-first", "subscribed-only"] {
        acknowledged(7).notify(updated, json!({"uri": uri, "_meta": on(7)})).keeps(watcher);
    }
    acknowledged(7).notify(updated, json!({"uri": "bridge://ipad/cart", "_meta": on(7)})).breaks("subscribed-only");
    acknowledged(8).breaks("handshake-first");
    acknowledged(7).notify("notifications/resources/list_changed", json!({})).breaks("handshake-first");
    listen().notify(updated, json!({"uri": uri, "_meta": on(7)})).breaks("handshake-first");
}

#[test]
fn only_what_was_declared() {
    Sample::new().handshake(all()).notify("notifications/resources/list_changed", json!({})).keeps("declared-only");
    let less = json!({"tools": {"listChanged": true}, "resources": {}});
    for method in ["notifications/resources/list_changed", "notifications/resources/updated", "sampling/createMessage"]
    {
        Sample::new().handshake(less.clone()).notify(method, json!({})).breaks("declared-only");
    }
}

#[test]
fn only_what_was_subscribed() {
    let uri = || json!({"uri": "bridge://pixel/cart"});
    let subscribed = || {
        let sample = Sample::new().handshake(all()).ask(Wire::Mcp, 1, "resources/subscribe", uri());
        sample.answer(Wire::Mcp, 1, json!({}))
    };
    subscribed().notify("notifications/resources/updated", uri()).keeps("subscribed-only");
    let other = json!({"uri": "bridge://ipad/cart"});
    subscribed().notify("notifications/resources/updated", other).breaks("subscribed-only");
    let asked = Sample::new().ask(Wire::Mcp, 1, "resources/subscribe", uri());
    asked.notify("notifications/resources/updated", uri()).answer(Wire::Mcp, 1, json!({})).breaks("subscribed-only");
    let ended = subscribed().ask(Wire::Mcp, 2, "resources/unsubscribe", uri()).answer(Wire::Mcp, 2, json!({}));
    ended.notify("notifications/resources/updated", uri()).breaks("subscribed-only");
}

#[test]
fn nothing_of_another_era() {
    let icon = json!([{"src": "https://x/y.png"}]);
    let listed = |icons: Option<&Value>| {
        let mut resource = json!({"uri": "bridge://pixel/cart", "name": "cart"});
        if let Some(icons) = icons {
            resource["icons"] = icons.clone();
        }
        Sample::new().ask(Wire::Mcp, 1, "resources/list", json!({})).answer(
            Wire::Mcp,
            1,
            json!({"resources": [resource]}),
        )
    };
    listed(None).keeps("era");
    listed(Some(&icon)).breaks("era");
    Sample::new().answer(Wire::Mcp, 1, json!({"tools": [], "ttlMs": 0})).breaks("era");
    let mut newer = listed(Some(&icon));
    newer.metadata.clients[0].revision = Some("2025-11-25".into());
    newer.keeps("era");
}

#[test]
fn lists() {
    let tools = |tools: Value| Sample::new().answer(Wire::Mcp, 1, json!({"tools": tools}));
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    tools(json!([tool("a"), tool("b")])).keeps("lists-well-formed");
    tools(json!([tool("a"), tool("a")])).breaks("lists-well-formed");
    tools(json!([tool(&"a".repeat(65))])).breaks("lists-well-formed");
    tools(json!([tool("a.b")])).breaks("lists-well-formed");
    tools(json!([{"name": "a", "inputSchema": {"type": "string"}}])).breaks("lists-well-formed");
    tools(json!([{"name": "a"}])).breaks("lists-well-formed");
    tools(json!([{"name": "a", "inputSchema": {"type": "object"}, "title": null}])).breaks("lists-well-formed");
    let resources = |resource: Value| Sample::new().answer(Wire::Mcp, 1, json!({"resources": [resource]}));
    resources(json!({"uri": "bridge://pixel/cart", "name": "cart"})).keeps("lists-well-formed");
    resources(json!({"uri": "cart", "name": "cart"})).breaks("lists-well-formed");
    resources(json!({"uri": "bridge://pixel/cart"})).breaks("lists-well-formed");
}

#[test]
fn progress() {
    let begun = || Sample::new().ask(Wire::Mcp, 1, "tools/call", json!({"_meta": {"progressToken": "p"}}));
    let at = |token: Value, progress: f64| json!({"progressToken": token, "progress": progress});
    let told_progress =
        |sample: Sample, token: Value, progress| sample.notify("notifications/progress", at(token, progress));
    told_progress(told_progress(begun(), json!("p"), 1.0), json!("p"), 2.0)
        .answer(Wire::Mcp, 1, json!({}))
        .keeps("progress");
    told_progress(begun(), json!("q"), 1.0).breaks("progress");
    told_progress(told_progress(begun(), json!("p"), 1.0), json!("p"), 1.0).breaks("progress");
    told_progress(begun().answer(Wire::Mcp, 1, json!({})), json!("p"), 1.0).breaks("progress");
}

#[test]
fn provenance() {
    let read = |text: &str| {
        let sample = Sample::new().ask(Wire::Mcp, 1, "resources/read", json!({"uri": "bridge://pixel/cart"}));
        sample.answer(Wire::Mcp, 1, json!({"contents": [{"uri": "bridge://pixel/cart", "text": text}]}))
    };
    read("iolite-stamp app=phone session=s1 read=r1 resource=cart").keeps("provenance");
    read("iolite-stamp app=tablet session=s2 read=r1 resource=cart").breaks("provenance");
    read("iolite-stamp app=phone session=s1 read=r1 resource=user").breaks("provenance");
    let call = Sample::new().ask(Wire::Rpc, 1, "tools.call", json!({"selector": "ipad", "name": "t"}));
    let stamp = "iolite-stamp app=phone session=s1 call=c1 tool=t";
    call.answer(Wire::Rpc, 1, json!({"result": stamp})).breaks("provenance");
}

#[test]
fn secrets() {
    let token = "A-very-secret-token-of-some-length";
    Sample::new().answer(Wire::Rpc, 1, json!({"deepLinkPayload": format!("AgQ{token}AAAA")})).keeps("secrets");
    Sample::new().told(Wire::App, json!({"resume_token": token})).keeps("secrets");
    Sample::new().answer(Wire::Rpc, 1, json!({"token": token})).breaks("secrets");
    let stderr = Payload::Stderr { text: format!("claim with {token}!") };
    Sample::new().push(Wire::Process, Direction::FromDaemon, stderr).breaks("secrets");
}

#[test]
fn messages_cut_short() {
    let note = |text: &str| Payload::Note { text: text.into() };
    let rest = |what: &str| Payload::Bytes { what: what.into(), base64: String::new() };
    let truncated = "violation: the connection ended in the middle of a message";
    let killed = |wire, text: &str| Sample::new().push(wire, Direction::Local, note(text));
    for (wire, what, watcher) in
        [(Wire::Rpc, "unfinished", "strict-rpc-lines"), (Wire::App, truncated, "strict-app-frames")]
    {
        let at_end =
            |sample: Sample| sample.push(wire, Direction::FromDaemon, rest(what)).answer(Wire::Rpc, 1, json!({}));
        at_end(Sample::new()).breaks(watcher);
        at_end(killed(Wire::Process, "asked to end by SIGTERM")).breaks(watcher);
        let again = Payload::Opened { detail: "daemon".into() };
        at_end(killed(Wire::Process, "asked to end by SIGKILL").push(Wire::Process, Direction::Local, again))
            .breaks(watcher);
        let acked = at_end(killed(Wire::Process, "asked to end by SIGKILL")).told(Wire::App, ack("s1"));
        acked.keeps(watcher);
    }
    let rest_of_line = |sample: Sample| {
        let sample = sample.push(Wire::Mcp, Direction::FromDaemon, rest("unterminated"));
        sample.answer(Wire::Mcp, 1, json!({}))
    };
    rest_of_line(Sample::new()).breaks("strict-mcp-lines");
    rest_of_line(killed(Wire::Process, "asked to end by SIGKILL")).breaks("strict-mcp-lines");
    rest_of_line(killed(Wire::Mcp, "sent SIGKILL to the process")).keeps("strict-mcp-lines");
}

#[test]
fn app_wire() {
    let acked = || Sample::new().told(Wire::App, ack("s1"));
    acked().told(Wire::App, call("c1", "s1")).told(Wire::App, call("c2", "s1")).keeps("call-ids");
    acked().told(Wire::App, call("c1", "s1")).told(Wire::App, call("c1", "s1")).breaks("call-ids");
    acked().told(Wire::App, call("c1", "s2")).breaks("call-ids");
    let close = || Payload::Close { code: Some(1000), reason: String::new() };
    let closed = || acked().push(Wire::App, Direction::FromDaemon, close());
    closed().keeps("silent-after-close");
    closed().told(Wire::App, call("c1", "s1")).breaks("silent-after-close");
    let late = || Payload::Bytes { what: "violation: a frame followed the close frame".into(), base64: String::new() };
    let closed_late = || closed().push(Wire::App, Direction::FromDaemon, late());
    for watcher in ["silent-after-close", "strict-app-frames"] {
        closed().push(Wire::App, Direction::FromDaemon, Payload::Pong).keeps(watcher);
        closed_late().push(Wire::App, Direction::FromDaemon, Payload::Ping).breaks(watcher);
        closed_late().told(Wire::App, call("c1", "s1")).breaks(watcher);
    }
}

#[test]
fn event_numbers() {
    let event =
        |number: u64| json!({"jsonrpc": "2.0", "method": "event", "params": {"sessionId": "s1", "seq": number}});
    let listening = || Sample::new().ask(Wire::Rpc, 1, "events.subscribe", json!({}));
    listening().told(Wire::Rpc, event(1)).told(Wire::Rpc, event(3)).keeps("event-numbers");
    listening().told(Wire::Rpc, event(2)).told(Wire::Rpc, event(2)).breaks("event-numbers");
}

#[test]
fn survival() {
    Sample::new().keeps("survival");
    let mut dead = Sample::new();
    dead.metadata.daemons[0] = DaemonMetadata { asked: false, died: true };
    dead.breaks("survival");
}

#[test]
fn mcp_survival() {
    let exit = || Payload::Exit { code: Some(0), signal: None };
    let met = || Sample::new().handshake(all());
    let ended = |sample: Sample| sample.push(Wire::Mcp, Direction::Local, exit());
    let noted =
        |sample: Sample, text: &str| sample.push(Wire::Mcp, Direction::Local, Payload::Note { text: text.into() });
    met().keeps("mcp-survival");
    ended(met()).breaks("mcp-survival");
    ended(noted(met(), "closed the server's input")).keeps("mcp-survival");
    noted(ended(met()), "closed the server's input").breaks("mcp-survival");
    noted(ended(met()), "sent SIGKILL to the process").keeps("mcp-survival");
    ended(noted(met(), "sent SIGCONT to the process")).breaks("mcp-survival");
    let mut unmet = ended(Sample::new());
    unmet.metadata.clients[0].revision = None;
    assert_eq!(unmet.verdict("mcp-survival"), None);
}

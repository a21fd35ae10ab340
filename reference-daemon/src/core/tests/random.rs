//! Whatever arrives, in whatever order: nothing panics, and the promises that hold at every moment hold.

use super::bench::{Bench, claim, resource, resume, text, tool};
use crate::core::io::{ConnectionId, Input, Output, SocketId};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// One random thing that happens. Numbers choose among what exists.
#[derive(Clone, Debug)]
enum Step {
    Open,
    Link,
    Claim { socket: u8, link: u8, right: bool },
    Resume { socket: u8, ack: u8 },
    Frame { socket: u8, frame: u8 },
    Text { socket: u8, text: String },
    Answer { socket: u8, sent: u8, kind: u8 },
    Binary { socket: u8 },
    Pong { socket: u8 },
    HangUp { socket: u8 },
    Connect,
    Ask { connection: u8, method: u8, selector: u8 },
    Line { connection: u8, line: Vec<u8> },
    Disconnect { connection: u8 },
    Advance { ms: u32 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let small = || any::<u8>();
    let step = prop_oneof![
        3 => Just(Step::Open),
        2 => Just(Step::Link),
        6 => (small(), small(), prop::bool::weighted(0.8))
            .prop_map(|(socket, link, right)| Step::Claim { socket, link, right }),
        3 => (small(), small()).prop_map(|(socket, ack)| Step::Resume { socket, ack }),
        8 => (small(), small()).prop_map(|(socket, frame)| Step::Frame { socket, frame }),
        1 => (small(), "[{}\":a-z0-9,\\[\\]]{0,30}").prop_map(|(socket, text)| Step::Text { socket, text }),
        6 => (small(), small(), small()).prop_map(|(socket, sent, kind)| Step::Answer { socket, sent, kind }),
        1 => small().prop_map(|socket| Step::Binary { socket }),
        1 => small().prop_map(|socket| Step::Pong { socket }),
        2 => small().prop_map(|socket| Step::HangUp { socket }),
        1 => Just(Step::Connect),
        12 => (small(), small(), small())
            .prop_map(|(connection, method, selector)| Step::Ask { connection, method, selector }),
        1 => (small(), prop::collection::vec(any::<u8>(), 0..40))
            .prop_map(|(connection, line)| Step::Line { connection, line }),
        1 => small().prop_map(|connection| Step::Disconnect { connection }),
        3 => (0..70_000u32).prop_map(|ms| Step::Advance { ms }),
    ];
    prop::collection::vec(step, 0..120)
}

/// What the random known knows, and what it watches.
#[derive(Default)]
struct Known {
    sockets: Vec<SocketId>,
    links: Vec<(String, String)>,
    connections: Vec<ConnectionId>,
    opened: u64,
    requests: u64,
    closed: HashSet<SocketId>,
    ended: HashSet<ConnectionId>,
    asked: HashMap<(ConnectionId, u64), usize>,
}

fn pick<T: Clone>(from: &[T], number: u8) -> Option<T> {
    from.get(usize::from(number) % from.len().max(1)).cloned()
}

impl Known {
    /// No output for what is closed or gone.
    fn watch(&mut self, outputs: &[Output]) {
        for output in outputs {
            match output {
                Output::SendText { socket, .. } | Output::SendPing { socket } => {
                    assert!(!self.closed.contains(socket), "{output:?}");
                }
                Output::Close { socket, .. } | Output::Drop { socket } => {
                    assert!(self.closed.insert(*socket), "{output:?}");
                }
                Output::RpcSend { connection, .. } => {
                    assert!(!self.ended.contains(connection), "{output:?}");
                }
                Output::RpcEnd { connection } => {
                    assert!(self.ended.insert(*connection), "{output:?}");
                }
                _ => (),
            }
        }
    }
}

const METHODS: [&str; 13] = [
    "daemon.status",
    "link.create",
    "sessions.list",
    "sessions.describe",
    "sessions.revoke",
    "tools.list",
    "tools.call",
    "tools.cancel",
    "events.subscribe",
    "events.since",
    "resources.list",
    "resources.read",
    "no.such.method",
];

fn acks(bench: &Bench) -> Vec<Value> {
    let mut acks: Vec<Value> =
        bench.texts.values().flatten().filter(|frame| frame["type"] == "session_ack").cloned().collect();
    acks.sort_by_key(Value::to_string);
    acks
}

/// The session id a socket was acked with, if it was.
fn session_of(bench: &Bench, socket: SocketId) -> String {
    let frames = bench.texts.get(&socket);
    text(&frames.map_or(Value::Null, |frames| frames[0]["session_id"].clone()))
}

fn input(bench: &mut Bench, known: &mut Known, step: &Step) -> Option<Input> {
    let say = |socket, frame: Value| Input::SocketText { socket, text: frame.to_string() };
    Some(match step {
        Step::Open => {
            known.opened += 1;
            let socket = SocketId(1_000_000 + known.opened);
            known.sockets.push(socket);
            Input::SocketOpened { socket }
        }
        Step::Link => {
            let link = bench.link();
            known.links.push(link);
            return None;
        }
        Step::Claim { socket, link, right } => {
            let (id, token) = pick(&known.links, *link)?;
            let token = if *right { token } else { "wrong".to_owned() };
            say(pick(&known.sockets, *socket)?, claim(&id, &token, "Pixel"))
        }
        Step::Resume { socket, ack } => {
            let ack = pick(&acks(bench), *ack)?;
            let frame = resume(&text(&ack["session_id"]), &text(&ack["resume_token"]));
            say(pick(&known.sockets, *socket)?, frame)
        }
        Step::Frame { socket, frame } => {
            let socket = pick(&known.sockets, *socket)?;
            let mut frame = match frame % 7 {
                0 => json!({"type": "tool_registry_snapshot", "tools": [tool("t"), tool("u")]}),
                1 => json!({"type": "resource_registry_snapshot", "resources": [resource("t")]}),
                2 => json!({"type": "tool_registry_delta", "operation": "remove", "name": "u"}),
                3 => json!({"type": "resource_registry_delta", "operation": "upsert", "resource": resource("u")}),
                4 => json!({"type": "event", "name": "e", "ts": 0}),
                5 => json!({"type": "tool_registry_snapshot", "tools": 7}),
                _ => json!({"type": "nonsense"}),
            };
            frame["session_id"] = session_of(bench, socket).into();
            say(socket, frame)
        }
        Step::Text { socket, text } => Input::SocketText { socket: pick(&known.sockets, *socket)?, text: text.clone() },
        Step::Answer { socket, sent, kind } => {
            let socket = pick(&known.sockets, *socket)?;
            let sent = pick(bench.texts.get(&socket)?, *sent)?;
            let id = sent["id"].clone();
            let mut frame = match kind % 4 {
                0 => json!({"type": "tool_result", "id": id, "result": 1}),
                1 => json!({"type": "resource_result", "id": id, "contents": []}),
                2 => json!({"type": "tool_call_progress", "id": id}),
                _ => {
                    let error = json!({"type": "tool_cancelled", "message": "m"});
                    json!({"type": "tool_error", "id": id, "error": error})
                }
            };
            frame["session_id"] = session_of(bench, socket).into();
            say(socket, frame)
        }
        Step::Binary { socket } => Input::SocketBinary { socket: pick(&known.sockets, *socket)? },
        Step::Pong { socket } => Input::SocketPong { socket: pick(&known.sockets, *socket)? },
        Step::HangUp { socket } => {
            let socket = pick(&known.sockets, *socket)?;
            known.sockets.retain(|open| *open != socket);
            known.closed.insert(socket);
            Input::SocketClosed { socket }
        }
        Step::Connect => {
            let connection = ConnectionId(1_000_000 + known.connections.len() as u64);
            known.connections.push(connection);
            Input::RpcOpened { connection }
        }
        Step::Ask { connection, method, selector } => {
            let connection = pick(&known.connections, *connection)?;
            known.requests += 1;
            let id = known.requests;
            if !known.ended.contains(&connection) {
                known.asked.insert((connection, id), 1);
            }
            let mut params = json!({"name": "t", "callId": "x"});
            if let (Some(ack), true) = (pick(&acks(bench), *selector), selector % 4 != 0) {
                params["selector"] = ack["session_id"].clone();
            }
            let method = METHODS[usize::from(*method) % METHODS.len()];
            let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            Input::RpcLine { connection, line: line.to_string().into_bytes() }
        }
        Step::Line { connection, line } => {
            Input::RpcLine { connection: pick(&known.connections, *connection)?, line: line.clone() }
        }
        Step::Disconnect { connection } => {
            let connection = pick(&known.connections, *connection)?;
            known.ended.insert(connection);
            known.asked.retain(|(asker, _), _| *asker != connection);
            Input::RpcClosed { connection }
        }
        Step::Advance { ms } => {
            bench.advance(u64::from(*ms));
            return None;
        }
    })
}

fn check_aliases(bench: &mut Bench) {
    let listed = bench.ok("sessions.list", json!({}));
    let sessions = listed["sessions"].as_array().unwrap();
    let aliases: HashSet<String> = sessions.iter().map(|session| text(&session["alias"])).collect();
    assert_eq!(aliases.len(), sessions.len(), "{listed}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    /// No panic; no output for a closed socket or connection; every request is answered exactly once.
    #[test]
    fn promises_hold_at_every_moment(steps in steps()) {
        let mut bench = Bench::new();
        let mut known = Known::default();
        for step in &steps {
            let before = bench.outputs.len();
            if let Some(input) = input(&mut bench, &mut known, step) {
                bench.put(input);
            }
            known.watch(&bench.outputs[before..]);
            check_aliases(&mut bench);
        }
        // Whatever is in flight ends by its deadline at the latest.
        let before = bench.outputs.len();
        bench.advance(700_000);
        known.watch(&bench.outputs[before..]);
        for ((connection, id), times) in known.asked {
            prop_assert_eq!(bench.answers(connection, id).len(), times);
        }
    }
}

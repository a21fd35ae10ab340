//! A daemon on a bench: a core, a clock that stands still, and everything it ever said, sorted.

use crate::core::Core;
use crate::core::audit::AuditRecord;
use crate::core::io::{ConnectionId, CoreConfig, Entropy, Input, Now, Output, SocketId, Timer};
use crate::faults;
use crate::rules::Rules;
use iolite_protocol::bootstrap::Link;
use iolite_protocol::close::Close;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Bytes that count up: never twice the same id, and the same in every run.
pub(super) struct Counter(pub(super) u64);

impl Entropy for Counter {
    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            self.0 += 1;
            let scrambled = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
            chunk.copy_from_slice(&scrambled[..chunk.len()]);
        }
    }
}

/// A daemon, and what it said.
pub(super) struct Bench {
    pub(super) core: Core,
    pub(super) now: Now,
    pub(super) timers: BTreeMap<Timer, Now>,
    pub(super) texts: HashMap<SocketId, Vec<Value>>,
    pub(super) closes: HashMap<SocketId, Close>,
    pub(super) dropped: HashSet<SocketId>,
    pub(super) pings: HashMap<SocketId, usize>,
    pub(super) lines: HashMap<ConnectionId, Vec<Value>>,
    pub(super) ended: HashSet<ConnectionId>,
    pub(super) audit: Vec<AuditRecord>,
    pub(super) log: Vec<String>,
    pub(super) stopped: bool,
    pub(super) operator: ConnectionId,
    /// Every output, in its order.
    pub(super) outputs: Vec<Output>,
    /// What they should be; once they are something else, nothing goes on.
    pub(super) expected: Option<Vec<Output>>,
    diverged: bool,
    next: u64,
}

/// An app in its session.
#[derive(Clone, Debug)]
pub(super) struct App {
    pub(super) socket: SocketId,
    pub(super) id: String,
    pub(super) alias: String,
    pub(super) token: String,
    pub(super) resume_token: String,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(CoreConfig::default(), Rules::default())
    }

    pub(super) fn configured(change: impl FnOnce(&mut CoreConfig)) -> Self {
        let mut config = CoreConfig::default();
        change(&mut config);
        Self::with(config, Rules::default())
    }

    pub(super) fn bent(fault: &str) -> Self {
        Self::with(CoreConfig::default(), faults::bent(fault).unwrap())
    }

    pub(super) fn with(config: CoreConfig, rules: Rules) -> Self {
        let config = CoreConfig {
            pin: format!("sha256/{}=", "B".repeat(43)),
            pinned_keys: vec![format!("sha256/{}=", "B".repeat(43))],
            wss_port: 7443,
            ..config
        };
        let mut bench = Self {
            core: Core::new(config, rules, Box::new(Counter(0))),
            now: Now { unix_ms: 1_785_231_000_250 },
            timers: BTreeMap::new(),
            texts: HashMap::new(),
            closes: HashMap::new(),
            dropped: HashSet::new(),
            pings: HashMap::new(),
            lines: HashMap::new(),
            ended: HashSet::new(),
            audit: Vec::new(),
            log: Vec::new(),
            stopped: false,
            operator: ConnectionId(0),
            outputs: Vec::new(),
            expected: None,
            diverged: false,
            next: 0,
        };
        bench.operator = bench.connect();
        bench
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Hands one input over and sorts what comes out.
    pub(super) fn put(&mut self, input: Input) -> Vec<Output> {
        if self.diverged {
            return Vec::new();
        }
        let outputs = self.core.handle(self.now, input);
        let before = self.outputs.len();
        self.outputs.extend(outputs.iter().cloned());
        self.diverged = self
            .expected
            .as_ref()
            .is_some_and(|expected| expected.get(before..self.outputs.len()) != Some(&self.outputs[before..]));
        for output in outputs.clone() {
            match output {
                Output::SendText { socket, text } => {
                    let frame = serde_json::from_str(&text).unwrap();
                    self.texts.entry(socket).or_default().push(frame);
                }
                Output::SendPing { socket } => *self.pings.entry(socket).or_default() += 1,
                Output::Close { socket, close } => {
                    assert_eq!(self.closes.insert(socket, close), None, "closed twice");
                }
                Output::Drop { socket } => assert!(self.dropped.insert(socket)),
                Output::RpcSend { connection, line } => {
                    assert!(!line.contains('\n'));
                    let line = serde_json::from_str(&line).unwrap();
                    self.lines.entry(connection).or_default().push(line);
                }
                Output::RpcEnd { connection } => assert!(self.ended.insert(connection)),
                Output::SetTimer { timer, at } => drop(self.timers.insert(timer, at)),
                Output::CancelTimer { timer } => drop(self.timers.remove(&timer)),
                Output::Audit(record) => self.audit.push(*record),
                Output::Log { message, .. } => self.log.push(message),
                Output::Stop => self.stopped = true,
            }
        }
        outputs
    }

    /// Moves the clock, firing what is due at its own time.
    pub(super) fn advance(&mut self, ms: u64) {
        let end = self.now.plus(ms);
        while let Some((timer, at)) = self
            .timers
            .iter()
            .map(|(timer, at)| (*timer, *at))
            .filter(|(_, at)| *at <= end)
            .min_by_key(|(timer, at)| (*at, *timer))
        {
            self.timers.remove(&timer);
            self.now = self.now.max(at);
            self.put(Input::TimerFired { timer });
        }
        self.now = end;
    }

    /// Moves the clock while every open socket answers its pings.
    pub(super) fn advance_lively(&mut self, ms: u64) {
        let mut left = ms;
        while left > 0 {
            let step = left.min(10_000);
            self.advance(step);
            left -= step;
            let sockets: Vec<SocketId> = self.pings.keys().copied().collect();
            for socket in sockets {
                self.put(Input::SocketPong { socket });
            }
        }
    }

    pub(super) fn open(&mut self) -> SocketId {
        let socket = SocketId(self.number());
        self.put(Input::SocketOpened { socket });
        socket
    }

    pub(super) fn say(&mut self, socket: SocketId, frame: Value) {
        self.put(Input::SocketText { socket, text: frame.to_string() });
    }

    pub(super) fn say_text(&mut self, socket: SocketId, text: &str) {
        self.put(Input::SocketText { socket, text: text.to_owned() });
    }

    /// The peer has closed, or is gone.
    pub(super) fn hang_up(&mut self, socket: SocketId) {
        self.put(Input::SocketClosed { socket });
    }

    /// A link's session id and token.
    pub(super) fn link(&mut self) -> (String, String) {
        self.link_for(json!({}))
    }

    pub(super) fn link_for(&mut self, params: Value) -> (String, String) {
        let created = self.rpc("link.create", params);
        let payload = text(&created["result"]["deepLinkPayload"]);
        Link::decode(&payload)
            .map_or_else(|_| Default::default(), |link| (link.session_id().to_owned(), link.token_text()))
    }

    pub(super) fn claim(&mut self, id: &str, token: &str, model: &str) -> SocketId {
        let socket = self.open();
        self.say(socket, claim(id, token, model));
        socket
    }

    /// A link, a socket, a claim, an ack.
    pub(super) fn app(&mut self, model: &str) -> App {
        let (id, token) = self.link();
        let socket = self.claim(&id, &token, model);
        self.acked(socket, id, token)
    }

    fn acked(&mut self, socket: SocketId, id: String, token: String) -> App {
        let ack = self.last(socket);
        App { socket, id, alias: text(&ack["alias"]), token, resume_token: text(&ack["resume_token"]) }
    }

    /// Resumes on a new socket and returns the app as it is then.
    pub(super) fn resume(&mut self, app: &App) -> App {
        let socket = self.open();
        self.say(socket, resume(&app.id, &app.resume_token));
        self.acked(socket, app.id.clone(), app.token.clone())
    }

    /// The latest frame sent to a socket.
    pub(super) fn last(&self, socket: SocketId) -> Value {
        self.texts.get(&socket).and_then(|texts| texts.last().cloned()).unwrap_or_default()
    }

    /// All frames of a type sent to a socket.
    pub(super) fn sent(&self, socket: SocketId, kind: &str) -> Vec<Value> {
        let texts = self.texts.get(&socket).cloned().unwrap_or_default();
        texts.into_iter().filter(|text| text["type"] == kind).collect()
    }

    pub(super) fn close_of(&self, socket: SocketId) -> Option<Close> {
        self.closes.get(&socket).copied()
    }

    /// One more control connection.
    pub(super) fn connect(&mut self) -> ConnectionId {
        let connection = ConnectionId(self.number());
        self.put(Input::RpcOpened { connection });
        connection
    }

    /// Sends a request and returns its id.
    pub(super) fn ask(&mut self, connection: ConnectionId, method: &str, params: Value) -> u64 {
        let id = self.number();
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(connection, &request.to_string());
        id
    }

    pub(super) fn line(&mut self, connection: ConnectionId, line: &str) {
        self.put(Input::RpcLine { connection, line: line.as_bytes().to_vec() });
    }

    /// The answers to a request: none yet, one, or, wrongly, more.
    pub(super) fn answers(&self, connection: ConnectionId, id: u64) -> Vec<Value> {
        let lines = self.lines.get(&connection).cloned().unwrap_or_default();
        lines.into_iter().filter(|line| line["id"] == id).collect()
    }

    pub(super) fn answer(&self, connection: ConnectionId, id: u64) -> Option<Value> {
        let answers = self.answers(connection, id);
        assert!(answers.len() < 2, "{answers:?}");
        answers.into_iter().next()
    }

    /// Asks on the operator's connection; the answer must come at once.
    pub(super) fn rpc(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(self.operator, method, params);
        self.answer(self.operator, id).unwrap_or_default()
    }

    pub(super) fn ok(&mut self, method: &str, params: Value) -> Value {
        let answer = self.rpc(method, params);
        answer.get("result").unwrap_or_else(|| panic!("{method}: {answer}")).clone()
    }

    /// The error type of a request that must fail at once.
    pub(super) fn error_type(&mut self, method: &str, params: Value) -> String {
        let answer = self.rpc(method, params);
        assert_eq!(answer["error"]["code"], -32000, "{answer}");
        text(&answer["error"]["data"]["type"])
    }

    /// Starts a call on the operator's connection and returns request id and call id.
    pub(super) fn call(&mut self, app: &App, name: &str, args: Value) -> (u64, String) {
        let params = json!({"selector": app.id, "name": name, "args": args});
        let id = self.ask(self.operator, "tools.call", params);
        (id, text(&self.last(app.socket)["id"]))
    }

    /// Starts a read on the operator's connection and returns request id and read id.
    pub(super) fn read(&mut self, app: &App, name: &str) -> (u64, String) {
        let params = json!({"selector": app.id, "name": name});
        let id = self.ask(self.operator, "resources.read", params);
        (id, text(&self.last(app.socket)["id"]))
    }

    pub(super) fn operator_answer(&self, id: u64) -> Option<Value> {
        self.answer(self.operator, id)
    }

    /// What the operator was told went wrong with a request.
    pub(super) fn failure(&self, id: u64) -> String {
        let answer = self.operator_answer(id).expect("an answer");
        text(&answer["error"]["data"]["type"])
    }

    /// Registers tools of these names.
    pub(super) fn register_tools(&mut self, app: &App, names: &[&str]) {
        let tools: Vec<Value> = names.iter().map(|name| tool(name)).collect();
        self.say(app.socket, app.frame("tool_registry_snapshot", json!({"tools": tools})));
    }

    /// Registers resources of these names.
    pub(super) fn register_resources(&mut self, app: &App, names: &[&str]) {
        let resources: Vec<Value> = names.iter().map(|name| resource(name)).collect();
        let frame = app.frame("resource_registry_snapshot", json!({"resources": resources}));
        self.say(app.socket, frame);
    }

    pub(super) fn tool_names(&mut self, app: &App) -> Vec<String> {
        let listed = self.ok("tools.list", json!({"selector": app.id}));
        names(&listed["tools"])
    }

    pub(super) fn resource_names(&mut self, app: &App) -> Vec<String> {
        let listed = self.ok("resources.list", json!({"selector": app.id}));
        names(&listed["resources"])
    }

    pub(super) fn state(&mut self, app: &App) -> String {
        let sessions = self.ok("sessions.list", json!({}));
        let sessions = sessions["sessions"].as_array().unwrap().clone();
        let found = sessions.iter().find(|session| session["sessionId"] == app.id);
        found.map_or("gone".to_owned(), |session| text(&session["state"]))
    }

    /// A connection that hears everything, and nothing else.
    pub(super) fn listener(&mut self, params: Value) -> ConnectionId {
        let connection = self.connect();
        self.ask(connection, "events.subscribe", params);
        connection
    }

    /// The params of all events a connection heard.
    pub(super) fn heard(&self, connection: ConnectionId) -> Vec<Value> {
        let lines = self.lines.get(&connection).cloned().unwrap_or_default();
        lines.into_iter().filter(|line| line["method"] == "event").map(|line| line["params"].clone()).collect()
    }

    pub(super) fn heard_kinds(&self, connection: ConnectionId) -> Vec<String> {
        self.heard(connection).iter().map(|event| text(&event["kind"])).collect()
    }
}

impl App {
    /// A frame of this app: type, session id, then the other members.
    pub(super) fn frame(&self, kind: &str, rest: Value) -> Value {
        let mut frame = json!({"type": kind, "session_id": self.id});
        for (key, value) in rest.as_object().unwrap() {
            frame[key] = value.clone();
        }
        frame
    }

    pub(super) fn result(&self, id: &str, result: Value) -> Value {
        self.frame("tool_result", json!({"id": id, "result": result}))
    }

    pub(super) fn contents(&self, id: &str, contents: Value) -> Value {
        self.frame("resource_result", json!({"id": id, "contents": contents}))
    }

    pub(super) fn event(&self, name: &str, payload: Value) -> Value {
        self.frame("event", json!({"name": name, "payload": payload, "ts": 1}))
    }
}

pub(super) fn claim(id: &str, token: &str, model: &str) -> Value {
    json!({
        "type": "session_claim", "protocol_version": 2, "session_id": id, "token": token,
        "device_manufacturer": "Acme", "device_model": model, "device_os": "os 1",
    })
}

pub(super) fn resume(id: &str, token: &str) -> Value {
    json!({"type": "session_resume", "protocol_version": 2, "session_id": id, "resume_token": token})
}

pub(super) fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("does {name}")})
}

pub(super) fn resource(name: &str) -> Value {
    json!({
        "uri": format!("app://{name}"), "name": name, "description": format!("holds {name}"),
        "mime_type": "text/plain",
    })
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn names(entries: &Value) -> Vec<String> {
    entries.as_array().unwrap().iter().map(|entry| text(&entry["name"])).collect()
}

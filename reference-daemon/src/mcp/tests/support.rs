//! A daemon of a few lines on a real socket, and a client of raw lines.

use crate::mcp::{Naming, Options, serve};
use crate::rules::Rules;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Waits for something that must happen; the deadline only ends a test that fails.
pub(super) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), future).await.expect("it must happen soon")
}

#[derive(Clone)]
pub(super) struct FakeSession {
    pub(super) id: &'static str,
    pub(super) alias: &'static str,
    pub(super) state: &'static str,
    pub(super) tools: Vec<Value>,
    pub(super) resources: Vec<Value>,
}

impl FakeSession {
    pub(super) fn new(id: &'static str, alias: &'static str) -> Self {
        Self { id, alias, state: "active", tools: Vec::new(), resources: Vec::new() }
    }

    pub(super) fn tools(mut self, names: &[&str]) -> Self {
        self.tools.extend(names.iter().map(|name| tool(name)));
        self
    }

    pub(super) fn resources(mut self, names: &[&str]) -> Self {
        self.resources.extend(names.iter().map(|name| resource(name)));
        self
    }

    fn summary(&self) -> Value {
        json!({
            "sessionId": self.id, "alias": self.alias, "state": self.state, "device": {},
            "toolCount": self.tools.len(), "resourceCount": self.resources.len(),
        })
    }
}

pub(super) fn tool(name: &str) -> Value {
    json!({"name": name, "description": "d", "policy": "allow"})
}

pub(super) fn resource(name: &str) -> Value {
    json!({"uri": format!("app://{name}"), "name": name, "description": "d", "policy": "allow"})
}

/// A request that the test answers itself.
pub(super) struct HeldRequest {
    pub(super) method: String,
    pub(super) params: Value,
    id: Value,
    out: mpsc::UnboundedSender<String>,
}

impl HeldRequest {
    pub(super) fn answer(&self, result: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": self.id, "result": result}));
    }

    pub(super) fn refuse(&self, kind: &str, message: &str, details: Option<Value>) {
        let mut data = json!({"type": kind});
        if let Some(details) = details {
            data["details"] = details;
        }
        let error = json!({"code": -32000, "message": message, "data": data});
        self.send(json!({"jsonrpc": "2.0", "id": self.id, "error": error}));
    }

    /// Says, on this request's connection only, that it started as `call`.
    pub(super) fn started(&self, call: &str) {
        let data = json!({"callId": call, "name": self.params["name"], "requestId": self.id});
        self.event("tool_call_started", data);
    }

    pub(super) fn event(&self, kind: &str, data: Value) {
        self.send(event(kind, "s1", data));
    }

    fn send(&self, message: Value) {
        let _ = self.out.send(message.to_string());
    }
}

fn event(kind: &str, session: &str, data: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "event", "params": {
        "kind": kind, "sessionId": session, "alias": "a", "ts": "2025-01-01T00:00:00Z", "seq": 1, "data": data}})
}

#[derive(Default)]
struct State {
    sessions: Vec<FakeSession>,
    subscribers: Vec<mpsc::UnboundedSender<String>>,
    retained: BTreeMap<String, Vec<Value>>,
}

/// Answers lists out of its state and leaves everything else to the test.
pub(super) struct FakeDaemon {
    state: Arc<Mutex<State>>,
    pub(super) asked: mpsc::UnboundedReceiver<HeldRequest>,
    pub(super) closed: mpsc::UnboundedReceiver<()>,
    task: JoinHandle<()>,
}

impl FakeDaemon {
    pub(super) fn start(path: &PathBuf, sessions: Vec<FakeSession>) -> Self {
        let _ = std::fs::remove_file(path);
        let listener = UnixListener::bind(path).unwrap();
        let state = Arc::new(Mutex::new(State { sessions, ..State::default() }));
        let (ask, asked) = mpsc::unbounded_channel();
        let (close, closed) = mpsc::unbounded_channel();
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(converse(stream, Arc::clone(&shared), ask.clone(), close.clone()));
            }
        });
        Self { state, asked, closed, task }
    }

    /// Goes away, connections and all.
    pub(super) async fn stop(self) {
        self.task.abort();
        let _ = self.task.await;
    }

    /// Changes sessions and tells what changed.
    pub(super) fn change(&self, kind: &str, session: &str, data: Value, change: impl FnOnce(&mut Vec<FakeSession>)) {
        let mut state = self.state.lock().unwrap();
        change(&mut state.sessions);
        let line = event(kind, session, data);
        if kind == "app_event" {
            let retained = state.retained.entry(session.to_owned()).or_default();
            retained.push(line["params"].clone());
        }
        let line = line.to_string();
        state.subscribers.retain(|out| out.send(line.clone()).is_ok());
    }

    pub(super) fn app_event(&self, session: &str, name: &str, payload: Value) {
        self.change("app_event", session, json!({"name": name, "payload": payload}), |_| {});
    }

    pub(super) async fn next(&mut self, method: &str) -> HeldRequest {
        let asked = soon(self.asked.recv()).await.unwrap();
        assert_eq!(asked.method, method);
        asked
    }
}

async fn converse(
    stream: UnixStream,
    state: Arc<Mutex<State>>,
    ask: mpsc::UnboundedSender<HeldRequest>,
    close: mpsc::UnboundedSender<()>,
) {
    let (read, mut write) = stream.into_split();
    let (out, mut lines) = mpsc::unbounded_channel::<String>();
    let writer = async move {
        while let Some(line) = lines.recv().await {
            if write.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                break;
            }
        }
    };
    let reader = async move {
        let mut requests = BufReader::new(read).lines();
        while let Ok(Some(line)) = requests.next_line().await {
            let request: Value = serde_json::from_str(&line).unwrap();
            let params = request["params"].clone();
            let method = request["method"].as_str().unwrap().to_owned();
            match answer(&method, &params, &state, &out) {
                Some(result) => {
                    let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
                    let _ = out.send(answer.to_string());
                }
                None => {
                    let id = request["id"].clone();
                    let out = out.clone();
                    let _ = ask.send(HeldRequest { method, params, id, out });
                }
            }
        }
        let _ = close.send(());
    };
    tokio::join!(writer, reader);
}

fn answer(method: &str, params: &Value, state: &Mutex<State>, out: &mpsc::UnboundedSender<String>) -> Option<Value> {
    let mut state = state.lock().unwrap();
    let find = |state: &State| {
        let sessions = &state.sessions;
        let found = sessions.iter().find(|session| params["selector"] == session.id);
        found.or(sessions.first()).cloned()
    };
    match method {
        "events.subscribe" => {
            state.subscribers.push(out.clone());
            Some(json!({"ok": true}))
        }
        "sessions.list" => {
            let summaries: Vec<_> = state.sessions.iter().map(FakeSession::summary).collect();
            Some(json!({"sessions": summaries}))
        }
        "sessions.describe" => find(&state).map(|session| session.summary()),
        "tools.list" => find(&state).map(|session| json!({"tools": session.tools})),
        "resources.list" => find(&state).map(|session| json!({"resources": session.resources})),
        "events.since" => {
            let since = params["since"].as_u64().unwrap_or(0);
            let session = params["selector"].as_str().unwrap_or_default();
            let all = state.retained.get(session).cloned().unwrap_or_default();
            let cursor = all.len();
            let events: Vec<_> = all.into_iter().skip(usize::try_from(since).unwrap()).collect();
            Some(json!({"events": events, "cursor": cursor}))
        }
        _ => None,
    }
}

/// One MCP server between a fake daemon and a raw client.
pub(super) struct Bench {
    folder: Option<tempfile::TempDir>,
    pub(super) socket: PathBuf,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: Option<WriteHalf<DuplexStream>>,
    pub(super) server: JoinHandle<()>,
    last_id: u64,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(Rules::default())
    }

    pub(super) fn with(rules: Rules) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("control.sock");
        Self::on(Some(folder), socket, rules)
    }

    /// Takes over the state folder, which otherwise goes with the bench.
    pub(super) fn keep_folder(&mut self) -> Option<tempfile::TempDir> {
        self.folder.take()
    }

    /// A second server of the same state folder.
    pub(super) fn beside(&self, rules: Rules) -> Self {
        Self::on(None, self.socket.clone(), rules)
    }

    fn on(folder: Option<tempfile::TempDir>, socket: PathBuf, rules: Rules) -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(far);
        let options = Options { control_socket: socket.clone(), naming: Naming::default(), rules };
        let server = tokio::spawn(serve(read, write, options));
        let (read, write) = tokio::io::split(near);
        Self { folder, socket, lines: BufReader::new(read).lines(), write: Some(write), server, last_id: 0 }
    }

    pub(super) async fn line(&mut self, line: &[u8]) {
        let write = self.write.as_mut().unwrap();
        write.write_all(line).await.unwrap();
        write.write_all(b"\n").await.unwrap();
    }

    pub(super) async fn send(&mut self, message: Value) {
        self.line(message.to_string().as_bytes()).await;
    }

    /// Sends a request and gives its id.
    pub(super) async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = json!(self.last_id);
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    pub(super) async fn next(&mut self) -> Value {
        let line = soon(self.lines.next_line()).await.unwrap().expect("a line");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request; gives its answer and the notifications that came before it.
    pub(super) async fn exchange(&mut self, method: &str, params: Value) -> (Value, Vec<Value>) {
        let id = self.ask(method, params).await;
        let mut before = Vec::new();
        loop {
            let message = self.next().await;
            if message.get("id") == Some(&id) {
                return (message, before);
            }
            before.push(message);
        }
    }

    /// The result of a request that nothing comes before.
    pub(super) async fn result(&mut self, method: &str, params: Value) -> Value {
        let (answer, before) = self.exchange(method, params).await;
        assert_eq!(before, [] as [Value; 0], "before the answer of {method}");
        answer.get("result").cloned().unwrap_or_else(|| panic!("{answer}"))
    }

    /// The code and data of a request that fails.
    pub(super) async fn failure(&mut self, method: &str, params: Value) -> (i64, Value) {
        let (answer, _) = self.exchange(method, params).await;
        let error = answer.get("error").unwrap_or_else(|| panic!("{answer}"));
        assert!(error["message"].is_string());
        (error["code"].as_i64().unwrap(), error.get("data").cloned().unwrap_or_default())
    }

    pub(super) async fn initialize(&mut self, revision: &str) -> Value {
        let params = json!({
            "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        let result = self.result("initialize", params).await;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        result
    }

    pub(super) async fn tool_names(&mut self) -> Vec<String> {
        let result = self.result("tools/list", json!({})).await;
        strings(&result["tools"], "name").split_off(6)
    }

    pub(super) async fn uris(&mut self) -> Vec<String> {
        let result = self.result("resources/list", json!({})).await;
        strings(&result["resources"], "uri").split_off(1)
    }

    /// Expects a notification as the next line.
    pub(super) async fn notified(&mut self, method: &str) -> Value {
        let message = self.next().await;
        assert_eq!(message["method"], format!("notifications/{method}"), "{message}");
        message["params"].clone()
    }

    /// Ends the client's side.
    pub(super) async fn hang_up(&mut self) {
        let mut write = self.write.take().unwrap();
        write.shutdown().await.unwrap();
    }

    /// Waits until the server has ended, and gives what it said last.
    pub(super) async fn ended(mut self) -> Vec<Value> {
        let mut last = Vec::new();
        while let Some(line) = soon(self.lines.next_line()).await.unwrap() {
            last.push(serde_json::from_str(&line).unwrap());
        }
        soon(self.server).await.unwrap();
        last
    }
}

pub(super) fn strings(entries: &Value, key: &str) -> Vec<String> {
    let entries = entries.as_array().unwrap();
    entries.iter().map(|entry| entry[key].as_str().unwrap().to_owned()).collect()
}

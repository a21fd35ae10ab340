//! What one client's connection remembers, and what goes out on it in which order. Lines in, lines out: no I/O.
//!
//! It stands in front of the SDK. Every line is judged here on its raw JSON; only a request that is well-formed, due
//! and known is passed on, under a number of its own, so that two open requests with one id, `1` and `"1"`, or a
//! progress token of any type, cannot be confused. What goes out passes here too: an answer, the notifications it
//! permits and those it ends are put into one queue in one step (`BRG-MCP-16`).

use super::open_requests::OpenRequests;
use super::outgoing_queue::OutgoingQueue;
use super::request::{INTERNAL_ERROR, INVALID_REQUEST, Message, Method, PARSE_ERROR, RequestError};
use super::revision::Revision;
use crate::first_reading::first_reading;
use crate::rules::{EndsOn, Rules, is_due};
use crate::wires::{pieces, texts};
use iolite_protocol::contract::Rule;
use iolite_protocol::strict::{self, Strictness};
use serde_json::{Map, Number, Value, json};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

/// The two lists whose changes are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum List {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
}

/// One client's connection.
#[derive(Debug)]
pub struct Conversation {
    rules: Arc<Rules>,
    phase: Phase,
    revision: Option<Revision>,
    asked_revision: String,
    /// How the client calls itself.
    client_name: String,
    asked_early: bool,
    requests: u64,
    stray_cancels: u64,
    open: OpenRequests,
    subscriptions: BTreeSet<String>,
    listed: BTreeSet<List>,
    deferred: BTreeSet<List>,
    outgoing: OutgoingQueue,
    broken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing was agreed on yet.
    New,
    /// `initialize` is being answered; `initialized` says whether its notification overtook the answer.
    Opening { initialized: bool },
    /// `initialize` is answered.
    Answered,
    /// The client said `initialized`: it may be notified.
    Ready,
}

impl Conversation {
    /// A new connection.
    pub fn new(rules: Arc<Rules>) -> Self {
        Self {
            open: OpenRequests::new(Arc::clone(&rules)),
            outgoing: OutgoingQueue::new(Arc::clone(&rules)),
            rules,
            phase: Phase::New,
            revision: None,
            asked_revision: String::new(),
            client_name: String::new(),
            asked_early: false,
            requests: 0,
            stray_cancels: 0,
            subscriptions: BTreeSet::new(),
            listed: BTreeSet::new(),
            deferred: BTreeSet::new(),
            broken: false,
        }
    }

    /// The revision agreed on; the latest one before that.
    pub fn revision(&self) -> Revision {
        self.revision.unwrap_or(Revision::LATEST)
    }

    /// True once the connection cannot go on. No contract reason leads there.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Takes one line without its newline and gives what the SDK is to work on, with the numbers of this
    /// connection in lock of the client's ids.
    pub fn take_line(&mut self, line: &[u8]) -> Vec<Value> {
        if self.broken {
            return Vec::new();
        }
        let wires = self.rules.wires.clone();
        match pieces(line, wires.agent_lines, wires.agent_chunks) {
            Some(pieces) => pieces.iter().flat_map(|piece| self.take_message(piece)).collect(),
            None => self.take_message(line),
        }
    }

    fn take_message(&mut self, line: &[u8]) -> Vec<Value> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            return Vec::new();
        }
        let value = match strict::read(line, Strictness::default()) {
            Ok(value) => value,
            Err(error) if error.rule == Rule::DuplicateKey && !self.rules.wires.refuse_doubled_of_agents => {
                return self.take_both(line);
            }
            Err(error) => {
                let code = match error.rule {
                    Rule::DuplicateKey => INVALID_REQUEST,
                    _ => PARSE_ERROR,
                };
                self.broken |= !self.rules.mcp.survive_garbage;
                if self.rules.mcp.answer_garbage {
                    self.reject(Value::Null, &RequestError::new(code, error.to_string()));
                }
                return Vec::new();
            }
        };
        match Message::sort(value) {
            Ok(Message::Request { id, method, params }) => self.request(id, &method, params).into_iter().collect(),
            Ok(Message::Notification { method, params }) => self.notification(&method, params),
            Ok(Message::Answer { is_error }) => {
                self.end_on(if is_error { EndsOn::ErrorAnswer } else { EndsOn::StrayAnswer });
                Vec::new()
            }
            Err((id, error)) => {
                if self.rules.mcp.answer_garbage {
                    self.reject(id, &error);
                }
                Vec::new()
            }
        }
    }

    /// Both of the requests that a line with doubled members can be read as. Only a bent rule table wants that.
    fn take_both(&mut self, line: &[u8]) -> Vec<Value> {
        let readings = [first_reading(line), serde_json::from_slice(line).ok()];
        let mut passed = Vec::new();
        for reading in readings.into_iter().flatten() {
            if let Ok(Message::Request { id, method, params }) = Message::sort(reading) {
                passed.extend(self.request(id, &method, params));
            }
        }
        // Only the last one is answered.
        if let [first, _] = passed.as_slice()
            && let Some(number) = first["id"].as_u64()
        {
            self.open.forget(number);
        }
        passed
    }

    /// Ends the server where this is what ends it. Only a bent rule table wants that.
    pub fn end_on(&mut self, what: EndsOn) {
        self.broken |= self.rules.mcp_conduct.ends_on == Some(what);
    }

    /// Request `number` begins and ends no subscription. Only a bent rule table wants that.
    pub fn leave_subscriptions(&mut self, number: u64) {
        self.open.leave_subscriptions(number);
    }

    /// A line over the limit was thrown away.
    pub fn line_too_long(&mut self, limit: usize) {
        let message = format!("a line holds at most {limit} bytes");
        self.reject(Value::Null, &RequestError::new(INVALID_REQUEST, message));
    }

    /// Puts the answer of request `number` into the queue, and lets what it begins or ends begin or end.
    /// The answer of a request that was cancelled, or that nobody made, goes nowhere.
    pub fn answer(&mut self, number: u64, mut outcome: Result<Value, Value>) {
        outcome = outcome.map(|result| texts(result, self.rules.wires.texts_to_agents));
        self.note_failure(&outcome);
        let Some(open) = self.open.answered(number) else {
            return;
        };
        let succeeded = outcome.is_ok();
        if open.method == Method::Initialize {
            self.phase = match (self.phase, succeeded) {
                (_, false) => Phase::New,
                (Phase::Opening { initialized: true }, true) => Phase::Ready,
                (_, true) => Phase::Answered,
            };
            if let Ok(result) = &mut outcome {
                self.introduce(result);
            }
            let agreed =
                outcome.as_ref().ok().and_then(|result| Revision::parse(result.get("protocolVersion")?.as_str()?));
            self.revision = agreed.or(self.revision);
        }
        match (open.method, open.uri) {
            (Method::Unsubscribe, Some(uri)) if succeeded && self.rules.mcp_answers.unsubscribe_works => {
                match self.rules.mcp_answers.unsubscribe_one {
                    true => _ = self.subscriptions.remove(&uri),
                    false => self.subscriptions.clear(),
                }
                self.outgoing.answer(open.id, outcome);
            }
            (Method::Subscribe, Some(uri)) if succeeded => {
                self.outgoing.answer(open.id, outcome);
                self.subscriptions.insert(uri);
            }
            (Method::ListTools, _) => {
                self.listed.insert(List::Tools);
                self.order(&mut outcome, "tools");
                self.outgoing.answer(open.id, outcome);
            }
            (Method::ListResources, _) => {
                self.listed.insert(List::Resources);
                self.order(&mut outcome, "resources");
                self.outgoing.answer(open.id, outcome);
            }
            _ => self.outgoing.answer(open.id, outcome),
        }
    }

    /// Ends the server where a call that fails so is what ends it. Only a bent rule table wants that.
    fn note_failure(&mut self, outcome: &Result<Value, Value>) {
        if self.rules.mcp_conduct.ends_on.is_none() {
            return;
        }
        let text = match outcome {
            Ok(result) if result["isError"] == true => result["content"][0]["text"].as_str().unwrap_or_default(),
            Ok(_) => return,
            Err(_) => return self.end_on(EndsOn::RefusedCall),
        };
        let of_apps = ["tool_execution_error", "tool_serialization_error", "tool_input_validation_error"];
        if of_apps.iter().any(|kind| text.starts_with(kind)) {
            self.end_on(EndsOn::FailedCall);
        } else if text.starts_with("session_suspended") {
            self.end_on(EndsOn::LostApp);
        } else if text.starts_with("unknown_session") {
            self.end_on(EndsOn::EndedSession);
        } else if text.starts_with("daemon_unreachable") {
            self.end_on(EndsOn::DaemonAway);
        }
    }

    /// Puts a list into an order of this client's own. Only a bent rule table wants that.
    fn order(&self, outcome: &mut Result<Value, Value>, list: &str) {
        if self.rules.mcp_lists.same_for_all {
            return;
        }
        let entries = outcome.as_mut().ok().and_then(|result| result.get_mut(list)?.as_array_mut());
        if let Some(entries) = entries {
            let name = &self.client_name;
            entries.sort_by_key(|entry| {
                let mut hasher = DefaultHasher::new();
                (entry.to_string(), name).hash(&mut hasher);
                hasher.finish()
            });
        }
    }

    /// Forgets a request without an answer.
    pub fn forget(&mut self, number: u64) {
        self.open.forget(number);
    }

    /// Whether request `number` asked for progress.
    pub fn wants_progress(&self, number: u64) -> bool {
        self.open.wants_progress(number)
    }

    /// Passes on progress of request `number`, if it asked for that and is open: see [`OpenRequests::progress`].
    pub fn progress(&mut self, number: u64, progress: Option<&Number>, message: Option<&str>) {
        if let Some(params) = self.open.progress(number, progress, message) {
            self.outgoing.notify("notifications/progress", Some(params), None);
        }
    }

    /// Announces that a list changed. Before the client is ready it is kept back if the client has seen that list,
    /// and dropped if it has not.
    pub fn announce(&mut self, list: List) {
        if self.may_notify() {
            let method = match list {
                List::Tools => "notifications/tools/list_changed",
                List::Resources => "notifications/resources/list_changed",
            };
            let key = self.rules.mcp_lists.announce_once.then(|| method.to_owned());
            self.outgoing.notify(method, None, key);
        } else if self.listed.contains(&list) {
            self.deferred.insert(list);
        }
    }

    /// Tells the client that the resource at `uri`, subscribed to as `subscribed`, is stale, if it subscribed.
    pub fn updated(&mut self, subscribed: &str, uri: &str) {
        let wanted = self.subscriptions.contains(subscribed) || !self.rules.mcp_answers.updates_to_subscribers_only;
        if wanted && self.may_notify() {
            let method = "notifications/resources/updated";
            let params = json!({"uri": uri});
            if self.rules.mcp_answers.update_once {
                self.outgoing.notify(method, Some(params), Some(format!("{method} {uri}")));
            } else {
                self.outgoing.notify(method, Some(params.clone()), None);
                self.outgoing.notify(method, Some(params), None);
            }
        }
    }

    /// The URIs subscribed to.
    pub fn subscriptions(&self) -> &BTreeSet<String> {
        &self.subscriptions
    }

    /// Subscribes without a request.
    pub fn subscribe_to(&mut self, uris: BTreeSet<String>) {
        self.subscriptions.extend(uris);
    }

    /// Ends the subscriptions for which `keep` is false.
    pub fn retain_subscriptions(&mut self, keep: impl Fn(&str) -> bool) {
        self.subscriptions.retain(|uri| keep(uri));
    }

    /// The next line to write, without its newline.
    pub fn next_line(&mut self) -> Option<String> {
        self.outgoing.next_line()
    }

    fn request(&mut self, id: Value, name: &str, params: Option<Value>) -> Option<Value> {
        let mcp = &self.rules.mcp;
        let method = match Method::parse(name) {
            Some(Method::Subscribe | Method::Unsubscribe) if !mcp.serve_subscribe => None,
            other => other,
        };
        if method != Some(Method::Initialize) {
            self.requests += 1;
            let cancelled = self.stray_cancels > 0;
            self.stray_cancels = self.stray_cancels.saturating_sub(1);
            if cancelled || is_due(mcp.unanswered_requests, self.requests) {
                return None;
            }
        }
        let Some(method) = method else {
            if !mcp.answer_unknown_methods {
                return None;
            }
            let message = format!("there is no method {name:?} here");
            let error = RequestError::new(mcp.unknown_method_code, message);
            self.reject(id, &error);
            return None;
        };
        if let Err(message) = method.check(params.as_ref()) {
            let error = RequestError::new(mcp.invalid_params_code, message);
            if method == Method::Initialize {
                if !self.rules.mcp_conduct.initialize_again {
                    self.asked_early = true;
                }
                if !self.rules.mcp_conduct.failed_initialize_opens_nothing {
                    self.phase = Phase::Answered;
                }
            }
            self.reject(id, &error);
            return None;
        }
        match (self.phase, method) {
            (Phase::New, Method::Initialize)
                if self.rules.mcp_conduct.initialize_again && self.rules.mcp.forgive_early_requests
                    || !self.asked_early =>
            {
                self.phase = Phase::Opening { initialized: false };
            }
            (_, Method::Initialize) if self.rules.mcp.one_handshake => {
                let error = RequestError::new(INVALID_REQUEST, "this connection is initialized");
                self.reject(id, &error);
                return None;
            }
            (Phase::New, Method::Ping) if self.rules.mcp_conduct.early_ping => {
                self.outgoing.answer(id, Ok(json!({})));
                return None;
            }
            (Phase::New, _) => {
                self.asked_early |= method != Method::Ping;
                let error = RequestError::new(INVALID_REQUEST, "initialize comes first");
                self.reject(id, &error);
                return None;
            }
            _ => {}
        }
        if odd_id(&id) {
            self.end_on(EndsOn::OddId);
        }
        if params.as_ref().is_some_and(|params| depth(params) > 30) {
            self.end_on(EndsOn::DeepArguments);
        }
        let mut params = match params {
            Some(Value::Object(params)) => params,
            _ => Map::new(),
        };
        // Nothing a legacy request says in `_meta` but the token means anything here, and a token may be of a kind
        // that the SDK's types cannot hold.
        let token = params.shift_remove("_meta").and_then(|mut meta| Some(meta.get_mut("progressToken")?.take()));
        let uri = params.get("uri").and_then(Value::as_str).map(str::to_owned);
        if method == Method::Initialize {
            let asked = params.get("protocolVersion").and_then(Value::as_str);
            self.asked_revision = asked.unwrap_or_default().to_owned();
            // Which capabilities a client has changes nothing here, so odd ones are no reason to refuse it.
            params["capabilities"] = json!({});
            self.client_name = params["clientInfo"]["name"].as_str().unwrap_or_default().to_owned();
            if let Some(info) = params["clientInfo"].as_object_mut() {
                info.retain(|key, _| key == "name" || key == "version");
            }
        }
        let number = self.open.add(id, method, uri, token);
        Some(json!({"jsonrpc": "2.0", "id": number, "method": name, "params": params}))
    }

    fn notification(&mut self, name: &str, params: Option<Value>) -> Vec<Value> {
        match name {
            "notifications/initialized" => {
                match self.phase {
                    Phase::Opening { .. } => self.phase = Phase::Opening { initialized: true },
                    Phase::Answered => {
                        self.phase = Phase::Ready;
                        for list in std::mem::take(&mut self.deferred) {
                            self.announce(list);
                        }
                        return vec![json!({"jsonrpc": "2.0", "method": name})];
                    }
                    Phase::New if !self.rules.mcp_conduct.initialized_opens_nothing => self.phase = Phase::Ready,
                    Phase::Ready if !self.rules.mcp_conduct.initialized_twice => self.phase = Phase::Answered,
                    Phase::New | Phase::Ready => {}
                }
                Vec::new()
            }
            "notifications/cancelled" => {
                let id = params.as_ref().and_then(|params| params.get("requestId"));
                let numbers = self.open.cancellable(id);
                self.end_on(match (id, numbers.is_empty()) {
                    (Some(Value::Number(_) | Value::String(_)), true) => EndsOn::StrayCancel,
                    (Some(_), false) => EndsOn::CancelledCall,
                    _ => EndsOn::CancelWithoutId,
                });
                if numbers.is_empty() && !self.rules.mcp.forget_stray_cancels {
                    self.stray_cancels += 1;
                }
                numbers
                    .into_iter()
                    .map(|number| {
                        self.cancel(number);
                        json!({"jsonrpc": "2.0", "method": name, "params": {"requestId": number}})
                    })
                    .collect()
            }
            // Every other notification, known or not, asks for nothing.
            _ => {
                self.end_on(EndsOn::UnknownNotification);
                if !self.rules.mcp.silent_to_notifications {
                    let message = format!("there is no notification {name:?} here");
                    let error = RequestError::new(self.rules.mcp.unknown_method_code, message);
                    self.reject(Value::Null, &error);
                }
                Vec::new()
            }
        }
    }

    fn cancel(&mut self, number: u64) {
        if let Some(id) = self.open.cancelled(number)
            && !self.rules.mcp.silent_after_cancel
        {
            self.reject(id, &RequestError::new(INTERNAL_ERROR, "cancelled"));
        }
    }

    /// Sets the revision that is agreed on, in place of what the SDK negotiated, and the server's name.
    fn introduce(&self, result: &mut Value) {
        let mcp = &self.rules.mcp;
        let Some(members) = result.as_object_mut() else {
            return;
        };
        let revision = Revision::negotiate(&self.asked_revision, mcp.revision_answer);
        members.insert("protocolVersion".to_owned(), revision.into());
        if !mcp.name_in_handshake
            && let Some(info) = members.get_mut("serverInfo").and_then(Value::as_object_mut)
        {
            info.shift_remove("name");
        }
    }

    fn may_notify(&self) -> bool {
        match self.phase {
            Phase::Ready => true,
            Phase::New | Phase::Opening { .. } | Phase::Answered => !self.rules.mcp.await_initialized,
        }
    }

    fn reject(&mut self, id: Value, error: &RequestError) {
        let error = json!({"code": error.code, "message": error.message});
        self.outgoing.answer(id, Err(error));
    }
}

/// Whether an id is neither a small number nor a plain word.
fn odd_id(id: &Value) -> bool {
    id.as_str().is_some_and(|text| text.contains('\0')) || id.as_i64().is_some_and(i64::is_negative)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;

//! How an app answers calls and reads by itself.

use crate::engine::fence_names::FENCE_PREFIX;
use iolite_mock_app::app::{Stamp, Subject};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an app does by itself, without a step.
#[derive(Debug)]
pub(in crate::engine) struct Responder(Mutex<State>);

#[derive(Debug)]
struct State {
    actor: String,
    silent_pings: bool,
    manual_calls: bool,
    manual_reads: bool,
    calls: HashMap<String, Serving>,
    reads: HashMap<String, Serving>,
    fence: Option<Fence>,
}

/// How one tool or resource is served.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Serving {
    /// Progress sent before the answer: numbers, or `{ progress?, message? }`.
    pub(super) progress: Vec<Value>,
    /// The answer.
    pub(super) reply: Reply,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// `tool_result`.
    Result(Value),
    /// `resource_result`.
    Contents(Value),
    /// `tool_error` or `resource_error`.
    Error(Value),
    /// None.
    Never,
}

/// A tool or resource whose next frames are answered for a fence, whatever else was said of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fence {
    /// `tool_call` or `resource_read`.
    pub(super) kind: &'static str,
    /// Its name.
    pub(super) name: String,
}

/// What an app does about a frame.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// The frames it sends.
    pub(super) frames: Vec<Value>,
    /// It is served without a step, be it by silence.
    pub(super) served: bool,
}

impl Responder {
    /// The usual one: calls are echoed, reads are stamped.
    pub(super) fn new(actor: &str, auto: bool, silent_pings: bool) -> Self {
        Self(Mutex::new(State {
            actor: actor.to_owned(),
            silent_pings,
            manual_calls: !auto,
            manual_reads: !auto,
            calls: HashMap::new(),
            reads: HashMap::new(),
            fence: None,
        }))
    }

    /// Whether new sockets leave pings unanswered.
    pub(super) fn silent_pings(&self) -> bool {
        self.state().silent_pings
    }

    /// Leaves calls or reads to the steps, or takes them back.
    pub(super) fn set_manual(&self, calls: Option<bool>, reads: Option<bool>) {
        let mut state = self.state();
        state.manual_calls = calls.unwrap_or(state.manual_calls);
        state.manual_reads = reads.unwrap_or(state.manual_reads);
    }

    /// Serves a tool that way from now on.
    pub(super) fn serve_calls(&self, tool: String, serving: Serving) {
        self.state().calls.insert(tool, serving);
    }

    /// Serves a resource that way from now on.
    pub(super) fn serve_reads(&self, resource: String, serving: Serving) {
        self.state().reads.insert(resource, serving);
    }

    /// Answers one tool's or resource's frames for a fence, or stops doing so.
    pub(super) fn set_fence(&self, fence: Option<Fence>) {
        self.state().fence = fence;
    }

    /// What to do about a frame that came.
    pub(super) fn answers(&self, frame: &Value) -> Answers {
        let state = self.state();
        let text = |name: &str| frame.get(name).and_then(Value::as_str).unwrap_or_default();
        let (kind, name) = (text("type"), text("name"));
        if let Some(fence) = &state.fence
            && fence.kind == kind
            && fence.name == name
        {
            return Answers { frames: vec![fence_answer(frame)], served: true };
        }
        let serving = match kind {
            "tool_call" => state.calls.get(name).cloned().or_else(|| {
                let echo = json!({ "echo": frame.get("args"), "stamp": stamp(&state.actor, frame) });
                (!state.manual_calls).then_some(Serving { progress: Vec::new(), reply: Reply::Result(echo) })
            }),
            "resource_read" => state.reads.get(name).cloned().or_else(|| {
                let stamped = json!([{ "text": stamp(&state.actor, frame) }]);
                (!state.manual_reads).then_some(Serving { progress: Vec::new(), reply: Reply::Contents(stamped) })
            }),
            _ => None,
        };
        let Some(serving) = serving else { return Answers::default() };
        let mut frames: Vec<Value> = serving.progress.iter().map(|report| progress(frame, report)).collect();
        frames.extend(reply(frame, &serving.reply));
        Answers { frames, served: true }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The text that tells which app, session and request a content was made for.
fn stamp(actor: &str, frame: &Value) -> String {
    let text = |name: &str| frame.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let subject = match frame.get("type").and_then(Value::as_str) {
        Some("tool_call") => Subject::Call { id: text("id"), tool: text("name") },
        _ => Subject::Read { id: text("id"), resource: text("name") },
    };
    Stamp { app: actor.to_owned(), session: text("session_id"), subject }.render()
}

/// The answer to a fence's call or read: it names the frame that it answers, so that the caller knows which one was its own.
fn fence_answer(frame: &Value) -> Value {
    let token = fence_token(frame);
    match frame.get("type").and_then(Value::as_str) {
        Some("tool_call") => answer_frame(frame, "tool_result", "result", json!({ "fence": token })),
        _ => answer_frame(frame, "resource_result", "contents", json!([{ "text": token }])),
    }
}

/// What a fence's answer holds.
pub(super) fn fence_token(frame: &Value) -> String {
    format!("{FENCE_PREFIX}{}", frame.get("id").map_or_else(String::new, Value::to_string))
}

/// The frame that gives this answer to a call or a read.
pub(super) fn reply(frame: &Value, reply: &Reply) -> Option<Value> {
    let is_read = frame.get("type").and_then(Value::as_str) == Some("resource_read");
    match reply {
        Reply::Result(result) => Some(answer_frame(frame, "tool_result", "result", result.clone())),
        Reply::Contents(contents) => Some(answer_frame(frame, "resource_result", "contents", contents.clone())),
        Reply::Error(error) if is_read => Some(answer_frame(frame, "resource_error", "error", error.clone())),
        Reply::Error(error) => Some(answer_frame(frame, "tool_error", "error", error.clone())),
        Reply::Never => None,
    }
}

/// A progress frame for a call. `report` is a number, or `{ progress?, message? }`.
pub(super) fn progress(frame: &Value, report: &Value) -> Value {
    let mut members = head(frame, "tool_call_progress");
    match report {
        Value::Object(report) => members.extend(report.clone()),
        number => {
            members.insert("progress".into(), number.clone());
        }
    }
    Value::Object(members)
}

fn answer_frame(frame: &Value, kind: &str, member: &str, value: Value) -> Value {
    let mut members = head(frame, kind);
    members.insert(member.into(), value);
    Value::Object(members)
}

fn head(frame: &Value, kind: &str) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("type".into(), kind.into());
    for name in ["session_id", "id"] {
        members.insert(name.into(), frame.get(name).cloned().unwrap_or(Value::Null));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str) -> Value {
        json!({ "type": "tool_call", "session_id": "s", "id": "c1", "name": name, "args": { "a": 1 } })
    }

    #[test]
    fn left_alone_calls_are_echoed_and_reads_stamped() {
        let responder = Responder::new("phone", true, false);
        let answer = &responder.answers(&call("t")).frames[0];
        assert_eq!((&answer["type"], &answer["id"]), (&json!("tool_result"), &json!("c1")));
        assert_eq!(answer["result"]["echo"], json!({ "a": 1 }));
        let read = json!({ "type": "resource_read", "session_id": "s", "id": "r1", "name": "n", "uri": "app://n" });
        let answers = responder.answers(&read).frames;
        let text = answers[0]["contents"][0]["text"].as_str().unwrap();
        assert_eq!(text, "iolite-stamp app=phone session=s read=r1 resource=n");
        assert!(responder.answers(&json!({ "type": "session_ack" })).frames.is_empty());
    }

    #[test]
    fn a_script_goes_before_manual_and_a_fence_before_all() {
        let responder = Responder::new("phone", true, false);
        responder.set_manual(Some(true), None);
        assert!(!responder.answers(&call("t")).served);
        let error = json!({ "type": "tool_timeout", "message": "m" });
        let progress = vec![json!(0.5), json!({ "message": "nearly" })];
        responder.serve_calls("t".into(), Serving { progress, reply: Reply::Error(error) });
        let kinds: Vec<_> = responder
            .answers(&call("t"))
            .frames
            .iter()
            .map(|frame| frame["type"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(kinds, ["tool_call_progress", "tool_call_progress", "tool_error"]);
        responder.serve_calls("t".into(), Serving { progress: Vec::new(), reply: Reply::Never });
        let silent = responder.answers(&call("t"));
        assert!(silent.served && silent.frames.is_empty());
        responder.set_fence(Some(Fence { kind: "tool_call", name: "t".into() }));
        assert_eq!(responder.answers(&call("t")).frames[0]["result"]["fence"], "iolite-fence-\"c1\"");
    }
}

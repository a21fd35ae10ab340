//! Requests from arrival to answer: scripts run here, and the driver's own answers go out here.

use super::connection::Connection;
use super::kind::Kind;
use super::requests::{Open, Request};
use super::script::{Answer, OnCancel, Script, Step};
use super::stamp::{Stamp, Subject};
use super::state::Shared;
use crate::resource::read_for_wire;
use crate::socket::{ConnectionGone, RawFrame};
use futures_util::FutureExt;
use iolite_protocol::error_type::AppErrorType;
use serde_json::{Map, Value, json};
use std::sync::{Arc, Weak};

/// Why a request was not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// No open request has this id: it never came, or was answered before.
    #[error("no request with id {id:?} is open")]
    NotOpen {
        /// The id.
        id: String,
    },
    /// The connection that the request came on is over.
    #[error(transparent)]
    ConnectionGone(#[from] ConnectionGone),
}

/// Takes a request in. A script, if one answers, runs at once as far as it can without waiting.
pub(super) fn begin(app: &Arc<Shared>, request: Request, script: Option<(Script, usize)>, scripted: bool) {
    let (script, nth) = script.unwrap_or_else(|| (unregistered(&request), 0));
    app.state().requests.push(Open {
        request: request.clone(),
        on_cancel: scripted.then_some(script.on_cancel),
        script: None,
    });
    if !scripted {
        return;
    }
    let id = request.id.clone();
    let mut running = run(Arc::downgrade(app), request, script, nth).boxed();
    if (&mut running).now_or_never().is_some() {
        return;
    }
    let mut state = app.state();
    while state.scripts.try_join_next().is_some() {}
    let abort = state.scripts.spawn(running);
    if let Some(open) = state.requests.find_mut(&id) {
        open.script = Some(abort);
    }
}

/// A `tool_cancel` arrived. Says whether a script took care of it.
pub(super) fn cancel(app: &Shared, id: &str) -> bool {
    let mut state = app.state();
    let on_cancel = state.requests.find(id).and_then(|open| open.on_cancel);
    match on_cancel {
        Some(OnCancel::Obey) => {}
        Some(OnCancel::Ignore) => return true,
        None => return false,
    }
    let Some(open) = state.requests.take(id) else {
        return false;
    };
    drop(state);
    if let Some(script) = open.script {
        script.abort();
    }
    if let Some(connection) = open.request.connection.upgrade() {
        let error = json!({
            "type": AppErrorType::ToolCancelled.as_str(),
            "message": "the call was cancelled",
        });
        queue(&connection, &error_frame(app, &open.request, error));
    }
    true
}

/// The driver's answer.
pub(super) async fn answer(app: &Shared, id: &str, answer: Answer) -> Result<(), AnswerError> {
    let not_open = || AnswerError::NotOpen { id: id.to_owned() };
    let request = {
        let state = app.state();
        state.requests.find(id).ok_or_else(not_open)?.request.clone()
    };
    let Some(settled) = settle(&request, answer, 0).await else {
        return Ok(());
    };
    let frame = frame_of(app, &request, settled);
    let open = app.state().requests.take(id).ok_or_else(not_open)?;
    if let Some(script) = open.script {
        script.abort();
    }
    Ok(connection_of(&request)?.send_json(&frame).await?)
}

/// The driver's progress.
pub(super) async fn progress(
    app: &Shared,
    id: &str,
    progress: Option<f64>,
    message: Option<&str>,
) -> Result<(), AnswerError> {
    let request = {
        let state = app.state();
        let open = state.requests.find(id);
        open.map(|open| open.request.clone())
    };
    let request = request.ok_or_else(|| AnswerError::NotOpen { id: id.to_owned() })?;
    let frame = progress_frame(app, &request, progress, message);
    Ok(connection_of(&request)?.send_json(&frame).await?)
}

async fn run(app: Weak<Shared>, request: Request, script: Script, nth: usize) {
    for step in script.steps {
        match step {
            Step::Wait(gate) => gate.pass().await,
            Step::Send(frame) => {
                if let Some(connection) = request.connection.upgrade() {
                    queue(&connection, &frame);
                }
            }
            Step::Progress { progress, message } => {
                let (Some(app), Some(connection)) = (app.upgrade(), request.connection.upgrade()) else {
                    return;
                };
                let frame = progress_frame(&app, &request, progress, message.as_deref());
                queue(&connection, &frame);
            }
        }
    }
    let Some(settled) = settle(&request, script.answer, nth).await else {
        return;
    };
    let Some(app) = app.upgrade() else { return };
    let frame = frame_of(&app, &request, settled);
    // Whoever takes the request out of the open ones answers it: nobody else does.
    if app.state().requests.take(&request.id).is_none() {
        return;
    }
    if let Some(connection) = request.connection.upgrade() {
        queue(&connection, &frame);
    }
}

/// An answer that needs no more work.
enum Settled {
    Stamped,
    Value(Value),
    Error(Value),
    Frame(Map<String, Value>),
}

/// Works an answer out, without holding on to the app; `None` for no answer.
async fn settle(request: &Request, mut answer: Answer, nth: usize) -> Option<Settled> {
    loop {
        answer = match answer {
            Answer::InTurn(mut answers) => match answers.len().checked_sub(1) {
                Some(last) => answers.swap_remove(nth.min(last)),
                None => Answer::Stamped,
            },
            Answer::With(make) => make(&request.frame),
            Answer::Definition(definition) => {
                let uri = request.frame["uri"].as_str().unwrap_or_default();
                match read_for_wire(&definition, uri).await {
                    Ok(contents) => Answer::Value(contents),
                    Err(error) => Answer::error(AppErrorType::ToolExecutionError, &error.to_string()),
                }
            }
            Answer::Never => return None,
            Answer::Stamped => return Some(Settled::Stamped),
            Answer::Value(value) => return Some(Settled::Value(value)),
            Answer::Error(error) => return Some(Settled::Error(error)),
            Answer::Frame(keys) => return Some(Settled::Frame(keys)),
        };
    }
}

fn frame_of(app: &Shared, request: &Request, answer: Settled) -> Value {
    match answer {
        Settled::Stamped => value_frame(app, request, stamped(app, request)),
        Settled::Value(value) => value_frame(app, request, value),
        Settled::Error(error) => error_frame(app, request, error),
        Settled::Frame(keys) => {
            let mut frame = value_frame(app, request, stamped(app, request));
            for (key, value) in keys {
                match &mut frame {
                    Value::Object(frame) if value == Answer::ABSENT => {
                        frame.shift_remove(&key);
                    }
                    frame => frame[key] = value,
                }
            }
            frame
        }
    }
}

fn unregistered(request: &Request) -> Script {
    let message = match request.kind {
        Kind::Tool => format!("the app has no tool {:?}", request.name),
        Kind::Resource => format!("the app has no resource {:?}", request.name),
    };
    Script::answer(Answer::error(AppErrorType::ToolNotFound, &message))
}

/// Default content: an echo for a call, a text item for a read, both with their provenance.
fn stamped(app: &Shared, request: &Request) -> Value {
    let (id, name) = (request.id.clone(), request.name.clone());
    let subject = match request.kind {
        Kind::Tool => Subject::Call { id, tool: name },
        Kind::Resource => Subject::Read { id, resource: name },
    };
    let stamp = Stamp { app: app.config.name.clone(), session: session_id(app, request), subject };
    match request.kind {
        Kind::Tool => json!({ "echo": request.frame["args"], "stamp": stamp.render() }),
        Kind::Resource => json!([{ "text": stamp.render() }]),
    }
}

fn value_frame(app: &Shared, request: &Request, value: Value) -> Value {
    let (kind, key) = match request.kind {
        Kind::Tool => ("tool_result", "result"),
        Kind::Resource => ("resource_result", "contents"),
    };
    frame(app, request, kind, key, value)
}

fn error_frame(app: &Shared, request: &Request, error: Value) -> Value {
    let kind = match request.kind {
        Kind::Tool => "tool_error",
        Kind::Resource => "resource_error",
    };
    frame(app, request, kind, "error", error)
}

fn frame(app: &Shared, request: &Request, kind: &str, key: &str, value: Value) -> Value {
    json!({
        "type": kind,
        "session_id": session_id(app, request),
        "id": request.id,
        key: value,
    })
}

fn progress_frame(app: &Shared, request: &Request, progress: Option<f64>, message: Option<&str>) -> Value {
    let mut frame = json!({
        "type": "tool_call_progress",
        "session_id": session_id(app, request),
        "id": request.id,
    });
    if let Some(progress) = progress {
        frame["progress"] = progress.into();
    }
    if let Some(message) = message {
        frame["message"] = message.into();
    }
    frame
}

/// The app's own session id, whatever the request says.
fn session_id(app: &Shared, request: &Request) -> String {
    match &app.state().session {
        Some(session) => session.id.clone(),
        None => request.frame["session_id"].as_str().unwrap_or_default().to_owned(),
    }
}

fn connection_of(request: &Request) -> Result<Connection, ConnectionGone> {
    request.connection.upgrade().ok_or_else(|| ConnectionGone { why: "the app let go of it".to_owned() })
}

fn queue(connection: &Connection, frame: &Value) {
    connection.sender().queue(RawFrame::text(frame.to_string()));
}

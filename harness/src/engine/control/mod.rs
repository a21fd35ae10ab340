//! The control RPC as the harness speaks it: newline-delimited JSON on a Unix socket, every byte recorded.
//!
//! Nothing here trusts the daemon: lines are bounded, garbage is kept as garbage, and every wait has a deadline.

pub mod event;
pub mod idle;
mod line;
mod reader;

use super::log::{Log, Unmet};
use super::step_outcome::{StepError, shortened};
use crate::target::is_own_limit;
use iolite_protocol::transcript::{Direction, Payload, Tap};
use line::Seen;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub use line::{Line, LineKind};

/// One connection to the control socket.
#[derive(Debug)]
pub struct Control {
    seen: Seen,
    log: Log<Line>,
    writer: tokio::sync::Mutex<Option<OwnedWriteHalf>>,
    next_id: AtomicU64,
    open: Mutex<BTreeMap<String, Open>>,
    reader: JoinHandle<()>,
}

/// A request that waits for its answer: when it was sent, and the first place in the log where its answer can be.
#[derive(Clone, Copy, Debug)]
struct Open {
    sent: Instant,
    from: usize,
}

/// Why a request got no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// The socket could not be reached.
    #[error("the control socket cannot be reached: {0}")]
    Unreachable(String),
    /// This side has no files left.
    #[error("no connection could be opened on this side: {0}")]
    Own(String),
    /// The request could not be written.
    #[error("the request could not be written: {0}")]
    Unwritten(String),
    /// No answer came.
    #[error("no answer: {0}")]
    Unanswered(Unmet),
    /// The answer has neither `result` nor `error`, or both.
    #[error("the answer is neither a result nor an error: {0}")]
    NoAnswer(String),
}

impl From<ControlError> for StepError {
    /// A connection that gave no answer, as a step sees it.
    fn from(error: ControlError) -> Self {
        match error {
            ControlError::Own(_) => Self::Broken(error.to_string()),
            error => Self::Unmet(error.to_string()),
        }
    }
}

impl Control {
    /// Connects to the socket at `path`. `actor` and `connection` name this connection in the transcript.
    pub async fn connect(
        path: &Path,
        actor: &str,
        connection: u32,
        tap: Tap,
        deadline: Instant,
    ) -> Result<Self, ControlError> {
        let stream = match tokio::time::timeout_at(deadline, UnixStream::connect(path)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) if is_own_limit(&error) => return Err(ControlError::Own(error.to_string())),
            Ok(Err(error)) => return Err(ControlError::Unreachable(format!("{}: {error}", path.display()))),
            Err(_) => return Err(ControlError::Unreachable(format!("{}: it does not accept", path.display()))),
        };
        let seen = Seen { tap, actor: actor.to_owned(), connection };
        seen.record(Direction::Local, Payload::Opened { detail: path.display().to_string() });
        let (read, write) = stream.into_split();
        let log = Log::default();
        let reader = tokio::spawn(reader::read_lines(read, log.clone(), seen.clone()));
        Ok(Self {
            seen,
            log,
            writer: tokio::sync::Mutex::new(Some(write)),
            next_id: AtomicU64::new(1),
            open: Mutex::new(BTreeMap::new()),
            reader,
        })
    }

    /// Everything that arrived.
    pub fn log(&self) -> &Log<Line> {
        &self.log
    }

    /// How the connection ended, if it did.
    pub fn ended(&self) -> Option<String> {
        self.log.ended()
    }

    /// Calls a method and waits for its answer: the result, or `{"error": …}` as it stood on the wire.
    pub async fn call(&self, method: &str, params: Option<Value>, deadline: Instant) -> Result<Value, ControlError> {
        let id = self.start(method, params, None, deadline).await?;
        self.finish(&id, deadline).await.map(|(outcome, _)| outcome)
    }

    /// Sends a request and leaves it open. The id is the next number unless one is given.
    pub async fn start(
        &self,
        method: &str,
        params: Option<Value>,
        id: Option<Value>,
        deadline: Instant,
    ) -> Result<Value, ControlError> {
        let (id, line) = self.request(method, params, id);
        self.write(&line, deadline).await?;
        Ok(id)
    }

    /// Sends several requests in one piece and leaves them open: their ids, in the same order.
    pub async fn start_all(
        &self,
        requests: Vec<(&str, Option<Value>)>,
        deadline: Instant,
    ) -> Result<Vec<Value>, ControlError> {
        let made = requests.into_iter().map(|(method, params)| self.request(method, params, None));
        let (ids, lines): (Vec<_>, Vec<_>) = made.unzip();
        self.write_all(&lines, deadline).await?;
        Ok(ids)
    }

    /// A request that is open from now on: its id and its line.
    fn request(&self, method: &str, params: Option<Value>, id: Option<Value>) -> (Value, Vec<u8>) {
        let id = id.unwrap_or_else(|| self.next_id.fetch_add(1, Ordering::Relaxed).into());
        let mut request = Map::new();
        request.insert("jsonrpc".into(), "2.0".into());
        request.insert("id".into(), id.clone());
        request.insert("method".into(), method.into());
        if let Some(params) = params {
            request.insert("params".into(), params);
        }
        let mut line = Value::Object(request).to_string().into_bytes();
        line.push(b'\n');
        let open = Open { sent: Instant::now(), from: self.log.position() };
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_string(), open);
        (id, line)
    }

    /// Waits for the answer to an open request, and tells how long it took since it was sent.
    pub async fn finish(&self, id: &Value, deadline: Instant) -> Result<(Value, Duration), ControlError> {
        let wanted = id.to_string();
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&wanted);
        let answer = self.log.wait(open.map_or(0, |open| open.from), deadline, |line| {
            let fits = !line.taken && matches!(&line.kind, LineKind::Answer(id) if *id == wanted);
            fits.then(|| {
                line.taken = true;
                outcome(&line.value)
            })
        });
        let (_, outcome) = answer.await.map_err(ControlError::Unanswered)?;
        Ok((outcome?, open.map_or(Duration::ZERO, |open| open.sent.elapsed())))
    }

    /// Writes bytes as they are.
    pub async fn write(&self, bytes: &[u8], deadline: Instant) -> Result<(), ControlError> {
        self.write_all(&[bytes], deadline).await
    }

    /// Writes several lines in one piece.
    async fn write_all(&self, lines: &[impl AsRef<[u8]>], deadline: Instant) -> Result<(), ControlError> {
        let mut writer = self.writer.lock().await;
        let Some(half) = writer.as_mut() else {
            return Err(ControlError::Unwritten("this connection was closed".into()));
        };
        let mut piece = Vec::new();
        for line in lines {
            self.seen.bytes(Direction::ToDaemon, line.as_ref());
            piece.extend_from_slice(line.as_ref());
        }
        match tokio::time::timeout_at(deadline, half.write_all(&piece)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(ControlError::Unwritten(error.to_string())),
            Err(_) => Err(ControlError::Unwritten("the daemon does not read".into())),
        }
    }

    /// Whether it is open and everything that was said on it has been asked for, answered and used.
    pub fn is_idle(&self) -> bool {
        let all_answered = self.open.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        all_answered && self.ended().is_none() && self.log.read(0, |lines| lines.iter().all(|line| line.taken))
    }

    /// Closes the connection from this side.
    pub async fn close(&self) {
        if self.writer.lock().await.take().is_some() {
            self.reader.abort();
            if self.log.ended().is_none() {
                self.seen.record(Direction::Local, Payload::Ended { how: "local".into() });
            }
            self.log.end("closed by this side");
        }
    }
}

/// What an answer says: the result, or `{"error": …}`.
fn outcome(answer: &Value) -> Result<Value, ControlError> {
    match (answer.get("result"), answer.get("error")) {
        (Some(result), None) => Ok(result.clone()),
        (None, Some(error)) => Ok(json!({ "error": error })),
        _ => Err(ControlError::NoAnswer(shortened(&answer.to_string(), 300))),
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

#[cfg(test)]
mod tests;

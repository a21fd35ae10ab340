//! One connection to the daemon.

use super::error::{Refusal, RpcClientError};
use super::event::Event;
use iolite_protocol::strict::{self, Strictness};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

/// What is called with every event, on the reading task: it must not block.
pub type OnEvent = Arc<dyn Fn(Event) + Send + Sync>;

/// Time allowed for connecting and for calls the daemon answers out of its own memory.
pub const QUICK: Duration = Duration::from_secs(5);

/// Time allowed for calls an app must answer: the longest deadline the daemon keeps itself, and a margin.
pub const PATIENT: Duration = Duration::from_secs(630);

/// One connection to the daemon. Dropping it closes the connection, which cancels its open calls (`BRG-TOL-17`).
#[derive(Debug)]
pub struct RpcClient {
    shared: Arc<Shared>,
    lines: mpsc::UnboundedSender<String>,
    _end: DropGuard,
}

impl RpcClient {
    /// Connects to the control socket at `path`.
    ///
    /// # Errors
    ///
    /// [`RpcClientError::Unreachable`] when nobody accepts within `deadline`.
    pub async fn connect(path: &Path, deadline: Duration, on_event: OnEvent) -> Result<Self, RpcClientError> {
        let unreachable = |why: String| RpcClientError::Unreachable { path: path.to_owned(), why };
        match tokio::time::timeout(deadline, UnixStream::connect(path)).await {
            Ok(Ok(stream)) => {
                let (read, write) = stream.into_split();
                Ok(Self::over(read, write, on_event))
            }
            Ok(Err(error)) => Err(unreachable(error.to_string())),
            Err(_) => Err(unreachable(format!("no connection within {} ms", deadline.as_millis()))),
        }
    }

    /// Speaks over any pair of byte streams. Must be called inside a tokio runtime.
    pub fn over(
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        on_event: OnEvent,
    ) -> Self {
        let (lines, outgoing) = mpsc::unbounded_channel();
        let end = CancellationToken::new();
        let shared = Arc::new(Shared { open: Mutex::new(Some(HashMap::new())), end: end.clone() });
        tokio::spawn(read_lines(read, Arc::clone(&shared), on_event));
        tokio::spawn(write_lines(write, outgoing, end.clone()));
        Self { shared, lines, _end: end.drop_guard() }
    }

    /// Calls `method` and waits for its result.
    ///
    /// # Errors
    ///
    /// Every [`RpcClientError`] but `Unreachable`.
    pub async fn call(&self, method: &str, params: Value, deadline: Duration) -> Result<Value, RpcClientError> {
        let open = self.open(method, params)?;
        match tokio::time::timeout(deadline, open.answer()).await {
            Ok(result) => result,
            Err(_) => Err(RpcClientError::DeadlinePassed { method: method.to_owned(), after: deadline }),
        }
    }

    /// Sends a request at once and leaves the waiting to the caller, who keeps its own deadline.
    ///
    /// # Errors
    ///
    /// [`RpcClientError::RequestTooLong`] and [`RpcClientError::ConnectionLost`].
    pub fn open(&self, method: &str, params: Value) -> Result<OpenCall, RpcClientError> {
        self.open_with_id(method, params, |_| {})
    }

    /// [`open`](Self::open), and tells the request's id before the request can reach the daemon: events that name it
    /// (`data.requestId` of `tool_call_started`) cannot come too early.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn open_with_id(
        &self,
        method: &str,
        params: Value,
        note: impl FnOnce(u64),
    ) -> Result<OpenCall, RpcClientError> {
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        if line.len() > LINE_LIMIT {
            return Err(RpcClientError::RequestTooLong { bytes: line.len(), limit: LINE_LIMIT });
        }
        let (send, receive) = oneshot::channel();
        match self.shared.open_calls().as_mut() {
            Some(calls) => calls.insert(id, send),
            None => return Err(RpcClientError::ConnectionLost),
        };
        let call = OpenCall { id, method: method.to_owned(), answer: receive, shared: Arc::clone(&self.shared) };
        note(id);
        match self.lines.send(line) {
            Ok(()) => Ok(call),
            Err(_) => Err(RpcClientError::ConnectionLost),
        }
    }

    /// Resolves once the connection is gone, from either side.
    pub async fn closed(&self) {
        self.shared.end.cancelled().await;
    }

    /// True once the connection is gone.
    pub fn is_closed(&self) -> bool {
        self.shared.end.is_cancelled()
    }

    /// Ends the connection. Open calls fail with [`RpcClientError::ConnectionLost`].
    pub fn close(&self) {
        self.shared.finish();
    }
}

/// A request on its way. Dropping it forgets the answer, not the request.
#[derive(Debug)]
pub struct OpenCall {
    id: u64,
    method: String,
    answer: oneshot::Receiver<Value>,
    shared: Arc<Shared>,
}

impl OpenCall {
    /// The JSON-RPC id, unique in this process.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Waits for the answer, however long it takes.
    ///
    /// # Errors
    ///
    /// [`RpcClientError::ConnectionLost`], [`RpcClientError::Refused`] and [`RpcClientError::Malformed`].
    pub async fn answer(mut self) -> Result<Value, RpcClientError> {
        let mut answer = (&mut self.answer).await.map_err(|_| RpcClientError::ConnectionLost)?;
        if let Some(error) = answer.get("error") {
            return Err(match Refusal::read(error) {
                Some(refusal) => RpcClientError::Refused(Box::new(refusal)),
                None => self.malformed("its error has no code or no message"),
            });
        }
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(self.malformed("it has neither a result nor an error")),
        }
    }

    fn malformed(&self, why: &str) -> RpcClientError {
        RpcClientError::Malformed { method: self.method.clone(), why: why.to_owned() }
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        if let Some(calls) = self.shared.open_calls().as_mut() {
            calls.remove(&self.id);
        }
    }
}

#[derive(Debug)]
struct Shared {
    /// `None` once the connection is gone.
    open: Mutex<Option<HashMap<u64, oneshot::Sender<Value>>>>,
    end: CancellationToken,
}

impl Shared {
    fn open_calls(&self) -> MutexGuard<'_, Option<HashMap<u64, oneshot::Sender<Value>>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self) {
        self.open_calls().take();
        self.end.cancel();
    }
}

async fn read_lines(read: impl AsyncRead + Unpin, shared: Arc<Shared>, on_event: OnEvent) {
    let mut read = BufReader::new(read);
    let mut line = Vec::new();
    loop {
        line.clear();
        let more = tokio::select! {
            more = read.read_until(b'\n', &mut line) => more,
            () = shared.end.cancelled() => break,
        };
        match more {
            Ok(1..) => {}
            Ok(0) | Err(_) => break,
        }
        let Ok(message) = strict::read(&line, LENIENT) else {
            tracing::warn!("the daemon sent a line that is no JSON");
            continue;
        };
        if message.get("method").and_then(Value::as_str) == Some("event") {
            if let Some(event) = message.get("params").and_then(Event::read) {
                on_event(event);
            }
            continue;
        }
        let waiting =
            message.get("id").and_then(Value::as_u64).and_then(|id| shared.open_calls().as_mut()?.remove(&id));
        if let Some(waiting) = waiting {
            // Nobody waits any more when the call was dropped.
            let _ = waiting.send(message);
        }
    }
    shared.finish();
}

async fn write_lines(
    mut write: impl AsyncWrite + Unpin,
    mut outgoing: mpsc::UnboundedReceiver<String>,
    end: CancellationToken,
) {
    loop {
        let line = tokio::select! {
            line = outgoing.recv() => line,
            () = end.cancelled() => None,
        };
        let Some(mut line) = line else { break };
        line.push('\n');
        if write.write_all(line.as_bytes()).await.is_err() || write.flush().await.is_err() {
            break;
        }
    }
    let _ = write.shutdown().await;
    end.cancel();
}

/// Ids are not used twice in a process, so that what is left over of a lost connection is never taken for new.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// An answer may be as deep as a frame and its wrapping; judging the daemon's spelling is not a client's business.
const LENIENT: Strictness = Strictness { max_depth: 512, refuse_duplicate_keys: false, refuse_lone_surrogates: false };

/// Longest request line the daemon takes, in bytes, without its newline.
const LINE_LIMIT: usize = 1024 * 1024 - 1;

#[cfg(test)]
mod tests;

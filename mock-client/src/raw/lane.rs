//! The lane itself: sending, waiting, ending.

use super::error::{End, SendError, WaitError, WaitFailure};
use super::link::Link;
use super::log::Log;
use super::message::{Arrived, Cursor, Message, Response};
use super::sent_requests::SentRequests;
use super::stdio::{Input, Stdio};
use super::transport::{Frame, Inbox, Sent, Transport};
use crate::outcome::Outcome;
use crate::process::{CommandLine, Exit, Grace, Process, SpawnError, Stopped, StoppedBy, Unkillable};
use crate::within;
use crate::witness::Witness;
use serde_json::{Value, json};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncRead;
use tokio::time::Instant;

/// Bounds of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest line that is read, in bytes without the newline.
    pub line_bytes: usize,
    /// How much memory the log of arrivals may take, in bytes (estimated: text and decoded values).
    pub kept_bytes: usize,
    /// How long the server may leave a full pipe unread before sending fails.
    pub send_patience: Duration,
}

/// 16 MiB a line, 128 MiB in all, 10 seconds.
impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 16 * 1024 * 1024, kept_bytes: 128 * 1024 * 1024, send_patience: Duration::from_secs(10) }
    }
}

/// A connection to one server, down to the bytes. Dropping it kills the server it started.
pub struct RawLane {
    link: Arc<Link>,
    process: Option<Process>,
}

/// A request that was sent and may be answered.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingId {
    /// Its id.
    pub id: Value,
    /// Its method.
    pub method: String,
    /// The place in the log where it was sent: its answer stands after it.
    pub sent: Cursor,
}

/// Opening.
impl RawLane {
    /// Starts a server and speaks over its pipes. Must be called inside a tokio runtime.
    ///
    /// # Errors
    ///
    /// [`SpawnError`] when the server cannot be started.
    pub fn spawn(command: &CommandLine, witness: Witness, limits: Limits) -> Result<Self, SpawnError> {
        let (process, pipes) = Process::spawn(command, witness.clone())?;
        let mut lane = Self::over_streams(pipes.stdout, pipes.stdin, witness, limits);
        lane.process = Some(process);
        Ok(lane)
    }

    /// Speaks over a pair of byte streams that somebody else opened. Must be called inside a tokio runtime.
    pub fn over_streams(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl Input,
        witness: Witness,
        limits: Limits,
    ) -> Self {
        Self::over(witness, limits, |inbox| Box::new(Stdio::start(output, input, inbox, limits.line_bytes)))
    }

    /// Speaks over any transport; `open` makes it around the lane's inbox.
    pub fn over(witness: Witness, limits: Limits, open: impl FnOnce(Inbox) -> Box<dyn Transport>) -> Self {
        let inbox = Inbox {
            log: Arc::new(Log::new(limits.kept_bytes)),
            asked: Arc::new(Mutex::new(SentRequests::new(limits.line_bytes))),
            witness,
        };
        let link = Link::new(open(inbox.clone()), inbox, limits.send_patience);
        Self { link: Arc::new(link), process: None }
    }

    /// The server's process, when this lane started it.
    #[must_use]
    pub fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }

    /// The lane without the process: for tasks that must not keep the server alive.
    pub(crate) fn link(&self) -> &Arc<Link> {
        &self.link
    }

    /// Where this lane records.
    #[must_use]
    pub fn witness(&self) -> &Witness {
        &self.link.inbox.witness
    }
}

/// Sending. Each method returns when the bytes have been taken by the system, which says nothing about the server.
///
/// # Errors
///
/// All of them: [`SendError`] when the server's input is closed, or stays full longer than [`Limits::send_patience`].
/// A stalled frame stays queued and still goes out if the server reads again.
impl RawLane {
    /// Sends a request under the next number of a counter that skips ids used by other means.
    pub async fn request(&self, method: &str, params: Option<Value>) -> Result<PendingId, SendError> {
        let id = {
            let asked = &self.link.inbox.asked;
            asked.lock().unwrap_or_else(PoisonError::into_inner).next_id()
        };
        self.request_as(id, method, params).await
    }

    /// Sends a request under any JSON as its id, also one that is in use or may not be one.
    pub async fn request_as(&self, id: Value, method: &str, params: Option<Value>) -> Result<PendingId, SendError> {
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if let (Some(params), Some(message)) = (params, message.as_object_mut()) {
            message.insert("params".into(), params);
        }
        let sent = self.position();
        self.send(&message).await?;
        let method = method.into();
        Ok(PendingId { id, method, sent })
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str, params: Option<Value>) -> Result<(), SendError> {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        if let (Some(params), Some(message)) = (params, message.as_object_mut()) {
            message.insert("params".into(), params);
        }
        self.send(&message).await
    }

    /// Sends any JSON as one message.
    pub async fn send(&self, message: &Value) -> Result<(), SendError> {
        self.send_text(&message.to_string()).await
    }

    /// Sends text as one message, whatever it is. A newline inside makes it several lines.
    pub async fn send_text(&self, text: &str) -> Result<(), SendError> {
        self.link.put(Frame::Message(text.into())).await.map(drop)
    }

    /// Sends bytes as they are, without a newline.
    pub async fn send_bytes(&self, bytes: &[u8]) -> Result<(), SendError> {
        self.link.put(Frame::Bytes(bytes.into())).await.map(drop)
    }

    /// Sends text and a carriage return with the newline, as clients on some systems do.
    pub async fn send_crlf(&self, text: &str) -> Result<(), SendError> {
        self.send_bytes(format!("{text}\r\n").as_bytes()).await
    }

    /// Sends bytes in pieces, each when the server has read the one before; [`Sent::read_apart`] tells for how many
    /// that was seen (each is given two seconds; the waiting is busy, so this is for the odd message only).
    pub async fn send_pieces(&self, pieces: Vec<Vec<u8>>) -> Result<Sent, SendError> {
        self.link.put(Frame::Pieces(pieces)).await
    }

    /// Closes the server's input once everything sent is written. Nothing can be sent afterwards.
    pub fn close_input(&self) {
        self.link.inbox.witness.note(crate::process::INPUT_CLOSED);
        self.link.transport.finish();
    }
}

/// Looking and waiting.
impl RawLane {
    /// The place behind everything that has arrived so far.
    #[must_use]
    pub fn position(&self) -> Cursor {
        self.link.inbox.log.position()
    }

    /// Everything that arrived after a place, in order, without waiting.
    #[must_use]
    pub fn since(&self, after: Cursor) -> Vec<Arc<Arrived>> {
        self.link.inbox.log.since(after)
    }

    /// Gives up the entries before a place, and the memory they take: for lanes that live very long.
    pub fn forget(&self, before: Cursor) {
        self.link.inbox.log.forget(before);
    }

    /// Waits for the response to a request: the first one after it that carries exactly its id.
    ///
    /// # Errors
    ///
    /// [`WaitError`]; at once when a line that is no message mentions the id ([`WaitFailure::Malformed`]).
    pub async fn response(&self, pending: &PendingId, deadline: Instant) -> Result<Arc<Arrived>, WaitError> {
        self.response_with(pending, deadline, |arrived, _| Arc::clone(arrived)).await
    }

    /// Waits like [`response`](Self::response) and returns what it said.
    ///
    /// # Errors
    ///
    /// As for [`response`](Self::response).
    pub async fn outcome(&self, pending: &PendingId, deadline: Instant) -> Result<Outcome, WaitError> {
        self.response_with(pending, deadline, |_, response| response.outcome.clone()).await
    }

    async fn response_with<T>(
        &self,
        pending: &PendingId,
        deadline: Instant,
        take: impl Fn(&Arc<Arrived>, &Response) -> T,
    ) -> Result<T, WaitError> {
        let waited_for = format!("response to {} (id {})", pending.method, pending.id);
        let log = &self.link.inbox.log;
        let found = log.wait(pending.sent, deadline, &waited_for, |arrived| match &arrived.message {
            Message::Response(response) if response.id == pending.id => Some(Ok(take(arrived, response))),
            Message::Violation(violation) if violation.ids.contains(&pending.id) => Some(Err(Arc::clone(arrived))),
            _ => None,
        });
        found.await?.map_err(|malformed| WaitError {
            waited_for,
            why: WaitFailure::Malformed(malformed),
            arrived: self.since(pending.sent),
        })
    }

    /// Waits for the first notification after a place that `wanted` takes, given its method and params.
    ///
    /// # Errors
    ///
    /// [`WaitError`] at the deadline, or when nothing more can arrive. `waited_for` names the notification in it.
    pub async fn notification(
        &self,
        after: Cursor,
        deadline: Instant,
        waited_for: &str,
        mut wanted: impl FnMut(&str, Option<&Value>) -> bool,
    ) -> Result<Arc<Arrived>, WaitError> {
        let wanted = |arrived: &Arrived| match &arrived.message {
            Message::Notification { method, params } => wanted(method, params.as_ref()),
            _ => false,
        };
        self.wait(after, deadline, waited_for, wanted).await
    }

    /// Waits for the first entry of any kind after a place that `wanted` takes.
    ///
    /// # Errors
    ///
    /// As for [`notification`](Self::notification).
    pub async fn wait(
        &self,
        after: Cursor,
        deadline: Instant,
        waited_for: &str,
        mut wanted: impl FnMut(&Arrived) -> bool,
    ) -> Result<Arc<Arrived>, WaitError> {
        let log = &self.link.inbox.log;
        let pick = |arrived: &Arc<Arrived>| wanted(arrived).then(|| Arc::clone(arrived));
        log.wait(after, deadline, waited_for, pick).await
    }

    /// Why nothing more can arrive, if that is so.
    #[must_use]
    pub fn ended(&self) -> Option<End> {
        self.link.inbox.log.ended()
    }

    /// Waits until nothing more can arrive; `None` when the deadline came first.
    pub async fn end(&self, deadline: Instant) -> Option<End> {
        self.link.inbox.log.wait_end(deadline).await
    }

    /// Waits for the exit of the server this lane started; `None` when the deadline came first or there is none.
    pub async fn exit(&self, deadline: Instant) -> Option<Exit> {
        self.process.as_ref()?.wait(deadline).await
    }
}

/// Ending.
impl RawLane {
    /// Ends the server in the protocol's order: close its input, wait, SIGTERM, wait, SIGKILL. Then reads what it still
    /// had to say. Without a process of its own the lane only closes.
    ///
    /// # Errors
    ///
    /// [`Unkillable`] when the server outlives SIGKILL.
    pub async fn stop(&self, grace: Grace) -> Result<Option<Stopped>, Unkillable> {
        self.close_input();
        let Some(process) = &self.process else {
            return Ok(None);
        };
        let stopped = process.end(grace).await?;
        self.link.transport.abort();
        if stopped.by != StoppedBy::Itself || self.ended().is_none() {
            // A descendant outside the group may keep the pipe open: then this takes its full time.
            self.end(within(LAST_WORDS)).await;
        }
        process.stderr().finished(within(LAST_WORDS)).await;
        Ok(Some(stopped))
    }
}

/// How long an ended server's pipes may stay open.
const LAST_WORDS: Duration = Duration::from_secs(2);

impl Drop for RawLane {
    fn drop(&mut self) {
        self.link.inbox.end(End::Local);
        self.link.transport.close();
    }
}

impl fmt::Debug for RawLane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawLane")
            .field("process", &self.process)
            .field("position", &self.position())
            .field("ended", &self.ended())
            .finish_non_exhaustive()
    }
}

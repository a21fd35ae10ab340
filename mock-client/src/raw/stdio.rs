//! Lines over a pair of byte streams: a child's pipes, a socket, a pipe in memory.

use super::error::{End, SendError};
use super::transport::{Frame, Inbox, Sent, Transport};
use crate::lines::Lines;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// The writing half of a byte stream.
pub trait Input: AsyncWrite + Send + Unpin + 'static {
    /// How many bytes were written and not yet read by the other side, where the system tells.
    fn unread(&self) -> Option<u64> {
        None
    }
}

impl Input for ChildStdin {
    fn unread(&self) -> Option<u64> {
        rustix::io::ioctl_fionread(self).ok()
    }
}

impl Input for tokio::io::DuplexStream {}

impl<S: AsyncWrite + Send + Unpin + 'static> Input for tokio::io::WriteHalf<S> {}

impl Input for tokio::net::unix::OwnedWriteHalf {}

/// Lines over a pair of byte streams.
#[derive(Debug)]
pub struct Stdio {
    jobs: Mutex<Option<mpsc::UnboundedSender<Job>>>,
    reader: JoinHandle<()>,
    writer: JoinHandle<()>,
}

#[derive(Debug)]
struct Job {
    frame: Frame,
    done: oneshot::Sender<Result<Sent, SendError>>,
}

impl Stdio {
    /// Starts reading `output` into `inbox`. Must be called inside a tokio runtime.
    ///
    /// A line of more than `line_bytes` bytes ends the reading.
    pub fn start(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl Input,
        inbox: Inbox,
        line_bytes: usize,
    ) -> Self {
        let (jobs, queue) = mpsc::unbounded_channel();
        Self {
            jobs: Mutex::new(Some(jobs)),
            reader: tokio::spawn(read(output, inbox, line_bytes)),
            writer: tokio::spawn(write(input, queue)),
        }
    }
}

impl Transport for Stdio {
    fn send(&self, frame: Frame) -> oneshot::Receiver<Result<Sent, SendError>> {
        let (done, answer) = oneshot::channel();
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        // When the writer is gone the job goes with it, and the receiver says so.
        if let Some(jobs) = &*jobs {
            let _ = jobs.send(Job { frame, done });
        }
        answer
    }

    fn finish(&self) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.take();
    }

    fn abort(&self) {
        self.finish();
        self.writer.abort();
    }

    fn close(&self) {
        self.abort();
        self.reader.abort();
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.close();
    }
}

async fn read(mut output: impl AsyncRead + Unpin, inbox: Inbox, line_bytes: usize) {
    let mut lines = Lines::new(line_bytes);
    let mut buffer = vec![0; 16 * 1024];
    let end = loop {
        let mut chunk = match output.read(&mut buffer).await {
            Ok(0) => break End::Eof,
            Ok(read) => &buffer[..read],
            Err(error) => break End::Failed(error.to_string()),
        };
        while !chunk.is_empty() {
            match lines.next(&mut chunk) {
                Ok(Some(line)) => {
                    if inbox.line(&line).is_err() {
                        return;
                    }
                }
                Ok(None) => {}
                Err(too_long) => return inbox.too_long(&too_long.beginning, line_bytes),
            }
        }
    };
    if !lines.is_open() || inbox.unterminated(&lines.take()).is_ok() {
        inbox.end(end);
    }
}

async fn write(mut input: impl Input, mut queue: mpsc::UnboundedReceiver<Job>) {
    while let Some(Job { frame, done }) = queue.recv().await {
        let sent = match frame {
            Frame::Message(mut bytes) => {
                bytes.push(b'\n');
                put(&mut input, &bytes).await.map(|()| Sent::default())
            }
            Frame::Bytes(bytes) => put(&mut input, &bytes).await.map(|()| Sent::default()),
            Frame::Pieces(pieces) => put_apart(&mut input, &pieces).await,
        };
        // Nobody has to wait for the outcome.
        let _ = done.send(sent);
    }
    // Dropping the stream closes it; a socket wants to be told.
    let _ = input.shutdown().await;
}

async fn put(input: &mut impl Input, bytes: &[u8]) -> Result<(), SendError> {
    let closed = |error: std::io::Error| SendError::Closed { why: error.to_string() };
    input.write_all(bytes).await.map_err(closed)?;
    input.flush().await.map_err(closed)
}

async fn put_apart(input: &mut impl Input, pieces: &[Vec<u8>]) -> Result<Sent, SendError> {
    let mut sent = Sent::default();
    for (index, piece) in pieces.iter().enumerate() {
        put(input, piece).await?;
        let is_last = index + 1 == pieces.len();
        if !is_last && taken(input).await {
            sent.read_apart += 1;
        }
    }
    Ok(sent)
}

/// Waits until the other side has read all there is; `false` when that cannot be seen or does not happen soon.
async fn taken(input: &mut impl Input) -> bool {
    const PATIENCE: Duration = Duration::from_secs(2);
    let deadline = crate::within(PATIENCE);
    loop {
        match input.unread() {
            None => return false,
            Some(0) => return true,
            Some(_) if tokio::time::Instant::now() >= deadline => return false,
            Some(_) => tokio::task::yield_now().await,
        }
    }
}

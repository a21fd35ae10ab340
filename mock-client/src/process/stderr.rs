//! The child's standard error: always drained, recorded up to a bound, its last lines kept.

use crate::lines::Lines;
use crate::witness::Witness;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::watch;
use tokio::time::Instant;

/// A view of what a child wrote to its standard error. Cheap to clone; outlives the child.
///
/// The stream is read until its end whatever happens, so that a child never blocks on it. The last
/// [`KEPT_BYTES`](Self::KEPT_BYTES) are kept, the first [`RECORDED_BYTES`](Self::RECORDED_BYTES) are recorded, and a line
/// is cut into pieces of [`LINE_BYTES`](Self::LINE_BYTES). Bytes that are no UTF-8 are shown as `U+FFFD`.
#[derive(Clone, Debug)]
pub struct Stderr {
    tail: Arc<Mutex<Tail>>,
    finished: watch::Receiver<bool>,
}

impl Stderr {
    /// How many bytes of the newest lines are kept.
    pub const KEPT_BYTES: usize = 64 * 1024;
    /// How many bytes go into the transcript before a note says that the rest does not.
    pub const RECORDED_BYTES: u64 = 1024 * 1024;
    /// The longest piece of a line that is kept or recorded as one.
    pub const LINE_BYTES: usize = 8 * 1024;

    /// The newest lines, oldest first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.lines.iter().cloned().collect()
    }

    /// How many bytes the child has written so far, kept or not.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.total
    }

    /// Waits until everything the child wrote has been read; `false` when the deadline came first.
    ///
    /// After the child's exit this is soon, unless a descendant outside its process group keeps the stream open.
    pub async fn finished(&self, deadline: Instant) -> bool {
        let mut finished = self.finished.clone();
        let done = tokio::time::timeout_at(deadline, finished.wait_for(|done| *done)).await;
        matches!(done, Ok(Ok(_)))
    }

    /// Starts draining `stream`.
    pub(super) fn drain(stream: impl AsyncRead + Send + Unpin + 'static, witness: Witness) -> Self {
        let tail = Arc::new(Mutex::new(Tail::default()));
        let (done, finished) = watch::channel(false);
        tokio::spawn(read_to_end(stream, Arc::clone(&tail), witness, done));
        Self { tail, finished }
    }
}

#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<String>,
    kept: usize,
    total: u64,
}

impl Tail {
    fn keep(&mut self, line: String) {
        self.kept += line.len();
        self.lines.push_back(line);
        while self.kept > Stderr::KEPT_BYTES {
            let Some(oldest) = self.lines.pop_front() else {
                break;
            };
            self.kept -= oldest.len();
        }
    }
}

async fn read_to_end(
    mut stream: impl AsyncRead + Unpin,
    tail: Arc<Mutex<Tail>>,
    witness: Witness,
    done: watch::Sender<bool>,
) {
    let mut lines = Lines::new(Stderr::LINE_BYTES);
    let mut buffer = vec![0; 16 * 1024];
    let mut recorded: u64 = 0;
    let mut found = |line: Vec<u8>| {
        let text = String::from_utf8_lossy(&line).into_owned();
        let before = recorded;
        recorded += line.len() as u64 + 1;
        if recorded <= Stderr::RECORDED_BYTES {
            witness.stderr(text.clone());
        } else if before <= Stderr::RECORDED_BYTES {
            witness.note("standard error goes on; the rest of it is not recorded");
        }
        tail.lock().unwrap_or_else(PoisonError::into_inner).keep(text);
    };
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        tail.lock().unwrap_or_else(PoisonError::into_inner).total += read as u64;
        let mut chunk = &buffer[..read];
        while !chunk.is_empty() {
            match lines.next(&mut chunk) {
                Ok(Some(line)) => found(line),
                Ok(None) => {}
                Err(too_long) => found(too_long.beginning),
            }
        }
    }
    if lines.is_open() {
        found(lines.take());
    }
    done.send_replace(true);
}

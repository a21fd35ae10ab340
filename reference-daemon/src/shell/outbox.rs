//! What waits to be written to one connection. Handing something in never waits; a peer that does not read is cut off
//! once too much waits for it, so that it costs nobody else anything (BRG-CON-11).

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

/// Most bytes that may wait for one connection before what comes next is refused. A single chunk may be larger.
/// 16 MiB; less in the crate's own tests, so that they need not send so much.
pub const BACKLOG_BYTES: usize = if cfg!(test) { 1 << 20 } else { 16 << 20 };

/// Queued chunks are joined up to this many bytes, so that the peer is woken once for many small ones.
const PIECE_BYTES: usize = 16 * 1024;

/// How long a peer may take to end its side of a connection that we have ended.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Too much waits already: the peer does not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the peer does not read what is sent to it")]
pub struct Overflow;

/// The near end: where the engine puts what is to be written.
#[derive(Clone, Debug)]
pub struct Outbox {
    chunks: mpsc::UnboundedSender<Chunk>,
    backlog: Arc<Backlog>,
    shutdown: Shutdown,
}

/// The far end: held by the connection's own task.
#[derive(Debug)]
pub struct OutboxReceiver {
    chunks: mpsc::UnboundedReceiver<Chunk>,
    backlog: Arc<Backlog>,
    /// How the engine tells the task that it is over.
    pub shutdown: Shutdown,
}

/// The two ways in which a connection ends from our side.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    /// Nothing that arrives counts any more; write what waits, then end in good order.
    pub stop_reading: CancellationToken,
    /// Drop the connection at once.
    pub abort: CancellationToken,
}

#[derive(Debug)]
struct Chunk {
    bytes: Vec<u8>,
    last: bool,
}

#[derive(Debug, Default)]
struct Backlog {
    bytes: AtomicUsize,
    drained: Notify,
}

/// A new pair.
pub fn outbox() -> (Outbox, OutboxReceiver) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let backlog = Arc::new(Backlog::default());
    let shutdown = Shutdown::default();
    let near = Outbox { chunks: sender, backlog: Arc::clone(&backlog), shutdown: shutdown.clone() };
    (near, OutboxReceiver { chunks: receiver, backlog, shutdown })
}

impl Outbox {
    /// Queues bytes.
    ///
    /// # Errors
    /// [`Overflow`] when more than [`BACKLOG_BYTES`] wait already.
    pub fn send(&self, bytes: Vec<u8>) -> Result<(), Overflow> {
        if self.backlog.bytes.load(Ordering::Relaxed) > BACKLOG_BYTES {
            return Err(Overflow);
        }
        self.push(Chunk { bytes, last: false });
        Ok(())
    }

    /// Queues the last bytes: nothing after them is written, and what arrives from now on is ignored.
    pub fn send_last(&self, bytes: Vec<u8>) {
        self.push(Chunk { bytes, last: true });
        self.shutdown.stop_reading.cancel();
    }

    /// Lets what is queued be written and ends the connection.
    pub fn finish(self) {
        self.shutdown.stop_reading.cancel();
    }

    /// Drops the connection at once.
    pub fn abort(&self) {
        self.shutdown.abort.cancel();
    }

    /// Cancelled once nothing that arrives counts any more.
    pub fn stop_reading(&self) -> &CancellationToken {
        &self.shutdown.stop_reading
    }

    /// Whether something waits to be taken by the peer's system.
    pub fn is_behind(&self) -> bool {
        self.backlog.bytes.load(Ordering::Relaxed) > 0
    }

    /// Waits until the peer's system has taken everything, or the connection is cut.
    pub async fn drained(&self) {
        loop {
            let drained = self.backlog.drained.notified();
            if self.backlog.bytes.load(Ordering::Relaxed) == 0 {
                return;
            }
            tokio::select! {
                () = drained => {}
                () = self.shutdown.abort.cancelled() => return,
            }
        }
    }

    fn push(&self, chunk: Chunk) {
        self.backlog.bytes.fetch_add(chunk.bytes.len(), Ordering::Relaxed);
        // The receiving task has ended when this fails: the bytes are lost with the connection, and its end is
        // reported.
        let _lost = self.chunks.send(chunk);
    }
}

impl OutboxReceiver {
    /// Writes what is queued, until the last chunk is written or nothing can be queued any more.
    ///
    /// # Errors
    /// The stream's.
    pub async fn write_to(&mut self, stream: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        while let Some(Chunk { mut bytes, mut last }) = self.chunks.recv().await {
            // Small things that wait together go in one piece: the peer is woken once, not for each line.
            while !last
                && bytes.len() < PIECE_BYTES
                && let Ok(next) = self.chunks.try_recv()
            {
                bytes.extend(next.bytes);
                last = next.last;
            }
            stream.write_all(&bytes).await?;
            if last || self.chunks.is_empty() {
                stream.flush().await?;
            }
            if self.backlog.bytes.fetch_sub(bytes.len(), Ordering::Relaxed) == bytes.len() {
                self.backlog.drained.notify_one();
            }
            if last {
                break;
            }
        }
        Ok(())
    }
}

impl Drop for OutboxReceiver {
    fn drop(&mut self) {
        self.shutdown.abort.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    #[tokio::test]
    async fn parcels_are_written_in_order_up_to_the_last() {
        let (outbox, mut outgoing) = outbox();
        outbox.send(b"one ".to_vec()).unwrap();
        outbox.send_last(b"two".to_vec());
        outbox.send(b" three".to_vec()).unwrap();
        assert!(outgoing.shutdown.stop_reading.is_cancelled());
        let (mut near, mut far) = tokio::io::duplex(64);
        outgoing.write_to(&mut near).await.unwrap();
        drop(near);
        let mut written = String::new();
        far.read_to_string(&mut written).await.unwrap();
        assert_eq!(written, "one two");
    }

    #[tokio::test]
    async fn a_peer_that_does_not_read_overflows() {
        let (outbox, _outgoing) = outbox();
        let chunk = vec![0; BACKLOG_BYTES / 16];
        let taken = std::iter::repeat_with(|| outbox.send(chunk.clone())).take_while(Result::is_ok).count();
        assert_eq!(taken, 17);
    }

    #[tokio::test]
    async fn a_finished_outbox_is_written_out() {
        let (outbox, mut outgoing) = outbox();
        outbox.send(b"answer\n".to_vec()).unwrap();
        outbox.finish();
        let (mut near, mut far) = tokio::io::duplex(64);
        outgoing.write_to(&mut near).await.unwrap();
        drop(near);
        let mut written = String::new();
        far.read_to_string(&mut written).await.unwrap();
        assert_eq!(written, "answer\n");
    }
}

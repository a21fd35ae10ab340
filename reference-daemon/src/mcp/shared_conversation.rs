//! One client's [`Conversation`], shared by everything that reads, answers and notifies.

use super::conversation::Conversation;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The conversation, and the wake-up of whoever writes its lines.
#[derive(Debug)]
pub struct SharedConversation {
    conversation: Mutex<Conversation>,
    waiting: Notify,
    last_line: CancellationToken,
}

impl SharedConversation {
    /// The conversation of one connection.
    pub fn new(conversation: Conversation) -> Self {
        Self { conversation: Mutex::new(conversation), waiting: Notify::new(), last_line: CancellationToken::new() }
    }

    /// Does something with the conversation, and wakes the writer for the lines it leaves.
    pub fn with<T>(&self, step: impl FnOnce(&mut Conversation) -> T) -> T {
        let result = step(&mut self.locked());
        self.waiting.notify_one();
        result
    }

    /// No line will be added any more: [`write_to`](Self::write_to) ends after those that wait.
    pub fn close(&self) {
        self.last_line.cancel();
    }

    /// Writes lines as they come, in their order, each with a newline.
    ///
    /// # Errors
    ///
    /// The client reads no more.
    pub async fn write_to(&self, mut out: impl AsyncWrite + Unpin) -> std::io::Result<()> {
        loop {
            while let Some(mut line) = self.next_line() {
                line.push('\n');
                out.write_all(line.as_bytes()).await?;
            }
            out.flush().await?;
            tokio::select! {
                biased;
                () = self.waiting.notified() => {}
                () = self.last_line.cancelled() => return Ok(()),
            }
        }
    }

    fn next_line(&self) -> Option<String> {
        self.locked().next_line()
    }

    fn locked(&self) -> MutexGuard<'_, Conversation> {
        self.conversation.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Everything that arrived, in order, and the waiting on it.

use super::classify::classify;
use super::error::{End, WaitError, WaitFailure};
use super::memory_use::weight;
use super::message::{Arrived, Cursor, Line, Message, Relation, Violation, Why};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio::time::Instant;

/// The log of one lane: the transport adds to it, any number of tasks wait on it.
#[derive(Debug)]
pub(super) struct Log {
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
}

#[derive(Debug)]
struct Inner {
    arrived: VecDeque<Arc<Arrived>>,
    /// How many entries were forgotten from the front.
    forgotten: u64,
    /// Estimated memory held by `arrived`, in bytes.
    kept: usize,
    keep_at_most: usize,
    end: Option<End>,
}

impl Log {
    pub(super) fn new(keep_at_most: usize) -> Self {
        let inner = Mutex::new(Inner { arrived: VecDeque::new(), forgotten: 0, kept: 0, keep_at_most, end: None });
        Self { inner, changed: watch::Sender::new(()) }
    }

    /// Adds a whole line, classified.
    pub(super) fn line(&self, line: &[u8], relate: impl FnOnce(&Value) -> Relation) -> Result<(), End> {
        self.add(line, classify(line, relate))
    }

    /// Adds bytes that are no whole line.
    pub(super) fn fragment(&self, bytes: &[u8], why: Why) -> Result<(), End> {
        let violation = Violation { why, detail: format!("after {} bytes", bytes.len()), ids: Vec::new() };
        self.add(bytes, Message::Violation(violation))
    }

    fn add(&self, line: &[u8], message: Message) -> Result<(), End> {
        let added = weight(&message) + line.len();
        let mut inner = self.lock();
        if let Some(end) = &inner.end {
            return Err(end.clone());
        }
        if inner.kept + added > inner.keep_at_most {
            return Err(End::TooMuch { limit: inner.keep_at_most });
        }
        inner.kept += added;
        let cursor = Cursor(inner.position().0 + 1);
        inner.arrived.push_back(Arc::new(Arrived { cursor, when: Instant::now(), line: Line::new(line), message }));
        drop(inner);
        self.changed.send_replace(());
        Ok(())
    }

    /// Nothing will be added any more. Only the first end counts: `false` for any other.
    pub(super) fn end(&self, end: End) -> bool {
        let first = {
            let mut inner = self.lock();
            let first = inner.end.is_none();
            inner.end.get_or_insert(end);
            first
        };
        self.changed.send_replace(());
        first
    }

    pub(super) fn ended(&self) -> Option<End> {
        self.lock().end.clone()
    }

    /// Behind everything that has arrived so far.
    pub(super) fn position(&self) -> Cursor {
        self.lock().position()
    }

    pub(super) fn since(&self, after: Cursor) -> Vec<Arc<Arrived>> {
        self.lock().since(after).cloned().collect()
    }

    /// Drops the entries before `before` and the memory they hold.
    pub(super) fn forget(&self, before: Cursor) {
        let mut inner = self.lock();
        while inner.forgotten < before.0 {
            let Some(oldest) = inner.arrived.pop_front() else {
                return;
            };
            let freed = weight(&oldest.message) + oldest.line.as_bytes().len();
            inner.kept -= freed;
            inner.forgotten += 1;
        }
    }

    /// Waits for the first entry after `after` that `wanted` takes; it sees every entry once, in order.
    pub(super) async fn wait<T>(
        &self,
        after: Cursor,
        deadline: Instant,
        waited_for: impl Into<String>,
        mut wanted: impl FnMut(&Arc<Arrived>) -> Option<T>,
    ) -> Result<T, WaitError> {
        let mut changed = self.changed.subscribe();
        let mut seen = after;
        let why = loop {
            changed.mark_unchanged();
            let (fresh, end) = {
                let inner = self.lock();
                let fresh: Vec<_> = inner.since(seen).cloned().collect();
                (fresh, inner.end.clone())
            };
            for arrived in &fresh {
                if let Some(found) = wanted(arrived) {
                    return Ok(found);
                }
                seen = arrived.cursor;
            }
            if let Some(end) = end {
                break WaitFailure::Ended(end);
            }
            // The sender lives in `self`, so an error can only be the deadline's.
            if tokio::time::timeout_at(deadline, changed.changed()).await.is_err() {
                break WaitFailure::Deadline;
            }
        };
        Err(WaitError { waited_for: waited_for.into(), why, arrived: self.since(after) })
    }

    /// Waits until nothing more can arrive.
    pub(super) async fn wait_end(&self, deadline: Instant) -> Option<End> {
        let mut changed = self.changed.subscribe();
        loop {
            changed.mark_unchanged();
            if let Some(end) = self.ended() {
                return Some(end);
            }
            tokio::time::timeout_at(deadline, changed.changed()).await.ok()?.ok()?;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn position(&self) -> Cursor {
        Cursor(self.forgotten + self.arrived.len() as u64)
    }

    fn since(&self, after: Cursor) -> impl Iterator<Item = &Arc<Arrived>> {
        let skipped = after.0.saturating_sub(self.forgotten);
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        self.arrived.iter().skip(skipped)
    }
}

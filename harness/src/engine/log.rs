//! What arrived at one actor, in the order it arrived, and waiting for more of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How many items a log keeps. What a flooding peer sends beyond that is counted, not kept.
pub const KEPT_MAX: usize = 100_000;

/// An append-only log that tasks can wait on. Cheap to clone; all clones are one log.
#[derive(Debug)]
pub struct Log<T>(Arc<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    state: Mutex<State<T>>,
    grown: Notify,
}

#[derive(Debug)]
struct State<T> {
    items: Vec<T>,
    ended: Option<String>,
    dropped: u64,
}

/// Why a wait brought nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// The deadline passed.
    TimedOut(Duration),
    /// Nothing more can come: the connection ended this way.
    Ended(String),
}

impl std::fmt::Display for Unmet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TimedOut(waited) => write!(f, "nothing of the kind came within {:.1} s", waited.as_secs_f64()),
            Self::Ended(how) => write!(f, "the connection ended first ({how})"),
        }
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        let state = State { items: Vec::new(), ended: None, dropped: 0 };
        Self(Arc::new(Inner { state: Mutex::new(state), grown: Notify::new() }))
    }
}

impl<T> Log<T> {
    /// Adds an item and wakes everybody who waits.
    pub fn push(&self, item: T) {
        {
            let mut state = self.state();
            if state.items.len() < KEPT_MAX {
                state.items.push(item);
            } else {
                state.dropped += 1;
            }
        }
        self.0.grown.notify_waiters();
    }

    /// Says that nothing more will come. The first reason stays.
    pub fn end(&self, how: impl Into<String>) {
        self.state().ended.get_or_insert_with(|| how.into());
        self.0.grown.notify_waiters();
    }

    /// How it ended, if it did.
    pub fn ended(&self) -> Option<String> {
        self.state().ended.clone()
    }

    /// How many items there are; also the position of the next one.
    pub fn position(&self) -> usize {
        self.state().items.len()
    }

    /// Reads the items from a position on.
    pub fn read<R>(&self, from: usize, reader: impl FnOnce(&[T]) -> R) -> R {
        let state = self.state();
        reader(&state.items[from.min(state.items.len())..])
    }

    /// Changes the items from a position on, e.g. to mark them as used.
    pub fn edit<R>(&self, from: usize, editor: impl FnOnce(&mut [T]) -> R) -> R {
        let mut state = self.state();
        let from = from.min(state.items.len());
        editor(&mut state.items[from..])
    }

    /// Waits for the first item at or after `from` that `pick` accepts, and gives its position and what `pick` made of it.
    /// `pick` sees every item once, in order, under the log's lock: it must be quick and must not touch the log.
    pub async fn wait<R>(
        &self,
        from: usize,
        deadline: Instant,
        mut pick: impl FnMut(&mut T) -> Option<R>,
    ) -> Result<(usize, R), Unmet> {
        let began = Instant::now();
        let mut next = from;
        loop {
            let grown = self.0.grown.notified();
            tokio::pin!(grown);
            grown.as_mut().enable();
            {
                let mut state = self.state();
                while next < state.items.len() {
                    if let Some(picked) = pick(&mut state.items[next]) {
                        return Ok((next, picked));
                    }
                    next += 1;
                }
                if let Some(how) = &state.ended {
                    return Err(Unmet::Ended(how.clone()));
                }
            }
            if tokio::time::timeout_at(deadline, grown).await.is_err() {
                return Err(Unmet::TimedOut(began.elapsed()));
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[tokio::test]
    async fn a_wait_sees_what_was_there_and_what_comes() {
        let log = Log::default();
        log.push(1);
        assert_eq!(log.wait(0, soon(), |item| (*item == 1).then_some(())).await, Ok((0, ())));
        let writer = log.clone();
        let (found, ()) = tokio::join!(log.wait(0, soon(), |item| (*item == 3).then_some("three")), async {
            writer.push(2);
            writer.push(3);
        });
        assert_eq!(found, Ok((2, "three")));
    }

    #[tokio::test]
    async fn an_ended_log_ends_the_wait_but_not_before_its_last_item() {
        let log = Log::default();
        log.push(7);
        log.end("eof");
        log.end("later reason");
        assert_eq!(log.wait(0, soon(), |item| (*item == 7).then_some(())).await, Ok((0, ())));
        assert_eq!(log.wait(1, soon(), |_| Some(())).await, Err(Unmet::Ended("eof".into())));
    }

    #[tokio::test]
    async fn a_deadline_ends_the_wait() {
        let log: Log<u8> = Log::default();
        let deadline = Instant::now() + Duration::from_millis(20);
        assert!(matches!(log.wait(0, deadline, |_| Some(())).await, Err(Unmet::TimedOut(_))));
    }
}

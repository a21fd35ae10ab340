//! What arrived on one connection and waits to be taken.

use crate::socket::{Ended, Event};
use iolite_protocol::frame::{DaemonFrame, FrameError};
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// One thing that arrived.
#[derive(Clone, Debug)]
pub struct Incoming {
    /// Position on its connection, from 1.
    pub seq: u64,
    /// The connection's number, from 1.
    pub connection: u32,
    /// What was seen.
    pub event: Event,
    /// For a text: the frame, or the rule of the contract that the daemon broke.
    pub frame: Option<Result<DaemonFrame, FrameError>>,
    /// For a text: its JSON, if it is any.
    pub json: Option<Value>,
    /// Whether a script took care of it. It can be taken nevertheless; old ones are forgotten.
    pub served: bool,
}

impl Incoming {
    /// The frame, if this is a valid one.
    pub fn valid_frame(&self) -> Option<&DaemonFrame> {
        self.frame.as_ref()?.as_ref().ok()
    }
}

/// Why nothing was taken.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WaitError {
    /// The deadline passed.
    #[error("nothing of the kind arrived in time ({} other things wait)", arrived.len())]
    DeadlinePassed {
        /// Everything that arrived on the connection and was not taken, oldest first.
        arrived: Vec<Incoming>,
    },
    /// The connection ended: nothing can arrive any more.
    #[error("the connection ended ({ended}) before anything of the kind arrived ({} other things wait)", arrived.len())]
    Ended {
        /// How it ended.
        ended: Ended,
        /// Everything that arrived on the connection and was not taken, oldest first.
        arrived: Vec<Incoming>,
    },
    /// The app never had a connection.
    #[error("the app has no connection")]
    NoConnection,
}

impl WaitError {
    /// Everything that arrived on the connection and was not taken, oldest first.
    pub fn arrived(&self) -> &[Incoming] {
        match self {
            Self::DeadlinePassed { arrived } | Self::Ended { arrived, .. } => arrived,
            Self::NoConnection => &[],
        }
    }
}

/// The queue of one connection.
#[derive(Debug)]
pub(super) struct Inbox {
    limit: usize,
    state: Mutex<Contents>,
    arrival: Notify,
}

#[derive(Debug, Default)]
struct Contents {
    waiting: VecDeque<Incoming>,
    last_seq: u64,
    served: usize,
    weight: usize,
    ended: Option<Ended>,
}

impl Inbox {
    /// A queue in which `limit` bytes may wait that no script took care of.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, state: Mutex::default(), arrival: Notify::new() }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Puts one thing in. Says whether the queue is within its bound.
    pub(super) fn push(&self, mut incoming: Incoming) -> bool {
        let mut contents = self.contents();
        contents.last_seq += 1;
        incoming.seq = contents.last_seq;
        if let Event::Ended(ended) = &incoming.event {
            contents.ended = Some(ended.clone());
        }
        if incoming.served {
            contents.served += 1;
            if contents.served > SERVED_KEPT {
                contents.forget_oldest_served();
            }
        } else {
            contents.weight += incoming.event.weight();
        }
        contents.waiting.push_back(incoming);
        let within = contents.weight <= self.limit;
        drop(contents);
        self.arrival.notify_waiters();
        within
    }

    /// Takes the first thing that `wanted` makes something of, and what it made; waits for it.
    pub(super) async fn take<T>(
        &self,
        mut wanted: impl FnMut(&Incoming) -> Option<T>,
        deadline: Instant,
    ) -> Result<(Incoming, T), WaitError> {
        let mut looked_at = 0;
        loop {
            let arrival = self.arrival.notified();
            tokio::pin!(arrival);
            arrival.as_mut().enable();
            {
                let mut contents = self.contents();
                let first_new = contents.waiting.partition_point(|item| item.seq <= looked_at);
                let found = contents
                    .waiting
                    .range(first_new..)
                    .enumerate()
                    .find_map(|(at, item)| Some((first_new + at, wanted(item)?)));
                if let Some((at, made)) = found
                    && let Some(item) = contents.remove(at)
                {
                    return Ok((item, made));
                }
                looked_at = contents.last_seq;
                if let Some(ended) = contents.ended.clone() {
                    let arrived = contents.waiting.iter().cloned().collect();
                    return Err(WaitError::Ended { ended, arrived });
                }
            }
            if timeout_at(deadline, arrival).await.is_err() {
                let arrived = self.arrived();
                return Err(WaitError::DeadlinePassed { arrived });
            }
        }
    }

    /// What waits, oldest first. It stays.
    pub(super) fn arrived(&self) -> Vec<Incoming> {
        self.contents().waiting.iter().cloned().collect()
    }

    /// How the connection ended, if it did.
    pub(super) fn ended(&self) -> Option<Ended> {
        self.contents().ended.clone()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // Nothing panics while it holds the lock but a caller's predicate, and that changes nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn remove(&mut self, at: usize) -> Option<Incoming> {
        let item = self.waiting.remove(at)?;
        if item.served {
            self.served -= 1;
        } else {
            self.weight -= item.event.weight();
        }
        Some(item)
    }

    fn forget_oldest_served(&mut self) {
        if let Some(at) = self.waiting.iter().position(|item| item.served) {
            self.remove(at);
        }
    }
}

/// How many served requests are kept.
const SERVED_KEPT: usize = 4096;

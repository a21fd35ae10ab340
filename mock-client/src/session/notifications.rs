//! The queue of notifications: each one is handed out once, in order.

use super::Session;
use crate::outcome::Notification;
use crate::raw::{Arrived, Cursor, Message, WaitError};
use std::sync::{Arc, PoisonError};
use tokio::time::Instant;

/// The queue and the log are one: [`RawLane::notification`](crate::raw::RawLane::notification) sees the same entries and
/// takes none away.
impl Session {
    /// The next notification of the queue, waiting for it if need be. With several tasks waiting, each gets one of its own.
    ///
    /// # Errors
    ///
    /// [`WaitError`] when none came in time.
    pub async fn next_notification(&self, deadline: Instant) -> Result<Notification, WaitError> {
        loop {
            let from = *self.lock_queue();
            let any = |arrived: &Arrived| matches!(arrived.message, Message::Notification { .. });
            let arrived = self.lane.wait(from, deadline, "notification", any).await?;
            let mut read_up_to = self.lock_queue();
            if *read_up_to >= arrived.cursor {
                // Another task took it.
                continue;
            }
            if let Some(notification) = taken(&arrived) {
                *read_up_to = arrived.cursor;
                return Ok(notification);
            }
        }
    }

    /// All notifications of the queue that are there already.
    #[must_use]
    pub fn drain_notifications(&self) -> Vec<Notification> {
        let mut read_up_to = self.lock_queue();
        let arrived: Vec<Arc<Arrived>> = self.lane.since(*read_up_to);
        if let Some(last) = arrived.last() {
            *read_up_to = last.cursor;
        }
        arrived.iter().filter_map(|arrived| taken(arrived)).collect()
    }

    fn lock_queue(&self) -> std::sync::MutexGuard<'_, Cursor> {
        self.read_up_to.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn taken(arrived: &Arrived) -> Option<Notification> {
    match &arrived.message {
        Message::Notification { method, params } => {
            Some(Notification { method: method.clone(), params: params.clone() })
        }
        _ => None,
    }
}

//! How many connections a listener serves, and a way to wait until one of them ends.

use std::io::ErrorKind;
use std::sync::Arc;
use tokio::sync::Notify;

/// Counts the seats taken.
#[derive(Clone, Debug, Default)]
pub struct Room {
    freed: Arc<Notify>,
    seats: Arc<()>,
}

/// One connection's place; given back when dropped.
#[derive(Debug)]
pub struct Seat {
    freed: Arc<Notify>,
    _taken: Arc<()>,
}

impl Room {
    /// Takes a seat.
    pub fn seat(&self) -> Seat {
        Seat { freed: Arc::clone(&self.freed), _taken: Arc::clone(&self.seats) }
    }

    /// Seats taken now.
    pub fn taken(&self) -> usize {
        Arc::strong_count(&self.seats) - 1
    }

    /// Waits after a failed `accept` until another one can succeed: at once when the peer was the reason; else the system
    /// is out of descriptors, most likely, and nothing changes before a connection ends.
    pub async fn recover(&self, error: ErrorKind) {
        let peers_fault =
            matches!(error, ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted);
        if !peers_fault {
            self.freed.notified().await;
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_room_waits_for_a_seat() {
        let room = Room::default();
        let seat = room.seat();
        assert_eq!(room.taken(), 1);
        room.recover(ErrorKind::ConnectionAborted).await;
        let waiting = tokio::spawn({
            let room = room.clone();
            async move { room.recover(ErrorKind::Other).await }
        });
        drop(seat);
        waiting.await.unwrap();
    }
}

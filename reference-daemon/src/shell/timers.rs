//! Due times, earliest first. One due time per timer; timers due at the same moment fire in the order they were set.

use crate::core::io::{Now, SocketId, Timer};
use std::collections::{BTreeMap, HashMap};

/// What is due: a timer of the core, or one of the shell's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// A timer the core asked for.
    Core(Timer),
    /// A connection must have finished its TLS and WebSocket handshakes by now.
    Handshake(SocketId),
}

/// The queue of due times.
#[derive(Debug, Default)]
pub struct Timers {
    queue: BTreeMap<(Now, u64), Due>,
    places: HashMap<Due, (Now, u64)>,
    serial: u64,
}

impl Timers {
    /// Sets or moves a timer.
    pub fn set(&mut self, due: Due, at: Now) {
        self.cancel(due);
        self.serial += 1;
        let place = (at, self.serial);
        self.queue.insert(place, due);
        self.places.insert(due, place);
    }

    /// Forgets a timer, if it is set.
    pub fn cancel(&mut self, due: Due) {
        if let Some(place) = self.places.remove(&due) {
            self.queue.remove(&place);
        }
    }

    /// When the earliest timer is due.
    pub fn next_due(&self) -> Option<Now> {
        self.queue.keys().next().map(|(at, _)| *at)
    }

    /// Takes the earliest timer due at or before `now`, with its due time.
    pub fn take_due(&mut self, now: Now) -> Option<(Now, Due)> {
        let entry = self.queue.first_entry().filter(|entry| entry.key().0 <= now)?;
        let at = entry.key().0;
        let due = entry.remove();
        self.places.remove(&due);
        Some((at, due))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(unix_ms: u64) -> Now {
        Now { unix_ms }
    }

    #[test]
    fn timers_fire_in_time_order_then_in_the_order_set() {
        let mut timers = Timers::default();
        let link = |n| Due::Core(Timer::LinkExpiry(n));
        timers.set(link(1), at(20));
        timers.set(link(2), at(10));
        timers.set(link(3), at(20));
        timers.set(link(4), at(30));
        timers.set(link(2), at(20));
        timers.cancel(link(3));
        assert_eq!(timers.next_due(), Some(at(20)));
        assert_eq!(timers.take_due(at(19)), None);
        assert_eq!(timers.take_due(at(25)), Some((at(20), link(1))));
        assert_eq!(timers.take_due(at(25)), Some((at(20), link(2))));
        assert_eq!(timers.take_due(at(25)), None);
        assert_eq!(timers.take_due(at(30)), Some((at(30), link(4))));
        assert_eq!(timers.next_due(), None);
    }
}

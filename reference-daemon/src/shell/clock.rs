//! Where the daemon's time comes from. Everything else is handed a [`Now`].

use crate::core::io::Now;
use std::time::{Duration, Instant, SystemTime};

/// The daemon's time: the system's, or one that moves only when told to.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    /// Wall time at the start plus the monotonic time since: never runs backwards, whatever happens to the wall clock.
    System {
        /// Milliseconds since the Unix epoch when the clock was started.
        start: Now,
        /// The same moment on the monotonic clock.
        started: Instant,
    },
    /// Stands still at this moment.
    Manual(Now),
}

/// Which clock to start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockChoice {
    /// Time passes.
    #[default]
    System,
    /// Time stands still until a line `advance <ms>` arrives on standard input.
    Manual,
}

impl Clock {
    /// Starts a clock at the current wall time.
    pub fn start(choice: ClockChoice) -> Self {
        let elapsed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let start = Now { unix_ms: millis(elapsed) };
        match choice {
            ClockChoice::System => Self::System { start, started: Instant::now() },
            ClockChoice::Manual => Self::Manual(start),
        }
    }

    /// The present moment.
    pub fn now(&self) -> Now {
        match self {
            Self::System { start, started } => Now { unix_ms: start.unix_ms.saturating_add(millis(started.elapsed())) },
            Self::Manual(now) => *now,
        }
    }

    /// Real time left until `at`; `None` when no amount of waiting gets there, because time stands still.
    pub fn until(&self, at: Now) -> Option<Duration> {
        match self {
            Self::System { start, started } => {
                let due = *started + Duration::from_millis(at.unix_ms.saturating_sub(start.unix_ms));
                Some(due.saturating_duration_since(Instant::now()))
            }
            Self::Manual(now) => (at <= *now).then_some(Duration::ZERO),
        }
    }

    /// Moves a manual clock to `at`, never backwards. The system's clock is left alone.
    pub fn move_to(&mut self, at: Now) {
        if let Self::Manual(now) = self {
            *now = at.max(*now);
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told_and_never_back() {
        let mut clock = Clock::start(ClockChoice::Manual);
        let start = clock.now();
        let later = Now { unix_ms: start.unix_ms + 10_000 };
        assert_eq!(clock.until(later), None);
        clock.move_to(later);
        assert_eq!(clock.now(), later);
        clock.move_to(start);
        assert_eq!(clock.now(), later);
    }

    #[test]
    fn the_system_clock_waits_for_real_time() {
        let clock = Clock::start(ClockChoice::System);
        let soon = Now { unix_ms: clock.now().unix_ms + 60_000 };
        assert!(clock.until(soon).is_some_and(|left| left > Duration::from_secs(30)));
        assert_eq!(clock.until(Now { unix_ms: 0 }), Some(Duration::ZERO));
    }
}

//! How long to wait: deadlines scaled from what this daemon on this machine has shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The shortest usual deadline, before patience.
pub const USUAL_MIN: Duration = Duration::from_secs(3);
/// The longest usual deadline, before patience: a daemon that slow is reported, not waited for.
pub const USUAL_MAX: Duration = Duration::from_secs(30);
/// How many round trips the usual deadline lasts.
pub const ROUND_TRIPS: u32 = 200;

/// The pace of one daemon. Cheap to clone; all clones learn together.
#[derive(Clone, Debug)]
pub struct Pace {
    patience: f64,
    smoothed_us: Arc<AtomicU64>,
}

impl Pace {
    /// A pace that knows no round trip yet. `patience` multiplies every deadline; 1 is the normal value.
    pub fn new(patience: f64) -> Self {
        let patience = if patience.is_finite() && patience > 0.0 { patience } else { 1.0 };
        Self { patience, smoothed_us: Arc::new(AtomicU64::new(0)) }
    }

    /// Learns from one round trip. Smoothed like TCP does, so that one hiccup changes little.
    pub fn learn(&self, round_trip: Duration) {
        let sample = u64::try_from(round_trip.as_micros()).unwrap_or(u64::MAX).max(1);
        let _ = self.smoothed_us.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
            Some(if old == 0 { sample } else { old - old / 8 + sample / 8 })
        });
    }

    /// The smoothed round trip; zero when none was measured.
    pub fn round_trip(&self) -> Duration {
        Duration::from_micros(self.smoothed_us.load(Ordering::Relaxed))
    }

    /// How long a wait lasts that names no time of its own.
    pub fn usual(&self) -> Duration {
        (self.round_trip() * ROUND_TRIPS).clamp(USUAL_MIN, USUAL_MAX).mul_f64(self.patience)
    }

    /// A time named by a person, with patience applied. Nonsense (negative, not finite) counts as zero.
    pub fn scaled(&self, seconds: f64) -> Duration {
        Duration::try_from_secs_f64(seconds * self.patience).unwrap_or(Duration::ZERO)
    }

    /// The deadline of a step that starts now. `within` is in seconds and replaces the usual time.
    pub fn deadline(&self, within: Option<f64>) -> Instant {
        Instant::now() + within.map_or_else(|| self.usual(), |seconds| self.scaled(seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_follow_the_daemon_within_bounds() {
        let pace = Pace::new(2.0);
        assert_eq!(pace.usual(), Duration::from_secs(6));
        pace.learn(Duration::from_millis(50));
        assert_eq!(pace.usual(), Duration::from_secs(20));
        pace.learn(Duration::from_secs(100));
        assert_eq!(pace.usual(), Duration::from_secs(60));
        assert_eq!(pace.scaled(0.5), Duration::from_secs(1));
        assert_eq!(pace.scaled(f64::NAN), Duration::ZERO);
    }
}

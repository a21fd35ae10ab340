//! A tap that outlives one run: a daemon may serve several, and each has a transcript of its own.

use iolite_protocol::transcript::Tap;
use std::sync::{Arc, Mutex, PoisonError};

/// A tap whose records go to the scenario that uses the daemon at the time.
#[derive(Clone, Debug, Default)]
pub(super) struct TapSwitch(Arc<Mutex<Option<Tap>>>);

impl TapSwitch {
    /// The tap to hand out.
    pub(super) fn tap(&self) -> Tap {
        let current = Arc::clone(&self.0);
        Tap::new(move |record| {
            let tap = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some(tap) = tap {
                tap.record(record);
            }
        })
    }

    /// Sends what comes from now on to `tap`.
    pub(super) fn point_at(&self, tap: Tap) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(tap);
    }
}

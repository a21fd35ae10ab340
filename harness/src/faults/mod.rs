//! The suite measured: which deliberate faults of the reference daemon it notices.
//!
//! For each fault the scenarios bound to the promise it breaks are run first, the smallest first, until a check bound to that
//! promise fails. Only a fault whose promise a watcher proves, and that none of them noticed, meets the rest of the suite.
//! Where a fault was noticed the last time is looked at before all others ([`NoticedCache`]).

mod measurement;
mod noticed;
mod noticed_cache;
mod unfailed;

pub use measurement::{Measurement, Until, VARIABLE};
pub use noticed::{Noticed, stem};
pub use noticed_cache::{NoticedCache, NoticedEntry};
pub use unfailed::unfailed;

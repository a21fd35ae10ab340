//! What the app's API warns about instead of failing.

use super::kind::Kind;

/// One warning. It is kept in a queue (see [`AppApi::take_warnings`](super::AppApi::take_warnings)) and traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A name was registered again; the later registration took its place (BRG-APP-01).
    #[error("{kind:?} {name:?} was registered before and is overwritten")]
    Overwritten {
        /// Which registry.
        kind: Kind,
        /// The name.
        name: String,
    },
    /// A resource was registered under a uri that another name had; the other one is no longer registered.
    #[error("uri {uri:?} moves from resource {from:?} to {by:?}")]
    UriTaken {
        /// The uri.
        uri: String,
        /// The name that had it.
        from: String,
        /// The name that has it now.
        by: String,
    },
    /// An event was posted while the app was not active (BRG-APP-05).
    #[error("event {name:?} is dropped: the app is not active")]
    EventDropped {
        /// The event's name.
        name: String,
    },
}

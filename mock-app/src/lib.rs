//! A scriptable mock app: it keeps the bridge protocol, or breaks it on demand.
//!
//! From the top down: [`app`] is an app with registries, scripts and a driver's controls; [`resource`] defines
//! resources apart from any app; [`socket`] is the WebSocket underneath, whose every frame can be built by hand;
//! [`tls`] trusts one pinned key.

pub mod app;
pub mod resource;
pub mod socket;
pub mod tls;

#[cfg(test)]
mod fake_daemon;

//! A client of the control RPC: what the MCP server and the command line use to talk to the daemon.
//!
//! One [`RpcClient`] is one connection. Any number of calls may be open on it at once, each under its own id and
//! each with a deadline. Events are handed over in the order in which they stand on the wire *between* answers:
//! when a call's result is known, every event sent before that result has been seen. [`ReconnectingClient`] adds the
//! return of a daemon that went away.

mod client;
mod error;
mod event;
mod reconnecting;

pub use client::{OnEvent, OpenCall, PATIENT, QUICK, RpcClient};
pub use error::{DAEMON_UNREACHABLE, Refusal, RpcClientError};
pub use event::Event;
pub use reconnecting::{Observer, ReconnectingClient};

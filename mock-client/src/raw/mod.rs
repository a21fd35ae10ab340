//! The raw lane: everything that can be sent, everything that came back.
//!
//! A lane neither invents nor hides a message. Whatever arrives is recorded, classified ([`Message`]) and kept in
//! order; whoever waits names a place in that order ([`Cursor`]) and a deadline, and gets all that arrived when what was
//! waited for did not come. Any number of tasks may send and wait on one lane at once.
//!
//! Memory is bounded: a server that floods ends the lane with a typed [`End`] instead of filling the machine.

mod classify;
mod error;
mod lane;
mod link;
mod log;
mod memory_use;
mod message;
mod sent_requests;
pub mod stdio;
mod transport;

pub use error::{End, SendError, WaitError, WaitFailure};
pub use lane::{Limits, PendingId, RawLane};
pub(crate) use link::Link;
pub use message::{Arrived, Cursor, Line, Message, Relation, Response, Violation, Why};
pub use transport::{Frame, Inbox, Sent, Transport};

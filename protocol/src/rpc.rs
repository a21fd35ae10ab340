//! The control RPC: newline-delimited JSON-RPC 2.0 on a Unix socket (section 6 of the contract).
//!
//! [`RpcRequest::decode`] is the daemon's side, [`RpcMessage::decode`] the operator's. Results have types of their own
//! with `to_json` and `decode`. Where the contract names no form for a result, the form chosen here is the reference;
//! decoding takes other forms as far as their meaning is plain.

mod error;
mod event;
mod fields;
mod invalid_param;
mod listing;
mod message;
mod method;
mod outcome;
mod param_reader;
mod params;
mod request;
mod session;
mod status;
mod timestamp;

pub use error::RpcError;
pub use event::{EventRecord, EventsPage};
pub use fields::ShapeError;
pub use invalid_param::InvalidParam;
pub use listing::{Listed, Listing, Policy, ResourceListing, ToolListing};
pub use message::RpcMessage;
pub use method::Method;
pub use outcome::{CallOutcome, CancelOutcome, ReadOutcome};
pub use params::{EventsSince, EventsSubscribe, LinkCreate, Params, ResourcesRead, Selected, ToolsCall, ToolsCancel};
pub use request::{RpcFailure, RpcId, RpcRequest};
pub use session::{SessionState, SessionSummary, SessionsListing};
pub use status::{DaemonStatus, LinkCreated};
pub use timestamp::Timestamp;

#[cfg(test)]
mod tests;

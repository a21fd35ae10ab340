//! What travels between apps, a bridge daemon and its operator: frames, descriptors, limits and codecs.
//!
//! A *bridge daemon* stands between running apps, which hold a WebSocket to it and register tools and resources, and
//! agents, which reach those over MCP. This crate knows everything that goes over its two own wires, and nothing else:
//! no sockets, no clocks, no async. What exists is valid: fields are private, and constructors and decoders judge by the
//! [`Contract`](contract::Contract). The one way round is a *bent* contract, which waives rules, so that wrong
//! implementations can be described as data.
//!
//! | question | module |
//! |---|---|
//! | Which rules and limits are there? | [`contract`] |
//! | What does a frame look like, and which rule does this one break? | [`frame`] |
//! | What do apps register, and what does a read return? | [`descriptor`] |
//! | How is a socket closed? | [`close`] |
//! | Which errors and events are there? | [`error_type`], [`event`] |
//! | How does an app find the daemon? | [`bootstrap`] |
//! | What does the operator send and get? | [`rpc`] |
//! | Is this JSON, to the letter? | [`strict`] |
//! | What was seen on a wire? | [`transcript`] |
//!
//! # A refused frame
//!
//! ```
//! use iolite_protocol::close::Close;
//! use iolite_protocol::contract::{Contract, Rule};
//! use iolite_protocol::frame::AppFrame;
//!
//! let text = r#"{"type":"resource_registry_snapshot","session_id":"s1","resources":[
//!     {"uri":"app://cart","name":"cart","description":"The cart"},
//!     {"uri":"user","name":"user","description":"Who is logged in"}
//! ]}"#;
//! let error = AppFrame::decode_in_session(text, "s1", &Contract::default()).unwrap_err();
//!
//! assert_eq!(error.rule, Rule::ResourceUriAbsolute);
//! assert_eq!(error.pointer, "/resources/1/uri");
//! assert_eq!(error.close, Close::INVALID_REGISTRY);
//! assert_eq!(error.close.to_string(), "1008 invalid_registry");
//! ```
//!
//! # Where the contract is silent
//!
//! - Lengths count Unicode scalar values; see [`Limits`](contract::Limits).
//! - `null` has the wrong type for every optional field; see [`Kind::Type`](contract::Kind::Type).
//! - An integer may be spelled `2`, `2.0` or `2e0`: to most readers they are one number.
//! - Ids in an app's answers may be any text. An unknown one is ignored, so a rule would add nothing.
//! - A claim or resume on a socket that has its session is an unknown type.
//! - Unknown keys are tolerated wherever the contract does not say "nothing else", icons and content items included.

pub mod bootstrap;
pub mod close;
pub mod contract;
pub mod descriptor;
pub mod error_type;
pub mod event;
pub mod frame;
pub mod rpc;
pub mod strict;
pub mod transcript;

mod clipped;
mod fields;
mod syntax;
#[cfg(test)]
mod testing;

/// Serialises types as the text that they display as.
macro_rules! serialized_as_text {
    ($($type:ty),+) => {
        $(impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })+
    };
}
use serialized_as_text;

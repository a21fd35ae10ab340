//! The server side of RFC 6455, read frame by frame so that each wrong one gets the contract's exact answer.

pub mod frame;
pub mod message_decoder;
pub mod peer;
pub mod upgrade;

//! The server side of RFC 6455, read frame by frame so that each wrong one gets the contract's exact answer.

pub mod header;
pub mod inbox;
pub mod peer;
pub mod upgrade;

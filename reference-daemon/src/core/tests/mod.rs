//! Tests of the state machine: plain values in, plain values out.

mod bench;
mod calls;
mod connections;
mod events;
mod faults;
mod handshakes;
mod lifetimes;
mod links;
mod policy;
mod random;
mod reads;
mod registries;
mod rpc;
mod stories;

//! The whole server over in-memory pipes, between a fake daemon and a client that sees every line.

mod daemon;
mod lists;
mod protocol;
mod support;
mod tools;

//! A conforming bridge daemon whose state machine reads in an evening, and whose rules can be bent.
//!
//! [`core`] is the state machine: inputs in, outputs out, no clock and no sockets. [`rules`] is the one table of
//! decisions it consults. [`shell`] runs the core as a process: listeners, files, clock. [`mcp`] is the MCP server, a
//! process of its own that talks to the daemon as any operator would, through [`rpc_client`]. [`cli`] is the command line
//! over all of it. [`faults`] are the ways to bend the table, and no part of the daemon. The crate's README says in which
//! order to read.

pub mod cli;
pub mod core;
pub mod faults;
mod first_reading;
pub mod mcp;
pub mod rpc_client;
pub mod rules;
pub mod shell;
mod wires;

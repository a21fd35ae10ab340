//! A conforming bridge daemon, small enough to read in an evening, whose rules can be bent.
//!
//! [`core`] is the state machine: inputs in, outputs out, no clock and no sockets. [`rules`] is the one table of
//! decisions it consults; bending an entry makes a fault. [`shell`] runs the core as a process: listeners, files,
//! clock. [`mcp`] is the MCP server, a process of its own that talks to the daemon as any operator would, through
//! [`rpc_client`]. [`cli`] is the command line over all of it.

pub mod cli;
pub mod core;
pub mod faults;
pub mod mcp;
pub mod rpc_client;
pub mod rules;
pub mod shell;

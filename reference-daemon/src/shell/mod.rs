//! The daemon as a process: thin shells around [`crate::core`].
//!
//! | question | file |
//! |---|---|
//! | how does it start and end? | [`run`](mod@run), [`options`], [`error`] |
//! | who owns the core, and in what order do things happen? | [`engine`] |
//! | where does time come from? | [`clock`], [`timers`], [`console`] |
//! | how are standard input and output waited for? | [`stdio`] |
//! | how do apps connect? | [`listener`], [`websocket`], [`identity`] |
//! | how do operators connect? | [`control`] |
//! | what if too many connect, or one does not read? | [`connection_limit`], [`outbox`] |
//! | what lies in the state folder? | [`state_dir`], [`config`], [`pid_file`], [`audit_log`] |
//! | which rules does this process follow? | [`fault`] |

pub mod audit_log;
pub mod clock;
pub mod config;
pub mod connection_limit;
pub mod console;
pub mod control;
pub mod engine;
pub mod error;
pub mod fault;
pub mod identity;
pub mod listener;
pub mod log;
pub mod options;
pub mod outbox;
pub mod pid_file;
pub mod run;
pub mod state_dir;
pub mod stdio;
pub mod timers;
pub mod websocket;

pub use clock::ClockChoice;
pub use config::{Config, ConfigError};
pub use console::Console;
pub use error::ShellError;
pub use fault::{UnknownFault, rules_bent_by, rules_from_env};
pub use options::Options;
pub use run::{run, run_with};
pub use state_dir::StateDir;

#[cfg(test)]
mod tests;

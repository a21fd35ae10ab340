//! Logs: on standard error, never on standard output.

use std::io::{IsTerminal, stderr};
use tracing_subscriber::EnvFilter;

/// Name of the environment variable that chooses what is logged, in the syntax of tracing's `EnvFilter`.
pub const LOG_VARIABLE: &str = "IOLITE_LOG";

/// Starts logging to standard error; `warn` and above unless [`LOG_VARIABLE`] says otherwise. A second call does nothing.
pub fn init() {
    let filter = EnvFilter::try_from_env(LOG_VARIABLE).unwrap_or_else(|_| EnvFilter::new("warn"));
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr).with_ansi(stderr().is_terminal());
    let _already_started = subscriber.try_init();
}

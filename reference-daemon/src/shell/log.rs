//! Logs: on standard error, never on standard output.

use std::io::{IsTerminal, stderr};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Name of the environment variable that chooses what is logged, in the syntax of tracing's `EnvFilter`.
pub const LOG_VARIABLE: &str = "IOLITE_LOG";

/// Starts logging to standard error; `warn` and above unless [`LOG_VARIABLE`] says otherwise. A second call does
/// nothing.
pub fn init() {
    let subscriber = tracing_subscriber::fmt().with_writer(stderr).with_ansi(stderr().is_terminal());
    let _already_started = match EnvFilter::try_from_env(LOG_VARIABLE) {
        Ok(filter) => subscriber.with_env_filter(filter).try_init(),
        // Every command of the daemon starts here, and a level costs less than a filter.
        Err(_) => subscriber.with_max_level(LevelFilter::WARN).try_init(),
    };
}

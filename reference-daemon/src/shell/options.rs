//! What the caller of [`run`](super::run()) chooses.

use super::clock::ClockChoice;
use super::state_dir::StateDir;
use crate::rules::Rules;

/// How to run the daemon. Everything else stands in the state folder's `config.json`.
#[derive(Clone, Debug)]
pub struct Options {
    /// The state folder; created when missing.
    pub state_dir: StateDir,
    /// Which clock the daemon uses.
    pub clock: ClockChoice,
    /// The rules it follows. Build them with [`rules_from_env`](super::rules_from_env).
    pub rules: Rules,
    /// Port of the WebSocket listener in place of the configured one; 0 takes any free port.
    pub wss_port: Option<u16>,
}

impl Options {
    /// The contract's rules, the system's clock and the configured port, in this state folder.
    pub fn new(state_dir: StateDir) -> Self {
        Self { state_dir, clock: ClockChoice::System, rules: Rules::default(), wss_port: None }
    }
}

//! The daemon under test: how it is set up, started, spoken to and stopped.
//!
//! A target file (TOML) describes any bridge daemon; [`Target::load`] reads one, [`Target::reference`] is the one embedded in
//! this binary. [`Target::deploy`] makes a fresh folder for one daemon, and the [`Deployment`] starts and stops it.

mod command_line;
mod deploy;
mod description;
mod errors;
mod leftovers;
mod lifetime;
mod load;
mod mistakes;
mod own_limits;
mod placeholders;
mod process;
mod reader;
mod ready;
mod rpc_request;
mod run_command;
mod stop_method;
mod toml_tree;

pub use command_line::CommandLine;
pub use deploy::{DeployOptions, Deployment};
pub use description::{
    CliByEnvironment, ClockKind, ConfigFile, DaemonCommand, FEATURES, Isolation, Knobs, LinkMint, Ready, Target,
    Timing, VERSION,
};
pub use errors::{ClockError, StartError};
pub use leftovers::{Leftover, MARKER};
pub use load::REFERENCE;
pub use mistakes::{Mistake, TargetMistakes};
pub(crate) use own_limits::is_own_limit;
pub use own_limits::raise_file_limit;
pub use placeholders::UnknownPlaceholder;
pub use process::{Exit, StopError};
pub use run_command::CliOutput;
pub(crate) use run_command::run;
pub use stop_method::StopMethod;

#[cfg(test)]
mod tests;

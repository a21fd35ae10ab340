//! The daemon under test: how it is set up, started, spoken to and stopped.
//!
//! A target file (TOML) describes any bridge daemon; [`Target::load`] reads one, [`Target::reference`] is the one embedded in
//! this binary. [`Target::deploy`] makes a fresh folder for one daemon, and the [`Deployment`] starts and stops it.

mod command_line;
mod decode;
mod deploy;
mod placeholders;
mod process;
mod ready;
mod rpc_request;
mod run_command;
mod toml_tree;

pub use command_line::CommandLine;
pub use deploy::{ClockError, DeployOptions, Deployment, StartError, StopMethod};
pub use placeholders::UnknownPlaceholder;
pub use process::{Exit, StopError};
pub use run_command::CliOutput;
pub(crate) use run_command::run;

use crate::scenario::node::{Source, Span};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Version of the target file format.
pub const VERSION: u64 = 1;

/// Everything a target may claim. What it does not claim is not applicable, never failed.
pub const FEATURES: &[&str] = &[
    "tools",
    "resources",
    "mcp",
    "fallback",
    "cli",
    "audit",
    "policy",
    "events",
    "clock",
    "restart",
    "manual_start",
    "state_dir",
];

/// A daemon under test.
#[derive(Clone, Debug)]
pub struct Target {
    /// A short name, used in reports.
    pub name: String,
    /// What it claims, out of [`FEATURES`].
    pub features: BTreeSet<String>,
    /// MCP revisions its server claims, oldest first.
    pub revisions: Vec<String>,
    /// How many scenarios may share one daemon.
    pub isolation: Isolation,
    /// Commands run once before anything else, in the target file's folder.
    pub setup: Vec<Vec<String>>,
    /// Configuration file to write before each start.
    pub config: Option<ConfigFile>,
    /// How the daemon is started, recognised as ready, and stopped.
    pub daemon: DaemonCommand,
    /// How a bootstrap link is minted.
    pub link: LinkMint,
    /// Command that starts an MCP server on stdio; none when MCP is not claimed.
    pub mcp: Option<Vec<String>>,
    /// Command line prefix; arguments such as `ls --json` are appended. None when no command line is claimed.
    pub cli: Option<Vec<String>>,
    /// The same, told its state folder by the environment; none when the target file does not say how.
    pub cli_by_environment: Option<CliByEnvironment>,
    /// Choices the contract leaves to the daemon.
    pub knobs: Knobs,
    /// How the daemon's time can be made to pass.
    pub timing: Timing,
    /// Folder that relative commands are run in: the target file's own.
    pub folder: PathBuf,
    /// What `${self}` stands for.
    pub own_binary: PathBuf,
}

/// How many scenarios may share one daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// A fresh daemon for every scenario (the default).
    Scenario,
    /// One daemon for each parallel worker.
    Worker,
    /// One daemon for the whole run.
    Run,
}

/// A configuration file written before each start.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Where; placeholders allowed.
    pub file: String,
    /// Its JSON members; strings may hold placeholders. A scenario's own configuration is merged over them.
    pub values: Map<String, Value>,
}

/// How the daemon is started, recognised as ready, and stopped.
#[derive(Clone, Debug)]
pub struct DaemonCommand {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Additional environment.
    pub env: Vec<(String, String)>,
    /// What proves that it is ready.
    pub ready: Ready,
    /// How long that may take.
    pub ready_within: Duration,
    /// How long stopping may take before it is killed.
    pub stop_within: Duration,
    /// How it is stopped when a scenario does not care.
    pub stop: StopMethod,
    /// Path of the control socket, with placeholders; `None` when the readiness line tells it.
    pub socket: Option<String>,
}

/// Proof that a daemon is ready. A file that exists is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// A JSON document on its standard output that has this member, at its top or in an object inside it. It is the path of
    /// the control socket.
    StdoutJson {
        /// Name of the member.
        member: String,
    },
    /// A line on its standard output that contains this text.
    StdoutLine {
        /// The text.
        contains: String,
    },
    /// The control socket accepts a connection and answers `daemon.status`.
    Socket,
}

/// How a bootstrap link is minted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkMint {
    /// `link.create` on the control RPC.
    Rpc,
    /// A command that prints a JSON document holding `deepLinkPayload` and `pin`, at its top or below `data`.
    Command(Vec<String>),
}

/// A command line that is told its state folder by the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliByEnvironment {
    /// Command line prefix without the option that chooses the state folder.
    pub command: Vec<String>,
    /// The environment variable that chooses it.
    pub variable: String,
}

/// Choices the contract leaves to the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knobs {
    /// Prefix of the bridge's own MCP tools, without the underscore.
    pub tool_prefix: String,
    /// URI scheme of exposed resources.
    pub uri_scheme: String,
    /// Error type for an unknown resource name on the control RPC.
    pub resource_not_found: String,
    /// Whether daemon-to-app frame types sent by an app count as unknown types.
    pub own_types_are_unknown: bool,
    /// Whether resource reads follow `policy.default` instead of being allowed.
    pub reads_follow_default: bool,
    /// Code of the MCP error for an unknown tool.
    pub unknown_tool_code: i64,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            tool_prefix: "cordierite".into(),
            uri_scheme: "cordierite".into(),
            resource_not_found: "tool_not_found".into(),
            own_types_are_unknown: true,
            reads_follow_default: false,
            unknown_tool_code: -32602,
        }
    }
}

/// How the daemon's time can be made to pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The clock.
    pub clock: ClockKind,
    /// The longest real wait a scenario may ask for; longer ones are not applicable. Only for a real clock.
    pub wait_max: Duration,
}

/// What drives the daemon's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockKind {
    /// Lines `advance <milliseconds>` on the daemon's standard input, each answered by a line holding `"advanced"`.
    Stdin,
    /// The world's own; waiting really takes that long.
    Real,
}

/// Why a target file was not understood: every mistake in it.
#[derive(Clone, Debug)]
pub struct TargetMistakes {
    /// The file.
    pub source: Arc<Source>,
    /// Its mistakes, in the order they stand.
    pub mistakes: Vec<Mistake>,
}

/// One mistake in a file that a person wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where it stands.
    pub span: Span,
    /// What is wrong, and what was expected.
    pub message: String,
    /// How to mend it, with the nearest right spelling when there is one.
    pub help: Option<String>,
}

impl std::fmt::Display for TargetMistakes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, mistake) in self.mistakes.iter().enumerate() {
            let (line, column) = self.source.position(mistake.span.start);
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{}:{line}:{column}: {}", self.source.path, mistake.message)?;
            if let Some(help) = &mistake.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for TargetMistakes {}

impl Target {
    /// Reads a target file. A file that cannot be read is reported like a mistake at its beginning.
    pub fn load(path: &Path, own_binary: &Path) -> Result<Self, TargetMistakes> {
        let shown = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
                decode::decode(&Source::new(shown, text), &folder, own_binary)
            }
            Err(error) => Err(TargetMistakes {
                source: Source::new(shown, ""),
                mistakes: vec![Mistake {
                    span: 0..0,
                    message: format!("this target file cannot be read: {error}"),
                    help: Some("name a TOML file as described in docs/targets.md".into()),
                }],
            }),
        }
    }

    /// The reference daemon inside this binary: the default target.
    pub fn reference(own_binary: &Path) -> Self {
        let source = Source::new("fixtures/targets/reference.toml (embedded)", REFERENCE);
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        match decode::decode(&source, &here, own_binary) {
            Ok(target) => target,
            Err(mistakes) => unreachable!("the embedded target file is tested: {mistakes}"),
        }
    }

    /// Whether the target claims a feature.
    pub fn claims(&self, feature: &str) -> bool {
        self.features.contains(feature)
    }
}

/// The embedded target file.
pub const REFERENCE: &str = include_str!("../../../fixtures/targets/reference.toml");

#[cfg(test)]
mod tests;

//! What a target file says of a daemon.

use super::stop_method::StopMethod;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::PathBuf;
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

impl Target {
    /// Whether the target claims a feature.
    pub fn claims(&self, feature: &str) -> bool {
        self.features.contains(feature)
    }

    /// Whether it claims one value of an axis that scenarios are run along.
    pub fn claims_value(&self, axis: &str, value: &str) -> bool {
        match axis {
            "revision" => self.revisions.iter().any(|revision| revision == value),
            "transport" => value == "stdio",
            _ => true,
        }
    }

    /// The first of these features that it does not claim.
    pub fn lacks<'a>(&self, needed: &'a [String]) -> Option<&'a str> {
        needed.iter().map(String::as_str).find(|feature| !self.claims(feature))
    }
}

//! One deployment: a fresh folder, its configuration, and the commands that go with it.

use super::command_line::CommandLine;
use super::description::{ClockKind, LinkMint, Target};
use super::errors::StartError;
use super::leftovers::MARKER;
use super::own_limits::scratch_folder;
use super::placeholders::Placeholders;
use super::process::{Exit, Process};
use super::run_command::{CliOutput, run};
use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How one daemon is deployed.
#[derive(Clone, Debug)]
pub struct DeployOptions {
    /// Members merged over the target's own configuration values, deeply.
    pub config: Value,
    /// Environment for the daemon, its MCP server and its command line.
    pub env: Vec<(String, String)>,
    /// Where everything the process does is recorded.
    pub tap: Tap,
    /// Factor on the target's own time limits.
    pub patience: f64,
}

/// A folder for one daemon, and that daemon. Dropping it kills the daemon's process group and removes the folder.
#[derive(Debug)]
pub struct Deployment {
    pub(super) target: Arc<Target>,
    pub(super) options: DeployOptions,
    pub(super) placeholders: Placeholders,
    pub(super) process: Option<Process>,
    pub(super) socket: Option<PathBuf>,
    pub(super) stdout_seen: u64,
    pub(super) scratch: tempfile::TempDir,
}

impl Target {
    /// Makes a fresh folder for a daemon of this target. Nothing is started yet.
    pub async fn deploy(self: &Arc<Self>, options: DeployOptions) -> Result<Deployment, StartError> {
        let scratch = scratch_folder().map_err(StartError::Folder)?;
        let state_dir = scratch.path().join("state");
        std::fs::create_dir(&state_dir).map_err(StartError::Folder)?;
        std::fs::set_permissions(&state_dir, std::fs::Permissions::from_mode(0o700)).map_err(StartError::Folder)?;
        let shown = |path: &Path| path.display().to_string();
        let mut names = BTreeMap::from([
            ("state_dir", shown(&state_dir)),
            ("scratch", shown(scratch.path())),
            ("self", shown(&self.own_binary)),
            ("target_dir", shown(&self.folder)),
        ]);
        if self.uses_port() {
            names.insert("port", free_port().await.map_err(StartError::Folder)?.to_string());
        }
        Ok(Deployment {
            target: self.clone(),
            options,
            placeholders: Placeholders(names),
            process: None,
            socket: None,
            stdout_seen: 0,
            scratch,
        })
    }

    fn uses_port(&self) -> bool {
        let in_config = self
            .config
            .as_ref()
            .is_some_and(|config| Value::Object(config.values.clone()).to_string().contains("${port}"));
        in_config || self.daemon.command.iter().any(|word| word.contains("${port}"))
    }
}

impl Deployment {
    /// The target it was made from.
    pub fn target(&self) -> &Arc<Target> {
        &self.target
    }

    /// The daemon's state folder.
    pub fn state_dir(&self) -> PathBuf {
        self.scratch.path().join("state")
    }

    /// Path of the control socket: known once the daemon has been ready.
    pub fn socket_path(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// Whether a daemon is running.
    pub fn is_running(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.exit().is_none())
    }

    /// The newest lines of the daemon's standard error.
    pub fn stderr(&self) -> Vec<String> {
        self.process.as_ref().map(Process::stderr_lines).unwrap_or_default()
    }

    /// Turns to `Some` when the daemon's process has ended; `None` when none was started.
    pub fn exit_watch(&self) -> Option<watch::Receiver<Option<Exit>>> {
        self.process.as_ref().map(Process::exit_watch)
    }

    /// Merges members over the configuration; the next start writes them.
    pub fn reconfigure(&mut self, over: &Value) {
        if self.options.config.is_null() {
            self.options.config = over.clone();
        } else {
            merge(&mut self.options.config, over);
        }
    }

    /// The command that starts an MCP server for this daemon; `None` when the target has none.
    pub fn mcp_command(&self) -> Option<CommandLine> {
        self.target.mcp.as_ref().map(|words| self.command(words))
    }

    /// The command line with these arguments; `None` when the target has none.
    pub fn cli_command(&self, args: &[String]) -> Option<CommandLine> {
        let mut command = self.command(self.target.cli.as_ref()?);
        command.args.extend_from_slice(args);
        Some(command)
    }

    /// The same without the option that chooses the state folder: the environment does. `None` when the target file
    /// does not say how.
    pub fn cli_command_by_environment(&self, args: &[String]) -> Option<CommandLine> {
        let told = self.target.cli_by_environment.as_ref()?;
        let mut command = self.command(&told.command);
        command.args.extend_from_slice(args);
        command.env.push((told.variable.clone(), self.state_dir().display().to_string()));
        Some(command)
    }

    /// Where the configuration file is written; `None` when the target has none.
    pub fn config_path(&self) -> Option<PathBuf> {
        self.target.config.as_ref().map(|config| PathBuf::from(self.placeholders.fill(&config.file)))
    }

    /// The link-minting command; `None` when links are minted on the control RPC.
    pub fn link_command(&self) -> Option<CommandLine> {
        match &self.target.link {
            LinkMint::Rpc => None,
            LinkMint::Command(words) => Some(self.command(words)),
        }
    }

    /// Whether time can be made to pass without waiting for it.
    pub fn has_clock(&self) -> bool {
        self.target.timing.clock == ClockKind::Stdin
    }

    /// Runs the command line once and collects what it gives. It is killed, with all its children, when this future is
    /// dropped.
    pub async fn cli(&self, args: &[String], stdin: &[u8]) -> std::io::Result<CliOutput> {
        let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "the target has no command line");
        let command = self.cli_command(args).ok_or_else(missing)?;
        self.options.tap.record(record(Wire::Cli, Direction::ToDaemon, Payload::Text { text: command.shown() }));
        let output = run(&command, stdin).await?;
        for (text, payload) in [
            (&output.stdout, (|text| Payload::Text { text }) as fn(String) -> Payload),
            (&output.stderr, |text| Payload::Stderr { text }),
        ] {
            if !text.is_empty() {
                let text = String::from_utf8_lossy(text).into_owned();
                self.options.tap.record(record(Wire::Cli, Direction::FromDaemon, payload(text)));
            }
        }
        let exit = Payload::Exit { code: output.exit.code, signal: output.exit.signal };
        self.options.tap.record(record(Wire::Cli, Direction::FromDaemon, exit));
        Ok(output)
    }

    pub(super) fn command(&self, words: &[String]) -> CommandLine {
        let mut words = self.placeholders.fill_all(words).into_iter();
        let env = self.target.daemon.env.iter().map(|(name, value)| (name.clone(), self.placeholders.fill(value)));
        CommandLine {
            program: words.next().unwrap_or_default(),
            args: words.collect(),
            env: env.chain(self.options.env.iter().cloned()).chain([self.marker()]).collect(),
            cwd: self.target.folder.clone(),
        }
    }

    /// What everything that is started for this deployment has in its environment.
    fn marker(&self) -> (String, String) {
        (MARKER.to_owned(), self.scratch.path().display().to_string())
    }

    pub(super) fn write_config(&self) -> std::io::Result<()> {
        let Some(config) = &self.target.config else { return Ok(()) };
        let mut values = self.placeholders.fill_json(&Value::Object(config.values.clone()));
        merge(&mut values, &self.options.config);
        let Some(path) = self.config_path() else { return Ok(()) };
        std::fs::write(&path, serde_json::to_vec_pretty(&values)?)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))
    }
}

async fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0)).await?.local_addr()?.port())
}

fn merge(into: &mut Value, over: &Value) {
    match (into, over) {
        (Value::Object(into), Value::Object(over)) => {
            for (name, value) in over {
                merge(into.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (into, over) => *into = over.clone(),
    }
}

/// A record of something that the daemon's process does.
pub(super) fn record(wire: Wire, direction: Direction, payload: Payload) -> Record {
    Record::seen(wire, "daemon", 1, direction, payload)
}

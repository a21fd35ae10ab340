//! One deployment: a fresh folder, and the daemon that is started in it, perhaps several times.

use super::process::{Exit, Output, Process, StopError};
use super::ready::{answering, json_member, line_with};
use super::rpc_request::ask;
use super::run_command::{CliOutput, run};
use super::{ClockKind, CommandLine, Ready, Target, placeholders::Placeholders};
use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How long the end of a process may take to be seen once its output has ended or it was killed, before patience.
const END_SEEN_MAX: Duration = Duration::from_secs(2);

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

/// Ways to end a daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopMethod {
    /// `daemon.shutdown` on the control RPC.
    Rpc,
    /// SIGTERM.
    Sigterm,
    /// SIGINT.
    Sigint,
    /// SIGKILL: no chance to tidy up.
    Kill,
}

impl StopMethod {
    /// The way as scenario files spell it.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "rpc" => Some(Self::Rpc),
            "sigterm" => Some(Self::Sigterm),
            "sigint" => Some(Self::Sigint),
            "kill" => Some(Self::Kill),
            _ => None,
        }
    }

    fn shown(self) -> &'static str {
        match self {
            Self::Rpc => "daemon.shutdown",
            Self::Sigterm => "SIGTERM",
            Self::Sigint => "SIGINT",
            Self::Kill => "SIGKILL",
        }
    }
}

/// Why a daemon could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its folder or configuration could not be written.
    #[error("the folder for the daemon could not be prepared: {0}")]
    Folder(std::io::Error),
    /// The program could not be started at all.
    #[error("`{command}` could not be started: {error}")]
    Spawn {
        /// The command line.
        command: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// It ended before it was ready.
    #[error("the daemon ended ({exit}) before it was ready{}", tail(.stderr))]
    Ended {
        /// How.
        exit: Exit,
        /// The end of its standard error.
        stderr: Vec<String>,
    },
    /// It gave no proof of being ready in time, and was killed.
    #[error("the daemon gave no sign of being ready within {within:?} (waited for {proof}){}", tail(.stderr))]
    NotReady {
        /// How long it had.
        within: Duration,
        /// What was waited for.
        proof: String,
        /// The end of its standard error.
        stderr: Vec<String>,
    },
    /// It is running already.
    #[error("the daemon is running already")]
    Running,
}

/// Why the daemon's time could not be made to pass.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// The target has a real clock, and the wait is longer than it allows.
    #[error("waiting {wanted:?} is more than the target's limit of {limit:?}, and its clock cannot be moved")]
    TooLong {
        /// What was asked.
        wanted: Duration,
        /// The most the target file allows.
        limit: Duration,
    },
    /// The daemon did not answer.
    #[error("the daemon did not say that its clock has moved: {0}")]
    NoAnswer(String),
}

/// A folder for one daemon, and that daemon. Dropping it kills the daemon's process group and removes the folder.
#[derive(Debug)]
pub struct Deployment {
    target: Arc<Target>,
    options: DeployOptions,
    placeholders: Placeholders,
    process: Option<Process>,
    socket: Option<PathBuf>,
    stdout_seen: u64,
    scratch: tempfile::TempDir,
}

impl Target {
    /// Makes a fresh folder for a daemon of this target. Nothing is started yet.
    pub async fn deploy(self: &Arc<Self>, options: DeployOptions) -> Result<Deployment, StartError> {
        let scratch = tempfile::Builder::new().prefix("iolite-").tempdir().map_err(StartError::Folder)?;
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

    /// Writes the configuration, starts the daemon and waits for the proof that it is ready.
    pub async fn start(&mut self) -> Result<(), StartError> {
        if self.is_running() {
            return Err(StartError::Running);
        }
        self.write_config().map_err(StartError::Folder)?;
        let command = self.command(&self.target.daemon.command);
        let process = Process::start(&command, &self.options.tap)
            .map_err(|error| StartError::Spawn { command: command.shown(), error })?;
        self.stdout_seen = 0;
        self.socket = self.target.daemon.socket.as_ref().map(|path| PathBuf::from(self.placeholders.fill(path)));
        let outcome = self.wait_ready(&process).await;
        self.process = Some(process);
        if outcome.is_err()
            && let Some(process) = &self.process
        {
            process.kill();
            process.wait(Instant::now() + END_SEEN_MAX.mul_f64(self.options.patience)).await;
        }
        outcome
    }

    /// Ends the daemon and waits until it is gone. One that is too slow is killed.
    pub async fn stop(&mut self, how: StopMethod) -> Result<Exit, StopError> {
        let within = self.target.daemon.stop_within.mul_f64(self.options.patience);
        self.ask_to_stop(how).await?;
        let process = self.process.as_ref().ok_or(StopError::NotRunning)?;
        match process.wait(Instant::now() + within).await {
            Some(exit) => Ok(exit),
            None => {
                process.kill();
                process.wait(Instant::now() + within).await;
                Err(StopError::TooSlow { asked: how.shown().into(), within })
            }
        }
    }

    /// Asks the daemon to end, without waiting for it.
    pub async fn ask_to_stop(&mut self, how: StopMethod) -> Result<(), StopError> {
        let process = self.process.as_ref().ok_or(StopError::NotRunning)?;
        if process.exit().is_some() {
            return Err(StopError::NotRunning);
        }
        self.options.tap.record(process_note(format!("asked to end by {}", how.shown())));
        match how {
            StopMethod::Sigterm => process.signal(Signal::TERM),
            StopMethod::Sigint => process.signal(Signal::INT),
            StopMethod::Kill => process.signal(Signal::KILL),
            StopMethod::Rpc => {
                let within = self.target.daemon.stop_within.mul_f64(self.options.patience);
                let socket = self.socket.clone().ok_or(StopError::NotRunning)?;
                timeout_at(Instant::now() + within, ask(&socket, "daemon.shutdown"))
                    .await
                    .map_err(|_| StopError::NotAsked("daemon.shutdown was not answered".into()))?
                    .map(drop)
                    .map_err(|error| StopError::NotAsked(error.to_string()))
            }
        }
    }

    /// Waits until the daemon has ended by itself.
    pub async fn wait_exit(&self, until: Instant) -> Option<Exit> {
        match &self.process {
            Some(process) => process.wait(until).await,
            None => None,
        }
    }

    /// Kills the daemon's whole process group at once.
    pub fn kill(&self) {
        if let Some(process) = &self.process {
            process.kill();
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
            super::LinkMint::Rpc => None,
            super::LinkMint::Command(words) => Some(self.command(words)),
        }
    }

    /// Whether time can be made to pass without waiting for it.
    pub fn has_clock(&self) -> bool {
        self.target.timing.clock == ClockKind::Stdin
    }

    /// Lets time pass at the daemon. With a clock that can be moved this takes no time; with a real one it waits until
    /// that instant has come, and refuses waits longer than the target allows.
    pub async fn pass(&mut self, time: Duration) -> Result<(), ClockError> {
        self.options.tap.record(process_note(format!("{} ms pass", time.as_millis())));
        match self.target.timing.clock {
            ClockKind::Real if time > self.target.timing.wait_max => {
                Err(ClockError::TooLong { wanted: time, limit: self.target.timing.wait_max })
            }
            ClockKind::Real => {
                // The daemon's own clock is what is under test here, and the world's cannot be moved.
                tokio::time::sleep_until(Instant::now() + time).await;
                Ok(())
            }
            ClockKind::Stdin => self.advance(time).await,
        }
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

    async fn wait_ready(&mut self, process: &Process) -> Result<(), StartError> {
        let within = self.target.daemon.ready_within.mul_f64(self.options.patience);
        let until = Instant::now() + within;
        let ready = self.target.daemon.ready.clone();
        let proof = match &ready {
            Ready::StdoutJson { member } => format!("a JSON document with `{member}` on its standard output"),
            Ready::StdoutLine { contains } => format!("a line with `{contains}` on its standard output"),
            Ready::Socket => "an answer on its control socket".to_string(),
        };
        let stdout = process.stdout();
        let socket = self.socket.clone();
        let waiting = async {
            match &ready {
                Ready::StdoutJson { member } => json_member(stdout, member).await.map(Some),
                Ready::StdoutLine { contains } => {
                    line_with(stdout, contains).await.map(|seen| Some((seen, String::new())))
                }
                Ready::Socket => answering(socket).await.map(|()| None),
            }
        };
        let mut exit = process.exit_watch();
        let outcome = tokio::select! {
            biased;
            seen = timeout_at(until, waiting) => seen,
            ended = async { exit.wait_for(Option::is_some).await.ok().and_then(|exit| *exit) } => {
                let exit = ended.unwrap_or(Exit { code: None, signal: None });
                return Err(StartError::Ended { exit, stderr: process.final_stderr().await });
            }
        };
        match outcome {
            Ok(Some(Some((seen, value)))) => {
                self.stdout_seen = seen;
                if self.socket.is_none() && !value.is_empty() {
                    self.socket = Some(PathBuf::from(value));
                }
                Ok(())
            }
            Ok(Some(None)) => Ok(()),
            // Its output has ended, or its time: the end of the process itself may be seen a little later.
            Ok(None) | Err(_) => match process.wait(until.min(Instant::now() + END_SEEN_MAX)).await {
                Some(exit) => Err(StartError::Ended { exit, stderr: process.final_stderr().await }),
                None => {
                    process.kill();
                    Err(StartError::NotReady { within, proof, stderr: process.final_stderr().await })
                }
            },
        }
    }

    async fn advance(&mut self, time: Duration) -> Result<(), ClockError> {
        let until = Instant::now() + Duration::from_secs(20).mul_f64(self.options.patience);
        let after = self.stdout_seen;
        let process = self.process.as_mut().ok_or_else(|| ClockError::NoAnswer("it is not running".into()))?;
        process
            .write_line(&format!("advance {}", time.as_millis()))
            .await
            .map_err(|error| ClockError::NoAnswer(error.to_string()))?;
        let mut stdout = process.stdout();
        let answered = |output: &Output| {
            output.since(after).iter().find(|(_, line)| line.contains("\"advanced\"")).map(|(number, _)| *number)
        };
        let waiting = async {
            loop {
                if let Some(number) = answered(&stdout.borrow_and_update()) {
                    return Ok(number);
                }
                if stdout.borrow().ended || stdout.changed().await.is_err() {
                    return Err(ClockError::NoAnswer("its standard output ended".into()));
                }
            }
        };
        let number = timeout_at(until, waiting)
            .await
            .map_err(|_| ClockError::NoAnswer("nothing came on its standard output".into()))??;
        self.stdout_seen = number;
        Ok(())
    }

    fn command(&self, words: &[String]) -> CommandLine {
        let mut words = self.placeholders.fill_all(words).into_iter();
        let env = self.target.daemon.env.iter().map(|(name, value)| (name.clone(), self.placeholders.fill(value)));
        CommandLine {
            program: words.next().unwrap_or_default(),
            args: words.collect(),
            env: env.chain(self.options.env.iter().cloned()).collect(),
            cwd: self.target.folder.clone(),
        }
    }

    fn write_config(&self) -> std::io::Result<()> {
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

fn process_note(text: String) -> Record {
    record(Wire::Process, Direction::Local, Payload::Note { text })
}

fn record(wire: Wire, direction: Direction, payload: Payload) -> Record {
    Record::seen(wire, "daemon", 1, direction, payload)
}

fn tail(stderr: &[String]) -> String {
    if stderr.is_empty() {
        return "; it wrote nothing to its standard error".into();
    }
    let last = &stderr[stderr.len().saturating_sub(10)..];
    format!("; the end of its standard error:\n    {}", last.join("\n    "))
}

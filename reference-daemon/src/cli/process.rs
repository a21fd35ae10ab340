//! Commands that run, start and stop processes, or make keys.

use super::grammar::{ClockName, RunOptions};
use super::report::Failure;
use crate::mcp;
use crate::rpc_client::{QUICK, RpcClient};
use crate::rules::{Rules, SecondStart};
use crate::shell::identity::replace_key;
use crate::shell::state_dir::set_mode;
use crate::shell::{ClockChoice, Config, Options, ShellError, StateDir, log, run, stdio};
use rustix::process::{Pid, PidfdFlags, pidfd_open, setsid};
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

/// Runs the daemon until it ends, and gives its exit code.
///
/// # Errors
///
/// Whatever keeps it from starting.
pub async fn run_daemon(dir: StateDir, chosen: &RunOptions, rules: Rules) -> Result<u8, Failure> {
    log::init();
    if chosen.detached
        && let Err(error) = setsid()
    {
        tracing::debug!(%error, "it leads a session already");
    }
    let options = Options {
        clock: match chosen.clock {
            ClockName::System => ClockChoice::System,
            ClockName::Manual => ClockChoice::Manual,
        },
        wss_port: chosen.port,
        rules,
        ..Options::new(dir)
    };
    let rules = options.rules.cli.clone();
    match run(options.clone()).await {
        Err(ShellError::AlreadyRunning { .. }) if !rules.refuse_second => Ok(0),
        Err(error @ ShellError::AlreadyRunning { .. }) => after_second_start(options, error).await,
        ended => Ok(ended?),
    }
}

/// What a daemon does that finds another one running: it says so and ends (`BRG-CLI-05`).
async fn after_second_start(options: Options, error: ShellError) -> Result<u8, Failure> {
    let dir = options.state_dir.clone();
    let ignored = |result: std::io::Result<()>| {
        if let Err(error) = result {
            tracing::debug!(%error, "the other daemon is left alone");
        }
    };
    match options.rules.cli.second_start {
        SecondStart::Harmless => {}
        SecondStart::Silent => return Ok(1),
        SecondStart::OverwritesPid => ignored(std::fs::write(dir.pid_file(), format!("{}\n", std::process::id()))),
        SecondStart::RemovesPid => ignored(std::fs::remove_file(dir.pid_file())),
        SecondStart::RemovesSocket => ignored(std::fs::remove_file(dir.control_socket())),
        SecondStart::TakesOver => {
            ignored(std::fs::remove_file(dir.pid_file()));
            ignored(std::fs::remove_file(dir.control_socket()));
            return Ok(run(options).await?);
        }
    }
    Err(error.into())
}

/// Serves MCP on standard input and output.
///
/// # Errors
///
/// A configuration that cannot be understood. A daemon that is not there is no error (`BRG-MCP-26`).
pub async fn serve_mcp(dir: &StateDir, rules: Rules) -> Result<(), Failure> {
    log::init();
    let config = Config::load(&dir.config())?;
    let options = mcp::Options {
        control_socket: dir.control_socket(),
        naming: mcp::Naming {
            tool_prefix: config.tool_prefix,
            uri_scheme: config.uri_scheme,
            link_scheme: config.scheme,
            page_size: config.page_size,
        },
        rules,
    };
    mcp::serve(stdio::input(), stdio::output(), options).await;
    Ok(())
}

/// Starts the daemon in the background and waits until it serves. One that runs already is left alone.
///
/// # Errors
///
/// What it said when it did not start.
pub async fn start_daemon(program: &str, dir: &StateDir, port: Option<u16>, rules: &Rules) -> Result<Value, Failure> {
    if let Ok(status) = status(dir).await {
        return Ok(json!({"alreadyRunning": true, "pid": status["pid"]}));
    }
    dir.prepare(&rules.shell)?;
    let log_path = dir.path().join("daemon.log");
    let log = File::create(&log_path).map_err(|error| Failure::internal(format!("{}: {error}", log_path.display())))?;
    set_mode(&log_path, 0o600)?;
    let executable =
        std::env::current_exe().map_err(|error| Failure::internal(format!("where this program lies: {error}")))?;
    let mut command = Command::new(executable);
    command
        .args(program.split_whitespace().skip(1))
        .args(["daemon", "run", "--detached", "--state-dir"])
        .arg(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log);
    if let Some(port) = port {
        command.args(["--port", &port.to_string()]);
    }
    let mut child =
        command.spawn().map_err(|error| Failure::internal(format!("the daemon cannot be started: {error}")))?;
    let stdout = child.stdout.take();
    let ready = async {
        let mut line = String::new();
        if let Some(stdout) = stdout {
            BufReader::new(stdout).read_line(&mut line).await.ok()?;
        }
        let ready: Value = serde_json::from_str(&line).ok()?;
        (ready["event"] == "ready").then_some(ready)
    };
    match timeout(START_LIMIT, ready).await {
        Ok(Some(mut ready)) => {
            if let Some(members) = ready.as_object_mut() {
                members.shift_remove("event");
            }
            Ok(ready)
        }
        Ok(None) => {
            let code = child.wait().await.ok().and_then(|status| status.code());
            let said = std::fs::read_to_string(&log_path).unwrap_or_default();
            let said = said.trim();
            Err(match code {
                Some(65) => Failure::validation(said),
                _ => Failure::internal(format!("the daemon did not start: {said}")),
            })
        }
        Err(_) => {
            let _ = child.kill().await;
            Err(Failure::internal(format!(
                "the daemon did not serve within {} s; see {}",
                START_LIMIT.as_secs(),
                log_path.display()
            )))
        }
    }
}

/// Tells the daemon to end and waits until its process is gone.
///
/// # Errors
///
/// It is not there, or does not end.
pub async fn stop_daemon(dir: &StateDir) -> Result<Value, Failure> {
    let client = connect(&dir.control_socket()).await?;
    let status = client.call("daemon.status", json!({}), QUICK).await?;
    let pid = status["pid"].as_i64();
    let process = pid
        .and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?))
        .and_then(|pid| pidfd_open(pid, PidfdFlags::NONBLOCK).ok());
    client.call("daemon.shutdown", json!({}), QUICK).await?;
    let gone = async {
        client.closed().await;
        let Some(process) = process else { return };
        #[expect(deprecated, reason = "its successor is unsafe; the descriptor is owned here and nobody else's")]
        let process = AsyncFd::new(process);
        if let Ok(process) = process {
            // A process that ended makes its descriptor readable.
            let _ = process.readable().await;
        }
    };
    match timeout(STOP_LIMIT, gone).await {
        Ok(()) => Ok(json!({"stopped": true, "pid": pid})),
        Err(_) => Err(Failure::internal(format!(
            "the daemon was told to stop and is still there after {} s",
            STOP_LIMIT.as_secs()
        ))),
    }
}

/// `daemon.status`
///
/// # Errors
///
/// It is not there.
pub async fn status(dir: &StateDir) -> Result<Value, Failure> {
    let client = connect(&dir.control_socket()).await?;
    Ok(client.call("daemon.status", json!({}), QUICK).await?)
}

/// Makes the daemon's key and gives its pin.
///
/// # Errors
///
/// There is one already and `force` was not given; the file cannot be written.
pub fn make_key(dir: &StateDir, force: bool, rules: &Rules) -> Result<Value, Failure> {
    let path = dir.key();
    if path.exists() && !force {
        if !rules.cli.spare_key {
            File::create(&path).map_err(|error| Failure::internal(format!("{}: {error}", path.display())))?;
        }
        let message = format!("{} is there already; --force replaces it", path.display());
        return Err(Failure::usage(message));
    }
    dir.prepare(&rules.shell)?;
    let pin = replace_key(dir, &rules.shell)?;
    Ok(json!({"pin": pin, "path": path.to_string_lossy()}))
}

async fn connect(socket: &Path) -> Result<RpcClient, Failure> {
    Ok(RpcClient::connect(socket, QUICK, Arc::new(|_| {})).await?)
}

/// How long a daemon may take until it serves.
const START_LIMIT: Duration = Duration::from_secs(30);

/// How long a daemon may take to end.
const STOP_LIMIT: Duration = Duration::from_secs(30);

//! One running daemon process: its outputs are read all the time, and nothing of it is ever left behind.

use super::command_line::CommandLine;
use iolite_protocol::transcript::{Direction, Payload, Record, Tap, Wire};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::VecDeque;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// How many lines of each output are kept for messages.
const LINES_KEPT: usize = 400;
/// How long one kept line may be; the rest of it is cut.
const LINE_KEPT: usize = 16 * 1024;
/// How many bytes of one output are recorded in the transcript before the rest is only counted.
const RECORDED_MAX: usize = 4 * 1024 * 1024;

/// How long a dead process's standard error is waited for.
const FINAL_STDERR_MAX: Duration = Duration::from_secs(2);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Exit code, when it exited by itself.
    pub code: Option<i32>,
    /// Signal, when one ended it.
    pub signal: Option<i32>,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "signal {signal}"),
            (None, None) => write!(f, "an unknown end"),
        }
    }
}

/// Why a daemon did not stop as it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum StopError {
    /// It went on past its deadline; it has been killed.
    #[error("the daemon did not end within {within:?} after {asked}, and was killed")]
    TooSlow {
        /// What it was asked by.
        asked: String,
        /// How long it had.
        within: Duration,
    },
    /// The request itself could not be delivered.
    #[error("the daemon could not be asked to stop: {0}")]
    NotAsked(String),
    /// It was not running.
    #[error("no daemon is running")]
    NotRunning,
}

/// A running (or ended) process.
#[derive(Debug)]
pub(super) struct Process {
    group: Option<Pid>,
    stdin: Option<ChildStdin>,
    stdout: watch::Receiver<Output>,
    stderr: watch::Receiver<Output>,
    exit: watch::Receiver<Option<Exit>>,
    tasks: Vec<JoinHandle<()>>,
}

/// The newest lines of one output.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// The lines kept, oldest first, with their numbers from 1.
    pub(super) lines: Arc<Mutex<VecDeque<(u64, String)>>>,
    /// How many lines there were in all.
    pub(super) count: u64,
    /// Whether the output was closed.
    pub(super) ended: bool,
}

impl Output {
    /// The lines numbered above `after`.
    pub(super) fn since(&self, after: u64) -> Vec<(u64, String)> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().filter(|(number, _)| *number > after).cloned().collect()
    }
}

impl Process {
    /// Starts the command with all three standard streams piped.
    pub(super) fn start(command: &CommandLine, tap: &Tap) -> std::io::Result<Self> {
        let mut child =
            command.to_tokio().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        record(tap, Direction::Local, Payload::Opened { detail: command.shown() });
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let (stdout, stdout_task) = read_lines(child.stdout.take(), tap.clone(), |text| Payload::Text { text });
        let (stderr, stderr_task) = read_lines(child.stderr.take(), tap.clone(), |text| Payload::Stderr { text });
        let stdin = child.stdin.take();
        let (exit, exit_task) = reap(child, tap.clone());
        Ok(Self { group, stdin, stdout, stderr, exit, tasks: vec![stdout_task, stderr_task, exit_task] })
    }

    /// Its standard output, as it comes.
    pub(super) fn stdout(&self) -> watch::Receiver<Output> {
        self.stdout.clone()
    }

    /// The newest lines of its standard error.
    pub(super) fn stderr_lines(&self) -> Vec<String> {
        self.stderr.borrow().since(0).into_iter().map(|(_, line)| line).collect()
    }

    /// The newest lines of its standard error once that is at its end, which comes a little after the process's own. A
    /// grandchild may hold it open, so the wait is bounded.
    pub(super) async fn final_stderr(&self) -> Vec<String> {
        let mut stderr = self.stderr.clone();
        let _ = timeout_at(Instant::now() + FINAL_STDERR_MAX, stderr.wait_for(|output| output.ended)).await;
        self.stderr_lines()
    }

    /// How it ended, if it has.
    pub(super) fn exit(&self) -> Option<Exit> {
        *self.exit.borrow()
    }

    /// A receiver that turns to `Some` when the process has ended.
    pub(super) fn exit_watch(&self) -> watch::Receiver<Option<Exit>> {
        self.exit.clone()
    }

    /// Writes one line to its standard input.
    pub(super) async fn write_line(&mut self, line: &str) -> std::io::Result<()> {
        let Some(stdin) = &mut self.stdin else {
            return Err(std::io::Error::new(std::io::ErrorKind::BrokenPipe, "its standard input is closed"));
        };
        stdin.write_all(format!("{line}\n").as_bytes()).await?;
        stdin.flush().await
    }

    /// Sends a signal to its whole group.
    pub(super) fn signal(&self, signal: Signal) -> Result<(), StopError> {
        if self.exit().is_some() {
            return Err(StopError::NotRunning);
        }
        let group = self.group.ok_or(StopError::NotRunning)?;
        kill_process_group(group, signal).map_err(|error| StopError::NotAsked(error.to_string()))
    }

    /// Waits for its end.
    pub(super) async fn wait(&self, until: Instant) -> Option<Exit> {
        let mut exit = self.exit.clone();
        let ended = timeout_at(until, exit.wait_for(Option::is_some)).await;
        match ended {
            Ok(Ok(exit)) => *exit,
            Ok(Err(_)) | Err(_) => self.exit(),
        }
    }

    /// Kills the group at once. Harmless when it has ended.
    pub(super) fn kill(&self) {
        if let Some(group) = self.group {
            // The group may be gone already; that is what we want.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        // The task that reaps the child ends by itself; the readers may be stuck on a pipe that a grandchild holds.
        for task in self.tasks.drain(..2.min(self.tasks.len())) {
            task.abort();
        }
    }
}

fn reap(mut child: Child, tap: Tap) -> (watch::Receiver<Option<Exit>>, JoinHandle<()>) {
    let (sender, receiver) = watch::channel(None);
    let task = tokio::spawn(async move {
        let exit = match child.wait().await {
            Ok(status) => exit_of(status),
            Err(_) => Exit { code: None, signal: None },
        };
        record(&tap, Direction::FromDaemon, Payload::Exit { code: exit.code, signal: exit.signal });
        let _ = sender.send(Some(exit));
    });
    (receiver, task)
}

/// The status in our own words.
pub(super) fn exit_of(status: ExitStatus) -> Exit {
    Exit { code: status.code(), signal: status.signal() }
}

fn read_lines<R: AsyncRead + Unpin + Send + 'static>(
    stream: Option<R>,
    tap: Tap,
    payload: fn(String) -> Payload,
) -> (watch::Receiver<Output>, JoinHandle<()>) {
    let (sender, receiver) = watch::channel(Output::default());
    let task = tokio::spawn(async move {
        let Some(mut stream) = stream else { return };
        let mut pending: Vec<u8> = Vec::new();
        let mut recorded = 0;
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let read = match stream.read(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(read) => read,
            };
            let mut fresh = Vec::new();
            for &byte in &buffer[..read] {
                if byte == b'\n' {
                    fresh.push(String::from_utf8_lossy(&pending).into_owned());
                    pending.clear();
                } else if pending.len() < LINE_KEPT {
                    pending.push(byte);
                }
            }
            keep(&sender, &tap, payload, fresh, &mut recorded);
        }
        if !pending.is_empty() {
            let last = String::from_utf8_lossy(&pending).into_owned();
            keep(&sender, &tap, payload, vec![last], &mut recorded);
        }
        sender.send_modify(|output| output.ended = true);
    });
    (receiver, task)
}

fn keep(
    sender: &watch::Sender<Output>,
    tap: &Tap,
    payload: fn(String) -> Payload,
    fresh: Vec<String>,
    recorded: &mut usize,
) {
    if fresh.is_empty() {
        return;
    }
    for line in &fresh {
        if *recorded <= RECORDED_MAX {
            *recorded += line.len() + 1;
            record(tap, Direction::FromDaemon, payload(line.clone()));
        }
    }
    sender.send_modify(|output| {
        let mut lines = output.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for line in fresh {
            output.count += 1;
            lines.push_back((output.count, line));
            if lines.len() > LINES_KEPT {
                lines.pop_front();
            }
        }
    });
}

fn record(tap: &Tap, direction: Direction, payload: Payload) {
    tap.record(Record::seen(Wire::Process, "daemon", 1, direction, payload));
}

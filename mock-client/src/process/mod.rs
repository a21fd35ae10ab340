//! Child processes that never outlive their owner.
//!
//! A child is started with three pipes in a process group of its own. Its standard error is drained from the first
//! moment on. When its [`Process`] is dropped, also in the middle of an await, the whole group is killed and the child
//! reaped. What it cannot catch: a descendant that moved to another group or session (a daemon that detached itself).

mod command;
mod exit;
mod group;
mod signal;
mod stderr;

pub use command::CommandLine;
pub use exit::Exit;
pub use signal::Signal;
pub use stderr::Stderr;

use crate::within;
use crate::witness::Witness;
use group::GroupLeader;
use rustix::io::Errno;
use rustix::process::Pid;
use std::future::poll_fn;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::time::Instant;

/// Errors of the system that tell of a limit of this side.
const OWN_LIMITS: [Errno; 3] = [Errno::MFILE, Errno::NFILE, Errno::NOMEM];

/// The note that a server's input was closed, which asks it to end.
pub const INPUT_CLOSED: &str = "closed the server's input";
/// The note that a child was killed because nobody needs it any more.
pub const ENDED_WITH_OWNER: &str = "killed the process, which is not needed any more";

/// A running (or ended) child and its process group. Dropping it kills the group.
#[derive(Debug)]
pub struct Process {
    id: u32,
    leader: Arc<GroupLeader>,
    exit: watch::Receiver<Option<Exit>>,
    stderr: Stderr,
    witness: Witness,
}

/// The two pipes of a child that carry its protocol.
#[derive(Debug)]
pub struct Pipes {
    /// Writes to the child. Dropping it closes the child's standard input.
    pub stdin: ChildStdin,
    /// Reads what the child prints.
    pub stdout: ChildStdout,
}

impl Process {
    /// Starts a child. Must be called inside a tokio runtime with I/O enabled.
    ///
    /// Start, standard error and exit are recorded with `witness`.
    ///
    /// # Errors
    ///
    /// [`SpawnError`] when the program cannot be started.
    pub fn spawn(command: &CommandLine, witness: Witness) -> Result<(Self, Pipes), SpawnError> {
        let failed = |why: String| SpawnError { command: command.to_string(), why, own: false };
        let mut child = command
            .to_tokio()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                let own = Errno::from_io_error(&error).is_some_and(|errno| OWN_LIMITS.contains(&errno));
                SpawnError { own, ..failed(error.to_string()) }
            })?;
        let id = child.id();
        let group = id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(id), Some(group), (Some(stdin), Some(stdout), Some(stderr))) = (id, group, pipes) else {
            return Err(failed("it has no process id or no pipes".into()));
        };

        witness.opened(format!("{command} (process {id})"));
        let leader = Arc::new(GroupLeader::new(child, group));
        let (exited, exit) = watch::channel(None);
        tokio::spawn(watch_exit(Arc::clone(&leader), witness.clone(), exited));
        let process = Self { id, leader, exit, stderr: Stderr::drain(stderr, witness.clone()), witness };
        Ok((process, Pipes { stdin, stdout }))
    }

    /// The child's process id, also that of its process group.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// What the child wrote to its standard error.
    #[must_use]
    pub fn stderr(&self) -> &Stderr {
        &self.stderr
    }

    /// How the child ended, if it has.
    #[must_use]
    pub fn exit(&self) -> Option<Exit> {
        *self.exit.borrow()
    }

    /// A handle that shows the child's end and outlives this process, for those who must prove that it is gone.
    #[must_use]
    pub fn exit_watch(&self) -> ExitWatch {
        ExitWatch(self.exit.clone())
    }

    /// Waits for the child's end; `None` when the deadline came first.
    pub async fn wait(&self, deadline: Instant) -> Option<Exit> {
        self.exit_watch().wait(deadline).await
    }

    /// Signals the child and everything else in its group. `false`: they had all ended.
    pub fn signal(&self, signal: Signal) -> bool {
        let sent = self.leader.signal(signal);
        if sent {
            self.witness.note(format!("sent {signal} to the process"));
        }
        sent
    }

    /// Notes that its owner closes its standard input.
    pub(crate) fn note_input_closed(&self) {
        self.witness.note(INPUT_CLOSED);
    }

    /// Ends the child in the order the protocol gives: its standard input is closed already (the caller's part), so
    /// wait, then SIGTERM, wait, then SIGKILL.
    ///
    /// # Errors
    ///
    /// [`Unkillable`] when not even SIGKILL ended it within [`KILL_PATIENCE`].
    pub async fn end(&self, grace: Grace) -> Result<Stopped, Unkillable> {
        if let Some(exit) = self.exit() {
            return Ok(Stopped { exit, by: StoppedBy::Itself });
        }
        if let Some(exit) = self.wait(within(grace.after_stdin)).await {
            return Ok(Stopped { exit, by: StoppedBy::ClosedInput });
        }
        self.signal(Signal::Terminate);
        if let Some(exit) = self.wait(within(grace.after_terminate)).await {
            return Ok(Stopped { exit, by: StoppedBy::Terminate });
        }
        self.kill().await
    }

    /// Kills the child and its group at once and waits until it is gone.
    ///
    /// # Errors
    ///
    /// [`Unkillable`] when it is not gone within [`KILL_PATIENCE`].
    pub async fn kill(&self) -> Result<Stopped, Unkillable> {
        self.signal(Signal::Kill);
        match self.wait(within(KILL_PATIENCE)).await {
            Some(exit) => Ok(Stopped { exit, by: StoppedBy::Kill }),
            None => Err(Unkillable { id: self.id }),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.leader.signal(Signal::Kill) {
            self.witness.note(ENDED_WITH_OWNER);
        }
    }
}

/// Shows a child's end. Does not keep the child alive.
#[derive(Clone, Debug)]
pub struct ExitWatch(watch::Receiver<Option<Exit>>);

impl ExitWatch {
    /// Waits for the child's end; `None` when the deadline came first (or the runtime that watched it is gone).
    pub async fn wait(&self, deadline: Instant) -> Option<Exit> {
        let mut exit = self.0.clone();
        let ended = tokio::time::timeout_at(deadline, exit.wait_for(Option::is_some)).await;
        ended.ok()?.ok().and_then(|exit| *exit)
    }
}

/// How long each step of an orderly end may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grace {
    /// From the closed standard input to SIGTERM.
    pub after_stdin: Duration,
    /// From SIGTERM to SIGKILL.
    pub after_terminate: Duration,
}

/// Five seconds for each step.
impl Default for Grace {
    fn default() -> Self {
        let step = Duration::from_secs(5);
        Self { after_stdin: step, after_terminate: step }
    }
}

/// An ended child and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// How it ended.
    pub exit: Exit,
    /// What made it end.
    pub by: StoppedBy,
}

/// What made a child end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoppedBy {
    /// It had ended before it was asked to.
    Itself,
    /// It ended after its standard input was closed.
    ClosedInput,
    /// It needed SIGTERM.
    Terminate,
    /// It needed SIGKILL.
    Kill,
}

/// A program could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot start {command}: {why}")]
pub struct SpawnError {
    /// The command line, for people.
    pub command: String,
    /// The system's reason.
    pub why: String,
    /// This side has no files or memory left: the program is not to blame.
    pub own: bool,
}

/// A child outlived SIGKILL (it hangs in the kernel).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("process {id} did not end within {} s of SIGKILL", KILL_PATIENCE.as_secs())]
pub struct Unkillable {
    /// Its process id.
    pub id: u32,
}

/// How long a killed child may take to disappear.
pub const KILL_PATIENCE: Duration = Duration::from_secs(10);

async fn watch_exit(leader: Arc<GroupLeader>, witness: Witness, exited: watch::Sender<Option<Exit>>) {
    let exit = poll_fn(|context| leader.poll_exit(context)).await;
    witness.exit(exit);
    if exit.left_behind {
        witness.note("the process left others of its group behind; they were killed");
    }
    exited.send_replace(Some(exit));
}

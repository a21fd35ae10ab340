//! The child itself and its process group, behind one lock.

use super::exit::Exit;
use super::signal::Signal;
use rustix::process::{Pid, kill_process_group};
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::process::Child;

/// A child that leads a process group of its own.
///
/// Reaping the child and signalling its group happen under one lock: a group is only ever signalled while the child's
/// process id is still taken, so a signal cannot hit a stranger that got the same id later.
#[derive(Debug)]
pub(super) struct GroupLeader {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    child: Child,
    group: Pid,
    reaped: bool,
}

impl GroupLeader {
    pub(super) fn new(child: Child, group: Pid) -> Self {
        let state = Mutex::new(State { child, group, reaped: false });
        Self { state }
    }

    /// Resolves when the child has ended. Whatever is left of its group is killed at that moment.
    pub(super) fn poll_exit(&self, context: &mut Context<'_>) -> Poll<Exit> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let status = {
            let wait = pin!(state.child.wait());
            std::task::ready!(wait.poll(context))
        };
        let left_behind = state.signal(Signal::Kill);
        state.reaped = true;
        Poll::Ready(Exit::new(status.ok(), left_behind))
    }

    /// Signals the whole group. `false`: there was nobody left to signal.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !state.reaped && state.signal(signal)
    }
}

/// Reached with a living child only when its runtime is torn down.
impl Drop for GroupLeader {
    fn drop(&mut self) {
        self.signal(Signal::Kill);
    }
}

impl State {
    fn signal(&self, signal: Signal) -> bool {
        kill_process_group(self.group, signal.to_rustix()).is_ok()
    }
}

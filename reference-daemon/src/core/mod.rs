//! The daemon as a pure state machine: one input at a time in, what to do about it out.
//!
//! No clock, no sockets, no threads: time, bytes and randomness are arguments, so every story can be told in a test
//! without waiting. The shell carries out the outputs in their order.
//!
//! How the parts hang together: [`io`] is the outside. `sockets` watches connections, `handshake` turns them into
//! sessions, `frames` reads what apps say, `registries` keeps what they register, `calls` sends them calls and reads,
//! `answers` matches what they answer with what is in flight, `completion` is where that ends and is recorded,
//! `session_end` is how sessions end, `events` tells about it, `rpc` is the operator's side. All of them act on the one
//! `state`. `waiver` is no part of a daemon: it measures the suite.
//!
//! Events that come of a `tools.call` (`tool_call_started`, `tool_call_progress`, `tool_call_finished`) carry, on the
//! connection which made that request and on no other, the request's own id as `data.requestId`. So a client with
//! many calls of one tool open knows which of them an event is about (`BRG-TOL-16`).

mod alias;
mod alterations;
mod answers;
pub mod audit;
mod calls;
mod completion;
mod connections;
mod event_log;
mod events;
mod frames;
mod handshake;
mod in_flight;
pub mod io;
mod lenient_json;
mod links;
pub mod policy;
mod registries;
mod registry;
mod rpc;
mod session_end;
mod sessions;
mod sockets;
mod state;
mod time;
pub(crate) mod waiver;

pub use state::Core;

use io::{Input, Now, Output, Timer};
use iolite_protocol::close::Close;
use iolite_protocol::event::EventKind;
use serde_json::json;

impl Core {
    /// Handles one input at `now` and says what to do, in order. Inputs after the end are ignored.
    pub fn handle(&mut self, now: Now, input: Input) -> Vec<Output> {
        if self.stopped {
            return Vec::new();
        }
        self.now = self.now.max(now);
        if self.started.is_none() {
            self.started = Some(self.now);
            let version = self.config.version.clone();
            self.emit_about(EventKind::DaemonStarted, None, json!({ "version": version }), None);
            self.remember_sessions();
        }
        match input {
            Input::SocketOpened { socket } => self.socket_opened(socket),
            Input::SocketText { socket, text } => self.socket_text(socket, &text),
            Input::SocketWaived { socket, readings } => self.waive_transport(socket, &readings),
            Input::SocketBinary { socket } => {
                self.socket_violation(socket, Close::BINARY_FRAME_NOT_SUPPORTED);
            }
            Input::SocketInvalidUtf8 { socket } => {
                self.socket_violation(socket, Close::INVALID_UTF8);
            }
            Input::SocketTooBig { socket } => {
                self.socket_violation(socket, Close::MESSAGE_TOO_BIG);
            }
            Input::SocketPong { socket } => self.socket_pong(socket),
            Input::SocketClosed { socket } => self.socket_closed(socket),
            Input::RpcOpened { connection } => self.rpc_opened(connection),
            Input::RpcLine { connection, line } => self.rpc_line(connection, &line),
            Input::RpcLineTooLong { connection } => self.rpc_line_too_long(connection),
            Input::RpcClosed { connection } => self.rpc_closed(connection),
            Input::TimerFired { timer } => self.timer_fired(timer),
            Input::Shutdown => self.shut_down(),
        }
        std::mem::take(&mut self.out)
    }

    fn timer_fired(&mut self, timer: Timer) {
        match timer {
            Timer::PreClaim(socket) => self.pre_claim_over(socket),
            Timer::Ping(socket) => self.ping_due(socket),
            Timer::LinkExpiry(serial) => self.link_expired(serial),
            Timer::Grace(serial) => self.grace_over(serial),
            Timer::Deadline(serial) => self.deadline_passed(serial),
        }
    }
}

#[cfg(test)]
mod tests;

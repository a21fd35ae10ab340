//! The daemon as a pure state machine: one input at a time in, what to do about it out.
//!
//! No clock, no sockets, no threads: time, bytes and randomness are arguments, so every story can be told in a test
//! without waiting. The shell carries out the outputs in their order.
//!
//! How the parts hang together: [`io`] is the outside. `sockets` watches connections, `handshake` turns them into
//! sessions, `frames` reads what apps say, `answers` matches it with what is in flight, `calls` puts things in
//! pending, `session_end` is how sessions end, `events` and [`audit`] tell about it, `rpc` is the operator's side.
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
mod events;
mod frames;
mod handshake;
mod in_flight;
pub mod io;
mod links;
pub mod policy;
mod registry;
mod rpc;
mod session_end;
mod sessions;
mod sockets;
mod time;

#[cfg(test)]
mod tests;

use crate::rules::Rules;
use events::Events;
use in_flight::InFlight;
use io::{ConnectionId, CoreConfig, Entropy, Input, LogLevel, Now, Output, SocketId, Timer};
use iolite_protocol::bootstrap::token_text;
use iolite_protocol::close::Close;
use iolite_protocol::event::EventKind;
use links::Links;
use rpc::Connection;
use serde_json::json;
use sessions::Sessions;
use sockets::Socket;
use std::collections::{BTreeMap, HashMap};

/// The whole state of one daemon.
pub struct Core {
    rules: Rules,
    config: CoreConfig,
    entropy: Box<dyn Entropy>,
    now: Now,
    started: Option<Now>,
    stopped: bool,
    sockets: HashMap<SocketId, Socket>,
    links: Links,
    sessions: Sessions,
    in_flight: InFlight,
    events: Events,
    connections: BTreeMap<ConnectionId, Connection>,
    serials: u64,
    counts: Counts,
    first_connection: Option<ConnectionId>,
    shared_token: Option<[u8; 32]>,
    /// The link made last, where a bent rule table wants it again.
    last_link_answer: Option<serde_json::Value>,
    /// The session id of the link made last, likewise.
    last_link: Option<String>,
    out: Vec<Output>,
}

/// How many of each there were. Only a bent rule table looks at them.
#[derive(Debug, Default)]
struct Counts {
    calls: u64,
    reads: u64,
    requests: u64,
    snapshots: u64,
    answers: u64,
    claims: u64,
    resumes: u64,
    frames: u64,
    events: u64,
}

impl Core {
    /// A daemon without links or sessions. Its life begins with the first input.
    pub fn new(config: CoreConfig, rules: Rules, entropy: Box<dyn Entropy>) -> Self {
        Self {
            rules,
            config,
            entropy,
            now: Now { unix_ms: 0 },
            started: None,
            stopped: false,
            sockets: HashMap::new(),
            links: Links::default(),
            sessions: Sessions::default(),
            in_flight: InFlight::default(),
            events: Events::default(),
            connections: BTreeMap::new(),
            serials: 0,
            counts: Counts::default(),
            first_connection: None,
            shared_token: None,
            last_link_answer: None,
            last_link: None,
            out: Vec::new(),
        }
    }

    /// The ids of all sessions that live, in claim order.
    pub fn session_ids(&self) -> Vec<String> {
        self.sessions.iter().map(|session| session.id.clone()).collect()
    }

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

    fn next_serial(&mut self) -> u64 {
        self.serials += 1;
        self.serials
    }

    /// So many random bytes, spelled as ids and tokens are.
    fn random_text(&mut self, bytes: usize) -> String {
        let mut buffer = vec![0; bytes];
        self.entropy.fill(&mut buffer);
        token_text(&buffer)
    }

    /// A fresh session id. One that begins with a hyphen would be taken for an option on the command line, so it is drawn
    /// again.
    fn session_id(&mut self, bytes: usize) -> String {
        for _ in 0..16 {
            let id = self.random_text(bytes);
            if !id.starts_with('-') {
                return id;
            }
        }
        self.random_text(bytes)
    }

    fn set_timer(&mut self, timer: Timer, after_ms: u64) {
        let at = self.now.plus(after_ms);
        self.out.push(Output::SetTimer { timer, at });
    }

    fn cancel_timer(&mut self, timer: Timer) {
        self.out.push(Output::CancelTimer { timer });
    }

    fn log(&mut self, level: LogLevel, message: String) {
        self.out.push(Output::Log { level, message });
    }
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core")
            .field("now", &self.now)
            .field("sockets", &self.sockets.len())
            .field("links", &self.links.len())
            .field("sessions", &self.sessions.len())
            .field("in_flight", &self.in_flight.len())
            .field("connections", &self.connections.len())
            .finish_non_exhaustive()
    }
}

//! What one daemon knows: the state that the other files of the core act upon.

use super::connections::Connection;
use super::event_log::EventLog;
use super::in_flight::InFlight;
use super::io::{ConnectionId, CoreConfig, Entropy, LogLevel, Now, Output, SocketId, Timer};
use super::links::Links;
use super::sessions::{Serial, Sessions};
use crate::rules::Rules;
use iolite_protocol::bootstrap::token_text;
use std::collections::{BTreeMap, HashMap};

/// The whole state of one daemon.
pub struct Core {
    pub(super) rules: Rules,
    pub(super) config: CoreConfig,
    pub(super) entropy: Box<dyn Entropy>,
    pub(super) now: Now,
    pub(super) started: Option<Now>,
    pub(super) stopped: bool,
    pub(super) sockets: HashMap<SocketId, Socket>,
    pub(super) links: Links,
    pub(super) sessions: Sessions,
    pub(super) in_flight: InFlight,
    pub(super) events: EventLog,
    /// The line being served as a reader takes it that keeps the first of two members. Only a bent rule table asks.
    pub(super) first_reading: Option<serde_json::Value>,
    pub(super) connections: BTreeMap<ConnectionId, Connection>,
    pub(super) serials: u64,
    pub(super) counts: Counts,
    /// Calls that are over, where a bent rule table asks for them.
    pub(super) finished_calls: HashMap<String, Serial>,
    pub(super) first_connection: Option<ConnectionId>,
    pub(super) shared_token: Option<[u8; 32]>,
    /// The link made last, where a bent rule table wants it again.
    pub(super) last_link_answer: Option<serde_json::Value>,
    /// The session id of the link made last, likewise.
    pub(super) last_link: Option<String>,
    pub(super) out: Vec<Output>,
}

/// How many of each there were. Only a bent rule table looks at them.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) calls: u64,
    pub(super) reads: u64,
    pub(super) requests: u64,
    pub(super) snapshots: u64,
    pub(super) answers: u64,
    pub(super) claims: u64,
    pub(super) resumes: u64,
    pub(super) frames: u64,
    pub(super) events: u64,
}

/// One connection of an app.
#[derive(Debug)]
pub(super) struct Socket {
    /// The session it claimed or resumed, if it did.
    pub(super) session: Option<Serial>,
    /// Pings it did not answer.
    pub(super) missed: u32,
    /// Pings it got.
    pub(super) pings: u32,
    /// A close frame is on its way. Such sockets are kept only where a bent rule table needs them.
    pub(super) closing: bool,
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
            events: EventLog::default(),
            first_reading: None,
            connections: BTreeMap::new(),
            serials: 0,
            counts: Counts::default(),
            finished_calls: HashMap::new(),
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

    pub(super) fn next_serial(&mut self) -> u64 {
        self.serials += 1;
        self.serials
    }

    /// So many random bytes, spelled as ids and tokens are.
    pub(super) fn random_text(&mut self, bytes: usize) -> String {
        let mut buffer = vec![0; bytes];
        self.entropy.fill(&mut buffer);
        token_text(&buffer)
    }

    /// A fresh session id. One that begins with a hyphen would be taken for an option on the command line, so it is
    /// drawn again.
    pub(super) fn session_id(&mut self, bytes: usize) -> String {
        for _ in 0..16 {
            let id = self.random_text(bytes);
            if !id.starts_with('-') {
                return id;
            }
        }
        self.random_text(bytes)
    }

    pub(super) fn set_timer(&mut self, timer: Timer, after_ms: u64) {
        let at = self.now.plus(after_ms);
        self.out.push(Output::SetTimer { timer, at });
    }

    pub(super) fn cancel_timer(&mut self, timer: Timer) {
        self.out.push(Output::CancelTimer { timer });
    }

    /// Sends a text to the socket that speaks for a session, if there is one.
    pub(super) fn send_to(&mut self, serial: Serial, text: String) {
        let socket = self.sessions.get(serial).and_then(|session| session.socket);
        if let Some(socket) = socket {
            self.out.push(Output::SendText { socket, text });
        }
    }

    pub(super) fn log(&mut self, level: LogLevel, message: String) {
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

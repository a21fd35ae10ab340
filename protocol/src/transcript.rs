//! The transcript's record: one thing that was seen on one wire, in the order it was seen.
//!
//! Mocks hand records to a [`Tap`] and know nothing of files. The harness numbers and stores them (JSON Lines,
//! one object a line, format version [`VERSION`]); every verdict is read from them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Version of the record format, written into the first line of every transcript.
pub const VERSION: u32 = 1;

/// Which wire a record was seen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// The WebSocket between an app and the daemon.
    App,
    /// The control RPC on the Unix socket.
    Rpc,
    /// MCP between an agent and the daemon's MCP server.
    Mcp,
    /// One call of the daemon's command line: arguments, both outputs, exit code.
    Cli,
    /// The daemon process itself: start, outputs, signals, exit.
    Process,
    /// What the harness did or concluded: a step began, a clock was moved, a check was decided.
    Harness,
}

/// Which way a record travelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From a mock (or the harness) to the daemon.
    ToDaemon,
    /// From the daemon to a mock.
    FromDaemon,
    /// Neither: a note about the wire itself.
    Local,
}

/// What was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Payload {
    /// A connection was opened (or a process started). `detail` says where to.
    Opened {
        /// Address, path or command line, for people.
        detail: String,
    },
    /// A whole text message: a WebSocket text message, or one line without its newline.
    Text {
        /// The text, exactly as it travelled.
        text: String,
    },
    /// Bytes that are not, or were not meant as, UTF-8 text; standard base64.
    Bytes {
        /// What they are: `binary`, `invalid_utf8`, `raw`, `continuation`, …
        what: String,
        /// The bytes, base64 with padding.
        base64: String,
    },
    /// A WebSocket ping.
    Ping,
    /// A WebSocket pong.
    Pong,
    /// A WebSocket close frame.
    Close {
        /// Close code, absent when the frame had no body.
        code: Option<u16>,
        /// Reason text.
        reason: String,
    },
    /// The connection ended. `how` is one of `eof`, `reset`, `local`, or an error text.
    Ended {
        /// How it ended.
        how: String,
    },
    /// A line on the peer's standard error (no part of any protocol).
    Stderr {
        /// The line without its newline.
        text: String,
    },
    /// A process ended.
    Exit {
        /// Exit code, absent when a signal ended it.
        code: Option<i32>,
        /// Signal number, absent when it exited by itself.
        signal: Option<i32>,
    },
    /// Something worth keeping that is no traffic (wire `harness`): free text.
    Note {
        /// The text.
        text: String,
    },
}

/// One thing seen on one wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Position in the transcript, from 1. Zero until the transcript has numbered it.
    #[serde(default)]
    pub seq: u64,
    /// Microseconds since the transcript began. Zero until numbered.
    #[serde(default)]
    pub at_us: u64,
    /// The wire.
    pub wire: Wire,
    /// The actor's name as the scenario's cast gives it (`phone`, `agent`, `operator`, `daemon`).
    pub actor: String,
    /// Which of this actor's connections, from 1: a reconnect counts up.
    pub connection: u32,
    /// The way it went.
    pub direction: Direction,
    /// What it was.
    #[serde(flatten)]
    pub payload: Payload,
    /// What its text says, when whoever recorded it has read it with [`crate::strict`] and the rules of the contract. It
    /// is no part of a transcript that is written: it spares a reader in the same process to read it again.
    #[serde(skip)]
    pub says: Option<Arc<Value>>,
}

impl Record {
    /// One thing that was seen, not numbered yet.
    pub fn seen(wire: Wire, actor: &str, connection: u32, direction: Direction, payload: Payload) -> Self {
        Self { seq: 0, at_us: 0, wire, actor: actor.to_owned(), connection, direction, payload, says: None }
    }
}

/// Where records go. Cheap to clone; called from any task, in the order things were seen on that connection.
#[derive(Clone)]
pub struct Tap(Arc<dyn Fn(Record) + Send + Sync>);

impl Tap {
    /// A tap that hands every record to `sink`.
    pub fn new(sink: impl Fn(Record) + Send + Sync + 'static) -> Self {
        Self(Arc::new(sink))
    }

    /// A tap that keeps nothing.
    pub fn none() -> Self {
        Self::new(|_| ())
    }

    /// Records one thing.
    pub fn record(&self, record: Record) {
        (self.0)(record);
    }
}

impl std::fmt::Debug for Tap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tap")
    }
}

//! What arrived at one app, on all of its sockets, in one order.

use crate::engine::log::Log;
use iolite_mock_app::socket::{Ended, Event};
use serde_json::{Value, json};

/// One thing the daemon did on one of the app's sockets.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Received {
    /// Which of the app's connections.
    pub(in crate::engine) connection: u32,
    /// What came.
    pub(in crate::engine) what: ReceivedKind,
    /// A step has used it.
    pub(in crate::engine) taken: bool,
    /// It is a fence's doing, not the scenario's.
    pub(in crate::engine) ours: bool,
    /// The app answered it by itself.
    pub(in crate::engine) served: bool,
}

/// The kinds of things that arrive.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::engine) enum ReceivedKind {
    /// A text message that is JSON.
    Frame(Value),
    /// A text message that is no JSON.
    Text(String),
    /// A binary message of that many bytes.
    Binary(usize),
    /// A ping.
    Ping(Vec<u8>),
    /// A pong.
    Pong(Vec<u8>),
    /// A close frame.
    Close {
        /// The code, if there was one.
        code: Option<u16>,
        /// The reason.
        reason: String,
    },
    /// A breach of RFC 6455.
    Violation(String),
    /// The connection is over; `true` when this side ended it.
    Ended {
        /// How.
        how: String,
        /// This side did it.
        local: bool,
    },
}

impl ReceivedKind {
    /// The frame, if it is one.
    pub(in crate::engine) fn frame(&self) -> Option<&Value> {
        match self {
            Self::Frame(frame) => Some(frame),
            _ => None,
        }
    }

    /// The frame's `type`.
    pub(in crate::engine) fn kind(&self) -> Option<&str> {
        self.frame()?.get("type")?.as_str()
    }

    /// The payload of a ping or pong.
    pub(in crate::engine) fn payload(&self) -> Option<&[u8]> {
        match self {
            Self::Ping(payload) | Self::Pong(payload) => Some(payload),
            _ => None,
        }
    }

    /// As it is shown in reports.
    pub(in crate::engine) fn shown(&self) -> Value {
        match self {
            Self::Frame(frame) => frame.clone(),
            Self::Text(text) => json!({ "text": text }),
            Self::Binary(bytes) => json!({ "binary": { "bytes": bytes } }),
            Self::Ping(payload) => json!({ "ping": String::from_utf8_lossy(payload) }),
            Self::Pong(payload) => json!({ "pong": String::from_utf8_lossy(payload) }),
            Self::Close { code, reason } => json!({ "close": { "code": code, "reason": reason } }),
            Self::Violation(text) => json!({ "violation": text }),
            Self::Ended { how, .. } => json!({ "ended": how }),
        }
    }

    fn of(event: Event) -> Self {
        match event {
            Event::Text(text) => match serde_json::from_str(&text) {
                Ok(frame) => Self::Frame(frame),
                Err(_) => Self::Text(text),
            },
            Event::Binary(bytes) | Event::Raw(bytes) => Self::Binary(bytes.len()),
            Event::Ping(payload) => Self::Ping(payload),
            Event::Pong(payload) => Self::Pong(payload),
            Event::Close { code, reason } => Self::Close { code, reason },
            Event::Violation(violation) => Self::Violation(violation.to_string()),
            Event::Ended(ended) => Self::Ended { local: ended == Ended::Local, how: ended.to_string() },
        }
    }
}

impl Received {
    /// What the socket gave, not used by anybody yet.
    pub(super) fn of(connection: u32, event: Event) -> Self {
        Self { connection, what: ReceivedKind::of(event), taken: false, ours: false, served: false }
    }
}

/// How a socket ended, as far as it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Closing {
    /// Code of the close frame.
    pub(in crate::engine) code: Option<u16>,
    /// Reason of the close frame.
    pub(in crate::engine) reason: Option<String>,
    /// `close_frame`, or how the connection ended without one.
    pub(in crate::engine) how: String,
    /// This side ended it.
    pub(in crate::engine) local: bool,
}

impl Closing {
    /// `{ code?, reason?, how }`.
    pub(in crate::engine) fn to_json(&self) -> Value {
        let mut members = serde_json::Map::new();
        if let Some(code) = self.code {
            members.insert("code".into(), code.into());
        }
        if let Some(reason) = &self.reason {
            members.insert("reason".into(), reason.clone().into());
        }
        members.insert("how".into(), self.how.clone().into());
        Value::Object(members)
    }

    /// The end of the connection, if that is what came.
    pub(in crate::engine) fn of(what: &ReceivedKind) -> Option<Self> {
        match what {
            ReceivedKind::Close { code, reason } => {
                Some(Self { code: *code, reason: Some(reason.clone()), how: "close_frame".into(), local: false })
            }
            ReceivedKind::Ended { how, local } => Some(Self { how: how.clone(), local: *local, ..Self::default() }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Closing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, &self.reason) {
            (Some(code), Some(reason)) => write!(f, "close {code} {reason:?}"),
            (None, Some(_)) => f.write_str("a close frame without a code"),
            _ => f.write_str(&self.how),
        }
    }
}

/// How a connection was closed by the daemon or ended, if it was.
pub(in crate::engine) fn closing(log: &Log<Received>, connection: u32) -> Option<Closing> {
    log.read(0, |all| {
        all.iter().filter(|received| received.connection == connection).find_map(|received| Closing::of(&received.what))
    })
}

/// Whether what arrived says that nothing more can come on a connection.
pub(super) fn is_end(received: &Received, connection: u32) -> bool {
    received.connection == connection
        && matches!(received.what, ReceivedKind::Close { .. } | ReceivedKind::Ended { .. })
}

//! One of an app's connections: raw sending, and taking what arrived on it.

use super::inbox::{Inbox, Incoming, WaitError};
use crate::socket::{ConnectionGone, Ended, Event, HowToEnd, RawFrame, SocketSender};
use crate::tls::Pin;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::{Arc, Weak};
use tokio::time::Instant;

/// A connection of an app. It stays usable, and what arrived stays takeable, when the app has moved on to another one.
/// Cheap to clone; the app keeps every connection open until it is ended or the app and all clones are dropped.
#[derive(Clone, Debug)]
pub struct Connection(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    number: u32,
    sender: SocketSender,
    inbox: Arc<Inbox>,
    presented_pin: Option<Pin>,
}

impl Connection {
    pub(super) fn new(number: u32, sender: SocketSender, inbox: Arc<Inbox>, presented_pin: Option<Pin>) -> Self {
        Self(Arc::new(Inner { number, sender, inbox, presented_pin }))
    }

    pub(super) fn downgrade(&self) -> WeakConnection {
        WeakConnection(Arc::downgrade(&self.0))
    }

    /// Which of the app's connections this is, from 1: the number in the transcript.
    pub fn number(&self) -> u32 {
        self.0.number
    }

    /// The pin of the key that the daemon showed.
    pub fn presented_pin(&self) -> Option<Pin> {
        self.0.presented_pin
    }

    /// The socket's sending side, for frames built by hand and for the socket's manners.
    pub fn sender(&self) -> &SocketSender {
        &self.0.sender
    }

    /// Whether neither side has ended it, as far as this side knows.
    pub fn is_open(&self) -> bool {
        self.ended().is_none() && self.0.sender.is_open()
    }

    /// How it ended, if it did.
    pub fn ended(&self) -> Option<Ended> {
        self.0.inbox.ended()
    }

    /// Sends a JSON value as one text frame.
    ///
    /// # Errors
    /// The connection is over.
    pub async fn send_json(&self, frame: &Value) -> Result<(), ConnectionGone> {
        self.send_text(&frame.to_string()).await
    }

    /// Sends one text frame.
    ///
    /// # Errors
    /// The connection is over.
    pub async fn send_text(&self, text: &str) -> Result<(), ConnectionGone> {
        self.0.sender.send(RawFrame::text(text)).await
    }

    /// Ends the connection this way.
    pub async fn end(&self, ending: HowToEnd) {
        self.0.sender.end(ending).await;
    }

    /// Takes the first thing that arrived, or will, and that `wanted` accepts.
    ///
    /// # Errors
    /// The deadline passes, or the connection ends, first. Both errors hold everything that waits.
    pub async fn take(
        &self,
        mut wanted: impl FnMut(&Incoming) -> bool,
        deadline: Instant,
    ) -> Result<Incoming, WaitError> {
        let accepted = |item: &Incoming| wanted(item).then_some(());
        Ok(self.0.inbox.take(accepted, deadline).await?.0)
    }

    /// Takes the first thing that `wanted` makes something of, and returns what it made.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub async fn take_map<T>(
        &self,
        wanted: impl FnMut(&Incoming) -> Option<T>,
        deadline: Instant,
    ) -> Result<T, WaitError> {
        Ok(self.0.inbox.take(wanted, deadline).await?.1)
    }

    /// Takes the first text frame of this `type`, valid or not.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub async fn take_type(&self, kind: &str, deadline: Instant) -> Result<Incoming, WaitError> {
        let is_kind = |item: &Incoming| {
            let json = item.json.as_ref();
            json.is_some_and(|json| json["type"] == kind)
        };
        self.take(is_kind, deadline).await
    }

    /// Waits for the daemon's close frame, or for an end without one, and takes it.
    ///
    /// # Errors
    /// The deadline passes first, or the close was taken before.
    pub async fn take_close(&self, deadline: Instant) -> Result<Closing, WaitError> {
        let closing = |item: &Incoming| match &item.event {
            Event::Close { code, reason } => Some(Closing::Frame { code: *code, reason: reason.clone() }),
            Event::Ended(ended) => Some(Closing::NoFrame(ended.clone())),
            _ => None,
        };
        self.take_map(closing, deadline).await
    }

    /// Waits until the connection is over.
    ///
    /// # Errors
    /// The deadline passes first.
    pub async fn wait_end(&self, deadline: Instant) -> Result<Ended, WaitError> {
        match self.take_map(|_| None::<Infallible>, deadline).await {
            Err(WaitError::Ended { ended, .. }) => Ok(ended),
            Err(other) => Err(other),
            Ok(never) => match never {},
        }
    }

    /// Everything that arrived and was not taken, oldest first. It stays.
    pub fn arrived(&self) -> Vec<Incoming> {
        self.0.inbox.arrived()
    }
}

/// How the daemon closed a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closing {
    /// With a close frame.
    Frame {
        /// The code; absent when the frame had no body.
        code: Option<u16>,
        /// The reason.
        reason: String,
    },
    /// Without one.
    NoFrame(Ended),
}

/// A connection that is not kept open.
#[derive(Clone, Debug)]
pub(super) struct WeakConnection(Weak<Inner>);

impl WeakConnection {
    pub(super) fn upgrade(&self) -> Option<Connection> {
        self.0.upgrade().map(Connection)
    }
}

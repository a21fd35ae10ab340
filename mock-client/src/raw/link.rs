//! The two directions of a lane, without the process behind them.

use super::error::SendError;
use super::message::{Arrived, Cursor};
use super::transport::{Frame, Inbox, Sent, Transport};
use crate::within;
use iolite_protocol::transcript::Direction;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub(crate) struct Link {
    pub(super) inbox: Inbox,
    pub(super) transport: Box<dyn Transport>,
    /// Held while a frame is noted, recorded and queued: the transcript has the order of the wire.
    sending: Mutex<()>,
    send_patience: Duration,
}

impl Link {
    pub(super) fn new(transport: Box<dyn Transport>, inbox: Inbox, send_patience: Duration) -> Self {
        Self { inbox, transport, sending: Mutex::new(()), send_patience }
    }

    /// Sends any JSON as one message.
    pub(crate) async fn send(&self, message: &Value) -> Result<(), SendError> {
        let text = message.to_string().into_bytes();
        self.put(Frame::Message(text)).await.map(drop)
    }

    /// The first entry after a place that `wanted` takes, however long it takes; `None` when nothing more can arrive.
    pub(crate) async fn next(&self, after: Cursor, wanted: impl Fn(&Arrived) -> bool) -> Option<Arc<Arrived>> {
        const A_LONG_TIME: Duration = Duration::from_secs(3_600);
        let mut after = after;
        loop {
            let pick = |arrived: &Arc<Arrived>| wanted(arrived).then(|| Arc::clone(arrived));
            let log = &self.inbox.log;
            match log.wait(after, within(A_LONG_TIME), "entry", pick).await {
                Ok(arrived) => return Some(arrived),
                Err(error) if error.is_deadline() => {
                    after = error.arrived.last().map_or(after, |last| last.cursor);
                }
                Err(_) => return None,
            }
        }
    }

    pub(super) async fn put(&self, frame: Frame) -> Result<Sent, SendError> {
        let bytes = frame.len();
        let answer = {
            let _order = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
            self.take_note(&frame);
            self.transport.send(frame)
        };
        let result = match tokio::time::timeout(self.send_patience, answer).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(SendError::Closed { why: "this side has closed it".into() }),
            Err(_) => Err(SendError::Stalled { bytes }),
        };
        if let Err(error) = &result {
            self.inbox.witness.note(format!("sending failed: {error}"));
        }
        result
    }

    /// Before the first byte leaves: an answer can never be recorded before its question.
    fn take_note(&self, frame: &Frame) {
        let Inbox { asked, witness, .. } = &self.inbox;
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        match frame {
            Frame::Message(bytes) => {
                asked.sent(bytes);
                asked.sent(b"\n");
                witness.line(Direction::ToDaemon, bytes);
            }
            Frame::Bytes(bytes) => {
                asked.sent(bytes);
                witness.bytes(Direction::ToDaemon, "raw", bytes);
            }
            Frame::Pieces(pieces) => {
                for piece in pieces {
                    asked.sent(piece);
                    witness.bytes(Direction::ToDaemon, "raw", piece);
                }
            }
        }
    }
}

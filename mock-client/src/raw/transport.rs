//! The seam between the lane and the way messages travel.

use super::error::{End, SendError};
use super::log::Log;
use super::message::Why;
use super::sent_requests::SentRequests;
use crate::witness::Witness;
use iolite_protocol::transcript::Direction;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// Carries messages to a server. What comes back goes into the [`Inbox`] the transport was made with.
///
/// A transport decides nothing: it neither reads what it carries nor answers anything. Lines over pipes and sockets are
/// [`stdio`](super::stdio)'s; a transport where each message is a request of its own implements the same two methods.
pub trait Transport: Send + Sync {
    /// Queues `frame` behind everything queued before, and returns at once. The receiver resolves when the frame has
    /// been taken by the system (not by the server), or could not be.
    ///
    /// Dropping the receiver does not take the frame back.
    fn send(&self, frame: Frame) -> oneshot::Receiver<Result<Sent, SendError>>;

    /// Ends the sending direction once everything queued has been sent.
    fn finish(&self);

    /// Ends the sending direction now, giving up what is queued.
    fn abort(&self);

    /// Ends both directions now; nothing more goes into the inbox.
    fn close(&self);
}

/// What a transport is asked to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// One message, without any framing.
    Message(Vec<u8>),
    /// Bytes of a byte stream, as they are.
    Bytes(Vec<u8>),
    /// Bytes of a byte stream in pieces. Each is written when the server has read the one before, as far as that can
    /// be observed.
    Pieces(Vec<Vec<u8>>),
}

impl Frame {
    /// How many bytes of content it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Message(bytes) | Self::Bytes(bytes) => bytes.len(),
            Self::Pieces(pieces) => pieces.iter().map(Vec::len).sum(),
        }
    }

    /// Whether it holds no content.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A frame that was taken by the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Of [`Frame::Pieces`]: how many were seen to have been read by the server before the next one was written.
    pub read_apart: usize,
}

/// Where a transport puts what it receives. Cheap to clone.
///
/// Every method records first and then makes the line visible to those who wait. An error means that the lane takes
/// nothing more: the transport must stop receiving.
#[derive(Clone, Debug)]
pub struct Inbox {
    pub(super) log: Arc<Log>,
    pub(super) asked: Arc<Mutex<SentRequests>>,
    pub(super) witness: Witness,
}

impl Inbox {
    /// One line, or one message of a transport without lines.
    ///
    /// # Errors
    ///
    /// The [`End`] of the lane, when it takes nothing more.
    pub fn line(&self, line: &[u8]) -> Result<(), End> {
        self.witness.line(Direction::FromDaemon, line);
        let relate = |id: &_| {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.answered(id)
        };
        self.log.line(line, relate).inspect_err(|end| self.end(end.clone()))
    }

    /// The stream ended within a line.
    ///
    /// # Errors
    ///
    /// As for [`line`](Self::line).
    pub fn unterminated(&self, bytes: &[u8]) -> Result<(), End> {
        self.witness.bytes(Direction::FromDaemon, "unterminated", bytes);
        self.log.fragment(bytes, Why::Unterminated)
    }

    /// A line outgrew `limit` bytes; of it, only the beginning is kept. Ends the lane.
    pub fn too_long(&self, beginning: &[u8], limit: usize) {
        const SHOWN: usize = 4 * 1024;
        let beginning = &beginning[..beginning.len().min(SHOWN)];
        self.witness.bytes(Direction::FromDaemon, "too_long", beginning);
        // When even this does not fit any more, the lane has ended already.
        let _ = self.log.fragment(beginning, Why::TooLong);
        self.end(End::LineTooLong { limit });
    }

    /// Nothing more will come. Only the first end counts.
    pub fn end(&self, end: End) {
        let mut how = end.to_string();
        if end == End::Eof {
            how = "eof".into();
        } else if end == End::Local {
            how = "local".into();
        }
        if self.log.end(end) {
            self.witness.ended(how);
        }
    }
}

//! What a client sends, put back together: bytes in, whole messages out. No I/O, so it is tested without a socket.
//!
//! Memory is bounded by the message limit whatever the peer does: a frame that would exceed it is judged by its
//! head, and its payload is skipped, never kept (BRG-CON-08).

use super::frame::{self, Header, Violation, unmask};
use crate::core::waiver::without_wrong_bytes;
use crate::rules::{Fragments, Utf8};

/// How messages are put together; the part of the rule table this module consults.
#[derive(Clone, Copy, Debug)]
pub struct DecoderRules {
    /// Largest text message served, in bytes, over all its fragments (BRG-CON-08).
    pub limit: u64,
    /// What becomes of a fragmented message (BRG-CON-10).
    pub fragments: Fragments,
    /// Where UTF-8 is checked (BRG-CON-12).
    pub utf8: Utf8,
    /// Whether masks, reserved bits, opcodes and the order of fragments are judged (BRG-CON-10).
    pub strict: bool,
    /// Whether a binary message is taken for text (BRG-CON-01: no).
    pub binary_is_text: bool,
    /// Whether data frames that break one rule are read all the same, to be told before the violation. Only the
    /// measuring mode wants that.
    pub waives_one_rule: bool,
    /// Whether a control frame may stand between two fragments (BRG-CON-10).
    pub control_between_fragments: bool,
}

/// One thing a client said.
#[derive(Debug, PartialEq, Eq)]
pub enum Received {
    /// A whole text message.
    Text(String),
    /// A binary message began; its payload is skipped.
    Binary,
    /// A text message that is no UTF-8.
    InvalidUtf8,
    /// A text message longer than the limit; its payload is skipped.
    TooBig,
    /// A ping with its payload.
    Ping(Vec<u8>),
    /// A pong.
    Pong,
    /// The peer closes, with this code (absent when the frame had no body).
    Close(Option<u16>),
    /// The peer broke RFC 6455.
    Violation(Violation),
    /// A message that breaks one rule, and what it would say without that rule. Only the measuring mode tells of it.
    Waived {
        /// The texts that it can be read as.
        readings: Vec<String>,
        /// What is to be told otherwise.
        refusal: Box<Received>,
    },
}

/// The receiving half of one socket.
#[derive(Debug)]
pub struct MessageDecoder {
    rules: DecoderRules,
    bytes: Vec<u8>,
    open: Option<Vec<u8>>,
    skip: u64,
    only_close: bool,
    /// What is to be told behind the message that is being read. Only the measuring mode puts anything here.
    owed: Option<Received>,
}

impl MessageDecoder {
    /// A decoder whose first bytes are `early`: what the peer sent right behind its HTTP request.
    pub fn new(rules: DecoderRules, early: Vec<u8>) -> Self {
        Self { rules, bytes: early, open: None, skip: 0, only_close: false, owed: None }
    }

    /// Takes in what was read from the stream. Call [`MessageDecoder::next_message`] until it gives nothing before
    /// reading more, so that what is kept stays bounded.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// From now on everything but the peer's close frame is skipped.
    pub fn skip_to_close(&mut self) {
        self.only_close = true;
        self.open = None;
    }

    /// The next thing the peer said, if it is complete.
    pub fn next_message(&mut self) -> Option<Received> {
        loop {
            let skipped = self.skip.min(self.bytes.len() as u64);
            self.bytes.drain(..skipped as usize);
            self.skip -= skipped;
            if self.skip > 0 {
                return None;
            }
            let (header, size) = Header::read(&self.bytes)?;
            if let Some(refusal) = self.refuse(&header).and_then(|refusal| self.owe(&header, refusal)) {
                self.bytes.drain(..size);
                self.skip = header.length;
                match refusal {
                    Refusal::Skip => continue,
                    Refusal::Tell(received) => return Some(received),
                }
            }
            let end = size + header.length as usize;
            let mut payload = self.bytes.get(size..end)?.to_vec();
            self.bytes.drain(..end);
            unmask(&mut payload, header.mask.unwrap_or_default());
            if let Some(received) = self.accept(&header, payload) {
                return Some(received);
            }
        }
    }

    /// What a head alone decides; nothing when the payload is wanted.
    fn refuse(&self, header: &Header) -> Option<Refusal> {
        if self.only_close {
            let wanted = header.opcode == frame::CLOSE && header.length <= frame::CONTROL_BYTES;
            return (!wanted).then_some(Refusal::Skip);
        }
        let told = |received| Some(Refusal::Tell(received));
        if let (Err(violation), true) = (header.judge(), self.rules.strict) {
            return told(Received::Violation(violation));
        }
        let fragments = self.rules.fragments;
        match (header.opcode, &self.open) {
            (frame::CONTINUATION, None) if self.rules.strict => {
                return told(Received::Violation(Violation::NothingToContinue));
            }
            (frame::TEXT | frame::BINARY, Some(_)) if self.rules.strict => {
                return told(Received::Violation(Violation::MessageInsideMessage));
            }
            (frame::TEXT, None) if !header.fin && fragments == Fragments::Refuse => {
                return told(Received::Violation(Violation::Fragmented));
            }
            (frame::BINARY, None) if !self.rules.binary_is_text => return told(Received::Binary),
            _ if header.is_control() => {
                let allowed = self.open.is_none() || self.rules.control_between_fragments;
                return if allowed { None } else { told(Received::Violation(Violation::MessageInsideMessage)) };
            }
            _ => {}
        }
        let kept = self.open.as_ref().map_or(0, |open| open.len() as u64);
        (kept.saturating_add(header.length) > self.rules.limit).then_some(Refusal::Tell(Received::TooBig))
    }

    /// Puts the refusal of a data frame off until it is known what its message says, where the table asks for that and
    /// nothing else is wrong with it.
    fn owe(&mut self, header: &Header, refusal: Refusal) -> Option<Refusal> {
        let control = matches!(header.opcode, frame::CLOSE | frame::PING | frame::PONG);
        if !self.rules.waives_one_rule || self.only_close || control || header.length > WAIVED_BYTES {
            return Some(refusal);
        }
        match (refusal, &self.owed) {
            (Refusal::Tell(received), None) => self.owed = Some(received),
            (Refusal::Tell(received), Some(owed)) if received == *owed => {}
            (refusal, _) => return Some(refusal),
        }
        None
    }

    /// Takes one whole frame in; something to tell when it completed a message or is a control frame.
    fn accept(&mut self, header: &Header, payload: Vec<u8>) -> Option<Received> {
        match header.opcode {
            frame::PING => return Some(Received::Ping(payload)),
            frame::PONG => return Some(Received::Pong),
            frame::CLOSE if self.only_close => return Some(Received::Close(None)),
            frame::CLOSE => return Some(read_close(&payload)),
            _ => {}
        }
        if self.rules.utf8 == Utf8::EachFragment && std::str::from_utf8(&payload).is_err() {
            return Some(Received::InvalidUtf8);
        }
        let message = match self.open.take() {
            Some(mut open) => {
                open.extend_from_slice(&payload);
                open
            }
            None => payload,
        };
        if header.fin {
            return Some(self.text(message));
        }
        if self.rules.fragments == Fragments::DeliverEach {
            self.open = Some(Vec::new());
            return Some(self.text(message));
        }
        self.open = Some(message);
        None
    }

    fn text(&mut self, message: Vec<u8>) -> Received {
        match (String::from_utf8(message), self.owed.take()) {
            (Ok(text), None) => Received::Text(text),
            (Ok(text), Some(refusal)) => Received::Waived { readings: vec![text], refusal: Box::new(refusal) },
            (Err(_), Some(refusal)) => refusal,
            (Err(error), None) if self.rules.utf8 == Utf8::Repair => {
                Received::Text(String::from_utf8_lossy(error.as_bytes()).into_owned())
            }
            (Err(error), None) if self.rules.waives_one_rule => Received::Waived {
                readings: without_wrong_bytes(error.as_bytes()),
                refusal: Box::new(Received::InvalidUtf8),
            },
            (Err(_), None) => Received::InvalidUtf8,
        }
    }
}

/// Longest frame that the measuring mode reads although it is refused. It bounds what a peer can make it keep.
const WAIVED_BYTES: u64 = 1 << 20;

/// What to do with a frame whose payload is not wanted.
enum Refusal {
    Skip,
    Tell(Received),
}

/// Reads a close frame's body: nothing, or a code that may be sent and a UTF-8 reason (RFC 6455 §5.5.1, §7.4).
fn read_close(payload: &[u8]) -> Received {
    let Some((code, reason)) = payload.split_first_chunk::<2>() else {
        return if payload.is_empty() { Received::Close(None) } else { Received::Violation(Violation::MalformedClose) };
    };
    let code = u16::from_be_bytes(*code);
    if !matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999) {
        return Received::Violation(Violation::MalformedClose);
    }
    if std::str::from_utf8(reason).is_err() {
        return Received::InvalidUtf8;
    }
    Received::Close(Some(code))
}

#[cfg(test)]
#[path = "message_decoder_tests.rs"]
mod tests;

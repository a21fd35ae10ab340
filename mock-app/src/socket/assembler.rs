//! From frames to messages, strictly, and without a socket.
//!
//! Used for both directions: what the daemon sends is read for its violations, what the mock sends is read again so
//! that the transcript says what a strict peer would make of it.

use super::event::{Event, Violation};
use super::frame::{BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT};
use super::frame_decoder::SeenFrame;
use base64::{Engine, engine::general_purpose::STANDARD};
use iolite_protocol::transcript::Payload;

/// What one frame meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Assembled {
    /// Something complete.
    Event(Event),
    /// A part of a fragmented message.
    Fragment {
        /// Whether it begins the message.
        first: bool,
        /// Its payload.
        bytes: Vec<u8>,
    },
}

impl Assembled {
    /// How the transcript shows it. `frame` holds the bytes to show for a violation.
    pub(crate) fn to_payload(&self, frame: &[u8]) -> Payload {
        let bytes = |what: &str, bytes: &[u8]| Payload::Bytes { what: what.to_owned(), base64: STANDARD.encode(bytes) };
        match self {
            Self::Fragment { first: true, bytes: part } => bytes("fragment", part),
            Self::Fragment { first: false, bytes: part } => bytes("continuation", part),
            Self::Event(Event::Text(text)) => Payload::Text { text: text.clone() },
            Self::Event(Event::Binary(data)) => bytes("binary", data),
            Self::Event(Event::Raw(data)) => bytes("raw", data),
            Self::Event(Event::Ping(_)) => Payload::Ping,
            Self::Event(Event::Pong(_)) => Payload::Pong,
            Self::Event(Event::Close { code, reason }) => Payload::Close { code: *code, reason: reason.clone() },
            Self::Event(Event::Violation(Violation::InvalidUtf8 { bytes: data })) => bytes("invalid_utf8", data),
            Self::Event(Event::Violation(violation)) => bytes(&format!("violation: {violation}"), frame),
            Self::Event(Event::Ended(ended)) => Payload::Ended { how: ended.to_string() },
        }
    }
}

/// Which side's frames are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    /// A client: masks its frames.
    Client,
    /// A server: does not.
    Server,
}

/// Joins frames to messages and names every violation on the way.
#[derive(Debug)]
pub(crate) struct Assembler {
    sender: Sender,
    open: Option<(u8, Vec<u8>)>,
    closed: bool,
}

impl Assembler {
    pub(crate) fn new(sender: Sender) -> Self {
        Self { sender, open: None, closed: false }
    }

    /// Whether a fragmented message waits for its end.
    pub(crate) fn is_inside_message(&self) -> bool {
        self.open.is_some()
    }

    /// Bytes kept of an unfinished message.
    pub(crate) fn held(&self) -> usize {
        self.open.as_ref().map_or(0, |(_, bytes)| bytes.len())
    }

    /// What `frame` means: its violations first, then what it brings in spite of them.
    pub(crate) fn take(&mut self, frame: SeenFrame) -> Vec<Assembled> {
        let mut meanings: Vec<Assembled> = self
            .header_violations(&frame)
            .into_iter()
            .map(|violation| Assembled::Event(Event::Violation(violation)))
            .collect();
        let SeenFrame { fin, opcode, payload, .. } = frame;
        let mut push = |event| meanings.push(Assembled::Event(event));
        match opcode {
            PING => push(Event::Ping(payload)),
            PONG => push(Event::Pong(payload)),
            CLOSE => {
                self.closed = true;
                let (close, violation) = read_close(&payload);
                if let Some(violation) = violation {
                    push(Event::Violation(violation));
                }
                push(close);
            }
            TEXT | BINARY => {
                if self.open.take().is_some() {
                    push(Event::Violation(Violation::InterruptedMessage));
                }
                if fin {
                    push(message(opcode, payload));
                } else {
                    meanings.push(Assembled::Fragment { first: true, bytes: payload.clone() });
                    self.open = Some((opcode, payload));
                }
            }
            CONTINUATION => match self.open.take() {
                None => push(Event::Violation(Violation::LoneContinuation)),
                Some((opcode, mut whole)) => {
                    whole.extend_from_slice(&payload);
                    meanings.push(Assembled::Fragment { first: false, bytes: payload });
                    if fin {
                        meanings.push(Assembled::Event(message(opcode, whole)));
                    } else {
                        self.open = Some((opcode, whole));
                    }
                }
            },
            _ => {}
        }
        meanings
    }

    fn header_violations(&self, frame: &SeenFrame) -> Vec<Violation> {
        let SeenFrame { fin, rsv, opcode, .. } = *frame;
        let length = frame.payload.len();
        let control = opcode & 0x8 != 0;
        let known = matches!(opcode, CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG);
        let masking = match (self.sender, frame.masked) {
            (Sender::Server, true) => Some(Violation::Masked),
            (Sender::Client, false) => Some(Violation::Unmasked),
            _ => None,
        };
        [
            // A ping may be answered until the peer's close frame has come (RFC 6455, §5.5.2).
            (self.closed && opcode != PONG).then_some(Violation::AfterClose),
            masking,
            (rsv != 0).then_some(Violation::ReservedBits { rsv }),
            (!known).then_some(Violation::UnknownOpcode { opcode }),
            (!frame.shortest_length).then_some(Violation::LongLengthForm),
            (control && !fin).then_some(Violation::FragmentedControl { opcode }),
            (control && length > 125).then_some(Violation::LongControl { opcode, length }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

fn message(opcode: u8, payload: Vec<u8>) -> Event {
    if opcode == BINARY {
        return Event::Binary(payload);
    }
    match String::from_utf8(payload) {
        Ok(text) => Event::Text(text),
        Err(error) => Event::Violation(Violation::InvalidUtf8 { bytes: error.into_bytes() }),
    }
}

fn read_close(body: &[u8]) -> (Event, Option<Violation>) {
    let close = |code, reason: &[u8]| Event::Close { code, reason: String::from_utf8_lossy(reason).into_owned() };
    let Some((&code, reason)) = body.split_first_chunk::<2>() else {
        let violation = (!body.is_empty()).then_some(Violation::ShortCloseBody);
        return (close(None, &[]), violation);
    };
    let code = u16::from_be_bytes(code);
    let violation = if !may_travel(code) {
        Some(Violation::ForbiddenCloseCode { code })
    } else if std::str::from_utf8(reason).is_err() {
        Some(Violation::InvalidCloseReason)
    } else {
        None
    };
    (close(Some(code), reason), violation)
}

/// RFC 6455 §7.4 and the IANA registry: 1012..=1014 were added later.
fn may_travel(code: u16) -> bool {
    matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999)
}

#[cfg(test)]
mod tests {
    use super::super::frame::{LengthForm, Mask, RawFrame};
    use super::super::frame_decoder::FrameDecoder;
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Vec<Event> {
        let mut decoder = FrameDecoder::new(1 << 20);
        let mut assembler = Assembler::new(Sender::Server);
        decoder.push(bytes);
        let mut events = Vec::new();
        while let Some(frame) = decoder.next_frame().unwrap() {
            for assembled in assembler.take(frame) {
                if let Assembled::Event(event) = assembled {
                    events.push(event);
                }
            }
        }
        events
    }

    fn server(frame: RawFrame) -> Vec<u8> {
        frame.mask(Mask::Missing).encode([0; 4])
    }

    #[test]
    fn whole_messages_and_control_frames_are_read() {
        assert_eq!(read(&server(RawFrame::text("é"))), [Event::Text("é".into())]);
        assert_eq!(read(&server(RawFrame::binary([1]))), [Event::Binary(vec![1])]);
        assert_eq!(read(&server(RawFrame::ping("p"))), [Event::Ping(b"p".to_vec())]);
        assert_eq!(
            read(&server(RawFrame::close(1008, "revoked"))),
            [Event::Close { code: Some(1008), reason: "revoked".into() }]
        );
        assert_eq!(read(&server(RawFrame::bare_close())), [Event::Close { code: None, reason: String::new() }]);
    }

    #[test]
    fn a_control_frame_between_fragments_does_not_disturb_them() {
        let mut bytes = Vec::new();
        let mut pieces = RawFrame::fragments(TEXT, "añb".as_bytes(), 3).into_iter();
        bytes.extend(server(pieces.next().unwrap()));
        bytes.extend(server(RawFrame::ping([])));
        pieces.for_each(|piece| bytes.extend(server(piece)));
        assert_eq!(read(&bytes), [Event::Ping(vec![]), Event::Text("añb".into())]);
    }

    #[test]
    fn each_violation_is_named_and_reading_goes_on() {
        use Violation::*;
        let cases: [(RawFrame, Violation); 11] = [
            (RawFrame::text("x").mask(Mask::Right), Masked),
            (RawFrame::text("x").rsv(4).mask(Mask::Missing), ReservedBits { rsv: 4 }),
            (RawFrame::new(3, "x").mask(Mask::Missing), UnknownOpcode { opcode: 3 }),
            (RawFrame::text("x").length_form(LengthForm::Bits16).mask(Mask::Missing), LongLengthForm),
            (RawFrame::ping("x").fin(false).mask(Mask::Missing), FragmentedControl { opcode: PING }),
            (RawFrame::ping(vec![0; 126]).mask(Mask::Missing), LongControl { opcode: PING, length: 126 }),
            (RawFrame::continuation("x").mask(Mask::Missing), LoneContinuation),
            (RawFrame::text([0xff]).mask(Mask::Missing), InvalidUtf8 { bytes: vec![0xff] }),
            (RawFrame::new(CLOSE, [3]).mask(Mask::Missing), ShortCloseBody),
            (RawFrame::close(1006, "").mask(Mask::Missing), ForbiddenCloseCode { code: 1006 }),
            (RawFrame::close(1000, [0xff]).mask(Mask::Missing), InvalidCloseReason),
        ];
        for (frame, violation) in cases {
            let mut bytes = frame.encode([5; 4]);
            bytes.extend(server(RawFrame::pong("behind")));
            let events = read(&bytes);
            assert_eq!(events[0], Event::Violation(violation.clone()), "{violation}");
            assert_eq!(*events.last().unwrap(), Event::Pong(b"behind".to_vec()));
        }
    }

    #[test]
    fn order_of_frames_is_judged_too() {
        let mut bytes = server(RawFrame::text("a").fin(false));
        bytes.extend(server(RawFrame::text("b")));
        assert_eq!(read(&bytes), [Event::Violation(Violation::InterruptedMessage), Event::Text("b".into())]);
        let mut bytes = server(RawFrame::close(1000, ""));
        bytes.extend(server(RawFrame::text("late")));
        assert_eq!(read(&bytes)[1..], [Event::Violation(Violation::AfterClose), Event::Text("late".into())]);
        let mut bytes = server(RawFrame::close(1000, ""));
        bytes.extend(server(RawFrame::pong(b"asked before".to_vec())));
        assert_eq!(read(&bytes)[1..], [Event::Pong(b"asked before".to_vec())]);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut decoder = FrameDecoder::new(1 << 10);
            let mut assembler = Assembler::new(Sender::Server);
            decoder.push(&bytes);
            while let Ok(Some(frame)) = decoder.next_frame() {
                assembler.take(frame);
            }
        }
    }
}

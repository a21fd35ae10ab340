//! The head of one WebSocket frame (RFC 6455 §5.2): read leniently, judged separately.
//!
//! Reading and judging are apart because a socket that is being closed must still be skimmed for the peer's close
//! frame: there the length of a forbidden frame matters, its rights do not.

/// Opcode of a continuation frame.
pub const CONTINUATION: u8 = 0x0;
/// Opcode of a text frame.
pub const TEXT: u8 = 0x1;
/// Opcode of a binary frame.
pub const BINARY: u8 = 0x2;
/// Opcode of a close frame.
pub const CLOSE: u8 = 0x8;
/// Opcode of a ping frame.
pub const PING: u8 = 0x9;
/// Opcode of a pong frame.
pub const PONG: u8 = 0xA;

/// Longest payload of a control frame, in bytes.
pub const CONTROL_BYTES: u64 = 125;

/// The head of a frame as it stands on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Last frame of its message.
    pub fin: bool,
    /// The three reserved bits, which no negotiated extension uses.
    pub reserved: u8,
    /// The four opcode bits.
    pub opcode: u8,
    /// Masking key; absent when the frame is not masked.
    pub mask: Option<[u8; 4]>,
    /// Payload length in bytes.
    pub length: u64,
    /// Whether the length used the shortest of the three encodings and kept its top bit clear.
    pub length_is_proper: bool,
}

/// What a client's frame did against RFC 6455. Each closes the socket with 1002.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A reserved bit is set although no extension was negotiated.
    #[error("a reserved bit is set and no extension was negotiated")]
    ReservedBits,
    /// The opcode means nothing.
    #[error("opcode {0:#x} is reserved")]
    UnknownOpcode(u8),
    /// A client must mask every frame.
    #[error("a client's frame is not masked")]
    Unmasked,
    /// The length is not in its shortest form, or its top bit is set.
    #[error("the payload length is not in its shortest form")]
    ImproperLength,
    /// A control frame carries more than 125 bytes.
    #[error("a control frame carries more than {CONTROL_BYTES} bytes")]
    ControlTooLong,
    /// A control frame is fragmented.
    #[error("a control frame is fragmented")]
    ControlFragmented,
    /// A continuation arrived while no message was open.
    #[error("a continuation frame continues nothing")]
    NothingToContinue,
    /// A message began inside another one.
    #[error("a new message begins before the open one ended")]
    MessageInsideMessage,
    /// A close frame's body is one byte long, or its code may not be sent.
    #[error("a close frame's body is malformed")]
    MalformedClose,
    /// A fragment arrived, and fragments are refused. Only a bent rule table asks for it.
    #[error("fragmented messages are not served")]
    Fragmented,
}

impl Header {
    /// Reads a head from the front of `bytes`. `None` while it is incomplete; else the head and its own size in bytes.
    pub fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let (&[first, second], mut rest) = bytes.split_first_chunk::<2>()?;
        let short = u64::from(second & 0x7F);
        let (length, least) = match short {
            126 => {
                let (long, tail) = rest.split_first_chunk::<2>()?;
                rest = tail;
                (u64::from(u16::from_be_bytes(*long)), 126)
            }
            127 => {
                let (long, tail) = rest.split_first_chunk::<8>()?;
                rest = tail;
                (u64::from_be_bytes(*long), 65_536)
            }
            _ => (short, 0),
        };
        let mask = if second & 0x80 == 0 {
            None
        } else {
            let (mask, tail) = rest.split_first_chunk::<4>()?;
            rest = tail;
            Some(*mask)
        };
        let header = Self {
            fin: first & 0x80 != 0,
            reserved: (first >> 4) & 0x7,
            opcode: first & 0xF,
            mask,
            length,
            length_is_proper: length >= least && length >> 63 == 0,
        };
        Some((header, bytes.len() - rest.len()))
    }

    /// Judges what a head alone can be judged for, as a frame sent by a client.
    ///
    /// # Errors
    /// The first violation, in the order of the bits on the wire.
    pub fn judge(&self) -> Result<(), Violation> {
        if self.reserved != 0 {
            return Err(Violation::ReservedBits);
        }
        if !matches!(self.opcode, CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG) {
            return Err(Violation::UnknownOpcode(self.opcode));
        }
        if self.mask.is_none() {
            return Err(Violation::Unmasked);
        }
        if !self.length_is_proper {
            return Err(Violation::ImproperLength);
        }
        if self.is_control() && self.length > CONTROL_BYTES {
            return Err(Violation::ControlTooLong);
        }
        if self.is_control() && !self.fin {
            return Err(Violation::ControlFragmented);
        }
        Ok(())
    }

    /// Whether this is a close, ping or pong frame.
    pub fn is_control(&self) -> bool {
        self.opcode & 0x8 != 0
    }
}

/// Undoes (or applies) the masking of a payload.
pub fn unmask(payload: &mut [u8], mask: [u8; 4]) {
    for (byte, key) in payload.iter_mut().zip(mask.into_iter().cycle()) {
        *byte ^= key;
    }
}

/// One whole, unmasked frame, as a server sends it.
pub fn server_frame(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + 10);
    frame.push(0x80 | opcode);
    match payload.len() {
        short @ 0..=125 => frame.push(short as u8),
        medium @ 126..=0xFFFF => {
            frame.push(126);
            frame.extend_from_slice(&(medium as u16).to_be_bytes());
        }
        long => {
            frame.push(127);
            frame.extend_from_slice(&(long as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}

/// A close frame. Reasons of the contract are far below the 123 bytes that fit.
pub fn close_frame(code: u16, reason: &str) -> Vec<u8> {
    let mut payload = code.to_be_bytes().to_vec();
    payload.extend_from_slice(reason.as_bytes());
    server_frame(CLOSE, &payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(first: u8, length: &[u8]) -> Vec<u8> {
        let mut bytes = vec![first];
        bytes.extend_from_slice(length);
        bytes[1] |= 0x80;
        bytes.extend_from_slice(&[1, 2, 3, 4]);
        bytes
    }

    #[test]
    fn a_head_is_incomplete_until_its_last_byte() {
        let whole = masked(0x81, &[127, 0, 0, 0, 0, 0, 4, 0, 0]);
        for cut in 0..whole.len() {
            assert_eq!(Header::read(&whole[..cut]), None, "cut at {cut}");
        }
        let (header, size) = Header::read(&whole).unwrap();
        assert_eq!(size, whole.len());
        assert_eq!(header.length, 262_144);
        assert_eq!(header.judge(), Ok(()));
    }

    #[test]
    fn violations_are_told_apart() {
        let judge = |bytes: &[u8]| Header::read(bytes).unwrap().0.judge();
        assert_eq!(judge(&masked(0xC1, &[0])), Err(Violation::ReservedBits));
        assert_eq!(judge(&masked(0x83, &[0])), Err(Violation::UnknownOpcode(3)));
        assert_eq!(judge(&[0x81, 0]), Err(Violation::Unmasked));
        assert_eq!(judge(&masked(0x81, &[126, 0, 125])), Err(Violation::ImproperLength));
        assert_eq!(judge(&masked(0x81, &[127, 0x80, 0, 0, 0, 0, 1, 0, 0])), Err(Violation::ImproperLength));
        assert_eq!(judge(&masked(0x89, &[126, 0, 126])), Err(Violation::ControlTooLong));
        assert_eq!(judge(&masked(0x09, &[1])), Err(Violation::ControlFragmented));
    }

    #[test]
    fn a_servers_frame_reads_back() {
        for length in [0, 125, 126, 65_535, 65_536] {
            let frame = server_frame(TEXT, &vec![b'a'; length]);
            let (header, size) = Header::read(&frame).unwrap();
            assert_eq!((header.length, frame.len() - size), (length as u64, length));
            assert!(header.fin && header.length_is_proper && header.mask.is_none());
        }
    }
}

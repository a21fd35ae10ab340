//! One WebSocket frame built by hand: every bit of the header can be chosen, also wrongly.

/// Opcode of a frame that continues a fragmented message.
pub const CONTINUATION: u8 = 0x0;
/// Opcode of a text frame.
pub const TEXT: u8 = 0x1;
/// Opcode of a binary frame.
pub const BINARY: u8 = 0x2;
/// Opcode of a close frame.
pub const CLOSE: u8 = 0x8;
/// Opcode of a ping.
pub const PING: u8 = 0x9;
/// Opcode of a pong.
pub const PONG: u8 = 0xA;

/// How the payload is masked. A client must mask with a key of its own (RFC 6455 §5.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mask {
    /// Masked, with a key the connection chooses: the right way.
    #[default]
    Right,
    /// Masked with this key.
    Key([u8; 4]),
    /// Not masked: a client must not.
    Missing,
    /// The header announces one key, the payload is masked with another: the peer sees garbage.
    Mismatched {
        /// The key in the header.
        announced: [u8; 4],
        /// The key the payload was masked with.
        used: [u8; 4],
    },
}

/// How the payload length is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthForm {
    /// As short as possible: the only right way.
    #[default]
    Shortest,
    /// In 16 bits, whether or not it fits 7.
    Bits16,
    /// In 64 bits, whether or not it fits fewer.
    Bits64,
}

/// One frame as it will stand on the wire.
///
/// ```
/// use iolite_mock_app::socket::frame::{Mask, RawFrame};
/// let frame = RawFrame::text("hi").mask(Mask::Missing);
/// assert_eq!(frame.encode([0; 4]), [0x81, 0x02, b'h', b'i']);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawFrame {
    /// The FIN bit: this frame ends its message.
    pub fin: bool,
    /// The three reserved bits, RSV1 highest: 0..=7. Anything but 0 is a violation without an extension.
    pub rsv: u8,
    /// The opcode, 0..=15.
    pub opcode: u8,
    /// The masking.
    pub mask: Mask,
    /// The payload before masking.
    pub payload: Vec<u8>,
    /// The length written in the header, where it shall differ from the payload's own.
    pub declared_length: Option<u64>,
    /// How the length is written.
    pub length_form: LengthForm,
}

impl RawFrame {
    /// A whole, well-formed frame with this opcode and payload.
    pub fn new(opcode: u8, payload: impl Into<Vec<u8>>) -> Self {
        Self {
            fin: true,
            rsv: 0,
            opcode,
            mask: Mask::Right,
            payload: payload.into(),
            declared_length: None,
            length_form: LengthForm::Shortest,
        }
    }

    /// A text frame. The payload may be no UTF-8 at all.
    pub fn text(payload: impl Into<Vec<u8>>) -> Self {
        Self::new(TEXT, payload)
    }

    /// A binary frame.
    pub fn binary(payload: impl Into<Vec<u8>>) -> Self {
        Self::new(BINARY, payload)
    }

    /// A ping.
    pub fn ping(payload: impl Into<Vec<u8>>) -> Self {
        Self::new(PING, payload)
    }

    /// A pong.
    pub fn pong(payload: impl Into<Vec<u8>>) -> Self {
        Self::new(PONG, payload)
    }

    /// A frame that continues a fragmented message.
    pub fn continuation(payload: impl Into<Vec<u8>>) -> Self {
        Self::new(CONTINUATION, payload)
    }

    /// A close frame: any code, also those that must not travel, and any reason bytes.
    pub fn close(code: u16, reason: impl AsRef<[u8]>) -> Self {
        let mut payload = code.to_be_bytes().to_vec();
        payload.extend_from_slice(reason.as_ref());
        Self::new(CLOSE, payload)
    }

    /// A close frame without a body.
    pub fn bare_close() -> Self {
        Self::new(CLOSE, [])
    }

    /// A message cut into `pieces` frames of as equal a size as possible (at least one; some may be empty).
    /// Cuts fall anywhere, also inside a character.
    pub fn fragments(opcode: u8, payload: &[u8], pieces: usize) -> Vec<Self> {
        let pieces = pieces.max(1);
        let cut = |piece: usize| payload.len() * piece / pieces;
        (0..pieces)
            .map(|piece| {
                let opcode = if piece == 0 { opcode } else { CONTINUATION };
                Self::new(opcode, &payload[cut(piece)..cut(piece + 1)]).fin(piece + 1 == pieces)
            })
            .collect()
    }

    /// The same frame with this FIN bit.
    pub fn fin(mut self, fin: bool) -> Self {
        self.fin = fin;
        self
    }

    /// The same frame with these reserved bits (RSV1 = 4, RSV2 = 2, RSV3 = 1).
    pub fn rsv(mut self, rsv: u8) -> Self {
        self.rsv = rsv & 0b111;
        self
    }

    /// The same frame with this masking.
    pub fn mask(mut self, mask: Mask) -> Self {
        self.mask = mask;
        self
    }

    /// The same frame whose header declares this payload length.
    pub fn declaring(mut self, length: u64) -> Self {
        self.declared_length = Some(length);
        self
    }

    /// The same frame with its length written this way.
    pub fn length_form(mut self, form: LengthForm) -> Self {
        self.length_form = form;
        self
    }

    /// Whether this is a control frame (close, ping, pong and the reserved opcodes above them).
    pub fn is_control(&self) -> bool {
        self.opcode & 0x8 != 0
    }

    /// Whether a strict peer would find nothing wrong with this frame taken by itself.
    pub fn is_well_formed(&self) -> bool {
        self.rsv == 0
            && matches!(self.opcode, CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG)
            && matches!(self.mask, Mask::Right | Mask::Key(_))
            && self.declared_length.is_none()
            && self.length_form == LengthForm::Shortest
            && !(self.is_control() && (!self.fin || self.payload.len() > 125))
            && !(self.opcode == CLOSE && self.payload.len() == 1)
    }

    /// The frame's bytes. `key` is used where [`Mask::Right`] leaves the choice.
    pub fn encode(&self, key: [u8; 4]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.payload.len() + 14);
        bytes.push((u8::from(self.fin) << 7) | ((self.rsv & 0b111) << 4) | (self.opcode & 0xF));
        let (announced, used) = match self.mask {
            Mask::Right => (Some(key), key),
            Mask::Key(key) => (Some(key), key),
            Mask::Missing => (None, [0; 4]),
            Mask::Mismatched { announced, used } => (Some(announced), used),
        };
        let mask_bit = u8::from(announced.is_some()) << 7;
        let length = self.declared_length.unwrap_or(self.payload.len() as u64);
        match (self.length_form, u16::try_from(length)) {
            (LengthForm::Shortest, Ok(short @ 0..=125)) => bytes.push(mask_bit | short as u8),
            (LengthForm::Shortest | LengthForm::Bits16, Ok(middle)) => {
                bytes.push(mask_bit | 126);
                bytes.extend_from_slice(&middle.to_be_bytes());
            }
            _ => {
                bytes.push(mask_bit | 127);
                bytes.extend_from_slice(&length.to_be_bytes());
            }
        }
        bytes.extend(announced.into_iter().flatten());
        bytes.extend(self.payload.iter().zip(used.iter().cycle()).map(|(byte, key)| byte ^ key));
        bytes
    }
}

/// The masking keys of one connection: different for each frame, and the same in every run, so that a transcript of
/// raw bytes can be compared with another.
#[derive(Clone, Debug, Default)]
pub(crate) struct MaskKeys(u32);

impl MaskKeys {
    pub(crate) fn next_key(&mut self) -> [u8; 4] {
        self.0 = self.0.wrapping_add(0x9E37_79B9);
        self.0.to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 4] = [1, 2, 3, 4];

    #[test]
    fn a_right_frame_is_masked_with_the_connections_key() {
        assert_eq!(
            RawFrame::text("abcde").encode(KEY),
            [0x81, 0x85, 1, 2, 3, 4, b'a' ^ 1, b'b' ^ 2, b'c' ^ 3, b'd' ^ 4, b'e' ^ 1]
        );
    }

    #[test]
    fn every_header_bit_can_be_chosen() {
        let frame = RawFrame::new(0xB, "x").fin(false).rsv(0b101);
        assert_eq!(frame.encode(KEY)[0], 0b0101_1011);
        assert!(!frame.is_well_formed());
        let frame = RawFrame::ping([]).mask(Mask::Missing);
        assert_eq!(frame.encode(KEY), [0x89, 0x00]);
    }

    #[test]
    fn a_mismatched_mask_announces_one_key_and_uses_another() {
        let mask = Mask::Mismatched { announced: [9, 9, 9, 9], used: [0; 4] };
        assert_eq!(RawFrame::text("a").mask(mask).encode(KEY), [0x81, 0x81, 9, 9, 9, 9, b'a']);
    }

    #[test]
    fn lengths_take_their_three_forms() {
        let header = |length: usize| RawFrame::binary(vec![0; length]).encode(KEY)[1..].to_vec();
        assert_eq!(header(125)[0], 0x80 | 125);
        assert_eq!(header(126)[..3], [0x80 | 126, 0, 126]);
        assert_eq!(header(65_535)[..3], [0x80 | 126, 0xff, 0xff]);
        assert_eq!(header(65_536)[..9], [0x80 | 127, 0, 0, 0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn lengths_can_lie_and_be_written_too_long() {
        let frame = RawFrame::text("ab").declaring(1 << 40);
        assert_eq!(frame.encode(KEY)[1..10], [0x80 | 127, 0, 0, 1, 0, 0, 0, 0, 0]);
        let frame = RawFrame::text("ab").length_form(LengthForm::Bits16);
        assert_eq!(frame.encode(KEY)[1..4], [0x80 | 126, 0, 2]);
        let frame = RawFrame::text("ab").length_form(LengthForm::Bits64);
        assert_eq!(frame.encode(KEY)[1..10], [0x80 | 127, 0, 0, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn fragments_cut_anywhere_and_end_once() {
        let frames = RawFrame::fragments(TEXT, "aé".as_bytes(), 3);
        assert_eq!(frames.iter().map(|f| f.opcode).collect::<Vec<_>>(), [TEXT, CONTINUATION, CONTINUATION]);
        assert_eq!(frames.iter().map(|f| f.fin).collect::<Vec<_>>(), [false, false, true]);
        let joined: Vec<u8> = frames.into_iter().flat_map(|f| f.payload).collect();
        assert_eq!(joined, "aé".as_bytes());
        assert_eq!(RawFrame::fragments(TEXT, b"", 0).len(), 1);
    }

    #[test]
    fn close_frames_carry_any_code_and_reason() {
        assert_eq!(
            RawFrame::close(1005, [0xff]).payload,
            [0x03, 0xED, 0xff],
            "1005 must never travel, so it must be possible to send it"
        );
        assert!(RawFrame::bare_close().payload.is_empty());
    }

    #[test]
    fn keys_differ_from_frame_to_frame_but_not_from_run_to_run() {
        let (mut one, mut other) = (MaskKeys::default(), MaskKeys::default());
        let first = one.next_key();
        assert_eq!(first, other.next_key());
        assert_ne!(first, one.next_key());
    }
}

//! From bytes to frames.

use super::frame::{Mask, RawFrame};

/// A frame as it was seen, unmasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenFrame {
    pub(super) fin: bool,
    pub(super) rsv: u8,
    pub(super) opcode: u8,
    pub(super) masked: bool,
    pub(super) shortest_length: bool,
    pub(super) payload: Vec<u8>,
}

impl SeenFrame {
    /// The frame as a peer will see it; `None` if its declared length lies, so that no peer sees it as one frame.
    pub(crate) fn of_raw(frame: &RawFrame) -> Option<Self> {
        let honest = frame.declared_length.is_none_or(|length| length == frame.payload.len() as u64);
        honest.then(|| Self {
            fin: frame.fin,
            rsv: frame.rsv,
            opcode: frame.opcode & 0xF,
            masked: frame.mask != Mask::Missing,
            shortest_length: frame.length_form == Default::default(),
            payload: match frame.mask {
                Mask::Mismatched { announced, used } => {
                    let wrong = unmask(frame.payload.clone(), announced);
                    unmask(wrong, used)
                }
                _ => frame.payload.clone(),
            },
        })
    }
}

/// Cuts a byte stream into frames.
#[derive(Debug)]
pub(crate) struct FrameDecoder {
    buffer: Vec<u8>,
    start: usize,
    limit: usize,
}

/// A frame declares more bytes than the reader will ever keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong {
    /// The declared payload length.
    pub(crate) declared: u64,
}

impl FrameDecoder {
    /// A cutter that refuses frames whose payload is longer than `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, limit }
    }

    /// Whether a frame has begun and not ended.
    pub(crate) fn is_inside_frame(&self) -> bool {
        self.start < self.buffer.len()
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole frame, if it has arrived.
    pub(crate) fn next_frame(&mut self) -> Result<Option<SeenFrame>, TooLong> {
        let bytes = &self.buffer[self.start..];
        let Some((&[first, second], rest)) = bytes.split_first_chunk::<2>() else {
            return Ok(None);
        };
        let short = second & 0x7F;
        let (declared, rest) = match short {
            126 => match rest.split_first_chunk::<2>() {
                Some((&length, rest)) => (u64::from(u16::from_be_bytes(length)), rest),
                None => return Ok(None),
            },
            127 => match rest.split_first_chunk::<8>() {
                Some((&length, rest)) => (u64::from_be_bytes(length), rest),
                None => return Ok(None),
            },
            short => (u64::from(short), rest),
        };
        let length =
            usize::try_from(declared).ok().filter(|length| *length <= self.limit).ok_or(TooLong { declared })?;
        let (key, rest) = if second & 0x80 == 0 {
            (None, rest)
        } else {
            match rest.split_first_chunk::<4>() {
                Some((&key, rest)) => (Some(key), rest),
                None => return Ok(None),
            }
        };
        let Some(payload) = rest.get(..length) else {
            return Ok(None);
        };
        let frame = SeenFrame {
            fin: first & 0x80 != 0,
            rsv: (first >> 4) & 0b111,
            opcode: first & 0xF,
            masked: key.is_some(),
            shortest_length: match short {
                126 => declared > 125,
                127 => declared > 0xFFFF,
                _ => true,
            },
            payload: match key {
                Some(key) => unmask(payload.to_vec(), key),
                None => payload.to_vec(),
            },
        };
        self.start = self.buffer.len() - (rest.len() - length);
        Ok(Some(frame))
    }
}

fn unmask(mut payload: Vec<u8>, key: [u8; 4]) -> Vec<u8> {
    for (byte, key) in payload.iter_mut().zip(key.iter().cycle()) {
        *byte ^= key;
    }
    payload
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn server(frame: RawFrame) -> Vec<u8> {
        frame.mask(Mask::Missing).encode([0; 4])
    }

    #[test]
    fn a_monstrous_length_is_refused_before_its_bytes_come() {
        let mut decoder = FrameDecoder::new(100);
        decoder.push(&server(RawFrame::text("x").declaring(1 << 40)));
        assert_eq!(decoder.next_frame(), Err(TooLong { declared: 1 << 40 }));
    }

    #[test]
    fn a_wrong_mask_is_seen_as_the_peer_sees_it() {
        let frame = RawFrame::text("a").mask(Mask::Mismatched { announced: [1; 4], used: [0; 4] });
        let mut decoder = FrameDecoder::new(100);
        decoder.push(&frame.encode([0; 4]));
        assert_eq!(decoder.next_frame().unwrap(), SeenFrame::of_raw(&frame));
        assert_eq!(SeenFrame::of_raw(&RawFrame::text("a").declaring(9)), None);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_read_back_however_it_is_cut(
            payloads in proptest::collection::vec(
                proptest::collection::vec(any::<u8>(), 0..300), 1..5),
            chunk in 1usize..50,
        ) {
            let mut wire = Vec::new();
            for payload in &payloads {
                wire.extend(server(RawFrame::binary(payload.clone())));
            }
            let mut decoder = FrameDecoder::new(1 << 20);
            let mut seen = Vec::new();
            for part in wire.chunks(chunk) {
                decoder.push(part);
                while let Some(frame) = decoder.next_frame().unwrap() {
                    seen.push(frame.payload);
                }
            }
            prop_assert_eq!(seen, payloads);
            prop_assert!(!decoder.is_inside_frame());
        }
    }
}

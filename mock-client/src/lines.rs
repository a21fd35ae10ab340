//! Cutting a byte stream into lines, with a bound on how much of an unfinished one is kept.

/// The unfinished line of a stream.
#[derive(Debug)]
pub(crate) struct Lines {
    pending: Vec<u8>,
    limit: usize,
}

/// A line grew past the limit before its newline came.
#[derive(Debug)]
pub(crate) struct TooLong {
    /// What there was of it, up to the limit.
    pub(crate) beginning: Vec<u8>,
}

impl Lines {
    /// Lines of at most `limit` bytes, newline not counted.
    pub(crate) fn new(limit: usize) -> Self {
        Self { pending: Vec::new(), limit }
    }

    /// Takes the next line, without its newline, out of `chunk` and what came before it.
    ///
    /// `chunk` is moved past what was consumed; `None` means it is used up and the line is not complete yet. After an
    /// error the rest of the long line is still in `chunk`, and counts as a line of its own.
    pub(crate) fn next(&mut self, chunk: &mut &[u8]) -> Result<Option<Vec<u8>>, TooLong> {
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let end = newline.unwrap_or(chunk.len());
        let room = self.limit - self.pending.len();
        if end > room {
            self.pending.extend_from_slice(&chunk[..room]);
            *chunk = &chunk[room..];
            return Err(TooLong { beginning: self.take() });
        }
        self.pending.extend_from_slice(&chunk[..end]);
        *chunk = &chunk[newline.map_or(end, |at| at + 1)..];
        Ok(newline.map(|_| self.take()))
    }

    /// Whether a line has begun and not ended.
    pub(crate) fn is_open(&self) -> bool {
        !self.pending.is_empty()
    }

    /// What there is of the unfinished line.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.pending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(chunks: &[&[u8]], limit: usize) -> (Vec<Vec<u8>>, Vec<u8>) {
        let mut lines = Lines::new(limit);
        let mut found = Vec::new();
        for mut chunk in chunks.iter().copied() {
            while let Some(line) = lines.next(&mut chunk).unwrap() {
                found.push(line);
            }
        }
        (found, lines.take())
    }

    proptest! {
        #[test]
        fn where_the_stream_is_cut_makes_no_difference(
            stream in proptest::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..200),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([stream.len()]) {
                chunks.push(&stream[from..cut]);
                from = cut;
            }
            prop_assert_eq!(all(&chunks, 1_000), all(&[&stream], 1_000));
        }
    }

    #[test]
    fn a_line_of_exactly_the_limit_passes_and_one_byte_more_does_not() {
        let mut lines = Lines::new(3);
        let mut exact: &[u8] = b"abc\n";
        assert_eq!(lines.next(&mut exact).unwrap(), Some(b"abc".to_vec()));
        let mut over: &[u8] = b"abcd";
        assert_eq!(lines.next(&mut over).unwrap_err().beginning, b"abc");
    }
}

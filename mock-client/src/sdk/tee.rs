//! Byte streams that are recorded line by line while somebody else reads and writes them.

use crate::lines::Lines;
use crate::witness::Witness;
use iolite_protocol::transcript::Direction;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Records what is read from `inner`, and fails reading once that is `limit` bytes or more.
#[derive(Debug)]
pub(super) struct TeeReader<R> {
    inner: R,
    recorder: Recorder,
    left: usize,
}

impl<R> TeeReader<R> {
    pub(super) fn new(inner: R, witness: Witness, limit: usize) -> Self {
        Self { inner, recorder: Recorder::new(witness, Direction::FromDaemon), left: limit }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for TeeReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.left == 0 {
            let flood = io::Error::other("the server sends more than is read");
            return Poll::Ready(Err(flood));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        if read == 0 && buffer.remaining() > 0 {
            self.recorder.end();
            return Poll::Ready(Ok(()));
        }
        self.recorder.record(&buffer.filled()[before..]);
        self.left = self.left.saturating_sub(read);
        Poll::Ready(Ok(()))
    }
}

/// Records what is written to `inner`, before it is written.
#[derive(Debug)]
pub(super) struct TeeWriter<W> {
    inner: W,
    recorder: Recorder,
    /// How much of what the writer offers was recorded but not taken yet: it will be offered again.
    ahead: usize,
}

impl<W> TeeWriter<W> {
    pub(super) fn new(inner: W, witness: Witness) -> Self {
        Self { inner, recorder: Recorder::new(witness, Direction::ToDaemon), ahead: 0 }
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for TeeWriter<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if bytes.len() > self.ahead {
            let fresh = &bytes[self.ahead..];
            self.recorder.record(fresh);
            self.ahead = bytes.len();
        }
        let written = ready!(Pin::new(&mut self.inner).poll_write(context, bytes))?;
        self.ahead = self.ahead.saturating_sub(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[derive(Debug)]
struct Recorder {
    witness: Witness,
    direction: Direction,
    lines: Lines,
    ended: bool,
}

impl Recorder {
    fn new(witness: Witness, direction: Direction) -> Self {
        const LINE_BYTES: usize = 16 * 1024 * 1024;
        Self { witness, direction, lines: Lines::new(LINE_BYTES), ended: false }
    }

    fn record(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            match self.lines.next(&mut bytes) {
                Ok(Some(line)) => self.witness.line(self.direction, &line),
                Ok(None) => {}
                Err(long) => self.witness.bytes(self.direction, "too_long", &long.beginning),
            }
        }
    }

    fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        if self.lines.is_open() {
            let rest = self.lines.take();
            self.witness.bytes(self.direction, "unterminated", &rest);
        }
        self.witness.ended("eof");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iolite_protocol::transcript::{Payload, Tap};
    use std::sync::{Arc, Mutex};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    fn recording() -> (Witness, Arc<Mutex<Vec<Payload>>>) {
        let records = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&records);
        let tap = Tap::new(move |record| sink.lock().unwrap().push(record.payload));
        (Witness::new(tap, "agent", 1), records)
    }

    fn text(text: &str) -> Payload {
        Payload::Text { text: text.into() }
    }

    #[tokio::test]
    async fn every_byte_is_recorded_once_however_slowly_it_is_taken() {
        let (witness, records) = recording();
        let (ours, mut theirs) = tokio::io::duplex(3);
        let mut tee = TeeWriter::new(ours, witness);
        let writing = async {
            tee.write_all(b"hello\nworld\n").await.unwrap();
            tee.shutdown().await.unwrap();
        };
        let mut read = Vec::new();
        let (_, result) = tokio::join!(writing, theirs.read_to_end(&mut read));
        result.unwrap();
        assert_eq!(read, b"hello\nworld\n");
        assert_eq!(*records.lock().unwrap(), [text("hello"), text("world")]);
    }

    #[tokio::test]
    async fn what_is_read_is_recorded_with_its_end() {
        let (witness, records) = recording();
        let mut tee = TeeReader::new(&b"a\n\xff\nrest"[..], witness, 1_000);
        let mut read = Vec::new();
        tee.read_to_end(&mut read).await.unwrap();
        let bytes = |what: &str, base64: &str| Payload::Bytes { what: what.into(), base64: base64.into() };
        let expected = [
            text("a"),
            bytes("invalid_utf8", "/w=="),
            bytes("unterminated", "cmVzdA=="),
            Payload::Ended { how: "eof".into() },
        ];
        assert_eq!(*records.lock().unwrap(), expected);
    }

    #[tokio::test]
    async fn a_flood_ends_in_an_error() {
        let (witness, _) = recording();
        let mut tee = TeeReader::new(tokio::io::repeat(b'x'), witness, 100_000);
        let mut read = Vec::new();
        assert!(tee.read_to_end(&mut read).await.is_err());
    }
}

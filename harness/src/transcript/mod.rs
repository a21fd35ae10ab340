//! The transcript: everything seen on every wire in one run of a scenario, in one order.

pub mod metadata;

use iolite_protocol::transcript::{Direction, Payload, Record, Tap, VERSION, Wire};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How many payload bytes one transcript keeps; what comes after is counted, not kept. A daemon that floods must not
/// fill the tester's memory.
pub const BYTES_MAX: usize = 64 * 1024 * 1024;

/// Collects records from every wire, numbers them and stamps them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Recorder(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    began: Instant,
    records: Vec<Record>,
    kept_bytes: usize,
    dropped: u64,
}

impl Recorder {
    /// An empty transcript whose clock starts now.
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(State { began: Instant::now(), records: Vec::new(), kept_bytes: 0, dropped: 0 })))
    }

    /// A tap for the mocks to write to.
    pub fn tap(&self) -> Tap {
        let recorder = self.clone();
        Tap::new(move |record| recorder.push(record))
    }

    /// Notes something that is no traffic.
    pub fn note(&self, text: impl Into<String>) {
        let note = Payload::Note { text: text.into() };
        self.push(Record::seen(Wire::Harness, "harness", 1, Direction::Local, note));
    }

    /// The sequence number of the newest record; 0 when there is none.
    pub fn position(&self) -> u64 {
        self.state().records.last().map_or(0, |record| record.seq)
    }

    /// What `look` makes of all records so far. It must not touch the transcript.
    pub fn read<R>(&self, look: impl FnOnce(&[Record]) -> R) -> R {
        look(&self.state().records)
    }

    /// Copies of the records that came after `position`.
    pub fn since(&self, position: u64) -> Vec<Record> {
        let state = self.state();
        let start = state.records.partition_point(|record| record.seq <= position);
        state.records[start..].to_vec()
    }

    /// What `pick` makes of the records that came after `position`, without copying them. It must not touch the transcript.
    pub fn scan<R>(&self, position: u64, pick: impl FnMut(&Record) -> Option<R>) -> Vec<R> {
        let state = self.state();
        let start = state.records.partition_point(|record| record.seq <= position);
        state.records[start..].iter().filter_map(pick).collect()
    }

    /// Records that were counted but not kept because the transcript was full.
    pub fn dropped(&self) -> u64 {
        self.state().dropped
    }

    /// Writes the transcript as JSON Lines. The first line is a header with the format version.
    pub fn save(&self, path: &Path, scenario: &str) -> std::io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let state = self.state();
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        let header = serde_json::json!({
            "transcript": VERSION, "scenario": scenario, "records": state.records.len(), "dropped": state.dropped,
        });
        writeln!(file, "{header}")?;
        for record in &state.records {
            serde_json::to_writer(&mut file, record)?;
            file.write_all(b"\n")?;
        }
        file.flush()
    }

    fn push(&self, mut record: Record) {
        let mut state = self.state();
        let size = payload_bytes(&record.payload);
        if state.kept_bytes + size > BYTES_MAX {
            state.dropped += 1;
            return;
        }
        state.kept_bytes += size;
        record.seq = state.records.last().map_or(1, |last| last.seq + 1);
        record.at_us = u64::try_from(state.began.elapsed().as_micros()).unwrap_or(u64::MAX);
        state.records.push(record);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

fn payload_bytes(payload: &Payload) -> usize {
    64 + match payload {
        Payload::Text { text } | Payload::Stderr { text } | Payload::Note { text } => text.len(),
        Payload::Bytes { base64, .. } => base64.len(),
        Payload::Opened { detail } => detail.len(),
        Payload::Close { reason, .. } => reason.len(),
        Payload::Ended { how } => how.len(),
        Payload::Ping | Payload::Pong | Payload::Exit { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_numbered_from_one_and_survive_a_file() {
        let recorder = Recorder::new();
        recorder.note("first");
        let position = recorder.position();
        recorder.note("second");
        assert_eq!(recorder.since(position).len(), 1);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/one.jsonl");
        recorder.save(&path, "a/b").unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let record: Record = serde_json::from_str(lines[2]).unwrap();
        assert_eq!((record.seq, record.payload), (2, Payload::Note { text: "second".into() }));
    }

    #[test]
    fn a_flood_is_counted_not_kept() {
        let recorder = Recorder::new();
        for _ in 0..70 {
            recorder.note("x".repeat(1024 * 1024));
        }
        assert!(recorder.dropped() > 0);
        assert!(recorder.read(<[Record]>::len) <= 64);
    }
}

//! What the stories share: the fake server, a tap that remembers, and patience that only a defect uses up.
#![expect(dead_code, reason = "each story uses its part")]

use iolite_mock_client::process::CommandLine;
use iolite_mock_client::raw::{Arrived, Limits, Message, RawLane};
use iolite_mock_client::revision::Revision;
use iolite_mock_client::session::{Answering, Client, Session};
use iolite_mock_client::{Witness, within};
use iolite_protocol::transcript::{Payload, Record, Tap};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn soon() -> Instant {
    within(PATIENCE)
}

pub fn fake(manners: &str) -> CommandLine {
    CommandLine::new(env!("CARGO_BIN_EXE_iolite-fake-mcp")).arg(manners)
}

pub fn lane(manners: &str) -> RawLane {
    RawLane::spawn(&fake(manners), Witness::none(), Limits::default()).expect("the fake server starts")
}

pub fn session(manners: &str, revision: Revision) -> Session {
    session_on(lane(manners), revision)
}

pub fn session_on(lane: RawLane, revision: Revision) -> Session {
    Session::new(lane, revision, Client::default(), PATIENCE, Answering::Plain)
}

/// A tap that keeps every record.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<Vec<Record>>>);

impl Memory {
    pub fn witness(&self) -> Witness {
        let records = Arc::clone(&self.0);
        Witness::new(Tap::new(move |record| records.lock().expect("no panic while recording").push(record)), "agent", 1)
    }

    pub fn records(&self) -> Vec<Record> {
        self.0.lock().expect("no panic while recording").clone()
    }

    pub fn payloads(&self) -> Vec<Payload> {
        self.records().into_iter().map(|record| record.payload).collect()
    }
}

pub fn violations(arrived: &[Arc<Arrived>]) -> Vec<iolite_mock_client::raw::Why> {
    let why = |arrived: &Arc<Arrived>| match &arrived.message {
        Message::Violation(violation) => Some(violation.why),
        _ => None,
    };
    arrived.iter().filter_map(why).collect()
}

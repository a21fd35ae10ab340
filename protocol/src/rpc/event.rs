//! Events: as notifications, and as pages of the past.

use super::fields::Shape;
use super::{ShapeError, Timestamp};
use crate::event::EventKind;
use serde_json::{Value, json};

/// One event: `{kind, sessionId?, alias?, ts, data, seq}` (BRG-RPC-06).
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// What happened.
    pub kind: EventKind,
    /// In which session; absent for events of the daemon itself.
    pub session_id: Option<String>,
    /// That session's alias; absent while it has none.
    pub alias: Option<String>,
    /// When, by the daemon's clock.
    pub ts: Timestamp,
    /// More about it, depending on the kind.
    pub data: Value,
    /// The event's number within its session; it grows by one. Events of the daemon itself may lack it.
    pub seq: Option<u64>,
}

impl EventRecord {
    /// Reads the `params` of a notification, or an element of a page.
    ///
    /// # Errors
    /// A required part is missing or has the wrong type, or the kind is unknown.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        Self::read(&Shape::of(value, "")?)
    }

    pub(super) fn read(shape: &Shape<'_>) -> Result<Self, ShapeError> {
        let kind = EventKind::parse(&shape.text("kind")?);
        let event = Self {
            kind: kind.ok_or_else(|| shape.wrong("kind", "`kind` is a kind of event"))?,
            session_id: shape.optional_text("sessionId")?,
            alias: shape.optional_text("alias")?,
            ts: shape.time("ts")?,
            data: shape.any("data").cloned().unwrap_or(Value::Null),
            seq: shape.optional_count("seq")?,
        };
        if event.session_id.is_some() && event.seq.is_none() {
            return Err(shape.wrong("seq", "an event of a session has a `seq`"));
        }
        Ok(event)
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let mut object = json!({ "kind": self.kind.as_str() });
        if let Some(session_id) = &self.session_id {
            object["sessionId"] = session_id.as_str().into();
        }
        if let Some(alias) = &self.alias {
            object["alias"] = alias.as_str().into();
        }
        object["ts"] = self.ts.to_json();
        object["data"] = self.data.clone();
        if let Some(seq) = self.seq {
            object["seq"] = seq.into();
        }
        object
    }
}

/// The result of `events.since`: `{events, cursor}`, the oldest first (BRG-RPC-07).
#[derive(Clone, Debug, PartialEq)]
pub struct EventsPage {
    /// The events.
    pub events: Vec<EventRecord>,
    /// What to give as `since` next: the `seq` of the last event that was looked at.
    pub cursor: u64,
}

impl EventsPage {
    /// Reads a page.
    ///
    /// # Errors
    /// A part is missing or has the wrong type.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        let shape = Shape::of(value, "")?;
        let events = shape.array("events")?.iter().enumerate();
        let events = events.map(|(index, event)| EventRecord::read(&Shape::of(event, &format!("/events/{index}"))?));
        Ok(Self { events: events.collect::<Result<_, _>>()?, cursor: shape.count("cursor")? })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let events: Value = self.events.iter().map(EventRecord::to_json).collect();
        json!({ "events": events, "cursor": self.cursor })
    }
}

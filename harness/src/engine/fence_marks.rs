//! What the fences on one daemon have made, so that it is not taken for what the scenario made.

use super::control::event::{EventId, event_id, holds};
use super::fence_names::{FENCE_PREFIX, names_a_fence};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The traces of fences on one daemon.
#[derive(Debug, Default)]
pub(super) struct FenceMarks {
    count: AtomicU64,
    /// Events that fences made.
    events: Mutex<BTreeSet<EventId>>,
    /// Sessions and tools that fences called, once for each call.
    tool_calls: Mutex<Vec<(String, String)>>,
    /// Ids of calls that were fences.
    calls: Mutex<Vec<String>>,
}

impl FenceMarks {
    /// A name for an event, tool or resource that has not been used on this daemon.
    pub(super) fn fresh_name(&self) -> String {
        format!("{FENCE_PREFIX}{}", self.count.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Remembers events that a fence of ours made.
    pub(super) fn note_events(&self, events: impl IntoIterator<Item = EventId>) {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).extend(events);
    }

    /// Remembers a call that was a fence of ours.
    pub(super) fn note_call(&self, id: String) {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(id);
    }

    /// Remembers that a fence calls a tool, without arguments.
    pub(super) fn note_tool_call(&self, session: &str, tool: &str) {
        let call = (session.to_owned(), tool.to_owned());
        self.tool_calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }

    /// The tool calls of fences so far.
    pub(super) fn tool_calls(&self) -> Vec<(String, String)> {
        self.tool_calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether an event line tells of a fence and not of the scenario.
    pub(super) fn made_event(&self, line: &Value) -> bool {
        let known = || self.events.lock().unwrap_or_else(PoisonError::into_inner);
        event_id(line).is_some_and(|id| known().contains(&id))
            || line.pointer("/params/data").is_some_and(|data| {
                let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
                names_a_fence(data) || calls.iter().any(|call| holds(data, call))
            })
    }
}

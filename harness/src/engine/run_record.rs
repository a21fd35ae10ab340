//! What is written down of a run while it goes on: the transcript, and what the transcript does not say.

use crate::transcript::Recorder;
use crate::transcript::metadata::{AppMetadata, ClientMetadata, RunMetadata};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The record of one run, the same for all of its cases.
#[derive(Debug)]
pub(super) struct RunRecord {
    /// The transcript.
    pub(super) recorder: Recorder,
    metadata: Mutex<RunMetadata>,
    connections: Mutex<HashMap<String, u32>>,
}

impl RunRecord {
    /// The record of a run of which nothing has been played yet.
    pub(super) fn new(metadata: RunMetadata) -> Self {
        Self { recorder: Recorder::new(), metadata: Mutex::new(metadata), connections: Mutex::default() }
    }

    /// The number of an actor's next connection, from 1. It counts on over all cases.
    pub(super) fn next_connection(&self, actor: &str) -> u32 {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let count = connections.entry(actor.to_owned()).or_default();
        *count += 1;
        *count
    }

    /// Notes facts for the watchers.
    pub(super) fn note(&self, edit: impl FnOnce(&mut RunMetadata)) {
        edit(&mut self.metadata.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Notes a session of an app, and its alias when that is known.
    pub(super) fn note_session(&self, actor: &str, session: &str, alias: Option<&str>) {
        self.note(|metadata| {
            let app: &mut AppMetadata = metadata.apps.entry(actor.to_owned()).or_default();
            push_new(&mut app.sessions, session);
            if let Some(alias) = alias {
                push_new(&mut app.aliases, alias);
            }
        });
    }

    /// Notes a token that must not leak.
    pub(super) fn note_secret(&self, secret: &str) {
        if !secret.is_empty() {
            self.note(|metadata| {
                metadata.secrets.insert(secret.to_owned());
            });
        }
    }

    /// Notes an MCP connection, or changes what was noted of it.
    pub(super) fn note_client(&self, actor: &str, connection: u32, edit: impl FnOnce(&mut ClientMetadata)) {
        self.note(|metadata| {
            let known =
                metadata.clients.iter().position(|known| known.actor == actor && known.connection == connection);
            let at = known.unwrap_or_else(|| {
                metadata.clients.push(ClientMetadata {
                    actor: actor.to_owned(),
                    connection,
                    ..ClientMetadata::default()
                });
                metadata.clients.len() - 1
            });
            edit(&mut metadata.clients[at]);
        });
    }

    /// A copy of the metadata.
    pub(super) fn metadata(&self) -> RunMetadata {
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn push_new(list: &mut Vec<String>, item: &str) {
    if !list.iter().any(|known| known == item) {
        list.push(item.to_owned());
    }
}

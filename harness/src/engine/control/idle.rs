//! Connections with nothing under way, handed from one case to the next.

use super::Control;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A connection and its number, between two who use it.
pub type IdleConnection = (u32, Arc<Control>);

/// Connections that cases have left idle, by the name of the actor that held them.
#[derive(Debug, Default)]
pub struct IdleConnections(Mutex<BTreeMap<String, IdleConnection>>);

impl IdleConnections {
    /// Keeps a connection for the actor of this name in the next case.
    pub fn keep(&self, actor: &str, connection: IdleConnection) {
        self.connections().insert(actor.to_owned(), connection);
    }

    /// The connection that the actor of this name left in the case before, if it is still open and idle.
    pub fn take(&self, actor: &str) -> Option<IdleConnection> {
        self.connections().remove(actor).filter(|(_, control)| control.is_idle())
    }

    /// Forgets all of them.
    pub fn clear(&self) {
        self.connections().clear();
    }

    fn connections(&self) -> MutexGuard<'_, BTreeMap<String, IdleConnection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Links that wait for their app, and the ids of those that have expired (`BRG-SES-03`, `BRG-SES-04`).

use super::io::Now;
use std::collections::{HashMap, VecDeque};

/// A link nobody has claimed yet.
#[derive(Debug)]
pub(super) struct PendingLink {
    /// Number of the session it becomes, for timers.
    pub(super) serial: u64,
    /// The token as a claim spells it.
    pub(super) token: String,
    /// When it was minted.
    pub(super) created: Now,
    /// When it ends.
    pub(super) expires: Now,
    /// Claims that failed so far.
    pub(super) failures: u32,
}

/// All links.
#[derive(Debug, Default)]
pub(super) struct Links {
    pending: HashMap<String, PendingLink>,
    by_serial: HashMap<u64, String>,
    expired: HashMap<String, bool>,
    expired_order: VecDeque<String>,
}

impl Links {
    pub(super) fn insert(&mut self, session_id: String, link: PendingLink) {
        self.by_serial.insert(link.serial, session_id.clone());
        self.pending.insert(session_id, link);
    }

    pub(super) fn pending_mut(&mut self, session_id: &str) -> Option<&mut PendingLink> {
        self.pending.get_mut(session_id)
    }

    pub(super) fn is_pending(&self, session_id: &str) -> bool {
        self.pending.contains_key(session_id)
    }

    pub(super) fn pending(&self) -> impl Iterator<Item = (&String, &PendingLink)> {
        self.pending.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Takes a link away, because it is claimed, dead or discarded.
    pub(super) fn take(&mut self, session_id: &str) -> Option<PendingLink> {
        let link = self.pending.remove(session_id)?;
        self.by_serial.remove(&link.serial);
        Some(link)
    }

    /// The session id of the link with this number.
    pub(super) fn by_serial(&self, serial: u64) -> Option<&str> {
        self.by_serial.get(&serial).map(String::as_str)
    }

    /// Remembers that this id's link has expired. With too many, the oldest is forgotten.
    pub(super) fn remember_expired(&mut self, session_id: String) {
        if self.expired.insert(session_id.clone(), false).is_none() {
            self.expired_order.push_back(session_id);
        }
        while self.expired_order.len() > REMEMBERED {
            if let Some(oldest) = self.expired_order.pop_front() {
                self.expired.remove(&oldest);
            }
        }
    }

    /// Whether this id's link has expired and, if so, whether a claim was answered so before. It is remembered:
    /// a late claim hears `link_expired` once (`BRG-SES-17`).
    pub(super) fn tell_expired(&mut self, session_id: &str) -> Option<bool> {
        self.expired.get_mut(session_id).map(|told| std::mem::replace(told, true))
    }
}

/// How many expired links are remembered. Ids are random: forgetting one turns `link_expired` into
/// `unknown_session`, nothing else.
const REMEMBERED: usize = 4_096;

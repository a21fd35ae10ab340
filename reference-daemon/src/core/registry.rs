//! What an app has registered, in its order. One type serves tools and resources (`BRG-TOL-01` … `-06`,
//! `BRG-RES-01` … `-05`).

use crate::rules::{AfterResume, RegistryRules, Snapshot, Upsert, UriConflict};
use iolite_protocol::frame::Registered;
use std::collections::{BTreeMap, HashMap};

/// The entries of one registry. Every operation on one entry takes logarithmic time (`BRG-RES-15`).
#[derive(Debug)]
pub(super) struct Registry<D> {
    entries: BTreeMap<u64, D>,
    by_name: HashMap<String, u64>,
    by_other: HashMap<String, u64>,
    next: u64,
    snapshots: u64,
    deltas: u64,
    resumed: bool,
    removed: Option<HashMap<String, D>>,
}

/// What a registry frame did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Something that can be seen is different now.
    Changed,
    /// Everything is as it was.
    Unchanged,
    /// The frame breaks a rule. Everything is as it was.
    Refused,
}

impl<D: Registered> Registry<D> {
    /// An empty registry. `keep_removed` says whether what is removed is kept aside, which only a bent rule table
    /// asks for.
    pub(super) fn new(keep_removed: bool) -> Self {
        Self {
            entries: BTreeMap::new(),
            by_name: HashMap::new(),
            by_other: HashMap::new(),
            next: 0,
            snapshots: 0,
            deltas: 0,
            resumed: false,
            removed: keep_removed.then(HashMap::new),
        }
    }

    /// The entries in registry order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &D> {
        self.entries.values()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<&D> {
        self.entries.get(self.by_name.get(name)?)
    }

    /// An entry of this name that was there once. Only a bent rule table asks.
    pub(super) fn find_removed(&self, name: &str) -> Option<&D> {
        self.removed.as_ref()?.get(name)
    }

    /// Replaces everything (`BRG-TOL-01`).
    pub(super) fn replace(&mut self, entries: Vec<D>, rules: &RegistryRules) -> Effect {
        self.snapshots += 1;
        let resumed = std::mem::take(&mut self.resumed);
        let unseen = entries.is_empty() && !rules.emptying_is_change;
        let ignored = match rules.snapshot {
            Snapshot::IgnoreEmpty => entries.is_empty(),
            Snapshot::FirstOnly => self.snapshots > 1,
            Snapshot::Replace | Snapshot::Merge => resumed && rules.after_resume == AfterResume::IgnoreNext,
        };
        if ignored {
            return Effect::Unchanged;
        }
        let merged = rules.snapshot == Snapshot::Merge || (resumed && rules.after_resume == AfterResume::MergeNext);
        if !merged && self.entries.values().eq(&entries) {
            return Effect::Unchanged;
        }
        if !merged {
            self.clear();
        }
        let mut effect = match merged {
            true => Effect::Unchanged,
            false => Effect::Changed,
        };
        for entry in entries {
            if self.put(entry, rules) {
                effect = Effect::Changed;
            }
        }
        match unseen {
            true => Effect::Unchanged,
            false => effect,
        }
    }

    /// Adds an entry or replaces the one of that name in its place (`BRG-TOL-03`, `BRG-RES-04`).
    pub(super) fn upsert(&mut self, entry: D, conflict: UriConflict, rules: &RegistryRules) -> Effect {
        if self.loses_delta(rules) {
            return Effect::Unchanged;
        }
        if let Some(owner) = self.owner_of_other(&entry)
            && owner != entry.name()
        {
            match conflict {
                UriConflict::Refuse => return Effect::Refused,
                UriConflict::Share => (),
                UriConflict::Steal => {
                    let owner = owner.to_owned();
                    self.take(&owner);
                }
            }
        }
        match self.put(entry, rules) {
            true => Effect::Changed,
            false => Effect::Unchanged,
        }
    }

    /// Removes an entry; an unknown name is no error and no change (`BRG-TOL-03`).
    pub(super) fn remove(&mut self, name: &str, rules: &RegistryRules) -> Effect {
        if self.loses_delta(rules) {
            return Effect::Unchanged;
        }
        match (self.by_name.contains_key(name), rules.remove_unknown) {
            (false, true) => Effect::Unchanged,
            (false, false) => Effect::Refused,
            (true, _) if !rules.remove => Effect::Unchanged,
            (true, _) => {
                self.take(name);
                match rules.removal_is_change {
                    true => Effect::Changed,
                    false => Effect::Unchanged,
                }
            }
        }
    }

    /// Empties the registry.
    pub(super) fn clear(&mut self) -> Effect {
        if self.entries.is_empty() {
            return Effect::Unchanged;
        }
        for (_, entry) in std::mem::take(&mut self.entries) {
            self.put_aside(entry);
        }
        self.by_name.clear();
        self.by_other.clear();
        Effect::Changed
    }

    /// The app came back: until its snapshot arrives the kept entries stand (`BRG-TOL-06`, `BRG-RES-05`).
    pub(super) fn resume(&mut self, rules: &RegistryRules) -> Effect {
        self.resumed = true;
        match rules.after_resume {
            AfterResume::Clear => self.clear(),
            AfterResume::Keep | AfterResume::MergeNext | AfterResume::IgnoreNext => Effect::Unchanged,
        }
    }

    fn loses_delta(&mut self, rules: &RegistryRules) -> bool {
        self.deltas += 1;
        rules.lose_every.is_some_and(|every| self.deltas.is_multiple_of(every))
    }

    fn owner_of_other(&self, entry: &D) -> Option<&str> {
        let (other, _) = entry.other_identity()?;
        let position = self.by_other.get(other)?;
        self.entries.get(position).map(D::name)
    }

    fn put(&mut self, entry: D, rules: &RegistryRules) -> bool {
        let old = self.by_name.get(entry.name()).copied();
        if let Some(old) = old {
            if rules.upsert == Upsert::KeepOld || self.entries.get(&old) == Some(&entry) {
                return false;
            }
            self.take(entry.name());
        } else if rules.cap.is_some_and(|cap| self.len() >= cap) {
            return false;
        }
        let position = match (old, rules.upsert) {
            (Some(old), Upsert::Replace | Upsert::KeepOld) => old,
            (Some(_), Upsert::MoveToEnd) | (None, _) => {
                self.next += 1;
                self.next
            }
        };
        self.by_name.insert(entry.name().to_owned(), position);
        if let Some((other, _)) = entry.other_identity() {
            self.by_other.insert(other.to_owned(), position);
        }
        self.entries.insert(position, entry);
        true
    }

    fn take(&mut self, name: &str) {
        let Some(entry) = self.by_name.remove(name).and_then(|position| self.entries.remove(&position)) else {
            return;
        };
        if let Some((other, _)) = entry.other_identity() {
            self.by_other.remove(other);
        }
        self.put_aside(entry);
    }

    fn put_aside(&mut self, entry: D) {
        if let Some(removed) = &mut self.removed {
            removed.insert(entry.name().to_owned(), entry);
        }
    }
}

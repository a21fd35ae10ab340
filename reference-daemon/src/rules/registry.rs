//! Decisions that the tool registry and the resource registry have in common.

/// Decisions of one registry. [`Default`] is the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct RegistryRules {
    /// What a snapshot does (`TOL-01`, `RES-01`).
    pub snapshot: Snapshot,
    /// What a resume does to the kept entries (`TOL-06`, `RES-05`).
    pub after_resume: AfterResume,
    /// What an upsert of a known name does (`TOL-03`, `RES-01`).
    pub upsert: Upsert,
    /// A removal removes (`TOL-03`, `RES-01`).
    pub remove: bool,
    /// Removing an unknown name is no error (`TOL-03`); otherwise it breaks a rule.
    pub remove_unknown: bool,
    /// A removal is a change (`RPC-05`); otherwise it is done and not told.
    pub removal_is_change: bool,
    /// A snapshot that empties is a change (`RPC-05`); otherwise it is done and not told.
    pub emptying_is_change: bool,
    /// Every n-th delta is lost (`RES-15`: none).
    pub lose_every: Option<u64>,
    /// Most entries; what comes later is left out (`RES-15`: no cap).
    pub cap: Option<usize>,
    /// A snapshot leaves the other registry alone (`RES-01`); otherwise it empties it.
    pub leave_other: bool,
    /// Lists come in registry order (`RPC-13`); otherwise sorted by name.
    pub registry_order: bool,
    /// Changes are told as an event (`RPC-05`).
    pub tell: Tell,
}

/// What a snapshot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snapshot {
    /// Replaces everything.
    Replace,
    /// Adds to what is there.
    Merge,
    /// Replaces, unless it is empty.
    IgnoreEmpty,
    /// Replaces once; later ones are ignored.
    FirstOnly,
}

/// What a resume does to the kept entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterResume {
    /// They stand until the app's snapshot replaces them.
    Keep,
    /// They are gone at once.
    Clear,
    /// The app's first snapshot is added to them.
    MergeNext,
    /// They stand, and the app's first snapshot is ignored.
    IgnoreNext,
}

/// What an upsert of a known name does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upsert {
    /// Replaces the entry in its place.
    Replace,
    /// Replaces the entry and moves it to the end.
    MoveToEnd,
    /// Leaves the old entry.
    KeepOld,
}

/// How changes are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tell {
    /// One event per change, with the new count.
    Changes,
    /// Not at all.
    Never,
    /// Also when nothing changed.
    Always,
    /// With the count before the change.
    OldCount,
    /// As a change of both registries.
    Both,
}

impl Default for RegistryRules {
    fn default() -> Self {
        Self {
            snapshot: Snapshot::Replace,
            after_resume: AfterResume::Keep,
            upsert: Upsert::Replace,
            remove: true,
            remove_unknown: true,
            removal_is_change: true,
            emptying_is_change: true,
            lose_every: None,
            cap: None,
            leave_other: true,
            registry_order: true,
            tell: Tell::Changes,
        }
    }
}

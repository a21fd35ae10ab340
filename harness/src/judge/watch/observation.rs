//! What a watcher found.

/// What a watcher saw.
pub(super) enum Observation {
    /// Nothing it could judge.
    Nothing,
    /// Something, with all that was wrong with it.
    Seen(Vec<Breach>),
}

/// One thing that is wrong, and the records that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Breach {
    /// In words.
    pub(super) why: String,
    /// Their sequence numbers.
    pub(super) records: Vec<u64>,
}

impl Breach {
    /// A breach that these records show.
    pub(super) fn new(why: impl Into<String>, records: impl Into<Vec<u64>>) -> Self {
        Self { why: why.into(), records: records.into() }
    }
}

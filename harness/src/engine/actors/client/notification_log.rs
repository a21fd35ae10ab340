//! Which notifications steps have used, and which a fence has made.

use std::collections::BTreeSet;

/// Places in the order of what arrived, and what is known of them.
#[derive(Clone, Debug, Default)]
pub(super) struct NotificationLog {
    looked: u64,
    taken: BTreeSet<u64>,
    ours: BTreeSet<u64>,
}

impl NotificationLog {
    /// A step has used what stands before this place.
    pub(super) fn take(&mut self, place: u64) {
        self.taken.insert(place);
        self.looked = self.looked.max(place);
    }

    /// A fence made what stands before this place.
    pub(super) fn claim(&mut self, place: u64) {
        self.ours.insert(place);
    }

    /// Everything before this place has been looked at.
    pub(super) fn look_up_to(&mut self, place: u64) {
        self.looked = self.looked.max(place);
    }

    /// What has been looked at.
    pub(super) fn looked(&self) -> u64 {
        self.looked
    }

    /// What steps have used.
    pub(super) fn taken(&self) -> BTreeSet<u64> {
        self.taken.clone()
    }

    /// Whether it belongs to the scenario: no fence made it.
    pub(super) fn is_from_scenario(&self, place: u64) -> bool {
        !self.ours.contains(&place)
    }

    /// Whether it belongs to the scenario and no step has used it.
    pub(super) fn is_fresh(&self, place: u64) -> bool {
        self.is_from_scenario(place) && !self.taken.contains(&place)
    }
}

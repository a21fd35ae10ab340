//! When the rest of a table is left alone.

use std::collections::BTreeSet;
use std::time::Duration;

/// A case that takes longer has waited for something that did not come.
const IN_VAIN: Duration = Duration::from_secs(1);

/// Cases in a row that waited in vain and showed nothing new.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    shown: BTreeSet<String>,
    count: usize,
}

impl Repeats {
    /// Takes in a case by the labels that failed in it and its time.
    pub(super) fn count(&mut self, failing: Vec<String>, took: Duration) -> usize {
        let known = self.shown.len();
        self.shown.extend(failing);
        self.count = if self.shown.len() == known && took >= IN_VAIN { self.count + 1 } else { 0 };
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cases_in_a_row_that_wait_and_show_nothing_new_are_repeats() {
        let (quick, slow) = (IN_VAIN / 2, IN_VAIN * 2);
        let label = |label: &str| vec![label.to_owned()];
        let mut repeats = Repeats::default();
        assert_eq!(repeats.count(label("a"), slow), 0, "a breach that was not known");
        assert_eq!(repeats.count(label("a"), slow), 1);
        assert_eq!(repeats.count(Vec::new(), slow), 2, "nothing could be verified");
        assert_eq!(repeats.count(label("b"), slow), 0);
        assert_eq!(repeats.count(label("b"), slow), 1);
        assert_eq!(repeats.count(label("b"), quick), 0, "it did not wait");
    }
}

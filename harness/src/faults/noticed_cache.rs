//! Where each fault was noticed the last time, so that the next measurement looks there first.
//!
//! The cache only orders the work. A fault is noticed by what fails today, wherever that is.

use super::noticed::Noticed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What is remembered of all faults.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NoticedCache {
    /// By fault id.
    pub faults: BTreeMap<String, NoticedEntry>,
}

/// What is remembered of one fault.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NoticedEntry {
    /// Id of the scenario that noticed it.
    pub scenario: String,
    /// How long that scenario took, in milliseconds.
    pub ms: u64,
}

impl NoticedCache {
    /// What was remembered when this binary was built.
    ///
    /// # Errors
    /// A message, when the embedded file cannot be read: a defect of iolite.
    pub fn builtin() -> Result<&'static Self, &'static str> {
        static BUILTIN: LazyLock<Result<NoticedCache, String>> = LazyLock::new(|| {
            toml::from_str(include_str!("../../../fixtures/faults/noticed.toml")).map_err(|error| error.to_string())
        });
        BUILTIN.as_ref().map_err(String::as_str)
    }

    /// Learns from a measurement: each fault that was noticed, with the scenario that did so soonest. What is known of other
    /// faults stays.
    pub fn learn(&mut self, measured: &[Noticed]) {
        let noticed = measured.iter().filter_map(|noticed| {
            let remembered = NoticedEntry { scenario: noticed.noticed_in.clone()?, ms: noticed.noticed_ms };
            Some((noticed.fault.to_owned(), remembered))
        });
        self.faults.extend(noticed);
    }

    /// The file that [`NoticedCache::builtin`] reads.
    pub fn to_toml(&self) -> String {
        let head = "# Where each fault was noticed when this file was written, and how long that scenario took. It only says \
                    where to\n# look first. `iolite faults --remember fixtures/faults/noticed.toml` writes it anew.\n\n[faults]\n";
        let lines = self.faults.iter().map(|(fault, remembered)| {
            format!("{fault} = {{ scenario = \"{}\", ms = {} }}\n", remembered.scenario, remembered.ms)
        });
        head.to_owned() + &lines.collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_memory_reads_and_is_written_as_it_was() {
        let cache = NoticedCache::builtin().unwrap();
        assert_eq!(toml::from_str::<NoticedCache>(&cache.to_toml()).unwrap(), *cache);
    }

    #[test]
    fn what_is_known_of_other_faults_and_of_survivors_stays() {
        let remembered = |scenario: &str, ms| NoticedEntry { scenario: scenario.into(), ms };
        let known = [("a", "x/old"), ("b", "x/other"), ("c", "x/kept")];
        let mut cache = NoticedCache {
            faults: known.into_iter().map(|(fault, scenario)| (fault.to_owned(), remembered(scenario, 9))).collect(),
        };
        let noticed = |fault, noticed_in: Option<&str>| Noticed {
            fault,
            title: "",
            promise: "",
            also: Vec::new(),
            by: Vec::new(),
            strays: Vec::new(),
            failed: BTreeMap::new(),
            not_started: None,
            unverified: None,
            scenarios: 1,
            noticed_in: noticed_in.map(str::to_owned),
            noticed_ms: 5,
        };
        cache.learn(&[noticed("a", Some("x/new")), noticed("c", None)]);
        let faults: Vec<_> = cache.faults.into_iter().collect();
        let expected = [("a", "x/new", 5), ("b", "x/other", 9), ("c", "x/kept", 9)];
        assert_eq!(faults, expected.map(|(fault, scenario, ms)| (fault.to_owned(), remembered(scenario, ms))));
    }
}

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// How many promises each group of the contract has.
const GROUPS: [(&str, u32); 11] = [
    ("LNK", 7),
    ("CON", 19),
    ("SES", 19),
    ("TOL", 19),
    ("RES", 15),
    ("RPC", 16),
    ("MCP", 38),
    ("FBK", 8),
    ("POL", 4),
    ("AUD", 4),
    ("CLI", 5),
];

fn exists(promise: &str) -> bool {
    let mut parts = promise.split('-');
    let (Some("BRG"), Some(group), Some(number), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    number.len() == 2
        && number
            .parse()
            .is_ok_and(|number: u32| GROUPS.iter().any(|(name, last)| *name == group && (1..=*last).contains(&number)))
}

#[test]
fn fault_ids_are_unique_and_say_their_group() {
    let mut seen = BTreeSet::new();
    for fault in all() {
        assert!(seen.insert(fault.id), "{} is there twice", fault.id);
        let (group, rest) = fault.id.split_once('-').unwrap();
        assert!(GROUPS.iter().any(|(name, _)| name.to_lowercase() == group), "{}", fault.id);
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(!rest.is_empty() && rest.chars().all(kebab), "{}", fault.id);
        assert!(!fault.title.is_empty() && !fault.title.ends_with('.'), "{}", fault.id);
    }
    assert!(seen.len() >= 120, "{}", seen.len());
}

#[test]
fn faults_name_promises_that_exist() {
    for fault in all() {
        assert!(!fault.promises.is_empty(), "{}", fault.id);
        let distinct: BTreeSet<_> = fault.promises.iter().collect();
        assert_eq!(distinct.len(), fault.promises.len(), "{}", fault.id);
        assert_ne!(fault.promises[0], EVERYTHING, "{}", fault.id);
        for promise in fault.promises.iter().filter(|promise| **promise != EVERYTHING) {
            assert!(exists(promise), "{}: {promise}", fault.id);
        }
    }
}

#[test]
fn every_fault_bends_the_table_in_its_own_way() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for fault in all() {
        let rules = bent(fault.id).unwrap();
        assert_ne!(rules, Rules::default(), "{} changes nothing", fault.id);
        if let Some(other) = seen.insert(format!("{rules:?}"), fault.id) {
            panic!("{} and {other} are the same fault", fault.id);
        }
    }
}

#[test]
fn every_promise_of_a_daemon_has_a_fault_that_breaks_it() {
    // Our own decoder keeps the first; the next speak of several clients at once. Of two equals a daemon may take the last, and
    // it may accept a subscription to what is not there, so that only faults that break something else first break the rest.
    let without = ["BRG-LNK-05", "BRG-MCP-19", "BRG-MCP-22", "BRG-CON-13", "BRG-TOL-05", "BRG-MCP-17"];
    let broken: BTreeSet<_> = all().iter().map(|fault| fault.promises[0]).collect();
    let promises =
        GROUPS.iter().flat_map(|(group, last)| (1..=*last).map(move |number| format!("BRG-{group}-{number:02}")));
    let missing: Vec<String> = promises
        .filter(|promise| !broken.contains(promise.as_str()))
        .filter(|promise| !without.contains(&promise.as_str()))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn an_unknown_fault_is_none() {
    assert_eq!(bent("con-does-not-exist"), None);
}

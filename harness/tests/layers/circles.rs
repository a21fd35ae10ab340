//! Circles in a graph of names.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// One shortest circle for every group of names that can reach each other, in the order of the names.
pub fn find(arrows: &[(&str, &str)]) -> Vec<Vec<String>> {
    let mut after: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in arrows {
        after.entry(from).or_default().insert(to);
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut circles = Vec::new();
    for start in after.keys().copied() {
        if seen.contains(start) {
            continue;
        }
        let Some(circle) = back_to(start, &after) else { continue };
        let reached = reach(start, &after);
        seen.extend(reached.into_iter().filter(|name| reach(name, &after).contains(start)));
        circles.push(circle.into_iter().map(str::to_owned).collect());
    }
    circles
}

/// The shortest way from a name back to it.
fn back_to<'a>(start: &'a str, after: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Option<Vec<&'a str>> {
    let mut ways = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in after.get(way[way.len() - 1]).into_iter().flatten() {
            if *next == start {
                return Some(way);
            }
            if seen.insert(*next) {
                let mut longer = way.clone();
                longer.push(next);
                ways.push_back(longer);
            }
        }
    }
    None
}

fn reach<'a>(start: &'a str, after: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(name) = open.pop() {
        for next in after.get(name).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

//! Which name an app's tool is shown under (`BRG-MCP-02`, `-04`, `-05`, `-28`).

use crate::rules::{McpListRules, ToolPrefix};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A tool as its app knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToolSource<'a> {
    /// The session's alias.
    pub alias: &'a str,
    /// The app's name for the tool.
    pub name: &'a str,
}

/// Gives every tool a name of its own, in the order given; `None` for one that stays hidden, which the contract never
/// asks for. `sessions` is the number of live sessions, with tools or without.
///
/// One session's tools keep their names; with several they become `alias__name`. What that leaves ambiguous, too long
/// or spelled with characters MCP clients choke on is cut and ends in a digest of alias and name, so it depends on
/// nothing else and is the same tomorrow.
pub fn exposed_names(
    tools: &[ToolSource<'_>],
    sessions: usize,
    built_ins: &BTreeSet<String>,
    rules: &McpListRules,
) -> Vec<Option<String>> {
    let prefixed = match rules.tool_prefix {
        ToolPrefix::WhenSeveral => sessions > 1,
        ToolPrefix::Always => true,
        ToolPrefix::Never => false,
    };
    let wanted: Vec<String> = tools
        .iter()
        .map(|tool| {
            let shadows = rules.protect_built_ins && built_ins.contains(tool.name);
            match prefixed || shadows {
                true => format!("{}__{}", tool.alias, tool.name),
                false => tool.name.to_owned(),
            }
        })
        .collect();
    if rules.tool_prefix == ToolPrefix::Never {
        let mut seen = BTreeSet::new();
        return wanted.into_iter().map(|name| seen.insert(name.clone()).then_some(name)).collect();
    }
    let mut counts = BTreeMap::new();
    for name in &wanted {
        *counts.entry(name.as_str()).or_insert(0_usize) += 1;
    }
    let fits = |name: &str| {
        name.len() <= rules.tool_name_max
            && !name.is_empty()
            && name.bytes().all(is_name_byte)
            && counts.get(name) == Some(&1)
            && !(rules.protect_built_ins && built_ins.contains(name))
    };
    let mut taken: BTreeSet<String> = wanted.iter().filter(|name| fits(name)).cloned().collect();
    tools
        .iter()
        .zip(&wanted)
        .map(|(tool, name)| {
            if fits(name) {
                return Some(name.clone());
            }
            let cut = name.len() > rules.tool_name_max;
            if !rules.disambiguate || (cut && !rules.cut_names_distinct) {
                return Some(legible(name, rules.tool_name_max));
            }
            if cut && !rules.cut_names_all_listed {
                let short = legible(name, rules.tool_name_max);
                return taken.insert(short.clone()).then_some(short);
            }
            let free = (0_u32..)
                .map(|attempt| with_digest(name, *tool, attempt, rules.tool_name_max))
                .find(|candidate| !taken.contains(candidate) && !built_ins.contains(candidate));
            taken.extend(free.clone());
            free
        })
        .collect()
}

fn with_digest(name: &str, tool: ToolSource<'_>, attempt: u32, max: usize) -> String {
    let mut digest = Sha256::new();
    digest.update(tool.alias);
    digest.update([0]);
    digest.update(tool.name);
    digest.update(attempt.to_be_bytes());
    let digest = digest.finalize();
    let tail: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let head = legible(name, max.saturating_sub(tail.len() + 1));
    format!("{head}_{tail}")
}

/// The first `max` characters, those that are not allowed in a name replaced.
fn legible(name: &str, max: usize) -> String {
    name.chars()
        .take(max)
        .map(|char| match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => char,
            _ => '_',
        })
        .collect()
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(tools: &[(&str, &str)], sessions: usize) -> Vec<String> {
        named(tools, sessions, &McpListRules::default())
    }

    fn named(tools: &[(&str, &str)], sessions: usize, rules: &McpListRules) -> Vec<String> {
        let tools: Vec<_> = tools.iter().map(|&(alias, name)| ToolSource { alias, name }).collect();
        exposed_names(&tools, sessions, &built_ins(), rules).into_iter().flatten().collect()
    }

    fn built_ins() -> BTreeSet<String> {
        ["b_connect", "b_read"].map(str::to_owned).into()
    }

    #[test]
    fn one_session_keeps_its_names_and_several_carry_the_alias() {
        assert_eq!(names(&[("a", "x"), ("a", "y__z")], 1), ["x", "y__z"]);
        assert_eq!(names(&[("a", "x"), ("b", "x")], 2), ["a__x", "b__x"]);
        assert_eq!(names(&[("a", "x")], 2), ["a__x"]);
    }

    #[test]
    fn a_built_in_is_not_shadowed_and_the_tool_stays() {
        assert_eq!(names(&[("a", "b_read")], 1), ["a__b_read"]);
        let both = names(&[("a", "b_read"), ("a", "a__b_read")], 1);
        assert_eq!(both.iter().collect::<BTreeSet<_>>().len(), 2);
        let rules = McpListRules { protect_built_ins: false, ..McpListRules::default() };
        assert_eq!(named(&[("a", "b_read")], 1, &rules), ["b_read"]);
    }

    #[test]
    fn separators_inside_names_do_not_merge_them() {
        let both = names(&[("a__b", "c"), ("a", "b__c")], 2);
        assert_ne!(both[0], both[1]);
    }

    #[test]
    fn long_names_are_cut_and_stay_distinct() {
        let alias = "a".repeat(128);
        let (first, second) = (format!("{}1", "x".repeat(63)), format!("{}2", "x".repeat(63)));
        let cut = names(&[(&alias, &first), (&alias, &second)], 2);
        assert!(cut.iter().all(|name| name.len() == 64));
        assert_ne!(cut[0], cut[1]);
        let rules = McpListRules { cut_names_distinct: false, ..McpListRules::default() };
        let same = named(&[(&alias, &first), (&alias, &second)], 2, &rules);
        assert_eq!(same[0], same[1]);
    }

    #[test]
    fn a_name_does_not_depend_on_its_neighbours_order() {
        let one = names(&[("a__b", "c"), ("a", "b__c")], 2);
        let other = names(&[("a", "b__c"), ("a__b", "c")], 2);
        assert_eq!(one[0], other[1]);
        assert_eq!(one[1], other[0]);
    }

    proptest! {
        #[test]
        fn names_are_short_legible_and_distinct(
            tools in prop::collection::btree_set(("[a_\\-é ]{1,80}", "[ab_\\-]{1,64}"), 0..12),
            sessions in 1_usize..4,
        ) {
            let tools: Vec<_> = tools.iter().map(|(alias, name)| (alias.as_str(), name.as_str())).collect();
            let tools = match sessions {
                1 => tools.into_iter().map(|(_, name)| ("a", name)).collect::<BTreeSet<_>>().into_iter().collect(),
                _ => tools,
            };
            let names = names(&tools, sessions);
            prop_assert_eq!(names.len(), tools.len());
            prop_assert!(names.iter().all(|name| name.len() <= 64 && name.bytes().all(is_name_byte)));
            prop_assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), tools.len());
        }
    }
}

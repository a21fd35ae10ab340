//! From a device model to the readable name of a session (`BRG-SES-05`).

use crate::rules::ClaimRules;

/// The alias of a device model, before anybody asked whether it is taken. At most `max` characters: the contract
/// bounds what the ack may carry (`BRG-CON-18`), so a longer one is cut.
pub(super) fn base(model: Option<&str>, max: usize, rules: &ClaimRules) -> String {
    let model = model.unwrap_or_default();
    let model = match rules.alias_lower_case {
        true => model.to_lowercase(),
        false => model.to_owned(),
    };
    let mut alias = String::new();
    let mut in_run = false;
    for character in model.chars() {
        let kept = character.is_ascii_lowercase() || character.is_ascii_digit();
        if kept {
            alias.push(character);
        } else if !in_run || !rules.alias_collapse {
            alias.push(rules.alias_separator);
        }
        in_run = !kept;
    }
    let alias = cut(&trimmed(&alias, rules), max, rules);
    match alias.is_empty() {
        true => rules.alias_empty.to_owned(),
        false => alias,
    }
}

/// The alias with a number behind it, still at most `max` characters.
pub(super) fn numbered(base: &str, number: u64, max: usize, rules: &ClaimRules) -> String {
    let suffix = format!("{}{number}", rules.alias_separator);
    let stem = cut(base, max.saturating_sub(suffix.len()), rules);
    format!("{stem}{suffix}")
}

fn cut(alias: &str, max: usize, rules: &ClaimRules) -> String {
    match alias.char_indices().nth(max) {
        Some((end, _)) => trimmed(&alias[..end], rules),
        None => alias.to_owned(),
    }
}

fn trimmed(alias: &str, rules: &ClaimRules) -> String {
    match rules.alias_trim {
        true => alias.trim_matches(rules.alias_separator).to_owned(),
        false => alias.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(model: &str) -> String {
        base(Some(model), 128, &ClaimRules::default())
    }

    /// BRG-SES-05
    #[test]
    fn models_become_aliases() {
        for (model, alias) in [
            ("Pixel 8", "pixel-8"),
            ("iPhone 16 Pro (Max)", "iphone-16-pro-max"),
            ("  --A__b--  ", "a-b"),
            ("Ünïcode", "n-code"),
            ("日本", "device"),
            ("", "device"),
            ("---", "device"),
            ("7", "7"),
        ] {
            assert_eq!(of(model), alias, "{model:?}");
        }
        assert_eq!(base(None, 128, &ClaimRules::default()), "device");
    }

    /// BRG-CON-18
    #[test]
    fn aliases_are_cut_at_the_limit() {
        let rules = ClaimRules::default();
        assert_eq!(of(&"a".repeat(256)).len(), 128);
        // The cut leaves no separator behind.
        assert_eq!(of(&format!("{} b", "a".repeat(127))), "a".repeat(127));
        let numbered = numbered(&"a".repeat(128), 17, 128, &rules);
        assert_eq!(numbered, format!("{}-17", "a".repeat(125)));
    }

    #[test]
    fn bent_rules_make_other_aliases() {
        let untrimmed = ClaimRules { alias_trim: false, ..ClaimRules::default() };
        assert_eq!(base(Some("(A)"), 128, &untrimmed), "-a-");
        let runs = ClaimRules { alias_collapse: false, ..ClaimRules::default() };
        assert_eq!(base(Some("a  b"), 128, &runs), "a--b");
        let capitals = ClaimRules { alias_lower_case: false, ..ClaimRules::default() };
        assert_eq!(base(Some("Pixel 8"), 128, &capitals), "ixel-8");
    }
}

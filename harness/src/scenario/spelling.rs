//! The nearest right spelling, for "did you mean".

/// The candidate most like `wrong`, if any is like enough to be what was meant.
pub fn nearest<'a, I>(wrong: &str, candidates: I) -> Option<&'a str>
where
    I: IntoIterator<Item = &'a str>,
{
    let folded = fold(wrong);
    let mut best = None;
    for candidate in candidates {
        let score = score(&folded, &fold(candidate));
        if score >= LIKE_ENOUGH && best.is_none_or(|(top, _)| score > top) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Case and the usual separators do not count as differences.
fn fold(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '-' | ' ' | '.') { '_' } else { c.to_ascii_lowercase() }).collect()
}

fn score(wrong: &str, candidate: &str) -> f64 {
    // A word cut short or continued ("notification" for "expect_notification") is a likely slip too.
    let contained =
        wrong.len() >= 4 && candidate.len() >= 4 && (candidate.contains(wrong) || wrong.contains(candidate));
    let likeness = strsim::normalized_damerau_levenshtein(wrong, candidate);
    if contained { likeness.max(LIKE_ENOUGH) } else { likeness }
}

const LIKE_ENOUGH: f64 = 0.55;

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_word_and_nonsense_finds_none() {
        let words = ["expect_close", "expect_closed", "connect", "resume"];
        assert_eq!(nearest("conect", words), Some("connect"));
        assert_eq!(nearest("expectClose", words), Some("expect_close"));
        assert_eq!(nearest("Expect-Close", words), Some("expect_close"));
        assert_eq!(nearest("close", words), Some("expect_close"));
        assert_eq!(nearest("xyzzy", words), None);
        assert_eq!(nearest("", words), None);
    }
}

//! Names made for machines.

/// Lower-case letters and digits, everything else as single hyphens: `no uri` and `No URI!` both become `no-uri`.
///
/// Labels and case names become parts of check ids this way; two that fall together are refused by the loader.
pub fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_alphanumeric() {
            slug.extend(character.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slugs_keep_letters_and_digits() {
        assert_eq!(slug("The dropped one is gone, the kept one stands"), "the-dropped-one-is-gone-the-kept-one-stands");
        assert_eq!(slug("--No URI!--"), "no-uri");
        assert_eq!(slug("…"), "");
    }
}

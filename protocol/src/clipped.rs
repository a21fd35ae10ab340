//! Texts of a peer, short enough to be quoted.

/// What was found, short enough for a sentence: a peer may send a quarter of a megabyte where a word was asked for.
pub(crate) fn clipped(found: &str) -> String {
    match found.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", found.get(..end).unwrap_or_default()),
        None => found.to_owned(),
    }
}

//! Lists in pages, where an operator wants them so (`BRG-MCP-35`).

use super::protocol_error::ProtocolError;
use super::request::{INTERNAL_ERROR, INVALID_PARAMS};
use crate::rules::{BadCursor, PagingRules};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// One page of a list, as the result of the request: all of it where it comes in one.
///
/// A cursor holds how many entries came before, and a digest of that, of the list and of what it is `of`. So an altered
/// cursor, one of another list and one of a list that has changed since are known for what they are, and a walk either
/// meets every entry once or is told to start again.
///
/// # Errors
///
/// The cursor is none of this list's.
pub fn page(
    list: &str,
    of: &str,
    entries: Vec<Value>,
    cursor: Option<&str>,
    size: Option<usize>,
    rules: &PagingRules,
) -> Result<Value, ProtocolError> {
    let Some(size) = size else {
        return match cursor {
            Some(_) => bad_cursor(list, rules),
            None => Ok(json!({ list: entries })),
        };
    };
    let digest = |offset: usize| {
        let mut hasher = Sha256::new();
        hasher.update(format!("{list}\n{of}\n{offset}\n"));
        for entry in &entries {
            hasher.update(entry.to_string());
        }
        hasher.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let spelled = |offset: usize| match rules.sealed {
        true => format!("{offset}.{}", digest(offset)),
        false => offset.to_string(),
    };
    let start = match cursor {
        None => 0,
        Some(cursor) => {
            let offset = cursor.split('.').next().and_then(|offset| offset.parse::<usize>().ok());
            match offset.filter(|offset| *offset > 0 && spelled(*offset) == cursor) {
                Some(offset) => offset,
                None => return bad_cursor(list, rules),
            }
        }
    };
    let begin = start.saturating_add_signed(if start > 0 { rules.shift } else { 0 }).min(entries.len());
    let end = start.saturating_add(size).min(entries.len());
    let mut names = BTreeSet::new();
    let mut shown: Vec<Value> = entries.get(begin..end.max(begin)).unwrap_or_default().to_vec();
    if !rules.equal_names {
        let before = entries.iter().take(begin).map(|entry| entry["name"].to_string());
        names.extend(before);
        shown.retain(|entry| names.insert(entry["name"].to_string()));
    }
    let mut page = json!({ list: shown });
    let is_last = end >= entries.len() || (!rules.last_page && end + size >= entries.len());
    if !is_last || !rules.ends {
        page["nextCursor"] = spelled(end).into();
    }
    Ok(page)
}

fn bad_cursor(list: &str, rules: &PagingRules) -> Result<Value, ProtocolError> {
    let error = |code: i32| {
        Err(ProtocolError { code, message: "cursor: it is none of this list's, start again".to_owned(), data: None })
    };
    match rules.bad_cursor {
        BadCursor::Refused => error(INVALID_PARAMS),
        BadCursor::InternalError => error(INTERNAL_ERROR),
        BadCursor::EmptyPage => Ok(json!({ list: [] })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(size: usize, rules: &PagingRules) -> Vec<Value> {
        let entries: Vec<Value> = (0..10).map(|number| json!({ "name": number })).collect();
        let mut all = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..20 {
            let page = page("tools", "", entries.clone(), cursor.as_deref(), Some(size), rules).unwrap();
            all.extend(page["tools"].as_array().unwrap().iter().map(|entry| entry["name"].clone()));
            match page["nextCursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        all
    }

    /// BRG-MCP-35
    #[test]
    fn a_walk_meets_every_entry_once() {
        let expected: Vec<Value> = (0..10).map(Value::from).collect();
        for size in 1..12 {
            assert_eq!(walk(size, &PagingRules::default()), expected, "{size}");
        }
    }

    /// BRG-MCP-35
    #[test]
    fn cursors_are_known_for_what_they_are() {
        let rules = PagingRules::default();
        let entries = vec![json!({"name": "a"}), json!({"name": "b"}), json!({"name": "c"})];
        let get = |list: &str, entries: &[Value], cursor: &str| {
            page(list, "s", entries.to_vec(), Some(cursor), Some(2), &rules).map_err(|error| error.code)
        };
        let first = page("tools", "s", entries.clone(), None, Some(2), &rules).unwrap();
        let next = first["nextCursor"].as_str().unwrap();
        assert_eq!(get("tools", &entries, next), Ok(json!({"tools": [{"name": "c"}]})));
        for bad in ["", "2", "0", &format!("{next}0"), &next.replace('2', "1")] {
            assert_eq!(get("tools", &entries, bad), Err(-32602), "{bad}");
        }
        assert_eq!(get("resources", &entries, next), Err(-32602));
        assert_eq!(get("tools", &entries[1..], next), Err(-32602));
    }
}

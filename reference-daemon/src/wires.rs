//! What a wrong reader does to lines. The contract's table asks for none of it (`BRG-MCP-34`).

use crate::rules::{LineEnd, TextChange};
use serde_json::Value;

/// The lines that a line is taken for, and what becomes of their letters; `None` by the contract: it is what it is.
pub(crate) fn pieces(line: &[u8], ends: LineEnd, chunks: Option<usize>) -> Option<Vec<Vec<u8>>> {
    if ends == LineEnd::LineFeed && chunks.is_none() {
        return None;
    }
    let text: String = match chunks {
        Some(size) => line.chunks(size.max(1)).map(String::from_utf8_lossy).collect(),
        None => String::from_utf8_lossy(line).into_owned(),
    };
    let is_end = |letter: char| match ends {
        LineEnd::LineFeed => false,
        LineEnd::AnySeparator => ['\u{85}', '\u{2028}', '\u{2029}'].contains(&letter),
        LineEnd::CarriageReturn => letter == '\r',
    };
    let whole = text.trim_end_matches('\r');
    Some(whole.split(is_end).filter(|piece| !piece.is_empty()).map(|piece| piece.as_bytes().to_vec()).collect())
}

/// A value with its texts changed; the value itself by the contract.
pub(crate) fn texts(value: Value, change: TextChange) -> Value {
    match value {
        value if change == TextChange::None => value,
        Value::String(text) => changed(&text, change).into(),
        Value::Array(items) => items.into_iter().map(|item| texts(item, change)).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(key, value)| (key, texts(value, change))).collect())
        }
        other => other,
    }
}

fn changed(text: &str, change: TextChange) -> String {
    match change {
        TextChange::None => text.to_owned(),
        TextChange::SeparatorsToBlanks => text.replace(['\u{85}', '\u{2028}', '\u{2029}'], " "),
        TextChange::NewlinesToLineFeeds => text.replace("\r\n", "\n").replace('\r', "\n"),
        TextChange::CutAt(most) => {
            let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.get(..end).unwrap_or_default().to_owned()
        }
        TextChange::WithoutMark => text.replace('\u{feff}', ""),
        TextChange::BasicPlane => {
            text.chars().map(|letter| if u32::from(letter) > 0xffff { '\u{fffd}' } else { letter }).collect()
        }
        TextChange::WithoutControls => {
            text.chars().filter(|letter| !letter.is_control() || ['\n', '\r', '\t'].contains(letter)).collect()
        }
    }
}

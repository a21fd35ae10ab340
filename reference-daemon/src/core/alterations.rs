//! What a wrong daemon does to values that should pass unchanged. The contract's table asks for none of it.

use crate::rules::{Alteration, ContentAlteration};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use iolite_protocol::descriptor::{ContentBody, ContentItem};
use serde_json::{Map, Number, Value};

/// A value after an alteration; the value itself by the contract (`BRG-TOL-07`).
pub(super) fn value(value: Value, alteration: Alteration) -> Value {
    match alteration {
        Alteration::None => value,
        other => altered(value, other, 0),
    }
}

fn altered(value: Value, alteration: Alteration, depth: usize) -> Value {
    match value {
        Value::Array(_) | Value::Object(_) if alteration == Alteration::CutDeep && depth >= DEEP => Value::Null,
        Value::Array(items) => items.into_iter().map(|item| altered(item, alteration, depth + 1)).collect(),
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !is_dropped(member, alteration))
            .map(|(key, member)| (key, altered(member, alteration, depth + 1)))
            .collect::<Map<_, _>>()
            .into(),
        Value::String(text) => match alteration {
            Alteration::TrimText => text.trim().into(),
            Alteration::CutLong => cut(&text, CHUNK).into(),
            Alteration::CutVeryLong => cut(&text, 100 * 1_024).into(),
            Alteration::SplitLong => split(&text).into(),
            Alteration::LineSeparators => text.replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n").into(),
            Alteration::AsciiOnly => {
                text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect::<String>().into()
            }
            _ => text.into(),
        },
        Value::Number(number) if alteration == Alteration::RoundNumbers => rounded(&number),
        other => other,
    }
}

fn is_dropped(member: &Value, alteration: Alteration) -> bool {
    match (alteration, member) {
        (Alteration::DropNulls, Value::Null) => true,
        (Alteration::DropEmpty, Value::Array(items)) => items.is_empty(),
        (Alteration::DropEmpty, Value::Object(members)) => members.is_empty(),
        (Alteration::DropEmpty, Value::String(text)) => text.is_empty(),
        _ => false,
    }
}

/// The number as a reader with 32-bit floats would pass it on.
fn rounded(number: &Number) -> Value {
    let exact = number.as_f64().unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, reason = "losing digits is the point of this alteration")]
    let rounded = f64::from(exact as f32);
    if rounded.fract() == 0.0 && rounded.abs() < 1e18 {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 10^18 fits")]
        return (rounded as i64).into();
    }
    Number::from_f64(rounded).map_or(Value::Null, Value::Number)
}

/// Contents after an alteration; the contents themselves by the contract (`BRG-RES-07`).
pub(super) fn contents(
    items: &[ContentItem],
    alteration: ContentAlteration,
    descriptor_mime_type: Option<&str>,
) -> Vec<Value> {
    let mut values: Vec<Value> = items
        .iter()
        .filter(|item| !(alteration == ContentAlteration::DropEmptyText && is_empty_text(item)))
        .map(|item| content(item, alteration, descriptor_mime_type))
        .collect();
    match alteration {
        ContentAlteration::FirstOnly => values.truncate(1),
        ContentAlteration::Reverse => values.reverse(),
        _ => (),
    }
    values
}

fn is_empty_text(item: &ContentItem) -> bool {
    matches!(item.body(), ContentBody::Text(text) if text.is_empty())
}

fn content(item: &ContentItem, alteration: ContentAlteration, mime_type: Option<&str>) -> Value {
    let mut value = item.to_json();
    let Some(object) = value.as_object_mut() else {
        return value;
    };
    match (alteration, item.body()) {
        (ContentAlteration::TrimText, ContentBody::Text(text)) => {
            object.insert("text".into(), text.trim().into());
        }
        (ContentAlteration::StripNul, ContentBody::Text(text)) => {
            object.insert("text".into(), text.replace('\0', "").into());
        }
        (ContentAlteration::NormalizeNewlines, ContentBody::Text(text)) => {
            object.insert("text".into(), text.replace("\r\n", "\n").into());
        }
        (ContentAlteration::CutText, ContentBody::Text(text)) => {
            object.insert("text".into(), cut(text, CHUNK).into());
        }
        (ContentAlteration::SplitText, ContentBody::Text(text)) => {
            object.insert("text".into(), split(text).into());
        }
        (ContentAlteration::BlobUrlSafe, ContentBody::Blob(blob)) => {
            let bytes = STANDARD.decode(blob).unwrap_or_default();
            object.insert("blob".into(), URL_SAFE_NO_PAD.encode(bytes).into());
        }
        (ContentAlteration::BlobAsText, ContentBody::Blob(blob)) => {
            object.shift_remove("blob");
            object.insert("text".into(), blob.as_str().into());
        }
        (ContentAlteration::InventMimeType, _) => {
            if let (None, Some(mime_type)) = (item.mime_type(), mime_type) {
                object.insert("mime_type".into(), mime_type.into());
            }
        }
        (ContentAlteration::DropMimeType, _) => {
            object.shift_remove("mime_type");
        }
        (ContentAlteration::DropUri, _) => {
            object.shift_remove("uri");
        }
        _ => (),
    }
    value
}

/// The text without what lies behind so many bytes.
fn cut(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The text as it comes out of a reader that decodes one full buffer after the other.
fn split(text: &str) -> String {
    text.as_bytes().chunks(CHUNK).map(String::from_utf8_lossy).collect()
}

/// How long a buffer is that a wrong daemon reads into.
const CHUNK: usize = 65_536;

/// What lies deeper is cut by [`Alteration::CutDeep`].
const DEEP: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// BRG-TOL-07
    #[test]
    fn the_contract_alters_nothing() {
        let all = json!({"a": [null, 9_007_199_254_740_991_u64, "  é\u{0} ", {}, [], ""], "z": {"b": null}});
        assert_eq!(value(all.clone(), Alteration::None), all);
    }

    #[test]
    fn each_alteration_alters() {
        let all = json!({"n": null, "big": 9_007_199_254_740_991_u64, "t": " é ", "e": ""});
        assert_eq!(value(all.clone(), Alteration::DropNulls).get("n"), None);
        assert_ne!(value(all.clone(), Alteration::RoundNumbers)["big"], all["big"]);
        assert_eq!(value(all.clone(), Alteration::TrimText)["t"], "é");
        assert_eq!(value(all.clone(), Alteration::AsciiOnly)["t"], " ? ");
        assert_eq!(value(all, Alteration::DropEmpty).get("e"), None);
        let deep = json!([[[[[[[[[1]]]]]]]]]);
        assert_ne!(value(deep.clone(), Alteration::CutDeep), deep);
        assert_eq!(value(json!([[1]]), Alteration::CutDeep), json!([[1]]));
        let long = json!(format!("x{}", "é\u{2028}".repeat(60_000)));
        for alteration in
            [Alteration::CutLong, Alteration::CutVeryLong, Alteration::SplitLong, Alteration::LineSeparators]
        {
            assert_ne!(value(long.clone(), alteration), long, "{alteration:?}");
        }
    }

    /// BRG-RES-07
    #[test]
    fn each_content_alteration_alters() {
        let items = [
            ContentItem::text(" a\0\r\n".repeat(20_000)),
            ContentItem::text(""),
            ContentItem::blob(&[251, 255]).with_uri("app://x").with_mime_type("a/b"),
        ];
        let plain = contents(&items, ContentAlteration::None, Some("text/plain"));
        assert_eq!(plain, items.iter().map(ContentItem::to_json).collect::<Vec<_>>());
        for alteration in [
            ContentAlteration::TrimText,
            ContentAlteration::DropEmptyText,
            ContentAlteration::StripNul,
            ContentAlteration::CutText,
            ContentAlteration::NormalizeNewlines,
            ContentAlteration::BlobUrlSafe,
            ContentAlteration::BlobAsText,
            ContentAlteration::FirstOnly,
            ContentAlteration::Reverse,
            ContentAlteration::InventMimeType,
            ContentAlteration::DropMimeType,
            ContentAlteration::DropUri,
        ] {
            assert_ne!(contents(&items, alteration, Some("text/plain")), plain, "{alteration:?}");
        }
    }
}

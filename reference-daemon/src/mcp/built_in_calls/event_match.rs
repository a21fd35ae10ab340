//! Which event a wait was for (`BRG-MCP-31`).

use crate::rules::{MemberMatch, NameMatch, OwnToolRules};
use serde_json::{Map, Value};

/// Whether an event is an app's, of that name, with at least these members in its payload.
pub(super) fn matches(event: &Value, name: &str, expected: Option<&Map<String, Value>>, rules: &OwnToolRules) -> bool {
    let data = &event["data"];
    let named = data["name"].as_str().is_some_and(|posted| same_name(posted, name, rules.name));
    named && expected.is_none_or(|expected| has_members(&data["payload"], expected, rules.members))
}

fn same_name(posted: &str, wanted: &str, rule: NameMatch) -> bool {
    match rule {
        NameMatch::Exact => posted == wanted,
        NameMatch::Prefix => posted.starts_with(wanted),
        NameMatch::Suffix => posted.ends_with(wanted),
        NameMatch::AnyCase => posted.eq_ignore_ascii_case(wanted),
        NameMatch::Any => true,
    }
}

fn has_members(payload: &Value, expected: &Map<String, Value>, rule: MemberMatch) -> bool {
    let has = |(key, wanted): (&String, &Value)| match (payload.get(key), rule) {
        (_, MemberMatch::Truthy) if is_falsy(wanted) => true,
        (None, _) => false,
        (Some(given), MemberMatch::AsText) => as_text(given) == as_text(wanted),
        (Some(given), MemberMatch::FlagsAreNumbers) => equal(&as_number(given), &as_number(wanted)),
        (Some(Value::Array(given)), MemberMatch::ListsByBeginning) => {
            let begins = |wanted: &Vec<Value>| {
                given.len() >= wanted.len() && given.iter().zip(wanted).all(|(given, wanted)| equal(given, wanted))
            };
            wanted.as_array().is_some_and(begins)
        }
        (Some(given), _) => equal(given, wanted),
    };
    match rule {
        MemberMatch::Ignored => true,
        MemberMatch::AnyOne => expected.is_empty() || expected.iter().any(has),
        MemberMatch::Whole => {
            payload.as_object().is_some_and(|members| members.len() == expected.len()) && expected.iter().all(has)
        }
        _ => expected.iter().all(has),
    }
}

/// Equal as JSON: numbers by their value.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one_number), Value::Number(other_number)) => {
            one == other || (one_number.is_f64() || other_number.is_f64()) && one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(_) | Value::Object(_) => false,
    }
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn as_number(value: &Value) -> Value {
    value.as_bool().map_or_else(|| value.clone(), |flag| u8::from(flag).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn matches(event: &Value, name: &str, expected: Value) -> bool {
        super::matches(event, name, expected.as_object(), &OwnToolRules::default())
    }

    /// BRG-MCP-31
    #[test]
    fn events_match_by_name_and_members_of_the_payload() {
        let event = json!({"data": {"name": "saved", "payload": {"id": 5, "ok": true}}});
        assert!(matches(&event, "saved", Value::Null));
        assert!(matches(&event, "saved", json!({"id": 5})));
        assert!(matches(&event, "saved", json!({"id": 5.0})));
        for other in [json!({"id": 6}), json!({"id": "5"}), json!({"gone": null}), json!({"ok": 1})] {
            assert!(!matches(&event, "saved", other.clone()), "{other}");
        }
        assert!(!matches(&event, "other", Value::Null));
        assert!(!matches(&event, "save", Value::Null));
        let bare = json!({"data": {"name": "saved"}});
        assert!(!matches(&bare, "saved", json!({"id": 5})));
    }

    #[test]
    fn members_are_equal_as_json_is() {
        assert!(equal(&json!([1, {"a": 2.0}]), &json!([1.0, {"a": 2}])));
        assert!(!equal(&json!([1]), &json!([1, 2])));
        assert!(!equal(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
    }
}

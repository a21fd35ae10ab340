//! Rows about the frames of apps in a session.

use super::bases::{self, Base};
use super::{Case, Edit, Reader, Rule, ascii, case, edited, length_rows, raw, set, text_rows};
use serde_json::{Value, json};

pub(super) fn cases() -> Vec<Case> {
    [text(), envelopes(), deltas(), answers()].into_iter().flatten().collect()
}

fn text() -> Vec<Case> {
    let event = bases::event().1;
    let nested = |levels: usize| {
        // The frame itself is the first level.
        let payload = format!("{}{}", "[".repeat(levels - 1), "]".repeat(levels - 1));
        edited(&event, "/payload", &set("DEEP")).replace("\"DEEP\"", &payload)
    };
    let sized = |bytes: usize| {
        let bare = edited(&event, "/payload", &set(""));
        edited(&event, "/payload", &ascii(bytes - bare.len()))
    };
    let with_payload = |payload: &str| edited(&event, "/payload", &set("X")).replace("\"X\"", payload);
    let good = event.to_string();
    vec![
        raw(Rule::FrameBytes, Reader::Session, "", sized(262_145), sized(262_144)),
        raw(Rule::JsonSyntax, Reader::Session, "", &good[1..], good.as_str()),
        raw(Rule::JsonSyntax, Reader::First, "", "hello", bases::claim().1.to_string()),
        raw(Rule::JsonSyntax, Reader::Session, "", format!("{good}{good}"), format!(" {good}\n")),
        raw(Rule::JsonDepth, Reader::Session, "", nested(129), nested(128)),
        raw(Rule::JsonNumber, Reader::Session, "", with_payload("1e999"), with_payload("1e99")),
        raw(Rule::LoneSurrogate, Reader::Session, "", with_payload(r#""\ud83d""#), with_payload(r#""\ud83d\ude00""#)),
        raw(
            Rule::DuplicateKey,
            Reader::Session,
            "",
            with_payload(r#"{"a":1,"a":1}"#),
            with_payload(r#"{"a":1,"A":1}"#),
        ),
        raw(Rule::JsonObject, Reader::First, "", "[]", bases::claim().1.to_string()),
        raw(Rule::JsonObject, Reader::Session, "", "null", good.as_str()),
        raw(Rule::UnknownKey, Reader::Session, "/x", edited(&event, "/x", &set(1)), good.as_str()),
    ]
}

fn envelopes() -> Vec<Case> {
    let base = bases::event;
    vec![
        case(Rule::MessageType, base(), "/type", set("Event"), set("event")),
        case(Rule::MessageType, base(), "/type", Edit::Drop, set("event")),
        case(Rule::MessageType, base(), "/type", set(Value::Null), set("event")),
        case(Rule::DaemonTypeFromApp, base(), "/type", set("resource_read"), set("event")),
        case(Rule::DaemonTypeFromApp, base(), "/type", set("session_ack"), set("event")),
        case(Rule::HandshakeTypeInSession, base(), "/type", set("session_claim"), set("event")),
        case(Rule::HandshakeTypeInSession, base(), "/type", set("session_resume"), set("event")),
        case(Rule::SessionIdPresent, base(), "/session_id", Edit::Drop, set("s1")),
        case(Rule::SessionIdMatch, base(), "/session_id", set("s2"), set("s1")),
        case(Rule::SessionIdMatch, base(), "/session_id", set(1), set("s1")),
    ]
}

fn deltas() -> Vec<Case> {
    let mut rows = vec![
        case(Rule::ToolsPresent, bases::tools(), "/tools", Edit::Drop, set(json!([]))),
        case(Rule::ToolsType, bases::tools(), "/tools", set(json!({ "0": bases::tool() })), set(json!([]))),
        case(Rule::ToolUpsertPresent, bases::tool_upsert(), "/tool", Edit::Drop, set(bases::tool())),
        case(Rule::ResourcesPresent, bases::resources(), "/resources", Edit::Drop, set(json!([]))),
        case(Rule::ResourcesType, bases::resources(), "/resources", set("none"), set(json!([]))),
        case(Rule::ResourceUpsertPresent, bases::resource_upsert(), "/resource", Edit::Drop, set(bases::resource())),
    ];
    let operations = [
        (
            bases::tool_remove as fn() -> Base,
            Rule::ToolOperationPresent,
            Rule::ToolOperationType,
            Rule::ToolOperationValue,
        ),
        (
            bases::resource_remove,
            Rule::ResourceOperationPresent,
            Rule::ResourceOperationType,
            Rule::ResourceOperationValue,
        ),
    ];
    for (base, present, kind, value) in operations {
        rows.extend(text_rows(base, "/operation", present, kind, "remove"));
        rows.push(case(value, base(), "/operation", set("Remove"), set("remove")));
        rows.push(case(value, base(), "/operation", set("delete"), set("remove")));
    }
    let names = [
        (
            bases::tool_remove as fn() -> Base,
            Rule::ToolRemoveNamePresent,
            Rule::ToolRemoveNameType,
            Rule::ToolRemoveNameLength,
        ),
        (
            bases::resource_remove,
            Rule::ResourceRemoveNamePresent,
            Rule::ResourceRemoveNameType,
            Rule::ResourceRemoveNameLength,
        ),
    ];
    for (base, present, kind, length) in names {
        rows.extend(text_rows(base, "/name", present, kind, "no such name: é"));
        rows.extend(length_rows(base, "/name", length, 1, 4_096));
    }
    rows
}

fn answers() -> Vec<Case> {
    let mut rows = vec![
        case(Rule::ToolResultPresent, bases::tool_result(), "/result", Edit::Drop, set(Value::Null)),
        case(Rule::ToolErrorPresent, bases::tool_error(), "/error", Edit::Drop, set(bases::error())),
        case(Rule::ResourceErrorPresent, bases::resource_error(), "/error", Edit::Drop, set(bases::error())),
        case(Rule::ProgressValueType, bases::progress(), "/progress", set("0.5"), Edit::Drop),
        case(Rule::ProgressMessageType, bases::progress(), "/message", set(5), Edit::Drop),
        case(Rule::EventTsPresent, bases::event(), "/ts", Edit::Drop, set(-1)),
        case(Rule::EventTsType, bases::event(), "/ts", set("2025-01-12T15:00:58Z"), set(0)),
        case(Rule::ContentsPresent, bases::resource_result(), "/contents", Edit::Drop, set(json!([]))),
        case(Rule::ContentsType, bases::resource_result(), "/contents", set(json!({ "text": "a" })), set(json!([]))),
    ];
    for (base, present, kind) in [
        (bases::tool_result as fn() -> Base, Rule::ToolResultIdPresent, Rule::ToolResultIdType),
        (bases::tool_error, Rule::ToolErrorIdPresent, Rule::ToolErrorIdType),
        (bases::progress, Rule::ProgressIdPresent, Rule::ProgressIdType),
        (bases::resource_result, Rule::ResourceResultIdPresent, Rule::ResourceResultIdType),
        (bases::resource_error, Rule::ResourceErrorIdPresent, Rule::ResourceErrorIdType),
    ] {
        rows.extend(text_rows(base, "/id", present, kind, ""));
    }
    rows.extend(text_rows(bases::event, "/name", Rule::EventNamePresent, Rule::EventNameType, "n"));
    rows.extend(length_rows(bases::event, "/name", Rule::EventNameLength, 1, 4_096));
    for base in [bases::tool_error as fn() -> Base, bases::resource_error] {
        rows.push(case(Rule::ErrorObject, base(), "/error", set("No"), set(bases::error())));
        rows.extend(text_rows(base, "/error/type", Rule::ErrorTypePresent, Rule::ErrorTypeType, "tool_timeout"));
        rows.push(case(Rule::ErrorTypeKnown, base(), "/error/type", set("policy_denied"), set("tool_cancelled")));
        rows.extend(text_rows(base, "/error/message", Rule::ErrorMessagePresent, Rule::ErrorMessageType, "m"));
        rows.extend(length_rows(base, "/error/message", Rule::ErrorMessageLength, 1, 4_096));
    }
    rows
}

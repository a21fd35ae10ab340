//! Rows about the first frame of an app, and about the frames of daemons.

use super::bases::{self, Base};
use super::{Case, Edit, Rule, ascii, case, length_rows, long, set, text_rows};
use serde_json::{Value, json};

pub(super) fn cases() -> Vec<Case> {
    [claims(), resumes(), daemons()].into_iter().flatten().collect()
}

fn claims() -> Vec<Case> {
    let base = bases::claim;
    let mut rows = vec![
        case(Rule::FirstFrameType, base(), "/type", set("session_ack"), set("session_claim")),
        case(Rule::FirstFrameType, base(), "/type", Edit::Drop, set("session_claim")),
        case(Rule::FirstFrameType, base(), "/type", set("tool_registry_snapshot"), set("session_claim")),
        case(Rule::ClaimVersionPresent, base(), "/protocol_version", Edit::Drop, set(2)),
        case(Rule::ClaimVersionValue, base(), "/protocol_version", set(1), set(2)),
        case(Rule::ClaimVersionValue, base(), "/protocol_version", set("2"), set(2.0)),
        case(Rule::ClaimVersionValue, base(), "/protocol_version", set(2.5), set(2)),
    ];
    rows.extend(text_rows(base, "/session_id", Rule::ClaimSessionIdPresent, Rule::ClaimSessionIdType, "s"));
    rows.extend(length_rows(base, "/session_id", Rule::ClaimSessionIdLength, 1, 128));
    rows.extend(text_rows(base, "/token", Rule::ClaimTokenPresent, Rule::ClaimTokenType, "t"));
    rows.extend(length_rows(base, "/token", Rule::ClaimTokenLength, 1, 128));
    for (pointer, kind, length) in [
        ("/device_manufacturer", Rule::ClaimDeviceManufacturerType, Rule::ClaimDeviceManufacturerLength),
        ("/device_model", Rule::ClaimDeviceModelType, Rule::ClaimDeviceModelLength),
        ("/device_os", Rule::ClaimDeviceOsType, Rule::ClaimDeviceOsLength),
    ] {
        rows.push(case(kind, base(), pointer, set(8), Edit::Drop));
        rows.push(case(length, base(), pointer, long(257), set("")));
        rows.extend(length_rows(base, pointer, length, 0, 256));
    }
    rows
}

fn resumes() -> Vec<Case> {
    let base = bases::resume;
    let mut rows = vec![
        case(Rule::ResumeVersionPresent, base(), "/protocol_version", Edit::Drop, set(2)),
        case(Rule::ResumeVersionValue, base(), "/protocol_version", set(3), set(2)),
    ];
    rows.extend(text_rows(base, "/session_id", Rule::ResumeSessionIdPresent, Rule::ResumeSessionIdType, "s"));
    rows.extend(length_rows(base, "/session_id", Rule::ResumeSessionIdLength, 1, 128));
    rows.extend(text_rows(base, "/resume_token", Rule::ResumeTokenPresent, Rule::ResumeTokenType, "t"));
    rows.extend(length_rows(base, "/resume_token", Rule::ResumeTokenLength, 1, 128));
    rows
}

fn daemons() -> Vec<Case> {
    let mut rows = vec![
        case(Rule::DaemonMessageType, bases::call(), "/type", set("event"), set("tool_call")),
        case(Rule::AckStatus, bases::ack(), "/status", set("OK"), set("ok")),
        case(Rule::AckKeepalive, bases::ack(), "/keepalive_interval_s", set(0), set(0.5)),
        case(Rule::AckKeepalive, bases::ack(), "/keepalive_interval_s", Edit::Drop, set(1)),
        case(Rule::AckGrace, bases::ack(), "/grace_s", set(-1), set(0)),
        case(Rule::AckGrace, bases::ack(), "/grace_s", set("60"), set(60)),
        case(Rule::ToolCallName, bases::call(), "/name", set("add item"), ascii(64)),
        case(Rule::ToolCallName, bases::call(), "/name", ascii(65), ascii(1)),
        case(Rule::ToolCallArgs, bases::call(), "/args", Edit::Drop, set(json!({}))),
        case(Rule::ToolCallArgs, bases::call(), "/args", set(Value::Null), set(json!({ "a": null }))),
        case(Rule::ToolCancelReason, bases::cancel(), "/reason", set(""), set("x")),
        case(Rule::ResourceReadName, bases::read(), "/name", set("a/b"), set("a-b")),
        case(Rule::ResourceReadUri, bases::read(), "/uri", set("cart"), set("app:cart")),
        case(Rule::ResourceReadUri, bases::read(), "/uri", set("app://é"), set("app://e")),
        case(Rule::ResourceReadInput, bases::read(), "/args", set(json!({})), Edit::Drop),
    ];
    for (base, pointer, rule) in [
        (bases::ack as fn() -> Base, "/session_id", Rule::DaemonSessionId),
        (bases::call, "/session_id", Rule::DaemonSessionId),
        (bases::cancel, "/session_id", Rule::DaemonSessionId),
        (bases::read, "/session_id", Rule::DaemonSessionId),
        (bases::ack, "/alias", Rule::AckAlias),
        (bases::ack, "/resume_token", Rule::AckResumeToken),
        (bases::call, "/id", Rule::ToolCallId),
        (bases::cancel, "/id", Rule::ToolCancelId),
        (bases::read, "/id", Rule::ResourceReadId),
    ] {
        rows.extend(text_rows(base, pointer, rule, rule, "x"));
        rows.extend(length_rows(base, pointer, rule, 1, 128));
    }
    rows
}

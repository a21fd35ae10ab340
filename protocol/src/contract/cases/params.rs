//! Rows about the parameters of the control RPC.

use super::{Case, Method, Reader, Rule, raw};
use serde_json::{Value, json};

pub(super) fn cases() -> Vec<Case> {
    let row = |rule, method, at: &str, bad: Value, good: Value| {
        raw(rule, Reader::Params(method), at, bad.to_string(), good.to_string())
    };
    let mut rows = vec![
        row(Rule::ParamsObject, Method::ToolsList, "params", json!(["pixel"]), json!({ "selector": "pixel" })),
        row(Rule::ParamsObject, Method::DaemonStatus, "params", json!(null), json!({ "other": null })),
        row(
            Rule::ParamTtlPositive,
            Method::LinkCreate,
            "ttlSeconds",
            json!({ "ttlSeconds": 0 }),
            json!({ "ttlSeconds": 1 }),
        ),
        row(Rule::ParamTtlPositive, Method::LinkCreate, "ttlSeconds", json!({ "ttlSeconds": 1.5 }), json!({})),
        row(
            Rule::ParamTtlPositive,
            Method::LinkCreate,
            "ttlSeconds",
            json!({ "ttlSeconds": "9" }),
            json!({ "ttlSeconds": 9 }),
        ),
        row(
            Rule::ParamAddressOverride,
            Method::LinkCreate,
            "addressOverride",
            json!({ "addressOverride": "localhost" }),
            json!({ "addressOverride": "::1" }),
        ),
        row(
            Rule::ParamAddressOverride,
            Method::LinkCreate,
            "addressOverride",
            json!({ "addressOverride": 1 }),
            json!({ "addressOverride": "10.0.0.1" }),
        ),
        row(Rule::ParamCallIdPresent, Method::ToolsCancel, "callId", json!({}), json!({ "callId": "" })),
        row(Rule::ParamCallIdType, Method::ToolsCancel, "callId", json!({ "callId": 1 }), json!({ "callId": "1" })),
        row(
            Rule::ParamReasonType,
            Method::ToolsCancel,
            "reason",
            json!({ "callId": "1", "reason": 5 }),
            json!({ "callId": "1", "reason": "5" }),
        ),
        row(
            Rule::ParamReasonLength,
            Method::ToolsCancel,
            "reason",
            json!({ "callId": "1", "reason": "" }),
            json!({ "callId": "1", "reason": " " }),
        ),
        row(
            Rule::ParamReasonLength,
            Method::ToolsCancel,
            "reason",
            json!({ "callId": "1", "reason": "x".repeat(4_097) }),
            json!({ "callId": "1", "reason": "é".repeat(4_096) }),
        ),
        row(
            Rule::ParamSelectorType,
            Method::ToolsCancel,
            "selector",
            json!({ "callId": "1", "selector": 5 }),
            json!({ "callId": "1", "selector": "5" }),
        ),
        row(
            Rule::ParamArgsObject,
            Method::ToolsCall,
            "args",
            json!({ "name": "a", "args": [] }),
            json!({ "name": "a" }),
        ),
        row(
            Rule::ParamArgsObject,
            Method::ToolsCall,
            "args",
            json!({ "name": "a", "args": null }),
            json!({ "name": "a", "args": {} }),
        ),
        row(Rule::ParamSinceType, Method::EventsSince, "since", json!({ "since": -1 }), json!({ "since": 0 })),
        row(Rule::ParamSinceType, Method::EventsSince, "since", json!({ "since": "1" }), json!({ "since": 1 })),
        row(Rule::ParamLimitPositive, Method::EventsSince, "limit", json!({ "limit": 0 }), json!({ "limit": 1 })),
        row(
            Rule::ParamSelectorType,
            Method::EventsSubscribe,
            "sessionSelector",
            json!({ "sessionSelector": [] }),
            json!({ "sessionSelector": "a" }),
        ),
    ];
    for method in [Method::ToolsCall, Method::ResourcesRead] {
        rows.extend([
            row(Rule::ParamNamePresent, method, "name", json!({}), json!({ "name": "any name" })),
            row(Rule::ParamNameType, method, "name", json!({ "name": null }), json!({ "name": "" })),
            row(
                Rule::ParamTimeoutPositive,
                method,
                "timeoutMs",
                json!({ "name": "a", "timeoutMs": 0 }),
                json!({ "name": "a", "timeoutMs": 1 }),
            ),
            row(
                Rule::ParamCallerType,
                method,
                "caller",
                json!({ "name": "a", "caller": {} }),
                json!({ "name": "a", "caller": "cli" }),
            ),
            row(
                Rule::ParamNull,
                method,
                "timeoutMs",
                json!({ "name": "a", "timeoutMs": null }),
                json!({ "name": "a" }),
            ),
        ]);
    }
    for method in [Method::EventsSubscribe, Method::EventsSince] {
        rows.extend([
            row(
                Rule::ParamKindsType,
                method,
                "kinds",
                json!({ "kinds": "app_event" }),
                json!({ "kinds": ["app_event"] }),
            ),
            row(Rule::ParamKindsType, method, "kinds", json!({ "kinds": [1] }), json!({ "kinds": [] })),
            row(
                Rule::ParamKindKnown,
                method,
                "kinds",
                json!({ "kinds": ["app_events"] }),
                json!({ "kinds": ["app_event"] }),
            ),
        ]);
    }
    for method in [Method::SessionsDescribe, Method::SessionsRevoke, Method::ToolsList, Method::ResourcesList] {
        rows.extend([
            row(Rule::ParamSelectorType, method, "selector", json!({ "selector": 1 }), json!({ "selector": "1" })),
            row(Rule::ParamNull, method, "selector", json!({ "selector": null }), json!({})),
        ]);
    }
    rows
}

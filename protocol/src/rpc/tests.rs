//! Requests, messages and results. Parameters one by one: `contract::cases`.

use super::*;
use crate::bootstrap::{Endpoint, Pin};
use crate::contract::Contract;
use crate::descriptor::ContentItem;
use crate::error_type::{AppErrorType, RpcErrorType};
use crate::event::EventKind;
use crate::frame::Device;
use crate::testing::{any_app_error, any_content, any_json, any_object, any_resource, any_tool};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::num::NonZeroU64;

fn refused(line: &str) -> (Option<Value>, i64) {
    let failure = RpcRequest::decode(line.as_bytes(), &Contract::default()).unwrap_err();
    (failure.reply_to.map(|id| id.as_json().clone()), failure.error.code())
}

#[test]
fn garbage_gets_the_right_error() {
    for (line, id, code) in [
        ("", json!(null), RpcError::PARSE),
        ("{", json!(null), RpcError::PARSE),
        ("{} {}", json!(null), RpcError::PARSE),
        ("\"\\ud800\"", json!(null), RpcError::PARSE),
        ("1", json!(null), RpcError::INVALID_REQUEST),
        ("[]", json!(null), RpcError::INVALID_REQUEST),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"tools.list"}]"#, json!(null), RpcError::INVALID_REQUEST),
        ("{}", json!(null), RpcError::INVALID_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1}"#, json!(1), RpcError::INVALID_REQUEST),
        (r#"{"jsonrpc":"1.0","id":"a","method":"tools.list"}"#, json!("a"), RpcError::INVALID_REQUEST),
        (r#"{"id":7,"method":"tools.list"}"#, json!(7), RpcError::INVALID_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, json!(1), RpcError::INVALID_REQUEST),
        (r#"{"jsonrpc":"2.0","id":{},"method":"tools.list"}"#, json!(null), RpcError::INVALID_REQUEST),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools"}"#, json!(1), RpcError::METHOD_NOT_FOUND),
        (r#"{"jsonrpc":"2.0","id":null,"method":"constructor"}"#, json!(null), RpcError::METHOD_NOT_FOUND),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools","params":[]}"#, json!(1), RpcError::METHOD_NOT_FOUND),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools.call"}"#, json!(1), RpcError::TYPED),
    ] {
        assert_eq!(refused(line), (Some(id), code), "{line}");
    }
    let invalid_utf8 = RpcRequest::decode(b"\xff", &Contract::default()).unwrap_err();
    assert_eq!(invalid_utf8.error.code(), RpcError::PARSE);
}

#[test]
fn notifications_get_no_answer() {
    assert_eq!(refused(r#"{"jsonrpc":"2.0","method":"tools"}"#).0, None);
    assert_eq!(refused(r#"{"jsonrpc":"2.0","method":"tools.call","params":{}}"#).0, None);
    let line = br#"{"jsonrpc":"2.0","method":"sessions.list"}"#;
    assert_eq!(RpcRequest::decode(line, &Contract::default()).unwrap().id, None);
}

#[test]
fn an_invalid_parameter_is_named() {
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools.list","params":{"selector":null}}"#;
    let error = RpcRequest::decode(line, &Contract::default()).unwrap_err().error;
    assert_eq!(error.error_type(), Some(RpcErrorType::InvalidRequest));
    assert!(error.message().contains("`selector`"), "{error}");
    assert_eq!(error.details(), Some(&json!({ "parameter": "selector" })));
}

#[test]
fn an_apps_error_stays_verbatim() {
    let error = crate::error_type::AppError::new(AppErrorType::ToolTimeout, "slow\n\"quoted\"").unwrap();
    let error = RpcError::of_app(&error.with_details(json!(null)));
    let expected =
        json!({ "code": -32000, "message": "slow\n\"quoted\"", "data": { "type": "tool_timeout", "details": null } });
    assert_eq!(error.to_json(), expected);
    assert_eq!(
        RpcError::of_app(&crate::error_type::AppError::new(AppErrorType::ToolCancelled, "m").unwrap()).details(),
        None
    );
}

#[test]
fn messages_are_read_strictly() {
    for line in [
        "",
        "{}",
        "[]",
        "nope",
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","result":1}"#,
        r#"{"id":1,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":-32601,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":1,"result":1}"#,
        r#"{"jsonrpc":"2.0","id":[],"result":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"m"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601}}"#,
        r#"{"jsonrpc":"2.0","method":"other","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"event","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"event","params":{"kind":"app_event","ts":"2025-01-12T15:00:58Z","data":{},"sessionId":"s"}}"#,
        r#"{"jsonrpc":"2.0","method":"event","params":{"kind":"app_events","ts":"2025-01-12T15:00:58Z","data":{},"seq":1}}"#,
    ] {
        assert!(RpcMessage::decode(line.as_bytes()).is_err(), "{line}");
    }
    let line = br#"{"jsonrpc":"2.0","id":1,"result":null}"#;
    assert_eq!(RpcMessage::decode(line), Ok(RpcMessage::success(1.into(), Value::Null)));
}

#[test]
fn a_link_is_read_in_other_spellings() {
    let created = LinkCreated {
        session_id: "s".into(),
        deep_link_payload: "p".into(),
        endpoint: Endpoint::new([127, 0, 0, 1].into(), 7).unwrap(),
        expires_at: Timestamp::from_unix_seconds(1_785_240_000),
        pin: Pin::of_sha256([1; 32]),
    };
    let json = created.to_json();
    assert_eq!(json["endpoint"], json!({ "family": "ipv4", "address": "127.0.0.1", "port": 7 }));
    assert_eq!(json["expiresAt"], "2026-07-28T12:00:00.000Z");
    for (pointer, value) in
        [("/endpoint/family", json!("IPv4")), ("/endpoint/family", json!(4)), ("/expiresAt", json!(1_785_240_000))]
    {
        let mut other = json.clone();
        *other.pointer_mut(pointer).unwrap() = value;
        assert_eq!(LinkCreated::decode(&other).as_ref(), Ok(&created));
    }
    for (pointer, value) in [
        ("/endpoint/family", json!("ipv6")),
        ("/endpoint/address", json!("localhost")),
        ("/endpoint/port", json!(0)),
        ("/endpoint/port", json!(65_536)),
        ("/pin", json!("sha256/AA")),
        ("/expiresAt", json!(null)),
        ("/sessionId", json!(1)),
    ] {
        let mut other = json.clone();
        *other.pointer_mut(pointer).unwrap() = value;
        assert_eq!(LinkCreated::decode(&other).unwrap_err().pointer, pointer);
    }
}

#[test]
fn lists_are_read_bare_too() {
    let summary = summary().to_json();
    let expected = SessionsListing { sessions: vec![self::summary()] };
    assert_eq!(SessionsListing::decode(&json!({ "sessions": [summary] })).as_ref(), Ok(&expected));
    assert_eq!(SessionsListing::decode(&json!([summary])), Ok(expected));
    assert_eq!(SessionsListing::decode(&json!([{}])).unwrap_err().pointer, "/0/state");
    let tool = json!([{ "name": "a", "description": "d", "policy": "maybe" }]);
    assert_eq!(ToolListing::decode(&tool, &Contract::default()).unwrap_err().pointer, "/0/policy");
    let tool = json!({ "tools": [{ "name": "", "description": "d", "policy": "deny" }] });
    assert_eq!(ToolListing::decode(&tool, &Contract::default()).unwrap_err().pointer, "/tools/0/name");
}

#[test]
fn a_status_keeps_what_else_there_is() {
    let json = json!({ "pid": 7, "pinnedKeys": [Pin::of_sha256([2; 32]).to_string()] });
    let status = DaemonStatus::decode(&json).unwrap();
    assert_eq!((status.pinned_keys.len(), &status.more["pid"]), (1, &json!(7)));
    assert_eq!(DaemonStatus::decode(&status.to_json()), Ok(status));
    assert!(DaemonStatus::decode(&json!({ "pinnedKeys": ["x"] })).is_err());
}

fn summary() -> SessionSummary {
    SessionSummary {
        session_id: "s1".into(),
        alias: "pixel-8".into(),
        state: SessionState::Active,
        device: Device::new(None, Some("Pixel 8"), None).unwrap(),
        created_at: Timestamp::from_unix_ms(1),
        claimed_at: Timestamp::from_unix_ms(2),
        suspended_at: None,
        tool_count: 1,
        resource_count: 2,
    }
}

#[test]
fn a_summary_has_the_contracts_keys() {
    let text = summary().to_json().to_string();
    let expected = concat!(
        r#"{"sessionId":"s1","alias":"pixel-8","state":"active","device":{"model":"Pixel 8"},"#,
        r#""createdAt":"1970-01-01T00:00:00.001Z","claimedAt":"1970-01-01T00:00:00.002Z","toolCount":1,"resourceCount":2}"#
    );
    assert_eq!(text, expected);
}

fn any_params() -> impl Strategy<Value = Params> {
    let selector = || option::of(".{0,10}");
    let kinds = || option::of(vec(select(EventKind::ALL), 0..3));
    let call = (selector(), ".{0,10}", any_object(), any::<Option<NonZeroU64>>(), selector())
        .prop_map(|(selector, name, args, timeout_ms, caller)| ToolsCall { selector, name, args, timeout_ms, caller });
    let read = (selector(), ".{0,10}", any::<Option<NonZeroU64>>(), selector())
        .prop_map(|(selector, name, timeout_ms, caller)| ResourcesRead { selector, name, timeout_ms, caller });
    let since = (selector(), any::<Option<u64>>(), kinds(), any::<Option<NonZeroU64>>())
        .prop_map(|(selector, since, kinds, limit)| EventsSince { selector, since, kinds, limit });
    prop_oneof![
        Just(Params::DaemonStatus),
        Just(Params::DaemonShutdown),
        Just(Params::SessionsList),
        (any::<Option<NonZeroU64>>(), any::<Option<IpAddr>>()).prop_map(|(ttl_seconds, address_override)| {
            Params::LinkCreate(LinkCreate { ttl_seconds, address_override })
        }),
        (selector(), 0..4).prop_map(|(selector, which)| {
            let selected = Selected { selector };
            match which {
                0 => Params::SessionsDescribe(selected),
                1 => Params::SessionsRevoke(selected),
                2 => Params::ToolsList(selected),
                _ => Params::ResourcesList(selected),
            }
        }),
        call.prop_map(Params::ToolsCall),
        read.prop_map(Params::ResourcesRead),
        since.prop_map(Params::EventsSince),
        (selector(), ".{0,10}", option::of(".{1,10}"))
            .prop_map(|(selector, call_id, reason)| { Params::ToolsCancel(ToolsCancel { selector, call_id, reason }) }),
        (selector(), kinds()).prop_map(|(session_selector, kinds)| {
            Params::EventsSubscribe(EventsSubscribe { session_selector, kinds })
        }),
    ]
}

fn any_event() -> impl Strategy<Value = EventRecord> {
    let session = option::of((".{1,10}", option::of(".{1,10}"), any::<u64>()));
    (select(EventKind::ALL), session, 0..4_000_000_000_000_u64, any_json()).prop_map(|(kind, session, ms, data)| {
        let (session_id, alias, seq) = match session {
            Some((id, alias, seq)) => (Some(id), alias, Some(seq)),
            None => (None, None, None),
        };
        EventRecord { kind, session_id, alias, ts: Timestamp::from_unix_ms(ms), data, seq }
    })
}

fn any_policy() -> impl Strategy<Value = Policy> {
    select(&[Policy::Allow, Policy::Prompt, Policy::Deny][..])
}

proptest! {
    #[test]
    fn requests_survive(params in any_params(), id in option::of(prop_oneof![any::<u64>().prop_map(RpcId::from), ".{0,9}".prop_map(|text| RpcId::from(text.as_str()))])) {
        let request = RpcRequest { id, params };
        prop_assert_eq!(RpcRequest::decode(request.encode().as_bytes(), &Contract::default()).unwrap(), request);
    }

    #[test]
    fn messages_survive(result in any_json(), error in any_app_error(), event in any_event(), id in any::<u64>()) {
        for message in [
            RpcMessage::success(id.into(), result),
            RpcMessage::failure(id.into(), RpcError::of_app(&error)),
            RpcMessage::Event(event),
        ] {
            prop_assert_eq!(RpcMessage::decode(message.encode().as_bytes()).unwrap(), message);
        }
    }

    #[test]
    fn results_survive(tools in vec((any_tool(), any_policy()), 0..3), resources in vec((any_resource(), any_policy()), 0..3),
                       contents in vec(any_content(), 0..3), result in any_json(), events in vec(any_event(), 0..3), cursor in any::<u64>()) {
        let contract = Contract::default();
        let tools = Listing { entries: tools.into_iter().map(|(descriptor, policy)| Listed { descriptor, policy }).collect() };
        prop_assert_eq!(ToolListing::decode(&tools.to_json(), &contract).unwrap(), tools);
        let resources = Listing { entries: resources.into_iter().map(|(descriptor, policy)| Listed { descriptor, policy }).collect() };
        prop_assert_eq!(ResourceListing::decode(&resources.to_json(), &contract).unwrap(), resources);
        let read = ReadOutcome { contents, read_id: "r1".into() };
        prop_assert_eq!(ReadOutcome::decode(&read.to_json(), &contract).unwrap(), read);
        let call = CallOutcome { result, call_id: "c1".into() };
        prop_assert_eq!(CallOutcome::decode(&call.to_json()).unwrap(), call);
        let page = EventsPage { events, cursor };
        prop_assert_eq!(EventsPage::decode(&page.to_json()).unwrap(), page);
        let cancel = CancelOutcome { cancelled: cursor % 2 == 0 };
        prop_assert_eq!(CancelOutcome::decode(&cancel.to_json()).unwrap(), cancel);
    }

    #[test]
    fn decoders_never_panic(bytes in vec(any::<u8>(), 0..80), value in any_json(), method in select(Method::ALL)) {
        let contract = Contract::default();
        let _ = RpcRequest::decode(&bytes, &contract);
        let _ = RpcMessage::decode(&bytes);
        let _ = Params::decode(method, Some(&value), &contract);
        let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method.as_str(), "params": value });
        let _ = RpcRequest::decode(line.to_string().as_bytes(), &contract);
        let _ = (RpcError::decode(&value), EventRecord::decode(&value), EventsPage::decode(&value), CallOutcome::decode(&value));
        let _ = (SessionSummary::decode(&value), SessionsListing::decode(&value), DaemonStatus::decode(&value), LinkCreated::decode(&value));
        let _ = (ToolListing::decode(&value, &contract), ResourceListing::decode(&value, &contract), ReadOutcome::decode(&value, &contract));
        let _ = ContentItem::decode(&value, &contract);
    }
}

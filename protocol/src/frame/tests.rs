//! Order of judgement, round trips, and bent contracts. The rules one by one: `contract::cases`.

use super::*;
use crate::close::Close;
use crate::contract::{Contract, Rule};
use crate::descriptor::ToolDescriptor;
use crate::testing::{any_app_frame, any_daemon_frame, any_first_frame, any_json};
use proptest::prelude::*;
use serde_json::{Value, json};

fn in_session(frame: &Value, contract: &Contract) -> Result<AppFrame, FrameError> {
    AppFrame::decode_in_session(&frame.to_string(), "s1", contract)
}

#[test]
fn type_is_judged_before_session_and_session_before_fields() {
    let contract = Contract::default();
    let close = |frame: Value| in_session(&frame, &contract).unwrap_err().close;
    // Everything wrong, then one thing after the other put right.
    let everything = AppFrame::decode_in_session("{\"type\":\"nope\",\"a\":1,\"a\":2}", "s1", &contract);
    assert_eq!(everything.unwrap_err().close, Close::INVALID_JSON);
    assert_eq!(close(json!({ "type": "nope", "session_id": "s2" })), Close::UNKNOWN_MESSAGE_TYPE);
    assert_eq!(close(json!({ "type": "tool_call", "session_id": "s2" })), Close::UNKNOWN_MESSAGE_TYPE);
    for kind in AppFrame::TYPES {
        assert_eq!(close(json!({ "type": kind, "session_id": "s2" })), Close::SESSION_MISMATCH, "{kind}");
        assert_eq!(close(json!({ "type": kind })), Close::SESSION_MISMATCH, "{kind}");
        let expected = if kind.contains("registry") { Close::INVALID_REGISTRY } else { Close::INVALID_MESSAGE };
        assert_eq!(close(json!({ "type": kind, "session_id": "s1" })), expected, "{kind}");
    }
}

#[test]
fn before_the_claim_everything_but_json_is_one_close() {
    let contract = Contract::default();
    let close = |text: &str| AppFrame::decode_first(text, &contract).unwrap_err().close;
    assert_eq!(close("nope"), Close::INVALID_JSON);
    assert_eq!(close("[]"), Close::INVALID_JSON);
    assert_eq!(close("{}"), Close::EXPECTED_CLAIM_OR_RESUME);
    assert_eq!(close(r#"{"type":"session_resume","protocol_version":1}"#), Close::EXPECTED_CLAIM_OR_RESUME);
    assert_eq!(close(r#"{"type":"event","session_id":"s1","name":"n","ts":1}"#), Close::EXPECTED_CLAIM_OR_RESUME);
}

#[test]
fn a_bent_contract_can_keep_the_valid_elements() {
    let bent = Contract { drop_invalid_elements: true, drop_invalid_items: true, ..Contract::default() };
    let tool = json!({ "name": "a", "description": "d" });
    let snapshot =
        json!({ "type": "tool_registry_snapshot", "session_id": "s1", "tools": [{}, tool, { "name": "b" }] });
    let Ok(AppFrame::ToolSnapshot(kept)) = in_session(&snapshot, &bent) else { panic!("refused") };
    assert_eq!(kept.entries().iter().map(ToolDescriptor::name).collect::<Vec<_>>(), ["a"]);
    let result = json!({ "type": "resource_result", "session_id": "s1", "id": "r", "contents": [{}, { "text": "t" }] });
    let Ok(AppFrame::ResourceResult(kept)) = in_session(&result, &bent) else { panic!("refused") };
    assert_eq!(kept.contents().len(), 1);
}

#[test]
fn a_bent_contract_reads_wrong_types_as_it_says() {
    let bent = Contract::default().waive_all([
        Rule::ToolDescriptionType,
        Rule::ToolInputSchemaType,
        Rule::ToolNamePresent,
        Rule::ToolNameLength,
    ]);
    let tool = json!({ "description": [1, "a"], "input_schema": 5 });
    let read = ToolDescriptor::decode(&tool, &bent).unwrap();
    assert_eq!((read.name(), read.description(), read.input_schema()), ("", r#"[1,"a"]"#, None));
}

#[test]
fn a_duplicate_that_is_waived_takes_the_last_value() {
    let bent = Contract::default().waive(Rule::DuplicateKey);
    let text = r#"{"type":"event","session_id":"s1","name":"a","name":"b","ts":1}"#;
    let Ok(AppFrame::Event(event)) = AppFrame::decode_in_session(text, "s1", &bent) else { panic!("refused") };
    assert_eq!(event.name(), "b");
}

#[test]
fn a_daemon_does_not_send_what_is_too_big() {
    let contract = Contract::default();
    let args = |bytes: usize| json!({ "a": "x".repeat(bytes) }).as_object().cloned().unwrap();
    let call = |bytes| DaemonFrame::ToolCall(ToolCall::new("s1", "c1", "t", args(bytes), &contract).unwrap());
    let overhead = call(0).encode().len();
    assert!(call(262_144 - overhead).encode_within(&contract).is_ok());
    assert_eq!(call(262_145 - overhead).encode_within(&contract).unwrap_err().rule, Rule::FrameBytes);
    assert_eq!(SessionAck::new("s1", &"a".repeat(129), "r", 15, 60, &contract).unwrap_err().rule, Rule::AckAlias);
}

#[test]
fn explanations_stay_short() {
    let frame = json!({ "type": "é".repeat(10_000), "session_id": "s1" });
    let error = in_session(&frame, &Contract::default()).unwrap_err();
    assert!(error.explanation.chars().count() < 300, "{error}");
}

#[test]
fn tokens_are_not_printed() {
    let claim = ClaimFrame::new("s1", "sesame", Device::default()).unwrap();
    let resume = ResumeFrame::new("s1", "sesame").unwrap();
    let ack = SessionAck::new("s1", "a", "sesame", 15, 60, &Contract::default()).unwrap();
    assert!(!format!("{claim:?}{resume:?}{ack:?}").contains("sesame"));
}

#[test]
fn constructors_keep_the_rules() {
    let error = |result: Result<ClaimFrame, FrameError>| result.unwrap_err().rule;
    assert_eq!(error(ClaimFrame::new("", "t", Device::default())), Rule::ClaimSessionIdLength);
    assert_eq!(error(ClaimFrame::new("s", &"t".repeat(129), Device::default())), Rule::ClaimTokenLength);
    assert_eq!(ResumeFrame::new("s", "").unwrap_err().rule, Rule::ResumeTokenLength);
    assert_eq!(Device::new(None, Some(&"m".repeat(257)), None).unwrap_err().rule, Rule::ClaimDeviceModelLength);
    assert_eq!(ToolDelta::remove("s", "").unwrap_err().rule, Rule::ToolRemoveNameLength);
    assert_eq!(ResourceDelta::remove("s", "").unwrap_err().rule, Rule::ResourceRemoveNameLength);
    assert_eq!(AppEvent::new("s", "", None, 1.into()).unwrap_err().rule, Rule::EventNameLength);
    let tool = ToolDescriptor::new("a", "d").unwrap();
    assert_eq!(ToolSnapshot::new("s", vec![tool.clone(), tool]).unwrap_err().rule, Rule::DuplicateToolName);
}

#[test]
fn stale_marks_are_recognised() {
    let event = |name: &str, payload: Value| AppEvent::new("s", name, Some(payload), 1.into()).unwrap();
    assert_eq!(event("resource_updated", json!({ "name": "cart" })).stale_resource(), Some("cart"));
    assert_eq!(event("resource_updated", json!("cart")).stale_resource(), None);
    assert_eq!(event("other", json!({ "name": "cart" })).stale_resource(), None);
}

proptest! {
    #[test]
    fn app_frames_survive(frame in any_app_frame("s1")) {
        let text = frame.encode();
        prop_assert_eq!(AppFrame::decode_in_session(&text, "s1", &Contract::default()).unwrap(), frame);
    }

    #[test]
    fn first_frames_survive(frame in any_first_frame()) {
        prop_assert_eq!(AppFrame::decode_first(&frame.encode(), &Contract::default()).unwrap(), frame);
    }

    #[test]
    fn daemon_frames_survive(frame in any_daemon_frame()) {
        prop_assert_eq!(DaemonFrame::decode(&frame.encode(), &Contract::default()).unwrap(), frame);
    }

    #[test]
    fn decoders_never_panic(text in ".{0,80}", lax in any::<bool>()) {
        decode_everything(&text, lax);
    }

    /// Frames with one part replaced by anything.
    #[test]
    fn decoders_never_panic_on_almost_frames(frame in any_app_frame("s1"), key in any::<prop::sample::Index>(), value in any_json(), lax in any::<bool>()) {
        let mut object = frame.to_json();
        let fields = object.as_object_mut().unwrap();
        let index = key.index(fields.len());
        if let Some(field) = fields.values_mut().nth(index) {
            *field = value;
        }
        decode_everything(&object.to_string(), lax);
    }
}

fn decode_everything(text: &str, lax: bool) {
    let contract = if lax { Contract::default().waive_all(Rule::ALL.iter().copied()) } else { Contract::default() };
    let _ = AppFrame::decode_first(text, &contract).map(|frame| frame.encode());
    let _ = AppFrame::decode_in_session(text, "s1", &contract).map(|frame| frame.encode());
    let _ = DaemonFrame::decode(text, &contract).map(|frame| frame.encode());
}

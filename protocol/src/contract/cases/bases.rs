//! Valid inputs, with every optional field.

use super::Reader;
use serde_json::{Value, json};

pub(super) type Base = (Reader, Value);

pub(super) fn claim() -> Base {
    let frame = json!({
        "type": "session_claim", "protocol_version": 2, "session_id": "s1", "token": "t1",
        "device_manufacturer": "Google", "device_model": "Pixel 8", "device_os": "Android 15",
    });
    (Reader::First, frame)
}

pub(super) fn resume() -> Base {
    let frame = json!({ "type": "session_resume", "protocol_version": 2, "session_id": "s1", "resume_token": "r1" });
    (Reader::First, frame)
}

fn session(kind: &str, fields: Value) -> Base {
    let mut frame = json!({ "type": kind, "session_id": "s1" });
    for (key, value) in fields.as_object().unwrap() {
        frame[key] = value.clone();
    }
    (Reader::Session, frame)
}

pub(super) fn tool() -> Value {
    json!({
        "name": "add_item", "description": "Adds an item", "input_schema": { "type": "object" },
        "output_schema": { "type": "object" }, "timeout_ms": 5000,
        "annotations": { "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true },
    })
}

pub(super) fn resource() -> Value {
    json!({
        "uri": "app://cart", "name": "cart", "description": "The cart", "mime_type": "application/json",
        "title": "Cart", "size": 12,
        "annotations": { "audience": ["user"], "priority": 0.5, "last_modified": "2025-01-12T15:00:58Z" },
        "icons": [{ "src": "https://x/i.png", "mime_type": "image/png", "sizes": ["48x48"], "theme": "dark" }],
    })
}

pub(super) fn tools() -> Base {
    session("tool_registry_snapshot", json!({ "tools": [tool()] }))
}

pub(super) fn tool_upsert() -> Base {
    session("tool_registry_delta", json!({ "operation": "upsert", "tool": tool() }))
}

pub(super) fn tool_remove() -> Base {
    session("tool_registry_delta", json!({ "operation": "remove", "name": "add_item" }))
}

pub(super) fn resources() -> Base {
    session("resource_registry_snapshot", json!({ "resources": [resource()] }))
}

pub(super) fn resource_upsert() -> Base {
    session("resource_registry_delta", json!({ "operation": "upsert", "resource": resource() }))
}

pub(super) fn resource_remove() -> Base {
    session("resource_registry_delta", json!({ "operation": "remove", "name": "cart" }))
}

pub(super) fn tool_result() -> Base {
    session("tool_result", json!({ "id": "c1", "result": { "ok": true } }))
}

pub(super) fn error() -> Value {
    json!({ "type": "tool_execution_error", "message": "No", "details": { "a": 1 } })
}

pub(super) fn tool_error() -> Base {
    session("tool_error", json!({ "id": "c1", "error": error() }))
}

pub(super) fn progress() -> Base {
    session("tool_call_progress", json!({ "id": "c1", "progress": 0.5, "message": "half" }))
}

pub(super) fn event() -> Base {
    session("event", json!({ "name": "opened", "payload": null, "ts": 1.5 }))
}

pub(super) fn resource_result() -> Base {
    let contents = json!([
        { "uri": "app://cart", "mime_type": "text/plain", "text": "" },
        { "uri": "app://cart", "mime_type": "image/png", "blob": "AAE=" },
    ]);
    session("resource_result", json!({ "id": "r1", "contents": contents }))
}

pub(super) fn resource_error() -> Base {
    session("resource_error", json!({ "id": "r1", "error": error() }))
}

fn daemon(frame: Value) -> Base {
    (Reader::Daemon, frame)
}

pub(super) fn ack() -> Base {
    daemon(json!({
        "type": "session_ack", "session_id": "s1", "status": "ok", "alias": "pixel-8", "resume_token": "r1",
        "keepalive_interval_s": 15, "grace_s": 60,
    }))
}

pub(super) fn call() -> Base {
    daemon(json!({ "type": "tool_call", "session_id": "s1", "id": "c1", "name": "add_item", "args": { "n": 1 } }))
}

pub(super) fn cancel() -> Base {
    daemon(json!({ "type": "tool_cancel", "session_id": "s1", "id": "c1", "reason": "connection_closed" }))
}

pub(super) fn read() -> Base {
    daemon(json!({ "type": "resource_read", "session_id": "s1", "id": "r1", "name": "cart", "uri": "app://cart" }))
}

pub(super) fn all() -> Vec<Base> {
    vec![
        claim(),
        resume(),
        tools(),
        tool_upsert(),
        tool_remove(),
        resources(),
        resource_upsert(),
        resource_remove(),
        tool_result(),
        tool_error(),
        progress(),
        event(),
        resource_result(),
        resource_error(),
        ack(),
        call(),
        cancel(),
        read(),
    ]
}

//! What the server's own tools do, but for the two fallback tools, which share their work with the resource surface.

use super::built_in::BuiltIn;
use super::daemon_view::DaemonView;
use super::naming::Naming;
use super::tool_results::Failure;
use crate::rpc_client::{QUICK, RpcClientError};
use iolite_protocol::bootstrap::deep_link;
use iolite_protocol::rpc::LinkCreated;
use serde_json::{Map, Value, json};
use std::future::Future;
use std::time::Duration;
use tokio::time::timeout;

/// Runs one of them. The arguments have passed [`BuiltIn::check`].
///
/// # Errors
///
/// What to show as error result.
pub async fn run(
    tool: BuiltIn,
    arguments: &Map<String, Value>,
    daemon: &DaemonView,
    naming: &Naming,
) -> Result<Value, Failure> {
    match tool {
        BuiltIn::Connect => connect(arguments, daemon, naming).await,
        BuiltIn::WaitForSession => {
            let session = text(arguments, "sessionId").unwrap_or_default();
            let wait = wait_for_session(session, daemon);
            in_time(arguments, wait, || format!("session {session:?} to be claimed")).await
        }
        BuiltIn::Events => call(daemon, "events.since", Value::Object(arguments.clone())).await,
        BuiltIn::WaitForEvent => {
            let name = text(arguments, "name").unwrap_or_default();
            let wait = wait_for_event(name, arguments, daemon);
            in_time(arguments, wait, || format!("event {name:?}")).await
        }
        BuiltIn::ListResources | BuiltIn::Read => {
            Err(Failure::new("internal_error", "the fallback tools are served with the resources"))
        }
    }
}

async fn connect(arguments: &Map<String, Value>, daemon: &DaemonView, naming: &Naming) -> Result<Value, Failure> {
    match text(arguments, "target") {
        None | Some("none") if arguments.contains_key("device") => {
            let message = "device needs a target of \"android\" or \"ios-sim\"";
            return Err(Failure::new("invalid_request", message));
        }
        None | Some("none") => {}
        Some(target) => {
            let message = format!(
                "this bridge delivers no links to {target}: call again without a target and open deepLink yourself"
            );
            return Err(Failure::new("tool_execution_error", message));
        }
    }
    let mut params = Map::new();
    if let Some(seconds) = arguments.get("ttlSeconds") {
        params.insert("ttlSeconds".to_owned(), seconds.clone());
    }
    let result = call(daemon, "link.create", Value::Object(params)).await?;
    let link = LinkCreated::decode(&result).map_err(|error| Failure::new("internal_error", error.to_string()))?;
    Ok(json!({
        "sessionId": link.session_id,
        "deepLink": deep_link(&naming.link_scheme, &link.deep_link_payload, &link.pin),
        "expiresAt": result["expiresAt"],
    }))
}

async fn wait_for_session(session: &str, daemon: &DaemonView) -> Result<Value, Failure> {
    let mut happened = daemon.happened();
    loop {
        happened.borrow_and_update();
        let view = daemon.current().await.map_err(failure)?;
        if let Some(session) = view.session(session) {
            return Ok(json!({"sessionId": session.id, "alias": session.alias, "claimed": true}));
        }
        if daemon.is_over(session) {
            let message = format!("session {session:?} is over, or its link was");
            return Err(Failure::new("unknown_session", message));
        }
        if happened.changed().await.is_err() {
            return Err(Failure::new("internal_error", "nothing happens any more"));
        }
    }
}

async fn wait_for_event(name: &str, arguments: &Map<String, Value>, daemon: &DaemonView) -> Result<Value, Failure> {
    let mut happened = daemon.happened();
    let mut selector = Map::new();
    if let Some(given) = arguments.get("selector") {
        selector.insert("selector".to_owned(), given.clone());
    }
    let described = call(daemon, "sessions.describe", Value::Object(selector)).await?;
    let session = described["sessionId"].clone();
    let mut since = arguments.get("since").cloned();
    loop {
        happened.borrow_and_update();
        let mut params = json!({"selector": session, "kinds": ["app_event"]});
        if let Some(since) = &since {
            params["since"] = since.clone();
        }
        let page = call(daemon, "events.since", params).await?;
        let expected = arguments.get("match").and_then(Value::as_object);
        let mut events = page["events"].as_array().into_iter().flatten();
        if let Some(event) = events.find(|event| matches(event, name, expected)) {
            return Ok(found(&session, event));
        }
        since = page.get("cursor").cloned().or(since);
        if happened.changed().await.is_err() {
            return Err(Failure::new("internal_error", "nothing happens any more"));
        }
    }
}

/// What the tool shows of an event.
fn found(session: &Value, event: &Value) -> Value {
    let mut found = json!({"sessionId": session});
    for (key, value) in [
        ("alias", &event["alias"]),
        ("name", &event["data"]["name"]),
        ("payload", &event["data"]["payload"]),
        ("ts", &event["ts"]),
        ("seq", &event["seq"]),
    ] {
        if !value.is_null() {
            found[key] = value.clone();
        }
    }
    found
}

/// Whether an event is an app's, of that name, with at least these members in its payload.
fn matches(event: &Value, name: &str, expected: Option<&Map<String, Value>>) -> bool {
    let data = &event["data"];
    data["name"] == name
        && expected.is_none_or(|expected| expected.iter().all(|(key, value)| data["payload"].get(key) == Some(value)))
}

async fn in_time(
    arguments: &Map<String, Value>,
    work: impl Future<Output = Result<Value, Failure>>,
    what: impl FnOnce() -> String,
) -> Result<Value, Failure> {
    let asked = arguments.get("timeoutMs").and_then(Value::as_u64);
    let limit = asked.unwrap_or(DEFAULT_WAIT_MS).min(LONGEST_WAIT_MS);
    match timeout(Duration::from_millis(limit), work).await {
        Ok(result) => result,
        Err(_) => {
            let message = format!("waited {limit} ms for {}", what());
            Err(Failure::new("tool_timeout", message))
        }
    }
}

async fn call(daemon: &DaemonView, method: &str, params: Value) -> Result<Value, Failure> {
    let client = daemon.client().await.map_err(failure)?;
    client.call(method, params, QUICK).await.map_err(failure)
}

fn failure(error: RpcClientError) -> Failure {
    Failure::from(&error)
}

fn text<'a>(arguments: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    arguments.get(key)?.as_str()
}

/// How long a wait lasts unless `timeoutMs` says otherwise, in milliseconds.
const DEFAULT_WAIT_MS: u64 = 120_000;

/// Clients give up a call that says nothing for half an hour; a wait ends before that.
const LONGEST_WAIT_MS: u64 = 1_500_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_match_by_name_and_members_of_the_payload() {
        let event = json!({"data": {"name": "saved", "payload": {"id": 5, "ok": true}}});
        let expected = |value: Value| value.as_object().cloned();
        assert!(matches(&event, "saved", None));
        assert!(matches(&event, "saved", expected(json!({"id": 5})).as_ref()));
        assert!(!matches(&event, "saved", expected(json!({"id": 6})).as_ref()));
        assert!(!matches(&event, "saved", expected(json!({"gone": null})).as_ref()));
        assert!(!matches(&event, "other", None));
        let bare = json!({"data": {"name": "saved"}});
        assert!(!matches(&bare, "saved", expected(json!({"id": 5})).as_ref()));
    }
}

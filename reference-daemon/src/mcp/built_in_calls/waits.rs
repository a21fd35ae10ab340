//! The two tools that wait (`BRG-MCP-30`, `BRG-MCP-31`).

use super::event_match::matches;
use super::{OwnTools, call, failure, locked, text, whole};
use crate::mcp::daemon_view::DaemonView;
use crate::mcp::tool_results::Failure;
use crate::rules::WaitTime;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::future::{Future, pending};
use std::time::Duration;
use tokio::time::timeout;

impl OwnTools {
    pub(super) async fn wait_for_session(
        &self,
        arguments: &Map<String, Value>,
        daemon: &DaemonView,
    ) -> Result<Value, Failure> {
        let session = text(arguments, "sessionId").unwrap_or_default();
        let wait = self.session_claimed(session, daemon);
        self.in_time(arguments, wait, || format!("session {session:?} to be claimed")).await
    }

    pub(super) async fn wait_for_event(
        &self,
        arguments: &Map<String, Value>,
        daemon: &DaemonView,
    ) -> Result<Value, Failure> {
        let name = text(arguments, "name").unwrap_or_default();
        let wait = self.event_posted(name, arguments, daemon);
        self.in_time(arguments, wait, || format!("event {name:?}")).await
    }

    async fn session_claimed(&self, session: &str, daemon: &DaemonView) -> Result<Value, Failure> {
        let rules = &self.rules.mcp_own_tools;
        let turn = {
            let mut waits = locked(&self.waits);
            let count = waits.entry(session.to_owned()).or_default();
            *count += 1;
            *count
        };
        let mut happened = daemon.happened();
        let mut there_before: Option<BTreeSet<String>> = None;
        loop {
            happened.borrow_and_update();
            let view = daemon.current().await.map_err(failure)?;
            let replaced = locked(&self.waits).get(session) != Some(&turn);
            if replaced && !rules.several_wait {
                return pending().await;
            }
            let before = there_before.get_or_insert_with(|| view.sessions().iter().map(|one| one.id.clone()).collect());
            let is_new = |id: &str| !before.contains(id);
            let mut live = view.sessions().iter().filter(|one| rules.suspended_is_live || !one.suspended);
            let claimed = live.find(|one| match rules.own_claim {
                true => one.id == session && (rules.live_at_once || is_new(&one.id)),
                false => is_new(&one.id),
            });
            if let Some(claimed) = claimed {
                let mut answer = json!({ "sessionId": session, "claimed": true });
                if rules.tell_alias {
                    answer["alias"] = claimed.alias.as_str().into();
                }
                return Ok(answer);
            }
            if daemon.is_over(session) && rules.end_with_link {
                let message = format!("session {session:?} is over, or its link was");
                return Err(Failure::new("unknown_session", message));
            }
            if !rules.notice_claim {
                return pending().await;
            }
            if happened.changed().await.is_err() {
                return Err(Failure::new("internal_error", "nothing happens any more"));
            }
        }
    }

    async fn event_posted(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        daemon: &DaemonView,
    ) -> Result<Value, Failure> {
        let rules = &self.rules.mcp_own_tools;
        let mut happened = daemon.happened();
        let mut selector = Map::new();
        if let Some(given) = arguments.get("selector") {
            selector.insert("selector".to_owned(), given.clone());
        }
        let described = call(daemon, "sessions.describe", Value::Object(selector)).await?;
        let session = described["sessionId"].as_str().unwrap_or_default().to_owned();
        let key = (session.clone(), name.to_owned());
        let given = || locked(&self.given).get(&key).copied().filter(|_| rules.not_twice);
        let mut since = whole(arguments, "since").or_else(given);
        if !rules.behind_since {
            since = since.map(|since| since.saturating_sub(1));
        }
        if !rules.look_back {
            let now = call(daemon, "events.since", json!({ "selector": session })).await?;
            since = now["cursor"].as_u64();
        }
        let expected = arguments.get("match").and_then(Value::as_object);
        let mut looked_at = 0_u64;
        loop {
            happened.borrow_and_update();
            let page = match self.page(&session, since, daemon).await {
                Err(failure) if failure.kind == "unknown_session" && !rules.end_with_session => {
                    return pending().await;
                }
                page => page?,
            };
            let mut events = page["events"].as_array().into_iter().flatten().inspect(|_| looked_at += 1);
            let is_match = |event: &&Value| matches(event, name, expected, rules);
            let found = match rules.first_match {
                true => events.find(is_match),
                false => events.filter(|event| is_match(event)).last(),
            };
            if let Some(event) = found {
                if let Some(seq) = event["seq"].as_u64() {
                    let mut given = locked(&self.given);
                    let last = given.entry(key).or_default();
                    *last = seq.max(*last);
                }
                return Ok(self.shown(&session, event, looked_at));
            }
            since = page["cursor"].as_u64().or(since);
            if !rules.outlast_suspension {
                let view = daemon.current().await.map_err(failure)?;
                if view.session(&session).is_some_and(|session| session.suspended) {
                    return Err(Failure::new("session_suspended", "the app has no connection"));
                }
            }
            if !rules.look_ahead {
                return pending().await;
            }
            if happened.changed().await.is_err() {
                return Err(Failure::new("internal_error", "nothing happens any more"));
            }
        }
    }

    /// The app's events of a session behind `since`.
    async fn page(&self, session: &str, since: Option<u64>, daemon: &DaemonView) -> Result<Value, Failure> {
        let mut params = json!({ "selector": session, "kinds": ["app_event"] });
        if let Some(since) = since {
            params["since"] = since.into();
        }
        let mut page = call(daemon, "events.since", params).await?;
        if !self.rules.mcp_own_tools.own_session {
            let view = daemon.current().await.map_err(failure)?;
            let mut all = Vec::new();
            for other in view.sessions().iter().filter(|other| other.id != session) {
                let params = json!({ "selector": other.id, "kinds": ["app_event"] });
                let other = call(daemon, "events.since", params).await?;
                all.extend(other["events"].as_array().cloned().unwrap_or_default());
            }
            all.extend(page["events"].as_array().cloned().unwrap_or_default());
            page["events"] = all.into();
        }
        Ok(page)
    }

    /// What the tool shows of an event.
    fn shown(&self, session: &str, event: &Value, looked_at: u64) -> Value {
        let rules = &self.rules.mcp_own_tools;
        let mut shown = json!({ "sessionId": session });
        let payload = event["data"].get("payload").filter(|_| rules.give_payload);
        let seq = match rules.own_seq {
            true => event["seq"].clone(),
            false => looked_at.into(),
        };
        for (key, value) in [
            ("alias", event.get("alias")),
            ("name", event["data"].get("name")),
            ("payload", payload),
            ("ts", event.get("ts")),
            ("seq", Some(&seq)),
        ] {
            if let Some(value) = value {
                shown[key] = value.clone();
            }
        }
        shown
    }

    async fn in_time(
        &self,
        arguments: &Map<String, Value>,
        work: impl Future<Output = Result<Value, Failure>>,
        what: impl FnOnce() -> String,
    ) -> Result<Value, Failure> {
        let rules = &self.rules.mcp_own_tools;
        let asked = whole(arguments, "timeoutMs").unwrap_or(DEFAULT_WAIT_MS);
        let limit = match rules.time {
            WaitTime::Milliseconds => asked,
            WaitTime::Seconds => asked.saturating_mul(1_000),
            WaitTime::AtMost(most) => asked.min(most),
            WaitTime::ThirtyTwoBits => i32::try_from(asked).map_or(1, |_| asked),
        };
        match timeout(Duration::from_millis(limit), work).await {
            Ok(result) => result,
            Err(_) if !rules.timeout_is_error => Ok(json!({ "claimed": false })),
            Err(_) => {
                let message = format!("waited {limit} ms for {}", what());
                Err(Failure::new(rules.timeout_type, message))
            }
        }
    }
}

/// How long a wait lasts unless `timeoutMs` says otherwise, in milliseconds.
const DEFAULT_WAIT_MS: u64 = 120_000;

//! Two views and what happened between them.

use super::*;
use crate::mcp::view::Session;
use crate::mcp::view::tests::{session, view_by};
use serde_json::{Value, json};
use std::sync::Arc;

fn event(kind: &str, data: Value) -> Event {
    Event { kind: kind.to_owned(), session_id: Some("s".to_owned()), alias: Some("a".to_owned()), seq: Some(1), data }
}

fn pending(events: &[Event]) -> Pending {
    let mut pending = Pending::default();
    for event in events {
        pending.note(event);
    }
    pending
}

fn with(tools: &[&str], resources: &[&str]) -> Vec<Session> {
    let tools = tools.iter().map(|name| json!({"name": name, "description": "d"})).collect();
    let resources = resources
        .iter()
        .map(|name| json!({"uri": format!("app://{name}"), "name": name, "description": "d"}))
        .collect();
    vec![session("s", "a", tools, resources)]
}

/// What a ready client, subscribed to `subscribed`, is told.
fn told(old: Vec<Session>, new: Vec<Session>, events: &[Event], subscribed: &[&str], rules: &Rules) -> Vec<String> {
    let mut conversation = ready(subscribed, rules);
    tell(
        &mut conversation,
        &view_by(rules.clone(), old),
        &view_by(rules.clone(), new),
        &pending(events),
        &Naming::default(),
        rules,
    );
    std::iter::from_fn(|| conversation.next_line())
        .map(|line| {
            let line: Value = serde_json::from_str(&line).unwrap();
            let method = line["method"].as_str().unwrap();
            let method = method.strip_prefix("notifications/").unwrap();
            match line["params"]["uri"].as_str() {
                Some(uri) => format!("{method} {uri}"),
                None => method.to_owned(),
            }
        })
        .collect()
}

fn ready(subscribed: &[&str], rules: &Rules) -> Conversation {
    let mut conversation = Conversation::new(Arc::new(rules.clone()));
    let mut send = |message: Value, answer: Value| {
        let passed = conversation.take_line(message.to_string().as_bytes());
        if let Some(number) = passed.first().and_then(|message| message["id"].as_u64()) {
            conversation.answer(number, Ok(answer));
        }
        while conversation.next_line().is_some() {}
    };
    send(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}),
        json!({"protocolVersion": "2025-11-25"}),
    );
    send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), json!({}));
    for uri in subscribed {
        send(json!({"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": {"uri": uri}}), json!({}));
    }
    conversation
}

const TOOLS: &str = "tools/list_changed";
const RESOURCES: &str = "resources/list_changed";

#[test]
fn visible_changes_are_announced_for_their_own_list_only() {
    let rules = Rules::default();
    let told = |old, new| told(old, new, &[], &[], &rules);
    assert_eq!(told(with(&["t"], &["r"]), with(&["t"], &["r", "r2"])), [RESOURCES]);
    assert_eq!(told(with(&["t"], &["r"]), with(&["t"], &[])), [RESOURCES]);
    assert_eq!(told(with(&["t"], &["r"]), with(&["u"], &["r"])), [TOOLS]);
    assert_eq!(told(Vec::new(), with(&["t"], &["r"])), [TOOLS, RESOURCES]);
    assert_eq!(told(with(&["t"], &["r"]), Vec::new()), [TOOLS, RESOURCES]);
    assert_eq!(told(with(&["t"], &["r"]), with(&["t"], &["r"])), [] as [&str; 0]);
}

#[test]
fn suspension_resume_and_repetition_are_not_announced() {
    let mut suspended = with(&["t"], &["r"]);
    suspended[0].suspended = true;
    let events = [event("session_suspended", json!({})), event("tools_changed", json!({}))];
    let rules = Rules::default();
    assert_eq!(told(with(&["t"], &["r"]), suspended.clone(), &events, &[], &rules), [] as [&str; 0]);
    let mut rules = rules;
    rules.mcp_lists.announce_only_visible = false;
    assert_eq!(told(with(&["t"], &["r"]), suspended, &events, &[], &rules), [TOOLS, RESOURCES]);
}

#[test]
fn a_second_session_renames_the_tools_and_moves_no_resource() {
    let mut two = with(&["t"], &["r"]);
    two.push(session("s2", "b", json!([]), json!([])));
    assert_eq!(told(with(&["t"], &["r"]), two, &[], &[], &Rules::default()), [TOOLS]);
}

#[test]
fn a_stale_mark_reaches_the_subscriber_of_that_resource() {
    let events = [event("app_event", json!({"name": "resource_updated", "payload": {"name": "r"}}))];
    let sessions = || {
        let mut sessions = with(&[], &["r", "other"]);
        let same = json!([{"uri": "app://r", "name": "r", "description": "d"}]);
        sessions.push(session("s2", "b", json!([]), same));
        sessions
    };
    let subscribed = ["cordierite://a/r", "cordierite://a/other", "cordierite://b/r"];
    let told_by = |rules: &Rules| told(sessions(), sessions(), &events, &subscribed, rules);
    assert_eq!(told_by(&Rules::default()), ["resources/updated cordierite://a/r"]);
    assert_eq!(told(sessions(), sessions(), &events, &[], &Rules::default()), [] as [&str; 0]);
    let mut rules = Rules::default();
    rules.mcp_answers.updates_by_owner = false;
    assert_eq!(told_by(&rules), ["resources/updated cordierite://a/r", "resources/updated cordierite://b/r"]);
    rules.mcp_answers.updates_by_owner = true;
    rules.mcp_answers.update_exposed_uri = false;
    assert_eq!(told_by(&rules), ["resources/updated app://r"]);
    rules.mcp_answers.forward_updates = false;
    assert_eq!(told_by(&rules), [] as [&str; 0]);
}

#[test]
fn a_mark_on_something_unknown_tells_nobody() {
    let events = [
        event("app_event", json!({"name": "resource_updated", "payload": {"name": "gone"}})),
        event("app_event", json!({"name": "resource_updated", "payload": {"name": 5}})),
        event("app_event", json!({"name": "resource_updated"})),
        event("app_event", json!({"name": "other", "payload": {"name": "r"}})),
    ];
    let subscribed = ["cordierite://a/r"];
    assert_eq!(told(with(&[], &["r"]), with(&[], &["r"]), &events, &subscribed, &Rules::default()), [] as [&str; 0]);
}

#[test]
fn a_mark_counts_for_what_was_registered_when_it_was_made() {
    let mark = event("app_event", json!({"name": "resource_updated", "payload": {"name": "r"}}));
    let change = event("resources_changed", json!({}));
    let subscribed = ["cordierite://a/r"];
    let told_of = |events: &[Event]| told(with(&[], &["r"]), with(&[], &[]), events, &subscribed, &Rules::default());
    assert_eq!(told_of(&[mark.clone(), change.clone()]), [RESOURCES, "resources/updated cordierite://a/r"]);
    assert_eq!(told_of(&[change.clone(), mark.clone()]), [RESOURCES]);
    let mut later = pending(std::slice::from_ref(&mark));
    later.put_back(pending(&[change]));
    assert!(later.stale[0].behind_change);
}

#[test]
fn what_may_be_newer_than_the_list_of_sessions_is_looked_at_again() {
    let ended = pending(&[event("session_revoked", json!({})), event("tools_changed", json!({}))]);
    let again = ended.again();
    assert!(again.sessions && again.tools.is_empty());
    assert_eq!(again.ended, ended.ended);
    let mark = event("app_event", json!({"name": "resource_updated", "payload": {"name": "r"}}));
    assert!(pending(&[mark]).again().is_empty());
}

#[test]
fn subscriptions_survive_suspension_and_removal() {
    let mark = event("app_event", json!({"name": "resource_updated", "payload": {"name": "r"}}));
    let gone = with(&[], &[]);
    let back = with(&[], &["r"]);
    for (bend, told_after) in [
        ((|_| {}) as fn(&mut Rules), 1),
        (|rules| rules.mcp_answers.keep_subscription_on_removal = false, 0),
        (|rules| rules.mcp_answers.keep_subscription_on_suspend = false, 0),
    ] {
        let mut rules = Rules::default();
        bend(&mut rules);
        let mut conversation = ready(&["cordierite://a/r"], &rules);
        let steps = [
            (back.clone(), back.clone(), pending(&[event("session_suspended", json!({}))])),
            (back.clone(), gone.clone(), pending(&[event("resources_changed", json!({}))])),
            (gone.clone(), back.clone(), pending(&[event("resources_changed", json!({}))])),
        ];
        for (old, new, happened) in steps {
            let (old, new) = (view_by(rules.clone(), old), view_by(rules.clone(), new));
            tell(&mut conversation, &old, &new, &happened, &Naming::default(), &rules);
        }
        while conversation.next_line().is_some() {}
        let view = view_by(rules.clone(), back.clone());
        tell(&mut conversation, &view, &view, &pending(std::slice::from_ref(&mark)), &Naming::default(), &rules);
        assert_eq!(std::iter::from_fn(|| conversation.next_line()).count(), told_after);
    }
}

/// A bent rule, the sessions before and after, and what happened between.
type Case<'a> = (fn(&mut Rules), Vec<Session>, Vec<Session>, &'a [Event]);

#[test]
fn each_cause_can_be_silent_on_its_own() {
    let none = Vec::new;
    let revoked = [event("session_revoked", json!({}))];
    let expired = [event("session_expired", json!({}))];
    let cases: [Case<'_>; 4] = [
        (|rules| rules.mcp_lists.announce.registry = false, with(&[], &["r"]), with(&[], &["q"]), &[]),
        (|rules| rules.mcp_lists.announce.claim = false, none(), with(&[], &["r"]), &[]),
        (|rules| rules.mcp_lists.announce.revoke = false, with(&[], &["r"]), none(), &revoked),
        (|rules| rules.mcp_lists.announce.expiry = false, with(&[], &["r"]), none(), &expired),
    ];
    for (index, (bend, _, _, _)) in cases.iter().enumerate() {
        let mut rules = Rules::default();
        bend(&mut rules);
        for (other, (_, old, new, events)) in cases.iter().enumerate() {
            let told = told(old.clone(), new.clone(), events, &[], &rules);
            assert_eq!(told.is_empty(), index == other, "{index} {other}");
        }
    }
}

#[test]
fn the_sessions_resource_is_stale_when_the_summaries_differ() {
    let mut suspended = with(&[], &[]);
    suspended[0].suspended = true;
    let subscribed = ["cordierite://sessions"];
    assert_eq!(
        told(with(&[], &[]), suspended, &[], &subscribed, &Rules::default()),
        ["resources/updated cordierite://sessions"]
    );
}

#[test]
fn what_could_not_be_shown_is_kept_in_order() {
    let mark = |name: &str| event("app_event", json!({"name": "resource_updated", "payload": {"name": name}}));
    let mut later = pending(&[mark("b")]);
    later.put_back(pending(&[mark("a"), event("session_revoked", json!({}))]));
    let names: Vec<_> = later.stale.iter().map(|mark| mark.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(later.sessions && !later.is_empty());
}

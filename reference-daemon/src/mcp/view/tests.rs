//! Views of plain values.

use super::*;
use crate::rules::BadSchema;
use std::collections::BTreeSet;

pub(crate) fn session(id: &str, alias: &str, tools: Value, resources: Value) -> Session {
    session_by(&Rules::default(), id, alias, tools, resources)
}

fn session_by(rules: &Rules, id: &str, alias: &str, tools: Value, resources: Value) -> Session {
    Session {
        id: id.to_owned(),
        alias: alias.to_owned(),
        suspended: false,
        tools: read_tools(&tools, rules),
        resources: read_resources(&resources, rules),
    }
}

pub(crate) fn view(sessions: Vec<Session>) -> View {
    view_by(Rules::default(), sessions)
}

pub(crate) fn view_by(rules: Rules, sessions: Vec<Session>) -> View {
    let summaries =
        sessions.iter().map(|session| json!({"sessionId": session.id, "suspended": session.suspended})).collect();
    View::new(Arc::new(rules), Arc::new(Naming::default()), summaries, sessions)
}

fn tool(name: &str) -> Value {
    json!({"name": name, "description": "d", "policy": "allow"})
}

fn resource(name: &str) -> Value {
    json!({"uri": format!("app://{name}"), "name": name, "description": "d", "policy": "allow"})
}

fn names(entries: &[Value], key: &str) -> Vec<String> {
    entries.iter().map(|entry| entry[key].as_str().unwrap().to_owned()).collect()
}

#[test]
fn without_sessions_the_own_tools_and_the_sessions_resource_are_there() {
    let view = view(Vec::new());
    assert_eq!(
        names(&view.tool_list(Revision::LATEST), "name"),
        [
            "cordierite_connect",
            "cordierite_wait_for_session",
            "cordierite_events",
            "cordierite_wait_for_event",
            "cordierite_list_resources",
            "cordierite_read"
        ]
    );
    assert_eq!(names(&view.resource_list(Revision::LATEST), "uri"), ["cordierite://sessions"]);
}

#[test]
fn equal_names_of_two_sessions_lead_to_their_owners() {
    let view = view(vec![
        session("s1", "pixel", json!([tool("send")]), json!([resource("cart")])),
        session("s2", "pixel-2", json!([tool("send")]), json!([resource("cart")])),
    ]);
    for (name, owner) in [("pixel__send", "s1"), ("pixel-2__send", "s2")] {
        let Some(ToolTarget::App(tool)) = view.tool(name) else { panic!("{name}") };
        assert_eq!((tool.session.as_str(), tool.descriptor.name()), (owner, "send"));
    }
    for (uri, owner) in [("cordierite://pixel/cart", "s1"), ("cordierite://pixel-2/cart", "s2")] {
        let Some(ResourceTarget::App(resource)) = view.resource(uri) else { panic!("{uri}") };
        assert_eq!(resource.session, owner);
    }
}

#[test]
fn every_listed_entry_round_trips() {
    let long = "x".repeat(64);
    let tools = json!([tool("cordierite_read"), tool(&long), tool("a__b"), tool("-"), tool("_")]);
    let alias = "p".repeat(128);
    let view = view(vec![
        session("s1", &alias, tools.clone(), json!([resource("a"), resource("A")])),
        session("s2", "q", tools, json!([resource("a__b"), resource("sessions")])),
    ]);
    let listed = names(&view.tool_list(Revision::LATEST), "name");
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), 16);
    assert!(listed.iter().all(|name| name.len() <= 64 && view.tool(name).is_some()));
    let uris = names(&view.resource_list(Revision::LATEST), "uri");
    assert_eq!(uris.iter().collect::<BTreeSet<_>>().len(), 5);
    assert!(uris.iter().all(|uri| view.resource(uri).is_some()));
}

#[test]
fn uris_are_compared_byte_for_byte() {
    let sessions = || vec![session("s", "pixel", json!([]), json!([resource("cart")]))];
    let exact = view(sessions());
    for uri in [
        "cordierite://pixel/cart/",
        "cordierite://pixel/Cart",
        "CORDIERITE://pixel/cart",
        "cordierite://pixel/%63art",
        "cordierite://pixel//cart",
        "cordierite://pixel/cart#x",
        "cordierite://other/cart",
        "cordierite://cart",
        "app://cart",
        "",
    ] {
        assert_eq!(exact.resource(uri), None, "{uri}");
    }
    let mut rules = Rules::default();
    rules.mcp_answers.exact_uris = false;
    assert!(view_by(rules, sessions()).resource("cordierite://pixel/Cart/").is_some());
}

#[test]
fn entries_are_mapped_and_icons_follow_the_revision() {
    let resources = json!([{
        "uri": "app://cart", "name": "cart", "description": "The cart", "mime_type": "application/json", "title": "Cart",
        "size": 9_007_199_254_740_991_u64,
        "annotations": {"audience": ["user"], "priority": 0.1, "last_modified": "2025-01-12T15:00:58Z"},
        "icons": [{"src": "https://example.org/i.png", "mime_type": "image/png", "sizes": ["48x48"]}],
        "zz": "unknown", "policy": "allow"
    }]);
    let view = view(vec![session("s", "a", json!([]), resources)]);
    let old = view.resource_list(Revision::R20250618)[1].clone();
    let mut expected = json!({
        "uri": "cordierite://a/cart", "name": "cart", "description": "The cart", "mimeType": "application/json",
        "title": "Cart", "size": 9_007_199_254_740_991_u64,
        "annotations": {"audience": ["user"], "priority": 0.1, "lastModified": "2025-01-12T15:00:58Z"},
    });
    assert_eq!(old, expected);
    expected["icons"] = json!([{"src": "https://example.org/i.png", "mimeType": "image/png", "sizes": ["48x48"]}]);
    assert_eq!(view.resource_list(Revision::R20251125)[1], expected);
    assert_eq!(view.fallback_list(Revision::R20251125), view.resource_list(Revision::R20251125));
}

#[test]
fn absent_members_stay_absent() {
    let view = view(vec![session("s", "a", json!([tool("t")]), json!([resource("r")]))]);
    assert_eq!(
        view.resource_list(Revision::LATEST)[1],
        json!({"uri": "cordierite://a/r", "name": "r", "description": "d"})
    );
    assert_eq!(
        view.tool_list(Revision::LATEST)[6],
        json!({"name": "t", "description": "d", "inputSchema": {"type": "object"}})
    );
}

#[test]
fn a_bad_schema_costs_the_schema_and_nothing_else() {
    let tools = json!([
        {"name": "bad", "description": "d", "input_schema": {"type": "string"}, "output_schema": {"type": "int"}},
        tool("good")
    ]);
    let repaired = view(vec![session("s", "a", tools.clone(), json!([]))]);
    assert_eq!(
        repaired.tool_list(Revision::LATEST)[6],
        json!({"name": "bad", "description": "d", "inputSchema": {"type": "object"}})
    );
    assert!(matches!(repaired.tool("bad"), Some(ToolTarget::App(_))));
    for (bad, left) in [(BadSchema::HideTool, 7), (BadSchema::HideAll, 6), (BadSchema::PassOn, 8)] {
        let mut rules = Rules::default();
        rules.mcp_lists.bad_schema = bad;
        let session = session_by(&rules, "s", "a", tools.clone(), json!([]));
        let view = view_by(rules, vec![session]);
        assert_eq!(view.tool_list(Revision::LATEST).len(), left, "{bad:?}");
    }
}

#[test]
fn an_entry_that_is_none_hides_no_other() {
    let view =
        view(vec![session("s", "a", json!([5, {"name": "no description"}, tool("good")]), json!({"not": "a list"}))]);
    assert_eq!(view.tool_list(Revision::LATEST).len(), 7);
    assert_eq!(view.resource_list(Revision::LATEST).len(), 1);
}

#[test]
fn resources_never_take_slots_among_the_tools() {
    let sessions = || vec![session("s", "a", json!([]), json!([resource("r1"), resource("r2")]))];
    assert_eq!(view(sessions()).tool_list(Revision::LATEST).len(), 6);
    let mut rules = Rules::default();
    rules.fallback.two_slots_only = false;
    let bent = view_by(rules, sessions());
    assert_eq!(bent.tool_list(Revision::LATEST).len(), 8);
    assert_eq!(bent.tool("cordierite_read_r1"), Some(ToolTarget::ReadOf("cordierite://a/r1")));
}

#[test]
fn suspended_sessions_stay_listed() {
    let suspended = || {
        let mut session = session("s", "a", json!([tool("t")]), json!([resource("r")]));
        session.suspended = true;
        vec![session]
    };
    let view = view(suspended());
    assert!(view.tool("t").is_some() && view.resource("cordierite://a/r").is_some());
    let mut rules = Rules::default();
    rules.mcp_lists.list_suspended_tools = false;
    rules.mcp_lists.list_suspended_resources = false;
    let bent = view_by(rules, suspended());
    assert!(bent.tool("t").is_none() && bent.resource("cordierite://a/r").is_none());
}

#[test]
fn a_bent_list_shows() {
    let sessions = || vec![session("s", "a", json!([tool("cordierite_read")]), json!([resource("r")]))];
    let bent = |bend: fn(&mut Rules)| {
        let mut rules = Rules::default();
        bend(&mut rules);
        view_by(rules, sessions())
    };
    let shadowed = bent(|rules| rules.mcp_lists.protect_built_ins = false);
    assert_eq!(shadowed.tool_list(Revision::LATEST).len(), 6);
    assert!(matches!(shadowed.tool("cordierite_read"), Some(ToolTarget::App(_))));
    let bare = bent(|rules| rules.mcp_lists.uri_with_alias = false);
    assert!(bare.resource("cordierite://r").is_some());
    let reversed = bent(|rules| rules.fallback.same_order = false);
    assert_eq!(reversed.fallback_list(Revision::LATEST)[0]["uri"], "cordierite://sessions");
    let short = bent(|rules| rules.fallback.full_entries = false);
    assert_eq!(short.fallback_list(Revision::LATEST)[1].as_object().unwrap().len(), 2);
    let nulls = bent(|rules| rules.mcp_lists.null_for_absent = true);
    assert_eq!(nulls.resource_list(Revision::LATEST)[1]["size"], Value::Null);
    assert!(nulls.resource_list(Revision::LATEST)[1].get("size").is_some());
}

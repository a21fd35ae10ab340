//! Lines in, lines out.

use super::*;

fn conversation() -> Conversation {
    Conversation::new(Arc::new(Rules::default()))
}

fn bent(bend: fn(&mut Rules)) -> Conversation {
    let mut rules = Rules::default();
    bend(&mut rules);
    Conversation::new(Arc::new(rules))
}

/// A connection whose client said `initialized`.
fn ready() -> Conversation {
    opened(conversation())
}

fn opened(mut conversation: Conversation) -> Conversation {
    let passed = send(&mut conversation, initialize());
    conversation.answer(number(&passed), Ok(json!({"protocolVersion": "2025-06-18"})));
    send(&mut conversation, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    written(&mut conversation);
    conversation
}

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {"sampling": 5},
        "clientInfo": {"name": "c", "version": "1", "icons": "odd"},
    }})
}

fn request(id: Value, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn send(conversation: &mut Conversation, message: Value) -> Vec<Value> {
    conversation.take_line(message.to_string().as_bytes())
}

fn number(passed: &[Value]) -> u64 {
    assert_eq!(passed.len(), 1, "{passed:?}");
    passed[0]["id"].as_u64().unwrap()
}

fn written(conversation: &mut Conversation) -> Vec<Value> {
    std::iter::from_fn(|| conversation.next_line()).map(|line| serde_json::from_str(&line).unwrap()).collect()
}

#[test]
fn garbage_is_answered_and_the_connection_lives() {
    let mut conversation = ready();
    for (line, code) in [
        (&b"{ not json"[..], -32700),
        (b"\xff\xfe", -32700),
        (br#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, -32700),
        (br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32600),
        (b"[]", -32600),
        (b"5", -32600),
        (b"{}", -32600),
    ] {
        assert!(conversation.take_line(line).is_empty());
        let answers = written(&mut conversation);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0]["error"]["code"], code, "{line:?}");
        assert_eq!(answers[0]["id"], Value::Null);
    }
    for blank in [&b""[..], b"   ", b"\r", b"\t\r"] {
        assert!(conversation.take_line(blank).is_empty());
    }
    assert!(written(&mut conversation).is_empty());
    assert_eq!(conversation.take_line(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r").len(), 1);
    assert!(!conversation.is_broken());
    conversation.line_too_long(10);
    assert_eq!(written(&mut conversation)[0]["error"]["code"], -32600);
}

#[test]
fn before_initialize_only_ping_is_served() {
    let mut conversation = conversation();
    assert!(send(&mut conversation, request(json!(1), "ping", json!({}))).is_empty());
    assert!(send(&mut conversation, request(json!(2), "tools/list", json!({}))).is_empty());
    assert!(send(&mut conversation, request(json!(3), "server/discover", json!({}))).is_empty());
    assert!(send(&mut conversation, json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).is_empty());
    let answers = written(&mut conversation);
    assert_eq!(answers[0], json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert_eq!(answers[1]["error"]["code"], -32600);
    assert_eq!(answers[2]["error"]["code"], -32601);
    assert_eq!(send(&mut conversation, initialize()).len(), 1);
}

#[test]
fn odd_client_details_do_not_reach_the_sdk() {
    let mut conversation = conversation();
    let passed = send(&mut conversation, initialize());
    assert_eq!(passed[0]["params"]["capabilities"], json!({}));
    assert_eq!(passed[0]["params"]["clientInfo"], json!({"name": "c", "version": "1"}));
}

#[test]
fn a_second_initialize_is_refused_and_changes_nothing() {
    let mut conversation = ready();
    assert!(send(&mut conversation, initialize()).is_empty());
    assert_eq!(written(&mut conversation)[0]["error"]["code"], -32600);
    assert_eq!(conversation.revision(), Revision::R20250618);
    assert_eq!(send(&mut conversation, request(json!(1), "tools/list", json!({}))).len(), 1);
}

#[test]
fn an_initialize_that_failed_can_be_repeated() {
    let mut conversation = conversation();
    let mut wrong = initialize();
    wrong["params"]["protocolVersion"] = json!(5);
    assert!(send(&mut conversation, wrong).is_empty());
    assert_eq!(written(&mut conversation)[0]["error"]["code"], -32602);
    let passed = send(&mut conversation, initialize());
    conversation.answer(number(&passed), Err(json!({"code": -32603, "message": "m"})));
    assert_eq!(send(&mut conversation, initialize()).len(), 1);
}

#[test]
fn ids_come_back_as_they_went() {
    let mut conversation = ready();
    let ids = [
        json!(0),
        json!(-1),
        json!(9_007_199_254_740_993_u64),
        json!(u64::MAX),
        json!(""),
        json!("0"),
        json!("a\"b é"),
    ];
    for id in &ids {
        let passed = send(&mut conversation, request(id.clone(), "ping", json!({})));
        conversation.answer(number(&passed), Ok(json!({})));
        send(&mut conversation, request(id.clone(), "nonsense", json!({})));
        send(&mut conversation, request(id.clone(), "tools/call", json!({})));
    }
    let answers = written(&mut conversation);
    for (chunk, id) in answers.chunks(3).zip(&ids) {
        assert!(chunk.iter().all(|answer| answer["id"] == *id), "{id}");
        assert_eq!(chunk[1]["error"]["code"], -32601);
        assert_eq!(chunk[2]["error"]["code"], -32602);
    }
}

#[test]
fn two_open_requests_with_one_id_get_an_answer_each() {
    let mut conversation = ready();
    let first = number(&send(&mut conversation, request(json!(1), "ping", json!({}))));
    let second = number(&send(&mut conversation, request(json!(1), "ping", json!({}))));
    let other = number(&send(&mut conversation, request(json!("1"), "ping", json!({}))));
    for (number, marker) in [(second, "b"), (other, "c"), (first, "a")] {
        conversation.answer(number, Ok(json!(marker)));
    }
    conversation.answer(first, Ok(json!("again")));
    let answers = written(&mut conversation);
    let seen: Vec<_> = answers.iter().map(|answer| (answer["id"].clone(), answer["result"].clone())).collect();
    assert_eq!(seen, [(json!(1), json!("b")), (json!("1"), json!("c")), (json!(1), json!("a"))]);
}

#[test]
fn a_cancelled_request_gets_no_answer_and_no_progress() {
    let mut conversation = ready();
    let call = request(json!(7), "tools/call", json!({"name": "x", "_meta": {"progressToken": 7}}));
    let number = number(&send(&mut conversation, call));
    for id in [json!("7"), json!(8), Value::Null] {
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
        assert!(send(&mut conversation, cancel).is_empty());
    }
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7, "reason": "r"}});
    let passed = send(&mut conversation, cancel);
    assert_eq!(passed[0]["params"]["requestId"], number);
    conversation.progress(number, Some(&1.into()), None);
    conversation.answer(number, Ok(json!({})));
    assert!(written(&mut conversation).is_empty());
}

#[test]
fn progress_increases_and_keeps_its_token() {
    for token in [json!(0), json!("p"), json!(u64::MAX)] {
        let mut conversation = ready();
        let call = request(json!(1), "tools/call", json!({"name": "x", "_meta": {"progressToken": token}}));
        let number = number(&send(&mut conversation, call));
        assert!(conversation.wants_progress(number));
        conversation.progress(number, None, Some("begins"));
        conversation.progress(number, Number::from_f64(0.5).as_ref(), None);
        conversation.progress(number, Number::from_f64(0.25).as_ref(), None);
        conversation.progress(number, Number::from_f64(0.5).as_ref(), Some("still"));
        conversation.progress(number, Some(&1.into()), Some("done"));
        conversation.answer(number, Ok(json!({})));
        conversation.progress(number, Some(&2.into()), None);
        let lines = written(&mut conversation);
        assert_eq!(lines.len(), 5);
        let mut last = -1.0;
        for line in &lines[..4] {
            assert_eq!(line["params"]["progressToken"], token);
            let value = line["params"]["progress"].as_f64().unwrap();
            assert!(value > last);
            last = value;
        }
        assert_eq!(lines[1]["params"], json!({"progressToken": token, "progress": 0.5}));
        assert_eq!(lines[3]["params"], json!({"progressToken": token, "progress": 1, "message": "done"}));
    }
}

#[test]
fn without_a_token_there_is_no_progress() {
    let mut conversation = ready();
    let number = number(&send(&mut conversation, request(json!(1), "tools/call", json!({"name": "x"}))));
    conversation.progress(number, Some(&1.into()), Some("m"));
    assert!(written(&mut conversation).is_empty());
}

#[test]
fn updates_begin_after_the_subscription_is_answered_and_end_before_its_end_is() {
    let mut conversation = ready();
    let subscribe = request(json!(1), "resources/subscribe", json!({"uri": "x://a/r"}));
    let subscribing = number(&send(&mut conversation, subscribe));
    conversation.updated("x://a/r", "x://a/r");
    conversation.answer(subscribing, Ok(json!({})));
    conversation.updated("x://a/r", "x://a/r");
    conversation.updated("x://a/r", "x://a/r");
    conversation.updated("x://a/other", "x://a/other");
    let lines = written(&mut conversation);
    assert_eq!(lines[0]["result"], json!({}));
    assert_eq!(
        lines[1..],
        [json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "x://a/r"}})]
    );
    let unsubscribe = request(json!(2), "resources/unsubscribe", json!({"uri": "x://a/r"}));
    let unsubscribing = number(&send(&mut conversation, unsubscribe));
    conversation.answer(unsubscribing, Ok(json!({})));
    conversation.updated("x://a/r", "x://a/r");
    assert_eq!(written(&mut conversation), [json!({"jsonrpc": "2.0", "id": 2, "result": {}})]);
}

#[test]
fn a_refused_subscription_is_none() {
    let mut conversation = ready();
    let subscribe = request(json!(1), "resources/subscribe", json!({"uri": "x://a/r"}));
    let subscribing = number(&send(&mut conversation, subscribe));
    conversation.answer(subscribing, Err(json!({"code": -32002, "message": "m"})));
    conversation.updated("x://a/r", "x://a/r");
    assert_eq!(written(&mut conversation).len(), 1);
}

#[test]
fn nothing_is_announced_before_initialized_and_what_was_seen_is_announced_then() {
    let mut conversation = conversation();
    let passed = send(&mut conversation, initialize());
    conversation.announce(List::Tools);
    conversation.answer(number(&passed), Ok(json!({"protocolVersion": "2025-11-25"})));
    let listing = number(&send(&mut conversation, request(json!(2), "resources/list", json!({}))));
    conversation.answer(listing, Ok(json!({"resources": []})));
    conversation.announce(List::Tools);
    conversation.announce(List::Resources);
    assert_eq!(written(&mut conversation).len(), 2);
    send(&mut conversation, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let lines = written(&mut conversation);
    assert_eq!(lines, [json!({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"})]);
}

#[test]
fn an_initialized_that_overtakes_the_answer_counts() {
    let mut conversation = conversation();
    let passed = send(&mut conversation, initialize());
    send(&mut conversation, json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    conversation.answer(number(&passed), Ok(json!({"protocolVersion": "2025-11-25"})));
    conversation.announce(List::Tools);
    assert_eq!(written(&mut conversation).len(), 2);
}

#[test]
fn a_waiting_announcement_stands_for_later_ones() {
    let mut conversation = ready();
    for _ in 0..100 {
        conversation.announce(List::Tools);
        conversation.announce(List::Resources);
    }
    assert_eq!(written(&mut conversation).len(), 2);
    conversation.announce(List::Tools);
    assert_eq!(written(&mut conversation).len(), 1);
}

#[test]
fn bent_rules_show_on_the_wire() {
    let mut strings = opened(bent(|rules| rules.mcp.ids_verbatim = false));
    send(&mut strings, request(json!(1), "nonsense", json!({})));
    assert_eq!(written(&mut strings)[0]["id"], "1");

    let mut broadcast = opened(bent(|rules| rules.mcp_answers.updates_to_subscribers_only = false));
    broadcast.updated("x://a/r", "x://a/r");
    assert_eq!(written(&mut broadcast).len(), 1);

    let mut fragile = opened(bent(|rules| rules.mcp.survive_garbage = false));
    fragile.take_line(b"{");
    assert!(fragile.is_broken());

    let mut eager = bent(|rules| rules.mcp.await_initialized = false);
    eager.announce(List::Tools);
    assert_eq!(written(&mut eager).len(), 1);

    let mut loud = opened(bent(|rules| rules.mcp.silent_after_cancel = false));
    send(&mut loud, request(json!(1), "ping", json!({})));
    send(&mut loud, json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    assert_eq!(written(&mut loud)[0]["id"], 1);
}

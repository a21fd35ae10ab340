use super::*;
use proptest::prelude::*;
use serde_json::json;

fn matcher(expected: Value) -> Matcher {
    Matcher::from_value(&expected).unwrap()
}

/// Empty when it matches, else what a person is told.
fn told(expected: Value, actual: Value) -> String {
    matcher(expected).check(&actual).message()
}

fn assert_told(name: &str, told: String) {
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(name, told) });
}

fn holds(expected: Value, actual: Value) -> bool {
    let outcome = matcher(expected).check(&actual);
    assert_eq!(outcome.matched, outcome.mismatches.is_empty());
    outcome.matched
}

#[test]
fn maps_match_as_subsets_lists_in_full_numbers_by_value() {
    assert!(holds(json!({"a": 1}), json!({"b": 2, "a": 1.0})));
    assert!(holds(json!([1, {"a": 2}]), json!([1, {"a": 2, "b": 3}])));
    assert!(holds(json!(null), json!(null)));
    assert!(holds(json!({}), json!({"a": 1})));
    assert!(!holds(json!({}), json!([])));
    assert!(!holds(json!([1, 2]), json!([2, 1])));
    assert!(!holds(json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)));
    assert!(!holds(json!("1"), json!(1)));
}

#[test]
fn every_matcher_can_hold_and_can_fail() {
    let cases = [
        ("$any", json!({"x": {"$any": true}}), json!({"x": null}), json!({})),
        ("$present", json!({"x": {"$present": true}}), json!({"x": null}), json!({})),
        ("$absent", json!({"x": {"$absent": true}}), json!({}), json!({"x": null})),
        ("$exactly", json!({"$exactly": {"a": {"b": 1}}}), json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 2}})),
        ("$not", json!({"$not": 1}), json!(2), json!(1)),
        ("$all", json!({"$all": [{"a": 1}, {"b": 2}]}), json!({"a": 1, "b": 2}), json!({"a": 1})),
        ("$one_of", json!({"$one_of": [1, 2]}), json!(2), json!(3)),
        ("$contains", json!({"$contains": [1, {"$at_least": 5}]}), json!([6, 1]), json!([1, 4])),
        ("$lacks", json!({"$lacks": [1, 2]}), json!([3]), json!([3, 2])),
        ("$unordered", json!({"$unordered": [1, {"$any": true}]}), json!([2, 1]), json!([2, 3])),
        ("$each", json!({"$each": {"$type": "string"}}), json!(["a", "b"]), json!(["a", 1])),
        ("$unique", json!({"$unique": true}), json!([1, 2]), json!([1, 2, 1.0])),
        ("$length", json!({"$length": 2}), json!(["a", "b"]), json!(["a"])),
        ("$bytes", json!({"$bytes": 4}), json!("éé"), json!("éééé")),
        ("$matches", json!({"$matches": "^a+$"}), json!("aaa"), json!("aab")),
        ("$starts_with", json!({"$starts_with": "ab"}), json!("abc"), json!("bab")),
        ("$ends_with", json!({"$ends_with": "ab"}), json!("cab"), json!("abc")),
        ("$at_least", json!({"$at_least": 2}), json!(2), json!(1.5)),
        ("$at_most", json!({"$at_most": 2}), json!(2), json!(2.5)),
        ("$between", json!({"$between": [1, 2]}), json!(1.5), json!(3)),
        ("$type", json!({"$type": "integer"}), json!(1), json!(1.5)),
        ("$parsed", json!({"$parsed": {"a": 1}}), json!("{\"a\": 1}"), json!("{\"a\": 2}")),
        ("$decoded", json!({"$decoded": {"$bytes": "ff00"}}), json!("/wA="), json!("/wE=")),
        ("$schema", json!({"$schema": {"type": "object", "required": ["a"]}}), json!({"a": 1}), json!({})),
        ("$capture", json!({"$capture": {"as": "x", "is": {"$type": "number"}}}), json!(1), json!("1")),
    ];
    for (key, expected, right, wrong) in &cases {
        assert!(holds(expected.clone(), right.clone()), "{key}: {expected} should match {right}");
        assert!(!holds(expected.clone(), wrong.clone()), "{key}: {expected} should not match {wrong}");
    }
    for syntax in MATCHERS {
        assert!(cases.iter().any(|(key, ..)| *key == syntax.key), "{} is not tried", syntax.key);
    }
}

#[test]
fn what_is_missing_satisfies_only_absent() {
    for operand in [
        json!({"$not": 5}),
        json!({"$lacks": ["a"]}),
        json!({"$each": 1}),
        json!({"$type": "null"}),
        json!(null),
        json!({"$any": true}),
        json!({"$capture": "x"}),
        json!({}),
    ] {
        assert!(!holds(json!({"x": operand}), json!({})), "{operand}");
    }
    assert!(holds(json!({"x": {"$one_of": [{"$absent": true}, 1]}}), json!({})));
    assert!(holds(json!({"x": {"$one_of": [{"$absent": true}, 1]}}), json!({"x": 1})));
}

#[test]
fn several_matchers_in_one_map_must_all_hold() {
    let expected = json!({"uris": {"$contains": ["a"], "$lacks": ["b"], "$length": 2}});
    assert!(holds(expected.clone(), json!({"uris": ["a", "c"]})));
    assert!(!holds(expected.clone(), json!({"uris": ["a", "b"]})));
    assert!(!holds(expected.clone(), json!({"uris": ["a"]})));
    for expected in [expected, json!({"$all": []}), json!({"$all": [1, {"a": 1}]})] {
        assert_eq!(matcher(expected.clone()).expected(), expected);
    }
}

#[test]
fn texts_contain_and_lack_parts() {
    assert!(holds(json!({"$contains": "b"}), json!("abc")));
    assert!(holds(json!({"$contains": ["a", "c"]}), json!("abc")));
    assert!(!holds(json!({"$lacks": "b"}), json!("abc")));
    assert!(holds(json!({"$lacks": ["x", "y"]}), json!("abc")));
}

#[test]
fn unordered_finds_a_pairing_that_a_greedy_search_misses() {
    let expected = json!({"$unordered": [{"$any": true}, 1]});
    assert!(holds(expected.clone(), json!([1, 2])));
    assert!(holds(expected, json!([2, 1])));
}

#[test]
fn a_thousand_entries_in_any_order_are_no_matter() {
    let entry = |index: usize| json!({"uri": format!("app://r/{index}"), "name": format!("r-{index}")});
    let expected: Vec<_> = (0..1000).map(entry).collect();
    let actual: Vec<_> = (0..1000).rev().map(entry).collect();
    assert!(holds(json!({"$unordered": expected}), json!(actual)));
    assert!(holds(json!({"$contains": expected, "$length": 1000}), json!(actual)));
}

#[test]
fn alternatives_and_captures_are_reported_only_when_they_count() {
    let expected = matcher(json!({
        "code": {"$one_of": {"bad_utf8": 1007, "bad_json": 1008}},
        "reason": {"$capture": "reason"},
        "list": {"$contains": [{"id": {"$capture": "id"}, "n": 2}]},
    }));
    let outcome =
        expected.check(&json!({"code": 1008, "reason": "x", "list": [{"id": "a", "n": 1}, {"id": "b", "n": 2}]}));
    assert_eq!(outcome.alternative.as_deref(), Some("bad_json"));
    assert_eq!(outcome.captures, [("reason".to_owned(), json!("x")), ("id".to_owned(), json!("b"))]);
    let outcome = expected.check(&json!({"code": 1008, "reason": "x", "list": []}));
    assert_eq!((outcome.alternative, outcome.captures.len()), (None, 0));
}

#[test]
fn people_are_told_place_expectation_and_what_came() {
    assert_told(
        "mismatches",
        [
            told(json!({"uris": {"$contains": ["app://cart"]}}), json!({"uris": ["app://user"]})),
            told(json!({"uris": {"$lacks": ["app://cart"]}}), json!({"uris": ["app://user", "app://cart"]})),
            told(json!({"code": 1008, "reason": "invalid_registry"}), json!({"code": 1011, "reason": ""})),
            told(json!({"code": {"$one_of": {"bad_utf8": 1007, "bad_json": 1008}}}), json!({"code": 1000})),
            told(json!({"a": {"b": [1, 2]}}), json!({"a": {"b": [1]}})),
            told(json!({"a": {"$absent": true}}), json!({"a": null})),
            told(json!({"a": 1}), json!({})),
            told(json!({"a": {"$not": {"$type": "string"}}}), json!({"a": "x"})),
            told(json!({"uris": ["a"]}), json!({"error": {"code": -32000, "message": "no"}})),
            told(json!({"$exactly": {"a": 1}}), json!({"a": 1, "b/c": 2})),
            told(json!({"list": {"$length": 1000}}), json!({"list": [1, 2]})),
            told(json!({"list": {"$length": {"$between": [3, 5]}}}), json!({"list": [1, 2]})),
            told(json!({"list": {"$unique": true}}), json!({"list": ["a", "a"]})),
            told(json!({"list": {"$unordered": [1, 2]}}), json!({"list": [1, 3]})),
            told(json!({"text": {"$parsed": {"ok": true}}}), json!({"text": "{\"ok\":false}"})),
            told(json!({"text": {"$parsed": {"ok": true}}}), json!({"text": "ok"})),
            told(json!({"blob": {"$decoded": {"$bytes": "00ff"}}}), json!({"blob": "AAE="})),
            told(json!({"tool": {"$schema": {"required": ["name"]}}}), json!({"tool": {}})),
            told(json!({"exit": {"$between": [1, 3]}}), json!({"exit": 0})),
            told(json!({"text": {"$matches": "^ab?$"}}), json!({"text": "b".repeat(1000)})),
            told(json!({"stdout": {"$contains": "é", "$starts_with": "x"}}), json!({"stdout": 5})),
        ]
        .join("\n"),
    );
}

#[test]
fn values_from_the_run_are_exact_and_values_from_the_table_are_as_written() {
    let scope = json!({
        "before": {"uris": [{"$schema": "x"}]},
        "list": [1, 2],
        "case": {"expect": {"error": {"data": {"type": {"$starts_with": "tool"}}}}, "many": [1, {"$at_least": 5}], "one_of": {"a": 1, "b": 2}},
    });
    let Value::Object(scope) = scope else { unreachable!("written as an object") };
    let compile = |value: Value| Matcher::compile(&Node::synthetic(value), &scope).unwrap();
    assert!(compile(json!("${before}")).matches(&json!({"uris": [{"$schema": "x"}]})));
    assert!(!compile(json!("${before}")).matches(&json!({"uris": [{"$schema": "x"}], "more": 1})));
    assert!(compile(json!("${case.expect}")).matches(&json!({"error": {"code": 1, "data": {"type": "tool_timeout"}}})));
    assert!(compile(json!({"$unordered": "${list}"})).matches(&json!([2, 1])));
    assert!(compile(json!({"$contains": "${case.many}"})).matches(&json!([7, 1])));
    assert!(!compile(json!({"$contains": "${case.many}"})).matches(&json!([1])));
    assert_eq!(compile(json!({"$one_of": "${case.one_of}"})).check(&json!(2)).alternative.as_deref(), Some("b"));
    assert!(compile(json!({"$repeat": ["ab", 2]})).matches(&json!("abab")));
    assert!(compile(json!({"$$schema": "x"})).matches(&json!({"$schema": "x", "type": "object"})));
}

#[test]
fn operands_that_make_no_sense_are_refused() {
    let refused = |value: Value| Matcher::from_value(&value).unwrap_err().to_string();
    assert_told(
        "refusals",
        [
            refused(json!({"$contain": []})),
            refused(json!({"$matches": "("})),
            refused(json!({"$matches": 1})),
            refused(json!({"$all": 1})),
            refused(json!({"$one_of": {}})),
            refused(json!({"$any": false})),
            refused(json!({"$between": [1]})),
            refused(json!({"$type": "text"})),
            refused(json!({"$schema": {"type": "nonsense"}})),
            refused(json!({"$capture": 1})),
            refused(json!({"a": "${nowhere}"})),
            refused(json!({"a": {"$base64": "/w=="}})),
        ]
        .join("\n"),
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let keys = prop_oneof![
        "[a-b]{1,2}",
        proptest::sample::select(MATCHERS.iter().map(|matcher| matcher.key.to_owned()).collect::<Vec<_>>()),
    ];
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|flag| json!(flag)),
        (0..4_i64).prop_map(|number| json!(number)),
        proptest::sample::select(vec!["", "a", "(", "object", "AA==", "${a}", "${", "{\"a\":1}"])
            .prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|items| json!(items)),
            proptest::collection::vec((keys.clone(), inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_makes_a_matcher_panic(expected in any_json(), actual in any_json()) {
        if let Ok(matcher) = Matcher::from_value(&expected) {
            let outcome = matcher.check(&actual);
            prop_assert_eq!(outcome.matched, outcome.mismatches.is_empty());
            // What is reported as expected means the same when it is read again.
            let again = Matcher::from_value(&matcher.expected()).unwrap();
            prop_assert_eq!(again.matches(&actual), outcome.matched);
        }
    }

    #[test]
    fn equality_is_reflexive_and_exact(one in any_json(), other in any_json()) {
        prop_assert!(Matcher::equal_to(one.clone()).matches(&one));
        prop_assert_eq!(Matcher::equal_to(one.clone()).matches(&other), compare::same(&one, &other));
    }
}

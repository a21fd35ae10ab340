//! Strict YAML into [`Node`]s. The only module that knows the YAML library.
//!
//! One document of YAML 1.2 with strings, lists, maps and what JSON calls literals. No anchors, aliases, tags,
//! directives or merge keys; no key twice. `true`, `false`, `null` and numbers in JSON spelling are typed, every other
//! plain scalar (`no`, `on`, `~`, `010`, `1_000`, `0x1f`) is a string. Text in JSON is read the way JSON reads it.

use super::mistake::{Mistake, Problem};
use super::node::{Key, Node, Source, Span, Value};
use granit_parser::{Event, Parser, ScalarStyle};

/// Reads one document. What is wrong with it is added to `problems`; `None` when nothing can be made of it.
///
/// Broken syntax ends the reading, other mistakes do not: the tree comes back with what could be read.
pub fn read(source: &Source, problems: &mut Vec<Problem>) -> Option<Node> {
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
    let mut builder = Builder { text, shift: source.text.len() - text.len(), problems, open: Vec::new(), root: None };
    let options = granit_parser::options! {
        emit_comments: false,
        emit_anchor_events: true,
        emit_unresolved_aliases: true,
        disallow_directives: true,
        simple_key_max_lookahead: 65_536,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if builder.take(event, &span).is_break() {
                    return None;
                }
            }
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or(text.len());
                builder.problem(at..at, Mistake::Syntax { detail: error.info() });
                return None;
            }
        }
    }
    let Builder { root, problems, .. } = builder;
    if root.is_none() {
        problems.push(Problem { span: 0..0, mistake: Mistake::Empty });
    }
    root
}

/// A number in the spelling of JSON, or `None` when the text is no such thing.
///
/// # Errors
///
/// `Err(())` for a number that would change when read: a whole number beyond 64 bits, a fraction beyond the range of
/// a double.
pub(super) fn json_number(text: &str) -> Option<Result<serde_json::Number, ()>> {
    let first = text.as_bytes().first()?;
    if !(first.is_ascii_digit() || *first == b'-') || !text.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let whole = text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit());
    match serde_json::from_str::<serde_json::Number>(text) {
        Ok(number) if whole && number.is_f64() && text != "-0" => Some(Err(())),
        Ok(number) => Some(Ok(number)),
        Err(error) if error.to_string().contains("out of range") => Some(Err(())),
        Err(_) => None,
    }
}

struct Builder<'a> {
    text: &'a str,
    /// Bytes of a byte-order mark in front of the text.
    shift: usize,
    problems: &'a mut Vec<Problem>,
    open: Vec<Open>,
    root: Option<Node>,
}

/// A collection that is not finished.
enum Open {
    List { start: usize, items: Vec<Node> },
    Map { start: usize, members: Vec<(Key, Node)>, key: Option<Key> },
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, place: &granit_parser::Span) -> std::ops::ControlFlow<()> {
        let span = self.range(place);
        if let Some(tag) = place.tag_span() {
            let span = self.range(&tag);
            let tag = self.slice(&span).to_owned();
            self.problem(span, Mistake::Tag { tag });
        }
        match event {
            Event::DocumentStart(..) if self.root.is_some() => {
                self.problem(span, Mistake::SecondDocument);
                return std::ops::ControlFlow::Break(());
            }
            Event::Anchor(_, name) => self.problem(span, Mistake::Anchor { name: name.into_owned() }),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let name = self.slice(&span).trim_start_matches('*').to_owned();
                self.problem(span.clone(), Mistake::Alias { name });
                self.node(Node { value: Value::Null, span });
            }
            Event::Scalar(text, style, ..) => self.scalar(&text, style, span),
            Event::SequenceStart(..) => self.open.push(Open::List { start: span.start, items: Vec::new() }),
            Event::MappingStart(..) => self.open.push(Open::Map { start: span.start, members: Vec::new(), key: None }),
            Event::SequenceEnd | Event::MappingEnd => self.finish(span),
            _ => {}
        }
        std::ops::ControlFlow::Continue(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) {
        if let Some(Open::Map { key: key @ None, members, .. }) = self.open.last_mut() {
            let first = members.iter().find(|(key, _)| key.name == text).map(|(key, _)| key.span.clone());
            *key = Some(Key { name: text.to_owned(), span: span.clone() });
            if let Some(first) = first {
                self.problem(span, Mistake::DuplicateKey { key: text.to_owned(), first });
            } else if text == "<<" && style == ScalarStyle::Plain {
                self.problem(span, Mistake::MergeKey);
            }
            return;
        }
        let value = match style {
            ScalarStyle::Plain => self.plain(text, &span),
            _ => Value::String(text.to_owned()),
        };
        self.node(Node { value, span });
    }

    fn plain(&mut self, text: &str, span: &Span) -> Value {
        match text {
            _ if span.is_empty() => Value::Null,
            "null" => Value::Null,
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => match json_number(text) {
                Some(Ok(number)) => Value::Number(number),
                Some(Err(())) => {
                    self.problem(span.clone(), Mistake::NumberOutOfRange { number: text.to_owned() });
                    Value::Null
                }
                None => Value::String(text.to_owned()),
            },
        }
    }

    fn finish(&mut self, end: Span) {
        let node = match self.open.pop() {
            Some(Open::List { start, items }) => {
                let last = items.last().map(|item| item.span.end);
                Node { span: self.extent(start, &end, last), value: Value::List(items) }
            }
            Some(Open::Map { start, members, .. }) => {
                let last = members.last().map(|(key, value)| value.span.end.max(key.span.end));
                Node { span: self.extent(start, &end, last), value: Value::Map(members) }
            }
            None => return,
        };
        self.node(node);
    }

    /// A flow collection ends at its bracket, a block collection with its last entry.
    fn extent(&self, start: usize, end: &Span, last: Option<usize>) -> Span {
        let closed = matches!(self.slice(end), "]" | "}");
        let end = if closed { end.end } else { last.unwrap_or(start) };
        start..end.max(start)
    }

    fn node(&mut self, node: Node) {
        let key_missing = match self.open.last_mut() {
            None => {
                self.root = Some(node);
                return;
            }
            Some(Open::List { items, .. }) => {
                items.push(node);
                return;
            }
            Some(Open::Map { members, key, .. }) => match key.take() {
                Some(key) => {
                    let after = self.text.get(key.span.end - self.shift..).unwrap_or_default().trim_start();
                    if node.value == Value::Null && node.span.is_empty() && !after.starts_with(':') {
                        let mistake = Mistake::TextCutByComma { text: key.name };
                        self.problems.push(Problem { span: key.span, mistake });
                    } else {
                        members.push((key, node));
                    }
                    return;
                }
                None => {
                    // A list, map or alias where a key belongs; its value must not be taken for the next key.
                    *key = Some(Key { name: String::new(), span: node.span.clone() });
                    node.span
                }
            },
        };
        self.problem(key_missing, Mistake::KeyNotText);
    }

    fn range(&self, span: &granit_parser::Span) -> Span {
        let range = span.byte_range().unwrap_or(0..0);
        let (start, end) = (range.start.min(self.text.len()), range.end.min(self.text.len()));
        start + self.shift..end.max(start) + self.shift
    }

    fn slice(&self, span: &Span) -> &str {
        self.text.get(span.start - self.shift..span.end - self.shift).unwrap_or_default()
    }

    fn problem(&mut self, span: Span, mistake: Mistake) {
        self.problems.push(Problem { span, mistake });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn parse(text: &str) -> (Option<Node>, Vec<Problem>) {
        let mut problems = Vec::new();
        let node = read(&Source::new("test.yaml", text), &mut problems);
        (node, problems)
    }

    fn value(text: &str) -> serde_json::Value {
        let (node, problems) = parse(text);
        assert_eq!(problems, []);
        node.unwrap().to_json()
    }

    #[test]
    fn only_json_literals_are_typed() {
        assert_eq!(
            value("[true, false, null, 1, -2, 1.5, 1e3, 9007199254740991, 18446744073709551615]"),
            json!([true, false, null, 1, -2, 1.5, 1e3, 9_007_199_254_740_991_u64, u64::MAX])
        );
        assert_eq!(
            value("[no, on, yes, ~, 010, 1_000, 0x1f, +1, .5, 1., True, NULL, .inf, 2025-11-25, 1:30, 'true', \"1\"]"),
            json!([
                "no",
                "on",
                "yes",
                "~",
                "010",
                "1_000",
                "0x1f",
                "+1",
                ".5",
                "1.",
                "True",
                "NULL",
                ".inf",
                "2025-11-25",
                "1:30",
                "true",
                "1"
            ])
        );
        assert_eq!(value("a:\nb: ''\n"), json!({"a": null, "b": ""}));
    }

    #[test]
    fn json_is_read_as_json() {
        let text = r#"{"a":[1,2,{"b":"\u00e9\/\ud83d\ude00\n"}],"c":{},"d":[],"e":null,"f": "x:y","1": 2}"#;
        assert_eq!(value(text), serde_json::from_str::<serde_json::Value>(text).unwrap());
    }

    #[test]
    fn spans_cover_exactly_the_value() {
        let text = "a: 1 # one\nbé:\n  - x\n  - { y: [z, \"ü\"] }\n\n# end\nc: |\n  text\n";
        let (node, problems) = parse(text);
        assert_eq!(problems, []);
        let node = node.unwrap();
        let slice = |node: &Node| &text[node.span.clone()];
        assert_eq!(slice(node.member("a").unwrap()), "1");
        let list = node.member("bé").unwrap();
        assert_eq!(slice(list), "- x\n  - { y: [z, \"ü\"] }");
        let Value::List(items) = &list.value else { panic!("a list") };
        assert_eq!(slice(&items[0]), "x");
        assert_eq!(slice(&items[1]), "{ y: [z, \"ü\"] }");
        assert_eq!(slice(items[1].member("y").unwrap()), "[z, \"ü\"]");
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let (node, problems) = parse(
            "z: { x: one, two }\na: &x 1\nb: *x\nc: !!str 2\n<<: { d: 1 }\na: 2\n? [k]\n: v\nbig: 123456789012345678901234567890\n",
        );
        let codes: Vec<_> = problems.iter().map(|problem| problem.mistake.code()).collect();
        assert_eq!(
            codes,
            [
                "text-cut-by-comma",
                "anchor",
                "alias",
                "tag",
                "merge-key",
                "duplicate-key",
                "key-not-text",
                "number-out-of-range"
            ]
        );
        assert!(node.is_some());
    }

    #[test]
    fn one_document_per_file() {
        for (text, code) in [
            ("", "empty"),
            ("# nothing\n", "empty"),
            ("a: 1\n---\nb: 2\n", "second-document"),
            ("%YAML 1.2\n---\na: 1\n", "syntax"),
            ("a: [", "syntax"),
        ] {
            let (_, problems) = parse(text);
            assert_eq!(problems.len(), 1, "{text:?}: {problems:?}");
            assert_eq!(problems[0].mistake.code(), code, "{text:?}");
        }
        assert_eq!(value("---\na: 1\n...\n"), json!({"a": 1}));
    }

    #[test]
    fn a_byte_order_mark_shifts_the_spans() {
        let text = "\u{feff}a: word\n";
        let (node, problems) = parse(text);
        assert_eq!(problems, []);
        assert_eq!(&text[node.unwrap().member("a").unwrap().span.clone()], "word");
    }

    fn check_spans(node: &Node, text: &str) {
        assert!(text.get(node.span.clone()).is_some(), "{:?} in {text:?}", node.span);
        match &node.value {
            Value::List(items) => items.iter().for_each(|item| check_spans(item, text)),
            Value::Map(members) => members.iter().for_each(|(key, value)| {
                assert!(text.get(key.span.clone()).is_some());
                check_spans(value, text);
            }),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s)[-a\\[\\]{}:,#&*!|>'\"%@`<?~0-9 \\n\\t.\\\\uéx$]{0,60}|.{0,40}") {
            let (node, problems) = parse(&text);
            if let Some(node) = node {
                check_spans(&node, &text);
            }
            for problem in problems {
                prop_assert!(problem.span.start <= problem.span.end && problem.span.end <= text.len());
            }
        }

        #[test]
        fn any_json_is_read_as_json(value in any_json()) {
            let text = value.to_string();
            let (node, problems) = parse(&text);
            prop_assert_eq!(problems, []);
            prop_assert_eq!(node.unwrap().to_json(), value);
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(|flag| json!(flag)),
            any::<i64>().prop_map(|number| json!(number)),
            (-1e12..1e12f64).prop_map(|number| json!(number)),
            "\\PC{0,12}".prop_map(|text| json!(text)),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(|items| json!(items)),
                proptest::collection::btree_map("[a-z$ ]{0,6}", inner, 0..4).prop_map(|members| json!(members)),
            ]
        })
    }
}

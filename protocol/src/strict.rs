//! A JSON reader that overlooks nothing: UTF-8, one value, no key twice, no lone surrogate, bounded depth.
//!
//! Ordinary readers take the last of two equal keys and say nothing. Whoever judges a peer by what it sent has to
//! see that, so every byte that comes from outside is read here first (BRG-CON-12, BRG-CON-13).

mod parser;
mod strictness;

pub use strictness::{StrictError, Strictness};

use crate::contract::Rule;
use serde_json::Value;
use strictness::DEPTH_CEILING;

/// Reads one JSON value.
///
/// # Errors
/// The bytes are no UTF-8, no JSON, more than one value, or break what `strictness` asks.
///
/// ```
/// use iolite_protocol::contract::Rule;
/// use iolite_protocol::strict::{Strictness, read};
///
/// let error = read(br#"{"a":1,"a":2}"#, Strictness::default()).unwrap_err();
/// assert_eq!((error.rule, error.offset), (Rule::DuplicateKey, 7));
/// ```
pub fn read(bytes: &[u8], strictness: Strictness) -> Result<Value, StrictError> {
    let text = std::str::from_utf8(bytes).map_err(|error| StrictError {
        offset: error.valid_up_to(),
        rule: Rule::Utf8,
        explanation: "bytes that are no UTF-8".into(),
    })?;
    let bounded = Strictness { max_depth: strictness.max_depth.min(DEPTH_CEILING), ..strictness };
    parser::Parser::new(text, bounded).document()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn ok(text: &str) -> Value {
        read(text.as_bytes(), Strictness::default()).unwrap()
    }

    fn refused(bytes: &[u8]) -> (Rule, usize) {
        let error = read(bytes, Strictness::default()).unwrap_err();
        (error.rule, error.offset)
    }

    #[test]
    fn reads_what_json_is() {
        assert_eq!(
            ok(" {\"a\" : [1, -2.5e3, true, false, null, \"x\"] , \"b\":{}}\r\n\t"),
            json!({
                "a": [1, -2500.0, true, false, null, "x"], "b": {}
            })
        );
        assert_eq!(
            ok(r#""\"\\\/\b\f\n\r\t\u0000\u00e9\ud83d\ude00é😀""#),
            json!("\"\\/\u{8}\u{c}\n\r\t\0éé😀😀".replace("éé", "é").replace("😀😀", "😀é😀"))
        );
        assert_eq!(ok("9007199254740991"), json!(9_007_199_254_740_991_u64));
        assert_eq!(ok("18446744073709551615"), json!(u64::MAX));
        assert_eq!(ok("0.1"), json!(0.1));
        assert_eq!(ok("[]"), json!([]));
    }

    #[test]
    fn keys_keep_their_order() {
        assert_eq!(ok(r#"{"z":1,"a":2}"#).to_string(), r#"{"z":1,"a":2}"#);
    }

    #[test]
    fn refuses_what_json_is_not() {
        for text in [
            "",
            " ",
            "{",
            "}",
            "[1,]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "'a'",
            "01",
            "-",
            "+1",
            "1.",
            ".5",
            "1e",
            "0x1",
            "NaN",
            "Infinity",
            "tru",
            "truee",
            "nul",
            "\"a",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\\u12\"",
            "\"\n\"",
            "1 2",
            "{} {}",
            "[] x",
            "// c\n1",
            "\u{feff}{}",
        ] {
            assert_eq!(refused(text.as_bytes()).0, Rule::JsonSyntax, "{text:?}");
        }
    }

    #[test]
    fn names_the_rule_and_the_place() {
        assert_eq!(refused(b"\"a\xff\""), (Rule::Utf8, 2));
        assert_eq!(refused(br#"{"a":{"b":1,"\u0062":2}}"#), (Rule::DuplicateKey, 12));
        assert_eq!(refused(br#"["\ud800"]"#), (Rule::LoneSurrogate, 2));
        assert_eq!(refused(br#"["\ud800\u0041"]"#), (Rule::LoneSurrogate, 2));
        assert_eq!(refused(br#"["\udc00"]"#), (Rule::LoneSurrogate, 2));
        assert_eq!(refused(b"[1e999]"), (Rule::JsonNumber, 1));
    }

    #[test]
    fn depth_is_counted_exactly() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(nested(256).as_bytes(), Strictness::default()).is_ok());
        assert_eq!(refused(nested(257).as_bytes()), (Rule::JsonDepth, 256));
        assert_eq!(refused("[".repeat(100_000).as_bytes()).0, Rule::JsonDepth);
    }

    #[test]
    fn a_lenient_reader_goes_on() {
        let lenient =
            Strictness { refuse_duplicate_keys: false, refuse_lone_surrogates: false, ..Strictness::default() };
        assert_eq!(read(br#"{"a":1,"b":2,"a":3}"#, lenient).unwrap().to_string(), r#"{"a":3,"b":2}"#);
        assert_eq!(read(br#""\ud800x\udc00""#, lenient).unwrap(), json!("\u{fffd}x\u{fffd}"));
        assert_eq!(read(br#""\ud800\ud83d\ude00""#, lenient).unwrap(), json!("\u{fffd}😀"));
    }

    proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes, Strictness::default());
        }

        #[test]
        fn never_panics_on_almost_json(text in r#"[\[\]{}:,"\\u0-9a-fdDe.+\- tnl]{0,80}"#) {
            let strict = read(text.as_bytes(), Strictness::default());
            // Whatever we take, an ordinary reader takes too, and reads the same.
            if let Ok(value) = strict {
                prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
            } else if serde_json::from_str::<Value>(&text).is_ok() {
                prop_assert_eq!(strict.unwrap_err().rule, Rule::DuplicateKey);
            }
        }

        #[test]
        fn reads_back_what_was_written(value in crate::testing::any_json()) {
            prop_assert_eq!(read(value.to_string().as_bytes(), Strictness::default()).unwrap(), value);
        }
    }
}

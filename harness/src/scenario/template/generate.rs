//! Generators: `{ $repeat: ["é", 100000] }` and its like.

use super::error::{Reason, ResolveError};
use super::path::kind;
use super::resolved::Resolved;
use super::scope::{Bound, Scope};
use crate::scenario::node::{Node, Value as Written};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::rpc::Timestamp;
use serde_json::Value;

/// A generator, for the loader and the reference.
#[derive(Debug)]
pub struct Generator {
    /// Its key, with the dollar.
    pub key: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it makes.
    pub summary: &'static str,
    pub(in crate::scenario) operand: Operand,
    make: fn(&Call<'_>) -> Result<Resolved, ResolveError>,
}

/// What a generator's operand has to look like, as far as that can be told before anything runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scenario) enum Operand {
    /// A list of exactly so many entries.
    Tuple(usize),
    /// A list of at least so many entries.
    AtLeast(usize),
    /// A map with these keys required and these possible.
    Map(&'static [&'static str], &'static [&'static str]),
    /// Hexadecimal digits.
    Hex,
    /// Base64.
    Base64,
    /// Anything.
    Any,
}

/// All generators, in the order of the reference.
pub const GENERATORS: &[Generator] = &[
    Generator {
        key: "$repeat",
        usage: "{ $repeat: [text, n] }",
        summary: "The text (or bytes) n times over.",
        operand: Operand::Tuple(2),
        make: repeat,
    },
    Generator {
        key: "$list",
        usage: "{ $list: { times: n, as: i, item: value } }",
        summary: "A list of n items; `${i}` counts from 0 in `item`.",
        operand: Operand::Map(&["times", "item"], &["as"]),
        make: list,
    },
    Generator {
        key: "$merge",
        usage: "{ $merge: [map, map, …] }",
        summary: "One map with the members of all; later ones win. Members are replaced as a whole.",
        operand: Operand::AtLeast(1),
        make: merge,
    },
    Generator {
        key: "$without",
        usage: "{ $without: [map, key, …] }",
        summary: "The map without these members.",
        operand: Operand::AtLeast(1),
        make: without,
    },
    Generator {
        key: "$concat",
        usage: "{ $concat: [a, b, …] }",
        summary: "Lists, texts or bytes one after the other. Text joins bytes as UTF-8.",
        operand: Operand::AtLeast(1),
        make: concat,
    },
    Generator {
        key: "$bytes",
        usage: "{ $bytes: \"ff 00 7f\" }",
        summary: "Bytes from hexadecimal digits; blanks do not count.",
        operand: Operand::Hex,
        make: bytes,
    },
    Generator {
        key: "$base64",
        usage: "{ $base64: \"/wB/\" }",
        summary: "Bytes from base64 (standard alphabet, with padding).",
        operand: Operand::Base64,
        make: base64,
    },
    Generator {
        key: "$encoded",
        usage: "{ $encoded: value }",
        summary: "Base64 text of bytes, or of the UTF-8 of a text.",
        operand: Operand::Any,
        make: encoded,
    },
    Generator {
        key: "$json",
        usage: "{ $json: value }",
        summary: "The value as compact JSON text.",
        operand: Operand::Any,
        make: json,
    },
    Generator {
        key: "$pad",
        usage: "{ $pad: { to_bytes: n, value: frame, at: \"/payload/x\" } }",
        summary: "The value with the text at the JSON pointer made longer (by `x`) until its compact JSON has exactly n bytes.",
        operand: Operand::Map(&["to_bytes", "value", "at"], &[]),
        make: pad,
    },
    Generator {
        key: "$sum",
        usage: "{ $sum: [a, b, …] }",
        summary: "The sum of whole numbers.",
        operand: Operand::AtLeast(1),
        make: sum,
    },
    Generator {
        key: "$unix",
        usage: "{ $unix: time }",
        summary: "Whole seconds since 1970 of a time in ISO 8601; a number is taken for such seconds already.",
        operand: Operand::Any,
        make: unix,
    },
];

/// Keys that start with `$` and stand for themselves where arguments are: JSON Schema has them.
pub const LITERAL_KEYS: &[&str] =
    &["$schema", "$ref", "$defs", "$id", "$comment", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary"];

/// Whether a map with this only key is a generator (or wants to be one).
pub(in crate::scenario) fn is_key(key: &str) -> bool {
    key.starts_with('$') && !key.starts_with("$$") && !key.starts_with("${") && !LITERAL_KEYS.contains(&key)
}

pub(in crate::scenario) fn find(key: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|generator| generator.key == key)
}

/// How a generator resolves the values it is given.
pub(super) type Resolve<'a> = dyn Fn(&Node, &dyn Scope) -> Result<Resolved, ResolveError> + 'a;

pub(super) fn run(
    key: &str,
    node: &Node,
    operand: &Node,
    scope: &dyn Scope,
    resolve: &Resolve<'_>,
) -> Result<Resolved, ResolveError> {
    match find(key) {
        Some(generator) => (generator.make)(&Call { key: generator.key, operand, scope, resolve }),
        None => Err(ResolveError::at(node, Reason::UnknownGenerator(key.to_owned()))),
    }
}

pub(in crate::scenario) fn decode_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| Some(c.to_digit(16)? as u8)).collect::<Option<_>>()?;
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

pub(in crate::scenario) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

struct Call<'a> {
    key: &'static str,
    operand: &'a Node,
    scope: &'a dyn Scope,
    resolve: &'a Resolve<'a>,
}

impl Call<'_> {
    fn wrong(&self, detail: impl Into<String>) -> ResolveError {
        ResolveError::at(self.operand, Reason::Generator { key: self.key, detail: detail.into() })
    }

    fn resolve(&self, node: &Node) -> Result<Resolved, ResolveError> {
        (self.resolve)(node, self.scope)
    }

    fn json(&self, node: &Node) -> Result<Value, ResolveError> {
        self.resolve(node)?.into_json().map_err(|error| ResolveError::at(node, Reason::Bytes(error)))
    }

    /// The operand's entries; a template that stands for a list will do.
    fn entries(&self) -> Result<Vec<Resolved>, ResolveError> {
        if let Written::List(items) = &self.operand.value {
            return items.iter().map(|item| self.resolve(item)).collect();
        }
        match self.resolve(self.operand)?.items() {
            Some(items) => Ok(items.into_iter().map(std::borrow::Cow::into_owned).collect()),
            None => Err(self.wrong("needs a list")),
        }
    }

    fn member(&self, name: &str) -> Result<&Node, ResolveError> {
        self.operand.member(name).ok_or_else(|| self.wrong(format!("needs `{name}`")))
    }

    fn count(&self, what: &str, value: &Value, most: usize) -> Result<usize, ResolveError> {
        match value.as_u64().and_then(|count| usize::try_from(count).ok()) {
            Some(count) if count <= most => Ok(count),
            Some(_) => Err(self.wrong(format!("{what}: at most {most}"))),
            None => Err(self.wrong(format!("{what} must be a whole number, and this is {value}"))),
        }
    }

    fn map(&self, value: Resolved) -> Result<serde_json::Map<String, Value>, ResolveError> {
        match value {
            Resolved::Json(Value::Object(members)) => Ok(members),
            Resolved::Json(value) => Err(self.wrong(format!("needs maps, and one of these is {}", kind(&value)))),
            _ => Err(self.wrong("needs maps without bytes in them")),
        }
    }
}

fn repeat(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let entries = call.entries()?;
    let [item, times] = entries.as_slice() else {
        return Err(call.wrong("needs `[text, n]`"));
    };
    let times = call.count("n", times.as_json().unwrap_or(&Value::Null), MOST_BYTES)?;
    let Some(bytes) = item.as_bytes() else {
        return Err(call.wrong("repeats text or bytes; `$list` repeats other values"));
    };
    if bytes.len().checked_mul(times).is_none_or(|total| total > MOST_BYTES) {
        return Err(call.wrong(format!("would make more than {MOST_BYTES} bytes")));
    }
    Ok(match item {
        Resolved::Json(Value::String(text)) => Resolved::Json(Value::String(text.repeat(times))),
        _ => Resolved::Bytes(bytes.repeat(times)),
    })
}

fn list(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let times = call.json(call.member("times")?)?;
    let times = call.count("`times`", &times, MOST_ITEMS)?;
    let item = call.member("item")?;
    let name = match call.operand.member("as") {
        Some(node) => Some(node.text().ok_or_else(|| call.wrong("needs a name in `as`"))?),
        None => None,
    };
    let mut items = Vec::with_capacity(times.min(1024));
    for index in 0..times {
        items.push(match name {
            Some(name) => (call.resolve)(item, &Bound { name, value: index.into(), outer: call.scope })?,
            None => call.resolve(item)?,
        });
    }
    Ok(Resolved::list(items))
}

fn merge(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let mut merged = serde_json::Map::new();
    for entry in call.entries()? {
        merged.extend(call.map(entry)?);
    }
    Ok(Resolved::Json(Value::Object(merged)))
}

fn without(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let mut entries = call.entries()?.into_iter();
    let Some(first) = entries.next() else {
        return Err(call.wrong("needs `[map, key, …]`"));
    };
    let mut members = call.map(first)?;
    for key in entries {
        let Some(key) = key.as_str() else {
            return Err(call.wrong("needs keys after the map"));
        };
        if members.shift_remove(key).is_none() {
            return Err(call.wrong(format!("takes `{key}` away, and the map has none")));
        }
    }
    Ok(Resolved::Json(Value::Object(members)))
}

fn concat(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let entries = call.entries()?;
    if entries.iter().all(|entry| entry.as_str().is_some()) {
        return Ok(Resolved::Json(Value::String(entries.iter().filter_map(Resolved::as_str).collect())));
    }
    if let Some(bytes) = entries.iter().map(Resolved::as_bytes).collect::<Option<Vec<_>>>() {
        return Ok(Resolved::Bytes(bytes.concat()));
    }
    match entries.iter().map(Resolved::items).collect::<Option<Vec<_>>>() {
        Some(lists) => Ok(Resolved::list(lists.into_iter().flatten().map(std::borrow::Cow::into_owned).collect())),
        None => Err(call.wrong("joins lists, or texts and bytes, not both kinds")),
    }
}

fn bytes(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    match call.json(call.operand)?.as_str().and_then(decode_hex) {
        Some(bytes) => Ok(Resolved::Bytes(bytes)),
        None => Err(call.wrong(NOT_HEX)),
    }
}

fn base64(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    match call.json(call.operand)?.as_str().and_then(decode_base64) {
        Some(bytes) => Ok(Resolved::Bytes(bytes)),
        None => Err(call.wrong(NOT_BASE64)),
    }
}

fn encoded(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    match call.resolve(call.operand)?.as_bytes() {
        Some(bytes) => Ok(Resolved::Json(Value::String(STANDARD.encode(bytes)))),
        None => Err(call.wrong("needs text or bytes")),
    }
}

fn json(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    Ok(Resolved::Json(Value::String(call.json(call.operand)?.to_string())))
}

fn pad(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let to_bytes = call.json(call.member("to_bytes")?)?;
    let to_bytes = call.count("`to_bytes`", &to_bytes, MOST_BYTES)?;
    let at = call.json(call.member("at")?)?;
    let at = at.as_str().ok_or_else(|| call.wrong("needs a JSON pointer in `at`"))?;
    let mut value = call.json(call.member("value")?)?;
    let bytes = value.to_string().len();
    let Some(missing) = to_bytes.checked_sub(bytes) else {
        return Err(call.wrong(format!("cannot pad to {to_bytes} bytes: the value has {bytes} already")));
    };
    match value.pointer_mut(at) {
        Some(Value::String(text)) => text.extend(std::iter::repeat_n('x', missing)),
        Some(other) => {
            return Err(call.wrong(format!("needs a text at `{at}`, and there is {}", kind(other))));
        }
        None => return Err(call.wrong(format!("finds nothing at `{at}`"))),
    }
    Ok(Resolved::Json(value))
}

fn sum(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    let mut total: i64 = 0;
    for entry in call.entries()? {
        let number = entry.as_json().and_then(Value::as_i64);
        let next = number.and_then(|number| total.checked_add(number));
        total = next.ok_or_else(|| call.wrong("needs whole numbers, and a sum that is one"))?;
    }
    Ok(Resolved::Json(total.into()))
}

fn unix(call: &Call<'_>) -> Result<Resolved, ResolveError> {
    match Timestamp::decode(&call.json(call.operand)?) {
        Some(time) => Ok(Resolved::Json(time.unix_seconds().into())),
        None => Err(call.wrong("needs a time such as `2026-07-28T12:00:00Z`")),
    }
}

pub(in crate::scenario) const NOT_HEX: &str = "needs pairs of hexadecimal digits";
pub(in crate::scenario) const NOT_BASE64: &str = "needs base64 with its padding";

/// No frame that makes sense is larger; beyond it an author has slipped a digit.
const MOST_BYTES: usize = 64 << 20;
const MOST_ITEMS: usize = 100_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::template::{resolve, resolve_json};
    use serde_json::json;

    fn run(value: Value) -> Result<Resolved, String> {
        resolve(&Node::synthetic(value), &serde_json::Map::new()).map_err(|error| error.to_string())
    }

    fn made(value: Value) -> Value {
        resolve_json(&Node::synthetic(value), &serde_json::Map::new()).unwrap()
    }

    #[test]
    fn values_are_made() {
        assert_eq!(made(json!({"$repeat": ["é", 3]})), json!("ééé"));
        assert_eq!(
            made(json!({"$list": {"times": 2, "as": "i", "item": {"name": "r-${i}", "n": "${i}"}}})),
            json!([{"name": "r-0", "n": 0}, {"name": "r-1", "n": 1}])
        );
        assert_eq!(made(json!({"$merge": [{"a": 1, "b": 2}, {"b": 3}]})), json!({"a": 1, "b": 3}));
        assert_eq!(made(json!({"$without": [{"a": 1, "b": 2}, "a"]})), json!({"b": 2}));
        assert_eq!(made(json!({"$concat": [[1], [], [2, 3]]})), json!([1, 2, 3]));
        assert_eq!(made(json!({"$concat": ["a", "b"]})), json!("ab"));
        assert_eq!(made(json!({"$json": {"a": [1, null]}})), json!("{\"a\":[1,null]}"));
        assert_eq!(made(json!({"$encoded": {"$bytes": "ff00"}})), json!("/wA="));
    }

    #[test]
    fn bytes_stay_bytes() {
        assert_eq!(run(json!({"$bytes": "FF 00\n7f"})), Ok(Resolved::Bytes(vec![0xff, 0, 0x7f])));
        assert_eq!(run(json!({"$base64": "/wA="})), Ok(Resolved::Bytes(vec![0xff, 0])));
        assert_eq!(run(json!({"$concat": ["a", {"$bytes": "ff"}]})), Ok(Resolved::Bytes(vec![b'a', 0xff])));
        assert_eq!(run(json!({"$repeat": [{"$bytes": "01"}, 3]})), Ok(Resolved::Bytes(vec![1, 1, 1])));
        let frames = run(json!([{"opcode": "text", "payload": {"$bytes": "ff"}}])).unwrap();
        let items = frames.items().unwrap();
        assert_eq!(items[0].member("opcode").unwrap().as_str(), Some("text"));
        assert_eq!(items[0].member("payload").unwrap().as_bytes(), Some([0xff].as_slice()));
        assert!(frames.clone().into_json().is_err());
    }

    #[test]
    fn numbers_and_times_are_reckoned() {
        assert_eq!(made(json!({"$sum": [40, 3, -1]})), json!(42));
        for time in [json!("2026-07-28T14:00:00.999+02:00"), json!(1_785_240_000)] {
            assert_eq!(made(json!({"$unix": time})), json!(1_785_240_000));
        }
        assert_eq!(run(json!({"$sum": [0.5]})), Err("`$sum` needs whole numbers, and a sum that is one".to_owned()));
        assert_eq!(
            run(json!({"$unix": "yesterday"})),
            Err("`$unix` needs a time such as `2026-07-28T12:00:00Z`".to_owned())
        );
    }

    #[test]
    fn padding_hits_the_byte() {
        let frame = json!({"type": "événement", "payload": {"x": ""}});
        for size in [frame.to_string().len(), 60, 262_144] {
            let padded = made(json!({"$pad": {"to_bytes": size, "at": "/payload/x", "value": frame}}));
            assert_eq!(padded.to_string().len(), size);
        }
    }

    #[test]
    fn what_cannot_work_says_why() {
        let error = |value| run(value).unwrap_err();
        assert_eq!(error(json!({"$repeat": ["a"]})), "`$repeat` needs `[text, n]`");
        assert_eq!(error(json!({"$repeat": ["a", -1]})), "`$repeat` n must be a whole number, and this is -1");
        assert_eq!(error(json!({"$repeat": ["aa", 67_108_864]})), "`$repeat` would make more than 67108864 bytes");
        assert_eq!(
            error(json!({"$repeat": [[1], 2]})),
            "`$repeat` repeats text or bytes; `$list` repeats other values"
        );
        assert_eq!(error(json!({"$merge": [{}, 1]})), "`$merge` needs maps, and one of these is a number");
        assert_eq!(error(json!({"$without": [{"a": 1}, "b"]})), "`$without` takes `b` away, and the map has none");
        assert_eq!(error(json!({"$bytes": "f"})), "`$bytes` needs pairs of hexadecimal digits");
        assert_eq!(error(json!({"$base64": "/wA"})), "`$base64` needs base64 with its padding");
        assert_eq!(
            error(json!({"$pad": {"to_bytes": 3, "value": {"a": "b"}, "at": "/a"}})),
            "`$pad` cannot pad to 3 bytes: the value has 9 already"
        );
        assert_eq!(
            error(json!({"$pad": {"to_bytes": 30, "value": {"a": 1}, "at": "/a"}})),
            "`$pad` needs a text at `/a`, and there is a number"
        );
        assert_eq!(error(json!({"$reapeat": []})), "there is no generator `$reapeat`");
        assert_eq!(
            error(json!({"$json": {"$bytes": "00"}})),
            "bytes make no sense here; JSON is needed (`{ $encoded: … }` makes base64 text of bytes)"
        );
    }
}

//! `${…}` in strings, and generators: values that are built instead of written out.
//!
//! [`resolve`] turns what an author wrote into what is sent. A string that is nothing but a template keeps the type of
//! the value it names; inside other text the value is written as text. `$${` is a `${` that means itself. Maps with one
//! key that starts with `$` are [generators](GENERATORS).

mod generate;
mod path;
mod resolved;
mod text;

pub use generate::{GENERATORS, Generator, LITERAL_KEYS};
pub(super) use generate::{
    NOT_BASE64, NOT_HEX, Operand as GeneratorOperand, decode_base64, decode_hex, find as find_generator,
    is_key as is_generator_key,
};
pub use path::{MissingPath, Path, Segment};
pub use resolved::{BytesInJson, Resolved};
pub use text::{Template, TemplateError};

use super::node::{Key, Node, Span, Value as Written};
use serde_json::Value;

/// Where the values behind templates come from.
pub trait Scope {
    /// The value at a path.
    ///
    /// Values of `case` and `each` are given as the author wrote them: templates and generators in them are resolved
    /// afterwards by whoever asked.
    ///
    /// # Errors
    ///
    /// [`MissingPath`] when there is nothing; [`Path::find_in`] makes one with the nearest spelling.
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath>;
}

/// Roots are the members of the map.
impl Scope for serde_json::Map<String, Value> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        match self.get(path.root()) {
            Some(value) => path.find_in(value).cloned(),
            None => Err(MissingPath::root(path, self.keys().map(String::as_str))),
        }
    }
}

/// A scope with one more name in it.
pub struct Bound<'a> {
    /// The name.
    pub name: &'a str,
    /// What it stands for.
    pub value: Value,
    /// Everything else.
    pub outer: &'a dyn Scope,
}

impl Scope for Bound<'_> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        if path.root() == self.name { path.find_in(&self.value).cloned() } else { self.outer.lookup(path) }
    }
}

/// Replaces templates and generators.
///
/// # Errors
///
/// The first thing that cannot be resolved.
pub fn resolve(node: &Node, scope: &dyn Scope) -> Result<Resolved, ResolveError> {
    resolve_at(node, scope, 0)
}

/// [`resolve`] where only JSON makes sense.
///
/// # Errors
///
/// As [`resolve`], and for bytes.
pub fn resolve_json(node: &Node, scope: &dyn Scope) -> Result<Value, ResolveError> {
    resolve(node, scope)?.into_json().map_err(|error| ResolveError::at(node, Reason::Bytes(error)))
}

/// Replaces the templates of a text that stands outside any node, such as a label.
///
/// # Errors
///
/// The first thing that cannot be resolved.
pub fn resolve_text(text: &str, scope: &dyn Scope) -> Result<String, ResolveError> {
    let template = Template::parse(text).map_err(|error| ResolveError { span: 0..0, reason: error.into() })?;
    template.text(scope).map_err(|reason| ResolveError { span: 0..0, reason })
}

/// Why a value could not be resolved, and where it stands.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{reason}")]
pub struct ResolveError {
    /// Where it stands in the scenario file; empty for values made elsewhere.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

/// Why a value could not be resolved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Reason {
    /// A path leads nowhere.
    #[error(transparent)]
    Missing(#[from] MissingPath),
    /// A template that cannot be read.
    #[error("template: {0}")]
    Template(#[from] TemplateError),
    /// A `$key` that is no generator.
    #[error("there is no generator `{0}`")]
    UnknownGenerator(String),
    /// A generator that cannot work on what it was given.
    #[error("`{key}` {detail}")]
    Generator {
        /// Its key.
        key: &'static str,
        /// What is wrong.
        detail: String,
    },
    /// Bytes where only JSON makes sense.
    #[error(transparent)]
    Bytes(BytesInJson),
    /// A row that refers to itself.
    #[error("the value refers to itself")]
    Endless,
}

impl ResolveError {
    pub(super) fn at(node: &Node, reason: impl Into<Reason>) -> Self {
        Self { span: node.span.clone(), reason: reason.into() }
    }
}

/// Whether a value is nothing but a template, so that only a run can tell what it is.
pub(super) fn is_whole(node: &Node) -> bool {
    node.text().and_then(|text| Template::parse(text).ok()).is_some_and(|template| template.is_whole())
}

/// Roots whose values were written by the author and are resolved in turn.
pub(super) fn is_written(root: &str) -> bool {
    matches!(root, "case" | "each")
}

fn resolve_at(node: &Node, scope: &dyn Scope, depth: usize) -> Result<Resolved, ResolveError> {
    match &node.value {
        Written::Null => Ok(Resolved::Json(Value::Null)),
        Written::Bool(flag) => Ok(Resolved::Json(Value::Bool(*flag))),
        Written::Number(number) => Ok(Resolved::Json(Value::Number(number.clone()))),
        Written::String(text) => resolve_string(node, text, scope, depth),
        Written::List(items) => {
            let items = items.iter().map(|item| resolve_at(item, scope, depth)).collect::<Result<_, _>>()?;
            Ok(Resolved::list(items))
        }
        Written::Map(members) => match members.as_slice() {
            [(key, operand)] if generate::is_key(&key.name) => generate::run(&key.name, node, operand, scope, depth),
            members => {
                let members = members
                    .iter()
                    .map(|(key, value)| Ok((member_name(key, node, scope)?, resolve_at(value, scope, depth)?)))
                    .collect::<Result<_, _>>()?;
                Ok(Resolved::map(members))
            }
        },
    }
}

fn resolve_string(node: &Node, text: &str, scope: &dyn Scope, depth: usize) -> Result<Resolved, ResolveError> {
    if !text.contains('$') {
        return Ok(Resolved::Json(text.into()));
    }
    let template = Template::parse(text).map_err(|error| ResolveError::at(node, error))?;
    let resolved = match template.whole() {
        // By way of `value` bytes in a row would be lost.
        Some(path) if is_written(path.root()) => scope
            .lookup(path)
            .map_err(Reason::Missing)
            .and_then(|value| resolve_written(value, scope, depth).map_err(|error| error.reason)),
        _ => template.value_at(scope, depth).map(Resolved::Json),
    };
    resolved.map_err(|reason| ResolveError::at(node, reason))
}

/// Resolves a value that the author wrote elsewhere, in a row of the case table.
fn resolve_written(value: Value, scope: &dyn Scope, depth: usize) -> Result<Resolved, ResolveError> {
    let node = Node::synthetic(value);
    if depth >= MOST_DEPTH {
        return Err(ResolveError::at(&node, Reason::Endless));
    }
    resolve_at(&node, scope, depth + 1)
}

/// Keys may hold templates; `$$` at the start is a `$` that means itself.
pub(super) fn member_name(key: &Key, node: &Node, scope: &dyn Scope) -> Result<String, ResolveError> {
    let name = if key.name.contains("${") {
        let template = Template::parse(&key.name).map_err(|error| ResolveError::at(node, error))?;
        template.text(scope).map_err(|reason| ResolveError::at(node, reason))?
    } else {
        key.name.clone()
    };
    Ok(match name.strip_prefix("$$") {
        Some(rest) => format!("${rest}"),
        None => name,
    })
}

/// Rows may use other values of their row, and paths may be made by templates, but not for ever.
const MOST_DEPTH: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn scope() -> serde_json::Map<String, Value> {
        let scope = json!({
            "phone": {"alias": "pixel-8", "session_id": "s1", "link": {"endpoint": {"port": 4242}}},
            "c0": {"id": "call-0"},
            "i": 0,
            "list": [{"uri": "a"}, {"uri": "b"}],
            "case": {
                "big": {"$repeat": ["ab", 3]},
                "who": "${phone.alias}",
                "loop": "${case.loop}",
                "hello": "${case.who}!",
                "price": "$5 $${x}",
            },
        });
        match scope {
            Value::Object(scope) => scope,
            _ => unreachable!("written as an object"),
        }
    }

    fn run(value: Value) -> Result<Value, String> {
        resolve_json(&Node::synthetic(value), &scope()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_template_keeps_its_type_and_others_become_text() {
        assert_eq!(run(json!("${phone.link.endpoint.port}")), Ok(json!(4242)));
        assert_eq!(run(json!("port ${phone.link.endpoint.port}")), Ok(json!("port 4242")));
        assert_eq!(run(json!("${phone.link.endpoint} ${phone.alias}")), Ok(json!("{\"port\":4242} pixel-8")));
        assert_eq!(run(json!("${list[1].uri}${list[0].uri}")), Ok(json!("ba")));
        assert_eq!(run(json!("${list[0]}")), Ok(json!({"uri": "a"})));
        assert_eq!(run(json!("${phone[\"alias\"]}")), Ok(json!("pixel-8")));
    }

    #[test]
    fn dollars_that_mean_themselves() {
        assert_eq!(run(json!("$${phone.alias} costs $5 $")), Ok(json!("${phone.alias} costs $5 $")));
        assert_eq!(run(json!({"$$ref": 1})), Ok(json!({"$ref": 1})));
        assert_eq!(run(json!({"$ref": "#/$defs/x"})), Ok(json!({"$ref": "#/$defs/x"})));
    }

    #[test]
    fn paths_can_be_made_by_templates_and_so_can_keys() {
        assert_eq!(run(json!("${c${i}.id}")), Ok(json!("call-0")));
        assert_eq!(run(json!({"${phone.alias}/tool": "deny"})), Ok(json!({"pixel-8/tool": "deny"})));
    }

    #[test]
    fn rows_are_resolved_when_they_are_used() {
        assert_eq!(run(json!("${case.big}")), Ok(json!("ababab")));
        assert_eq!(run(json!("${case.who}")), Ok(json!("pixel-8")));
        assert_eq!(run(json!("${case.hello}")), Ok(json!("pixel-8!")));
        assert_eq!(run(json!("${case.loop}")), Err("the value refers to itself".into()));
        assert_eq!(run(json!("${case.price}")), Ok(json!("$5 ${x}")));
    }

    #[test]
    fn what_leads_nowhere_says_where_it_ended() {
        assert_eq!(run(json!("${phone.aliass}")), Err("`phone` has no `aliass`; did you mean `alias`?".into()));
        assert_eq!(run(json!("${fone.alias}")), Err("nothing is named `fone`; did you mean `phone`?".into()));
        assert_eq!(run(json!("${list[2].uri}")), Err("`list` has 2 entries, so there is no `list[2]`".into()));
        assert_eq!(run(json!("${phone.alias.x}")), Err("`phone.alias` is a string, so it has no `x`".into()));
        assert_eq!(
            run(json!("${phone")),
            Err("template: `${` without its `}`; write `$${` for a `${` that means itself".into())
        );
        assert_eq!(run(json!("${}")), Err("template: a path starts with a name, and `` does not".into()));
    }

    #[test]
    fn nesting_ends_somewhere() {
        assert!(Template::parse(&format!("{}a{}", "${".repeat(50_000), "}".repeat(50_000))).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s)[${}\\[\\]a-c.0-9\"é]{0,24}|.{0,16}") {
            if let Ok(template) = Template::parse(&text) {
                for (_, range) in template.paths() {
                    prop_assert!(range.start <= range.end);
                }
                let _ = template.value(&scope());
            }
        }

        #[test]
        fn text_without_dollars_stands_for_itself(text in "[^$]{0,40}") {
            prop_assert_eq!(run(json!(text.clone())), Ok(json!(text)));
        }
    }
}

//! From what an author wrote to what is sent.

use super::error::{Reason, ResolveError};
use super::generate;
use super::path::Path;
use super::resolved::Resolved;
use super::scope::Scope;
use super::text::{MOST_DEPTH, Part, Template, TemplateError};
use crate::scenario::node::{Key, Node, Value as Written};
use serde_json::Value;

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

/// Whether a value is nothing but a template, so that only a run can tell what it is.
pub(in crate::scenario) fn is_whole(node: &Node) -> bool {
    node.text().and_then(|text| Template::parse(text).ok()).is_some_and(|template| template.is_whole())
}

/// Roots whose values were written by the author and are resolved in turn.
pub(in crate::scenario) fn is_written(root: &str) -> bool {
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
            [(key, operand)] if generate::is_key(&key.name) => {
                generate::run(&key.name, node, operand, scope, &|node, scope| resolve_at(node, scope, depth))
            }
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
pub(in crate::scenario) fn member_name(key: &Key, node: &Node, scope: &dyn Scope) -> Result<String, ResolveError> {
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

impl Template {
    /// The value: of any type when the whole text is one template, else a string.
    ///
    /// # Errors
    ///
    /// A path that leads nowhere.
    pub fn value(&self, scope: &dyn Scope) -> Result<Value, Reason> {
        self.value_at(scope, 0)
    }

    /// The text, whatever the types of the values in it: numbers, lists and maps are written as compact JSON.
    ///
    /// # Errors
    ///
    /// A path that leads nowhere.
    pub fn text(&self, scope: &dyn Scope) -> Result<String, Reason> {
        self.text_at(scope, 0)
    }

    fn value_at(&self, scope: &dyn Scope, depth: usize) -> Result<Value, Reason> {
        match self.parts.as_slice() {
            [part @ (Part::Path(..) | Part::Computed(_))] => part.value(scope, depth),
            _ => Ok(Value::String(self.text_at(scope, depth)?)),
        }
    }

    fn text_at(&self, scope: &dyn Scope, depth: usize) -> Result<String, Reason> {
        let mut text = String::new();
        for part in &self.parts {
            match part.value(scope, depth)? {
                Value::String(value) => text.push_str(&value),
                value => text.push_str(&value.to_string()),
            }
        }
        Ok(text)
    }
}

impl Part {
    fn value(&self, scope: &dyn Scope, depth: usize) -> Result<Value, Reason> {
        let computed;
        let path = match self {
            Self::Text(text) => return Ok(Value::String(text.clone())),
            Self::Path(path, _) => path,
            Self::Computed(inner) => {
                let text = inner.text_at(scope, depth)?;
                computed = Path::parse(&text).map_err(|detail| TemplateError { detail, range: 0..0 })?;
                &computed
            }
        };
        let value = scope.lookup(path)?;
        if !is_written(path.root()) {
            return Ok(value);
        }
        let resolved = resolve_written(value, scope, depth).map_err(|error| error.reason)?;
        resolved.into_json().map_err(Reason::Bytes)
    }
}

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

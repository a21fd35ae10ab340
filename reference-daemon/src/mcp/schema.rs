//! What of a tool's schemas MCP can take (`BRG-MCP-06`).

use crate::rules::BadSchema;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// The schemas a tool is listed with.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedSchemas {
    /// `inputSchema`: always an object's.
    pub input: Value,
    /// `outputSchema`, where the app declared one that can be listed.
    pub output: Option<Value>,
}

/// What is to be done with a tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Listing {
    /// It is listed like this.
    Shown(ListedSchemas),
    /// It is left out.
    Hidden,
    /// It is left out, and every other app tool with it.
    HidesAll,
}

/// Decides how a tool with these schemas is listed.
///
/// A schema fits when its root says `"type": "object"`, it is a valid schema of its dialect (JSON Schema 2020-12
/// unless it names another), and its references lead somewhere inside it. An input schema that does not fit becomes
/// an open object; an output schema that does not fit is dropped.
pub fn listing(input: Option<&Map<String, Value>>, output: Option<&Map<String, Value>>, bad: BadSchema) -> Listing {
    let open = || json!({"type": "object"});
    let input = input.cloned().map(Value::Object);
    let output = output.cloned().map(Value::Object);
    let input_fits = input.as_ref().is_none_or(fits);
    let output_fits = output.as_ref().is_none_or(fits);
    match bad {
        BadSchema::HideTool if !(input_fits && output_fits) => return Listing::Hidden,
        BadSchema::HideAll if !(input_fits && output_fits) => return Listing::HidesAll,
        BadSchema::PassOn => {
            return Listing::Shown(ListedSchemas { input: input.unwrap_or_else(open), output });
        }
        _ => {}
    }
    Listing::Shown(ListedSchemas {
        input: input.filter(|_| input_fits).unwrap_or_else(open),
        output: output.filter(|_| output_fits),
    })
}

/// Whether `result` fits a schema that was listed. A schema that cannot be compiled fits nothing and everything, so
/// it is not asked.
pub fn conforms(result: &Value, schema: &Value) -> bool {
    compile(schema).is_none_or(|validator| validator.is_valid(result))
}

fn fits(schema: &Value) -> bool {
    schema.get("type") == Some(&Value::from("object")) && depth(schema) <= DEPTH_LIMIT && compile(schema).is_some()
}

fn compile(schema: &Value) -> Option<Validator> {
    jsonschema::options().build(schema).ok()
}

fn depth(value: &Value) -> usize {
    let inner = match value {
        Value::Array(items) => items.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => return 0,
    };
    1 + inner.unwrap_or(0)
}

/// Deeper schemas are not worth the time and stack their validation takes.
const DEPTH_LIMIT: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(input: Value, output: Value) -> ListedSchemas {
        match listing(input.as_object(), output.as_object(), BadSchema::Repair) {
            Listing::Shown(schemas) => schemas,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_good_schema_is_listed_as_it_is() {
        let schema = json!({
            "type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "number"}},
            "required": ["a"], "default": 9_007_199_254_740_991_u64
        });
        let listed = shown(schema.clone(), schema.clone());
        assert_eq!(listed.input, schema);
        assert_eq!(listed.output, Some(schema));
        let older = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"});
        assert_eq!(shown(older.clone(), json!(null)).input, older);
    }

    #[test]
    fn no_schema_is_an_open_object() {
        let listed = shown(json!(null), json!(null));
        assert_eq!((listed.input, listed.output), (json!({"type": "object"}), None));
    }

    #[test]
    fn a_bad_schema_is_repaired() {
        let mut deep = json!({"type": "object"});
        for _ in 0..100 {
            deep = json!({"type": "object", "properties": {"a": deep}});
        }
        let bad = [
            json!({}),
            json!({"properties": {}}),
            json!({"type": "string"}),
            json!({"type": ["object", "null"]}),
            json!({"type": "object", "properties": {"a": {"type": "int"}}}),
            json!({"type": "object", "required": "a"}),
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}}),
            json!({"type": "object", "properties": {"a": {"$ref": "https://example.org/x"}}}),
            json!({"type": "object", "$schema": "https://example.org/dialect"}),
            json!({"type": "object", "pattern": 5}),
            deep,
        ];
        for schema in bad {
            let listed = shown(schema.clone(), schema.clone());
            assert_eq!(listed.input, json!({"type": "object"}), "{schema}");
            assert_eq!(listed.output, None, "{schema}");
            let hidden = listing(schema.as_object(), None, BadSchema::HideTool);
            assert_eq!(hidden, Listing::Hidden, "{schema}");
        }
    }

    #[test]
    fn results_are_held_against_the_listed_schema() {
        let schema = json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}});
        assert!(conforms(&json!({"n": 1}), &schema));
        assert!(!conforms(&json!({"n": "1"}), &schema));
        assert!(!conforms(&json!([]), &schema));
    }
}

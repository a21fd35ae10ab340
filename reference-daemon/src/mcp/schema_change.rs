//! What a wrong server does to the schemas of tools. The contract's table asks for none of it (`BRG-MCP-32`).

use crate::rules::SchemaChange;
use serde_json::{Map, Value, json};

/// A schema after a change; the schema itself by the contract.
pub fn changed(schema: Value, change: SchemaChange) -> Value {
    match change {
        SchemaChange::None => schema,
        SchemaChange::WithoutUnionsAtRoot => without(schema, UNIONS),
        SchemaChange::DialectNamed => {
            let mut schema = schema;
            schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
            schema
        }
        SchemaChange::MistakenReferences if has_member_like_reference(&schema) => json!({"type": "object"}),
        SchemaChange::MistakenReferences => schema,
        other => deeply(schema, other, 0),
    }
}

fn deeply(value: Value, change: SchemaChange, depth: usize) -> Value {
    match value {
        Value::Object(_) if matches!(change, SchemaChange::CutBelow(levels) if depth > levels) => json!({}),
        Value::Object(members) => {
            let members: Map<String, Value> = members
                .into_iter()
                .filter(|(key, value)| !is_left_out(key, value, change))
                .map(|(key, value)| (key, deeply(value, change, depth + 1)))
                .collect();
            with_change(members, change).into()
        }
        Value::Array(items) => items
            .into_iter()
            .filter(|item| change != SchemaChange::WithoutNulls || !item.is_null())
            .map(|item| deeply(item, change, depth))
            .collect(),
        other => other,
    }
}

fn is_left_out(key: &str, value: &Value, change: SchemaChange) -> bool {
    match change {
        SchemaChange::WithoutUnknownKeywords => key.starts_with("x-") || key.starts_with("ui:"),
        SchemaChange::WithoutUnions => UNIONS.contains(&key),
        SchemaChange::WithoutReferences => ["$ref", "$defs", "definitions", "$anchor", "$id"].contains(&key),
        SchemaChange::WithoutNulls => value.is_null(),
        SchemaChange::WithoutEmpties => match value {
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        },
        SchemaChange::WithoutProgramNames => ["__proto__", "constructor", "prototype"].contains(&key),
        SchemaChange::WithoutAnnotations => {
            ["title", "description", "default", "examples", "$comment", "deprecated", "readOnly"].contains(&key)
        }
        SchemaChange::WithoutLimits => {
            key.starts_with("min") || key.starts_with("max") || key.starts_with("exclusive") || key == "multipleOf"
        }
        SchemaChange::WithoutFormats => ["format", "pattern", "contentEncoding", "contentMediaType"].contains(&key),
        SchemaChange::WithoutConditions => ["if", "then", "else", "not"].contains(&key),
        SchemaChange::WithoutConstants => ["const", "enum"].contains(&key),
        SchemaChange::DialectLost => key == "$schema",
        _ => false,
    }
}

fn with_change(mut members: Map<String, Value>, change: SchemaChange) -> Map<String, Value> {
    match change {
        SchemaChange::OneType => {
            if let Some(first) = members.get("type").and_then(|types| types.as_array()?.first()).cloned() {
                members.insert("type".to_owned(), first);
            }
        }
        SchemaChange::Closed if members.get("type").is_some_and(|kind| kind == "object") => {
            members.entry("additionalProperties").or_insert(false.into());
        }
        _ => {}
    }
    members
}

fn has_member_like_reference(schema: &Value) -> bool {
    schema["properties"].as_object().is_some_and(|members| members.contains_key("$ref"))
}

fn without(mut schema: Value, keys: &[&str]) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.retain(|key, _| !keys.contains(&key.as_str()));
    }
    schema
}

const UNIONS: &[&str] = &["oneOf", "anyOf", "allOf"];

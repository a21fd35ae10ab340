//! TOML as the same tree of spanned values that scenario files become.

use super::mistakes::Mistake;
use crate::scenario::node::{Key, Node, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Parses TOML. Several syntax mistakes are reported at once when the parser can go on.
pub(super) fn parse(text: &str) -> Result<Node, Vec<Mistake>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(map(table.into_inner(), 0..text.len()));
    }
    Err(errors
        .into_iter()
        .map(|error| Mistake {
            span: error.span().unwrap_or(0..0),
            message: format!("this is no TOML: {}", error.message()),
            help: None,
        })
        .collect())
}

fn map(table: DeTable<'_>, span: std::ops::Range<usize>) -> Node {
    let members = table
        .into_iter()
        .map(|(key, value)| (Key { span: key.span(), name: key.into_inner().into_owned() }, node(value)))
        .collect();
    Node { value: Value::Map(members), span }
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Number(number.into()),
            Err(_) => Value::String(number.to_string()),
        },
        DeValue::Float(number) => match number.as_str().parse::<f64>().ok().and_then(serde_json::Number::from_f64) {
            Some(number) => Value::Number(number),
            None => Value::String(number.to_string()),
        },
        DeValue::Boolean(flag) => Value::Bool(flag),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(items) => Value::List(items.into_iter().map(node).collect()),
        DeValue::Table(table) => return map(table, span),
    };
    Node { value, span }
}

//! Tool results as MCP shows them (`BRG-MCP-07`, `BRG-MCP-08`).

use super::schema::conforms;
use crate::rpc_client::RpcClientError;
use crate::rules::Rules;
use serde_json::{Value, json};

/// A failure to show: an error type of the wire, verbatim, with its message and details (`BRG-TOL-08`).
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The type, e.g. `tool_timeout`.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The details, if any.
    pub details: Option<Value>,
}

impl Failure {
    /// A failure without details.
    pub fn new(kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into(), details: None }
    }

    /// `type: message details`, the details as JSON.
    fn text(&self, with_kind: bool, with_details: bool) -> String {
        let mut text = match with_kind {
            true => format!("{}: {}", self.kind, self.message),
            false => self.message.clone(),
        };
        if let (Some(details), true) = (&self.details, with_details) {
            text.push(' ');
            text.push_str(&details.to_string());
        }
        text
    }
}

impl From<&RpcClientError> for Failure {
    fn from(error: &RpcClientError) -> Self {
        Self { kind: error.error_type().to_owned(), message: error.to_string(), details: error.details().cloned() }
    }
}

/// The result of an app's tool. With an output schema the result is also there as structured content, and one that
/// breaks the schema is an error result: a client may rely on what the list promised (`BRG-MCP-07`).
pub fn tool_success(name: &str, result: &Value, output_schema: Option<&Value>, rules: &Rules) -> Value {
    let answers = &rules.mcp_answers;
    if let (Some(schema), true) = (output_schema, answers.check_structured)
        && let Some(message) = mismatch(name, result, schema)
    {
        return tool_failure(&Failure::new("tool_output_validation_error", message), rules);
    }
    let mut shown = text_result(&result.to_string());
    let structured = output_schema.is_some() || result.is_object();
    if structured && answers.structured_content {
        shown["structuredContent"] = result.clone();
    }
    shown
}

/// The error result for a failed call of an app's tool (`BRG-MCP-08`).
pub fn tool_failure(failure: &Failure, rules: &Rules) -> Value {
    let answers = &rules.mcp_answers;
    let mut shown = text_result(&failure.text(answers.error_type_in_text, answers.error_details_in_text));
    if answers.mark_errors {
        shown["isError"] = true.into();
    }
    shown
}

/// The result of one of the server's own tools: the value, and the same as text.
pub fn built_in_success(value: &Value) -> Value {
    let mut shown = text_result(&value.to_string());
    shown["structuredContent"] = value.clone();
    shown
}

/// The error result of one of the server's own tools.
pub fn built_in_failure(failure: &Failure) -> Value {
    let mut shown = text_result(&failure.text(true, true));
    shown["isError"] = true.into();
    shown
}

/// [`built_in_success`] of one of the two fallback tools (`BRG-FBK-04`).
pub fn fallback_success(value: &Value, rules: &Rules) -> Value {
    let mut shown = match rules.fallback.text_twin {
        true => text_result(&value.to_string()),
        false => json!({"content": []}),
    };
    if rules.fallback.structured_content {
        shown["structuredContent"] = value.clone();
    }
    shown
}

/// [`built_in_failure`] of one of the two fallback tools (`BRG-FBK-05`).
pub fn fallback_failure(failure: &Failure, rules: &Rules) -> Value {
    let mut shown = text_result(&failure.text(rules.fallback.error_type, true));
    shown["isError"] = true.into();
    shown
}

fn text_result(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn mismatch(name: &str, result: &Value, schema: &Value) -> Option<String> {
    let found = match result {
        Value::Object(_) if conforms(result, schema) => return None,
        Value::Object(_) => {
            return Some(format!("what {name} returned breaks its own output schema"));
        }
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
    };
    Some(format!("{name} declares an output schema, and returned {found} instead of an object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        Rules::default()
    }

    #[test]
    fn a_result_stands_in_the_text_unchanged() {
        for result in [json!(null), json!("é\u{0}\""), json!(9_007_199_254_740_991_u64), json!([1, {"a": null}])] {
            let shown = tool_success("t", &result, None, &rules());
            let text = shown["content"][0]["text"].as_str().unwrap();
            assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result);
            assert!(shown.get("structuredContent").is_none());
            assert!(shown.get("isError").is_none());
        }
    }

    #[test]
    fn an_output_schema_brings_structured_content() {
        let schema = json!({"type": "object"});
        let shown = tool_success("t", &json!({"a": 1}), Some(&schema), &rules());
        assert_eq!(shown["structuredContent"], json!({"a": 1}));
        assert_eq!(shown["content"][0]["text"], r#"{"a":1}"#);
    }

    #[test]
    fn a_result_that_breaks_its_schema_is_an_error_without_structured_content() {
        let schema = json!({"type": "object", "required": ["n"]});
        for result in [json!(null), json!([]), json!("x"), json!({})] {
            let shown = tool_success("t", &result, Some(&schema), &rules());
            assert_eq!(shown["isError"], true, "{result}");
            assert!(shown.get("structuredContent").is_none());
            let text = shown["content"][0]["text"].as_str().unwrap();
            assert!(text.starts_with("tool_output_validation_error: "));
        }
    }

    #[test]
    fn a_failure_names_type_message_and_details() {
        let failure = Failure { details: Some(json!({"a": 1})), ..Failure::new("tool_execution_error", "boom") };
        let shown = tool_failure(&failure, &rules());
        assert_eq!(
            shown,
            json!({
                "content": [{"type": "text", "text": r#"tool_execution_error: boom {"a":1}"#}],
                "isError": true
            })
        );
    }

    #[test]
    fn bent_rules_show() {
        let failure = Failure::new("tool_timeout", "late");
        let mut rules = rules();
        rules.mcp_answers.mark_errors = false;
        rules.mcp_answers.error_type_in_text = false;
        assert_eq!(tool_failure(&failure, &rules), text_result("late"));
        rules.fallback.text_twin = false;
        assert_eq!(fallback_success(&json!({}), &rules)["content"], json!([]));
        rules.mcp_answers.structured_content = false;
        let shown = tool_success("t", &json!({}), Some(&json!({"type": "object"})), &rules);
        assert!(shown.get("structuredContent").is_none());
    }
}

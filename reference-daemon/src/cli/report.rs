//! What a command says at its end: to people, as JSON, and as an exit code (`BRG-CLI-03`).

use crate::rpc_client::RpcClientError;
use crate::rules::cli::CliRules;
use crate::shell::{ConfigError, ShellError, UnknownFault};
use serde_json::{Value, json};

/// A command that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The type: the daemon's or app's own where there is one.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The details, if any.
    pub details: Option<Box<Value>>,
    /// What kind of exit it is.
    pub class: FailureClass,
}

/// Kinds of failure, each with an exit code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureClass {
    /// Wrong usage: 64.
    Usage,
    /// Input of the right shape and wrong content: 65.
    Validation,
    /// No daemon answers: 70.
    Unreachable,
    /// No, several, unknown or suspended session: 71.
    Session,
    /// The tool or resource failed: 72.
    Tool,
    /// Policy refused: 77.
    Permission,
    /// Anything else: 1.
    Internal,
}

impl FailureClass {
    /// The class of an error type of the wire.
    pub fn of(kind: &str) -> Self {
        match kind {
            "usage_error" => Self::Usage,
            "invalid_request" | "validation_error" => Self::Validation,
            crate::rpc_client::DAEMON_UNREACHABLE => Self::Unreachable,
            "no_session" | "ambiguous_session" | "unknown_session" | "session_not_active" | "session_suspended" => {
                Self::Session
            }
            "policy_denied" => Self::Permission,
            kind if kind.starts_with("tool_") || kind == "resource_not_found" => Self::Tool,
            _ => Self::Internal,
        }
    }

    /// The exit code.
    pub fn exit_code(self, rules: &CliRules) -> u8 {
        let exit = rules.exit;
        match self {
            Self::Usage => exit.usage,
            Self::Validation => exit.validation,
            Self::Unreachable => exit.unreachable,
            Self::Session => exit.session,
            Self::Tool => exit.tool,
            Self::Permission => exit.permission,
            Self::Internal => exit.internal,
        }
    }
}

impl Failure {
    /// A failure of this type, without details.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), details: None, class: FailureClass::of(kind) }
    }

    /// Wrong usage.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new("usage_error", message)
    }

    /// Wrong content.
    pub fn validation(message: impl Into<String>) -> Self {
        Self::new("validation_error", message)
    }

    /// Nothing a user could have done better.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new("internal_error", message)
    }

    /// The failure as one line or more for people.
    pub fn in_words(&self, rules: &CliRules) -> String {
        let mut words = format!("error: {}: {}", self.shown_kind(rules), self.message);
        if let Some(details) = self.shown_details(rules) {
            words.push_str(&format!("\ndetails: {details}"));
        }
        words
    }

    /// `{ok: false, error, meta}`
    pub fn envelope(&self, command: &str, rules: &CliRules) -> Value {
        let mut error = json!({"type": self.shown_kind(rules), "message": self.message});
        if let Some(details) = self.shown_details(rules) {
            error["details"] = details.clone();
        }
        json!({"ok": false, "error": error, "meta": meta(command)})
    }

    fn shown_kind(&self, rules: &CliRules) -> &str {
        match rules.keep_error_type {
            true => &self.kind,
            false => "error",
        }
    }

    fn shown_details(&self, rules: &CliRules) -> Option<&Value> {
        self.details.as_deref().filter(|_| rules.keep_error_details)
    }
}

/// `{ok: true, data, meta}`
pub fn success_envelope(data: &Value, command: &str) -> Value {
    json!({"ok": true, "data": data, "meta": meta(command)})
}

fn meta(command: &str) -> Value {
    json!({"command": command, "version": env!("CARGO_PKG_VERSION")})
}

impl From<RpcClientError> for Failure {
    fn from(error: RpcClientError) -> Self {
        Self { details: error.details().cloned().map(Box::new), ..Self::new(error.error_type(), error.to_string()) }
    }
}

impl From<ShellError> for Failure {
    fn from(error: ShellError) -> Self {
        match error.exit_code() {
            65 => Self::validation(error.to_string()),
            _ => Self::internal(error.to_string()),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::validation(error.to_string())
    }
}

impl From<UnknownFault> for Failure {
    fn from(error: UnknownFault) -> Self {
        Self::usage(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_exit_code() {
        let rules = CliRules::default();
        for (kind, code) in [
            ("usage_error", 64),
            ("validation_error", 65),
            ("invalid_request", 65),
            ("daemon_unreachable", 70),
            ("no_session", 71),
            ("ambiguous_session", 71),
            ("unknown_session", 71),
            ("session_suspended", 71),
            ("tool_not_found", 72),
            ("tool_input_validation_error", 72),
            ("tool_timeout", 72),
            ("resource_not_found", 72),
            ("policy_denied", 77),
            ("internal_error", 1),
            ("something_new", 1),
        ] {
            assert_eq!(FailureClass::of(kind).exit_code(&rules), code, "{kind}");
        }
    }

    #[test]
    fn envelopes_keep_type_and_details() {
        let failure = Failure { details: Some(Box::new(json!(null))), ..Failure::new("tool_execution_error", "boom") };
        let mut rules = CliRules::default();
        let envelope = failure.envelope("invoke", &rules);
        assert_eq!(envelope["ok"], false);
        assert_eq!(envelope["error"], json!({"type": "tool_execution_error", "message": "boom", "details": null}));
        assert_eq!(envelope["meta"]["command"], "invoke");
        rules.keep_error_type = false;
        rules.keep_error_details = false;
        let bent = failure.envelope("invoke", &rules);
        assert_eq!(bent["error"], json!({"type": "error", "message": "boom"}));
    }
}

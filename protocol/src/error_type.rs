//! Error types: those an app sends, and those the control RPC answers with.

use crate::contract::{Contract, Rule};
use crate::fields::{Fields, check_text};
use crate::frame::FrameError;
use serde_json::{Value, json};
use std::fmt;

macro_rules! app_error_types {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// The types of error that an app may send in `tool_error` and `resource_error`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AppErrorType {
            $($(#[$doc])* $variant,)+
        }

        impl AppErrorType {
            /// Every type, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The spelling on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The type with this spelling.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.as_str() == text)
            }
        }
    };
}

app_error_types! {
    /// No such tool (or resource) in the app.
    ToolNotFound = "tool_not_found",
    /// The arguments do not fit the tool.
    ToolInputValidationError = "tool_input_validation_error",
    /// The result does not fit the tool's promise.
    ToolOutputValidationError = "tool_output_validation_error",
    /// The tool (or reader) failed.
    ToolExecutionError = "tool_execution_error",
    /// The result cannot travel as JSON.
    ToolSerializationError = "tool_serialization_error",
    /// Nobody answered in time.
    ToolTimeout = "tool_timeout",
    /// The call was cancelled.
    ToolCancelled = "tool_cancelled",
}

impl fmt::Display for AppErrorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! rpc_error_types {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// The types of error that the control RPC answers with in `error.data.type`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RpcErrorType {
            $($(#[$doc])* $variant,)+
            /// One of the `tool_…` types, the app's own or the daemon's on its behalf.
            App(AppErrorType),
        }

        impl RpcErrorType {
            /// Every type that is not an app's.
            pub const OWN: &[Self] = &[$(Self::$variant),+];

            /// The spelling on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ Self::App(kind) => kind.as_str() }
            }
        }
    };
}

rpc_error_types! {
    /// There is no live session to choose (BRG-RPC-01).
    NoSession = "no_session",
    /// There are several live sessions and none was chosen (BRG-RPC-01).
    AmbiguousSession = "ambiguous_session",
    /// The selector fits no session, or the session is gone (BRG-RPC-01, BRG-TOL-11).
    UnknownSession = "unknown_session",
    /// The session is in a state that does not take this request.
    SessionNotActive = "session_not_active",
    /// The session has no socket now (BRG-TOL-11).
    SessionSuspended = "session_suspended",
    /// The policy refuses (BRG-POL-01).
    PolicyDenied = "policy_denied",
    /// A parameter has the wrong shape (BRG-RPC-11).
    InvalidRequest = "invalid_request",
    /// No such resource: only where a target declares it in place of `tool_not_found` (BRG-RPC-04).
    ResourceNotFound = "resource_not_found",
}

impl RpcErrorType {
    /// The type with this spelling, an app's types included.
    pub fn parse(text: &str) -> Option<Self> {
        let own = Self::OWN.iter().copied().find(|kind| kind.as_str() == text);
        own.or_else(|| AppErrorType::parse(text).map(Self::App))
    }
}

impl From<AppErrorType> for RpcErrorType {
    fn from(kind: AppErrorType) -> Self {
        Self::App(kind)
    }
}

impl fmt::Display for RpcErrorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error object of `tool_error` and `resource_error`: `{type, message, details?}` (BRG-TOL-08, BRG-RES-10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppError {
    error_type: ErrorSpelling,
    message: String,
    details: Option<Value>,
}

/// A type of the contract, or (from a bent contract only) any other text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorSpelling {
    Known(AppErrorType),
    Other(String),
}

impl AppError {
    /// An error without details.
    ///
    /// # Errors
    /// `message` is not 1 to 4,096 characters long.
    pub fn new(error_type: AppErrorType, message: impl Into<String>) -> Result<Self, FrameError> {
        let message = message.into();
        let limits = Contract::default().limits;
        check_text(&message, Rule::ErrorMessageLength, 1, limits.message_max, "/message")?;
        Ok(Self { error_type: ErrorSpelling::Known(error_type), message, details: None })
    }

    /// The same error with `details`: any JSON value, `null` included.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// Reads an error object.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn decode(value: &Value, contract: &Contract) -> Result<Self, FrameError> {
        Self::decode_at(value, "", contract)
    }

    pub(crate) fn decode_at(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        let fields = Fields::of(value, pointer, contract, Rule::ErrorObject)?;
        let spelling = fields.required_text("type", Rule::ErrorTypePresent, Rule::ErrorTypeType)?;
        let error_type = match AppErrorType::parse(&spelling) {
            Some(kind) => ErrorSpelling::Known(kind),
            None => {
                fields.broken(Rule::ErrorTypeKnown, "type", format!("this one is {spelling:?}"))?;
                ErrorSpelling::Other(spelling)
            }
        };
        let message = fields.required_text("message", Rule::ErrorMessagePresent, Rule::ErrorMessageType)?;
        fields.length(&message, "message", Rule::ErrorMessageLength, 1, contract.limits.message_max)?;
        let details = fields.any("details").cloned();
        fields.nothing_else(&["type", "message", "details"])?;
        Ok(Self { error_type, message, details })
    }

    /// The type, where it is one of the contract's (always, unless a bent contract let another through).
    pub fn error_type(&self) -> Option<AppErrorType> {
        match self.error_type {
            ErrorSpelling::Known(kind) => Some(kind),
            ErrorSpelling::Other(_) => None,
        }
    }

    /// The type as spelled on the wire.
    pub fn type_text(&self) -> &str {
        match &self.error_type {
            ErrorSpelling::Known(kind) => kind.as_str(),
            ErrorSpelling::Other(text) => text,
        }
    }

    /// The message, verbatim.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The details, verbatim: `None` when the key was absent.
    pub fn details(&self) -> Option<&Value> {
        self.details.as_ref()
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let mut object = json!({ "type": self.type_text(), "message": self.message });
        if let Some(details) = &self.details {
            object["details"] = details.clone();
        }
        object
    }
}

crate::serialized_as_text!(AppErrorType, RpcErrorType);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_survive_their_text() {
        for &kind in AppErrorType::ALL {
            assert_eq!(AppErrorType::parse(kind.as_str()), Some(kind));
            assert_eq!(RpcErrorType::parse(kind.as_str()), Some(RpcErrorType::App(kind)));
        }
        for &kind in RpcErrorType::OWN {
            assert_eq!(RpcErrorType::parse(kind.as_str()), Some(kind));
            assert_eq!(AppErrorType::parse(kind.as_str()), None);
        }
        assert_eq!(RpcErrorType::parse("tool_timed_out"), None);
    }

    #[test]
    fn an_empty_message_is_refused() {
        assert!(AppError::new(AppErrorType::ToolTimeout, "").is_err());
        assert!(AppError::new(AppErrorType::ToolTimeout, "x".repeat(4_097)).is_err());
        assert!(AppError::new(AppErrorType::ToolTimeout, "x".repeat(4_096)).is_ok());
    }

    #[test]
    fn another_type_passes_only_a_bent_contract() {
        let value = json!({ "type": "oops", "message": "m", "details": null });
        assert!(AppError::decode(&value, &Contract::default()).is_err());
        let error = AppError::decode(&value, &Contract::default().waive(Rule::ErrorTypeKnown)).unwrap();
        assert_eq!((error.error_type(), error.type_text(), error.details()), (None, "oops", Some(&Value::Null)));
        assert_eq!(error.to_json(), value);
    }
}

//! What can go wrong when asking the daemon.

use serde_json::Value;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// Why a control call has no result.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RpcClientError {
    /// Nobody listens on the control socket.
    #[error("no daemon answers at {}: {why}", path.display())]
    Unreachable {
        /// The socket that was tried.
        path: PathBuf,
        /// What the operating system said.
        why: String,
    },
    /// The connection ended while the call was open. Whether the daemon acted on it is unknown.
    #[error("the daemon closed the connection before it answered")]
    ConnectionLost,
    /// No answer came in time. Whether the daemon acted on it is unknown.
    #[error("the daemon did not answer {method} within {} ms", after.as_millis())]
    DeadlinePassed {
        /// The method called.
        method: String,
        /// How long was waited.
        after: Duration,
    },
    /// The request would not fit into one line of the protocol, so it was not sent.
    #[error("the request is {bytes} bytes, and a control line holds at most {limit}")]
    RequestTooLong {
        /// Size of the line.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The daemon refused.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// What came back is no answer of this protocol.
    #[error("the daemon's answer to {method} makes no sense: {why}")]
    Malformed {
        /// The method called.
        method: String,
        /// What is wrong with the answer.
        why: String,
    },
}

/// Name of the error type for a daemon that cannot be reached, in MCP answers and in the CLI envelope.
pub const DAEMON_UNREACHABLE: &str = "daemon_unreachable";

impl RpcClientError {
    /// The error type to show: the daemon's own where it gave one (`BRG-TOL-08`), else one for what happened here.
    pub fn error_type(&self) -> &str {
        match self {
            Self::Unreachable { .. } | Self::ConnectionLost | Self::DeadlinePassed { .. } => DAEMON_UNREACHABLE,
            Self::RequestTooLong { .. } => "invalid_request",
            Self::Refused(refusal) => refusal.error_type(),
            Self::Malformed { .. } => "internal_error",
        }
    }

    /// Details to show beside type and message, as the daemon or app gave them.
    pub fn details(&self) -> Option<&Value> {
        match self {
            Self::Refused(refusal) => refusal.details.as_ref(),
            _ => None,
        }
    }

    /// True when the daemon is gone or silent, as opposed to having refused.
    pub fn is_unreachable(&self) -> bool {
        self.error_type() == DAEMON_UNREACHABLE
    }
}

/// A JSON-RPC error object.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// The JSON-RPC code, e.g. -32000.
    pub code: i64,
    /// The message, verbatim.
    pub message: String,
    /// `data.type`, verbatim, where there is one.
    pub kind: Option<String>,
    /// `data.details`; without it whatever else stands in `data`, such as a policy's `reason`.
    pub details: Option<Value>,
}

impl Refusal {
    /// Reads the `error` member of an answer.
    pub(super) fn read(error: &Value) -> Option<Self> {
        let code = error.get("code")?.as_i64()?;
        let message = error.get("message")?.as_str()?.to_owned();
        let data = error.get("data").and_then(Value::as_object);
        let kind = data.and_then(|data| data.get("type")).and_then(Value::as_str).map(str::to_owned);
        let details = data.and_then(|data| match data.get("details") {
            Some(details) => Some(details.clone()),
            None => {
                let mut rest = data.clone();
                rest.shift_remove("type");
                (!rest.is_empty()).then_some(Value::Object(rest))
            }
        });
        Some(Self { code, message, kind, details })
    }

    /// `data.type`, or a name for the plain JSON-RPC codes.
    pub fn error_type(&self) -> &str {
        match (&self.kind, self.code) {
            (Some(kind), _) => kind,
            (None, -32700 | -32600 | -32602) => "invalid_request",
            (None, -32601) => "method_not_found",
            (None, _) => "internal_error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn details_are_the_apps_own_or_else_the_rest_of_data() {
        let own = Refusal::read(&json!({
            "code": -32000, "message": "m", "data": {"type": "tool_execution_error", "details": null}
        }));
        assert_eq!(own.and_then(|refusal| refusal.details), Some(Value::Null));
        let rest = Refusal::read(&json!({
            "code": -32000, "message": "m", "data": {"type": "policy_denied", "reason": "no_consent_channel"}
        }));
        assert_eq!(rest.and_then(|refusal| refusal.details), Some(json!({"reason": "no_consent_channel"})));
    }

    #[test]
    fn a_plain_code_has_a_type_too() {
        let refusal = Refusal::read(&json!({"code": -32601, "message": "m"}));
        assert_eq!(refusal.as_ref().map(Refusal::error_type), Some("method_not_found"));
        assert_eq!(Refusal::read(&json!({"code": "x", "message": "m"})), None);
    }
}

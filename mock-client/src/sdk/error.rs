//! What the SDK makes of a server that it cannot use.

use crate::outcome::Outcome;
use crate::process::SpawnError;
use rmcp::service::{ClientInitializeError, ServiceError};
use std::time::Duration;

/// The SDK lane has no outcome to give.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SdkError {
    /// The server could not be started.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// The opening was answered with an error.
    #[error("the server refused the opening: {}", .0.to_json())]
    Refused(Outcome),
    /// The SDK could not make sense of the opening.
    #[error("the SDK could not open the session: {0}")]
    Opening(String),
    /// No answer came, or none that the SDK took for one.
    #[error("{operation}: no answer within {} ms", patience.as_millis())]
    Timeout {
        /// The method.
        operation: String,
        /// How long the SDK waited.
        patience: Duration,
    },
    /// An answer came, but not of the type the SDK expects for the method.
    #[error("{operation}: the answer is not what the SDK expects")]
    Unexpected {
        /// The method.
        operation: String,
    },
    /// The connection ended, or the SDK gave it up.
    #[error("{operation}: the connection is closed ({why})")]
    Closed {
        /// The method.
        operation: String,
        /// The SDK's reason.
        why: String,
    },
    /// The SDK's types cannot hold what was to be sent; the raw lane can send it.
    #[error("the SDK cannot express {what}: {why}")]
    Inexpressible {
        /// What was to be sent.
        what: &'static str,
        /// The reason.
        why: String,
    },
}

impl SdkError {
    pub(super) fn inexpressible(what: &'static str, error: &serde_json::Error) -> Self {
        let why = error.to_string();
        Self::Inexpressible { what, why }
    }
}

impl From<ClientInitializeError> for SdkError {
    fn from(error: ClientInitializeError) -> Self {
        match error {
            ClientInitializeError::JsonRpcError(error) => Self::Refused(error_outcome(error)),
            other => Self::Opening(other.to_string()),
        }
    }
}

/// An error the server answered is an outcome; everything else is the lane's own.
pub(super) fn outcome_of(operation: &str, error: ServiceError) -> Result<Outcome, SdkError> {
    let operation = operation.to_owned();
    Err(match error {
        ServiceError::McpError(error) => return Ok(error_outcome(error)),
        ServiceError::UnexpectedResponse => SdkError::Unexpected { operation },
        ServiceError::Timeout { timeout } => SdkError::Timeout { operation, patience: timeout },
        other => SdkError::Closed { operation, why: other.to_string() },
    })
}

fn error_outcome(error: rmcp::model::ErrorData) -> Outcome {
    Outcome::Error { code: error.code.0.into(), message: error.message.into_owned(), data: error.data }
}

//! What can go wrong in an operation, besides what the server answers.

use crate::raw::{SendError, WaitError};

/// An operation has no outcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The request could not be sent.
    #[error(transparent)]
    Send(#[from] SendError),
    /// No answer came.
    #[error(transparent)]
    Wait(#[from] WaitError),
}

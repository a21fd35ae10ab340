//! What an app does when it is called or read: a script of steps, then an answer.

use crate::resource::ResourceDefinition;
use iolite_protocol::error_type::{AppError, AppErrorType};
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The reaction to each `tool_call` or `resource_read` of one registration.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// What happens before the answer, in order.
    pub steps: Vec<Step>,
    /// The answer.
    pub answer: Answer,
    /// What a `tool_cancel` does to an open call.
    pub on_cancel: OnCancel,
}

impl Script {
    /// Answers at once.
    pub fn answer(answer: Answer) -> Self {
        Self { answer, ..Self::default() }
    }

    /// The same script with one more step before the answer.
    pub fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The same script, deaf to cancellation.
    pub fn ignoring_cancel(mut self) -> Self {
        self.on_cancel = OnCancel::Ignore;
        self
    }
}

/// Something that happens before the answer.
#[derive(Clone, Debug)]
pub enum Step {
    /// A `tool_call_progress` frame. (A read has no progress frame: it is sent for reads, too, as a misbehaviour.)
    Progress {
        /// The number, if there is one.
        progress: Option<f64>,
        /// The message, if there is one.
        message: Option<String>,
    },
    /// Nothing goes on until the gate lets it.
    Wait(Gate),
    /// This frame is sent as it is, on the connection that the request came on.
    Send(Value),
}

/// How a call or read is answered.
#[derive(Clone, Default)]
pub enum Answer {
    /// A call: `{"echo": args, "stamp": …}`. A read: one text item that holds a [`Stamp`](super::Stamp).
    #[default]
    Stamped,
    /// A call's result, or a read's `contents`: any JSON, so that invalid content can be given, too.
    Value(Value),
    /// An error object as it stands in the frame: any JSON.
    Error(Value),
    /// Several answers: the first request gets the first, and so on; the last one stays.
    InTurn(Vec<Answer>),
    /// A read of a definition of the resource API: its reader is run, its result validated.
    Definition(ResourceDefinition),
    /// Whatever the function makes of the request frame.
    With(Arc<dyn Fn(&Value) -> Answer + Send + Sync>),
    /// The right frame with these keys put over it: `{"result": …, "extra": 1}`, another `session_id`, a `null` key
    /// value and so on. A key given as [`Answer::ABSENT`] is left out.
    Frame(Map<String, Value>),
    /// None, ever. The request stays open; the driver can still answer it.
    Never,
}

impl Answer {
    /// Marks a key that [`Answer::Frame`] leaves out of the frame.
    pub const ABSENT: &str = "\u{0}absent";

    /// An error of the contract's types.
    pub fn error(error_type: AppErrorType, message: &str) -> Self {
        Self::Error(json!({ "type": error_type.as_str(), "message": message }))
    }

    /// A read's contents: one text item without a URI of its own.
    pub fn text(text: &str) -> Self {
        Self::Value(json!([{ "text": text }]))
    }
}

impl From<AppError> for Answer {
    fn from(error: AppError) -> Self {
        Self::Error(error.to_json())
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stamped => f.write_str("Stamped"),
            Self::Value(value) => f.debug_tuple("Value").field(value).finish(),
            Self::Error(error) => f.debug_tuple("Error").field(error).finish(),
            Self::InTurn(answers) => f.debug_tuple("InTurn").field(answers).finish(),
            Self::Definition(definition) => f.debug_tuple("Definition").field(definition).finish(),
            Self::With(_) => f.write_str("With(..)"),
            Self::Frame(keys) => f.debug_tuple("Frame").field(keys).finish(),
            Self::Never => f.write_str("Never"),
        }
    }
}

/// What a `tool_cancel` does to an open call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnCancel {
    /// The call ends with a `tool_cancelled` error (BRG-TOL-13).
    #[default]
    Obey,
    /// The script goes on as if nothing had come.
    Ignore,
}

/// Holds scripts back until told. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Semaphore>);

impl Gate {
    /// A closed gate.
    pub fn closed() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Lets `count` scripts through, those that wait first.
    pub fn let_through(&self, count: usize) {
        self.0.add_permits(count);
    }

    /// Lets everybody through from now on.
    pub fn open(&self) {
        self.0.close();
    }

    /// Waits to be let through.
    pub async fn pass(&self) {
        // A closed semaphore is an open gate.
        if let Ok(permit) = self.0.acquire().await {
            permit.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn a_gate_lets_through_as_many_as_told_and_then_all() {
        let gate = Gate::closed();
        assert!(gate.pass().now_or_never().is_none());
        gate.let_through(1);
        assert!(gate.pass().now_or_never().is_some());
        assert!(gate.pass().now_or_never().is_none());
        gate.clone().open();
        assert!(gate.pass().now_or_never().is_some());
        assert!(gate.pass().now_or_never().is_some());
    }
}

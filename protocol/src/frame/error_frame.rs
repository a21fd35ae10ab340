//! What an app answers to a call or read that failed. Both answers have one shape.

use super::{FrameError, ResourceRead, ToolCall, envelope};
use crate::contract::{Contract, Rule};
use crate::error_type::AppError;
use crate::fields::Fields;
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::marker::PhantomData;

/// A request that an app can answer with an error: a call or a read.
pub trait Fallible: Clone + Debug + PartialEq + sealed::Sealed {
    /// The words and rules of the error frame that answers it.
    const RULES: &ErrorFrameRules;
}

mod sealed {
    /// Nothing outside this crate can be answered with an error frame.
    pub trait Sealed {}
    impl Sealed for super::ToolCall {}
    impl Sealed for super::ResourceRead {}
}

/// The words and rules in which the two error frames differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorFrameRules {
    type_name: &'static str,
    id_present: Rule,
    id_type: Rule,
    error_present: Rule,
}

impl Fallible for ToolCall {
    const RULES: &ErrorFrameRules = &ErrorFrameRules {
        type_name: "tool_error",
        id_present: Rule::ToolErrorIdPresent,
        id_type: Rule::ToolErrorIdType,
        error_present: Rule::ToolErrorPresent,
    };
}

impl Fallible for ResourceRead {
    const RULES: &ErrorFrameRules = &ErrorFrameRules {
        type_name: "resource_error",
        id_present: Rule::ResourceErrorIdPresent,
        id_type: Rule::ResourceErrorIdType,
        error_present: Rule::ResourceErrorPresent,
    };
}

/// The failure of a request of type `R`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorFrame<R> {
    session_id: String,
    id: String,
    error: AppError,
    request: PhantomData<R>,
}

/// `tool_error`: a call failed.
pub type ToolErrorFrame = ErrorFrame<ToolCall>;
/// `resource_error`: a read failed (BRG-RES-10).
pub type ResourceErrorFrame = ErrorFrame<ResourceRead>;

impl<R: Fallible> ErrorFrame<R> {
    /// The frame's `type`.
    pub const TYPE: &str = R::RULES.type_name;

    /// The failure of request `id`.
    pub fn new(session_id: &str, id: &str, error: AppError) -> Self {
        Self { session_id: session_id.to_owned(), id: id.to_owned(), error, request: PhantomData }
    }

    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let rules = R::RULES;
        let fields = Fields::new(object, "", contract, rules.error_present);
        let id = fields.required_text("id", rules.id_present, rules.id_type)?;
        fields.nothing_else(&["type", "session_id", "id", "error"])?;
        let error = match fields.any("error") {
            Some(error) => AppError::decode_at(error, "/error", contract)?,
            None => {
                // Where this is waived, a missing error counts as an empty object.
                fields.missing(rules.error_present, "error")?;
                AppError::decode_at(&Value::Object(Map::new()), "/error", contract)?
            }
        };
        Ok(Self { session_id: session_id.to_owned(), id, error, request: PhantomData })
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The call or read.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What went wrong.
    pub fn error(&self) -> &AppError {
        &self.error
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let fields = [("id", self.id.as_str().into()), ("error", self.error.to_json())];
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

//! Requests, as the daemon reads them.

use super::{InvalidParam, Method, Params, RpcError};
use crate::contract::Contract;
use crate::error_type::RpcErrorType;
use crate::strict::{Strictness, read};
use serde_json::{Map, Value, json};

/// The id of a request: a string, a number or `null`, given back as it came (BRG-RPC-09).
#[derive(Clone, Debug, PartialEq)]
pub struct RpcId(Value);

impl RpcId {
    /// The id `null`, for answers to what has no readable id.
    pub const NULL: Self = Self(Value::Null);

    /// Reads an id.
    pub fn decode(value: &Value) -> Option<Self> {
        let is_id = matches!(value, Value::String(_) | Value::Number(_) | Value::Null);
        is_id.then(|| Self(value.clone()))
    }

    /// The wire form.
    pub fn as_json(&self) -> &Value {
        &self.0
    }
}

impl From<u64> for RpcId {
    fn from(number: u64) -> Self {
        Self(number.into())
    }
}

impl From<&str> for RpcId {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

/// A request of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcRequest {
    /// The id; `None` makes it a notification, which gets no answer (BRG-RPC-12).
    pub id: Option<RpcId>,
    /// Method and parameters.
    pub params: Params,
}

/// A line that is no request, or one that cannot be served as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcFailure {
    /// Under which id the error is answered; `None`: it was a notification and gets no answer (BRG-RPC-12).
    pub reply_to: Option<RpcId>,
    /// The error.
    pub error: RpcError,
}

impl RpcFailure {
    fn boxed(reply_to: Option<RpcId>, error: RpcError) -> Box<Self> {
        Box::new(Self { reply_to, error })
    }
}

impl RpcRequest {
    /// Reads a line without its newline: JSON, then the shape of a request, then the method, then its parameters
    /// (BRG-RPC-08, BRG-RPC-11). An object with a key twice counts with the last one: the rule against it is about
    /// apps' frames. Batches (arrays) are no requests: the contract has one object per line.
    ///
    /// # Errors
    /// What to answer, and under which id.
    ///
    /// ```
    /// use iolite_protocol::contract::Contract;
    /// use iolite_protocol::rpc::{Method, RpcRequest};
    ///
    /// let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools.list"}"#;
    /// assert_eq!(RpcRequest::decode(line, &Contract::default()).unwrap().method(), Method::ToolsList);
    /// let failure = RpcRequest::decode(b"{", &Contract::default()).unwrap_err();
    /// assert_eq!(failure.error.code(), -32700);
    /// ```
    pub fn decode(line: &[u8], contract: &Contract) -> Result<Self, Box<RpcFailure>> {
        let strictness = Strictness { refuse_duplicate_keys: false, ..Strictness::default() };
        let value = read(line, strictness)
            .map_err(|error| RpcFailure::boxed(Some(RpcId::NULL), RpcError::parse_error(&error.to_string())))?;
        let envelope = Envelope::read(&value)?;
        let fail = |error: RpcError| RpcFailure::boxed(envelope.id.clone(), error);
        let method = Method::parse(envelope.method).ok_or_else(|| fail(RpcError::method_not_found(envelope.method)))?;
        let params = Params::decode(method, envelope.params, contract).map_err(|error| fail(error.into()))?;
        Ok(Self { id: envelope.id, params })
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.params.method()
    }

    /// The line, without its newline.
    pub fn encode(&self) -> String {
        let mut object = Map::new();
        object.insert("jsonrpc".into(), "2.0".into());
        if let Some(id) = &self.id {
            object.insert("id".into(), id.as_json().clone());
        }
        object.insert("method".into(), self.method().as_str().into());
        object.insert("params".into(), self.params.to_json());
        Value::Object(object).to_string()
    }
}

impl From<InvalidParam> for RpcError {
    fn from(error: InvalidParam) -> Self {
        Self::typed(RpcErrorType::InvalidRequest, error.to_string())
            .with_details(json!({ "parameter": error.parameter }))
    }
}

/// The parts of a request.
struct Envelope<'a> {
    id: Option<RpcId>,
    method: &'a str,
    params: Option<&'a Value>,
}

impl<'a> Envelope<'a> {
    fn read(value: &'a Value) -> Result<Self, Box<RpcFailure>> {
        let refuse = |id: Option<RpcId>, why: &str| {
            RpcFailure::boxed(Some(id.unwrap_or(RpcId::NULL)), RpcError::not_a_request(why))
        };
        let object = value.as_object().ok_or_else(|| refuse(None, "a request is an object"))?;
        let id = match object.get("id") {
            None => None,
            Some(id) => Some(RpcId::decode(id).ok_or_else(|| refuse(None, "`id` is a string, a number or null"))?),
        };
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(refuse(id, "`jsonrpc` is \"2.0\""));
        }
        let Some(method) = object.get("method").and_then(Value::as_str) else {
            return Err(refuse(id, "`method` is a string"));
        };
        Ok(Self { id, method, params: object.get("params") })
    }
}

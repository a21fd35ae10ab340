//! The two tools through which clients that know tools only reach every resource (section 8 of the contract).

use super::resources::ReadError;
use super::{ActiveRequest, Server};
use crate::mcp::built_in::BuiltIn;
use crate::mcp::contents::fallback_contents;
use crate::mcp::protocol_error::ProtocolError;
use crate::mcp::tool_results::{Failure, fallback_failure, fallback_success};
use crate::mcp::view::View;
use serde_json::{Map, Value, json};

impl Server {
    pub(super) async fn call_fallback(
        &self,
        tool: BuiltIn,
        arguments: &Map<String, Value>,
        view: &View,
        active: &ActiveRequest,
    ) -> Result<Value, ProtocolError> {
        let strict = self.rules.fallback.refuse_unknown_arguments;
        if let Err(failure) = tool.check(arguments, strict) {
            return self.fallback_answer(Err(failure));
        }
        match arguments.get("uri").and_then(Value::as_str) {
            Some(uri) if tool == BuiltIn::Read => self.fallback_read(view, uri, active).await,
            _ => {
                let revision = self.revision();
                let list = match self.rules.mcp_lists.fresh_lists {
                    true => view.fallback_list(revision),
                    false => {
                        let first = || view.resource_list(revision);
                        self.first_resources.get_or_init(first).clone()
                    }
                };
                self.fallback_answer(Ok(json!({"resources": list})))
            }
        }
    }

    pub(super) async fn fallback_read(
        &self,
        view: &View,
        uri: &str,
        active: &ActiveRequest,
    ) -> Result<Value, ProtocolError> {
        let frozen = !self.rules.fallback.live && !self.first_uris.get().is_some_and(|uris| uris.contains(uri));
        let result = match frozen {
            true => Err(ReadError::NotFound),
            false => self.contents(view, uri, active).await,
        };
        self.fallback_answer(match result {
            Ok(items) => Ok(json!({"contents": fallback_contents(items, &self.rules)})),
            Err(ReadError::Failed(failure)) => Err(failure),
            Err(ReadError::NotFound) => {
                let message = format!(
                    "there is no resource {uri:?}; {} lists those there are",
                    BuiltIn::ListResources.name(&self.naming)
                );
                Err(Failure::new(UNKNOWN_RESOURCE_TYPE, message))
            }
        })
    }

    fn fallback_answer(&self, outcome: Result<Value, Failure>) -> Result<Value, ProtocolError> {
        match outcome {
            Ok(value) => Ok(fallback_success(&value, &self.rules)),
            Err(failure) if self.rules.fallback.errors_as_results => Ok(fallback_failure(&failure, &self.rules)),
            Err(failure) => Err(self.internal(&failure)),
        }
    }
}

/// The wire has no type of its own for an unknown resource (`BRG-RPC-04`).
const UNKNOWN_RESOURCE_TYPE: &str = "tool_not_found";

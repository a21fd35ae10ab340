//! `tools/call`: apps' tools and the server's own (`BRG-TOL-07` … `BRG-TOL-16`, `BRG-MCP-07`, `BRG-MCP-08`).

use super::{ActiveRequest, CALLER, Server};
use crate::mcp::built_in::BuiltIn;
use crate::mcp::protocol_error::ProtocolError;
use crate::mcp::request::INVALID_PARAMS;
use crate::mcp::tool_results::{Failure, built_in_failure, built_in_success, tool_failure, tool_success};
use crate::mcp::view::{ShownTool, ToolTarget};
use crate::rpc_client::{PATIENT, QUICK, RpcClientError};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::timeout;

impl Server {
    /// `tools/call`
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        active: &ActiveRequest,
    ) -> Result<Value, ProtocolError> {
        let view = match self.current().await {
            Ok(view) => view,
            Err(error) => return Ok(built_in_failure(&Failure::from(&error))),
        };
        let answer = match view.tool(name) {
            None => return self.unknown_tool(name),
            Some(ToolTarget::BuiltIn(tool)) if tool.is_fallback() => {
                self.call_fallback(tool, &arguments, &view, active).await?
            }
            Some(ToolTarget::BuiltIn(tool)) => self.call_built_in(tool, &arguments, active).await,
            Some(ToolTarget::App(tool)) => self.call_app(tool, arguments, active).await?,
            Some(ToolTarget::ReadOf(uri)) => self.fallback_read(&view, uri, active).await?,
        };
        // What the call changed is told before its result (the client may act on the result at once).
        self.daemon.catch_up().await;
        Ok(answer)
    }

    async fn call_app(
        &self,
        tool: &ShownTool,
        arguments: Map<String, Value>,
        active: &ActiveRequest,
    ) -> Result<Value, ProtocolError> {
        match self.app_result(tool, arguments, active).await {
            Ok(result) => {
                let schema = tool.schemas.output.as_ref();
                Ok(tool_success(&tool.name, &result["result"], schema, &self.rules))
            }
            Err(error) => {
                if self.waits_for_daemon(&error) {
                    self.current().await.map_err(|error| self.internal(&Failure::from(&error)))?;
                }
                // The same error comes for a tool that just went away and from an app that answers with it. Whether
                // the tool is still there tells the two apart.
                if error.error_type() == "tool_not_found"
                    && let Ok(view) = self.daemon.current().await
                    && view.tool(&tool.name).is_none()
                {
                    return self.unknown_tool(&tool.name);
                }
                Ok(tool_failure(&Failure::from(&error), &self.rules))
            }
        }
    }

    async fn app_result(
        &self,
        tool: &ShownTool,
        arguments: Map<String, Value>,
        active: &ActiveRequest,
    ) -> Result<Value, RpcClientError> {
        let client = self.daemon.client().await?;
        let mut params = json!({
            "selector": tool.session,
            "name": tool.descriptor.name(),
            "args": arguments,
            "caller": CALLER,
        });
        if let Some(ms) = self.rules.mcp_conduct.call_deadline.asked(tool.descriptor.timeout_ms()) {
            params["timeoutMs"] = ms.into();
        }
        let mut tracked = None;
        let call = client.open_with_id("tools.call", params, |request| {
            tracked = Some(self.daemon.calls().begin(request, active.number));
        })?;
        let mut answer = Box::pin(timeout(PATIENT, call.answer()));
        tokio::select! {
            result = &mut answer => result.unwrap_or_else(|_| Err(late("tools.call", PATIENT))),
            () = self.ending.cancelled() => self.given_up(active),
            () = active.cancelled.cancelled() => {
                let forward = self.rules.mcp.forward_cancel;
                let cancel_rules = self.rules.mcp.clone();
                let cancelled_session = json!(tool.session);
                // The client gets no answer. The call is followed to its end, so that the app learns of the
                // cancellation as soon as the daemon has named the call.
                tokio::spawn(async move {
                    let cancel = async {
                        let id = match &mut tracked {
                            Some(tracked) if forward && cancel_rules.early_cancel_waits => tracked.call_id().await,
                            Some(tracked) if forward => tracked.known_id(),
                            _ => None,
                        };
                        if let Some(id) = id {
                            let mut params = json!({"callId": id});
                            if cancel_rules.cancel_names_session {
                                params["selector"] = cancelled_session.clone();
                            }
                            if let Some(reason) = cancel_rules.cancel_reason {
                                params["reason"] = reason.into();
                            }
                            let _ = client.call("tools.cancel", params, QUICK).await;
                        }
                        std::future::pending::<()>().await;
                    };
                    tokio::select! {
                        _ = answer => {}
                        () = cancel => {}
                    }
                });
                self.given_up(active)
            }
        }
    }

    async fn call_built_in(&self, tool: BuiltIn, arguments: &Map<String, Value>, active: &ActiveRequest) -> Value {
        let run = async { self.own_tools.run(tool, arguments, &self.daemon).await };
        match self.unless_given_up(run, active).await {
            Ok(Ok(value)) => built_in_success(&value),
            Ok(Err(failure)) => built_in_failure(&failure),
            Err(error) => built_in_failure(&Failure::from(&error)),
        }
    }

    fn unknown_tool(&self, name: &str) -> Result<Value, ProtocolError> {
        let message = format!("there is no tool {name:?}");
        match self.rules.mcp_answers.unknown_tool_is_protocol_error {
            true => Err(ProtocolError { code: INVALID_PARAMS, message, data: None }),
            false => Ok(built_in_failure(&Failure::new("tool_not_found", message))),
        }
    }
}

fn late(method: &str, after: Duration) -> RpcClientError {
    RpcClientError::DeadlinePassed { method: method.to_owned(), after }
}

//! The SDK's side: typed requests in, [`Server`]'s answers out.

use super::protocol_error::ProtocolError;
use super::revision::Revision;
use super::server::{ActiveRequest, Server};
use super::transport::number;
use crate::rules::{NO_REASON, Rules, is_due};
use rmcp::ErrorData;
use rmcp::model::{
    ClientNotification, ClientRequest, CustomResult, ErrorCode, Implementation, InitializeResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, Service};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The handler of one connection.
///
/// It implements the SDK's lower trait: results are raw JSON here, so that what an app declared, a priority of `0.1` or
/// a member the SDK does not know, reaches the client as it is.
pub struct Handler {
    server: Arc<Server>,
    rules: Arc<Rules>,
    requests: AtomicU64,
    turn: tokio::sync::Mutex<()>,
}

impl Handler {
    /// A handler that answers what `server` answers.
    pub fn new(server: Arc<Server>, rules: Arc<Rules>) -> Self {
        Self { server, rules, requests: AtomicU64::new(0), turn: tokio::sync::Mutex::default() }
    }

    async fn answer(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<Value, ProtocolError> {
        let count = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        if is_due(self.rules.mcp.failing_requests, count) {
            let message = NO_REASON.to_owned();
            return Err(ProtocolError { code: ErrorCode::INTERNAL_ERROR.0, message, data: None });
        }
        let active = ActiveRequest { number: number(context.id).unwrap_or_default(), cancelled: context.ct };
        let server = &self.server;
        let _turn = match self.rules.mcp_own_tools.wait_aside {
            true => None,
            false => Some(self.turn.lock().await),
        };
        match request {
            ClientRequest::PingRequest(_) => Ok(json!({})),
            ClientRequest::ListToolsRequest(request) => server.list_tools(cursor(&request.params)).await,
            ClientRequest::ListResourcesRequest(request) => server.list_resources(cursor(&request.params)).await,
            ClientRequest::ListResourceTemplatesRequest(request) => server.list_templates(cursor(&request.params)),
            ClientRequest::ReadResourceRequest(request) => server.read_resource(&request.params.uri, &active).await,
            ClientRequest::SubscribeRequest(request) => server.subscribe(&request.params.uri, &active).await,
            ClientRequest::UnsubscribeRequest(request) => server.unsubscribe(&request.params.uri, &active).await,
            ClientRequest::CallToolRequest(request) => {
                let arguments = request.params.arguments.unwrap_or_default();
                let name = request.params.name;
                server.call_tool(&name, arguments, &active).await
            }
            other => Err(ProtocolError {
                code: self.rules.mcp.unknown_method_code,
                message: format!("there is no method {:?} here", other.method()),
                data: None,
            }),
        }
    }
}

impl Service<RoleServer> for Handler {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        if let ClientRequest::InitializeRequest(_) = &request {
            let apps = self.server.open().await;
            // The conversation decides which revision is agreed on.
            let mut result = self.get_info();
            if !apps
                && !self.rules.mcp.promises_without_apps
                && let Some(resources) = &mut result.capabilities.resources
            {
                resources.subscribe = None;
            }
            return Ok(ServerResult::InitializeResult(result));
        }
        match self.answer(request, context).await {
            Ok(mut result) => {
                if !self.rules.mcp.plain_envelope
                    && let Some(members) = result.as_object_mut()
                {
                    members.insert("resultType".to_owned(), "complete".into());
                    members.insert("ttlMs".to_owned(), 0.into());
                }
                Ok(ServerResult::CustomResult(CustomResult(result)))
            }
            Err(error) => Err(ErrorData::new(ErrorCode(error.code), error.message, error.data)),
        }
    }

    async fn handle_notification(
        &self,
        _notification: ClientNotification,
        _context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn get_info(&self) -> ServerConfig {
        let mut result = InitializeResult::new(capabilities(&self.rules));
        result.protocol_version = version(Revision::LATEST);
        result.server_info = Implementation::new(SERVER_NAME, env!("CARGO_PKG_VERSION"));
        result.with_instructions(self.server.instructions())
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Revision::ALL.map(version).to_vec().into()
    }
}

fn cursor(params: &Option<PaginatedRequestParams>) -> Option<&str> {
    params.as_ref()?.cursor.as_deref()
}

/// What is promised: exactly what is served (`BRG-MCP-01`).
fn capabilities(rules: &Rules) -> ServerCapabilities {
    let mcp = &rules.mcp;
    let mut capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
    if let Some(tools) = &mut capabilities.tools {
        tools.list_changed = mcp.promise_tools_list_changed.then_some(true);
    }
    if let Some(resources) = &mut capabilities.resources {
        resources.list_changed = mcp.promise_resources_list_changed.then_some(true);
        resources.subscribe = mcp.promise_subscribe.then_some(true);
    }
    if mcp.promise_prompts {
        capabilities.prompts = Some(Default::default());
    }
    if mcp.promise_completions {
        capabilities.completions = Some(Default::default());
    }
    capabilities
}

fn version(revision: Revision) -> ProtocolVersion {
    match revision {
        Revision::R20250618 => ProtocolVersion::V_2025_06_18,
        Revision::R20251125 => ProtocolVersion::V_2025_11_25,
    }
}

/// `serverInfo.name`
const SERVER_NAME: &str = "iolite-reference-daemon";

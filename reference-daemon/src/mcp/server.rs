//! What each request is answered with. The SDK's handler is a thin shell around it.

mod fallback;
mod resources;
mod tools;

use super::built_in::BuiltIn;
use super::built_in_calls::OwnTools;
use super::daemon_view::DaemonView;
use super::naming::Naming;
use super::paging::page;
use super::protocol_error::ProtocolError;
use super::request::INTERNAL_ERROR;
use super::revision::Revision;
use super::shared_conversation::SharedConversation;
use super::tool_results::Failure;
use super::view::View;
use crate::rpc_client::RpcClientError;
use crate::rules::Rules;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use tokio_util::sync::CancellationToken;

/// The server of one client.
pub struct Server {
    rules: Arc<Rules>,
    naming: Arc<Naming>,
    daemon: DaemonView,
    conversation: Arc<SharedConversation>,
    ending: CancellationToken,
    own_tools: OwnTools,
    page_size: Option<usize>,
    first_tools: OnceLock<Vec<Value>>,
    first_resources: OnceLock<Vec<Value>>,
    first_summaries: OnceLock<Value>,
    first_uris: OnceLock<BTreeSet<String>>,
}

/// What one request brings with it.
pub struct ActiveRequest {
    /// Its number in the conversation.
    pub number: u64,
    /// Cancelled when the client cancels it.
    pub cancelled: CancellationToken,
}

impl Server {
    /// A server that shows what `daemon` holds. When `ending` is cancelled, requests that wait for an app are given up.
    pub fn new(
        rules: Arc<Rules>,
        naming: Arc<Naming>,
        daemon: DaemonView,
        conversation: Arc<SharedConversation>,
        ending: CancellationToken,
    ) -> Self {
        let own_tools = OwnTools::new(Arc::clone(&rules), Arc::clone(&naming));
        let page_size = rules.mcp_paging.size.or(naming.page_size);
        Self {
            own_tools,
            page_size,
            rules,
            naming,
            daemon,
            conversation,
            ending,
            first_tools: OnceLock::new(),
            first_resources: OnceLock::new(),
            first_summaries: OnceLock::new(),
            first_uris: OnceLock::new(),
        }
    }

    /// The daemon as this server sees it.
    pub fn daemon(&self) -> &DaemonView {
        &self.daemon
    }

    /// Looks at the daemon once before the client is answered, so that what is there already is no change later. Says
    /// whether there are apps.
    pub async fn open(&self) -> bool {
        let Ok(view) = self.daemon.current().await else {
            return false;
        };
        let uris = view.resources().iter().map(|shown| shown.uri.clone());
        let _ = self.first_uris.set(uris.collect());
        !view.sessions().is_empty()
    }

    /// Hints for the model on the other side.
    pub fn instructions(&self) -> String {
        let name = |tool: BuiltIn| tool.name(&self.naming);
        format!(
            "Tools and resources come from running apps that are connected to this bridge; both lists change as apps \
             come and go. Without an app, {} mints a link to connect one. Clients without MCP resources reach every \
             resource through {} and {}.",
            name(BuiltIn::Connect),
            name(BuiltIn::ListResources),
            name(BuiltIn::Read),
        )
    }

    /// `tools/list`
    pub async fn list_tools(&self, cursor: Option<&str>) -> Result<Value, ProtocolError> {
        let view = self.view().await?;
        let fresh = || view.tool_list(self.revision());
        let tools = match self.rules.mcp_lists.fresh_lists {
            true => fresh(),
            false => self.first_tools.get_or_init(fresh).clone(),
        };
        self.page("tools", &view, tools, cursor)
    }

    /// `resources/list`
    pub async fn list_resources(&self, cursor: Option<&str>) -> Result<Value, ProtocolError> {
        let view = self.view().await?;
        if view.sessions().is_empty() && !self.rules.fallback.probe_without_session {
            let failure = Failure::new("no_session", "there is no session");
            return Err(self.internal(&failure));
        }
        let fresh = || view.resource_list(self.revision());
        let resources = match self.rules.mcp_lists.fresh_lists {
            true => fresh(),
            false => self.first_resources.get_or_init(fresh).clone(),
        };
        self.page("resources", &view, resources, cursor)
    }

    fn page(&self, list: &str, view: &View, entries: Vec<Value>, cursor: Option<&str>) -> Result<Value, ProtocolError> {
        let of: String = view.sessions().iter().map(|session| session.id.as_str()).collect();
        let cursor = cursor.filter(|_| self.rules.mcp.refuse_cursors);
        page(list, &of, entries, cursor, self.page_size, &self.rules.mcp_paging)
    }

    /// `resources/templates/list`: there are none.
    ///
    /// # Errors
    ///
    /// There is a cursor: there is no second page that it could lead to.
    pub fn list_templates(&self, cursor: Option<&str>) -> Result<Value, ProtocolError> {
        if cursor.is_some() && self.rules.mcp.refuse_cursors {
            return page("resourceTemplates", "", Vec::new(), cursor, self.page_size, &self.rules.mcp_paging);
        }
        Ok(match self.rules.mcp_lists.no_templates {
            true => json!({"resourceTemplates": []}),
            false => {
                let uri = self.naming.resource_uri("{alias}", "{name}");
                json!({"resourceTemplates": [{"uriTemplate": uri, "name": "resource"}]})
            }
        })
    }

    /// Waits for `work` unless the client cancels the request or goes away.
    async fn unless_given_up<T>(
        &self,
        work: impl Future<Output = T>,
        active: &ActiveRequest,
    ) -> Result<T, RpcClientError> {
        tokio::select! {
            result = work => Ok(result),
            () = self.ending.cancelled() => self.given_up(active),
            () = active.cancelled.cancelled() => self.given_up(active),
        }
    }

    /// Nobody waits for the answer any more.
    fn given_up<T>(&self, active: &ActiveRequest) -> Result<T, RpcClientError> {
        self.conversation.with(|conversation| conversation.forget(active.number));
        Err(RpcClientError::ConnectionLost)
    }

    async fn view(&self) -> Result<Arc<View>, ProtocolError> {
        let view = self.current().await;
        view.map_err(|error| self.internal(&Failure::from(&error)))
    }

    /// The view that a request is answered from. A daemon that is away fails it at once (`BRG-MCP-26`).
    async fn current(&self) -> Result<Arc<View>, RpcClientError> {
        let mut happened = self.daemon.happened();
        loop {
            match self.daemon.current().await {
                Err(error) if self.waits_for_daemon(&error) => {
                    // It counts the daemon's coming back, too. The view outlives every request.
                    let _ = happened.changed().await;
                }
                result => return result,
            }
        }
    }

    fn waits_for_daemon(&self, error: &RpcClientError) -> bool {
        let away = matches!(error, RpcClientError::Unreachable { .. } | RpcClientError::ConnectionLost);
        away && !self.rules.mcp.fail_without_daemon
    }

    fn revision(&self) -> Revision {
        self.conversation.with(|conversation| conversation.revision())
    }

    fn internal(&self, failure: &Failure) -> ProtocolError {
        let mut data = Map::new();
        if self.rules.mcp_answers.read_error_type {
            data.insert("type".to_owned(), failure.kind.as_str().into());
        }
        if let Some(details) = &failure.details {
            data.insert("details".to_owned(), details.clone());
        }
        ProtocolError {
            code: INTERNAL_ERROR,
            message: failure.message.clone(),
            data: (!data.is_empty()).then_some(Value::Object(data)),
        }
    }
}

/// Who asks, in the daemon's audit (`BRG-AUD-01`).
const CALLER: &str = "mcp";

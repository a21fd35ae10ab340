//! `resources/read`, `resources/subscribe` (`BRG-MCP-09` … `BRG-MCP-11`, `BRG-MCP-17`).

use super::{ActiveRequest, CALLER, Server};
use crate::mcp::contents::{app_contents, sessions_contents};
use crate::mcp::protocol_error::ProtocolError;
use crate::mcp::request::INTERNAL_ERROR;
use crate::mcp::tool_results::Failure;
use crate::mcp::view::{ResourceTarget, ShownResource, View};
use crate::rpc_client::{PATIENT, RpcClientError};
use crate::rules::{UnknownUri, WhileAway};
use serde_json::{Value, json};

/// Why a read has no contents.
pub(super) enum ReadError {
    /// There is no such resource.
    NotFound,
    /// It is there and could not be read.
    Failed(Failure),
}

impl Server {
    /// `resources/read`
    pub async fn read_resource(&self, uri: &str, active: &ActiveRequest) -> Result<Value, ProtocolError> {
        let view = self.view().await?;
        match self.contents(&view, uri, active).await {
            Ok(contents) => Ok(json!({"contents": contents})),
            Err(ReadError::NotFound) => self.unknown_resource(uri),
            Err(ReadError::Failed(_)) if !self.rules.mcp_answers.read_errors_internal => self.unknown_resource(uri),
            Err(ReadError::Failed(failure)) => Err(self.internal(&failure)),
        }
    }

    /// `resources/subscribe`. The subscription begins when the answer is written.
    pub async fn subscribe(&self, uri: &str, active: &ActiveRequest) -> Result<Value, ProtocolError> {
        let view = self.view().await?;
        self.check_presence(&view, uri, self.rules.mcp_conduct.subscribe_while_away, active)?;
        match view.resource(uri) {
            None if self.rules.mcp_answers.refuse_unknown_subscription => Err(self.not_found(uri)),
            _ => Ok(json!({})),
        }
    }

    /// `resources/unsubscribe`. The subscription ends when the answer is written.
    pub async fn unsubscribe(&self, uri: &str, active: &ActiveRequest) -> Result<Value, ProtocolError> {
        let while_away = self.rules.mcp_conduct.unsubscribe_while_away;
        if while_away != WhileAway::Counts {
            let view = self.view().await?;
            self.check_presence(&view, uri, while_away, active)?;
        }
        Ok(json!({}))
    }

    /// An app that is away makes no difference to subscriptions (`BRG-MCP-18`), unless a bent rule table says so.
    fn check_presence(
        &self,
        view: &View,
        uri: &str,
        while_away: WhileAway,
        active: &ActiveRequest,
    ) -> Result<(), ProtocolError> {
        let Some(ResourceTarget::App(resource)) = view.resource(uri) else {
            return Ok(());
        };
        let is_away = view.session(&resource.session).is_some_and(|session| session.suspended);
        match while_away {
            WhileAway::Ignored if is_away => {
                self.conversation.with(|conversation| conversation.leave_subscriptions(active.number));
                Ok(())
            }
            WhileAway::Refused if is_away => {
                Err(self.internal(&Failure::new("session_suspended", "the app has no connection")))
            }
            WhileAway::Counts | WhileAway::Ignored | WhileAway::Refused => Ok(()),
        }
    }

    pub(super) async fn contents(
        &self,
        view: &View,
        uri: &str,
        active: &ActiveRequest,
    ) -> Result<Vec<Value>, ReadError> {
        let resource = match view.resource(uri) {
            None => return Err(ReadError::NotFound),
            Some(ResourceTarget::Sessions) => {
                if !self.rules.mcp_answers.sessions_ask_no_app {
                    for resource in view.resources() {
                        let _ = self.app_contents(resource, active).await;
                    }
                }
                let summaries = match self.rules.mcp_answers.fresh_sessions {
                    true => view.summaries(),
                    false => self.first_summaries.get_or_init(|| view.summaries().clone()),
                };
                return Ok(sessions_contents(summaries, uri));
            }
            Some(ResourceTarget::App(resource)) if self.rules.mcp_answers.reads_reach_their_own => resource,
            Some(ResourceTarget::App(resource)) => view.last_resource_of(&resource.session).unwrap_or(resource),
        };
        match self.app_contents(resource, active).await {
            Ok(result) => app_contents(&result["contents"], uri, resource, &self.rules)
                .map_err(|why| ReadError::Failed(Failure::new("tool_serialization_error", why))),
            Err(error) => {
                // As for tools: unknown by now, or the app's own word.
                let gone = ["tool_not_found", "resource_not_found", "unknown_session"];
                if gone.contains(&error.error_type())
                    && let Ok(view) = self.daemon.current().await
                    && view.resource(uri).is_none()
                {
                    return Err(ReadError::NotFound);
                }
                Err(ReadError::Failed(Failure::from(&error)))
            }
        }
    }

    async fn app_contents(&self, resource: &ShownResource, active: &ActiveRequest) -> Result<Value, RpcClientError> {
        let client = self.daemon.client().await?;
        let params = json!({
            "selector": resource.session,
            "name": resource.descriptor.name(),
            "caller": CALLER,
        });
        let read = client.call("resources.read", params, PATIENT);
        self.unless_given_up(read, active).await?
    }

    fn unknown_resource(&self, uri: &str) -> Result<Value, ProtocolError> {
        match self.rules.mcp_answers.unknown_uri {
            UnknownUri::Empty => Ok(json!({"contents": []})),
            UnknownUri::NotFound | UnknownUri::Internal | UnknownUri::OtherEra => Err(self.not_found(uri)),
        }
    }

    fn not_found(&self, uri: &str) -> ProtocolError {
        let revision = self.revision();
        let code = match self.rules.mcp_answers.unknown_uri {
            UnknownUri::NotFound | UnknownUri::Empty => revision.not_found_code(),
            UnknownUri::Internal => INTERNAL_ERROR,
            UnknownUri::OtherEra => revision.foreign_not_found_code(),
        };
        ProtocolError { code, message: format!("there is no resource {uri:?}"), data: Some(json!({"uri": uri})) }
    }
}

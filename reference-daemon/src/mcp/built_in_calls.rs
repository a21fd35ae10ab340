//! What the server's own tools do, but for the two fallback tools, which share their work with the resource surface
//! (`BRG-MCP-29` … `BRG-MCP-31`).

mod event_match;
mod waits;

use super::built_in::BuiltIn;
use super::daemon_view::DaemonView;
use super::naming::Naming;
use super::tool_results::Failure;
use crate::rpc_client::{QUICK, RpcClientError};
use crate::rules::Rules;
use iolite_protocol::bootstrap::deep_link;
use iolite_protocol::rpc::LinkCreated;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What these tools remember of each other's calls for one client.
#[derive(Debug)]
pub struct OwnTools {
    rules: Arc<Rules>,
    naming: Arc<Naming>,
    /// The number of the last event given, by session id and event name.
    given: Mutex<HashMap<(String, String), u64>>,
    /// How many waits for a session there have been, by its id.
    waits: Mutex<HashMap<String, u64>>,
    first_link: OnceLock<Value>,
}

impl OwnTools {
    /// Nothing was called yet.
    pub fn new(rules: Arc<Rules>, naming: Arc<Naming>) -> Self {
        Self { rules, naming, given: Mutex::default(), waits: Mutex::default(), first_link: OnceLock::new() }
    }

    /// Runs one of them.
    ///
    /// # Errors
    ///
    /// What to show as error result.
    pub async fn run(
        &self,
        tool: BuiltIn,
        arguments: &Map<String, Value>,
        daemon: &DaemonView,
    ) -> Result<Value, Failure> {
        let arguments = tool.admit(arguments, self.rules.mcp_own_tools.odd_arguments)?;
        match tool {
            BuiltIn::Connect => self.connect(&arguments, daemon).await,
            BuiltIn::WaitForSession => self.wait_for_session(&arguments, daemon).await,
            BuiltIn::Events => self.events(arguments, daemon).await,
            BuiltIn::WaitForEvent => self.wait_for_event(&arguments, daemon).await,
            BuiltIn::ListResources | BuiltIn::Read => {
                Err(Failure::new("internal_error", "the fallback tools are served with the resources"))
            }
        }
    }

    async fn connect(&self, arguments: &Map<String, Value>, daemon: &DaemonView) -> Result<Value, Failure> {
        match text(arguments, "target") {
            None | Some("none") if arguments.contains_key("device") => {
                let message = "device needs a target of \"android\" or \"ios-sim\"";
                return Err(Failure::new("invalid_request", message));
            }
            None | Some("none") => {}
            Some(target) => {
                let message = format!(
                    "this bridge delivers no links to {target}: call again without a target and open deepLink yourself"
                );
                return Err(Failure::new("tool_execution_error", message));
            }
        }
        let rules = &self.rules.mcp_own_tools;
        if let (Some(first), false) = (self.first_link.get(), rules.fresh_link) {
            return Ok(first.clone());
        }
        let mut params = Map::new();
        if let Some(seconds) = whole(arguments, "ttlSeconds").filter(|_| rules.obey_ttl) {
            params.insert("ttlSeconds".to_owned(), seconds.saturating_mul(rules.ttl_factor).into());
        }
        let mut result = call(daemon, "link.create", Value::Object(params)).await?;
        let link = LinkCreated::decode(&result).map_err(|error| Failure::new("internal_error", error.to_string()))?;
        if !rules.link_stands {
            call(daemon, "sessions.revoke", json!({ "selector": link.session_id })).await?;
        }
        let deep_link = deep_link(&self.naming.link_scheme, &link.deep_link_payload, &link.pin);
        if rules.whole_link {
            result["deepLink"] = deep_link.into();
        } else {
            result = json!({ "sessionId": link.session_id, "deepLink": deep_link, "expiresAt": result["expiresAt"] });
        }
        let _ = self.first_link.set(result.clone());
        Ok(result)
    }

    async fn events(&self, mut arguments: Map<String, Value>, daemon: &DaemonView) -> Result<Value, Failure> {
        let rules = &self.rules.mcp_own_tools;
        if let Some(forgotten) = rules.events_forget {
            arguments.shift_remove(forgotten);
        }
        let mut page = match call(daemon, "events.since", Value::Object(arguments)).await {
            Err(_) if !rules.events_failures => return Ok(json!({ "events": [], "cursor": 0 })),
            answer => answer?,
        };
        if let (Some(events), false) = (page["events"].as_array_mut(), rules.events_in_order) {
            events.reverse();
        }
        if let (Some(members), false) = (page.as_object_mut(), rules.events_cursor) {
            members.shift_remove("cursor");
        }
        Ok(page)
    }
}

async fn call(daemon: &DaemonView, method: &str, params: Value) -> Result<Value, Failure> {
    let client = daemon.client().await.map_err(failure)?;
    client.call(method, params, QUICK).await.map_err(failure)
}

fn failure(error: RpcClientError) -> Failure {
    Failure::from(&error)
}

fn text<'a>(arguments: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    arguments.get(key)?.as_str()
}

fn whole(arguments: &Map<String, Value>, key: &str) -> Option<u64> {
    super::built_in::whole_number(arguments.get(key)?)
}

/// What a lock guards, also behind a panic: every value these locks guard is whole at any moment.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! What a wrong daemon does for requests that it refuses. The contract's table asks for none of it (`BRG-RPC-16`).

use crate::core::event_log::Filter;
use crate::core::io::ConnectionId;
use crate::core::state::Core;
use crate::rules::RefusedSubscription;
use iolite_protocol::rpc::{RpcError, RpcRequest};
use serde_json::{Value, json};

impl Core {
    /// Whether a whole number is refused for the way it is spelled.
    pub(super) fn refused_spelling(&self, line: &[u8]) -> Option<RpcError> {
        if self.rules.refusals.any_spelling {
            return None;
        }
        let line: Value = serde_json::from_slice(line).ok()?;
        let members = line.get("params")?.as_object()?;
        let spelled = |value: &Value| value.as_f64().is_some_and(|number| value.is_f64() && number.fract() == 0.0);
        let (parameter, _) = members.iter().find(|(_, value)| spelled(value))?;
        Some(self.typed("invalid_request", format!("{parameter} must be a whole number")))
    }

    pub(super) fn after_refusal(&mut self, connection: ConnectionId, line: &[u8]) {
        let rules = self.rules.refusals.clone();
        if rules == crate::rules::RefusalRules::default() {
            return;
        }
        let Ok(mut request) = serde_json::from_slice::<Value>(line) else {
            return;
        };
        let method = request["method"].as_str().unwrap_or_default().to_owned();
        if method == "events.subscribe"
            && let Some(found) = self.connections.get_mut(&connection)
        {
            match rules.subscribe {
                RefusedSubscription::Nothing => {}
                RefusedSubscription::Ends => found.filter = None,
                RefusedSubscription::Widens => found.filter = Some(Filter::default()),
            }
        }
        if method == "daemon.shutdown" && request["jsonrpc"] == "2.0" && !rules.shutdown_with_right_params {
            self.shut_down();
        }
        if !request.is_object() {
            return;
        }
        let odd_version = request["jsonrpc"] != "2.0" && !rules.undone_without_version;
        let id = &request["id"];
        let odd_id = (id.is_boolean() || id.is_array() || id.is_object()) && !rules.undone_with_odd_id;
        if odd_version || odd_id {
            request["jsonrpc"] = "2.0".into();
            if let Some(members) = request.as_object_mut() {
                members.shift_remove("id");
            }
            if let Ok(request) = RpcRequest::decode(request.to_string().as_bytes(), &self.rules.contract) {
                let from = self.request_from(connection, None);
                self.dispatch(from, request.params);
            }
        }
    }

    /// The name and the alias that the policy judges, where they are not those that are called.
    pub(in crate::core) fn judged(&self, alias: &str, name: &str) -> (String, String) {
        let params = self.first_reading.as_ref().map_or(&Value::Null, |line| &line["params"]);
        let selected = params["selector"].as_str().and_then(|selector| self.select(Some(selector)).ok());
        let judged = selected.and_then(|serial| self.sessions.get(serial)).map(|session| session.alias.clone());
        (judged.unwrap_or_else(|| alias.to_owned()), params["name"].as_str().unwrap_or(name).to_owned())
    }

    /// The arguments that are recorded, where they are not those that are sent.
    pub(in crate::core) fn recorded_args(&self) -> Option<Value> {
        self.first_reading.as_ref()?["params"].get("args").cloned().or_else(|| Some(json!({})))
    }
}

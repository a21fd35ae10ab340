//! The operator's side: lines in, answers and events out (`BRG-RPC-…`).

mod daemon;
mod events;
mod lists;
mod refusals;
mod selector;

use super::connections::{Connection, RequestRef};
use super::io::{ConnectionId, Output};
use super::state::Core;
use crate::first_reading::first_reading;
use crate::rules::{AnswerId, Doubled, NO_REASON, RefusedLink, is_due};
use crate::wires::pieces;
use iolite_protocol::rpc::{Params, RpcError, RpcRequest};
use serde_json::{Value, json};

impl Core {
    pub(super) fn rpc_opened(&mut self, connection: ConnectionId) {
        self.first_connection.get_or_insert(connection);
        self.connections.insert(connection, Connection::default());
    }

    pub(super) fn rpc_line(&mut self, connection: ConnectionId, line: &[u8]) {
        if !self.connections.contains_key(&connection) {
            return;
        }
        if line.len() > self.rules.contract.limits.rpc_line_bytes {
            return self.rpc_line_too_long(connection);
        }
        let ends = self.rules.wires.operator_lines;
        if let Some(pieces) = pieces(line, ends, self.rules.wires.operator_chunks) {
            for piece in pieces {
                self.rpc_request(connection, &piece);
            }
            return;
        }
        self.rpc_request(connection, line);
    }

    fn rpc_request(&mut self, connection: ConnectionId, line: &[u8]) {
        self.first_reading = match self.rules.wires.doubled {
            Doubled::Last => None,
            Doubled::FirstIsJudged | Doubled::FirstIsRecorded => first_reading(line),
        };
        if let Some(error) = self.refused_spelling(line) {
            let id = serde_json::from_slice::<Value>(line).ok().and_then(|line| line.get("id").cloned());
            let from = self.request_from(connection, id);
            return self.answer(&from, Err(error));
        }
        match RpcRequest::decode(line, &self.rules.contract) {
            Ok(request) => self.take_request(connection, request),
            Err(_) if self.waive_in_line(connection, line) => {}
            Err(failure) => {
                self.request_refused(line);
                let garbage = [RpcError::PARSE, RpcError::INVALID_REQUEST].contains(&failure.error.code());
                let id = failure.reply_to.map(|id| id.as_json().clone());
                let from = self.request_from(connection, id);
                self.after_refusal(connection, line);
                self.answer(&from, Err(failure.error));
                if garbage && !self.rules.rpc.survive_garbage {
                    self.end_connection(connection);
                }
            }
        }
    }

    pub(super) fn take_request(&mut self, connection: ConnectionId, request: RpcRequest) {
        let id = request.id.map(|id| id.as_json().clone());
        let from = self.request_from(connection, id);
        self.dispatch(from, request.params);
    }

    /// What a refused request does all the same: nothing by the contract (`BRG-LNK-06`, `BRG-TOL-19`).
    fn request_refused(&mut self, line: &[u8]) {
        let leaves = self.rules.link.refused != RefusedLink::Nothing || self.rules.cancel.refused_is_sent;
        let Some(request) = leaves.then(|| serde_json::from_slice::<Value>(line).ok()).flatten() else {
            return;
        };
        match request["method"].as_str() {
            Some("link.create") => self.link_refused(),
            Some("tools.cancel") if self.rules.cancel.refused_is_sent => {
                if let Some(id) = request["params"]["callId"].as_str() {
                    self.cancel_by_id(id);
                }
            }
            _ => (),
        }
    }

    /// A line over the limit ends its connection, and no other (`BRG-RPC-08`).
    pub(super) fn rpc_line_too_long(&mut self, connection: ConnectionId) {
        self.end_connection(connection);
    }

    fn end_connection(&mut self, connection: ConnectionId) {
        if self.connections.contains_key(&connection) {
            self.out.push(Output::RpcEnd { connection });
            self.rpc_closed(connection);
        }
    }

    pub(super) fn rpc_closed(&mut self, connection: ConnectionId) {
        if self.connections.remove(&connection).is_some() {
            self.caller_gone(connection);
        }
    }

    fn request_from(&mut self, connection: ConnectionId, id: Option<Value>) -> RequestRef {
        let id = match self.rules.rpc.silent_notifications {
            true => id,
            false => Some(id.unwrap_or(Value::Null)),
        };
        let mut number = 0;
        if let Some(found) = self.connections.get_mut(&connection) {
            found.requests += 1;
            number = found.requests;
            if id.is_some() && !self.rules.rpc.out_of_order {
                found.waiting.push_back(number);
            }
        }
        RequestRef { connection, id, number }
    }

    fn dispatch(&mut self, from: RequestRef, params: Params) {
        if self.rules.foundation.stray_cancels {
            self.send_stray_cancels(None);
        }
        if self.first_connection != Some(from.connection) {
            self.counts.requests += 1;
            if is_due(self.rules.foundation.failing_requests, self.counts.requests) {
                let error = self.typed("internal_error", NO_REASON.to_owned());
                return self.answer(&from, Err(error));
            }
        }
        let open =
            self.rules.rpc.open_at_once.map(|most| (most, self.in_flight.of_connection(from.connection).count()));
        if open.is_some_and(|(most, open)| open >= most) {
            let error = self.typed("internal_error", "too much is in flight".to_owned());
            return self.answer(&from, Err(error));
        }
        let caller = match &params {
            Params::ToolsCall(call) => call.caller.as_deref(),
            Params::ResourcesRead(read) => read.caller.as_deref(),
            _ => None,
        };
        if !self.rules.rpc.any_caller && caller.is_some_and(|caller| !["cli", "mcp", "client"].contains(&caller)) {
            let error = self.typed("invalid_request", "parameter `caller`: it is none of cli, mcp, client".to_owned());
            return self.answer(&from, Err(error));
        }
        let answer = match params {
            Params::ToolsCall(call) => return self.tools_call(from, call),
            Params::ResourcesRead(read) => return self.resources_read(from, read),
            Params::ToolsCancel(cancel) => return self.tools_cancel(&from, &cancel),
            Params::DaemonShutdown => {
                self.answer(&from, Ok(json!({ "stopping": true })));
                return self.shut_down();
            }
            Params::DaemonStatus => Ok(self.status()),
            Params::LinkCreate(link) => self.link_create(&link),
            Params::SessionsList => Ok(self.sessions_list()),
            Params::SessionsDescribe(selected) => self.describe(selected.selector.as_deref()),
            Params::SessionsRevoke(selected) => self.sessions_revoke(selected.selector.as_deref()),
            Params::ToolsList(selected) => self.tools_list(selected.selector.as_deref()),
            Params::ResourcesList(selected) => self.resources_list(selected.selector.as_deref()),
            Params::EventsSubscribe(subscribe) => self.subscribe(from.connection, subscribe),
            Params::EventsSince(since) => self.events_since(since),
        };
        self.answer(&from, answer);
    }

    /// Answers a request, once, under its own id (`BRG-RPC-09`). A caller that is gone gets none.
    pub(super) fn answer(&mut self, to: &RequestRef, answer: Result<Value, RpcError>) {
        let rules = &self.rules.rpc;
        let (Some(id), Some(connection)) = (&to.id, self.connections.get_mut(&to.connection)) else {
            return;
        };
        let id = match (rules.id, id) {
            (AnswerId::AsText, Value::Number(number)) => number.to_string().into(),
            (AnswerId::AsNumber, Value::String(text)) => {
                text.parse().map_or_else(|_| id.clone(), |number: u64| number.into())
            }
            (AnswerId::FirstText, Value::String(_)) => {
                connection.first_text_id.get_or_insert_with(|| id.clone()).clone()
            }
            _ => id.clone(),
        };
        let line = match answer {
            Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
            Err(error) => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, bent_error(&error, rules)),
        };
        let mut lines = Vec::new();
        if rules.out_of_order {
            lines.push(line);
        } else {
            connection.held_up.insert(to.number, line);
            while let Some(line) = connection.waiting.front().and_then(|first| connection.held_up.remove(first)) {
                connection.waiting.pop_front();
                lines.push(line);
            }
        }
        let connection = to.connection;
        self.out.extend(lines.into_iter().map(|line| Output::RpcSend { connection, line }));
    }

    /// An error with a type of the table's own.
    pub(super) fn typed(&self, error_type: &str, message: String) -> RpcError {
        RpcError::new(RpcError::TYPED, message, Some(json!({ "type": error_type })))
    }
}

/// The wire form of an error, as the table has it; the error's own by the contract.
fn bent_error(error: &RpcError, rules: &crate::rules::RpcRules) -> Value {
    let mut object = error.to_json();
    object["code"] = match error.code() {
        RpcError::PARSE => rules.parse_code,
        RpcError::INVALID_REQUEST => rules.shape_code,
        RpcError::METHOD_NOT_FOUND => rules.method_code,
        _ => rules.failure_code,
    }
    .into();
    let names_parameter = error.details().is_some_and(|details| details.get("parameter").is_some());
    if names_parameter && !rules.name_parameter {
        object["message"] = "a parameter has the wrong shape".into();
        object["data"] = json!({ "type": error.type_text() });
    }
    if !rules.failure_type
        && let Some(data) = object.get_mut("data").and_then(Value::as_object_mut)
    {
        data.shift_remove("type");
    }
    object
}

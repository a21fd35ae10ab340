//! What there is: sessions, tools, resources (`BRG-RPC-02`, `-05`, `-13`), and `sessions.revoke` (`BRG-SES-10`).

use crate::core::policy::Decision;
use crate::core::sessions::{Serial, Session};
use crate::core::state::Core;
use crate::core::time::time_text;
use crate::rules::{Leak, Unasked};
use iolite_protocol::descriptor::ResourceDescriptor;
use iolite_protocol::rpc::RpcError;
use serde_json::{Map, Value, json};

impl Core {
    /// In claim order, without pending links.
    pub(super) fn sessions_list(&self) -> Value {
        let rules = &self.rules;
        let listed = |session: &&Session| session.is_active() || rules.session.list_suspended;
        let mut sessions: Vec<Value> =
            self.sessions.iter().filter(listed).map(|session| self.summary(session)).collect();
        if !rules.rpc.claim_order {
            sessions.reverse();
        }
        if !rules.rpc.hide_pending {
            sessions.extend(self.links.pending().map(|(id, link)| {
                let created = time_text(link.created, &rules.rpc);
                json!({ "sessionId": id, "state": "pending", "createdAt": created })
            }));
        }
        named("sessions", sessions)
    }

    fn summary(&self, session: &Session) -> Value {
        let mut summary = session.summary(&self.rules);
        if self.rules.session.leak == Some(Leak::Summary) {
            summary["resumeToken"] = session.resume_token.as_str().into();
        }
        summary
    }

    pub(super) fn describe(&self, selector: Option<&str>) -> Result<Value, RpcError> {
        let serial = self.select(selector)?;
        self.not_while_suspended(serial, self.rules.recovery.suspended_is_indescribable)?;
        Ok(self.sessions.get(serial).map_or(Value::Null, |session| self.summary(session)))
    }

    pub(super) fn sessions_revoke(&mut self, selector: Option<&str>) -> Result<Value, RpcError> {
        if let Some(id) = selector
            && self.links.is_pending(id)
            && self.rules.session.revoke_pending
        {
            self.revoke_link(id);
            return Ok(json!({ "revoked": true, "sessionId": id }));
        }
        let serial = match self.select(selector) {
            Err(error) if selector.is_none() && !self.rules.refusals.revoke_nobody => {
                let first = self.sessions.iter().next().map(|session| session.serial);
                if let Some(first) = first {
                    self.revoke(first);
                }
                return Err(error);
            }
            selected => selected?,
        };
        self.not_while_suspended(serial, self.rules.recovery.suspended_is_irrevocable)?;
        let id = self.sessions.get(serial).map(|session| session.id.clone()).unwrap_or_default();
        self.revoke(serial);
        Ok(json!({ "revoked": true, "sessionId": id }))
    }

    /// Refuses what a bent rule table does not allow while a session is suspended.
    pub(super) fn not_while_suspended(&self, serial: Serial, refused: bool) -> Result<(), RpcError> {
        match self.sessions.get(serial) {
            Some(session) if refused && !session.is_active() => {
                Err(self.typed("session_suspended", format!("{} is suspended", session.alias)))
            }
            _ => Ok(()),
        }
    }

    /// In registry order, with the policy that holds for a call.
    pub(super) fn tools_list(&self, selector: Option<&str>) -> Result<Value, RpcError> {
        let session = self.listed_session(self.select(selector)?)?;
        let policy = &self.config.policy;
        let mut tools: Vec<Value> = session
            .tools
            .iter()
            .map(|tool| {
                let rules = &self.rules.policy;
                let decision = policy.of_call(&session.alias, tool.name(), Some(tool), rules);
                self.with_policy(tool.to_json(), decision)
            })
            .collect();
        if !self.rules.tools.registry.registry_order {
            sort_by_name(&mut tools);
        }
        Ok(named("tools", tools))
    }

    /// In registry order and wire spelling, with the policy that holds for a read (`BRG-RPC-02`).
    pub(super) fn resources_list(&mut self, selector: Option<&str>) -> Result<Value, RpcError> {
        let serial = self.select(selector)?;
        let session = self.listed_session(serial)?;
        let decision = self.config.policy.of_read(&self.rules.policy);
        let mut resources: Vec<Value> = session
            .resources
            .iter()
            .map(|resource| {
                let entry = match self.rules.rpc.wire_spelling {
                    true => resource.to_json(),
                    false => resource.to_mcp(true),
                };
                let entry = match self.rules.rpc.list_as_sent {
                    true => entry,
                    false => with_mime_type(entry),
                };
                self.with_policy(entry, decision)
            })
            .collect();
        if !self.rules.resources.registry.registry_order {
            sort_by_name(&mut resources);
        }
        if self.rules.resources.unasked == Unasked::OnList {
            let read: Vec<ResourceDescriptor> = session.resources.iter().cloned().collect();
            for resource in read {
                self.read_unasked(serial, &resource);
            }
        }
        Ok(named("resources", resources))
    }

    /// Lists work for suspended sessions too (`BRG-RPC-13`).
    fn listed_session(&self, serial: Serial) -> Result<&Session, RpcError> {
        let session = self.sessions.get(serial).filter(|session| session.is_active() || self.rules.rpc.list_suspended);
        session.ok_or_else(|| self.typed("session_suspended", "the session is suspended".to_owned()))
    }

    fn with_policy(&self, mut entry: Value, decision: Decision) -> Value {
        if self.rules.rpc.list_policy {
            let shown = match self.rules.policy.show_effective {
                true => decision,
                false => Decision::Allow,
            };
            entry["policy"] = shown.as_str().into();
        }
        entry
    }
}

/// A list under its name.
fn named(name: &str, list: Vec<Value>) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), list.into())]))
}

fn with_mime_type(mut entry: Value) -> Value {
    if entry["mime_type"].is_null() {
        entry["mime_type"] = "text/plain".into();
    }
    entry
}

fn sort_by_name(entries: &mut [Value]) {
    entries.sort_by_cached_key(|entry| entry["name"].as_str().map(str::to_owned));
}

//! What a client sees: the two lists, and where each entry leads. Plain values in, plain values out.

mod exposed;
mod registry;

pub use exposed::{ShownResource, ShownTool};
pub use registry::{AppTool, Session, read_resources, read_tools};

use self::exposed::{shown_resources, shown_tools, slot_entry, slot_name, tool_entry};
use super::built_in::BuiltIn;
use super::naming::Naming;
use super::revision::Revision;
use crate::rules::Rules;
use serde_json::{Value, json};
use std::sync::Arc;

/// Everything one moment of the daemon shows to clients.
#[derive(Clone, Debug)]
pub struct View {
    rules: Arc<Rules>,
    naming: Arc<Naming>,
    summaries: Value,
    sessions: Vec<Session>,
    tools: Vec<ShownTool>,
    resources: Vec<ShownResource>,
}

/// Where a tool name leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ToolTarget<'a> {
    /// To one of the server's own tools.
    BuiltIn(BuiltIn),
    /// To an app.
    App(&'a ShownTool),
    /// To a read of this URI: a faulty server lists one tool for each resource.
    ReadOf(&'a str),
}

/// Where a resource URI leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResourceTarget<'a> {
    /// To the list of sessions.
    Sessions,
    /// To an app.
    App(&'a ShownResource),
}

impl View {
    /// The view of these live sessions. `summaries` is the result of `sessions.list`, shown as it is.
    pub fn new(rules: Arc<Rules>, naming: Arc<Naming>, summaries: Value, sessions: Vec<Session>) -> Self {
        let tools = shown_tools(&sessions, &naming, &rules);
        let resources = shown_resources(&sessions, &naming, &rules);
        Self { rules, naming, summaries, sessions, tools, resources }
    }

    /// The view of a daemon nothing is known about.
    pub fn empty(rules: Arc<Rules>, naming: Arc<Naming>) -> Self {
        Self::new(rules, naming, json!([]), Vec::new())
    }

    /// The live sessions, in claim order.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The session with this id.
    pub fn session(&self, id: &str) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    /// The result of `sessions.list` (`BRG-MCP-25`).
    pub fn summaries(&self) -> &Value {
        &self.summaries
    }

    /// The apps' resources as shown, in the order listed.
    pub fn resources(&self) -> &[ShownResource] {
        &self.resources
    }

    /// `tools/list`: the server's own tools first, so that they stand on the first page of any client.
    pub fn tool_list(&self, _revision: Revision) -> Vec<Value> {
        let own = self.built_ins().map(|tool| tool.entry(&self.naming, &self.rules));
        own.chain(self.app_tool_list()).collect()
    }

    /// What `tools/list` has besides the server's own tools, which never change.
    pub fn app_tool_list(&self) -> impl Iterator<Item = Value> {
        let apps = self.tools.iter().map(tool_entry);
        let slots = self
            .resources
            .iter()
            .filter(|_| !self.rules.fallback.two_slots_only)
            .map(|resource| slot_entry(&self.naming, resource));
        apps.chain(slots)
    }

    /// `resources/list`: the sessions, then every app's resources (`BRG-MCP-03`).
    pub fn resource_list(&self, revision: Revision) -> Vec<Value> {
        let sessions = self.rules.mcp_lists.list_sessions_resource.then(|| self.sessions_entry());
        let apps = self.resources.iter().map(|resource| self.resource_entry(resource, revision));
        let mut entries: Vec<Value> = sessions.into_iter().chain(apps).collect();
        if !self.rules.mcp_lists.same_order && revision != Revision::LATEST {
            entries.reverse();
        }
        entries
    }

    /// What the fallback tool lists: the same (`BRG-FBK-03`).
    pub fn fallback_list(&self, revision: Revision) -> Vec<Value> {
        let fallback = &self.rules.fallback;
        let sessions_uri = self.naming.sessions_uri();
        let mut entries = self.resource_list(revision);
        if !fallback.list_sessions_resource {
            entries.retain(|entry| entry["uri"] != sessions_uri.as_str());
        }
        if !fallback.same_order {
            entries.sort_by_key(|entry| entry["uri"].to_string());
            entries.reverse();
        }
        if !fallback.full_entries {
            for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
                entry.retain(|key, _| key == "uri" || key == "name");
            }
        }
        entries
    }

    /// Where a tool name leads. Names are compared exactly.
    pub fn tool(&self, name: &str) -> Option<ToolTarget<'_>> {
        let own = self.built_ins().find(|tool| tool.name(&self.naming) == name).map(ToolTarget::BuiltIn);
        own.or_else(|| {
            let app = self.tools.iter().find(|tool| tool.name == name);
            let behind_alias = name.rsplit("__").next().filter(|_| !self.rules.mcp_answers.whole_tool_names);
            let loosely = || self.tools.iter().find(|tool| Some(tool.descriptor.name()) == behind_alias);
            app.or_else(loosely).map(ToolTarget::App)
        })
        .or_else(|| {
            let mut slots = self.resources.iter().filter(|_| !self.rules.fallback.two_slots_only);
            let resource = slots.find(|resource| slot_name(&self.naming, resource) == name)?;
            Some(ToolTarget::ReadOf(&resource.uri))
        })
    }

    /// Where a URI leads. URIs are compared byte for byte, as listed (`BRG-MCP-10`).
    pub fn resource(&self, uri: &str) -> Option<ResourceTarget<'_>> {
        let same = |listed: &str| match self.rules.mcp_answers.exact_uris {
            true => listed == uri,
            false => {
                let loose = |uri: &str| {
                    let uri = uri.split_once('?').map_or(uri, |(path, _)| path);
                    uri.to_ascii_lowercase().trim_end_matches('/').to_owned()
                };
                loose(listed) == loose(uri)
            }
        };
        if same(&self.naming.sessions_uri()) {
            return Some(ResourceTarget::Sessions);
        }
        let resource = self.resources.iter().find(|resource| same(&resource.uri))?;
        Some(ResourceTarget::App(resource))
    }

    /// The resource that a session's app knows under this name.
    pub fn resource_of(&self, session: &str, name: &str) -> Option<&ShownResource> {
        self.resources.iter().find(|resource| resource.session == session && resource.descriptor.name() == name)
    }

    /// The resource that a session's app registered last.
    pub fn last_resource_of(&self, session: &str) -> Option<&ShownResource> {
        self.resources.iter().rfind(|resource| resource.session == session)
    }

    fn built_ins(&self) -> impl Iterator<Item = BuiltIn> {
        let fallback = &self.rules.fallback;
        let hide_fallback = self.sessions.is_empty() && !fallback.listed_without_session;
        BuiltIn::ALL.into_iter().filter(move |tool| !(hide_fallback && tool.is_fallback())).filter(|tool| {
            let name = tool.name(&self.naming);
            self.rules.mcp_lists.protect_built_ins || self.tools.iter().all(|shown| shown.name != name)
        })
    }

    fn sessions_entry(&self) -> Value {
        json!({
            "uri": self.naming.sessions_uri(),
            "name": "sessions",
            "title": "Connected apps",
            "description": "The apps that are connected to the bridge, and their state.",
            "mimeType": "application/json",
        })
    }

    fn resource_entry(&self, resource: &ShownResource, revision: Revision) -> Value {
        let lists = &self.rules.mcp_lists;
        let icons = revision.knows_icons() || !lists.icons_by_revision;
        let mut entry = resource.descriptor.to_mcp(icons);
        entry["uri"] = resource.uri.as_str().into();
        if let Some(members) = entry.as_object_mut() {
            if let Some(dropped) = lists.dropped_resource_field {
                members.shift_remove(dropped);
            }
            if lists.null_for_absent {
                for key in ["title", "description", "mimeType", "size", "annotations"] {
                    members.entry(key).or_insert(Value::Null);
                }
            }
        }
        entry
    }
}

#[cfg(test)]
pub(crate) mod tests;

//! From sessions to entries: which are listed, under which name or URI.

use super::registry::{AppTool, Session};
use crate::mcp::built_in::BuiltIn;
use crate::mcp::naming::Naming;
use crate::mcp::schema::{ListedSchemas, Listing};
use crate::mcp::tool_names::{ToolSource, exposed_names};
use crate::rules::Rules;
use iolite_protocol::descriptor::{ResourceDescriptor, ToolDescriptor};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An app's tool under its exposed name.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTool {
    /// The exposed name.
    pub name: String,
    /// The owning session's id.
    pub session: String,
    /// The app's descriptor.
    pub descriptor: ToolDescriptor,
    /// The schemas it is listed with.
    pub schemas: ListedSchemas,
}

/// An app's resource under its exposed URI.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownResource {
    /// The exposed URI.
    pub uri: String,
    /// The owning session's id.
    pub session: String,
    /// The app's descriptor.
    pub descriptor: ResourceDescriptor,
}

/// Every app tool that is listed, under its exposed name.
pub(super) fn shown_tools(sessions: &[Session], naming: &Naming, rules: &Rules) -> Vec<ShownTool> {
    let visible = || sessions.iter().filter(|session| rules.mcp_lists.list_suspended_tools || !session.suspended);
    let all = || visible().flat_map(|session| session.tools.iter().map(move |tool| (session, tool)));
    if all().any(|(_, tool)| tool.listing == Listing::HidesAll) {
        return Vec::new();
    }
    let listed: Vec<(&Session, &AppTool, &ListedSchemas)> = all()
        .filter_map(|(session, tool)| match &tool.listing {
            Listing::Shown(schemas) => Some((session, tool, schemas)),
            Listing::Hidden | Listing::HidesAll => None,
        })
        .collect();
    let owned: Vec<ToolSource<'_>> = listed
        .iter()
        .map(|(session, tool, _)| ToolSource { alias: &session.alias, name: tool.descriptor.name() })
        .collect();
    let built_ins: BTreeSet<String> = BuiltIn::ALL.map(|tool| tool.name(naming)).into();
    exposed_names(&owned, sessions.len(), &built_ins, &rules.mcp_lists)
        .into_iter()
        .zip(listed)
        .filter_map(|(name, (session, tool, schemas))| {
            Some(ShownTool {
                name: name?,
                session: session.id.clone(),
                descriptor: tool.descriptor.clone(),
                schemas: schemas.clone(),
            })
        })
        .collect()
}

/// Every app resource that is listed, under its exposed URI.
pub(super) fn shown_resources(sessions: &[Session], naming: &Naming, rules: &Rules) -> Vec<ShownResource> {
    sessions
        .iter()
        .filter(|session| rules.mcp_lists.list_suspended_resources || !session.suspended)
        .flat_map(|session| {
            session.resources.iter().map(move |descriptor| {
                let name = descriptor.name();
                let uri = match rules.mcp_lists.uri_with_alias {
                    true => naming.resource_uri(&session.alias, name),
                    false => naming.bare_resource_uri(name),
                };
                ShownResource { uri, session: session.id.clone(), descriptor: descriptor.clone() }
            })
        })
        .collect()
}

/// An app tool's entry in `tools/list`.
pub(super) fn tool_entry(tool: &ShownTool) -> Value {
    let mut entry = json!({
        "name": tool.name,
        "description": tool.descriptor.description(),
        "inputSchema": tool.schemas.input,
    });
    if let Some(output) = &tool.schemas.output {
        entry["outputSchema"] = output.clone();
    }
    if let Some(hints) = tool.descriptor.annotations() {
        entry["annotations"] = hints.to_json();
    }
    entry
}

/// Name of the tool that a faulty server lists for a resource.
pub(super) fn slot_name(naming: &Naming, resource: &ShownResource) -> String {
    let name = resource.descriptor.name();
    format!("{}_read_{name}", naming.tool_prefix).chars().take(64).collect()
}

/// That tool's entry in `tools/list`.
pub(super) fn slot_entry(naming: &Naming, resource: &ShownResource) -> Value {
    json!({
        "name": slot_name(naming, resource),
        "description": resource.descriptor.description(),
        "inputSchema": {"type": "object"},
    })
}

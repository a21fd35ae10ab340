//! A session's registries as the daemon lists them.

use crate::mcp::schema::{ListedSchemas, Listing, listing};
use crate::mcp::schema_change::changed;
use crate::rules::Rules;
use iolite_protocol::contract::Contract;
use iolite_protocol::descriptor::{ResourceDescriptor, ToolDescriptor};
use serde_json::Value;
use std::sync::Arc;

/// An app's tool, and how it is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct AppTool {
    /// As the daemon lists it.
    pub descriptor: ToolDescriptor,
    /// Its schemas as MCP can take them.
    pub listing: Listing,
}

/// A live session.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Its alias.
    pub alias: String,
    /// Whether its app is away.
    pub suspended: bool,
    /// Its tools, in registry order.
    pub tools: Arc<[AppTool]>,
    /// Its resources, in registry order.
    pub resources: Arc<[ResourceDescriptor]>,
}

/// Reads the entries of `tools.list`. Entries that are no tools are left out: one of them never hides the rest.
pub fn read_tools(entries: &Value, rules: &Rules) -> Arc<[AppTool]> {
    descriptors(entries, &rules.contract, ToolDescriptor::decode)
        .map(|descriptor| AppTool {
            listing: changed_listing(
                listing(descriptor.input_schema(), descriptor.output_schema(), rules.mcp_lists.bad_schema),
                rules,
            ),
            descriptor,
        })
        .collect()
}

fn changed_listing(listing: Listing, rules: &Rules) -> Listing {
    match listing {
        Listing::Shown(ListedSchemas { input, output }) => Listing::Shown(ListedSchemas {
            input: changed(input, rules.mcp_schemas.input),
            output: output.map(|output| changed(output, rules.mcp_schemas.output)),
        }),
        other => other,
    }
}

/// Reads the entries of `resources.list`, likewise.
pub fn read_resources(entries: &Value, rules: &Rules) -> Arc<[ResourceDescriptor]> {
    descriptors(entries, &rules.contract, ResourceDescriptor::decode).collect()
}

fn descriptors<'a, T, E: std::fmt::Display + 'a>(
    entries: &'a Value,
    contract: &'a Contract,
    decode: impl Fn(&Value, &Contract) -> Result<T, E> + 'a,
) -> impl Iterator<Item = T> + 'a {
    entries.as_array().into_iter().flatten().filter_map(move |entry| {
        let mut entry = entry.clone();
        // The daemon adds the effective policy to each entry; it is no part of the descriptor.
        if let Some(members) = entry.as_object_mut() {
            members.shift_remove("policy");
        }
        decode(&entry, contract)
            .inspect_err(|error| tracing::warn!(%error, "an entry of the daemon's list is left out"))
            .ok()
    })
}

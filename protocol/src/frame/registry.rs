//! Registry frames: snapshots and deltas. Tools and resources follow one set of rules (BRG-RES-01).

use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::descriptor::{ResourceDescriptor, ToolDescriptor};
use crate::fields::{Fields, check_text, child};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt::Debug;

/// What can be registered: a tool or a resource.
pub trait Registered: Clone + Debug + PartialEq + Sized + sealed::Sealed {
    /// The rules of its registry frames.
    const RULES: &RegistryRules;

    /// The name, which deltas remove by.
    fn name(&self) -> &str;

    /// What else must be unique within a snapshot, and the rule that says so.
    fn other_identity(&self) -> Option<(&str, Rule)>;

    /// Reads a descriptor that stands at `pointer`.
    ///
    /// # Errors
    /// The first rule it breaks.
    fn read(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError>;

    /// The wire form.
    fn wire(&self) -> Value;
}

mod sealed {
    /// Nothing outside this crate can be registered.
    pub trait Sealed {}
    impl Sealed for crate::descriptor::ToolDescriptor {}
    impl Sealed for crate::descriptor::ResourceDescriptor {}
}

/// The words and rules in which the two registries differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegistryRules {
    /// `type` of the snapshot.
    pub snapshot_type: &'static str,
    /// `type` of the delta.
    pub delta_type: &'static str,
    /// The key of a snapshot's list.
    pub list_key: &'static str,
    /// The key of an upsert's descriptor.
    pub item_key: &'static str,
    list_present: Rule,
    list_type: Rule,
    duplicate_name: Rule,
    operation_present: Rule,
    operation_type: Rule,
    operation_value: Rule,
    upsert_present: Rule,
    item_object: Rule,
    name_present: Rule,
    name_type: Rule,
    name_length: Rule,
}

impl Registered for ToolDescriptor {
    const RULES: &RegistryRules = &RegistryRules {
        snapshot_type: "tool_registry_snapshot",
        delta_type: "tool_registry_delta",
        list_key: "tools",
        item_key: "tool",
        list_present: Rule::ToolsPresent,
        list_type: Rule::ToolsType,
        duplicate_name: Rule::DuplicateToolName,
        operation_present: Rule::ToolOperationPresent,
        operation_type: Rule::ToolOperationType,
        operation_value: Rule::ToolOperationValue,
        upsert_present: Rule::ToolUpsertPresent,
        item_object: Rule::ToolObject,
        name_present: Rule::ToolRemoveNamePresent,
        name_type: Rule::ToolRemoveNameType,
        name_length: Rule::ToolRemoveNameLength,
    };

    fn name(&self) -> &str {
        self.name()
    }

    fn other_identity(&self) -> Option<(&str, Rule)> {
        None
    }

    fn read(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        Self::decode_at(value, pointer, contract)
    }

    fn wire(&self) -> Value {
        self.to_json()
    }
}

impl Registered for ResourceDescriptor {
    const RULES: &RegistryRules = &RegistryRules {
        snapshot_type: "resource_registry_snapshot",
        delta_type: "resource_registry_delta",
        list_key: "resources",
        item_key: "resource",
        list_present: Rule::ResourcesPresent,
        list_type: Rule::ResourcesType,
        duplicate_name: Rule::DuplicateResourceName,
        operation_present: Rule::ResourceOperationPresent,
        operation_type: Rule::ResourceOperationType,
        operation_value: Rule::ResourceOperationValue,
        upsert_present: Rule::ResourceUpsertPresent,
        item_object: Rule::ResourceObject,
        name_present: Rule::ResourceRemoveNamePresent,
        name_type: Rule::ResourceRemoveNameType,
        name_length: Rule::ResourceRemoveNameLength,
    };

    fn name(&self) -> &str {
        self.name()
    }

    fn other_identity(&self) -> Option<(&str, Rule)> {
        Some((self.uri(), Rule::DuplicateResourceUri))
    }

    fn read(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        Self::decode_at(value, pointer, contract)
    }

    fn wire(&self) -> Value {
        self.to_json()
    }
}

/// The whole registry of an app, in its order (BRG-TOL-01). No name is in it twice, nor any uri.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot<D> {
    session_id: String,
    entries: Vec<D>,
}

/// `tool_registry_snapshot`.
pub type ToolSnapshot = Snapshot<ToolDescriptor>;
/// `resource_registry_snapshot`.
pub type ResourceSnapshot = Snapshot<ResourceDescriptor>;

impl<D: Registered> Snapshot<D> {
    /// A snapshot of these entries.
    ///
    /// # Errors
    /// Two of them have one name or one uri (BRG-TOL-05, BRG-RES-03).
    pub fn new(session_id: &str, entries: Vec<D>) -> Result<Self, FrameError> {
        let pointer = format!("/{}", D::RULES.list_key);
        unique(entries.iter().enumerate(), &pointer, &Contract::default())?;
        Ok(Self { session_id: session_id.to_owned(), entries })
    }

    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let rules = D::RULES;
        let fields = Fields::new(object, "", contract, rules.list_present);
        let items = fields.required_array(rules.list_key, rules.list_present, rules.list_type)?;
        let pointer = fields.pointer_to(rules.list_key);
        let mut entries = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            if !item.is_object() && !contract.applies(rules.item_object) {
                continue;
            }
            match D::read(item, &child(&pointer, &index.to_string()), contract) {
                Ok(entry) => entries.push((index, entry)),
                Err(_) if contract.drop_invalid_elements => (),
                Err(error) => return Err(error),
            }
        }
        unique(entries.iter().map(|(index, entry)| (*index, entry)), &pointer, contract)?;
        fields.nothing_else(&["type", "session_id", rules.list_key])?;
        Ok(Self { session_id: session_id.to_owned(), entries: entries.into_iter().map(|(_, entry)| entry).collect() })
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The entries, in the app's order.
    pub fn entries(&self) -> &[D] {
        &self.entries
    }

    /// The entries, in the app's order.
    pub fn into_entries(self) -> Vec<D> {
        self.entries
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let list = self.entries.iter().map(D::wire).collect();
        envelope::write(D::RULES.snapshot_type, &self.session_id, [(D::RULES.list_key, list)]).into()
    }
}

/// One change of a registry (BRG-TOL-03).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta<D> {
    session_id: String,
    change: Change<D>,
}

/// `tool_registry_delta`.
pub type ToolDelta = Delta<ToolDescriptor>;
/// `resource_registry_delta`.
pub type ResourceDelta = Delta<ResourceDescriptor>;

/// What a delta does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<D> {
    /// Adds the entry, or replaces the one of that name.
    Upsert(D),
    /// Removes the entry of this name, if there is one. Nothing more than 1 to 4,096 characters is asked of it.
    Remove(String),
}

impl<D: Registered> Delta<D> {
    /// A delta that adds or replaces.
    pub fn upsert(session_id: &str, entry: D) -> Self {
        Self { session_id: session_id.to_owned(), change: Change::Upsert(entry) }
    }

    /// A delta that removes.
    ///
    /// # Errors
    /// `name` is not 1 to 4,096 characters long.
    pub fn remove(session_id: &str, name: &str) -> Result<Self, FrameError> {
        let limit = Contract::default().limits.remove_name_max;
        check_text(name, D::RULES.name_length, 1, limit, "/name")?;
        Ok(Self { session_id: session_id.to_owned(), change: Change::Remove(name.to_owned()) })
    }

    /// Reads a delta. `None` where a bent contract lets an operation through that means nothing.
    pub(super) fn decode(
        session_id: &str,
        object: &Map<String, Value>,
        contract: &Contract,
    ) -> Result<Option<Self>, FrameError> {
        let rules = D::RULES;
        let fields = Fields::new(object, "", contract, rules.operation_present);
        let operation = fields.required_text("operation", rules.operation_present, rules.operation_type)?;
        let change = match operation.as_str() {
            "upsert" => {
                let Some(item) = fields.any(rules.item_key) else {
                    return fields.missing(rules.upsert_present, rules.item_key).map(|()| None);
                };
                fields.nothing_else(&["type", "session_id", "operation", rules.item_key])?;
                if !item.is_object() && !contract.applies(rules.item_object) {
                    return Ok(None);
                }
                Change::Upsert(D::read(item, &fields.pointer_to(rules.item_key), contract)?)
            }
            "remove" => {
                let name = fields.required_text("name", rules.name_present, rules.name_type)?;
                fields.length(&name, "name", rules.name_length, 1, contract.limits.remove_name_max)?;
                fields.nothing_else(&["type", "session_id", "operation", "name"])?;
                Change::Remove(name)
            }
            other => {
                let found = format!("this one is {other:?}");
                return fields.broken(rules.operation_value, "operation", found).map(|()| None);
            }
        };
        Ok(Some(Self { session_id: session_id.to_owned(), change }))
    }

    /// The session that it belongs to.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// What it does.
    pub fn change(&self) -> &Change<D> {
        &self.change
    }

    /// What it does.
    pub fn into_change(self) -> Change<D> {
        self.change
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let (operation, key, value) = match &self.change {
            Change::Upsert(entry) => ("upsert", D::RULES.item_key, entry.wire()),
            Change::Remove(name) => ("remove", "name", name.as_str().into()),
        };
        let fields = [("operation", operation.into()), (key, value)];
        envelope::write(D::RULES.delta_type, &self.session_id, fields).into()
    }
}

fn unique<'a, D: Registered + 'a>(
    entries: impl Iterator<Item = (usize, &'a D)>,
    pointer: &str,
    contract: &Contract,
) -> Result<(), FrameError> {
    let mut seen = HashMap::new();
    for (index, entry) in entries {
        let name = (D::RULES.duplicate_name, "name", entry.name());
        let other = entry.other_identity().map(|(text, rule)| (rule, "uri", text));
        for (rule, key, text) in std::iter::once(name).chain(other) {
            if let Some(first) = seen.insert((key, text), index)
                && contract.applies(rule)
            {
                let found = format!("number {first} has {text:?} already");
                return Err(FrameError::new(rule, format!("{pointer}/{index}/{key}"), &found));
            }
        }
    }
    Ok(())
}

//! The results of `tools.list` and `resources.list`.

use super::ShapeError;
use super::fields::{Shape, list};
use crate::contract::Contract;
use crate::descriptor::{ResourceDescriptor, ToolDescriptor};
use crate::fields::child;
use crate::frame::Registered;
use serde_json::{Map, Value};
use std::fmt;

/// What the policy says about an entry (BRG-POL-01, BRG-POL-03).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// It may be used.
    Allow,
    /// A person has to consent.
    Prompt,
    /// It may not be used.
    Deny,
}

impl Policy {
    /// The spelling on the wire and in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Prompt => "prompt",
            Self::Deny => "deny",
        }
    }

    /// The policy with this spelling.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Allow, Self::Prompt, Self::Deny].into_iter().find(|policy| policy.as_str() == text)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An entry of a list: the descriptor in wire spelling, and `policy` beside its keys (BRG-RPC-02).
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<D> {
    /// What the app registered.
    pub descriptor: D,
    /// What the policy says about it.
    pub policy: Policy,
}

/// A registry as the operator sees it, in its order: `{tools: […]}` or `{resources: […]}` (BRG-RPC-13).
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<D> {
    /// The entries.
    pub entries: Vec<Listed<D>>,
}

/// The result of `tools.list`.
pub type ToolListing = Listing<ToolDescriptor>;
/// The result of `resources.list`.
pub type ResourceListing = Listing<ResourceDescriptor>;

impl<D: Registered> Listing<D> {
    /// Reads a list: under its key, or bare.
    ///
    /// # Errors
    /// An entry is no valid descriptor, or has no `policy` of the three.
    pub fn decode(value: &Value, contract: &Contract) -> Result<Self, ShapeError> {
        let (items, pointer) = list(value, D::RULES.list_key)?;
        let mut entries = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let place = child(&pointer, &index.to_string());
            let shape = Shape::of(item, &place)?;
            let policy = Policy::parse(&shape.text("policy")?);
            let policy = policy.ok_or_else(|| shape.wrong("policy", "`policy` is `allow`, `prompt` or `deny`"))?;
            // Not a key of the descriptor, whatever a bent contract says of such keys.
            let mut bare: Map<String, Value> = item.as_object().cloned().unwrap_or_default();
            bare.shift_remove("policy");
            let descriptor = D::read(&Value::Object(bare), &place, contract)
                .map_err(|error| ShapeError { pointer: error.pointer, explanation: error.explanation })?;
            entries.push(Listed { descriptor, policy });
        }
        Ok(Self { entries })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let entries = self.entries.iter().map(|entry| {
            let mut object = entry.descriptor.wire();
            object["policy"] = entry.policy.as_str().into();
            object
        });
        [(D::RULES.list_key.to_owned(), entries.collect::<Value>())].into_iter().collect()
    }
}

crate::serialized_as_text!(Policy);

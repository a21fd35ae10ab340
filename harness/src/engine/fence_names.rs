//! How things are called that only fences make.

use serde_json::Value;

/// What every name that only the engine uses begins with: events, tools and resources of fences.
pub const FENCE_PREFIX: &str = "iolite-fence-";

/// What the engine's own requests say of who asks: one of the three values that the contract names, or a daemon may refuse
/// them.
pub(super) const FENCE_CALLER: &str = "client";

/// Whether such a name stands anywhere in a value.
pub(super) fn names_a_fence(value: &Value) -> bool {
    match value {
        Value::String(found) => found.starts_with(FENCE_PREFIX),
        Value::Array(items) => items.iter().any(names_a_fence),
        Value::Object(members) => members.values().any(names_a_fence),
        _ => false,
    }
}

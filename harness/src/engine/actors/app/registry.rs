//! Registries as an app knows them: what its frames have told the daemon.

use serde_json::{Value, json};

/// What the app's registries hold, as far as its frames said so.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Registry {
    /// Tool descriptors in registry order.
    pub(super) tools: Vec<Value>,
    /// Resource descriptors in registry order.
    pub(super) resources: Vec<Value>,
}

impl Registry {
    /// Takes note of a frame that was sent.
    pub(super) fn note(&mut self, frame: &Value) {
        let member = |name: &str| frame.get(name);
        let (list, snapshot, entry) = match member("type").and_then(Value::as_str) {
            Some("tool_registry_snapshot") => (&mut self.tools, "tools", ""),
            Some("resource_registry_snapshot") => (&mut self.resources, "resources", ""),
            Some("tool_registry_delta") => (&mut self.tools, "", "tool"),
            Some("resource_registry_delta") => (&mut self.resources, "", "resource"),
            _ => return,
        };
        if let Some(items) = member(snapshot).and_then(Value::as_array) {
            list.clone_from(items);
            return;
        }
        match member("operation").and_then(Value::as_str) {
            Some("upsert") => {
                let Some(descriptor) = member(entry) else { return };
                match list.iter_mut().find(|known| known.get("name") == descriptor.get("name")) {
                    Some(known) => known.clone_from(descriptor),
                    None => list.push(descriptor.clone()),
                }
            }
            Some("remove") => list.retain(|known| known.get("name") != member("name")),
            _ => {}
        }
    }
}

/// A delta that adds or replaces an entry.
pub(super) fn upsert(session: &str, entry: &str, descriptor: Value) -> Value {
    json!({
        "type": format!("{entry}_registry_delta"), "session_id": session, "operation": "upsert", entry: descriptor,
    })
}

/// A delta that removes an entry.
pub(super) fn remove(session: &str, entry: &str, name: Value) -> Value {
    json!({
        "type": format!("{entry}_registry_delta"), "session_id": session, "operation": "remove", "name": name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_follows_snapshots_and_deltas() {
        let mut registry = Registry::default();
        registry.note(&json!({ "type": "tool_registry_snapshot", "tools": [{ "name": "a" }, { "name": "b" }] }));
        registry.note(&upsert("s", "tool", json!({ "name": "a", "description": "new" })));
        registry.note(&upsert("s", "tool", json!({ "name": "c" })));
        registry.note(&remove("s", "tool", json!("b")));
        registry.note(&upsert("s", "resource", json!({ "name": "r" })));
        let names = |list: &[Value]| list.iter().map(|item| item["name"].clone()).collect::<Vec<_>>();
        assert_eq!(names(&registry.tools), ["a", "c"]);
        assert_eq!(registry.tools[0]["description"], "new");
        assert_eq!(names(&registry.resources), ["r"]);
        registry.note(&json!({ "type": "tool_registry_snapshot", "tools": [] }));
        assert_eq!((registry.tools.len(), registry.resources.len()), (0, 1));
    }
}

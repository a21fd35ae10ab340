//! One of an app's two registries: what is registered, what of it the daemon has been told, and what it must be told
//! next (BRG-APP-01..03). Pure: no socket, no clock.

use super::kind::Kind;
use super::script::Script;
use super::warning::Warning;
use serde_json::{Value, json};
use std::collections::HashMap;

/// What is registered: a descriptor as it will stand on the wire, and what the app does when it is used.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The descriptor in wire spelling. It is sent as it is: the daemon's strictness can be tested with it.
    pub descriptor: Value,
    /// The reaction to a call or read.
    pub script: Script,
    /// Whether it is part of the registry. `false` keeps it out (BRG-APP-02).
    pub enabled: bool,
}

impl Registration {
    /// An enabled registration with the default script.
    pub fn new(descriptor: Value) -> Self {
        Self { descriptor, script: Script::default(), enabled: true }
    }

    /// The same registration with this script.
    pub fn with_script(mut self, script: Script) -> Self {
        self.script = script;
        self
    }

    /// The same registration, kept out of the registry.
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// The name it is registered under; for a descriptor whose name is no text, the name's JSON.
    pub fn name(&self) -> String {
        match &self.descriptor["name"] {
            Value::String(name) => name.clone(),
            other => other.to_string(),
        }
    }

    fn uri(&self) -> Option<&str> {
        self.descriptor.get("uri")?.as_str()
    }
}

impl From<iolite_protocol::descriptor::ToolDescriptor> for Registration {
    fn from(descriptor: iolite_protocol::descriptor::ToolDescriptor) -> Self {
        Self::new(descriptor.to_json())
    }
}

impl From<iolite_protocol::descriptor::ResourceDescriptor> for Registration {
    fn from(descriptor: iolite_protocol::descriptor::ResourceDescriptor) -> Self {
        Self::new(descriptor.to_json())
    }
}

/// Identifies one registration for ever: a later one of the same name has another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RegistrationId(u64);

#[derive(Debug)]
struct Entry {
    id: RegistrationId,
    name: String,
    served: usize,
    registration: Registration,
}

/// The registry.
#[derive(Debug)]
pub(crate) struct Registry {
    kind: Kind,
    entries: Vec<Entry>,
    next_id: u64,
    /// What the daemon knows in this connection; `None` before the snapshot.
    announced: Option<HashMap<String, Value>>,
    /// Names whose registration may differ from what the daemon knows, in the order they changed.
    touched: Vec<String>,
}

impl Registry {
    pub(crate) fn new(kind: Kind) -> Self {
        Self { kind, entries: Vec::new(), next_id: 0, announced: None, touched: Vec::new() }
    }

    /// Adds a registration; one with the same name is replaced in its place, one with the same uri is displaced.
    pub(crate) fn register(&mut self, registration: Registration) -> (RegistrationId, Vec<Warning>) {
        self.next_id += 1;
        let id = RegistrationId(self.next_id);
        let name = registration.name();
        let kind = self.kind;
        let mut warnings = Vec::new();
        if let (Kind::Resource, Some(uri)) = (kind, registration.uri()) {
            self.entries.retain(|entry| {
                let displaced = entry.name != name && entry.registration.uri() == Some(uri);
                if displaced {
                    warnings.push(Warning::UriTaken {
                        uri: uri.to_owned(),
                        from: entry.name.clone(),
                        by: name.clone(),
                    });
                }
                !displaced
            });
        }
        for warning in &warnings {
            if let Warning::UriTaken { from, .. } = warning {
                self.touched.push(from.clone());
            }
        }
        self.touched.push(name.clone());
        let entry = Entry { id, name: name.clone(), served: 0, registration };
        match self.entries.iter_mut().find(|entry| entry.name == name) {
            Some(old) => {
                warnings.push(Warning::Overwritten { kind, name });
                *old = entry;
            }
            None => self.entries.push(entry),
        }
        (id, warnings)
    }

    /// Removes this very registration. Says whether it was still there.
    pub(crate) fn remove(&mut self, id: RegistrationId) -> bool {
        let Some(at) = self.entries.iter().position(|entry| entry.id == id) else {
            return false;
        };
        self.touched.push(self.entries.remove(at).name);
        true
    }

    /// The registration with this id, to be changed.
    pub(crate) fn by_id(&mut self, id: RegistrationId) -> Option<&mut Registration> {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id)?;
        self.touched.push(entry.name.clone());
        Some(&mut entry.registration)
    }

    /// The id of the registration with this name.
    pub(crate) fn id_of(&self, name: &str) -> Option<RegistrationId> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        Some(entry.id)
    }

    /// The registration with this name, to be changed, whether or not it is enabled.
    pub(crate) fn by_name(&mut self, name: &str) -> Option<&mut Registration> {
        let entry = self.entries.iter_mut().find(|entry| entry.name == name)?;
        self.touched.push(entry.name.clone());
        Some(&mut entry.registration)
    }

    /// Takes note of a request for `name`: its script and how many requests came before. Registration is the
    /// allowlist: what is not enabled is not served.
    pub(crate) fn serve(&mut self, name: &str) -> Option<(Script, usize)> {
        let entry = self.entries.iter_mut().find(|entry| entry.name == name && entry.registration.enabled)?;
        entry.served += 1;
        Some((entry.registration.script.clone(), entry.served - 1))
    }

    /// How often the registration under this name was called or read.
    pub(crate) fn served(&self, name: &str) -> usize {
        self.entries.iter().find(|entry| entry.name == name).map_or(0, |entry| entry.served)
    }

    /// The enabled descriptors, in order of registration.
    pub(crate) fn listed(&self) -> Vec<Value> {
        self.enabled().map(|(_, descriptor)| descriptor).collect()
    }

    /// Forgets everything that is registered.
    pub(crate) fn clear(&mut self) {
        let names = self.entries.drain(..).map(|entry| entry.name);
        self.touched.extend(names);
    }

    /// The connection is gone: nothing is announced any more.
    pub(crate) fn forget_announced(&mut self) {
        self.announced = None;
    }

    /// The snapshot frame, without session id; from now on deltas follow.
    pub(crate) fn snapshot(&mut self) -> Value {
        self.touched.clear();
        self.announced = Some(self.enabled().collect());
        json!({
            "type": format!("{}_registry_snapshot", self.kind.item()),
            "session_id": null,
            self.kind.list(): self.listed(),
        })
    }

    /// The delta frames, without session id, that make what the daemon knows equal to what is registered, removals
    /// first. None before the snapshot, and none where nothing changed.
    pub(crate) fn changes(&mut self) -> Vec<Value> {
        let touched = std::mem::take(&mut self.touched);
        let Some(announced) = &mut self.announced else {
            return Vec::new();
        };
        let kind = format!("{}_registry_delta", self.kind.item());
        let mut removals = Vec::new();
        let mut upserts = Vec::new();
        for name in touched {
            let entry = self.entries.iter().find(|entry| entry.name == name);
            match entry.map(|entry| &entry.registration) {
                Some(registration) if registration.enabled => {
                    let descriptor = &registration.descriptor;
                    if announced.get(&name) == Some(descriptor) {
                        continue;
                    }
                    upserts.push(json!({
                        "type": kind,
                        "session_id": null,
                        "operation": "upsert",
                        self.kind.item(): descriptor,
                    }));
                    announced.insert(name, descriptor.clone());
                }
                _ => {
                    if announced.remove(&name).is_some() {
                        removals.push(json!({
                            "type": kind,
                            "session_id": null,
                            "operation": "remove",
                            "name": name,
                        }));
                    }
                }
            }
        }
        removals.extend(upserts);
        removals
    }

    fn enabled(&self) -> impl Iterator<Item = (String, Value)> {
        self.entries
            .iter()
            .filter(|entry| entry.registration.enabled)
            .map(|entry| (entry.name.clone(), entry.registration.descriptor.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cart(description: &str) -> Registration {
        Registration::new(json!({ "uri": "app://cart", "name": "cart", "description": description }))
    }

    fn operations(frames: &[Value]) -> Vec<String> {
        frames
            .iter()
            .map(|frame| {
                let name = frame.get("name").unwrap_or(&frame["resource"]["name"]);
                format!("{} {}", frame["operation"].as_str().unwrap(), name.as_str().unwrap())
            })
            .collect()
    }

    #[test]
    fn nothing_is_announced_before_the_snapshot() {
        let mut registry = Registry::new(Kind::Resource);
        registry.register(cart("a"));
        assert!(registry.changes().is_empty());
        let snapshot = registry.snapshot();
        assert_eq!(snapshot["type"], "resource_registry_snapshot");
        assert_eq!(snapshot["resources"][0]["name"], "cart");
        assert!(registry.changes().is_empty());
    }

    #[test]
    fn overwriting_warns_and_the_old_handle_removes_nothing() {
        let mut registry = Registry::new(Kind::Resource);
        registry.snapshot();
        let (old, warnings) = registry.register(cart("a"));
        assert!(warnings.is_empty());
        let (new, warnings) = registry.register(cart("b"));
        assert!(matches!(&warnings[..], [Warning::Overwritten { name, .. }] if name == "cart"));
        assert_eq!(operations(&registry.changes()), ["upsert cart"]);
        assert!(!registry.remove(old));
        assert!(registry.changes().is_empty());
        assert!(registry.remove(new));
        assert_eq!(operations(&registry.changes()), ["remove cart"]);
    }

    #[test]
    fn overwriting_with_the_same_descriptor_sends_nothing() {
        let mut registry = Registry::new(Kind::Resource);
        registry.register(cart("a"));
        registry.snapshot();
        registry.register(cart("a"));
        assert!(registry.changes().is_empty());
    }

    #[test]
    fn enabling_is_one_delta_each_way() {
        let mut registry = Registry::new(Kind::Resource);
        let (id, _) = registry.register(cart("a").disabled());
        assert_eq!(registry.snapshot()["resources"], json!([]));
        assert!(registry.serve("cart").is_none());
        registry.by_id(id).unwrap().enabled = true;
        assert_eq!(operations(&registry.changes()), ["upsert cart"]);
        registry.by_id(id).unwrap().enabled = true;
        assert!(registry.changes().is_empty());
        registry.by_id(id).unwrap().enabled = false;
        assert_eq!(operations(&registry.changes()), ["remove cart"]);
    }

    #[test]
    fn a_uri_moves_by_removing_its_old_name_first() {
        let mut registry = Registry::new(Kind::Resource);
        registry.register(cart("a"));
        registry.snapshot();
        let basket = json!({ "uri": "app://cart", "name": "basket", "description": "a" });
        let (_, warnings) = registry.register(Registration::new(basket));
        assert!(matches!(&warnings[..], [Warning::UriTaken { from, by, .. }]
            if from == "cart" && by == "basket"));
        assert_eq!(operations(&registry.changes()), ["remove cart", "upsert basket"]);
    }

    #[test]
    fn a_new_connection_starts_over() {
        let mut registry = Registry::new(Kind::Tool);
        registry.snapshot();
        registry.forget_announced();
        registry.register(Registration::new(json!({ "name": "t", "description": "d" })));
        assert!(registry.changes().is_empty());
        assert_eq!(registry.snapshot()["tools"][0]["name"], "t");
    }

    #[test]
    fn descriptors_without_a_name_can_be_registered_too() {
        let mut registry = Registry::new(Kind::Tool);
        registry.register(Registration::new(json!({ "name": 7 })));
        registry.register(Registration::new(json!({})));
        assert_eq!(registry.listed().len(), 2);
    }
}

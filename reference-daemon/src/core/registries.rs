//! What registry frames do, for tools and resources alike, and the events that tell of it (`BRG-TOL-01` … `-06`,
//! `BRG-RES-01` … `-05`, `BRG-RPC-05`).

use super::io::SocketId;
use super::registry::{Effect, Registry};
use super::sessions::{Serial, Session};
use super::state::Core;
use crate::rules::{RegistryRules, Rules, Tell, Unasked, is_due};
use iolite_protocol::close::Close;
use iolite_protocol::descriptor::{ResourceDescriptor, ToolDescriptor};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{Change, Registered};
use serde_json::json;

/// Which of a session's two registries.
#[derive(Clone, Copy)]
pub(super) enum RegistryKind {
    /// Its tools.
    Tools,
    /// Its resources.
    Resources,
}

/// An entry of one of them: what a frame must know of the kind it carries.
pub(super) trait Entry: Registered {
    const KIND: RegistryKind;

    fn registry(session: &mut Session) -> &mut Registry<Self>
    where
        Self: Sized;

    /// Empties the other registry. Only a bent rule table wants that.
    fn clear_other(session: &mut Session) -> Effect;

    /// The resource that it is, if it is one.
    fn as_resource(&self) -> Option<&ResourceDescriptor>;
}

impl RegistryKind {
    fn other(self) -> Self {
        match self {
            Self::Tools => Self::Resources,
            Self::Resources => Self::Tools,
        }
    }

    fn rules(self, rules: &Rules) -> &RegistryRules {
        match self {
            Self::Tools => &rules.tools.registry,
            Self::Resources => &rules.resources.registry,
        }
    }
}

impl Entry for ToolDescriptor {
    const KIND: RegistryKind = RegistryKind::Tools;

    fn registry(session: &mut Session) -> &mut Registry<Self> {
        &mut session.tools
    }

    fn clear_other(session: &mut Session) -> Effect {
        session.resources.clear()
    }

    fn as_resource(&self) -> Option<&ResourceDescriptor> {
        None
    }
}

impl Entry for ResourceDescriptor {
    const KIND: RegistryKind = RegistryKind::Resources;

    fn registry(session: &mut Session) -> &mut Registry<Self> {
        &mut session.resources
    }

    fn clear_other(session: &mut Session) -> Effect {
        session.tools.clear()
    }

    fn as_resource(&self) -> Option<&ResourceDescriptor> {
        Some(self)
    }
}

impl Core {
    pub(super) fn snapshot<D: Entry>(&mut self, serial: Serial, entries: Vec<D>) {
        self.counts.snapshots += 1;
        if is_due(self.rules.foundation.ignored_snapshots, self.counts.snapshots) {
            return;
        }
        let rules = D::KIND.rules(&self.rules);
        let to_read = self.read_when_registered(&entries);
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let registry = D::registry(session);
        let before = registry.len();
        let effect = registry.replace(entries, rules);
        let emptied = match rules.leave_other {
            true => Effect::Unchanged,
            false => D::clear_other(session),
        };
        self.registry_changed(D::KIND, serial, effect, before);
        if emptied == Effect::Changed {
            self.registry_changed(D::KIND.other(), serial, emptied, 0);
        }
        for resource in to_read {
            self.read_unasked(serial, &resource);
        }
    }

    pub(super) fn delta<D: Entry>(&mut self, socket: SocketId, serial: Serial, change: Change<D>) {
        let rules = D::KIND.rules(&self.rules);
        let to_read = match &change {
            Change::Upsert(entry) => self.read_when_registered(std::slice::from_ref(entry)),
            Change::Remove(_) => Vec::new(),
        };
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let registry = D::registry(session);
        let before = registry.len();
        let effect = match change {
            Change::Upsert(entry) => registry.upsert(entry, self.rules.resources.uri_conflict, rules),
            Change::Remove(name) => registry.remove(&name, rules),
        };
        match effect {
            Effect::Refused => return self.violation(socket, Close::INVALID_REGISTRY),
            effect => self.registry_changed(D::KIND, serial, effect, before),
        }
        for resource in to_read {
            self.read_unasked(serial, &resource);
        }
    }

    /// The resources among these that are read because they are registered: none, by the contract (`BRG-RES-14`).
    fn read_when_registered<D: Entry>(&self, entries: &[D]) -> Vec<ResourceDescriptor> {
        match self.rules.resources.unasked {
            Unasked::OnUpsert => entries.iter().filter_map(D::as_resource).cloned().collect(),
            _ => Vec::new(),
        }
    }

    /// The app came back: its kept entries stand until its snapshots arrive (`BRG-TOL-06`, `BRG-RES-05`).
    pub(super) fn registries_resumed(&mut self, serial: Serial) {
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let tools = session.tools.resume(&self.rules.tools.registry);
        let resources = session.resources.resume(&self.rules.resources.registry);
        self.changed_by_itself(serial, tools, resources);
    }

    /// The app is away: its entries are kept (`BRG-SES-07`).
    pub(super) fn registries_suspended(&mut self, serial: Serial) {
        let rules = &self.rules.session;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        let tools = match rules.keep_tools {
            true => Effect::Unchanged,
            false => session.tools.clear(),
        };
        let resources = match rules.keep_resources {
            true => Effect::Unchanged,
            false => session.resources.clear(),
        };
        self.changed_by_itself(serial, tools, resources);
    }

    fn changed_by_itself(&mut self, serial: Serial, tools: Effect, resources: Effect) {
        if tools == Effect::Changed || !self.rules.session.loss_is_no_change {
            self.registry_changed(RegistryKind::Tools, serial, Effect::Changed, 0);
        }
        if resources == Effect::Changed {
            self.registry_changed(RegistryKind::Resources, serial, resources, 0);
        }
    }

    /// Tells of a change of one registry, and of nothing else (`BRG-RPC-05`).
    fn registry_changed(&mut self, kind: RegistryKind, serial: Serial, effect: Effect, before: usize) {
        let tell = kind.rules(&self.rules).tell;
        let is_told = match tell {
            Tell::Never => false,
            Tell::Always => true,
            Tell::Changes | Tell::OldCount | Tell::Both => effect == Effect::Changed,
        };
        if !is_told {
            return;
        }
        self.emit_count(kind, serial, (tell == Tell::OldCount).then_some(before));
        if tell == Tell::Both {
            self.emit_count(kind.other(), serial, None);
        }
    }

    fn emit_count(&mut self, kind: RegistryKind, serial: Serial, count: Option<usize>) {
        let session = self.sessions.get(serial);
        match kind {
            RegistryKind::Tools => {
                let current = session.map_or(0, |session| session.tools.len());
                let data = json!({ "toolCount": count.unwrap_or(current) });
                self.emit(EventKind::ToolsChanged, serial, data);
            }
            RegistryKind::Resources => {
                let current = session.map_or(0, |session| session.resources.len());
                let data = json!({ "resourceCount": count.unwrap_or(current) });
                self.emit(EventKind::ResourcesChanged, serial, data);
            }
        }
    }
}

//! What happened since the last view, and what of it a client is told (`BRG-MCP-12` … `BRG-MCP-20`).

use super::conversation::{Conversation, List};
use super::naming::Naming;
use super::view::{ShownResource, View};
use crate::rpc_client::Event;
use crate::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// Events that no view shows yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pending {
    /// Everything may have changed: the connection is new.
    pub everything: bool,
    /// Something about some session changed.
    pub sessions: bool,
    /// Sessions whose tools changed.
    pub tools: BTreeSet<String>,
    /// Sessions whose resources changed.
    pub resources: BTreeSet<String>,
    /// Sessions that ended, and how.
    pub ended: BTreeMap<String, SessionEnd>,
    /// Sessions that lost their socket.
    pub suspended: BTreeSet<String>,
    /// Resources marked stale, in order.
    pub stale: Vec<StaleMark>,
}

/// A mark that a resource is stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleMark {
    /// The session that posted it.
    pub session: String,
    /// The resource's name.
    pub name: String,
    /// The session's resources had changed before: the old view does not tell whether the name was registered.
    pub behind_change: bool,
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// By `sessions.revoke`.
    Revoked,
    /// Its grace was over.
    Expired,
}

impl Pending {
    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes note of one event.
    pub fn note(&mut self, event: &Event) {
        let Some(session) = event.session_id.clone() else {
            return;
        };
        match event.kind.as_str() {
            "session_claimed" | "session_resumed" => self.sessions = true,
            "session_suspended" => {
                self.sessions = true;
                self.suspended.insert(session);
            }
            "session_revoked" => {
                self.sessions = true;
                self.ended.insert(session, SessionEnd::Revoked);
            }
            "session_expired" => {
                self.sessions = true;
                self.ended.insert(session, SessionEnd::Expired);
            }
            "tools_changed" => {
                self.tools.insert(session);
            }
            "resources_changed" => {
                self.resources.insert(session);
            }
            "app_event" if event.text("name") == Some("resource_updated") => {
                let payload = event.data.get("payload");
                let Some(name) = payload.and_then(|payload| payload.get("name")?.as_str()) else {
                    return;
                };
                let behind_change = self.resources.contains(&session);
                self.stale.push(StaleMark { session, name: name.to_owned(), behind_change });
            }
            _ => {}
        }
    }

    /// Puts back what an attempt that failed could not show; `self` is what happened since.
    pub fn put_back(&mut self, earlier: Self) {
        for mark in &mut self.stale {
            mark.behind_change |= earlier.resources.contains(&mark.session);
        }
        self.everything |= earlier.everything;
        self.sessions |= earlier.sessions;
        self.tools.extend(earlier.tools);
        self.resources.extend(earlier.resources);
        self.suspended.extend(earlier.suspended);
        for (session, end) in earlier.ended {
            self.ended.entry(session).or_insert(end);
        }
        let later = std::mem::replace(&mut self.stale, earlier.stale);
        self.stale.extend(later);
    }

    /// What of this has to be looked at again when it was noted while the list of sessions was on its way: that list
    /// may be older. Registries are read afterwards, and marks need no list.
    pub fn again(&self) -> Self {
        match self.touches_sessions() {
            true => {
                Self { sessions: true, ended: self.ended.clone(), suspended: self.suspended.clone(), ..Self::default() }
            }
            false => Self::default(),
        }
    }

    fn touches_sessions(&self) -> bool {
        self.sessions || !self.tools.is_empty() || !self.resources.is_empty()
    }
}

/// Tells the client of everything between two views that it can see or has asked to be told of.
pub fn tell(
    conversation: &mut Conversation,
    old: &View,
    new: &View,
    pending: &Pending,
    naming: &Naming,
    rules: &Rules,
) {
    for list in changed_lists(conversation, old, new, pending, rules) {
        let times = match list {
            List::Resources if !rules.mcp_lists.announce_once => new.resource_list(conversation.revision()).len(),
            List::Resources | List::Tools => 1,
        };
        for _ in 0..times {
            conversation.announce(list);
        }
    }
    end_subscriptions(conversation, new, pending, rules);
    if old.summaries() != new.summaries() {
        let uri = naming.sessions_uri();
        conversation.updated(&uri, &uri);
    }
    for mark in &pending.stale {
        for resource in stale_resources(old, new, mark, rules) {
            let uri = match rules.mcp_answers.update_exposed_uri {
                true => &resource.uri,
                false => resource.descriptor.uri(),
            };
            conversation.updated(&resource.uri, uri);
        }
    }
}

fn changed_lists(
    conversation: &Conversation,
    old: &View,
    new: &View,
    pending: &Pending,
    rules: &Rules,
) -> BTreeSet<List> {
    let shown = &rules.mcp_lists;
    let revision = conversation.revision();
    let tools = !old.app_tool_list().eq(new.app_tool_list());
    let resources = old.resource_list(revision) != new.resource_list(revision);
    let mut lists = BTreeSet::new();
    if tools && shown.announce_tools {
        lists.insert(List::Tools);
    }
    if resources && causes_allowed(old, new, pending, rules) {
        lists.insert(List::Resources);
        if !rules.fallback.quiet_tools {
            lists.insert(List::Tools);
        }
    }
    if !shown.announce_only_visible && pending.touches_sessions() {
        lists.extend([List::Tools, List::Resources]);
    }
    if !shown.announce_own_list_only && !lists.is_empty() {
        lists.extend([List::Tools, List::Resources]);
    }
    lists
}

/// Whether any of the causes of a visible change is one that is announced. What has no cause of its own, such as a
/// daemon that came back empty, is.
fn causes_allowed(old: &View, new: &View, pending: &Pending, rules: &Rules) -> bool {
    let announce = rules.mcp_lists.announce;
    let mut causes = Vec::new();
    for session in new.sessions() {
        match old.session(&session.id) {
            Some(before) if before.resources == session.resources => {}
            Some(before) if !before.resources.is_empty() => causes.push(announce.registry),
            _ if session.resources.is_empty() => {}
            _ => causes.push(announce.claim),
        }
    }
    for session in old.sessions() {
        if new.session(&session.id).is_none() && !session.resources.is_empty() {
            causes.push(match pending.ended.get(&session.id) {
                Some(SessionEnd::Revoked) => announce.revoke,
                Some(SessionEnd::Expired) => announce.expiry,
                None => true,
            });
        }
    }
    causes.is_empty() || causes.contains(&true)
}

fn end_subscriptions(conversation: &mut Conversation, new: &View, pending: &Pending, rules: &Rules) {
    if !rules.mcp_answers.keep_subscription_on_suspend {
        let lost: BTreeSet<&str> = new
            .resources()
            .iter()
            .filter(|resource| pending.suspended.contains(&resource.session))
            .map(|resource| resource.uri.as_str())
            .collect();
        conversation.retain_subscriptions(|uri| !lost.contains(uri));
    }
    if !rules.mcp_answers.keep_subscription_on_removal {
        conversation.retain_subscriptions(|uri| new.resource(uri).is_some());
    }
}

/// The resources a stale mark is about: as they are, or as they were if they went away since.
fn stale_resources<'a>(old: &'a View, new: &'a View, mark: &StaleMark, rules: &Rules) -> Vec<&'a ShownResource> {
    if !rules.mcp_answers.forward_updates {
        return Vec::new();
    }
    if !rules.mcp_answers.updates_by_owner {
        let named = |resource: &&ShownResource| resource.descriptor.name() == mark.name;
        return new.resources().iter().filter(named).collect();
    }
    let removed_since = || match mark.behind_change {
        true => None,
        false => old.resource_of(&mark.session, &mark.name),
    };
    new.resource_of(&mark.session, &mark.name).or_else(removed_since).into_iter().collect()
}

#[cfg(test)]
mod tests;

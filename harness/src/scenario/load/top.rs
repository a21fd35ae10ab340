//! The keys at the top of a file.

use super::loader::{Loader, Part, Use};
use super::shape::unknown;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::{ActorKind, DaemonSetup, Scenario, Step, StepKind, actors, walk};
use crate::scenario::node::{Node, Value};
use std::sync::Arc;

/// All keys of a scenario file, in the order people write them.
pub(in crate::scenario) const KEYS: &[&str] = &[
    "scenario",
    "about",
    "requires",
    "bugs",
    "features",
    "daemon",
    "fresh_daemon",
    "cast",
    "each",
    "cases",
    "once",
    "steps",
    "finally",
];

impl Loader<'_> {
    pub(super) fn scenario(&mut self, root: &Node, id: &str) -> Option<Scenario> {
        let Value::Map(members) = &root.value else {
            self.wrong_type(root, "a scenario", "a map");
            return None;
        };
        for (key, _) in members {
            self.known_key(key, "a scenario", KEYS);
        }
        self.names.collect(root);

        let title = self.required(root, "scenario", "one sentence that says what is promised");
        let title = title.and_then(|node| self.text(node, "`scenario`"));
        let about = root.member("about").and_then(|node| self.text(node, "`about`"));
        let requires = self.required(root, "requires", "the ids of the promises that the scenario proves");
        let requires = requires.map(|node| self.promises(node, "`requires`"));
        let bugs = root.member("bugs").map(|node| self.bugs(node)).unwrap_or_default();
        let features = root.member("features").map(|node| self.features(node, "`features`")).unwrap_or_default();
        self.declared = features.iter().cloned().collect();
        // Before the cast, whose values may come from them.
        let each = root.member("each").map(|node| self.each(node)).unwrap_or_default();
        let cases = root.member("cases").map(|node| self.cases(node)).unwrap_or_default();
        let cast = root.member("cast").map(|node| self.cast(node)).unwrap_or_default();
        let daemon = root.member("daemon").map(|node| self.daemon(node)).unwrap_or_default();
        let fresh_daemon = root.member("fresh_daemon").and_then(|node| self.flag(node, "`fresh_daemon`"));
        let once = root.member("once").map(|node| self.once(node, root)).unwrap_or_default();
        let steps = self.required(root, "steps", "the story");
        let steps = steps.map(|node| self.steps(node, "`steps`"));
        self.part = Part::Finally;
        let finally = root.member("finally").map(|node| self.steps(node, "`finally`")).unwrap_or_default();
        self.rows(&cases);

        Some(Scenario {
            id: id.to_owned(),
            source: Arc::clone(self.source),
            title: title?,
            about,
            requires: requires?,
            bugs,
            features,
            daemon,
            cast,
            each,
            cases,
            fresh_daemon: fresh_daemon.unwrap_or_default(),
            once,
            steps: steps?,
            finally,
        })
    }

    /// Steps that all cases of one daemon share.
    fn once(&mut self, node: &Node, root: &Node) -> Vec<Step> {
        if self.case_keys.is_none() {
            self.problem(&node.span, Mistake::OnceWithoutCases);
        }
        if let Some(fresh) = root.member("fresh_daemon").filter(|fresh| fresh.value == Value::Bool(true)) {
            self.problem(&fresh.span, Mistake::OnceOnFreshDaemons);
        }
        self.part = Part::Once;
        let steps = self.steps(node, "`once`");
        self.part = Part::Steps;
        walk(&steps, &mut |step| {
            if let StepKind::Act(action) = &step.kind
                && !matches!(action.verb.actor, ActorKind::App | ActorKind::Client)
            {
                self.problem(&action.span, Mistake::OnlyTheCastStays);
            }
        });
        for name in actors(&steps) {
            let member = root.member("cast").and_then(|cast| cast.member(name));
            if let Some(text) = member.and_then(|member| uses_case(member)) {
                self.problem(&text.span, Mistake::CaseInOnce);
            }
        }
        steps
    }

    fn required<'n>(&mut self, root: &'n Node, key: &str, what: &str) -> Option<&'n Node> {
        let node = root.member(key);
        if node.is_none() {
            let mistake = Mistake::MissingKey {
                place: "the scenario".into(),
                key: key.to_owned(),
                why: format!("`{key}:` holds {what}"),
            };
            // Where it would stand: on the file's first line.
            let start = root.span.start;
            let end = self.source.text[start..].find('\n').map_or(root.span.end, |end| start + end);
            self.problem(&(start..end), mistake);
        }
        node
    }

    fn bugs(&mut self, node: &Node) -> Vec<String> {
        let ids = self.texts(node, "`bugs`", "a list of field-bug ids");
        for (id, span) in &ids {
            if let Some(nearest) = unknown(id, self.context.bugs) {
                self.problem(span, Mistake::UnknownBug { id: id.clone(), nearest });
            }
        }
        ids.into_iter().map(|(id, _)| id).collect()
    }

    fn daemon(&mut self, node: &Node) -> DaemonSetup {
        self.known_members(node, "`daemon`", &["config", "none"]);
        if let Some(config) = node.member("config") {
            self.uses_of_value(config, true);
        }
        let mut uses = std::mem::take(&mut self.uses);
        if let Some(none) = node.member("none").filter(|none| none.value == Value::Bool(true)) {
            let what = "none: true".to_owned();
            uses.push(Use { feature: "manual_start".into(), what, span: none.span.clone() });
        }
        self.uses_of_scenario(uses);
        let config = node.member("config").filter(|config| {
            self.value(config);
            self.members(config, "`config`").is_some()
        });
        let deferred = node.member("none").and_then(|none| self.flag(none, "`none`"));
        DaemonSetup { config: config.cloned(), deferred: deferred.unwrap_or_default() }
    }
}

/// The first value below that differs from case to case.
fn uses_case(node: &Node) -> Option<&Node> {
    match &node.value {
        Value::String(text) => text.contains("${case").then_some(node),
        Value::List(items) => items.iter().find_map(uses_case),
        Value::Map(members) => members.iter().find_map(|(_, value)| uses_case(value)),
        _ => None,
    }
}

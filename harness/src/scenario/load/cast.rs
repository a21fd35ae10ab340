//! Who takes part.

use super::loader::{Loader, Use};
use super::names::{is_name, reserved};
use super::shape::unknown;
use crate::scenario::mistake::Mistake;
use crate::scenario::model::{ActorKind, CastMember, Role};
use crate::scenario::node::{Key, Node, Value};

/// Options of an app, and whether each is a switch.
pub(in crate::scenario) const APP_OPTIONS: &[(&str, bool, &str)] = &[
    ("model", false, "Device model; the alias is made from it."),
    ("os", false, "Device operating system."),
    ("manufacturer", false, "Device manufacturer."),
    ("auto", true, "`false`: calls and reads wait for `answer`. Default `true`: they are answered."),
    ("silent_pings", true, "`true`: pings are not answered from the beginning. Default `false`."),
];

const ROLES: &[&str] = &["app", "client", "operator"];

impl Loader<'_> {
    pub(super) fn cast(&mut self, node: &Node) -> Vec<CastMember> {
        let mut cast = Vec::new();
        for (key, member) in self.members(node, "`cast`").unwrap_or_default() {
            let role = self.role(key, member);
            if let Some(role) = role {
                self.names.actors.insert(key.name.clone(), role_kind(&role));
                cast.push(CastMember { name: key.name.clone(), role, span: key.span.start..member.span.end });
            }
        }
        cast
    }

    fn role(&mut self, key: &Key, node: &Node) -> Option<Role> {
        if let Some(meaning) = reserved(&key.name) {
            self.problem(&key.span, Mistake::ReservedName { name: key.name.clone(), meaning });
        } else if !is_name(&key.name) {
            self.problem(&key.span, Mistake::BadName { name: key.name.clone(), what: "an actor" });
        }
        let what = format!("cast member `{}`", key.name);
        let Value::Map(members) = &node.value else {
            self.wrong_type(node, &what, "a map such as `{ app: {} }`");
            return None;
        };
        let roles: Vec<_> = members.iter().filter(|(key, _)| ROLES.contains(&key.name.as_str())).collect();
        let [(role, options)] = roles.as_slice() else {
            for (key, _) in members {
                self.known_key(key, &what, &["app", "client", "operator", "revision"]);
            }
            self.problem(&key.span, Mistake::RoleCount { name: key.name.clone() });
            return None;
        };
        match role.name.as_str() {
            "app" => {
                self.known_members(node, &what, &["app"]);
                self.app_options(options);
                Some(Role::App(Some(options).filter(|options| options.value != Value::Null).cloned()))
            }
            "client" => {
                self.known_members(node, &what, &["client", "revision"]);
                let uses = Use { feature: "mcp".into(), what: "client".into(), span: role.span.clone() };
                self.uses_of_scenario(vec![uses]);
                let profile = self.text(options, "a client's profile")?;
                self.value(options);
                if !profile.contains("${")
                    && let Some(nearest) = unknown(&profile, self.context.profiles)
                {
                    let known = self.context.profiles.into_iter().flatten().cloned().collect();
                    self.problem(&options.span, Mistake::UnknownProfile { profile: profile.clone(), nearest, known });
                }
                let revision = node.member("revision").and_then(|node| {
                    self.value(node);
                    self.text(node, "`revision`")
                });
                Some(Role::Client { profile, revision })
            }
            _ => {
                self.known_members(node, &what, &["operator"]);
                self.known_members(options, "an operator", &[]);
                Some(Role::Operator)
            }
        }
    }

    fn app_options(&mut self, node: &Node) {
        let known: Vec<_> = APP_OPTIONS.iter().map(|(name, ..)| *name).collect();
        for (key, value) in self.known_members(node, "an app", &known).unwrap_or_default() {
            self.value(value);
            let switch = APP_OPTIONS.iter().find(|(name, ..)| *name == key.name).is_some_and(|(_, switch, _)| *switch);
            let template = value.text().is_some_and(|text| text.contains("${"));
            let generated = matches!(&value.value, Value::Map(members) if members.len() == 1);
            match &value.value {
                _ if template || generated => {}
                Value::Bool(_) if switch => {}
                Value::String(_) if !switch => {}
                _ if switch => self.wrong_type(value, &format!("`{}`", key.name), "`true` or `false`"),
                _ => self.wrong_type(value, &format!("`{}`", key.name), "a string"),
            }
        }
    }
}

fn role_kind(role: &Role) -> ActorKind {
    match role {
        Role::App(_) => ActorKind::App,
        Role::Client { .. } => ActorKind::Client,
        Role::Operator => ActorKind::Operator,
    }
}

//! Apps that stay while the cases of a table come and go.

use super::actors::Actor;
use super::actors::app::App;
use super::world::World;
use crate::scenario::model::{Scenario, actors};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the steps of `once` left behind on one daemon.
#[derive(Debug)]
pub(super) struct Stayers {
    apps: BTreeMap<String, Arc<App>>,
    named: Map<String, Value>,
}

impl Stayers {
    /// The apps that acted in the `once` of this scenario, and every name that it gave.
    pub(super) fn of(scenario: &Scenario, world: &World) -> Self {
        let names = actors(&scenario.once);
        let apps = world.actors.iter().filter_map(|(name, actor)| match actor {
            Actor::App(app) if names.contains(name.as_str()) => Some((name.clone(), Arc::clone(app))),
            _ => None,
        });
        Self { apps: apps.collect(), named: world.bound() }
    }

    /// Whether an app of this name stays.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.apps.contains_key(name)
    }

    /// Puts them in the places of those who would come fresh. What a case made arrive is not seen by the next.
    pub(super) fn take_places(&self, actors: &mut BTreeMap<String, Actor>) {
        for (name, app) in &self.apps {
            app.look_away();
            actors.insert(name.clone(), Actor::App(Arc::clone(app)));
        }
    }

    /// Gives their names to the world of a case.
    pub(super) fn name_in(&self, world: &World) {
        for (name, value) in &self.named {
            world.bind(name, value.clone());
        }
    }

    /// The sessions they have.
    pub(super) fn sessions(&self) -> BTreeSet<String> {
        self.apps.values().filter_map(|app| app.session_id()).collect()
    }

    /// Ends all their connections.
    pub(super) async fn leave(&self) {
        for app in self.apps.values() {
            app.leave().await;
        }
    }
}

//! Apps and clients that stay while the cases of a table come and go.

use super::actors::Actor;
use super::case_state::CaseState;
use crate::scenario::model::{Scenario, actors};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What the steps of `once` left behind on one daemon.
#[derive(Debug)]
pub(super) struct PersistentActors {
    actors: BTreeMap<String, Actor>,
    named: Map<String, Value>,
}

impl PersistentActors {
    /// Those who acted in the `once` of this scenario, and every name that it gave.
    pub(super) fn of(scenario: &Scenario, case: &CaseState) -> Self {
        let names = actors(&scenario.once);
        let stay = case.actors.iter().filter(|(name, _)| names.contains(name.as_str()));
        Self { actors: stay.map(|(name, actor)| (name.clone(), actor.clone())).collect(), named: case.names.bound() }
    }

    /// Whether an actor of this name stays.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.actors.contains_key(name)
    }

    /// Puts them in the places of those who would come fresh. What a case made arrive is not seen by the next.
    pub(super) fn replace_in(&self, actors: &mut BTreeMap<String, Actor>) {
        for (name, actor) in &self.actors {
            actor.discard_received();
            actors.insert(name.clone(), actor.clone());
        }
    }

    /// Gives their names to the world of a case.
    pub(super) fn bind_names_in(&self, case: &CaseState) {
        for (name, value) in &self.named {
            case.names.bind(name, value.clone());
        }
    }

    /// The sessions they have.
    pub(super) fn sessions(&self) -> BTreeSet<String> {
        let session = |actor: &Actor| match actor {
            Actor::App(app) => app.session_id(),
            _ => None,
        };
        self.actors.values().filter_map(session).collect()
    }

    /// Ends all their connections, the clients' first, so that none of them hears of the apps that go.
    pub(super) async fn leave(&self) {
        let (clients, others): (Vec<_>, Vec<_>) =
            self.actors.values().partition(|actor| matches!(actor, Actor::Client(_)));
        for actor in clients.into_iter().chain(others) {
            actor.leave().await;
        }
    }
}

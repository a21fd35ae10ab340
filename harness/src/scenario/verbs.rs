//! The table of verbs: what every kind of actor can do in a step, and what may be said to it.
//!
//! One table serves the loader (unknown verbs and parameters, with the nearest right spelling), the editor schema and
//! the reference pages. The engine dispatches on `(actor, name)`.

mod app;
mod client;
mod daemon;
mod operator;

pub use super::verb::{Choice, Param, ParamKind, Verb};

use super::actor_kind::ActorKind;
use super::verb::opt;

/// Keys that every verb takes beside its own.
pub const COMMON: &[Param] = &[
    opt("expect", ParamKind::Matcher, "What the outcome must look like. Makes the step a check."),
    opt("check", ParamKind::Text, "Label of the check, unique in its scenario; part of the check's id."),
    opt(
        "needs",
        ParamKind::List,
        "Features this step takes beside the scenario's. On a target without them it is left out, and its check is not applicable.",
    ),
    opt("proves", ParamKind::List, "Promise ids this check proves, in place of the scenario's."),
    opt("level", ParamKind::Choice(&["M", "S", "O"]), "Level in place of the promises' own: must, should, option."),
    opt(
        "options",
        ParamKind::List,
        "Alternatives of the check's `$one_of` that the contract leaves to the daemon. When one of them is met, its name is recorded and the check is not applicable.",
    ),
    opt("as", ParamKind::Text, "Name under which later steps find the outcome: `${name…}`."),
    opt("within", ParamKind::Number, "Deadline in seconds in place of the usual one; patience scales it."),
    opt("note", ParamKind::Text, "A remark for readers; nothing is done with it."),
    opt("stop", ParamKind::Bool, "`true`: when this check fails, the rest of the case is not run."),
    opt(
        "unless_waived",
        ParamKind::Bool,
        "`true`: this check says that nothing came of the wrong input; `iolite lint` proves that it would fail if the one rule that the input breaks did not hold.",
    ),
];

/// The verb of that name.
pub fn find(actor: ActorKind, name: &str) -> Option<&'static Verb> {
    of(actor).iter().find(|verb| verb.name == name)
}

/// The verbs of one kind of actor, in the order of the reference.
pub fn of(actor: ActorKind) -> &'static [Verb] {
    match actor {
        ActorKind::App => app::VERBS,
        ActorKind::Client => client::VERBS,
        ActorKind::Operator => operator::VERBS,
        ActorKind::Daemon => daemon::VERBS,
    }
}

/// All verbs: apps', clients', operators', the daemon's.
pub fn all() -> impl Iterator<Item = &'static Verb> {
    [ActorKind::App, ActorKind::Client, ActorKind::Operator, ActorKind::Daemon].into_iter().flat_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::node::Node;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_per_actor_and_never_collide_with_common_keys() {
        let mut seen = BTreeSet::new();
        for verb in all() {
            assert!(seen.insert((verb.actor, verb.name)), "{verb:?} twice");
            let mut params = BTreeSet::new();
            for param in verb.params.iter().chain(COMMON) {
                assert!(params.insert(param.name), "{:?}.{}: `{}` twice", verb.actor, verb.name, param.name);
            }
            for name in verb.choices.iter().flat_map(|choice| choice.of) {
                assert!(verb.param(name).is_some(), "{}: `{name}` does not exist", verb.name);
            }
            if let Some(main) = verb.main {
                assert!(verb.param(main).is_some(), "{}: main parameter `{main}` does not exist", verb.name);
            }
        }
    }

    #[test]
    fn a_body_may_stand_under_its_own_name() {
        let send = find(ActorKind::App, "send").unwrap();
        let bare = Node::synthetic(serde_json::json!({"type": "event"}));
        let named = Node::synthetic(serde_json::json!({"frame": {"type": "event"}}));
        assert_eq!(send.body(&bare).to_json(), send.body(&named).to_json());
    }
}

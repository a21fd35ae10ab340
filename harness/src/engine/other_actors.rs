//! What an actor's step may ask of the other actors, without knowing them.

use super::control::Control;
use super::stage::Stage;
use super::step_outcome::StepError;
use crate::scenario::template::{MissingPath, Path};
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::time::Instant;

/// A silence that needs an end: something that must arrive, and behind which nothing comes any more that was on its way.
#[derive(Clone, Copy)]
pub(super) struct Silence<'a> {
    /// The daemon.
    pub(super) stage: &'a Stage,
    /// The app that ends it; any that is live when none is named.
    pub(super) app: Option<&'a str>,
    /// When waiting for its end is given up.
    pub(super) deadline: Instant,
}

/// The actors of a case, as one of them sees them.
pub(super) trait OtherActors: Sync {
    /// Their names.
    fn names(&self) -> Vec<String>;

    /// Whether one of them is called so.
    fn is_there(&self, name: &str) -> bool;

    /// What a path of a template leads to below the actor that it begins with; nothing when there is no such actor.
    fn value_at(&self, path: &Path) -> Option<Result<Value, MissingPath>>;

    /// Waits until everything that an operator's connection is going to be told about what has happened so far has arrived
    /// on it.
    fn fence_events<'a>(&'a self, silence: Silence<'a>, control: &'a Control) -> BoxFuture<'a, Result<(), StepError>>;

    /// Waits until everything that a client is going to be told about what has happened so far has arrived at it, and gives
    /// the place where that ends. `tools`: the silence is about the tool list, so that a change of the tool list must be
    /// heard.
    fn fence_notifications<'a>(
        &'a self,
        silence: Silence<'a>,
        client: &'a str,
        tools: bool,
    ) -> BoxFuture<'a, Result<u64, StepError>>;
}

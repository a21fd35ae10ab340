//! Those who take part in a story.

pub(super) mod app;
pub(super) mod client;
mod daemon;
pub(super) mod operator;

use super::cue::Cue;
use super::outcome::{Done, Fault};
use crate::scenario::template::{MissingPath, Path, Segment};
use app::App;
use client::Client;
use operator::Operator;
use serde_json::Value;
use std::sync::Arc;

pub(super) use daemon::Daemon;

/// One member of the cast, or one of those who are always there.
#[derive(Clone, Debug)]
pub(super) enum Actor {
    /// A mock app.
    App(Arc<App>),
    /// A mock client.
    Client(Arc<Client>),
    /// Someone at the control RPC.
    Operator(Arc<Operator>),
    /// The daemon's process and clock.
    Daemon(Daemon),
}

impl Actor {
    /// Does what a step says.
    pub(super) async fn perform(&self, cue: &Cue<'_>) -> Done {
        match self {
            Self::App(app) => app.perform(cue).await,
            Self::Client(client) => client.perform(cue).await,
            Self::Operator(operator) => operator.perform(cue).await,
            Self::Daemon(daemon) => daemon.perform(cue).await,
        }
    }

    /// What templates see of it.
    pub(super) fn vars(&self) -> Value {
        match self {
            Self::App(app) => app.vars(),
            Self::Client(client) => client.vars(),
            Self::Operator(operator) => operator.vars(),
            Self::Daemon(daemon) => daemon.vars(),
        }
    }

    /// What a path below it leads to.
    pub(super) fn at(&self, path: &Path) -> Result<Value, MissingPath> {
        if let (Self::App(app), [Segment::Member(name)]) = (self, path.segments())
            && let Some(text) = app.var(name)
        {
            return Ok(text.into());
        }
        path.find_in(&self.vars()).cloned()
    }

    /// Leaves what has arrived so far to the steps that are over.
    pub(super) fn look_away(&self) {
        match self {
            Self::App(app) => app.look_away(),
            Self::Client(client) => client.look_away(),
            Self::Operator(_) | Self::Daemon(_) => {}
        }
    }

    /// Ends all its connections.
    pub(super) async fn leave(&self) {
        match self {
            Self::App(app) => app.leave().await,
            Self::Client(client) => client.leave().await,
            Self::Operator(operator) => operator.leave().await,
            Self::Daemon(_) => {}
        }
    }
}

/// A verb that the table knows and the actor does not: iolite's own fault, and a test says that there is none.
pub(super) fn unknown_verb(actor: &str, verb: &str) -> Fault {
    Fault::Broken(format!("{actor} cannot `{verb}`"))
}

#[cfg(test)]
mod tests;

//! The actors of a scenario.

pub(super) mod app;
pub(super) mod client;
mod daemon;
mod link;
pub(super) mod operator;

use super::step_context::StepContext;
use super::step_outcome::StepResult;
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
    pub(super) async fn perform(&self, step: &StepContext<'_>) -> StepResult {
        match self {
            Self::App(app) => app.perform(step).await,
            Self::Client(client) => client.perform(step).await,
            Self::Operator(operator) => operator.perform(step).await,
            Self::Daemon(daemon) => daemon.perform(step).await,
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
    pub(super) fn discard_received(&self) {
        match self {
            Self::App(app) => app.discard_received(),
            Self::Client(client) => client.discard_received(),
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

#[cfg(test)]
mod tests;

//! The ends of silences: a later change whose sign must arrive. What had not come before it, never comes.
//!
//! A fence must not disturb the scenario. What it makes every client and operator hear is taken out of what steps see, and the
//! entries it registers are removed before the scenario goes on.

use super::actors::Actor;
use super::actors::app::App;
use super::actors::client::Client;
use super::control::Control;
use super::stage::Stage;
use super::step_context::StepContext;
use super::step_outcome::StepError;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::time::Instant;

/// Everything that an operator's connection is going to be told about what has happened so far has arrived on it.
pub(super) async fn events(step: &StepContext<'_>, control: &Control, app: Option<&str>) -> Result<(), StepError> {
    // An app's event proves that the daemon has processed what apps sent; without an app there is nothing of that kind.
    fenced_app(step, app).await?;
    // The answer follows, on this very connection, everything that was sent to it before.
    let answer = control.call("daemon.status", Some(json!({})), step.deadline).await;
    answer.map(drop).map_err(super::stage::unmet)
}

/// Everything that a client is going to be told about what has happened so far has arrived at it; gives the place where that
/// ends. `tools`: the silence is about the tool list, so that a change of the tool list must be heard.
pub(super) async fn notifications(
    step: &StepContext<'_>,
    client: &Client,
    app: Option<&str>,
    tools: bool,
) -> Result<u64, StepError> {
    let app = fenced_app(step, app).await?.ok_or_else(|| {
        StepError::Unmet("no app is there to make the change whose notification ends this silence".into())
    })?;
    if !client.is_ready() {
        return Err(StepError::Unmet(format!("{} is not connected", client.name())));
    }
    // What is under way gets the time to arrive by itself, so that no fence is merged with it.
    for (_, client) in ready_clients(step) {
        client.round_trip(step.deadline).await?;
    }
    let fence = Fence { step, app, stage: &step.case_state.stage, deadline: step.deadline };
    let resources = fence.stage.target().claims("resources") && client.can_subscribe();
    if tools || !resources {
        let tool = fence.stage.fence_name();
        fence.tool(&tool, true).await?;
        if resources {
            let end = fence.stale_mark(client).await?;
            fence.tool(&tool, false).await?;
            return Ok(end);
        }
        fence.tool(&tool, false).await?;
        return client.position();
    }
    fence.stale_mark(client).await
}

struct Fence<'a> {
    step: &'a StepContext<'a>,
    app: Arc<App>,
    stage: &'a Stage,
    deadline: Instant,
}

impl Fence<'_> {
    /// A fresh resource, a subscription to it and a stale mark: nothing else can make that notification.
    async fn stale_mark(&self, client: &Client) -> Result<u64, StepError> {
        let name = self.stage.fence_name();
        let descriptor = json!({
            "uri": format!("iolite://fence/{name}"), "name": name, "description": "Ends a silence; gone at once.",
        });
        self.entry("resource", &name, Some(descriptor)).await?;
        let alias = self.app.vars().get("alias").cloned().unwrap_or_default();
        let scheme = &self.stage.target().knobs.uri_scheme;
        let uri = format!("{scheme}://{}/{name}", alias.as_str().unwrap_or_default());
        let subscription = client.fence_subscribe(&uri, self.deadline).await?;
        let after = client.position()?;
        self.app.fence_stale(&name, self.deadline).await?;
        let end = client.fence_heard(after, self.deadline, |method, params| {
            let about = params.and_then(|params| params.get("uri")).and_then(Value::as_str);
            method == "notifications/resources/updated" && about == Some(&uri)
        });
        let end = end.await?;
        client.fence_unsubscribe(&uri, &subscription, self.deadline).await;
        self.entry("resource", &name, None).await?;
        Ok(end)
    }

    async fn tool(&self, name: &str, there: bool) -> Result<(), StepError> {
        let descriptor = json!({ "name": name, "description": "Ends a silence; gone at once." });
        self.entry("tool", name, there.then_some(descriptor)).await
    }

    /// Registers or removes an entry, and waits until every client that hears of such changes has heard of this one.
    async fn entry(&self, kind: &str, name: &str, descriptor: Option<Value>) -> Result<(), StepError> {
        let list = format!("{kind}s");
        let method = format!("notifications/{list}/list_changed");
        let mut listeners = Vec::new();
        for (_, client) in ready_clients(self.step).filter(|(_, client)| client.hears_changes(&list)) {
            let after = client.position()?;
            listeners.push((client, after));
        }
        self.app.fence_entry(self.stage, kind, descriptor.ok_or_else(|| name.to_owned()), self.deadline).await?;
        for (client, after) in listeners {
            let heard = client.fence_heard(after, self.deadline, |heard, _| heard == method).await;
            heard.map_err(|error| {
                let client = client.name();
                StepError::Unmet(format!(
                    "nothing ends this silence: the fence's own {method} did not reach {client} ({error})"
                ))
            })?;
        }
        Ok(())
    }
}

fn ready_clients<'a>(step: &StepContext<'a>) -> impl Iterator<Item = (&'a str, &'a Client)> + use<'a> {
    step.case_state.actors.iter().filter_map(|(name, actor)| match actor {
        Actor::Client(client) if client.is_ready() => Some((name.as_str(), &**client)),
        _ => None,
    })
}

/// The app of that name, or any that is live, after an event of its own has gone through the daemon.
async fn fenced_app(step: &StepContext<'_>, name: Option<&str>) -> Result<Option<Arc<App>>, StepError> {
    let candidates: Vec<Arc<App>> = match name {
        None => {
            let apps = step.case_state.actors.values().filter_map(|actor| match actor {
                Actor::App(app) if app.is_live() => Some(Arc::clone(app)),
                _ => None,
            });
            apps.collect()
        }
        Some(wanted) => match step.case_state.actor(wanted)? {
            Actor::App(app) if app.is_live() => vec![Arc::clone(app)],
            Actor::App(_) => {
                return Err(StepError::Unmet(format!("{wanted} is to end this silence and has no open session")));
            }
            _ => return Err(StepError::Broken(format!("{wanted} is no app"))),
        },
    };
    for app in candidates {
        match app.fence(&step.case_state.stage, step.deadline).await? {
            Ok(()) => return Ok(Some(app)),
            // One whose close was under way, or that the daemon no longer listens to, ends no silence: the next may.
            Err(_) if name.is_none() => {}
            Err(unmet) => return Err(StepError::Unmet(format!("the fence did not get through: {unmet}"))),
        }
    }
    Ok(None)
}

//! The ends of silences: a later change whose sign must arrive. What had not come before it, never comes.
//!
//! A fence must not disturb the scenario. What it makes every client and operator hear is taken out of what steps see, and the
//! entries it registers are removed before the scenario goes on.

use super::actors::Actor;
use super::actors::app::App;
use super::actors::client::Client;
use super::control::Control;
use super::other_actors::Silence;
use super::step_outcome::StepError;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All actors, by name.
type Actors = BTreeMap<String, Actor>;

/// Everything that an operator's connection is going to be told about what has happened so far has arrived on it.
pub(super) async fn events(actors: &Actors, silence: Silence<'_>, control: &Control) -> Result<(), StepError> {
    // An app's event proves that the daemon has processed what apps sent; without an app there is nothing of that kind.
    fenced_app(actors, silence).await?;
    // The answer follows, on this very connection, everything that was sent to it before.
    control.call("daemon.status", Some(json!({})), silence.deadline).await?;
    Ok(())
}

/// Everything that a client is going to be told about what has happened so far has arrived at it; gives the place where that
/// ends. `tools`: the silence is about the tool list, so that a change of the tool list must be heard.
pub(super) async fn notifications(
    actors: &Actors,
    silence: Silence<'_>,
    client: &str,
    tools: bool,
) -> Result<u64, StepError> {
    let client = match actors.get(client) {
        Some(Actor::Client(client)) => client,
        _ => return Err(StepError::Broken(format!("{client} is no client"))),
    };
    let app = fenced_app(actors, silence).await?.ok_or_else(|| {
        StepError::Unmet("no app is there to make the change whose notification ends this silence".into())
    })?;
    if !client.is_ready() {
        return Err(StepError::Unmet(format!("{} is not connected", client.name())));
    }
    // What is under way gets the time to arrive by itself, so that no fence is merged with it.
    for client in ready_clients(actors) {
        client.round_trip(silence.deadline).await?;
    }
    let fence = Fence { actors, app, silence };
    let resources = silence.stage.target().claims("resources") && client.can_subscribe();
    if tools || !resources {
        let tool = silence.stage.fences().fresh_name();
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
    actors: &'a Actors,
    app: Arc<App>,
    silence: Silence<'a>,
}

impl Fence<'_> {
    /// A fresh resource, a subscription to it and a stale mark: nothing else can make that notification.
    async fn stale_mark(&self, client: &Client) -> Result<u64, StepError> {
        let name = self.silence.stage.fences().fresh_name();
        let descriptor = json!({
            "uri": format!("iolite://fence/{name}"), "name": name, "description": "Ends a silence; gone at once.",
        });
        self.entry("resource", &name, Some(descriptor)).await?;
        let alias = self.app.vars().get("alias").cloned().unwrap_or_default();
        let scheme = &self.silence.stage.target().knobs.uri_scheme;
        let uri = format!("{scheme}://{}/{name}", alias.as_str().unwrap_or_default());
        let subscription = client.fence_subscribe(&uri, self.silence.deadline).await?;
        let after = client.position()?;
        self.app.fence_stale(&name, self.silence.deadline).await?;
        let end = client.fence_heard(after, self.silence.deadline, |method, params| {
            let about = params.and_then(|params| params.get("uri")).and_then(Value::as_str);
            method == "notifications/resources/updated" && about == Some(&uri)
        });
        let end = end.await?;
        client.fence_unsubscribe(&uri, &subscription, self.silence.deadline).await;
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
        for client in ready_clients(self.actors).filter(|client| client.hears_changes(&list)) {
            let after = client.position()?;
            listeners.push((client, after));
        }
        self.app
            .fence_entry(self.silence.stage, kind, descriptor.ok_or_else(|| name.to_owned()), self.silence.deadline)
            .await?;
        for (client, after) in listeners {
            let heard = client.fence_heard(after, self.silence.deadline, |heard, _| heard == method).await;
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

fn ready_clients(actors: &Actors) -> impl Iterator<Item = &Client> {
    actors.values().filter_map(|actor| match actor {
        Actor::Client(client) if client.is_ready() => Some(&**client),
        _ => None,
    })
}

/// The app that the silence names, or any that is live, after an event of its own has gone through the daemon.
async fn fenced_app(actors: &Actors, silence: Silence<'_>) -> Result<Option<Arc<App>>, StepError> {
    let candidates: Vec<Arc<App>> = match silence.app {
        None => {
            let apps = actors.values().filter_map(|actor| match actor {
                Actor::App(app) if app.is_live() => Some(Arc::clone(app)),
                _ => None,
            });
            apps.collect()
        }
        Some(wanted) => match actors.get(wanted) {
            Some(Actor::App(app)) if app.is_live() => vec![Arc::clone(app)],
            Some(Actor::App(_)) => {
                return Err(StepError::Unmet(format!("{wanted} is to end this silence and has no open session")));
            }
            Some(_) => return Err(StepError::Broken(format!("{wanted} is no app"))),
            None => return Err(StepError::Broken(format!("nobody is called `{wanted}`"))),
        },
    };
    for app in candidates {
        match app.fence(silence.stage, silence.deadline).await? {
            Ok(()) => return Ok(Some(app)),
            // One whose close was under way, or that the daemon no longer listens to, ends no silence: the next may.
            Err(_) if silence.app.is_none() => {}
            Err(unmet) => return Err(StepError::Unmet(format!("the fence did not get through: {unmet}"))),
        }
    }
    Ok(None)
}

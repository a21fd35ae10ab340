//! Starting a server, shaking hands, and parting.

use super::Client;
use super::hearing::Hearing;
use super::lane::Lane;
use crate::engine::cue::Cue;
use crate::engine::outcome::{Deed, Done, Fault};
use crate::engine::world::World;
use iolite_mock_client::process::{CommandLine, Exit, Grace};
use iolite_mock_client::profile::Lane as Way;
use iolite_mock_client::raw::{Limits, RawLane};
use iolite_mock_client::revision::Revision;
use iolite_mock_client::sdk::{SdkClient, SdkError};
use iolite_mock_client::session::{Answering, Client as Self_, Session};
use iolite_mock_client::{Outcome, Witness};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// How long starting a server and shaking hands may take, before patience.
const START_MAX: Duration = Duration::from_secs(10);

impl Client {
    pub(super) async fn start(&self, cue: &Cue<'_>) -> Done {
        let who = self.who(cue)?;
        self.spawn_raw(cue, self.revision, who).await?;
        Ok(Deed::nothing())
    }

    pub(super) async fn connect(&self, cue: &Cue<'_>) -> Done {
        let asked = cue.text("revision")?.unwrap_or_else(|| self.revision.name().to_owned());
        let revision = Revision::parse(&asked).unwrap_or(self.revision);
        let who = self.who(cue)?;
        let deadline = self.patient_deadline(cue);
        if self.profile.lane == Way::Sdk {
            return self.connect_sdk(cue, revision, who, deadline).await;
        }
        let started = self.lane_slot().is_some() && self.state().server.is_none();
        if !started {
            self.spawn_raw(cue, revision, who.clone()).await?;
        }
        let lane = self.lane()?;
        let session = lane.raw()?;
        let (method, params) = if revision.facts().handshake {
            let hello = json!({ "protocolVersion": asked, "capabilities": who.capabilities, "clientInfo": who.info });
            ("initialize", Some(hello))
        } else {
            ("server/discover", None)
        };
        let server = match lane.request(method, params, deadline).await {
            Ok(Outcome::Result(server)) => server,
            Ok(refused) => return Ok(Deed::of(refused.to_json())),
            Err(why) => return Ok(self.unanswered(&why)),
        };
        let introduce = revision.facts().handshake && cue.flag("initialized", true)?;
        if introduce && let Err(error) = session.initialized().await {
            return Ok(Deed::violated(error.to_string(), Vec::new()).gone());
        }
        self.met(cue, &server, revision, introduce || !revision.facts().handshake);
        if introduce || !revision.facts().handshake {
            self.open_as_profile(cue, &lane, revision, &server).await?;
        }
        Ok(Deed::of(server))
    }

    pub(super) async fn initialized(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        if let Err(error) = lane.raw()?.initialized().await {
            return Ok(Deed::violated(error.to_string(), Vec::new()).gone());
        }
        let server = self.state().server.clone().unwrap_or_default();
        self.met(cue, &server, self.revision, true);
        Ok(Deed::nothing())
    }

    pub(super) fn close_stdin(&self) -> Done {
        self.lane()?.raw()?.lane().close_input();
        Ok(Deed::nothing())
    }

    pub(super) async fn kill(&self) -> Done {
        self.lane()?.kill().await;
        self.state().ready = false;
        Ok(Deed::nothing())
    }

    pub(super) async fn stop(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        self.state().ready = false;
        let step = cue.world.stage.pace().usual();
        let grace = Grace { after_stdin: step, after_terminate: step };
        self.lane_slot().take();
        let stopped = match Arc::try_unwrap(lane) {
            Ok(Lane::Sdk(client, _)) => client.stop(grace).await,
            Ok(Lane::Raw(session)) => session.lane().stop(grace).await,
            // Another step is still using it.
            Err(lane) => match lane.process() {
                Some(process) => process.end(grace).await.map(Some),
                None => Ok(None),
            },
        };
        let stopped = stopped.map_err(|error| Fault::Unmet(error.to_string()))?;
        Ok(Deed::of(stopped.map_or_else(|| json!({}), |stopped| Value::Object(exit_members(stopped.exit)))))
    }

    pub(super) async fn expect_exit(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        let matcher = cue.matcher_of(&[("code", "code")])?;
        let Some(process) = lane.process() else { return Err(Fault::Unmet("there is no process of its own".into())) };
        let Some(exit) = process.wait(cue.deadline).await else {
            return Ok(Deed::violated("the server's process did not end", Vec::new()));
        };
        self.state().ready = false;
        process.stderr().finished(cue.deadline).await;
        let mut members = exit_members(exit);
        members.insert("stderr".into(), process.stderr().lines().join("\n").into());
        let outcome = Value::Object(members);
        let matched = matcher.check(&outcome);
        let mut deed = Deed::of(outcome);
        if !matched.matched {
            deed.violated = Some(format!("it ended with {exit}: {}", matched.message()));
        }
        cue.bind_all(matched.captures);
        Ok(deed)
    }

    async fn connect_sdk(&self, cue: &Cue<'_>, revision: Revision, who: Self_, deadline: Instant) -> Done {
        let command = self.command(cue.world).await?;
        let witness = self.witness(cue.world);
        let patience = deadline.saturating_duration_since(Instant::now());
        let client = match SdkClient::spawn(&command, revision, who, witness, patience).await {
            Ok(client) => client,
            Err(SdkError::Refused(outcome)) => return Ok(Deed::of(outcome.to_json())),
            Err(error @ SdkError::Spawn(_)) => return Err(Fault::Unmet(error.to_string())),
            Err(error) => return Ok(Deed::violated(error.to_string(), Vec::new()).gone()),
        };
        let server = client.server();
        let lane = Arc::new(Lane::Sdk(Box::new(client), Mutex::default()));
        *self.lane_slot() = Some(Arc::clone(&lane));
        self.met(cue, &server, revision, true);
        self.open_as_profile(cue, &lane, revision, &server).await?;
        Ok(Deed::of(server))
    }

    async fn spawn_raw(&self, cue: &Cue<'_>, revision: Revision, who: Self_) -> Result<(), Fault> {
        let command = self.command(cue.world).await?;
        let witness = self.witness(cue.world);
        let lane = RawLane::spawn(&command, witness, Limits::default());
        let lane = lane.map_err(|error| Fault::Unmet(error.to_string()))?;
        let patience = cue.world.stage.pace().usual();
        let session = Session::new(lane, revision, who, patience, Answering::Plain);
        let before = self.lane_slot().replace(Arc::new(Lane::Raw(Box::new(session))));
        if let Some(before) = before {
            before.kill().await;
        }
        Ok(())
    }

    /// A new connection begins: whatever was known of the one before is forgotten.
    fn witness(&self, world: &World) -> Witness {
        let connection = world.run.next_connection(&self.name);
        *self.state() = super::State { connection, hearing: Hearing::default(), ..super::State::default() };
        world.run.note_client(&self.name, connection, |facts| facts.profile.clone_from(&self.profile.name));
        Witness::new(self.tap.clone(), &self.name, connection)
    }

    async fn command(&self, world: &World) -> Result<CommandLine, Fault> {
        let command = world.stage.mcp_command().await?;
        let env = command.env.iter().map(|(name, value)| (name.clone(), value.clone()));
        let line = CommandLine::new(&command.program).args(command.args.iter()).in_folder(&command.cwd);
        Ok(env.fold(line, |line, (name, value)| line.env(name, value)))
    }

    fn who(&self, cue: &Cue<'_>) -> Result<Self_, Fault> {
        let usual = Self_ { capabilities: self.profile.capabilities.clone(), info: self.profile.client_info() };
        let given = |name: &str| if cue.verb() == "connect" { cue.value(name) } else { Ok(None) };
        Ok(Self_ {
            capabilities: given("capabilities")?.unwrap_or(usual.capabilities),
            info: given("client_info")?.unwrap_or(usual.info),
        })
    }

    /// Takes note of what the server said about itself.
    fn met(&self, cue: &Cue<'_>, server: &Value, revision: Revision, ready: bool) {
        let negotiated = server.get("protocolVersion").and_then(Value::as_str).unwrap_or(revision.name()).to_owned();
        let mut state = self.state();
        state.server = Some(server.clone());
        state.ready = ready;
        state.listens = Value::Null;
        let connection = state.connection;
        drop(state);
        cue.world.run.note_client(&self.name, connection, |facts| facts.revision = Some(negotiated));
    }

    /// What the profile does by itself after the opening: listen where one has to, probe, and list for good.
    async fn open_as_profile(
        &self,
        cue: &Cue<'_>,
        lane: &Lane,
        revision: Revision,
        server: &Value,
    ) -> Result<(), Fault> {
        let deadline = self.patient_deadline(cue);
        if let Some(filter) = self.profile.listen_filter(revision.facts()) {
            let listening = self.listen(lane, filter, deadline).await;
            let (_, accepted) = listening.map_err(|why| Fault::Unmet(why.to_string()))?;
            self.state().listens = accepted.get("notifications").cloned().unwrap_or_default();
        }
        for ask in self.profile.opening(server.get("capabilities").unwrap_or(&Value::Null)) {
            if ask.probe {
                let answer = lane.request(&ask.method, None, deadline).await;
                let shown =
                    answer.map_or_else(|why| json!({ "unanswered": why.to_string() }), |answer| answer.to_json());
                self.state().probes.insert(ask.method, shown);
            }
        }
        if !self.profile.refreshes {
            let listed = lane.request("tools/list", None, deadline).await;
            let listed = listed.map_err(|why| Fault::Unmet(why.to_string()))?;
            self.state().frozen_tools = listed.result().cloned();
        }
        Ok(())
    }

    /// The step's deadline, but never shorter than a process takes to start.
    fn patient_deadline(&self, cue: &Cue<'_>) -> Instant {
        if cue.action.within.is_some() {
            return cue.deadline;
        }
        cue.deadline.max(Instant::now() + cue.world.stage.pace().scaled(START_MAX.as_secs_f64()))
    }
}

fn exit_members(exit: Exit) -> Map<String, Value> {
    let mut members = Map::new();
    for (name, value) in [("code", exit.code), ("signal", exit.signal)] {
        if let Some(value) = value {
            members.insert(name.into(), value.into());
        }
    }
    members
}

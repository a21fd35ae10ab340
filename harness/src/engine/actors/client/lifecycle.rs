//! Starting a server, shaking hands, and parting.

use super::Client;
use super::lane::Lane;
use super::state::State;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use iolite_mock_client::process::{CommandLine, Exit, Grace, SpawnError};
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
    pub(super) async fn start(&self, step: &StepContext<'_>) -> StepResult {
        let who = self.who(step)?;
        self.spawn_raw(step, self.revision, who).await?;
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn connect(&self, step: &StepContext<'_>) -> StepResult {
        let asked = step.text("revision")?.unwrap_or_else(|| self.revision.name().to_owned());
        let revision = Revision::parse(&asked).unwrap_or(self.revision);
        let who = self.who(step)?;
        let deadline = self.patient_deadline(step);
        if self.profile.lane == Way::Sdk {
            return self.connect_sdk(step, revision, who, deadline).await;
        }
        let started = self.lane_slot().is_some() && self.state().server.is_none();
        if !started {
            self.spawn_raw(step, revision, who.clone()).await?;
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
            Ok(refused) => return Ok(StepOutcome::of(refused.to_json())),
            Err(why) => return Ok(self.unanswered(&why)),
        };
        let introduce = revision.facts().handshake && step.flag("initialized", true)?;
        if introduce && let Err(error) = session.initialized().await {
            return Ok(StepOutcome::violated(error.to_string(), Vec::new()).gone());
        }
        self.met(step, &server, revision, introduce || !revision.facts().handshake);
        if introduce || !revision.facts().handshake {
            self.open_as_profile(step, &lane, revision, &server).await?;
        }
        Ok(StepOutcome::of(server))
    }

    pub(super) async fn initialized(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        if let Err(error) = lane.raw()?.initialized().await {
            return Ok(StepOutcome::violated(error.to_string(), Vec::new()).gone());
        }
        let server = self.state().server.clone().unwrap_or_default();
        self.met(step, &server, self.revision, true);
        Ok(StepOutcome::nothing())
    }

    pub(super) fn close_stdin(&self) -> StepResult {
        self.lane()?.raw()?.lane().close_input();
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn kill(&self) -> StepResult {
        self.lane()?.kill().await;
        self.state().ready = false;
        Ok(StepOutcome::nothing())
    }

    pub(super) async fn stop(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        self.state().ready = false;
        let pause = step.stage.pace().usual();
        let grace = Grace { after_stdin: pause, after_terminate: pause };
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
        let stopped = stopped.map_err(|error| StepError::Unmet(error.to_string()))?;
        Ok(StepOutcome::of(stopped.map_or_else(|| json!({}), |stopped| Value::Object(exit_members(stopped.exit)))))
    }

    pub(super) async fn expect_exit(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let matcher = step.matcher_of(&[("code", "code")])?;
        let Some(process) = lane.process() else {
            return Err(StepError::Unmet("there is no process of its own".into()));
        };
        let Some(exit) = process.wait(step.deadline).await else {
            return Ok(StepOutcome::violated("the server's process did not end", Vec::new()));
        };
        self.state().ready = false;
        process.stderr().finished(step.deadline).await;
        let mut members = exit_members(exit);
        members.insert("stderr".into(), process.stderr().lines().join("\n").into());
        let outcome = Value::Object(members);
        let matched = matcher.check(&outcome);
        let mut result = StepOutcome::of(outcome);
        if !matched.matched {
            result.violated = Some(format!("it ended with {exit}: {}", matched.message()));
        }
        step.bind_all(matched.captures);
        Ok(result)
    }

    async fn connect_sdk(
        &self,
        step: &StepContext<'_>,
        revision: Revision,
        who: Self_,
        deadline: Instant,
    ) -> StepResult {
        let command = self.command(step).await?;
        let witness = self.witness(step);
        let patience = deadline.saturating_duration_since(Instant::now());
        let client = match SdkClient::spawn(&command, revision, who, witness, patience).await {
            Ok(client) => client,
            Err(SdkError::Refused(outcome)) => return Ok(StepOutcome::of(outcome.to_json())),
            Err(SdkError::Spawn(error)) => return Err(not_spawned(&error)),
            Err(error) => return Ok(StepOutcome::violated(error.to_string(), Vec::new()).gone()),
        };
        let server = client.server();
        let lane = Arc::new(Lane::Sdk(Box::new(client), Mutex::default()));
        *self.lane_slot() = Some(Arc::clone(&lane));
        self.met(step, &server, revision, true);
        self.open_as_profile(step, &lane, revision, &server).await?;
        Ok(StepOutcome::of(server))
    }

    async fn spawn_raw(&self, step: &StepContext<'_>, revision: Revision, who: Self_) -> Result<(), StepError> {
        let command = self.command(step).await?;
        let witness = self.witness(step);
        let lane = RawLane::spawn(&command, witness, Limits::default());
        let lane = lane.map_err(|error| not_spawned(&error))?;
        let patience = step.stage.pace().usual();
        let session = Session::new(lane, revision, who, patience, Answering::Plain);
        let before = self.lane_slot().replace(Arc::new(Lane::Raw(Box::new(session))));
        if let Some(before) = before {
            before.kill().await;
        }
        Ok(())
    }

    /// A new connection begins: whatever was known of the one before is forgotten.
    fn witness(&self, step: &StepContext<'_>) -> Witness {
        let connection = step.record.next_connection(&self.name);
        *self.state() = State { connection, ..State::default() };
        step.record.note_client(&self.name, connection, |metadata| metadata.profile.clone_from(&self.profile.name));
        Witness::new(self.tap.clone(), &self.name, connection)
    }

    async fn command(&self, step: &StepContext<'_>) -> Result<CommandLine, StepError> {
        let command = step.stage.mcp_command().await?;
        let env = command.env.iter().map(|(name, value)| (name.clone(), value.clone()));
        let line = CommandLine::new(&command.program).args(command.args.iter()).in_folder(&command.cwd);
        Ok(env.fold(line, |line, (name, value)| line.env(name, value)))
    }

    fn who(&self, step: &StepContext<'_>) -> Result<Self_, StepError> {
        let usual = Self_ { capabilities: self.profile.capabilities.clone(), info: self.profile.client_info() };
        let given = |name: &str| if step.verb() == "connect" { step.value(name) } else { Ok(None) };
        Ok(Self_ {
            capabilities: given("capabilities")?.unwrap_or(usual.capabilities),
            info: given("client_info")?.unwrap_or(usual.info),
        })
    }

    /// Takes note of what the server said about itself.
    fn met(&self, step: &StepContext<'_>, server: &Value, revision: Revision, ready: bool) {
        let negotiated = server.get("protocolVersion").and_then(Value::as_str).unwrap_or(revision.name()).to_owned();
        let mut state = self.state();
        state.server = Some(server.clone());
        state.ready = ready;
        state.listens = Value::Null;
        let connection = state.connection;
        drop(state);
        step.record.note_client(&self.name, connection, |metadata| metadata.revision = Some(negotiated));
    }

    /// What the profile does by itself after the opening: listen where one has to, probe, and list for good.
    async fn open_as_profile(
        &self,
        step: &StepContext<'_>,
        lane: &Lane,
        revision: Revision,
        server: &Value,
    ) -> Result<(), StepError> {
        let deadline = self.patient_deadline(step);
        if let Some(filter) = self.profile.listen_filter(revision.facts()) {
            let listening = self.listen(lane, filter, deadline).await;
            let (_, accepted) = listening.map_err(|why| StepError::Unmet(why.to_string()))?;
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
            let listed = listed.map_err(|why| StepError::Unmet(why.to_string()))?;
            self.state().frozen_tools = listed.result().cloned();
        }
        Ok(())
    }

    /// The step's deadline, but never shorter than a process takes to start.
    fn patient_deadline(&self, step: &StepContext<'_>) -> Instant {
        if step.action.within.is_some() {
            return step.deadline;
        }
        step.deadline.max(Instant::now() + step.stage.pace().scaled(START_MAX.as_secs_f64()))
    }
}

fn not_spawned(error: &SpawnError) -> StepError {
    if error.own { StepError::Broken(error.to_string()) } else { StepError::Unmet(error.to_string()) }
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

//! The daemon of a scenario, and the harness's own connection to it.

mod clearing;
mod own_connection;

use super::control::Control;
use super::control::idle::IdleConnections;
use super::fence_marks::FenceMarks;
use super::pace::Pace;
use super::step_outcome::StepError;
use super::tap_switch::TapSwitch;
use crate::target::{
    ClockError, CommandLine, DeployOptions, Deployment, Exit, Leftover, StartError, StopError, StopMethod, Target,
};
use iolite_protocol::transcript::Tap;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{RwLock, watch};
use tokio::time::Instant;

/// How long a process may take to be seen dead after its connections have ended, before patience.
const END_SEEN: Duration = Duration::from_secs(2);

/// A daemon, perhaps started several times in one folder, with everything the engine itself needs to speak to it.
#[derive(Debug)]
pub(super) struct Stage {
    target: Arc<Target>,
    deployment: RwLock<Deployment>,
    switch: TapSwitch,
    pace: Pace,
    /// The harness's own control connection: fences and links, never the scenario's requests.
    own: tokio::sync::Mutex<Option<Arc<Control>>>,
    own_count: AtomicU32,
    fences: FenceMarks,
    /// Somebody asked for the end of the process that runs now.
    asked: AtomicBool,
    /// Links that were minted here and may still be pending.
    links: Mutex<BTreeSet<String>>,
    /// Copies of what the deployment knows, readable while it is busy.
    process: Mutex<ProcessInfo>,
    /// Real time that was let pass for the scenario, in milliseconds.
    waited_ms: AtomicU64,
    /// Counts beginnings and ends that were asked for.
    life: AtomicU32,
    idle: IdleConnections,
    /// Processes before the one that runs now, not noted in the metadata yet: whether each was asked to end, and died.
    lives: Mutex<Vec<(bool, bool)>>,
}

#[derive(Debug, Default)]
struct ProcessInfo {
    socket: Option<PathBuf>,
    exit: Option<watch::Receiver<Option<Exit>>>,
}

impl Stage {
    /// A fresh folder for a daemon; nothing is started yet.
    pub(super) async fn deploy(
        target: &Arc<Target>,
        config: Value,
        env: Vec<(String, String)>,
        patience: f64,
    ) -> Result<Self, StartError> {
        let switch = TapSwitch::default();
        let options = DeployOptions { config, env, tap: switch.tap(), patience };
        let deployment = target.deploy(options).await?;
        Ok(Self {
            target: Arc::clone(target),
            deployment: RwLock::new(deployment),
            switch,
            pace: Pace::new(patience),
            own: tokio::sync::Mutex::default(),
            own_count: AtomicU32::new(0),
            fences: FenceMarks::default(),
            asked: AtomicBool::new(false),
            links: Mutex::default(),
            process: Mutex::default(),
            waited_ms: AtomicU64::new(0),
            life: AtomicU32::new(0),
            idle: IdleConnections::default(),
            lives: Mutex::default(),
        })
    }

    /// The target.
    pub(super) fn target(&self) -> &Arc<Target> {
        &self.target
    }

    /// The daemon's pace.
    pub(super) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// From now on everything is recorded there.
    pub(super) fn record_to(&self, tap: Tap) {
        self.switch.point_at(tap);
    }

    /// A tap for actors: it follows the scenario like everything else here.
    pub(super) fn tap(&self) -> Tap {
        self.switch.tap()
    }

    /// Starts the daemon and measures its round trip.
    pub(super) async fn start(&self) -> Result<(), StartError> {
        self.record_exit();
        self.begin_life();
        {
            let mut deployment = self.deployment.write().await;
            let mut started = deployment.start().await;
            if matches!(started, Err(StartError::NotReady { .. })) {
                // One late start says more about a busy machine than about the daemon.
                started = deployment.start().await;
            }
            match &started {
                Ok(()) => self.asked.store(false, Ordering::SeqCst),
                // One that was given up was killed by us; it did not die.
                Err(StartError::NotReady { .. }) => self.asked.store(true, Ordering::SeqCst),
                Err(_) => {}
            }
            let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
            process.exit = deployment.exit_watch();
            process.socket = deployment.socket_path().map(PathBuf::from);
            started?;
        }
        // A daemon that answers nothing is the scenario's business; here only the time matters.
        let _ = self.rpc("daemon.status", Some(json!({}))).await;
        Ok(())
    }

    /// Merges members over the configuration of the next start.
    pub(super) async fn reconfigure(&self, over: &Value) {
        self.deployment.write().await.reconfigure(over);
    }

    /// Ends the daemon in the given way and waits until it is gone.
    pub(super) async fn stop(&self, how: StopMethod) -> Result<Exit, StopError> {
        self.expect_end();
        let exit = self.deployment.write().await.stop(how).await;
        let own = self.own.lock().await.take();
        if let Some(own) = own.filter(|_| exit.is_ok()) {
            // What the daemon said before it ended is read to its end, or the transcript would depend on who was quicker.
            let deadline = Instant::now() + self.pace.scaled(END_SEEN.as_secs_f64());
            let _ended = own.log().wait(own.log().position(), deadline, |_| None::<()>).await;
        }
        exit
    }

    /// Lets time pass at the daemon.
    pub(super) async fn pass(&self, time: Duration) -> Result<(), ClockError> {
        let mut deployment = self.deployment.write().await;
        if !deployment.has_clock() {
            self.waited_ms.fetch_add(u64::try_from(time.as_millis()).unwrap_or(0), Ordering::SeqCst);
        }
        deployment.pass(time).await
    }

    /// Real time that was let pass for scenarios on this daemon.
    pub(super) fn waited(&self) -> Duration {
        Duration::from_millis(self.waited_ms.load(Ordering::SeqCst))
    }

    /// How each process that has ended did so: whether that was asked for, and whether it died unasked.
    pub(super) fn take_lives(&self) -> Vec<(bool, bool)> {
        let mut lives = std::mem::take(&mut *self.lives.lock().unwrap_or_else(PoisonError::into_inner));
        if self.exit().is_some() {
            lives.push((self.asked.load(Ordering::SeqCst), self.died()));
        }
        lives
    }

    /// Notes how the process before the next one ended.
    fn record_exit(&self) {
        if self.exit().is_some() {
            let life = (self.asked.load(Ordering::SeqCst), self.died());
            self.lives.lock().unwrap_or_else(PoisonError::into_inner).push(life);
        }
    }

    /// Kills the daemon, whatever it is doing, and everything it has left behind; gives the latter.
    pub(super) async fn kill(&self) -> Vec<Leftover> {
        self.expect_end();
        self.deployment.read().await.end_leftovers().await
    }

    /// How the newest process ended, if it has.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.process().exit.as_ref().and_then(|exit| *exit.borrow())
    }

    /// Whether a process was started and has not ended.
    pub(super) fn is_running(&self) -> bool {
        self.process().exit.as_ref().is_some_and(|exit| exit.borrow().is_none())
    }

    /// Whether it ended without having been asked to.
    pub(super) fn died(&self) -> bool {
        self.exit().is_some() && !self.asked.load(Ordering::SeqCst)
    }

    /// Waits for the process's end when the daemon has closed its connections: the end of a connection is seen before the
    /// end of a process.
    pub(super) async fn notice_end(&self) {
        let let_go = self.own.lock().await.as_ref().is_none_or(|own| own.ended().is_some());
        if let_go && self.is_running() {
            self.wait_exit(Instant::now() + self.pace.scaled(END_SEEN.as_secs_f64())).await;
        }
    }

    /// Asks the daemon for its status, so that its death is noticed even when no step would notice it.
    pub(super) async fn check_life(&self) {
        if self.is_running() && self.rpc("daemon.status", Some(json!({}))).await.is_err() {
            // Which of its ends is seen first, a refused write or the end of a read, is a race; the process's own decides.
            self.wait_exit(Instant::now() + self.pace.scaled(END_SEEN.as_secs_f64())).await;
        }
    }

    /// Notes that the process has been asked to end by something the stage does not see: a signal, a request.
    pub(super) fn expect_end(&self) {
        self.asked.store(true, Ordering::SeqCst);
        self.begin_life();
    }

    /// Waits for the end of the newest process.
    pub(super) async fn wait_exit(&self, deadline: Instant) -> Option<Exit> {
        let mut exit = self.process().exit.clone()?;
        let ended = tokio::time::timeout_at(deadline, exit.wait_for(Option::is_some)).await;
        ended.ok()?.ok().and_then(|exit| *exit)
    }

    /// The daemon's standard error, newest lines.
    pub(super) async fn stderr(&self) -> Vec<String> {
        self.deployment.read().await.stderr()
    }

    /// Path of the control socket.
    pub(super) fn socket(&self) -> Result<PathBuf, StepError> {
        let missing = || StepError::Unmet("the daemon has not been started, so there is no control socket".into());
        self.process().socket.clone().ok_or_else(missing)
    }

    /// The daemon's state folder.
    pub(super) async fn state_dir(&self) -> PathBuf {
        self.deployment.read().await.state_dir()
    }

    /// The command that starts an MCP server.
    pub(super) async fn mcp_command(&self) -> Result<CommandLine, StepError> {
        let command = self.deployment.read().await.mcp_command();
        command.ok_or_else(|| StepError::NotApplicable("the target has no MCP server".into()))
    }

    /// The daemon's command line with these arguments.
    pub(super) async fn cli_command(&self, args: &[String]) -> Result<CommandLine, StepError> {
        let command = self.deployment.read().await.cli_command(args);
        command.ok_or_else(|| StepError::NotApplicable("the target has no command line".into()))
    }

    /// The same, told its state folder by the environment.
    pub(super) async fn cli_command_by_environment(&self, args: &[String]) -> Result<CommandLine, StepError> {
        let command = self.deployment.read().await.cli_command_by_environment(args);
        command.ok_or_else(|| StepError::NotApplicable("the target file has no [cli.by_environment]".into()))
    }

    /// The daemon's configuration file, when it has one.
    pub(super) async fn config_path(&self) -> Option<PathBuf> {
        self.deployment.read().await.config_path()
    }

    /// The command that mints links, when the target mints them that way.
    pub(super) async fn link_command(&self) -> Option<CommandLine> {
        self.deployment.read().await.link_command()
    }

    /// What fences have made on this daemon.
    pub(super) fn fences(&self) -> &FenceMarks {
        &self.fences
    }

    /// Control connections that cases have left idle.
    pub(super) fn idle(&self) -> &IdleConnections {
        &self.idle
    }

    /// Changes whenever a process begins or is asked to end. No connection of an earlier process is handed on to the next case:
    /// its end may be read later than it came.
    pub(super) fn life(&self) -> u32 {
        self.life.load(Ordering::SeqCst)
    }

    fn begin_life(&self) {
        self.life.fetch_add(1, Ordering::SeqCst);
        self.idle.clear();
    }

    /// Remembers that the link with this session id may be pending.
    pub(super) fn note_link(&self, session_id: &str) {
        self.links.lock().unwrap_or_else(PoisonError::into_inner).insert(session_id.to_owned());
    }

    fn process(&self) -> MutexGuard<'_, ProcessInfo> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

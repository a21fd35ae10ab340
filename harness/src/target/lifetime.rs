//! The life of a deployed daemon: how it starts, ends, and lets time pass.

use super::deploy::{Deployment, record};
use super::description::{ClockKind, Ready};
use super::errors::{ClockError, StartError};
use super::leftovers::{Leftover, end_all};
use super::process::{Exit, Output, Process, StopError};
use super::ready::{answering, json_member, line_with};
use super::rpc_request::ask;
use super::stop_method::StopMethod;
use iolite_protocol::transcript::{Direction, Payload, Record, Wire};
use rustix::process::Signal;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long the end of a process may take to be seen once its output has ended or it was killed, before patience.
const END_SEEN_MAX: Duration = Duration::from_secs(2);

impl Deployment {
    /// Writes the configuration, starts the daemon and waits for the proof that it is ready.
    pub async fn start(&mut self) -> Result<(), StartError> {
        if self.is_running() {
            return Err(StartError::Running);
        }
        self.write_config().map_err(StartError::Config)?;
        let command = self.command(&self.target.daemon.command);
        let process = Process::start(&command, &self.options.tap)
            .map_err(|error| StartError::Spawn { command: command.shown(), error })?;
        self.stdout_seen = 0;
        self.socket = self.target.daemon.socket.as_ref().map(|path| PathBuf::from(self.placeholders.fill(path)));
        let outcome = self.wait_ready(&process).await;
        self.process = Some(process);
        if outcome.is_err()
            && let Some(process) = &self.process
        {
            process.kill();
            process.wait(Instant::now() + END_SEEN_MAX.mul_f64(self.options.patience)).await;
        }
        outcome
    }

    /// Ends the daemon and waits until it is gone. One that is too slow is killed.
    pub async fn stop(&mut self, how: StopMethod) -> Result<Exit, StopError> {
        let within = self.target.daemon.stop_within.mul_f64(self.options.patience);
        self.ask_to_stop(how).await?;
        let process = self.process.as_ref().ok_or(StopError::NotRunning)?;
        match process.wait(Instant::now() + within).await {
            Some(exit) => Ok(exit),
            None => {
                process.kill();
                process.wait(Instant::now() + within).await;
                Err(StopError::TooSlow { asked: how.shown().into(), within })
            }
        }
    }

    /// Asks the daemon to end, without waiting for it.
    pub async fn ask_to_stop(&mut self, how: StopMethod) -> Result<(), StopError> {
        let process = self.process.as_ref().ok_or(StopError::NotRunning)?;
        if process.exit().is_some() {
            return Err(StopError::NotRunning);
        }
        self.options.tap.record(process_note(format!("asked to end by {}", how.shown())));
        match how {
            StopMethod::Sigterm => process.signal(Signal::TERM),
            StopMethod::Sigint => process.signal(Signal::INT),
            StopMethod::Kill => process.signal(Signal::KILL),
            StopMethod::Rpc => {
                let within = self.target.daemon.stop_within.mul_f64(self.options.patience);
                let socket = self.socket.clone().ok_or(StopError::NotRunning)?;
                timeout_at(Instant::now() + within, ask(&socket, "daemon.shutdown"))
                    .await
                    .map_err(|_| StopError::NotAsked("daemon.shutdown was not answered".into()))?
                    .map(drop)
                    .map_err(|error| StopError::NotAsked(error.to_string()))
            }
        }
    }

    /// Waits until the daemon has ended by itself.
    pub async fn wait_exit(&self, until: Instant) -> Option<Exit> {
        match &self.process {
            Some(process) => process.wait(until).await,
            None => None,
        }
    }

    /// Kills the daemon's whole process group at once.
    pub fn kill(&self) {
        if let Some(process) = &self.process {
            process.kill();
        }
    }

    /// Kills the daemon and everything else that was started for this deployment and does not end by itself: what had
    /// detached itself is told.
    pub async fn end_leftovers(&self) -> Vec<Leftover> {
        self.kill();
        end_all(self.scratch.path(), Instant::now() + END_SEEN_MAX.mul_f64(self.options.patience)).await
    }

    /// Lets time pass at the daemon. With a clock that can be moved this takes no time; with a real one it waits until
    /// that instant has come, and refuses waits longer than the target allows.
    pub async fn pass(&mut self, time: Duration) -> Result<(), ClockError> {
        self.options.tap.record(process_note(format!("{} ms pass", time.as_millis())));
        match self.target.timing.clock {
            ClockKind::Real if time > self.target.timing.wait_max => {
                Err(ClockError::TooLong { wanted: time, limit: self.target.timing.wait_max })
            }
            ClockKind::Real => {
                // The daemon's own clock is what is under test here, and the world's cannot be moved.
                tokio::time::sleep_until(Instant::now() + time).await;
                Ok(())
            }
            ClockKind::Stdin => self.advance(time).await,
        }
    }

    async fn wait_ready(&mut self, process: &Process) -> Result<(), StartError> {
        let within = self.target.daemon.ready_within.mul_f64(self.options.patience);
        let until = Instant::now() + within;
        let ready = self.target.daemon.ready.clone();
        let proof = match &ready {
            Ready::StdoutJson { member } => format!("a JSON document with `{member}` on its standard output"),
            Ready::StdoutLine { contains } => format!("a line with `{contains}` on its standard output"),
            Ready::Socket => "an answer on its control socket".to_string(),
        };
        let stdout = process.stdout();
        let socket = self.socket.clone();
        let waiting = async {
            match &ready {
                Ready::StdoutJson { member } => json_member(stdout, member).await.map(Some),
                Ready::StdoutLine { contains } => {
                    line_with(stdout, contains).await.map(|seen| Some((seen, String::new())))
                }
                Ready::Socket => answering(socket).await.map(|()| None),
            }
        };
        let mut exit = process.exit_watch();
        let outcome = tokio::select! {
            biased;
            seen = timeout_at(until, waiting) => seen,
            ended = async { exit.wait_for(Option::is_some).await.ok().and_then(|exit| *exit) } => {
                let exit = ended.unwrap_or(Exit { code: None, signal: None });
                return Err(StartError::Ended { exit, stderr: process.final_stderr().await });
            }
        };
        match outcome {
            Ok(Some(Some((seen, value)))) => {
                self.stdout_seen = seen;
                if self.socket.is_none() && !value.is_empty() {
                    self.socket = Some(PathBuf::from(value));
                }
                Ok(())
            }
            Ok(Some(None)) => Ok(()),
            // Its output has ended, or its time: the end of the process itself may be seen a little later.
            Ok(None) | Err(_) => match process.wait(until.min(Instant::now() + END_SEEN_MAX)).await {
                Some(exit) => Err(StartError::Ended { exit, stderr: process.final_stderr().await }),
                None => {
                    process.kill();
                    Err(StartError::NotReady { within, proof, stderr: process.final_stderr().await })
                }
            },
        }
    }

    async fn advance(&mut self, time: Duration) -> Result<(), ClockError> {
        let until = Instant::now() + Duration::from_secs(20).mul_f64(self.options.patience);
        let after = self.stdout_seen;
        let process = self.process.as_mut().ok_or_else(|| ClockError::NoAnswer("it is not running".into()))?;
        process
            .write_line(&format!("advance {}", time.as_millis()))
            .await
            .map_err(|error| ClockError::NoAnswer(error.to_string()))?;
        let mut stdout = process.stdout();
        let answered = |output: &Output| {
            output.since(after).iter().find(|(_, line)| line.contains("\"advanced\"")).map(|(number, _)| *number)
        };
        let waiting = async {
            loop {
                if let Some(number) = answered(&stdout.borrow_and_update()) {
                    return Ok(number);
                }
                if stdout.borrow().ended || stdout.changed().await.is_err() {
                    return Err(ClockError::NoAnswer("its standard output ended".into()));
                }
            }
        };
        let number = timeout_at(until, waiting)
            .await
            .map_err(|_| ClockError::NoAnswer("nothing came on its standard output".into()))??;
        self.stdout_seen = number;
        Ok(())
    }
}

fn process_note(text: String) -> Record {
    record(Wire::Process, Direction::Local, Payload::Note { text })
}

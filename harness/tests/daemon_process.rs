//! `iolite daemon run` as a process of its own, and real signals (BRG-CON-14).

#![expect(clippy::unwrap_used, reason = "what fails in a test should end it, there and then")]

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use tempfile::TempDir;

#[test]
fn signals_end_it_in_good_order() {
    for signal in [Signal::TERM, Signal::INT] {
        let ended = Ended::by(signal, "");
        assert_eq!(ended.status.code(), Some(0), "{signal:?}");
        assert!(!ended.socket.exists() && !ended.pid_file.exists());
    }
}

#[test]
fn bent_daemons_die_of_signals() {
    for (signal, fault) in [(Signal::TERM, "con-sigterm-kills"), (Signal::INT, "con-sigint-kills")] {
        let ended = Ended::by(signal, fault);
        assert_eq!(ended.status.signal(), Some(signal.as_raw()), "{fault}");
        assert!(ended.socket.exists() && ended.pid_file.exists());
    }
}

/// A daemon process that has ended, and what it may have left behind.
struct Ended {
    status: ExitStatus,
    socket: PathBuf,
    pid_file: PathBuf,
    _folder: TempDir,
}

impl Ended {
    /// Starts a daemon process, waits until it is ready, sends the signal, waits for its end.
    fn by(signal: Signal, fault: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let mut process = Command::new(env!("CARGO_BIN_EXE_iolite"))
            .args(["daemon", "run", "--state-dir"])
            .arg(&state)
            .env("IOLITE_FAULT", fault)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let ready = lines.map(Result::unwrap).find(|line| line.starts_with('{')).expect("a ready line");
        let ready: Value = serde_json::from_str(&ready).unwrap();
        assert_eq!(ready["pid"], process.id());
        let (socket, pid_file) = (PathBuf::from(ready["socket_path"].as_str().unwrap()), state.join("daemon.pid"));
        assert!(socket.exists() && pid_file.exists());
        kill_process(Pid::from_child(&process), signal).unwrap();
        Self { status: process.wait().unwrap(), socket, pid_file, _folder: folder }
    }
}

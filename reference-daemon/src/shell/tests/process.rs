//! BRG-CON-14 with real signals: the daemon in a process of its own, which is this test binary once more.

use crate::shell::fault::FAULT_VARIABLE;
use crate::shell::{Options, StateDir, rules_from_env, run};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use tempfile::TempDir;

const STATE_DIR: &str = "IOLITE_TEST_STATE_DIR";

/// Not a test of its own: what the child process runs.
#[test]
#[ignore = "the daemon process of the tests below"]
fn child() {
    let Some(root) = std::env::var_os(STATE_DIR) else {
        return;
    };
    let mut options = Options::new(StateDir::at(root));
    options.rules = rules_from_env().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let code = runtime.block_on(run(options)).unwrap();
    std::process::exit(code.into());
}

#[test]
fn signals_end_it_in_good_order() {
    for signal in [Signal::TERM, Signal::INT] {
        let (status, dir, _root) = ended_by(signal, "");
        assert_eq!(status.code(), Some(0), "{signal:?}");
        assert!(!dir.control_socket().exists() && !dir.pid_file().exists());
    }
}

#[test]
fn bent_daemons_die_of_signals() {
    for (signal, fault) in [(Signal::TERM, "con-sigterm-kills"), (Signal::INT, "con-sigint-kills")] {
        let (status, dir, _root) = ended_by(signal, fault);
        assert_eq!(status.signal(), Some(signal.as_raw()), "{fault}");
        assert!(dir.control_socket().exists() && dir.pid_file().exists());
    }
}

/// Starts a daemon process, waits until it is ready, sends the signal, waits for its end.
fn ended_by(signal: Signal, fault: &str) -> (ExitStatus, StateDir, TempDir) {
    let root = tempfile::tempdir().unwrap();
    let dir = StateDir::at(root.path().join("state"));
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "shell::tests::process::child", "--ignored", "--nocapture", "--quiet"])
        .env(STATE_DIR, dir.path())
        .env(FAULT_VARIABLE, fault)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let ready = lines.map(Result::unwrap).find(|line| line.starts_with('{')).expect("a ready line");
    let ready: Value = serde_json::from_str(&ready).unwrap();
    assert_eq!(ready["pid"], process.id());
    assert!(dir.control_socket().exists());
    kill_process(Pid::from_child(&process), signal).unwrap();
    (process.wait().unwrap(), dir, root)
}

//! Limits of this side are told as our own fault, once, and never as a verdict on the daemon.

#![expect(clippy::unwrap_used, reason = "what fails in a test should end it, there and then")]

use serde_json::Value;
use std::process::{Command, Output};

/// Runs the suite's command line behind a line of shell.
fn run(before: &str, folder: &str, patterns: &str) -> (Option<i32>, Value) {
    let script = format!("{before}\nexec \"$0\" run {patterns} --format json --out \"$1/out\"");
    let Output { status, stdout, stderr } =
        Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_iolite"), folder]).output().unwrap();
    let report = serde_json::from_slice(&stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&stderr)));
    (status.code(), report)
}

#[test]
fn a_missing_or_too_long_temporary_folder_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let long = format!("{path}/{}", "l".repeat(100));
    for before in [format!("export TMPDIR={path}/missing"), format!("mkdir -p {long}\nexport TMPDIR={long}")] {
        let (code, report) = run(&before, path, "BRG-RPC-01");
        assert_eq!((code, &report["tally"]["fail"]), (Some(0), &Value::from(0)), "{before}: {}", report["tally"]);
    }
}

#[test]
fn too_few_files_are_our_own_fault() {
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = run("ulimit -n 24", folder.path().to_str().unwrap(), "con --jobs 8");
    let tally = &report["tally"];
    assert_eq!(code, Some(4), "{tally}");
    assert_eq!(tally["fail"], 0, "{tally}");
}

use super::*;
use crate::scenario::node::Source;
use iolite_protocol::transcript::Tap;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

fn mistakes(text: &str) -> String {
    let source = Source::new("daemon.toml", text);
    load::decode(&source, Path::new("/nowhere"), Path::new("/bin/iolite")).unwrap_err().to_string()
}

fn target(daemon: &str) -> Arc<Target> {
    let text = format!("version = 1\nname = \"t\"\n{daemon}");
    let source = Source::new("daemon.toml", text);
    let target = load::decode(&source, Path::new("/"), Path::new("/bin/iolite"));
    Arc::new(target.unwrap_or_else(|mistakes| panic!("{mistakes}")))
}

fn options() -> DeployOptions {
    DeployOptions { config: Value::Null, env: Vec::new(), tap: Tap::none(), patience: 1.0 }
}

#[test]
fn the_shipped_target_files_are_understood() {
    let reference = Target::reference(Path::new("/bin/iolite"));
    assert!(reference.claims("resources"));
    assert_eq!(reference.timing.clock, ClockKind::Stdin);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/targets/cordierite.toml");
    let cordierite = Target::load(&folder, Path::new("/bin/iolite")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(!cordierite.claims("resources"));
    assert_eq!(cordierite.timing.wait_max, Duration::from_secs(12));
}

#[test]
fn every_mistake_is_named_with_its_place_and_the_nearest_spelling() {
    insta::assert_snapshot!(mistakes(
        "version = 2\nname = 7\nfeatures = [\"resorces\", \"mcp\"]\nisolaton = \"run\"\n\n[daemon]\ncommand = [\"x\", \"${sate_dir}\"]\nstop = \"sigtrem\"\n\n[timing]\nclock = \"real\"\nwait_max_seconds = -1\n"
    ));
    insta::assert_snapshot!(mistakes("version = 1\nname = \"x\"\n"));
    insta::assert_snapshot!(mistakes("version = \nname"));
}

#[tokio::test]
async fn a_daemon_that_dies_early_shows_its_last_words() {
    let target = target(
        "[daemon]\ncommand = [\"sh\", \"-c\", \"echo no port left >&2; exit 9\"]\nsocket = \"${state_dir}/s\"\nready = { stdout_line = \"ready\" }\n",
    );
    let mut deployment = target.deploy(options()).await.unwrap();
    let error = deployment.start().await.unwrap_err();
    assert!(matches!(&error, StartError::Ended { exit: Exit { code: Some(9), .. }, .. }), "{error}");
    assert!(error.to_string().contains("no port left"), "{error}");
}

#[tokio::test]
async fn a_daemon_that_is_never_ready_is_killed() {
    let target = target(
        "[daemon]\ncommand = [\"sh\", \"-c\", \"echo hello; cat\"]\nsocket = \"${state_dir}/s\"\nready_within_seconds = 0.2\nready = { stdout_line = \"ready\" }\n",
    );
    let mut deployment = target.deploy(options()).await.unwrap();
    let error = deployment.start().await.unwrap_err();
    assert!(matches!(error, StartError::NotReady { .. }), "{error}");
    let exit = deployment.wait_exit(Instant::now() + Duration::from_secs(20)).await;
    assert_eq!(exit.and_then(|exit| exit.signal), Some(9));
}

#[tokio::test]
async fn a_daemon_that_ignores_sigterm_is_killed_and_its_folder_goes() {
    let target = target(
        "[daemon]\ncommand = [\"sh\", \"-c\", \"trap '' TERM; echo ready; while :; do read x || :; done\"]\nsocket = \"${state_dir}/s\"\nstop_within_seconds = 0.2\nready = { stdout_line = \"ready\" }\n",
    );
    let mut deployment = target.deploy(options()).await.unwrap();
    deployment.start().await.unwrap();
    let folder = deployment.state_dir();
    assert!(folder.exists());
    let error = deployment.stop(StopMethod::Sigterm).await.unwrap_err();
    assert!(matches!(error, StopError::TooSlow { .. }), "{error}");
    assert!(!deployment.is_running());
    drop(deployment);
    assert!(!folder.exists());
}

#[tokio::test]
async fn a_flood_on_both_outputs_does_not_hide_readiness() {
    let target = target(
        "[daemon]\ncommand = [\"sh\", \"-c\", \"yes noise | head -c 20000004; yes noise | head -c 2000004 >&2; printf '{\\n\\\"data\\\": {\\\"socket_path\\\": \\\"/x/y\\\"}\\n}\\n'; cat\"]\nready = { stdout_json = \"socket_path\" }\n",
    );
    let mut deployment = target.deploy(options()).await.unwrap();
    deployment.start().await.unwrap();
    assert_eq!(deployment.socket_path(), Some(Path::new("/x/y")));
    assert!(deployment.stderr().len() <= 400);
    assert_eq!(deployment.stop(StopMethod::Kill).await.unwrap().signal, Some(9));
}

#[tokio::test]
async fn configuration_is_merged_and_a_clock_on_stdin_moves() {
    let target = target(
        "[config]\nfile = \"${state_dir}/c.json\"\nvalues = { port = \"${port}\", policy = { default = \"allow\", tools = {} } }\n[daemon]\ncommand = [\"sh\", \"-c\", \"echo ready; while read verb ms; do echo '{\\\"event\\\":\\\"advanced\\\",\\\"ms\\\":'$ms'}'; done\"]\nsocket = \"${state_dir}/s\"\nready = { stdout_line = \"ready\" }\n[timing]\nclock = \"stdin\"\n[cli]\ncommand = [\"sh\", \"-c\", \"cat; echo $0 $1 >&2; exit 3\"]\n",
    );
    let mut options = options();
    options.config = serde_json::json!({"policy": {"default": "deny"}});
    let mut deployment = target.deploy(options).await.unwrap();
    deployment.start().await.unwrap();
    let written = std::fs::read(deployment.state_dir().join("c.json")).unwrap();
    let written: Value = serde_json::from_slice(&written).unwrap();
    assert!(written["port"].is_u64());
    assert_eq!(written["policy"], serde_json::json!({"default": "deny", "tools": {}}));
    deployment.pass(Duration::from_secs(600)).await.unwrap();
    deployment.pass(Duration::from_millis(1)).await.unwrap();
    let output = deployment.cli(&["ls".into(), "--json".into()], b"in").await.unwrap();
    assert_eq!((output.exit.code, output.stdout.as_slice()), (Some(3), b"in".as_slice()));
    assert_eq!(output.stderr, b"ls --json\n");
}

//! What keeps a daemon from starting, and what does not.

use super::daemon::Daemon;
use crate::shell::state_dir::set_mode;
use crate::shell::{ConfigError, Options, ShellError, StateDir};
use std::os::unix::net::UnixListener;
use tempfile::TempDir;

fn folder() -> (TempDir, StateDir) {
    let root = tempfile::tempdir().unwrap();
    let dir = StateDir::at(root.path().join("state"));
    std::fs::create_dir(dir.path()).unwrap();
    (root, dir)
}

async fn error(root: TempDir, edit: impl FnOnce(&mut Options)) -> ShellError {
    match Daemon::try_start(root, edit).await {
        Ok(_) => panic!("it started"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn what_a_dead_daemon_left_is_taken_over() {
    let (root, dir) = folder();
    drop(UnixListener::bind(dir.control_socket()).unwrap());
    std::fs::write(dir.pid_file(), "999999\n").unwrap();
    let daemon = Daemon::try_start(root, |_| {}).await.unwrap();
    assert!(daemon.operator().await.states().await.is_empty());
    assert_eq!(daemon.stop().await, 0);
}

#[tokio::test]
async fn a_second_daemon_is_refused_and_the_first_lives() {
    let first = Daemon::start().await;
    let error = error(tempfile::tempdir().unwrap(), |options| options.state_dir = first.dir.clone()).await;
    let ShellError::AlreadyRunning { pid, .. } = error else { panic!("{error}") };
    assert_eq!(pid, Some(std::process::id()));
    assert!(first.operator().await.states().await.is_empty());
    assert!(first.dir.pid_file().exists());
}

#[tokio::test]
async fn somebody_else_on_the_control_socket_is_left_alone() {
    let (root, dir) = folder();
    let _theirs = UnixListener::bind(dir.control_socket()).unwrap();
    assert!(matches!(error(root, |_| {}).await, ShellError::AlreadyRunning { .. }));

    let (root, dir) = folder();
    std::fs::write(dir.control_socket(), "precious").unwrap();
    let kept = root.path().to_owned();
    let root = {
        let other = tempfile::tempdir().unwrap();
        let error = error(other, |options| options.state_dir = dir.clone()).await;
        assert!(matches!(error, ShellError::InTheWay { .. }), "{error}");
        root
    };
    assert_eq!(std::fs::read_to_string(dir.control_socket()).unwrap(), "precious");
    assert!(!dir.pid_file().exists());
    assert_eq!(root.path(), kept);
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let theirs = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = theirs.local_addr().unwrap().port();
    let error = error(tempfile::tempdir().unwrap(), |options| options.wss_port = Some(port)).await;
    assert!(matches!(error, ShellError::PortInUse { .. }), "{error}");
    assert!(error.to_string().contains(&port.to_string()));
    assert_ne!(error.exit_code(), 0);
}

#[tokio::test]
async fn a_wrong_configuration_is_exit_65() {
    let (root, dir) = folder();
    std::fs::write(dir.config(), r#"{"graceSecond":1}"#).unwrap();
    let error = error(root, |_| {}).await;
    assert!(matches!(error, ShellError::Config(ConfigError::UnknownKey { .. })), "{error}");
    assert_eq!(error.exit_code(), 65);
}

#[tokio::test]
async fn the_configuration_is_obeyed_and_made_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let (root, dir) = folder();
    std::fs::write(dir.config(), r#"{"graceSeconds":7,"keepaliveIntervalSeconds":9}"#).unwrap();
    set_mode(&dir.config(), 0o644).unwrap();
    set_mode(dir.path(), 0o755).unwrap();
    let daemon = Daemon::try_start(root, |_| {}).await.unwrap();
    let (_, claim) = daemon.operator().await.claim().await;
    let mut app = daemon.app().await;
    app.send_text(&claim).await;
    let ack = app.json().await;
    assert_eq!((&ack["grace_s"], &ack["keepalive_interval_s"]), (&7.into(), &9.into()));
    assert_eq!(dir.config().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(dir.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn a_key_that_others_may_read_is_refused() {
    let (root, dir) = folder();
    std::fs::write(dir.key(), "whatever").unwrap();
    set_mode(&dir.key(), 0o644).unwrap();
    let error = error(root, |_| {}).await;
    assert!(matches!(error, ShellError::LooseKey { mode: 0o644, .. }), "{error}");
}

#[tokio::test]
async fn a_path_too_long_for_a_socket_is_named() {
    let root = tempfile::tempdir().unwrap();
    let long = StateDir::at(root.path().join("x".repeat(120)));
    let error = error(root, |options| options.state_dir = long).await;
    assert!(matches!(error, ShellError::SocketPathTooLong { .. }), "{error}");
}

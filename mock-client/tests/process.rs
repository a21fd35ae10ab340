//! Stories of processes: none is left behind, whatever happens to its owner.

mod support;

use futures_util::FutureExt as _;
use iolite_mock_client::process::{CommandLine, Exit, Grace, Process, Signal, Stopped, StoppedBy};
use iolite_mock_client::raw::{End, Limits, RawLane};
use iolite_mock_client::{Witness, within};
use iolite_protocol::transcript::Payload;
use std::time::Duration;
use support::{Memory, fake, lane, soon};

const KILLED: Option<i32> = Some(9);

/// Patience for a step that is known to fail.
const HURRY: Grace = Grace { after_stdin: Duration::from_millis(50), after_terminate: Duration::from_millis(50) };

fn signal_of(exit: Option<Exit>) -> Option<i32> {
    exit.expect("it has ended").signal
}

#[tokio::test]
async fn a_server_that_behaves_ends_with_its_input() {
    let lane = lane("normal");
    let Stopped { exit, by } = lane.stop(Grace::default()).await.unwrap().unwrap();
    assert_eq!((exit.code, by), (Some(0), StoppedBy::ClosedInput));
    assert!(exit.success() && !exit.left_behind);
    assert_eq!(lane.ended(), Some(End::Eof));
    let again = lane.stop(Grace::default()).await.unwrap().unwrap();
    assert_eq!(again.by, StoppedBy::Itself);
}

#[tokio::test]
async fn a_server_that_ignores_the_end_of_input_is_terminated() {
    let lane = lane("polite");
    let grace = Grace { after_stdin: Duration::from_millis(50), ..Grace::default() };
    let stopped = lane.stop(grace).await.unwrap().unwrap();
    assert_eq!((stopped.exit.signal, stopped.by), (Some(15), StoppedBy::Terminate));
}

#[tokio::test]
async fn a_server_that_ignores_sigterm_is_killed() {
    let lane = lane("stubborn");
    let ready = |method: &str, _: Option<&_>| method == "notifications/ready";
    lane.notification(Default::default(), soon(), "ready", ready).await.unwrap();
    let stopped = lane.stop(HURRY).await.unwrap().unwrap();
    assert_eq!((stopped.exit.signal, stopped.by), (KILLED, StoppedBy::Kill));
}

#[tokio::test]
async fn dropping_the_owner_kills_the_child() {
    let lane = lane("stubborn");
    let gone = lane.process().unwrap().exit_watch();
    drop(lane);
    assert_eq!(signal_of(gone.wait(soon()).await), KILLED);
}

#[tokio::test]
async fn dropping_a_future_kills_the_child_it_owns() {
    let lane = lane("mute");
    let gone = lane.process().unwrap().exit_watch();
    let mut story = Box::pin(async move {
        let pending = lane.request("ping", None).await.unwrap();
        lane.response(&pending, soon()).await
    });
    assert!((&mut story).now_or_never().is_none());
    drop(story);
    assert_eq!(signal_of(gone.wait(soon()).await), KILLED);
}

#[tokio::test]
async fn dropping_the_owner_kills_the_whole_group() {
    let (process, pipes) = Process::spawn(&fake("parent"), Witness::none()).unwrap();
    let gone = process.exit_watch();
    // The child of the child holds the same pipe: its end proves that both are gone.
    let reading = RawLane::over_streams(pipes.stdout, pipes.stdin, Witness::none(), Limits::default());
    reading.request("ping", None).await.unwrap();
    let any = reading.wait(Default::default(), soon(), "answer", |_| true).await;
    any.unwrap();
    drop(process);
    assert_eq!(signal_of(gone.wait(soon()).await), KILLED);
    assert_eq!(reading.end(soon()).await, Some(End::Eof));
}

#[tokio::test]
async fn what_a_server_leaves_in_its_group_is_killed_and_reported() {
    let lane = lane("parent");
    let stopped = lane.stop(Grace::default()).await.unwrap().unwrap();
    assert_eq!(stopped.by, StoppedBy::ClosedInput);
    assert!(stopped.exit.left_behind);
    assert_eq!(lane.ended(), Some(End::Eof));
}

#[tokio::test]
async fn a_stopped_child_can_still_be_killed() {
    let lane = lane("normal");
    let process = lane.process().unwrap();
    assert!(process.signal(Signal::Stop));
    let stopped = process.kill().await.unwrap();
    assert_eq!(stopped.exit.signal, KILLED);
    assert!(!process.signal(Signal::Continue));
}

#[test]
fn an_owner_that_outlives_its_runtime_still_kills_the_child() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (output, process) = runtime.block_on(async {
        let (process, pipes) = Process::spawn(&fake("stubborn"), Witness::none()).unwrap();
        (pipes.stdout.into_owned_fd().unwrap(), process)
    });
    drop(runtime);
    drop(process);
    // Reading to the end returns when nobody holds the pipe any more.
    let mut output = std::fs::File::from(output);
    std::io::Read::read_to_end(&mut output, &mut Vec::new()).unwrap();
}

#[tokio::test]
async fn standard_error_is_drained_bounded_and_kept() {
    let memory = Memory::default();
    let lane = RawLane::spawn(&fake("noisy"), memory.witness(), Limits::default()).unwrap();
    let pending = lane.request("ping", None).await.unwrap();
    lane.response(&pending, soon()).await.unwrap();
    lane.stop(Grace::default()).await.unwrap();
    let stderr = lane.process().unwrap().stderr();
    assert!(stderr.finished(within(Duration::ZERO)).await);
    assert!(stderr.total_bytes() > 2_000_000);
    let lines = stderr.lines();
    assert_eq!(lines.last().map(String::as_str), Some("the last line"));
    assert!(lines.iter().map(String::len).sum::<usize>() <= 64 * 1024);
    let recorded: usize = memory
        .payloads()
        .iter()
        .map(|payload| match payload {
            Payload::Stderr { text } => text.len(),
            _ => 0,
        })
        .sum();
    assert!((900_000..=1024 * 1024).contains(&recorded), "{recorded}");
}

#[tokio::test]
async fn surroundings_are_passed_on() {
    let folder = tempfile::tempdir().unwrap();
    let command = CommandLine::new("/bin/sh")
        .args(["-c", "echo \"$GREETING-${PATH:-none}-$1-$(pwd)\"; exit 7", "sh", "a b"])
        .env("GREETING", "hello")
        .without_env("PATH")
        .in_folder(folder.path());
    assert!(command.to_string().ends_with("sh \"a b\""), "{command}");
    let memory = Memory::default();
    let lane = RawLane::spawn(&command, memory.witness(), Limits::default()).unwrap();
    assert_eq!(lane.end(soon()).await, Some(End::Eof));
    assert_eq!(lane.exit(soon()).await.unwrap().code, Some(7));
    let line = lane.since(Default::default())[0].line.to_string();
    let here = folder.path().canonicalize().unwrap();
    assert!(line.starts_with("hello-") && line.contains("-a b-"), "{line}");
    assert!(line.ends_with(&here.display().to_string()), "{line}");
    let exit = |payload: &Payload| matches!(payload, Payload::Exit { code: Some(7), signal: None });
    assert!(memory.payloads().iter().any(exit));
}

#[tokio::test]
async fn what_cannot_be_started_is_an_error_that_names_it() {
    let command = CommandLine::new("/no/such/program").arg("x");
    let error = Process::spawn(&command, Witness::none()).unwrap_err();
    assert!(error.to_string().contains("/no/such/program x"), "{error}");
}

//! Daemons that will not start, die, hang, flood or answer garbage: always verdicts, always in time, nothing left behind.

use super::{breaches, checks, patient, reference, run, scenario};
use iolite::engine::{RunOptions, RunResult};
use iolite::judge::verdict::Verdict;
use iolite::target::Target;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;

const STORY: &str = r#"
scenario: A daemon is asked how it is
requires: [BRG-RPC-01]
cast: { phone: { app: {} } }
steps:
  - operator.rpc: { method: daemon.status, expect: { $type: object }, check: it answers }
  - operator.rpc: { method: daemon.status, expect: { $type: object }, check: it answers again }
  - phone.connect
  - phone.is_unaffected
"#;

fn target(folder: &Path, text: &str) -> Arc<Target> {
    let path = folder.join("target.toml");
    let head = "version = 1\nname = \"odd\"\nfeatures = [\"events\", \"cli\"]\n";
    std::fs::write(&path, format!("{head}{text}\n[link]\nmint = \"rpc\"\n[timing]\nclock = \"real\"\n")).unwrap();
    Arc::new(Target::load(&path, Path::new(env!("CARGO_BIN_EXE_iolite"))).unwrap_or_else(|error| panic!("{error}")))
}

/// A target whose control socket is served by this test.
fn served(folder: &Path) -> (Arc<Target>, UnixListener) {
    let socket = folder.join("control.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    let text =
        format!("[daemon]\ncommand = [\"cat\"]\nsocket = \"{}\"\n[daemon.ready]\nsocket = true", socket.display());
    (target(folder, &text), listener)
}

/// Answers the first `well` requests as it should (with `{}`), every later one with `garbage`.
fn serve(listener: UnixListener, well: usize, garbage: &'static [u8]) {
    let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let asked = Arc::clone(&asked);
            tokio::spawn(async move {
                let (read, mut write) = stream.into_split();
                let mut lines = BufReader::new(read).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    let request: serde_json::Value = serde_json::from_str(&line).unwrap();
                    let mut answer = garbage.to_vec();
                    if asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) < well {
                        let result = serde_json::json!({ "jsonrpc": "2.0", "id": request["id"], "result": {} });
                        answer = format!("{result}\n").into_bytes();
                    }
                    if write.write_all(&answer).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
}

fn verdicts(result: &RunResult) -> Vec<Verdict> {
    checks(result).into_iter().map(|check| check.verdict).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_ends_at_once_is_told_with_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(
        folder.path(),
        "[daemon]\ncommand = [\"sh\", \"-c\", \"echo no such luck >&2; exit 3\"]\nsocket = \"/none\"",
    );
    let stories = vec![scenario("one", STORY), scenario("two", STORY)];
    let result = run(target, RunOptions { jobs: 1, ..patient() }, stories).await;
    assert_eq!(result.not_started.len(), 1);
    assert!(result.not_started[0].contains("no such luck"), "{}", result.not_started[0]);
    assert_eq!(verdicts(&result), vec![Verdict::NotVerified; 6]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_never_ready_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[daemon]\ncommand = [\"sh\", \"-c\", \"echo warming up >&2; exec cat\"]\nready_within_seconds = 0.5\nsocket = \"/none\"";
    let result = run(target(folder.path(), text), RunOptions::default(), vec![scenario("one", STORY)]).await;
    assert!(result.not_started[0].contains("warming up"), "{:?}", result.not_started);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_falls_silent_fails_within_the_deadlines() {
    let folder = tempfile::tempdir().unwrap();
    let (target, listener) = served(folder.path());
    // One request proves it ready, one subscribes, one measures it, one is the first check's.
    serve(listener, 4, b"");
    let began = Instant::now();
    let result = run(target, RunOptions { patience: 0.5, ..patient() }, vec![scenario("one", STORY)]).await;
    assert_eq!(verdicts(&result), [Verdict::Pass, Verdict::Fail, Verdict::NotVerified], "{:?}", breaches(&result));
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_answers_garbage_fails_and_the_garbage_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (target, listener) = served(folder.path());
    serve(listener, 4, b"\xff\xfe\n{\"id\":\n[1,2]\n");
    let result = run(target, RunOptions { patience: 0.5, ..patient() }, vec![scenario("one", STORY)]).await;
    let all = checks(&result);
    assert_eq!(all[1].verdict, Verdict::Fail);
    assert!(all[1].arrived.len() >= 3, "{:?}", all[1].arrived);
    assert!(!all[1].evidence.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_floods_fills_no_memory_and_stops_no_run() {
    static FLOOD: &[u8] = &[b'x'; 1024 * 1024];
    let folder = tempfile::tempdir().unwrap();
    let (target, listener) = served(folder.path());
    let stories = vec![scenario("one", STORY)];
    tokio::spawn(async move {
        let mut served = 0;
        while let Ok((stream, _)) = listener.accept().await {
            served += 1;
            // The readiness probe and the harness are served well, whoever comes later is flooded.
            let flood = served > 2;
            tokio::spawn(async move {
                let (read, mut write) = stream.into_split();
                let mut lines = BufReader::new(read).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    let request: serde_json::Value = serde_json::from_str(&line).unwrap();
                    let result = serde_json::json!({ "jsonrpc": "2.0", "id": request["id"], "result": {} });
                    if !flood {
                        let _ = write.write_all(format!("{result}\n").as_bytes()).await;
                    }
                    while flood && write.write_all(FLOOD).await.is_ok() {}
                }
            });
        }
    });
    let result = run(target, patient(), stories).await;
    let all = checks(&result);
    assert_eq!(all[0].verdict, Verdict::Fail);
    assert!(all[0].message.contains("more than"), "{}", all[0].message);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_dies_ends_the_case_but_not_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let mut target = (*reference()).clone();
    target.cli = Some(vec!["sh".into(), "-c".into(), "kill -9 $(cat \"$0/daemon.pid\")".into(), "${state_dir}".into()]);
    let story = r#"
scenario: A daemon that is killed by somebody else
requires: [BRG-CON-11]
cast: { phone: { app: {} } }
cases: [{ name: first, args: [x] }, { name: second, args: [x] }]
steps:
  - phone.connect: { expect: { status: ok }, check: it lives }
  - operator.cli: "${case.args}"
  - phone.is_unaffected
  - operator.rpc: { method: daemon.status, expect: {}, check: it answers }
"#;
    let options = RunOptions { transcripts: Some(folder.path().into()), ..patient() };
    let result = run(Arc::new(target), options, vec![scenario("dies", story)]).await;
    let verdicts = verdicts(&result);
    for case in verdicts.chunks(3) {
        assert_eq!(case[0], Verdict::Pass, "{:?}", breaches(&result));
        // Whether the death is seen by the step behind it or by a later one is a race; it is never green.
        assert!(
            case[1..].iter().all(|verdict| matches!(verdict, Verdict::Fail | Verdict::NotVerified)),
            "{verdicts:?}"
        );
    }
    let transcript = result.scenarios[0].transcript.clone().unwrap();
    let metadata = std::fs::read_to_string(Path::new(&transcript).with_extension("facts.json")).unwrap();
    let metadata: iolite::transcript::metadata::RunMetadata = serde_json::from_str(&metadata).unwrap();
    assert_eq!(
        metadata.daemons.iter().filter(|daemon| daemon.died && !daemon.asked).count(),
        2,
        "{:?}",
        metadata.daemons
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_cancelled_ends_at_once_and_says_so() {
    let story = r#"
scenario: A wait without end
requires: [BRG-CON-01]
cast: { phone: { app: {} } }
steps:
  - phone.connect: { expect: { status: ok }, check: it lives }
  - phone.expect_frame: { frame: { type: never }, within: 600 }
"#;
    let options = patient();
    let cancel = options.cancel.clone();
    let began = Instant::now();
    let runner = iolite::engine::Runner::new(reference(), options);
    let stories = vec![scenario("waits", story), scenario("waits too", story)];
    let running = runner.run(stories, move |event| {
        if let iolite::engine::RunEvent::Started { .. } = event {
            cancel.cancel();
        }
    });
    let result = running.await.unwrap();
    assert!(result.cancelled);
    assert!(began.elapsed() < Duration::from_secs(60));
    assert!(verdicts(&result).contains(&Verdict::NotVerified));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_without_end_is_given_up() {
    let story = r#"
scenario: A wait without end
requires: [BRG-CON-01]
cast: { phone: { app: {} } }
steps:
  - phone.connect
  - phone.expect_frame: { frame: { type: never }, within: 600 }
"#;
    let options = RunOptions { case_max: Duration::from_secs(2), patience: 1.0, ..patient() };
    let result = run(reference(), options, vec![scenario("waits", story)]).await;
    let all = checks(&result);
    assert_eq!(all[0].verdict, Verdict::NotVerified);
    assert!(all[0].message.contains("longer than"), "{}", all[0].message);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_target_does_not_claim_is_not_applicable() {
    let story = r#"
scenario: Something this target has never heard of
requires: [BRG-CON-01]
features: [telepathy]
steps:
  - operator.rpc: { method: daemon.status, expect: {}, check: never asked }
"#;
    let result = run(reference(), patient(), vec![scenario("t", story)]).await;
    assert_eq!(verdicts(&result), [Verdict::NotApplicable]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_leads_nowhere_is_our_fault_and_one_that_a_failed_step_should_have_made_is_not() {
    let story = r#"
scenario: Names that are not there
requires: [BRG-CON-01]
cast: { phone: { app: {} } }
cases: [{ name: ours, path: "${phone.nonsense}" }, { name: theirs, path: "${call.id}" }]
steps:
  - phone.connect
  - phone.expect_call: { tool: none, as: call, within: 0.1, level: O }
  - assert: { value: "${case.path}", expect: 1, check: the value }
"#;
    let result = run(reference(), patient(), vec![scenario("names", story)]).await;
    let all = checks(&result);
    assert!(all[1].verdict >= Verdict::NotVerified, "{:?}", all[1]);
    assert_eq!(all[3].verdict, Verdict::NotVerified, "{:?}", all[3]);
}

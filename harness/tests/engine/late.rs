//! Daemons that take their time to start.

use super::{breaches, checks, reference, run, scenario};
use iolite::engine::RunOptions;
use iolite::judge::verdict::Verdict;
use iolite::target::Target;
use std::sync::Arc;
use std::time::Duration;

const STORY: &str = r#"
scenario: A daemon is started again
requires: [BRG-CON-14]
steps:
  - daemon.restart: { how: sigterm, expect: { version: { $any: true } }, check: it answers again }
"#;

/// The reference daemon behind a piece of shell that runs before it.
fn behind(script: &str, ready_within: Duration) -> Arc<Target> {
    let mut target = (*reference()).clone();
    let shell = ["sh", "-c", &format!("{script}\nexec \"$@\""), "sh"].map(str::to_owned);
    target.daemon.command.splice(0..0, shell);
    target.daemon.ready_within = ready_within;
    Arc::new(target)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_behind_a_slow_start_has_its_whole_time() {
    // The usual deadline is over before the daemon has begun to work.
    let target = behind("sleep 1.5", Duration::from_secs(60));
    let result =
        run(target, RunOptions { patience: 0.4, ..RunOptions::default() }, vec![scenario("slow", STORY)]).await;
    assert_eq!(breaches(&result), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_late_start_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let late = format!("test -e {0} || {{ touch {0}; exec cat; }}", mark.display());
    let target = behind(&late, Duration::from_secs(5));
    let result = run(target, RunOptions::default(), vec![scenario("late", STORY)]).await;
    assert_eq!(breaches(&result), Vec::<String>::new());
    assert!(result.started && result.not_started.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_stays_late_fails_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let late = format!("test ! -e {0} || exec cat\ntouch {0}", mark.display());
    let target = behind(&late, Duration::from_secs(2));
    let result = run(target, RunOptions::default(), vec![scenario("late", STORY)]).await;
    let all = checks(&result);
    assert_eq!(all.iter().map(|check| check.verdict).collect::<Vec<_>>(), [Verdict::NotVerified], "{all:?}");
    assert!(result.started);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_close_that_is_decided_late_is_waited_for() {
    let story = r#"
scenario: A session is revoked after a while
requires: [BRG-SES-15]
cast: { phone: { app: {} } }
steps:
  - phone.connect
  - operator.subscribe
  - together:
      - phone.expect_close: { check: it comes }
      - repeat:
          times: 1
          steps:
            - operator.expect_event: { kind: never, within: 1.6, check: time goes by }
            - operator.rpc: { method: sessions.revoke, params: { selector: "${phone.session_id}" } }
"#;
    let result = run(reference(), RunOptions::default(), vec![scenario("late", story)]).await;
    let verdicts: Vec<_> = checks(&result).iter().map(|check| check.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Fail], "{:?}", breaches(&result));
}

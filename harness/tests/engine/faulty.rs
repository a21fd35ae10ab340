//! The reference daemon with one rule bent: what is said when a fence does not come, and how a story ends behind the one
//! breach that was asked for.

use super::{checks, patient, reference, run, scenario};
use iolite::engine::{Enough, RunOptions, RunResult};
use iolite::judge::verdict::Verdict;

async fn faulty(fault: &str, options: RunOptions, story: &str) -> RunResult {
    let options = RunOptions { env: vec![("IOLITE_FAULT".into(), fault.into())], ..options };
    run(reference(), options, vec![scenario("bent", story)]).await
}

fn verdicts(result: &RunResult) -> Vec<Verdict> {
    checks(result).into_iter().map(|check| check.verdict).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silence_is_broken_by_what_came_and_kept_only_by_a_fence() {
    // The late end of the replaced socket suspends the session, so that no event of the new one gets through any more.
    let story = r#"
scenario: The old socket ends late
requires: [BRG-SES-09]
cast: { old: { app: { model: Phone } }, new: { app: { model: Phone } }, other: { operator: {} } }
steps:
  - old.connect
  - old.ignore_close
  - new.open
  - new.resume_frame: { set: { session_id: "${old.session_id}", resume_token: "${old.resume_token}" } }
  - new.expect_ack
  - operator.subscribe
  - other.subscribe
  - operator.mark: { as: before }
  - old.drop
  - other.expect_event: { kind: session_suspended, check: it is suspended }
  - operator.expect_no_event: { kind: session_expired, since: before, fence: new, within: 1, check: nothing came }
  - operator.expect_no_event: { kind: session_suspended, since: before, fence: new, within: 1, check: something came }
  # How many came is known only when the silence behind them has an end.
  - operator.expect_no_event: { kind: session_suspended, since: before, fence: new, within: 1, expect: { count: 1 }, check: one came }
"#;
    let result = faulty("ses-late-close-suspends", patient(), story).await;
    let said = [Verdict::Pass, Verdict::Pass, Verdict::NotVerified, Verdict::Fail, Verdict::NotVerified];
    assert_eq!(verdicts(&result), said, "{:?}", super::breaches(&result));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_breach_is_enough_where_it_was_asked_for() {
    let story = r#"
scenario: Sockets that claim nothing
requires: [BRG-CON-04]
cast: { phone: { app: {} } }
cases: [{ name: first }, { name: second }]
steps:
  - phone.open
  - daemon.pass: { seconds: 6 }
  - phone.settle: { expect: { open: true }, check: it may stay for six seconds }
"#;
    let whole = faulty("con-pre-claim-early", patient(), story).await;
    assert_eq!(verdicts(&whole), [Verdict::Fail, Verdict::Fail]);
    let options = RunOptions { enough: Enough::Breach("BRG-CON-04".into()), ..patient() };
    let short = faulty("con-pre-claim-early", options, story).await;
    assert_eq!(verdicts(&short), [Verdict::Fail, Verdict::NotVerified]);
    let options = RunOptions { enough: Enough::Breach("BRG-CON-05".into()), ..patient() };
    let other = faulty("con-pre-claim-early", options, story).await;
    assert_eq!(verdicts(&other), [Verdict::Fail, Verdict::Fail], "{:?}", super::breaches(&other));
}

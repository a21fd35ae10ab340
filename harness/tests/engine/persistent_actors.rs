//! Apps that stay while cases come and go.

use super::{breaches, checks, patient, reference, run, scenario};
use iolite::engine::RunOptions;
use iolite::judge::verdict::Verdict;

const TABLE: &str = r#"
scenario: A neighbour stays for all cases of a daemon
requires: [BRG-CON-11]
cast: { phone: { app: { model: Phone } }, neighbour: { app: { model: Neighbour } } }
cases:
  - { name: first, revoked: phone }
  - { name: second, revoked: phone }
  - { name: takes the neighbour along, revoked: neighbour }
  - { name: on another daemon, revoked: phone }
once:
  - neighbour.connect: { tools: [{ name: keep, description: Stays }] }
steps:
  - assert: { value: "${neighbour.session_id}", expect: "${expected}", check: it is who it was }
  - phone.connect
  - neighbour.expect_none: { check: it sees nothing of the case before }
  - operator.rpc: { method: tools.call, params: { selector: neighbour, name: keep, args: {} }, expect: { result: { $any: true } }, check: it serves }
  - operator.rpc: { method: sessions.revoke, params: { selector: "${case.revoked}" } }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn they_stay_until_their_daemon_goes_and_come_to_the_next() {
    let text = TABLE.replace("\"${expected}\"", "{ $type: string, $capture: seen }");
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions { transcripts: Some(folder.path().into()), keep_all: true, ..patient() };
    let result = run(reference(), options, vec![scenario("engine/stayers", &text)]).await;
    assert_eq!(breaches(&result), Vec::<String>::new());
    assert!(checks(&result).iter().all(|check| check.verdict == Verdict::Pass));
    let transcript = std::fs::read_to_string(result.scenarios[0].transcript.as_ref().unwrap()).unwrap();
    let claims = transcript
        .lines()
        .filter(|line| line.contains("\"actor\":\"neighbour\"") && line.contains("session_claim\\\""))
        .count();
    assert_eq!(claims, 2, "one for each daemon");
}

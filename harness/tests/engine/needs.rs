//! Steps and cases that need what a target does not claim.

use super::{breaches, checks, patient, reference, run, scenario};
use iolite::judge::verdict::Verdict;
use iolite::target::Target;
use std::sync::Arc;

const STORY: &str = r#"
scenario: Some of it takes resources
requires: [BRG-TOL-01]
cast: { phone: { app: { model: Pixel 8 } }, witness: { app: { model: Witness } } }
cases:
  - { name: for everybody, tool: a }
  - { name: for some, tool: b, needs: [resources] }
once:
  - witness.connect: { tools: [{ name: keep, description: Stays }] }
  - witness.resources: { list: [{ uri: "app://keep", name: keep, description: Stays }], needs: [resources] }
steps:
  - phone.connect: { tools: [{ name: "${case.tool}", description: d }] }
  - phone.resources: { list: [{ uri: "app://page", name: page, description: d }], needs: [resources] }
  - operator.rpc: { method: resources.list, params: { selector: "${phone.alias}" }, as: listed, needs: [resources] }
  - assert: { value: "${listed.resources}", expect: [{ name: page }], check: the resource is listed, needs: [resources] }
  - repeat:
      times: 2
      as: i
      steps:
        - operator.start_rpc: { method: resources.read, params: { selector: "${phone.alias}", name: page }, as: "read${i}", needs: [resources] }
        - operator.finish: { op: "read${i}", expect: { contents: [{ $any: true }] }, check: it can be read, needs: [resources] }
  - operator.rpc:
      method: tools.list
      params: { selector: "${phone.alias}" }
      expect: { tools: { $one_of: { one: [{ name: a }], other: [{ name: b }] } } }
      options: [other]
      check: the tool is listed
  - phone.is_unaffected
"#;

async fn verdicts(target: Arc<Target>) -> Vec<(String, Verdict, Option<String>)> {
    let result = run(target, patient(), vec![scenario("engine/needs", STORY)]).await;
    assert_eq!(breaches(&result), Vec::<String>::new());
    let own = checks(&result).into_iter().filter(|check| !check.id.contains("watch/"));
    own.map(|check| {
        let (_, name) = check.id.split_once("needs/").unwrap();
        (name.to_owned(), check.verdict, check.outcome.clone())
    })
    .collect()
}

fn expected(rows: &[(&str, Verdict, Option<&str>)]) -> Vec<(String, Verdict, Option<String>)> {
    rows.iter().map(|(name, verdict, outcome)| ((*name).to_owned(), *verdict, outcome.map(str::to_owned))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_target_that_claims_everything_everything_is_judged() {
    use Verdict::{NotApplicable, Pass};
    let rows = [
        ("for-everybody:the-resource-is-listed", Pass, None),
        ("for-everybody:it-can-be-read", Pass, None),
        ("for-everybody:the-tool-is-listed", Pass, Some("one")),
        ("for-everybody:phone-is-unaffected", Pass, None),
        ("for-some:the-resource-is-listed", Pass, None),
        ("for-some:it-can-be-read", Pass, None),
        // What the contract leaves to the daemon is recorded, not judged.
        ("for-some:the-tool-is-listed", NotApplicable, Some("other")),
        ("for-some:phone-is-unaffected", Pass, None),
    ];
    assert_eq!(verdicts(reference()).await, expected(&rows));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_target_does_not_claim_is_left_out_and_the_rest_is_judged() {
    use Verdict::{NotApplicable, Pass};
    let mut target = Target::clone(&reference());
    target.features.remove("resources");
    let rows = [
        ("for-everybody:the-resource-is-listed", NotApplicable, None),
        ("for-everybody:it-can-be-read", NotApplicable, None),
        ("for-everybody:the-tool-is-listed", Pass, Some("one")),
        ("for-everybody:phone-is-unaffected", Pass, None),
        ("for-some:the-resource-is-listed", NotApplicable, None),
        ("for-some:it-can-be-read", NotApplicable, None),
        ("for-some:the-tool-is-listed", NotApplicable, None),
        ("for-some:phone-is-unaffected", NotApplicable, None),
    ];
    assert_eq!(verdicts(Arc::new(target)).await, expected(&rows));
}

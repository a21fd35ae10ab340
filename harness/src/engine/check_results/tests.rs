use super::*;
use crate::scenario::model::{DaemonSetup, Step, StepKind};
use crate::scenario::node::{Node, Source};

fn check(label: &str, proves: &[&str], level: Option<Level>) -> Check {
    Check {
        label: label.into(),
        expect: None,
        proves: proves.iter().map(|id| (*id).to_owned()).collect(),
        level,
        options: Vec::new(),
        stop: false,
        unless_waived: false,
        span: 3..4,
    }
}

fn scenario(checks: &[&Check], cases: &[&str]) -> Arc<Scenario> {
    let steps = checks.iter().map(|check| Step {
        needs: Vec::new(),
        kind: StepKind::Assert { value: Node::synthetic(Value::Null), check: (*check).clone() },
        span: 0..1,
    });
    Arc::new(Scenario {
        id: "res/one".into(),
        source: Source::new("scenarios/res/one.yaml", ""),
        title: "t".into(),
        about: None,
        requires: vec!["BRG-A".into()],
        bugs: Vec::new(),
        features: Vec::new(),
        daemon: DaemonSetup::default(),
        cast: Vec::new(),
        each: Vec::new(),
        cases: cases
            .iter()
            .map(|name| Case {
                name: (*name).into(),
                requires: None,
                never_served: None,
                needs: Vec::new(),
                row: Node::synthetic(Value::Null),
                span: 0..1,
            })
            .collect(),
        fresh_daemon: false,
        steps: steps.collect(),
        once: Vec::new(),
        finally: Vec::new(),
    })
}

fn breach(text: &str) -> Finding {
    Finding { breach: Some(text.into()), ..Finding::default() }
}

#[test]
fn levels_decide_what_a_breach_is() {
    let must = check("must", &[], None);
    let should = check("should", &["BRG-S"], None);
    let option = check("option", &[], Some(Level::Option));
    let both = check("both", &["BRG-S", "BRG-A"], None);
    let levels = Levels::from([("BRG-A".into(), Level::Must), ("BRG-S".into(), Level::Should)]);
    let made = [&must, &should, &option, &both];
    let checks = CheckResults::new(scenario(&made, &[]), AxisValues::default(), Arc::new(levels));
    for check in made {
        checks.record(0, check, breach("no"));
    }
    let verdicts: Vec<_> = checks.finish().into_iter().map(|result| (result.verdict, result.outcome)).collect();
    assert_eq!(verdicts[0], (Verdict::Fail, None));
    assert_eq!(verdicts[1], (Verdict::Warn, None));
    assert_eq!(verdicts[2], (Verdict::NotApplicable, Some("otherwise".into())));
    assert_eq!(verdicts[3], (Verdict::Fail, None));
}

#[test]
fn what_was_not_reached_is_told_case_by_case() {
    let (one, two) = (check("one", &[], None), check("two", &[], None));
    let axes = AxisValues { values: vec![("revision".into(), "2025-11-25".into())] };
    let checks = CheckResults::new(scenario(&[&one, &two], &["No URI", "b"]), axes, Arc::default());
    checks.record(0, &one, Finding::default());
    checks.stop(0, Stop::NotVerified("the daemon closed".into()));
    checks.stop(1, Stop::Broken("`${x}` does not exist".into()));
    let results = checks.finish();
    let told: Vec<_> = results.iter().map(|result| (result.id.as_str(), result.verdict)).collect();
    assert_eq!(
        told,
        [
            ("res/one/no-uri@2025-11-25:one", Verdict::Pass),
            ("res/one/no-uri@2025-11-25:two", Verdict::NotVerified),
            ("res/one/b@2025-11-25:one", Verdict::Broken),
            ("res/one/b@2025-11-25:two", Verdict::NotVerified),
        ]
    );
    assert_eq!(results[1].message, "the daemon closed");
}

#[test]
fn a_fault_of_ours_behind_the_last_check_is_not_lost() {
    let one = check("one", &[], None);
    let checks = CheckResults::new(scenario(&[&one], &[]), AxisValues::default(), Arc::default());
    checks.record(0, &one, Finding::default());
    checks.stop(0, Stop::Broken("bad".into()));
    let results = checks.finish();
    assert_eq!((results.len(), results[1].id.as_str(), results[1].verdict), (2, "res/one:story", Verdict::Broken));
}

#[test]
fn a_repeated_check_keeps_the_worst() {
    let one = check("one", &[], None);
    let checks = CheckResults::new(scenario(&[&one], &[]), AxisValues::default(), Arc::default());
    checks.record(0, &one, Finding { micros: 5, ..Finding::default() });
    checks.record(0, &one, Finding { micros: 7, ..breach("the second time") });
    checks.record(0, &one, Finding { micros: 1, ..Finding::default() });
    let results = checks.finish();
    assert_eq!(
        (results[0].verdict, results[0].message.as_str(), results[0].micros),
        (Verdict::Fail, "the second time", 13)
    );
}

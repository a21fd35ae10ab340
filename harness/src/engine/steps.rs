//! Playing the steps of one case.

use super::case_names::Locals;
use super::case_state::CaseState;
use super::check_results::{Finding, Stop};
use super::step_context::StepContext;
use super::step_outcome::{StepError, StepOutcome, StepResult, shortened};
use crate::scenario::model::{Action, Check, Step, StepKind, walk};
use crate::scenario::node::Node;
use iolite_protocol::transcript::{Direction, Record};
use serde_json::Value;
use std::pin::Pin;
use std::time::Instant;

/// The most rounds of one `repeat`.
const ROUNDS_MAX: u64 = 1_000_000;
/// How many transcript records one check names.
const EVIDENCE_MAX: usize = 100;
/// How long one value in a report may be, in bytes of JSON; what is longer is shown as text and cut.
const SHOWN_MAX: usize = 16 * 1024;

/// Whether the case goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// It does.
    Go,
    /// It ends here; the book says why.
    Stop,
}

/// Plays steps one after the other.
pub(super) fn play<'a>(
    case: &'a CaseState,
    steps: &'a [Step],
    locals: Locals,
) -> Pin<Box<dyn Future<Output = Flow> + Send + 'a>> {
    Box::pin(async move {
        for step in steps {
            if play_one(case, step, &locals).await == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Go
    })
}

/// Plays steps that run in any case: what goes wrong in one does not keep the next from running, and nothing is judged.
pub(super) fn tidy<'a>(
    case: &'a CaseState,
    steps: &'a [Step],
    locals: Locals,
) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
    Box::pin(async move {
        for step in steps.iter().filter(|step| case.stage.target().lacks(&step.needs).is_none()) {
            match &step.kind {
                StepKind::Act(action) => {
                    note(case, &step.span, &format!("finally: {}.{}", action.actor, action.verb.name));
                    if let Err(error) = perform(case, action, &locals).await {
                        case.run
                            .record
                            .recorder
                            .note(format!("this step of `finally` could not be carried out: {error}"));
                    }
                }
                StepKind::Together(steps) | StepKind::Shuffle { steps, .. } => tidy(case, steps, locals.clone()).await,
                StepKind::Repeat { times, variable, steps } => {
                    let times = case.scope(&locals).evaluate(times).ok().and_then(|times| times.as_u64());
                    for round in 0..times.unwrap_or_default().min(ROUNDS_MAX) {
                        let name = variable.as_deref().unwrap_or_default();
                        tidy(case, steps, locals.with(name, round.into())).await;
                    }
                }
                StepKind::Assert { .. } => {}
            }
        }
    })
}

async fn play_one(case: &CaseState, step: &Step, locals: &Locals) -> Flow {
    if let Some(feature) = case.stage.target().lacks(&step.needs) {
        leave_out(case, step, feature);
        return Flow::Go;
    }
    match &step.kind {
        StepKind::Act(action) => act(case, step, action, locals).await,
        StepKind::Assert { value, check } => assert(case, step, value, check, locals),
        StepKind::Together(steps) => together(case, steps, locals).await,
        StepKind::Repeat { times, variable, steps } => {
            let times = match case.scope(locals).evaluate(times) {
                Ok(times) => times.as_u64().filter(|times| *times <= ROUNDS_MAX),
                Err(error) => return stop(case, error),
            };
            let Some(times) = times else {
                return stop(case, StepError::Broken(format!("`times` must be a whole number up to {ROUNDS_MAX}")));
            };
            for round in 0..times {
                let locals = match variable {
                    Some(name) => locals.with(name, round.into()),
                    None => locals.clone(),
                };
                if play(case, steps, locals).await == Flow::Stop {
                    return Flow::Stop;
                }
            }
            Flow::Go
        }
        StepKind::Shuffle { seed, steps } => {
            for index in shuffled(steps.len(), *seed) {
                if play(case, &steps[index..=index], locals.clone()).await == Flow::Stop {
                    return Flow::Stop;
                }
            }
            Flow::Go
        }
    }
}

/// Tells of a step that needs what the target does not claim: its checks are not applicable, and its names are not given.
fn leave_out(case: &CaseState, step: &Step, feature: &str) {
    let why = format!("the target does not claim `{feature}`");
    note(case, &step.span, &format!("left out: {why}"));
    walk(std::slice::from_ref(step), &mut |step| {
        let check = match &step.kind {
            StepKind::Act(action) => {
                if let Some(name) = &action.bind {
                    case.names.miss(name, why.clone());
                }
                action.check.as_ref()
            }
            StepKind::Assert { check, .. } => Some(check),
            StepKind::Together(_) | StepKind::Repeat { .. } | StepKind::Shuffle { .. } => None,
        };
        if let Some(check) = check {
            case.run.checks.record_unmade(case.number, check, &Stop::NotApplicable(why.clone()));
        }
    });
}

async fn together(case: &CaseState, steps: &[Step], locals: &Locals) -> Flow {
    let all = steps.iter().map(|step| play(case, std::slice::from_ref(step), locals.clone()));
    let flows = futures_util::future::join_all(all).await;
    if flows.contains(&Flow::Stop) { Flow::Stop } else { Flow::Go }
}

async fn act(case: &CaseState, step: &Step, action: &Action, locals: &Locals) -> Flow {
    note(case, &step.span, &format!("{}.{}", action.actor, action.verb.name));
    let named;
    let action = match name_computed(case, action, locals) {
        Ok(None) => action,
        Ok(Some(name)) => {
            named = Action { bind: Some(name), ..action.clone() };
            &named
        }
        Err(error) => return stop(case, error.at(&format!("{}.{}", action.actor, action.verb.name))),
    };
    let began = Instant::now();
    let done = perform(case, action, locals).await;
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    if !matches!(&done, Ok(result) if result.violated.is_none()) {
        case.stage.notice_end().await;
    }
    let done = match done {
        // What an assertion waits for in vain because the daemon has died is a broken promise, not a missing prerequisite.
        Err(StepError::Unmet(why)) if action.verb.asserts && case.stage.died() => {
            Ok(StepOutcome::violated(format!("the daemon has died: {why}"), Vec::new()).gone())
        }
        done => done,
    };
    let flow = match done {
        Ok(result) => judge(case, action, result, locals, micros),
        Err(error) => {
            if let Some(name) = &action.bind {
                case.names.miss(name, error.to_string());
            }
            let error = error.at(&format!("{}.{}", action.actor, action.verb.name));
            if let Some(check) = &action.check {
                case.run.checks.record_unmade(case.number, check, &error.clone().into());
                // One that only looks changes nothing that later steps build on.
                let looks = action.verb.asserts || action.verb.name.starts_with("expect");
                if looks && !check.stop && matches!(error, StepError::Unmet(_)) {
                    case.run.record.recorder.note(format!("not verified: {error}"));
                    return if case.stage.died() { stop(case, error) } else { Flow::Go };
                }
            }
            stop(case, error)
        }
    };
    if flow == Flow::Go && case.stage.died() {
        let how = case.stage.exit().map(|exit| exit.to_string()).unwrap_or_default();
        return stop(case, StepError::Unmet(format!("the daemon died unasked ({how})")));
    }
    flow
}

async fn perform(case: &CaseState, action: &Action, locals: &Locals) -> StepResult {
    let deadline = case.stage.pace().deadline(action.within);
    let context =
        StepContext { action, scope: case.scope(locals), stage: &case.stage, record: &case.run.record, deadline };
    case.actor(&action.actor)?.perform(&context).await
}

/// Enters what came of a step, and binds what it brought.
fn judge(case: &CaseState, action: &Action, result: StepOutcome, locals: &Locals, micros: u64) -> Flow {
    let name = format!("{}.{}", action.actor, action.verb.name);
    let Some(check) = &action.check else {
        let why = result.violated.clone().or_else(|| result.refusal());
        return match why {
            Some(why) => {
                if let Some(name) = &action.bind {
                    case.names.miss(name, why.clone());
                }
                stop(case, StepError::Unmet(format!("{name}: {why}")))
            }
            None => {
                bind(case, action, &result);
                Flow::Go
            }
        };
    };
    let mut finding = Finding { micros, evidence: evidence(case, &action.actor), ..Finding::default() };
    finding.breach.clone_from(&result.violated);
    match &check.expect {
        Some(expected) if finding.breach.is_none() => match case.scope(locals).matcher(expected) {
            Ok(matcher) => {
                let matched = matcher.check(&result.outcome);
                finding.alternative = matched.alternative.clone();
                if matched.matched {
                    for (name, value) in matched.captures {
                        case.names.bind(&name, value);
                    }
                } else {
                    finding.breach = Some(matched.message());
                    finding.expected = Some(shown(matcher.expected()));
                    finding.arrived = vec![shown(result.outcome.clone())];
                }
            }
            Err(error) => {
                let error = error.at(&name);
                case.run.checks.record_unmade(case.number, check, &error.clone().into());
                return stop(case, error);
            }
        },
        Some(_) => {}
        None if !action.verb.asserts => finding.breach = finding.breach.take().or_else(|| result.refusal()),
        None => {}
    }
    if finding.breach.is_some() {
        finding.arrived.extend(result.arrived.iter().cloned().map(shown));
        if finding.expected.is_none() && !matches!(action.args.value, crate::scenario::node::Value::Null) {
            let wanted = case.scope(locals).matcher(&action.args);
            finding.expected = wanted.ok().map(|matcher| shown(matcher.expected()));
        }
    }
    let broken = finding.breach.clone();
    case.run.checks.record(case.number, check, finding);
    match broken {
        None => {
            bind(case, action, &result);
            Flow::Go
        }
        Some(why) => {
            match &action.bind {
                Some(bound) if result.violated.is_some() && result.outcome.is_null() => {
                    case.names.miss(bound, why.clone())
                }
                _ => bind(case, action, &result),
            }
            if result.gone || check.stop {
                return stop(case, StepError::Unmet(format!("{name}: {why}")));
            }
            Flow::Go
        }
    }
}

fn assert(case: &CaseState, step: &Step, value: &Node, check: &Check, locals: &Locals) -> Flow {
    note(case, &step.span, "assert");
    let Some(expected) = &check.expect else {
        return stop(case, StepError::Broken("`assert` says nothing of what is expected".into()));
    };
    let read = case.scope(locals).evaluate(value).and_then(|value| Ok((value, case.scope(locals).matcher(expected)?)));
    let (value, matcher) = match read {
        Ok(read) => read,
        Err(error) => {
            case.run.checks.record_unmade(case.number, check, &error.clone().into());
            return stop(case, error);
        }
    };
    let matched = matcher.check(&value);
    let mut finding = Finding { alternative: matched.alternative.clone(), ..Finding::default() };
    if matched.matched {
        for (name, value) in matched.captures {
            case.names.bind(&name, value);
        }
    } else {
        finding.breach = Some(matched.message());
        finding.expected = Some(shown(matcher.expected()));
        finding.arrived = vec![shown(value)];
    }
    let broken = finding.breach.clone();
    case.run.checks.record(case.number, check, finding);
    match broken {
        Some(why) if check.stop => stop(case, StepError::Unmet(why)),
        _ => Flow::Go,
    }
}

/// The name that a step gives to its outcome, when templates make it: `as: "read${i}"`.
fn name_computed(case: &CaseState, action: &Action, locals: &Locals) -> Result<Option<String>, StepError> {
    let Some(name) = action.bind.as_ref().filter(|name| name.contains('$')) else { return Ok(None) };
    let node = Node { value: crate::scenario::node::Value::String(name.clone()), span: action.span.clone() };
    Ok(Some(match case.scope(locals).evaluate(&node)? {
        Value::String(name) => name,
        other => other.to_string(),
    }))
}

fn bind(case: &CaseState, action: &Action, result: &StepOutcome) {
    if let Some(name) = &action.bind {
        case.names.bind(name, result.outcome.clone());
    }
}

/// Ends the case for this reason.
fn stop(case: &CaseState, error: StepError) -> Flow {
    case.run.record.recorder.note(format!("the case ends here: {error}"));
    case.run.checks.stop(case.number, error.into());
    Flow::Stop
}

/// The records that an actor's step stands on: what came, and what the actor sent, since its last check.
fn evidence(case: &CaseState, actor: &str) -> Vec<u64> {
    let recorder = &case.run.record.recorder;
    let before = case.swap_evidence(actor, recorder.position());
    let counts = |record: &Record| {
        record.actor == actor
            || actor == "daemon" && record.direction == Direction::FromDaemon && record.actor != "harness"
    };
    let found = recorder.scan(before, |record| counts(record).then_some(record.seq));
    found[found.len().saturating_sub(EVIDENCE_MAX)..].to_vec()
}

fn note(case: &CaseState, span: &crate::scenario::node::Span, what: &str) {
    let (line, _) = case.run.checks.scenario().source.position(span.start);
    case.run.record.recorder.note(format!("line {line}: {what}"));
}

/// A value as a report can bear it.
fn shown(value: Value) -> Value {
    let text = value.to_string();
    if text.len() <= SHOWN_MAX { value } else { Value::String(shortened(&text, SHOWN_MAX)) }
}

/// An order of `count` things drawn from a seed: the same for ever, on every machine.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut state = seed;
    let mut next = move || {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        let bound = u64::try_from(last).unwrap_or(u64::MAX).saturating_add(1);
        let drawn = usize::try_from(next() % bound).unwrap_or(0);
        order.swap(last, drawn);
    }
    order
}

impl From<StepError> for Stop {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Broken(why) => Self::Broken(why),
            StepError::Unmet(why) => Self::NotVerified(why),
            StepError::NotApplicable(why) => Self::NotApplicable(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_an_order_and_the_same_for_one_seed() {
        let order = shuffled(10, 7);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10).collect::<Vec<_>>());
        assert_eq!(order, shuffled(10, 7));
        assert_ne!(order, shuffled(10, 8));
        assert!(shuffled(0, 1).is_empty());
    }
}

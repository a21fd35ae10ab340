//! Playing the steps of one case.

use super::book::{Finding, Stop};
use super::cue::Cue;
use super::language;
use super::outcome::{Deed, Done, Fault, shortened};
use super::world::{Locals, World};
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
/// How long one value in a report may be, in bytes of JSON; what is longer is told as text and cut.
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
    world: &'a World,
    steps: &'a [Step],
    locals: Locals,
) -> Pin<Box<dyn Future<Output = Flow> + Send + 'a>> {
    Box::pin(async move {
        for step in steps {
            if play_one(world, step, &locals).await == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Go
    })
}

/// Plays steps that run in any case: what goes wrong in one does not keep the next from running, and nothing is judged.
pub(super) fn tidy<'a>(
    world: &'a World,
    steps: &'a [Step],
    locals: Locals,
) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
    Box::pin(async move {
        for step in steps.iter().filter(|step| world.stage.target().lacks(&step.needs).is_none()) {
            match &step.kind {
                StepKind::Act(action) => {
                    note(world, &step.span, &format!("finally: {}.{}", action.actor, action.verb.name));
                    if let Err(fault) = perform(world, action, &locals).await {
                        world.run.recorder.note(format!("this step of `finally` could not be carried out: {fault}"));
                    }
                }
                StepKind::Together(steps) | StepKind::Shuffle { steps, .. } => tidy(world, steps, locals.clone()).await,
                StepKind::Repeat { times, variable, steps } => {
                    let times = language::evaluate(times, world, &locals).ok().and_then(|times| times.as_u64());
                    for round in 0..times.unwrap_or_default().min(ROUNDS_MAX) {
                        let name = variable.as_deref().unwrap_or_default();
                        tidy(world, steps, locals.with(name, round.into())).await;
                    }
                }
                StepKind::Assert { .. } => {}
            }
        }
    })
}

async fn play_one(world: &World, step: &Step, locals: &Locals) -> Flow {
    if let Some(feature) = world.stage.target().lacks(&step.needs) {
        leave_out(world, step, feature);
        return Flow::Go;
    }
    match &step.kind {
        StepKind::Act(action) => act(world, step, action, locals).await,
        StepKind::Assert { value, check } => assert(world, step, value, check, locals),
        StepKind::Together(steps) => together(world, steps, locals).await,
        StepKind::Repeat { times, variable, steps } => {
            let times = match language::evaluate(times, world, locals) {
                Ok(times) => times.as_u64().filter(|times| *times <= ROUNDS_MAX),
                Err(fault) => return stop(world, fault),
            };
            let Some(times) = times else {
                return stop(world, Fault::Broken(format!("`times` must be a whole number up to {ROUNDS_MAX}")));
            };
            for round in 0..times {
                let locals = match variable {
                    Some(name) => locals.with(name, round.into()),
                    None => locals.clone(),
                };
                if play(world, steps, locals).await == Flow::Stop {
                    return Flow::Stop;
                }
            }
            Flow::Go
        }
        StepKind::Shuffle { seed, steps } => {
            for index in shuffled(steps.len(), *seed) {
                if play(world, &steps[index..=index], locals.clone()).await == Flow::Stop {
                    return Flow::Stop;
                }
            }
            Flow::Go
        }
    }
}

/// Tells of a step that needs what the target does not claim: its checks are not applicable, and its names are not given.
fn leave_out(world: &World, step: &Step, feature: &str) {
    let why = format!("the target does not claim `{feature}`");
    note(world, &step.span, &format!("left out: {why}"));
    walk(std::slice::from_ref(step), &mut |step| {
        let check = match &step.kind {
            StepKind::Act(action) => {
                if let Some(name) = &action.bind {
                    world.miss(name, why.clone());
                }
                action.check.as_ref()
            }
            StepKind::Assert { check, .. } => Some(check),
            StepKind::Together(_) | StepKind::Repeat { .. } | StepKind::Shuffle { .. } => None,
        };
        if let Some(check) = check {
            world.run.book.enter_unmade(world.case, check, &Stop::NotApplicable(why.clone()));
        }
    });
}

async fn together(world: &World, steps: &[Step], locals: &Locals) -> Flow {
    let all = steps.iter().map(|step| play(world, std::slice::from_ref(step), locals.clone()));
    let flows = futures_util::future::join_all(all).await;
    if flows.contains(&Flow::Stop) { Flow::Stop } else { Flow::Go }
}

async fn act(world: &World, step: &Step, action: &Action, locals: &Locals) -> Flow {
    note(world, &step.span, &format!("{}.{}", action.actor, action.verb.name));
    let named;
    let action = match name_computed(world, action, locals) {
        Ok(None) => action,
        Ok(Some(name)) => {
            named = Action { bind: Some(name), ..action.clone() };
            &named
        }
        Err(fault) => return stop(world, fault.at(&format!("{}.{}", action.actor, action.verb.name))),
    };
    let began = Instant::now();
    let done = perform(world, action, locals).await;
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    if !matches!(&done, Ok(deed) if deed.violated.is_none()) {
        world.stage.notice_end().await;
    }
    let done = match done {
        // What an assertion waits for in vain because the daemon has died is a broken promise, not a missing prerequisite.
        Err(Fault::Unmet(why)) if action.verb.asserts && world.stage.died() => {
            Ok(Deed::violated(format!("the daemon has died: {why}"), Vec::new()).gone())
        }
        done => done,
    };
    let flow = match done {
        Ok(deed) => judge(world, action, deed, locals, micros),
        Err(fault) => {
            if let Some(name) = &action.bind {
                world.miss(name, fault.to_string());
            }
            let fault = fault.at(&format!("{}.{}", action.actor, action.verb.name));
            if let Some(check) = &action.check {
                world.run.book.enter_unmade(world.case, check, &fault.clone().into());
                // One that only looks changes nothing that later steps build on.
                let looks = action.verb.asserts || action.verb.name.starts_with("expect");
                if looks && !check.stop && matches!(fault, Fault::Unmet(_)) {
                    world.run.recorder.note(format!("not verified: {fault}"));
                    return if world.stage.died() { stop(world, fault) } else { Flow::Go };
                }
            }
            stop(world, fault)
        }
    };
    if flow == Flow::Go && world.stage.died() {
        let how = world.stage.exit().map(|exit| exit.to_string()).unwrap_or_default();
        return stop(world, Fault::Unmet(format!("the daemon died unasked ({how})")));
    }
    flow
}

async fn perform(world: &World, action: &Action, locals: &Locals) -> Done {
    let deadline = world.stage.pace().deadline(action.within);
    let cue = Cue { world, action, locals, deadline };
    world.actor(&action.actor)?.perform(&cue).await
}

/// Enters what came of a step, and binds what it brought.
fn judge(world: &World, action: &Action, deed: Deed, locals: &Locals, micros: u64) -> Flow {
    let name = format!("{}.{}", action.actor, action.verb.name);
    let Some(check) = &action.check else {
        let why = deed.violated.clone().or_else(|| deed.refusal());
        return match why {
            Some(why) => {
                if let Some(name) = &action.bind {
                    world.miss(name, why.clone());
                }
                stop(world, Fault::Unmet(format!("{name}: {why}")))
            }
            None => {
                bind(world, action, &deed);
                Flow::Go
            }
        };
    };
    let mut finding = Finding { micros, evidence: evidence(world, &action.actor), ..Finding::default() };
    finding.breach.clone_from(&deed.violated);
    match &check.expect {
        Some(expected) if finding.breach.is_none() => match language::matcher(expected, world, locals) {
            Ok(matcher) => {
                let matched = matcher.check(&deed.outcome);
                finding.alternative = matched.alternative.clone();
                if matched.matched {
                    for (name, value) in matched.captures {
                        world.bind(&name, value);
                    }
                } else {
                    finding.breach = Some(matched.message());
                    finding.expected = Some(shown(matcher.expected()));
                    finding.arrived = vec![shown(deed.outcome.clone())];
                }
            }
            Err(fault) => {
                let fault = fault.at(&name);
                world.run.book.enter_unmade(world.case, check, &fault.clone().into());
                return stop(world, fault);
            }
        },
        Some(_) => {}
        None if !action.verb.asserts => finding.breach = finding.breach.take().or_else(|| deed.refusal()),
        None => {}
    }
    if finding.breach.is_some() {
        finding.arrived.extend(deed.arrived.iter().cloned().map(shown));
        if finding.expected.is_none() && !matches!(action.args.value, crate::scenario::node::Value::Null) {
            let wanted = language::matcher(&action.args, world, locals);
            finding.expected = wanted.ok().map(|matcher| shown(matcher.expected()));
        }
    }
    let broken = finding.breach.clone();
    world.run.book.enter(world.case, check, finding);
    match broken {
        None => {
            bind(world, action, &deed);
            Flow::Go
        }
        Some(why) => {
            match &action.bind {
                Some(bound) if deed.violated.is_some() && deed.outcome.is_null() => world.miss(bound, why.clone()),
                _ => bind(world, action, &deed),
            }
            if deed.gone || check.stop {
                return stop(world, Fault::Unmet(format!("{name}: {why}")));
            }
            Flow::Go
        }
    }
}

fn assert(world: &World, step: &Step, value: &Node, check: &Check, locals: &Locals) -> Flow {
    note(world, &step.span, "assert");
    let Some(expected) = &check.expect else {
        return stop(world, Fault::Broken("`assert` says nothing of what is expected".into()));
    };
    let read = language::evaluate(value, world, locals)
        .and_then(|value| Ok((value, language::matcher(expected, world, locals)?)));
    let (value, matcher) = match read {
        Ok(read) => read,
        Err(fault) => {
            world.run.book.enter_unmade(world.case, check, &fault.clone().into());
            return stop(world, fault);
        }
    };
    let matched = matcher.check(&value);
    let mut finding = Finding { alternative: matched.alternative.clone(), ..Finding::default() };
    if matched.matched {
        for (name, value) in matched.captures {
            world.bind(&name, value);
        }
    } else {
        finding.breach = Some(matched.message());
        finding.expected = Some(shown(matcher.expected()));
        finding.arrived = vec![shown(value)];
    }
    let broken = finding.breach.clone();
    world.run.book.enter(world.case, check, finding);
    match broken {
        Some(why) if check.stop => stop(world, Fault::Unmet(why)),
        _ => Flow::Go,
    }
}

/// The name that a step gives to its outcome, when templates make it: `as: "read${i}"`.
fn name_computed(world: &World, action: &Action, locals: &Locals) -> Result<Option<String>, Fault> {
    let Some(name) = action.bind.as_ref().filter(|name| name.contains('$')) else { return Ok(None) };
    let node = Node { value: crate::scenario::node::Value::String(name.clone()), span: action.span.clone() };
    Ok(Some(match language::evaluate(&node, world, locals)? {
        Value::String(name) => name,
        other => other.to_string(),
    }))
}

fn bind(world: &World, action: &Action, deed: &Deed) {
    if let Some(name) = &action.bind {
        world.bind(name, deed.outcome.clone());
    }
}

/// Ends the case for this reason.
fn stop(world: &World, fault: Fault) -> Flow {
    world.run.recorder.note(format!("the case ends here: {fault}"));
    world.run.book.stop(world.case, fault.into());
    Flow::Stop
}

/// The records that an actor's step stands on: what came, and what the actor sent, since its last check.
fn evidence(world: &World, actor: &str) -> Vec<u64> {
    let recorder = &world.run.recorder;
    let before = world.swap_evidence(actor, recorder.position());
    let counts = |record: &Record| {
        record.actor == actor
            || actor == "daemon" && record.direction == Direction::FromDaemon && record.actor != "harness"
    };
    let found = recorder.scan(before, |record| counts(record).then_some(record.seq));
    found[found.len().saturating_sub(EVIDENCE_MAX)..].to_vec()
}

fn note(world: &World, span: &crate::scenario::node::Span, what: &str) {
    let (line, _) = world.run.book.scenario().source.position(span.start);
    world.run.recorder.note(format!("line {line}: {what}"));
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

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Broken(why) => Self::Broken(why),
            Fault::Unmet(why) => Self::NotVerified(why),
            Fault::NotApplicable(why) => Self::NotApplicable(why),
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

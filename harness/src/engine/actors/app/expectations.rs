//! What an app may expect: frames, silence, closes, pings.

use super::App;
use super::received::{Closing, Received, ReceivedKind, is_end};
use crate::engine::log::Unmet;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepOutcome, StepResult, counted};
use crate::scenario::matcher::Matcher;
use serde_json::{Value, json};
use tokio::time::Instant;

impl App {
    pub(super) async fn expect_call(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of(&[("tool", "name"), ("args", "args"), ("id", "id")])?;
        self.expect_matching(step, Some("tool_call"), &matcher).await
    }

    pub(super) async fn expect_read(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of(&[("resource", "name"), ("uri", "uri"), ("id", "id")])?;
        self.expect_matching(step, Some("resource_read"), &matcher).await
    }

    pub(super) async fn expect_cancel(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of(&[("call", "id"), ("reason", "reason")])?;
        self.expect_matching(step, Some("tool_cancel"), &matcher).await
    }

    pub(super) async fn expect_frame(&self, step: &StepContext<'_>) -> StepResult {
        let matcher = step.matcher_of_body()?;
        self.expect_matching(step, None, &matcher).await
    }

    pub(super) async fn expect_none(&self, step: &StepContext<'_>) -> StepResult {
        let from = self.state().looked;
        let matcher = step.matcher_of_body()?;
        let stage = step.stage;
        // A fence of ours inwards, or, where nothing of the app can be reached, outwards.
        let fenced = match self.inward_fence(stage, step.deadline).await {
            Ok(false) => self.need_fence(step).await,
            reached => reached.map(drop),
        };
        let frames: Vec<Value> = self.log.read(from, |all| {
            let relevant = all.iter().filter(|received| !received.ours && !received.taken);
            relevant
                .filter_map(|received| received.what.frame())
                .filter(|frame| matcher.matches(frame))
                .cloned()
                .collect()
        });
        self.look_up_to(self.log.position());
        self.forget_served();
        // What came breaks a silence even if nothing ends it; an expectation of its own needs to know that this is all.
        if frames.is_empty() || step.expects() {
            fenced?;
        }
        let mut result = StepOutcome::of(json!({ "count": frames.len(), "frames": frames }));
        if !frames.is_empty() && !step.expects() {
            result.violated = Some(format!("{} came that should not have", counted(frames.len(), "frame")));
            result.arrived = frames;
        }
        Ok(result)
    }

    pub(super) async fn expect_close(&self, step: &StepContext<'_>) -> StepResult {
        let from = self.first_unseen(self.log.position());
        match self.wait_closing(step).await {
            Ok(closing) => {
                let outcome = closing.to_json();
                let mut result = StepOutcome::of(outcome.clone()).arrived(self.shown_since(from));
                if closing.code.is_none() && closing.how != "close_frame" && !names(step, "how") {
                    result.violated = Some(format!("the socket ended without a close frame: {}", closing.how));
                } else if !step.is_bare() {
                    let matched = step.matcher(&step.action.args)?.check(&outcome);
                    if !matched.matched {
                        result.violated = Some(format!("it was {closing}: {}", matched.message()));
                    }
                    step.bind_all(matched.captures);
                }
                Ok(result)
            }
            Err(unmet) => Ok(StepOutcome::violated(
                format!("the daemon did not close the socket: {unmet}"),
                self.shown_since(from),
            )),
        }
    }

    pub(super) async fn expect_closed(&self, step: &StepContext<'_>) -> StepResult {
        let from = self.first_unseen(self.log.position());
        match self.wait_closing(step).await {
            Ok(closing) => Ok(StepOutcome::of(closing.to_json())),
            Err(unmet) => Ok(StepOutcome::violated(format!("the socket did not end: {unmet}"), self.shown_since(from))),
        }
    }

    pub(super) async fn expect_pong(&self, step: &StepContext<'_>) -> StepResult {
        self.expect_control(step, "pong", |what| matches!(what, ReceivedKind::Pong(_))).await
    }

    pub(super) async fn expect_ping(&self, step: &StepContext<'_>) -> StepResult {
        self.expect_control(step, "ping", |what| matches!(what, ReceivedKind::Ping(_))).await
    }

    async fn expect_control(
        &self,
        step: &StepContext<'_>,
        what: &str,
        is: impl Fn(&ReceivedKind) -> bool,
    ) -> StepResult {
        let from = self.first_unseen(self.log.position());
        let matcher = step.matcher_of(&[("payload", "payload")])?;
        let found = self.take(step.deadline, |received| {
            let payload = received.what.payload().filter(|_| is(&received.what))?;
            let outcome = json!({ "payload": String::from_utf8_lossy(payload) });
            let matched = matcher.check(&outcome);
            matched.matched.then_some((outcome, matched.captures))
        });
        let found = found.await.map(|(outcome, captures)| {
            step.bind_all(captures);
            outcome
        });
        self.judged(found, what, from)
    }

    async fn expect_matching(&self, step: &StepContext<'_>, kind: Option<&str>, matcher: &Matcher) -> StepResult {
        let from = self.first_unseen(self.log.position());
        let number = self.current()?.number;
        let found = self.log.wait(0, step.deadline, |received| {
            if received.taken || received.ours {
                return None;
            }
            if is_end(received, number) {
                // Nothing more can come; what came before was looked at.
                return Some(Err(received.what.shown()));
            }
            if kind.is_some() && received.what.kind() != kind {
                return None;
            }
            let frame = received.what.frame()?.clone();
            let matched = matcher.check(&frame);
            matched.matched.then(|| {
                received.taken = true;
                Ok((frame, matched.captures))
            })
        });
        let found = match found.await {
            Ok((position, Ok((frame, captures)))) => {
                step.bind_all(captures);
                self.look_up_to(position + 1);
                Ok(frame)
            }
            Ok((_, Err(how))) => Err(Unmet::Ended(how.to_string())),
            Err(unmet) => Err(unmet),
        };
        self.judged(found, kind.unwrap_or("frame"), from)
    }

    fn judged(&self, found: Result<Value, Unmet>, what: &str, from: usize) -> StepResult {
        Ok(match found {
            Ok(outcome) => StepOutcome::of(outcome),
            Err(unmet) => {
                let gone = matches!(unmet, Unmet::Ended(_));
                let result = StepOutcome::violated(format!("no {what} that fits: {unmet}"), self.shown_since(from));
                if gone { result.gone() } else { result }
            }
        })
    }

    /// Waits until the daemon closes one of the app's sockets, as long as the step allows: what closes it may have been
    /// decided elsewhere, so that no fence of this app says that it never comes.
    async fn wait_closing(&self, step: &StepContext<'_>) -> Result<Closing, Unmet> {
        self.closing_until(step.deadline).await
    }

    async fn closing_until(&self, deadline: Instant) -> Result<Closing, Unmet> {
        // The end of a connection behind its close frame is no second closing.
        let used = self.state().ended.clone();
        let found = self.log.wait(0, deadline, |received: &mut Received| {
            if used.contains(&received.connection) {
                return None;
            }
            let closing = Closing::of(&received.what).filter(|closing| !closing.local)?;
            Some((received.connection, closing))
        });
        let (position, (number, closing)) = found.await?;
        self.look_up_to(position + 1);
        self.state().ended.insert(number);
        Ok(closing)
    }
}

/// Whether the step says something about this argument.
fn names(step: &StepContext<'_>, argument: &str) -> bool {
    step.action.args.member(argument).is_some()
}

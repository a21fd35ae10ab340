//! What an app may expect: frames, silence, closes, pings.

use super::arrivals::{Arrival, Closing, What};
use super::coming::payload;
use super::{App, arrivals, is_end};
use crate::engine::cue::Cue;
use crate::engine::log::Unmet;
use crate::engine::outcome::{Deed, Done};
use crate::scenario::matcher::Matcher;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// How long a daemon may still take to close a socket behind a fence that proves it has gone on with its work.
const BEHIND_FENCE: Duration = Duration::from_secs(1);

impl App {
    pub(super) async fn expect_call(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of(&[("tool", "name"), ("args", "args"), ("id", "id")])?;
        self.expect_matching(cue, Some("tool_call"), &matcher).await
    }

    pub(super) async fn expect_read(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of(&[("resource", "name"), ("uri", "uri"), ("id", "id")])?;
        self.expect_matching(cue, Some("resource_read"), &matcher).await
    }

    pub(super) async fn expect_cancel(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of(&[("call", "id"), ("reason", "reason")])?;
        self.expect_matching(cue, Some("tool_cancel"), &matcher).await
    }

    pub(super) async fn expect_frame(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of_body()?;
        self.expect_matching(cue, None, &matcher).await
    }

    pub(super) async fn expect_none(&self, cue: &Cue<'_>) -> Done {
        let from = self.state().looked;
        let matcher = cue.matcher_of_body()?;
        let stage = &cue.world.stage;
        // A fence of ours inwards, or, where nothing of the app can be reached, outwards.
        let fenced = match self.inward_fence(stage, cue.deadline).await {
            Ok(false) => self.need_fence(cue).await,
            reached => reached.map(drop),
        };
        let frames: Vec<Value> = self.log.read(from, |arrivals| {
            let story = arrivals.iter().filter(|arrival| !arrival.ours && !arrival.taken);
            story.filter_map(|arrival| arrival.what.frame()).filter(|frame| matcher.matches(frame)).cloned().collect()
        });
        self.look_up_to(self.log.position());
        self.forget_served();
        // What came breaks a silence even if nothing ends it; an expectation of its own needs to know that this is all.
        if frames.is_empty() || cue.expects() {
            fenced?;
        }
        let mut deed = Deed::of(json!({ "count": frames.len(), "frames": frames }));
        if !frames.is_empty() && !cue.expects() {
            deed.violated = Some(format!("{} came that should not have", counted(frames.len(), "frame")));
            deed.arrived = frames;
        }
        Ok(deed)
    }

    pub(super) async fn expect_close(&self, cue: &Cue<'_>) -> Done {
        let from = self.story_start(self.log.position());
        match self.wait_closing(cue).await {
            Ok(closing) => {
                let outcome = closing.to_json();
                let mut deed = Deed::of(outcome.clone()).arrived(self.shown_since(from));
                if closing.code.is_none() && closing.how != "close_frame" && !names(cue, "how") {
                    deed.violated = Some(format!("the socket ended without a close frame: {}", closing.how));
                } else if !cue.is_bare() {
                    let matched = cue.matcher(&cue.action.args)?.check(&outcome);
                    if !matched.matched {
                        deed.violated = Some(format!("it was {closing}: {}", matched.message()));
                    }
                    cue.bind_all(matched.captures);
                }
                Ok(deed)
            }
            Err(unmet) => {
                Ok(Deed::violated(format!("the daemon did not close the socket: {unmet}"), self.shown_since(from)))
            }
        }
    }

    pub(super) async fn expect_closed(&self, cue: &Cue<'_>) -> Done {
        let from = self.story_start(self.log.position());
        match self.wait_closing(cue).await {
            Ok(closing) => Ok(Deed::of(closing.to_json())),
            Err(unmet) => Ok(Deed::violated(format!("the socket did not end: {unmet}"), self.shown_since(from))),
        }
    }

    pub(super) async fn expect_pong(&self, cue: &Cue<'_>) -> Done {
        self.expect_control(cue, "pong", |what| matches!(what, What::Pong(_))).await
    }

    pub(super) async fn expect_ping(&self, cue: &Cue<'_>) -> Done {
        self.expect_control(cue, "ping", |what| matches!(what, What::Ping(_))).await
    }

    async fn expect_control(&self, cue: &Cue<'_>, what: &str, is: impl Fn(&What) -> bool) -> Done {
        let from = self.story_start(self.log.position());
        let matcher = cue.matcher_of(&[("payload", "payload")])?;
        let found = self.take(cue.deadline, |arrival| {
            let payload = payload(&arrival.what).filter(|_| is(&arrival.what))?;
            let outcome = json!({ "payload": String::from_utf8_lossy(payload) });
            let matched = matcher.check(&outcome);
            matched.matched.then_some((outcome, matched.captures))
        });
        let found = found.await.map(|(outcome, captures)| {
            cue.bind_all(captures);
            outcome
        });
        self.judged(found, what, from)
    }

    async fn expect_matching(&self, cue: &Cue<'_>, kind: Option<&str>, matcher: &Matcher) -> Done {
        let from = self.story_start(self.log.position());
        let number = self.current()?.number;
        let found = self.log.wait(0, cue.deadline, |arrival| {
            if arrival.taken || arrival.ours {
                return None;
            }
            if is_end(arrival, number) {
                // Nothing more can come; what came before was looked at.
                return Some(Err(arrival.what.shown()));
            }
            if kind.is_some() && arrival.what.kind() != kind {
                return None;
            }
            let frame = arrival.what.frame()?.clone();
            let matched = matcher.check(&frame);
            matched.matched.then(|| {
                arrival.taken = true;
                Ok((frame, matched.captures))
            })
        });
        let found = match found.await {
            Ok((position, Ok((frame, captures)))) => {
                cue.bind_all(captures);
                self.look_up_to(position + 1);
                Ok(frame)
            }
            Ok((_, Err(how))) => Err(Unmet::Ended(how.to_string())),
            Err(unmet) => Err(unmet),
        };
        self.judged(found, kind.unwrap_or("frame"), from)
    }

    fn judged(&self, found: Result<Value, Unmet>, what: &str, from: usize) -> Done {
        Ok(match found {
            Ok(outcome) => Deed::of(outcome),
            Err(unmet) => {
                let gone = matches!(unmet, Unmet::Ended(_));
                let deed = Deed::violated(format!("no {what} that fits: {unmet}"), self.shown_since(from));
                if gone { deed.gone() } else { deed }
            }
        })
    }

    /// Waits until the daemon closes one of the app's sockets. A fence that gets through proves that the daemon has gone
    /// on with its work: then there is little left to wait for.
    async fn wait_closing(&self, cue: &Cue<'_>) -> Result<Closing, Unmet> {
        let closing = self.closing_until(cue.deadline);
        if !self.may_fence() || cue.action.within.is_some() {
            return closing.await;
        }
        tokio::pin!(closing);
        let fence = self.fence(&cue.world.stage, cue.deadline);
        tokio::select! {
            biased;
            closing = &mut closing => closing,
            passed = fence => {
                let passed = matches!(passed, Ok(Ok(())));
                let patience = cue.world.stage.pace().scaled(BEHIND_FENCE.as_secs_f64());
                let deadline = if passed { cue.deadline.min(Instant::now() + patience) } else { cue.deadline };
                match tokio::time::timeout_at(deadline, closing).await {
                    Ok(closing) => closing,
                    Err(_) => Err(Unmet::Ended("it went on with its work instead, as a fence proved".into())),
                }
            }
        }
    }

    /// Whether the current socket is open and between messages, so that a fence can be sent on it.
    fn may_fence(&self) -> bool {
        let current = {
            let state = self.state();
            state.current.as_ref().map(|current| current.number).filter(|number| !state.torn.contains(number))
        };
        current.is_some_and(|number| arrivals::closing(&self.log, number).is_none())
    }

    async fn closing_until(&self, deadline: Instant) -> Result<Closing, Unmet> {
        // The end of a connection behind its close frame is no second closing.
        let used = self.state().ended.clone();
        let found = self.log.wait(0, deadline, |arrival: &mut Arrival| {
            if used.contains(&arrival.connection) {
                return None;
            }
            let closing = Closing::of(&arrival.what).filter(|closing| !closing.local)?;
            Some((arrival.connection, closing))
        });
        let (position, (number, closing)) = found.await?;
        self.look_up_to(position + 1);
        self.state().ended.insert(number);
        Ok(closing)
    }
}

/// Whether the step says something about this argument.
fn names(cue: &Cue<'_>, argument: &str) -> bool {
    cue.action.args.member(argument).is_some()
}

/// `1 frame`, `2 frames`.
pub(in crate::engine) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

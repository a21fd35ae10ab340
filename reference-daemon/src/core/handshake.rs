//! The first frame: a claim or a resume makes a socket speak for a session (`BRG-SES-01` … `BRG-SES-06`,
//! `BRG-SES-09`).

use super::io::{LogLevel, Now, Output, SocketId, Timer};
use super::registry::Registry;
use super::sessions::{Past, Serial, Session};
use super::state::Core;
use crate::rules::{Guesses, Leak, Replacement, SecondClaim, is_due};
use iolite_protocol::close::Close;
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{AppFrame, ClaimFrame, DaemonFrame, Device, FirstFrame, ResumeFrame, SessionAck};
use serde_json::{Value, json};
use std::collections::HashMap;

impl Core {
    pub(super) fn first_frame_arrived(&mut self, socket: SocketId, text: &str) {
        match AppFrame::decode_first(text, &self.rules.contract) {
            Ok(frame) => self.take_first(socket, frame),
            Err(error) => {
                if self.rules.foundation.violations_take_effect {
                    self.apply_refused_first(socket, text);
                }
                self.waive_first(socket, text, &error);
                self.violation(socket, error.close);
            }
        }
    }

    /// Lets a first frame that is refused take effect. Only a bent rule table wants that.
    fn apply_refused_first(&mut self, socket: SocketId, text: &str) {
        let lax = self.without_rules();
        if let Ok(frame @ (FirstFrame::Claim(_) | FirstFrame::Resume(_))) = AppFrame::decode_first(text, &lax) {
            return self.take_first(socket, frame);
        }
        let named = serde_json::from_str::<Value>(text).ok().and_then(|frame| frame.get("session_id").cloned());
        let named = named.as_ref().and_then(Value::as_str);
        if let Some(session) = named.and_then(|id| self.sessions.by_id(id))
            && let Ok(frame) = AppFrame::decode_in_session(text, &session.id, &lax)
        {
            let serial = session.serial;
            self.take_frame(socket, serial, frame);
        }
    }

    pub(super) fn take_first(&mut self, socket: SocketId, frame: FirstFrame) {
        match frame {
            FirstFrame::Claim(claim) => self.claim(socket, &claim),
            FirstFrame::Resume(resume) => self.resume(socket, &resume),
            FirstFrame::Ignored(_) => (),
        }
    }

    fn claim(&mut self, socket: SocketId, claim: &ClaimFrame) {
        self.counts.claims += 1;
        let is_late = self.config.used_before && !self.rules.session.serves_after_restart;
        if is_late || is_due(self.rules.foundation.refused_claims, self.counts.claims) {
            return self.refuse_handshake(socket, Close::UNKNOWN_SESSION);
        }
        match self.judge_claim(claim) {
            Ok(Claimed::Fresh) => self.take_link(socket, claim),
            Ok(Claimed::Again(serial)) => self.bind(socket, serial, EventKind::SessionResumed),
            Err(close) => self.refuse_handshake(socket, close),
        }
    }

    /// Refuses a claim or resume.
    fn refuse_handshake(&mut self, socket: SocketId, close: Close) {
        if self.rules.claim.refusals_are_told {
            self.close_socket(socket, close);
        }
    }

    fn judge_claim(&mut self, claim: &ClaimFrame) -> Result<Claimed, Close> {
        let id = claim.session_id();
        if let Some(session) = self.sessions.by_id(id) {
            return self.judge_second_claim(session, claim);
        }
        self.expire_if_due(id);
        let limits = &self.rules.contract.limits;
        let rules = &self.rules.claim;
        let Some(link) = self.links.pending_mut(id) else {
            return Err(match self.links.tell_expired(id) {
                Some(told) => rules.expired_claim[usize::from(told)],
                None => rules.unknown_claim,
            });
        };
        if rules.check_token && !same_secret(&link.token, claim.token()) {
            if rules.count_failures {
                link.failures += 1;
            }
            if link.failures < limits.claim_attempts {
                return Err(Close::INVALID_TOKEN);
            }
            if rules.kill_link {
                self.discard_link(id);
                self.events.forget(id);
            }
            return Err(Close::CLAIM_ATTEMPTS_EXCEEDED);
        }
        if rules.cap.is_some_and(|cap| self.sessions.len() >= cap) {
            return Err(Close::UNKNOWN_SESSION);
        }
        Ok(Claimed::Fresh)
    }

    fn judge_second_claim(&self, session: &Session, claim: &ClaimFrame) -> Result<Claimed, Close> {
        let rules = &self.rules.claim;
        let right = same_secret(&session.claim_token, claim.token());
        let racing = rules.race_window_ms > self.now.since(session.claimed);
        match rules.second_claim {
            SecondClaim::TakeOver if right => Ok(Claimed::Again(session.serial)),
            _ if racing && right => Ok(Claimed::Again(session.serial)),
            SecondClaim::DenyKnowledge => Err(Close::UNKNOWN_SESSION),
            SecondClaim::Refuse | SecondClaim::TakeOver => Err(Close::ALREADY_CLAIMED),
        }
    }

    /// A right claim: the link becomes a session.
    fn take_link(&mut self, socket: SocketId, claim: &ClaimFrame) {
        let id = claim.session_id();
        let Some(link) = self.links.take(id) else {
            return;
        };
        if self.rules.claim.claim_stops_expiry {
            self.cancel_timer(Timer::LinkExpiry(link.serial));
        }
        let session = Session {
            created: link.created,
            claim_token: link.token,
            ..self.new_session(link.serial, id, claim.device().clone())
        };
        self.sessions.insert(session);
        self.bind(socket, link.serial, EventKind::SessionClaimed);
        let oldest = self.sessions.iter().next().map(|session| session.serial);
        if let Some(oldest) = oldest
            && self.rules.claim.oldest_ends_beyond.is_some_and(|most| self.sessions.len() > most)
        {
            self.end_session(oldest, EventKind::SessionExpired);
        }
    }

    fn new_session(&mut self, serial: Serial, id: &str, device: Device) -> Session {
        let keep_removed = !self.rules.resources.registered_only;
        Session {
            serial,
            id: id.to_owned(),
            alias: self.sessions.reserve_alias(device.model(), serial, &self.rules),
            device,
            created: self.now,
            claimed: Now { unix_ms: self.now.unix_ms.saturating_sub(self.rules.claim.claimed_shift_ms) },
            suspended: None,
            socket: None,
            resume_token: String::new(),
            old_resume_token: None,
            claim_token: String::new(),
            past: Past::new(self.now),
            tools: Registry::new(false),
            resources: Registry::new(keep_removed),
            kept_contents: HashMap::new(),
        }
    }

    /// Takes up the sessions of the daemon before this one. Only a bent rule table wants that.
    pub(super) fn remember_sessions(&mut self) {
        if self.rules.session.restart_forgets {
            return;
        }
        for id in std::mem::take(&mut self.config.left_behind) {
            let serial = self.next_serial();
            let session = Session { suspended: Some(self.now), ..self.new_session(serial, &id, Device::default()) };
            self.sessions.insert(session);
        }
    }

    fn resume(&mut self, socket: SocketId, resume: &ResumeFrame) {
        match self.judge_resume(resume) {
            Ok(serial) => self.bind(socket, serial, EventKind::SessionResumed),
            Err(close) => self.refuse_handshake(socket, close),
        }
    }

    fn judge_resume(&mut self, resume: &ResumeFrame) -> Result<Serial, Close> {
        let id = resume.session_id();
        self.counts.resumes += 1;
        if is_due(self.rules.foundation.refused_resumes, self.counts.resumes) {
            return Err(Close::UNKNOWN_SESSION);
        }
        if self.links.is_pending(id) {
            return Err(self.rules.session.pending_resume);
        }
        let rules = &self.rules.session;
        let Some(session) = self.sessions.by_id(id) else {
            if rules.refuse_unknown_resume {
                return Err(rules.unknown_resume);
            }
            let serial = self.next_serial();
            let session = self.new_session(serial, id, Device::default());
            self.sessions.insert(session);
            return Ok(serial);
        };
        let token = resume.resume_token();
        let old = session.old_resume_token.as_deref();
        let right = same_secret(&session.resume_token, token)
            || !rules.check_resume_token
            || (!rules.refuse_old_resume_token && old.is_some_and(|old| same_secret(old, token)));
        let serial = session.serial;
        let past = session.past;
        let recovery = &self.rules.recovery;
        let spoilt = matches!(recovery.guesses, Guesses::SpoilAfter(most) if past.guesses >= most);
        if !right || spoilt {
            self.guessed(serial);
            return Err(Close::INVALID_RESUME_TOKEN);
        }
        if recovery.most_resumes.is_some_and(|most| past.resumes >= most)
            || (recovery.silent_cannot_resume && past.frames == 0)
        {
            return Err(Close::UNKNOWN_SESSION);
        }
        let Some(session) = self.sessions.get(serial) else {
            return Err(Close::UNKNOWN_SESSION);
        };
        if session.socket.is_some() && rules.replacement == Replacement::Refuse {
            return Err(Close::ALREADY_CLAIMED);
        }
        Ok(session.serial)
    }

    /// Somebody does not know the resume token. By the contract the session does not care (`BRG-SES-19`).
    fn guessed(&mut self, serial: Serial) {
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        session.past.guesses += 1;
        let (guesses, socket) = (session.past.guesses, session.socket);
        match self.rules.recovery.guesses {
            Guesses::EndAfter(most) if guesses >= most => {
                if let Some(socket) = socket {
                    self.close_socket(socket, Close::REVOKED);
                }
                self.end_session(serial, EventKind::SessionRevoked);
            }
            Guesses::Suspend => {
                if let Some(socket) = socket {
                    self.close_socket(socket, Close::INVALID_RESUME_TOKEN);
                    self.lose_socket(serial);
                }
            }
            Guesses::Harmless | Guesses::EndAfter(_) | Guesses::SpoilAfter(_) => (),
        }
    }

    /// From now on this socket, and no other, speaks for the session.
    fn bind(&mut self, socket: SocketId, serial: Serial, kind: EventKind) {
        self.replace_old_socket(serial);
        let fresh_token = self.random_text(32);
        let resumed = kind == EventKind::SessionResumed;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        session.socket = Some(socket);
        session.suspended = None;
        session.past.last_frame = self.now;
        if resumed {
            session.past.resumes += 1;
        }
        if self.rules.session.rotate_resume_token || session.resume_token.is_empty() {
            let old = std::mem::replace(&mut session.resume_token, fresh_token);
            session.old_resume_token = Some(old).filter(|old| !old.is_empty());
        }
        if !self.rules.recovery.grace_goes_on {
            self.cancel_timer(Timer::Grace(serial));
        }
        self.cancel_timer(Timer::PreClaim(socket));
        if let Some(found) = self.sockets.get_mut(&socket) {
            found.session = Some(serial);
            found.missed = 0;
        }
        if resumed && !self.rules.session.resume_keeps_alias {
            self.rename(serial);
        }
        if self.rules.claim.acknowledges {
            self.send_ack(socket, serial);
        }
        self.start_pings(socket);
        if resumed {
            self.registries_resumed(serial);
        }
        let data = self.binding_data(serial, kind);
        self.emit(kind, serial, data);
        self.send_waiting(serial);
    }

    fn replace_old_socket(&mut self, serial: Serial) {
        let old = self.sessions.get_mut(serial).and_then(|session| session.socket.take());
        let Some(old) = old else {
            return;
        };
        if self.rules.session.replacement != Replacement::LeaveOpen {
            self.close_socket(old, Close::SESSION_REPLACED);
        }
        if !self.rules.session.replacement_is_quiet {
            self.emit(EventKind::SessionSuspended, serial, json!({}));
        }
        // What the old socket was asked will not be answered on the new one.
        self.fail_in_flight_on_loss(serial);
    }

    fn rename(&mut self, serial: Serial) {
        let Some(model) = self.sessions.get(serial).map(|session| session.device.model().map(str::to_owned)) else {
            return;
        };
        let alias = self.sessions.reserve_alias(model.as_deref(), serial, &self.rules);
        if let Some(session) = self.sessions.get_mut(serial) {
            let old = std::mem::replace(&mut session.alias, alias);
            self.sessions.free_alias(&old, serial);
        }
    }

    fn send_ack(&mut self, socket: SocketId, serial: Serial) {
        let Some(session) = self.sessions.get(serial) else {
            return;
        };
        let ack = SessionAck::new(
            &session.id,
            &session.alias,
            &session.resume_token,
            self.config.keepalive_interval_s,
            self.config.grace_s.saturating_add(self.rules.claim.announced_grace_shift),
            &self.rules.contract,
        );
        let mut ack = match ack {
            Ok(ack) => DaemonFrame::SessionAck(ack).to_json(),
            // Only reachable with a configuration or a rule table outside the contract.
            Err(error) => return self.log(LogLevel::Warn, format!("no ack: {error}")),
        };
        if let (Some(member), Some(object)) = (self.rules.claim.dropped_ack_member, ack.as_object_mut()) {
            object.shift_remove(member);
        }
        self.out.push(Output::SendText { socket, text: ack.to_string() });
    }

    fn binding_data(&mut self, serial: Serial, kind: EventKind) -> Value {
        let Some(session) = self.sessions.get(serial) else {
            return json!({});
        };
        let mut data = match kind {
            EventKind::SessionClaimed => json!({ "device": session.device.to_json() }),
            _ => json!({}),
        };
        let message = format!("{} is {}", session.alias, kind.as_str());
        let token = session.resume_token.clone();
        match self.rules.session.leak {
            Some(Leak::Event) => data["resumeToken"] = token.into(),
            Some(Leak::Log) => self.log(LogLevel::Warn, format!("{message}, token {token}")),
            Some(Leak::Summary) | None => self.log(LogLevel::Info, message),
        }
        data
    }
}

enum Claimed {
    /// The link is right and unused.
    Fresh,
    /// A bent rule table lets the claim have a session that lives already.
    Again(Serial),
}

/// Whether two secrets are equal, in a time that depends on their lengths only.
fn same_secret(kept: &str, given: &str) -> bool {
    kept.len() == given.len() && kept.bytes().zip(given.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

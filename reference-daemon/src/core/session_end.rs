//! How links and sessions end: a lost socket, an expiry, a revocation, the end of the daemon (`BRG-SES-07`, `-08`,
//! `-10`).

use super::events::Subject;
use super::io::{LogLevel, Output, SocketId, Timer};
use super::registry::Registry;
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{GraceFrom, SilentLoss};
use iolite_protocol::close::Close;
use iolite_protocol::event::EventKind;
use serde_json::json;

impl Core {
    /// The session's socket is no more: it is suspended, and keeps alias, device, tools and resources
    /// (`BRG-SES-07`).
    pub(super) fn lose_socket(&mut self, serial: Serial) {
        let silent = self.sessions.get(serial).is_some_and(|session| session.past.frames == 0);
        if !self.rules.session.suspend_on_loss || (silent && self.rules.recovery.silent_loss == SilentLoss::Ends) {
            return self.end_session(serial, EventKind::SessionExpired);
        }
        let now = self.now;
        let Some(session) = self.sessions.get_mut(serial) else {
            return;
        };
        session.socket = None;
        if session.suspended.is_some() {
            return;
        }
        session.suspended = Some(now);
        session.past.losses += 1;
        session.past.first_loss.get_or_insert(now);
        session.past.last_loss = Some(now);
        let alias = session.alias.clone();
        self.log(LogLevel::Info, format!("{alias} is suspended"));
        if !self.rules.claim.alias_kept_while_suspended {
            self.sessions.free_alias(&alias, serial);
        }
        if let Some(grace) = self.grace_ms(serial) {
            self.set_timer(Timer::Grace(serial), grace);
        }
        self.emit(EventKind::SessionSuspended, serial, json!({}));
        if !self.rules.session.loss_is_told_once {
            let others: Vec<Serial> = self.sessions.iter().map(|session| session.serial).collect();
            for other in others.into_iter().filter(|other| *other != serial) {
                self.emit(EventKind::SessionSuspended, other, json!({}));
            }
        }
        self.registries_suspended(serial);
        self.tools_lost_with_loss(serial);
        self.fail_in_flight_on_loss(serial);
    }

    /// Takes the tools of a session that was lost too often. Only a bent rule table wants that.
    fn tools_lost_with_loss(&mut self, serial: Serial) {
        if let (Some(most), Some(session)) = (self.rules.recovery.tools_lost_with_loss, self.sessions.get_mut(serial))
            && session.past.losses > most
        {
            session.tools = Registry::new(false);
        }
    }

    /// How long a session is kept that has just been lost, in milliseconds; `None`: for ever.
    fn grace_ms(&self, serial: Serial) -> Option<u64> {
        let (rules, times, recovery) = (&self.rules.session, &self.rules.times, &self.rules.recovery);
        let session = self.sessions.get(serial)?;
        let past = session.past;
        let endless = (recovery.silent_loss == SilentLoss::Endless && past.frames == 0)
            || recovery.endless_after_resumes.is_some_and(|most| past.resumes >= most);
        if !rules.sessions_expire || endless {
            return None;
        }
        let grace_s = times.grace_cap_s.map_or(self.config.grace_s, |cap| self.config.grace_s.min(cap));
        let grace = grace_s.saturating_mul(1_000).saturating_mul(rules.grace_percent) / 100;
        let grace = match recovery.grace_shrinks {
            true => grace >> past.resumes.min(63),
            false => grace,
        };
        let begin = match recovery.grace_from {
            GraceFrom::Loss => self.now,
            GraceFrom::LastFrame => past.last_frame,
            GraceFrom::Claim => session.claimed,
            GraceFrom::FirstLoss => past.first_loss.unwrap_or(self.now),
        };
        Some(times.grace_timer.count(grace).saturating_sub(self.now.since(begin)))
    }

    pub(super) fn grace_over(&mut self, serial: Serial) {
        let suspended = self.sessions.get(serial).is_some_and(|session| !session.is_active());
        if suspended || self.rules.recovery.grace_goes_on {
            self.end_session(serial, EventKind::SessionExpired);
        }
    }

    /// The operator ends a session (`BRG-SES-10`).
    pub(super) fn revoke(&mut self, serial: Serial) {
        let socket = self.sessions.get(serial).and_then(|session| session.socket);
        if let Some(socket) = socket
            && self.rules.session.revoke_closes
        {
            self.close_socket(socket, Close::REVOKED);
        }
        match self.rules.session.revoke_ends {
            true => self.end_session(serial, EventKind::SessionRevoked),
            false => self.lose_socket(serial),
        }
    }

    /// A terminal state: what is in flight fails, the alias is free, the events are gone (`BRG-SES-05`,
    /// `BRG-TOL-11`, `BRG-RPC-07`).
    pub(super) fn end_session(&mut self, serial: Serial, kind: EventKind) {
        let Some(session) = self.sessions.get(serial) else {
            return;
        };
        self.log(LogLevel::Info, format!("{}: {kind}", session.alias));
        self.cancel_timer(Timer::Grace(serial));
        self.fail_in_flight_on_end(serial);
        self.emit(kind, serial, json!({}));
        if let Some(session) = self.sessions.take(serial, &self.rules)
            && self.rules.rpc.events_end_with_session
        {
            self.events.forget(&session.id);
        }
    }

    /// Expires a link whose time is over although its timer has not fired yet.
    pub(super) fn expire_if_due(&mut self, session_id: &str) {
        let now = self.now;
        let due = self.links.pending_mut(session_id).filter(|link| link.expires <= now).map(|link| link.serial);
        if let Some(serial) = due {
            self.link_expired(serial);
        }
    }

    /// A link's time is over (`BRG-SES-04`).
    pub(super) fn link_expired(&mut self, serial: Serial) {
        let Some(session_id) = self.links.by_serial(serial).map(str::to_owned) else {
            if !self.rules.claim.claim_stops_expiry {
                self.end_session(serial, EventKind::LinkExpired);
            }
            return;
        };
        if !self.rules.claim.links_expire {
            return;
        }
        self.discard_link(&session_id);
        self.links.remember_expired(session_id.clone());
        let subject = Subject { session_id: &session_id, alias: None };
        self.emit_about(EventKind::LinkExpired, Some(subject), json!({}), None);
        self.events.forget(&session_id);
    }

    /// The operator discards a link (`BRG-SES-10`).
    pub(super) fn revoke_link(&mut self, session_id: &str) {
        self.discard_link(session_id);
        let subject = Subject { session_id, alias: None };
        self.emit_about(EventKind::SessionRevoked, Some(subject), json!({}), None);
        self.events.forget(session_id);
    }

    /// A link is no more.
    pub(super) fn discard_link(&mut self, session_id: &str) {
        if let Some(link) = self.links.take(session_id) {
            self.cancel_timer(Timer::LinkExpiry(link.serial));
        }
    }

    /// The end of everything: every socket closes with 1001 (`BRG-CON-14`).
    pub(super) fn shut_down(&mut self) {
        let mut sockets: Vec<SocketId> = self.sockets.keys().copied().collect();
        sockets.sort_unstable();
        for socket in sockets {
            self.close_socket(socket, Close::DAEMON_SHUTDOWN);
        }
        self.fail_all_in_flight();
        let connections: Vec<_> = self.connections.keys().copied().collect();
        for connection in connections {
            self.out.push(Output::RpcEnd { connection });
        }
        self.connections.clear();
        self.log(LogLevel::Info, "the daemon stops".to_owned());
        self.out.push(Output::Stop);
        self.stopped = true;
    }
}

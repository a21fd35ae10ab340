//! Sockets of apps: opened, read, kept alive, closed (`BRG-CON-…`).

use super::io::{LogLevel, Output, SocketId, Timer};
use super::sessions::Serial;
use super::state::{Core, Socket};
use crate::rules::{SilentLoss, Violation};
use iolite_protocol::close::{Close, CloseReason};
use iolite_protocol::event::EventKind;

impl Core {
    pub(super) fn socket_opened(&mut self, socket: SocketId) {
        self.sockets.insert(socket, Socket { session: None, missed: 0, pings: 0, closing: false });
        if self.rules.connection.pre_claim_timeout {
            let limit = self.rules.contract.limits.pre_claim_ms;
            self.set_timer(Timer::PreClaim(socket), limit);
        }
    }

    pub(super) fn socket_text(&mut self, socket: SocketId, text: &str) {
        if !self.may_speak(socket) {
            return;
        }
        let texts = &self.rules.texts;
        if texts.refused_length == Some(text.len()) || texts.refused_from.is_some_and(|from| text.len() >= from) {
            return self.violation(socket, Close::MESSAGE_TOO_BIG);
        }
        if !text.is_ascii() && !self.rules.connection.unusual_text {
            return self.violation(socket, Close::INVALID_JSON);
        }
        match self.sockets.get(&socket).and_then(|found| found.session) {
            Some(session) => self.frame_arrived(socket, session, text),
            None => self.first_frame_arrived(socket, text),
        }
    }

    /// A message arrived that breaks a rule whatever its content (`BRG-CON-01`, `-08`, `-12`).
    pub(super) fn socket_violation(&mut self, socket: SocketId, close: Close) {
        if self.may_speak(socket) {
            self.violation(socket, close);
        }
    }

    /// Whether what arrives on this socket counts: it is open, nothing was decided against it, and if it has a session,
    /// it is the one that speaks for it (`BRG-CON-15`, `BRG-SES-15`).
    fn may_speak(&self, socket: SocketId) -> bool {
        let Some(found) = self.sockets.get(&socket) else {
            return false;
        };
        let speaker = found.session.map(|serial| self.sessions.get(serial).and_then(|session| session.socket));
        match speaker {
            Some(Some(other)) if other != socket => !self.rules.session.replaced_is_powerless,
            Some(None) => !self.rules.connection.powerless_when_closing,
            Some(Some(_)) | None => !found.closing || !self.rules.connection.powerless_when_closing,
        }
    }

    /// A rule was broken: the socket is closed and its session suspended at once, and nobody else is concerned
    /// (`BRG-CON-11`, `BRG-SES-16`).
    pub(super) fn violation(&mut self, socket: SocketId, close: Close) {
        if self.verdict(close.reason) == Violation::Ignore {
            return;
        }
        self.log(LogLevel::Warn, format!("socket {} broke a rule: {close}", socket.0));
        let session = self.sockets.get(&socket).and_then(|found| found.session);
        let speaks =
            session.filter(|serial| self.sessions.get(*serial).is_some_and(|session| session.socket == Some(socket)));
        if speaks.is_some() && !self.rules.session.suspend_at_once {
            self.send_close(socket, close);
            if let Some(found) = self.sockets.get_mut(&socket) {
                found.closing = true;
            }
        } else {
            match self.rules.connection.violations_are_told {
                true => self.close_socket(socket, close),
                false => self.drop_socket(socket),
            }
            match speaks {
                Some(serial) if self.rules.foundation.violations_end_sessions => {
                    self.end_session(serial, EventKind::SessionExpired);
                }
                Some(serial) => self.lose_socket(serial),
                None => (),
            }
        }
        if self.rules.foundation.violations_discard_links {
            let pending: Vec<String> = self.links.pending().map(|(id, _)| id.clone()).collect();
            for id in pending {
                self.discard_link(&id);
            }
        }
        if !self.rules.connection.own_blast_radius {
            self.suspend_everybody(close);
        }
    }

    fn verdict(&self, reason: CloseReason) -> Violation {
        let rules = &self.rules.connection;
        match reason {
            CloseReason::None => rules.unreadable,
            CloseReason::BinaryFrameNotSupported => rules.binary,
            CloseReason::InvalidJson => rules.invalid_json,
            CloseReason::ExpectedClaimOrResume => rules.bad_first_frame,
            CloseReason::UnknownMessageType => rules.unknown_type,
            CloseReason::SessionMismatch => rules.session_mismatch,
            CloseReason::InvalidMessage => rules.invalid_message,
            CloseReason::InvalidRegistry => rules.invalid_registry,
            _ => Violation::Close,
        }
    }

    fn suspend_everybody(&mut self, close: Close) {
        let others: Vec<(Serial, SocketId)> =
            self.sessions.iter().filter_map(|session| Some((session.serial, session.socket?))).collect();
        for (serial, socket) in others {
            self.close_socket(socket, close);
            self.lose_socket(serial);
        }
    }

    pub(super) fn socket_pong(&mut self, socket: SocketId) {
        if !self.rules.connection.count_pongs {
            return;
        }
        if let Some(found) = self.sockets.get_mut(&socket) {
            found.missed = 0;
        }
    }

    /// The peer is gone. Only the socket that speaks for a session takes the session along (`BRG-SES-09`).
    pub(super) fn socket_closed(&mut self, socket: SocketId) {
        let Some(found) = self.sockets.remove(&socket) else {
            return;
        };
        self.forget_timers(socket);
        let Some(session) = found.session.and_then(|serial| self.sessions.get(serial)) else {
            return;
        };
        let (recovery, past) = (&self.rules.recovery, session.past);
        let deaf = recovery.deaf_after_resumes.is_some_and(|most| past.resumes >= most)
            || (recovery.silent_loss == SilentLoss::Unnoticed && past.frames == 0);
        if (session.socket == Some(socket) && !deaf) || !self.rules.session.ignore_late_close {
            let serial = session.serial;
            self.lose_socket(serial);
        }
    }

    pub(super) fn pre_claim_over(&mut self, socket: SocketId) {
        let waits = self.sockets.get(&socket).is_some_and(|found| found.session.is_none() && !found.closing);
        if waits {
            self.violation(socket, Close::PRE_CLAIM_TIMEOUT);
        }
    }

    /// From now on the socket is pinged (`BRG-CON-09`).
    pub(super) fn start_pings(&mut self, socket: SocketId) {
        if self.rules.connection.pings {
            let interval = self.ping_interval_ms();
            self.set_timer(Timer::Ping(socket), interval);
        }
    }

    fn ping_interval_ms(&self) -> u64 {
        let percent = self.rules.connection.ping_interval_percent;
        self.config.keepalive_interval_s.saturating_mul(1_000).saturating_mul(percent) / 100
    }

    /// Time for a ping, unless too many went unanswered: then the peer is taken for dead.
    pub(super) fn ping_due(&mut self, socket: SocketId) {
        let limit = self.rules.contract.limits.missed_pongs;
        let rules = &self.rules.connection;
        let Some(found) = self.sockets.get_mut(&socket).filter(|found| !found.closing || !rules.replaced_is_unpinged)
        else {
            return;
        };
        if rules.most_pings.is_some_and(|most| found.pings >= most) {
            return;
        }
        let last_frame =
            found.session.and_then(|serial| self.sessions.get(serial)).map(|session| session.past.last_frame);
        let idle = self.rules.recovery.idle_limit_ms.zip(last_frame);
        let idles = idle.is_some_and(|(most, last)| self.now.since(last) > most);
        if (found.missed >= limit && self.rules.connection.drop_silent_peers) || idles {
            let session = found.session;
            self.sockets.remove(&socket);
            self.forget_timers(socket);
            self.log(LogLevel::Info, format!("socket {} answers no pings", socket.0));
            self.out.push(Output::Drop { socket });
            if let Some(serial) = session
                && (self.sessions.get(serial).is_some_and(|session| session.socket == Some(socket))
                    || !self.rules.connection.replaced_is_unpinged)
            {
                self.lose_socket(serial);
            }
            return;
        }
        found.missed = found.missed.saturating_add(1);
        found.pings = found.pings.saturating_add(1);
        self.out.push(Output::SendPing { socket });
        self.start_pings(socket);
    }

    /// Closes a socket; what it still sends is ignored. Its session, if it has one, is left to the caller.
    pub(super) fn close_socket(&mut self, socket: SocketId, close: Close) {
        self.send_close(socket, close);
        if close != Close::SESSION_REPLACED || self.rules.connection.replaced_is_unpinged {
            self.forget_timers(socket);
        }
        self.disarm(socket);
    }

    /// Drops a socket without a close frame. Only a bent rule table wants that.
    fn drop_socket(&mut self, socket: SocketId) {
        self.forget_timers(socket);
        if self.sockets.remove(&socket).is_some() {
            self.out.push(Output::Drop { socket });
        }
    }

    /// Makes a socket powerless: it is forgotten, unless a bent rule table still serves what it sends.
    fn disarm(&mut self, socket: SocketId) {
        let rules = &self.rules;
        let powerless = rules.connection.powerless_when_closing && rules.session.replaced_is_powerless;
        if powerless && rules.session.ignore_late_close && rules.connection.replaced_is_unpinged {
            self.sockets.remove(&socket);
        } else if let Some(found) = self.sockets.get_mut(&socket) {
            found.closing = true;
        }
    }

    fn send_close(&mut self, socket: SocketId, close: Close) {
        let is_open = self.sockets.get(&socket).is_some_and(|found| !found.closing);
        if is_open {
            let close = self.rules.connection.close(close);
            self.out.push(Output::Close { socket, close });
        }
    }

    fn forget_timers(&mut self, socket: SocketId) {
        self.cancel_timer(Timer::PreClaim(socket));
        self.cancel_timer(Timer::Ping(socket));
    }
}

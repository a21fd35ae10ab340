//! `daemon.status` and `link.create` (`BRG-LNK-01` … `BRG-LNK-04`).

use crate::core::io::Timer;
use crate::core::links::PendingLink;
use crate::core::state::Core;
use crate::core::{events::Subject, time::time_text};
use crate::rules::RefusedLink;
use iolite_protocol::bootstrap::{Endpoint, Link, token_text};
use iolite_protocol::event::EventKind;
use iolite_protocol::rpc::{LinkCreate, RpcError};
use serde_json::{Value, json};
use std::net::IpAddr;

impl Core {
    pub(super) fn status(&self) -> Value {
        let config = &self.config;
        let started = self.started.unwrap_or(self.now);
        let active = self.sessions.iter().filter(|session| session.is_active()).count();
        let pinned_keys: Vec<&String> = match self.rules.link.status_lists_pins {
            true => config.pinned_keys.iter().collect(),
            false => Vec::new(),
        };
        json!({
            "version": config.version,
            "pid": config.pid,
            "startedAt": time_text(started, &self.rules.rpc),
            "uptimeMs": self.now.since(started),
            "endpoint": endpoint(config.advertised_ip, config.wss_port),
            "scheme": config.scheme,
            "pinnedKeys": pinned_keys,
            "sessions": {
                "active": active,
                "suspended": self.sessions.len() - active,
                "pending": self.links.len(),
            },
            "inFlight": self.in_flight.len(),
            "connections": self.connections.len(),
        })
    }

    /// Mints a link (`BRG-LNK-01`). The payload, and nothing else, holds the token.
    pub(super) fn link_create(&mut self, params: &LinkCreate) -> Result<Value, RpcError> {
        let rules = self.rules.link.clone();
        if let (Some(last), false) = (&self.last_link_answer, rules.fresh_link) {
            return Ok(last.clone());
        }
        let address =
            params.address_override.filter(|_| rules.obey_address_override).unwrap_or(self.config.advertised_ip);
        let asked = params.ttl_seconds.filter(|_| rules.obey_ttl);
        let ttl_ms = match asked {
            Some(seconds) => seconds.get().saturating_mul(rules.ttl_unit_ms),
            None if rules.obey_configured_ttl => self.config.link_ttl_s.saturating_mul(1_000),
            None => 3_600_000,
        }
        .min(LONGEST_TTL_MS)
        .min(self.rules.times.link_cap_s.map_or(u64::MAX, |cap| cap.saturating_mul(1_000)));
        if self.rules.times.longest_link_s.is_some_and(|longest| ttl_ms > longest.saturating_mul(1_000)) {
            return Err(self.typed("invalid_request", "the link would live too long".to_owned()));
        }
        let session_id = self.session_id(rules.session_id_bytes);
        let token = self.fresh_token(rules.token_random_bytes, rules.fresh_token);
        let expires = self.now.plus(ttl_ms);
        let life_ms = ttl_ms.saturating_mul(self.rules.claim.link_life_percent) / 100;
        // Whole seconds, rounded down: a link never promises more life than it has.
        let expires_s = expires.unix_ms / 1_000;
        let payload = self.payload(&session_id, token, address, expires_s)?;

        let serial = self.next_serial();
        self.links.insert(
            session_id.clone(),
            PendingLink {
                serial,
                token: token_text(&token),
                created: self.now,
                expires: self.now.plus(life_ms),
                failures: 0,
            },
        );
        self.set_timer(Timer::LinkExpiry(serial), self.rules.times.link_timer.count(life_ms));
        let expires_at = time_text(crate::core::io::Now { unix_ms: expires_s.saturating_mul(1_000) }, &self.rules.rpc);
        let subject = Subject { session_id: &session_id, alias: None };
        let data = json!({ "expiresAt": expires_at });
        self.emit_about(EventKind::LinkCreated, Some(subject), data, None);

        let pin = match rules.true_pin {
            true => self.config.pin.clone(),
            false => format!("sha256/{}=", "A".repeat(43)),
        };
        let before = self.last_link.replace(session_id.clone());
        let told = before.filter(|_| !rules.told_session).unwrap_or(session_id);
        let mut created = json!({
            "sessionId": told,
            "deepLinkPayload": payload,
            "endpoint": endpoint(address, self.config.wss_port),
            "expiresAt": expires_at,
            "pin": pin,
        });
        if let (Some(member), Some(object)) = (rules.dropped_member, created.as_object_mut()) {
            object.shift_remove(member);
        }
        if !rules.fresh_link {
            self.last_link_answer = Some(created.clone());
        }
        Ok(created)
    }

    /// What a refused request for a link leaves behind: nothing by the contract (`BRG-LNK-06`).
    pub(super) fn link_refused(&mut self) {
        match self.rules.link.refused {
            RefusedLink::Nothing => (),
            RefusedLink::Pending => {
                let serial = self.next_serial();
                let id = self.session_id(12);
                let expires = self.now.plus(self.config.link_ttl_s.saturating_mul(1_000));
                let link = PendingLink { serial, token: String::new(), created: self.now, expires, failures: 0 };
                self.links.insert(id, link);
            }
            RefusedLink::Event => {
                let id = self.session_id(12);
                let subject = Subject { session_id: &id, alias: None };
                self.emit_about(EventKind::LinkCreated, Some(subject), json!({}), None);
            }
        }
    }

    fn fresh_token(&mut self, random_bytes: usize, fresh: bool) -> [u8; 32] {
        let mut token = [0; 32];
        let random = random_bytes.min(token.len());
        self.entropy.fill(&mut token[..random]);
        match fresh {
            true => token,
            false => *self.shared_token.get_or_insert(token),
        }
    }

    fn payload(
        &mut self,
        session_id: &str,
        token: [u8; 32],
        address: IpAddr,
        expires_s: u64,
    ) -> Result<String, RpcError> {
        let rules = self.rules.link.clone();
        let named = match rules.payload_session {
            true => session_id.to_owned(),
            false => self.random_text(rules.session_id_bytes),
        };
        let port = self.config.wss_port.wrapping_add(rules.payload_port_shift).max(1);
        let expires = expires_s.saturating_add(rules.payload_expiry_shift);
        let link = Endpoint::new(address, port)
            .and_then(|endpoint| Link::new(&named, token, endpoint, expires))
            .map_err(|error| self.typed("invalid_request", error.to_string()))?;
        let mut bytes = link.to_bytes();
        if let Some(version) = bytes.first_mut() {
            *version = rules.payload_version;
        }
        Ok(token_text(&bytes))
    }
}

fn endpoint(address: IpAddr, port: u16) -> Value {
    let family = match address {
        IpAddr::V4(_) => "ipv4",
        IpAddr::V6(_) => "ipv6",
    };
    json!({ "family": family, "address": address.to_string(), "port": port })
}

/// Longer lives than a hundred years are cut to that, so that the expiry stays a date.
const LONGEST_TTL_MS: u64 = 100 * 365 * 24 * 3_600 * 1_000;

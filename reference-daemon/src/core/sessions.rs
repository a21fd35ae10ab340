//! Sessions that live: active or suspended.

use super::alias;
use super::io::{Now, SocketId};
use super::registry::Registry;
use crate::rules::Rules;
use iolite_protocol::descriptor::{ResourceDescriptor, ToolDescriptor};
use iolite_protocol::frame::Device;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// Number of a session: unique for the life of the daemon, and the link's before it was claimed.
pub(super) type Serial = u64;

/// One app's claim.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) serial: Serial,
    pub(super) id: String,
    pub(super) alias: String,
    pub(super) device: Device,
    pub(super) created: Now,
    pub(super) claimed: Now,
    /// When it lost its socket, while it is suspended.
    pub(super) suspended: Option<Now>,
    /// The socket that speaks for it. No other has any power (`BRG-SES-15`).
    pub(super) socket: Option<SocketId>,
    pub(super) resume_token: String,
    /// The resume token before that. Only a bent rule table accepts it.
    pub(super) old_resume_token: Option<String>,
    /// The link's token. Only a bent rule table accepts it again.
    pub(super) claim_token: String,
    /// What it has been through. Only a bent rule table looks at it.
    pub(super) past: Past,
    pub(super) tools: Registry<ToolDescriptor>,
    pub(super) resources: Registry<ResourceDescriptor>,
    /// Contents served again. Only a bent rule table fills it.
    pub(super) kept_contents: HashMap<String, Value>,
}

/// What a session has been through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    pub(super) frames: u64,
    pub(super) last_frame: Now,
    pub(super) losses: u64,
    pub(super) first_loss: Option<Now>,
    pub(super) last_loss: Option<Now>,
    pub(super) resumes: u64,
    pub(super) guesses: u64,
}

impl Past {
    /// Of a session that begins now.
    pub(super) fn new(now: Now) -> Self {
        Self { frames: 0, last_frame: now, losses: 0, first_loss: None, last_loss: None, resumes: 0, guesses: 0 }
    }
}

impl Session {
    pub(super) fn is_active(&self) -> bool {
        self.suspended.is_none()
    }

    /// `SessionSummary` (`BRG-SES-01`, `BRG-RPC-05`). No token stands in it (`BRG-SES-12`).
    pub(super) fn summary(&self, rules: &Rules) -> Value {
        let time = |moment: Now| super::time::time_text(moment, &rules.rpc);
        let state = match self.is_active() {
            true => "active",
            false => "suspended",
        };
        let mut summary = json!({
            "sessionId": self.id,
            "alias": self.alias,
            "state": state,
            "device": self.device.to_json(),
            "createdAt": time(self.created),
            "claimedAt": time(self.claimed),
        });
        let stays = self.past.last_loss.filter(|_| rules.recovery.suspended_at_stays);
        if let Some(suspended) = self.suspended.or(stays) {
            summary["suspendedAt"] = time(suspended).into();
        }
        summary["toolCount"] = self.tools.len().into();
        if rules.rpc.resource_count {
            summary["resourceCount"] = self.resources.len().into();
        }
        if let (Some(member), Some(object)) = (rules.session.dropped_summary_member, summary.as_object_mut()) {
            object.shift_remove(member);
        }
        summary
    }
}

/// All sessions, in claim order.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    live: BTreeMap<Serial, Session>,
    by_claim: BTreeMap<u64, Serial>,
    claim_numbers: HashMap<Serial, u64>,
    by_id: HashMap<String, Serial>,
    aliases: HashMap<String, Serial>,
    claims: u64,
}

impl Sessions {
    pub(super) fn get(&self, serial: Serial) -> Option<&Session> {
        self.live.get(&serial)
    }

    pub(super) fn get_mut(&mut self, serial: Serial) -> Option<&mut Session> {
        self.live.get_mut(&serial)
    }

    pub(super) fn by_id(&self, id: &str) -> Option<&Session> {
        self.get(*self.by_id.get(id)?)
    }

    pub(super) fn by_alias(&self, alias: &str) -> Option<&Session> {
        self.get(*self.aliases.get(alias)?)
    }

    /// In claim order (`BRG-RPC-13`).
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &Session> {
        self.by_claim.values().filter_map(|serial| self.live.get(serial))
    }

    pub(super) fn len(&self) -> usize {
        self.live.len()
    }

    /// Adds a session that was just claimed.
    pub(super) fn insert(&mut self, session: Session) {
        self.claims += 1;
        self.by_claim.insert(self.claims, session.serial);
        self.claim_numbers.insert(session.serial, self.claims);
        self.by_id.insert(session.id.clone(), session.serial);
        self.live.insert(session.serial, session);
    }

    /// Takes a session away for good. Its alias is free again (`BRG-SES-05`).
    pub(super) fn take(&mut self, serial: Serial, rules: &Rules) -> Option<Session> {
        let session = self.live.remove(&serial)?;
        if let Some(number) = self.claim_numbers.remove(&serial) {
            self.by_claim.remove(&number);
        }
        self.by_id.remove(&session.id);
        if rules.claim.alias_freed {
            self.free_alias(&session.alias, serial);
        }
        Some(session)
    }

    /// Reserves the first free alias for this model (`BRG-SES-05`).
    pub(super) fn reserve_alias(&mut self, model: Option<&str>, serial: Serial, rules: &Rules) -> String {
        let max = rules.contract.limits.alias_max;
        let base = alias::base(model, max, &rules.claim);
        let mut candidate = base.clone();
        let mut number = rules.claim.alias_first_suffix;
        while rules.claim.alias_unique && self.aliases.contains_key(&candidate) {
            candidate = alias::numbered(&base, number, max, &rules.claim);
            number += 1;
        }
        self.aliases.insert(candidate.clone(), serial);
        candidate
    }

    pub(super) fn free_alias(&mut self, alias: &str, serial: Serial) {
        if self.aliases.get(alias) == Some(&serial) {
            self.aliases.remove(alias);
        }
    }
}

//! What a daemon answers to a claim or resume.

use super::texts::text;
use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::fields::{Fields, kind_of};
use serde_json::{Map, Number, Value};
use std::fmt;

/// `session_ack`: the app has its session (BRG-SES-01).
#[derive(Clone, PartialEq, Eq)]
pub struct SessionAck {
    session_id: String,
    alias: String,
    resume_token: String,
    keepalive_interval_s: Number,
    grace_s: Number,
}

impl SessionAck {
    /// The frame's `type`.
    pub const TYPE: &str = "session_ack";

    /// An ack. Both times are in seconds.
    ///
    /// # Errors
    /// A text is not 1 to 128 characters long, or a number is out of range.
    pub fn new(
        session_id: &str,
        alias: &str,
        resume_token: &str,
        keepalive_interval_s: impl Into<Number>,
        grace_s: impl Into<Number>,
        contract: &Contract,
    ) -> Result<Self, FrameError> {
        let fields = [
            ("status", "ok".into()),
            ("alias", alias.into()),
            ("resume_token", resume_token.into()),
            ("keepalive_interval_s", Value::Number(keepalive_interval_s.into())),
            ("grace_s", Value::Number(grace_s.into())),
        ];
        Self::decode(&envelope::write(Self::TYPE, session_id, fields), contract)
    }

    pub(super) fn decode(object: &Map<String, Value>, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::new(object, "", contract, Rule::AckStatus);
        let session_id = text(&fields, "session_id", Rule::DaemonSessionId, limits.session_id_max)?;
        let status = fields.required_text("status", Rule::AckStatus, Rule::AckStatus)?;
        if status != "ok" {
            fields.broken(Rule::AckStatus, "status", format!("this one is {status:?}"))?;
        }
        let ack = Self {
            session_id,
            alias: text(&fields, "alias", Rule::AckAlias, limits.alias_max)?,
            resume_token: text(&fields, "resume_token", Rule::AckResumeToken, limits.token_max)?,
            keepalive_interval_s: number(&fields, "keepalive_interval_s", Rule::AckKeepalive, |seconds| seconds > 0.0)?,
            grace_s: number(&fields, "grace_s", Rule::AckGrace, |seconds| seconds >= 0.0)?,
        };
        let ack_keys = ["status", "alias", "resume_token", "keepalive_interval_s", "grace_s"];
        fields.nothing_else(&[&["type", "session_id"][..], &ack_keys].concat())?;
        Ok(ack)
    }

    /// The session.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// Its readable name (BRG-SES-05).
    pub fn alias(&self) -> &str {
        &self.alias
    }

    /// The token of the next resume (BRG-SES-06).
    pub fn resume_token(&self) -> &str {
        &self.resume_token
    }

    /// Seconds between two pings (BRG-CON-09).
    pub fn keepalive_interval_s(&self) -> f64 {
        self.keepalive_interval_s.as_f64().unwrap_or_default()
    }

    /// Seconds that a session waits for its app's return (BRG-SES-08).
    pub fn grace_s(&self) -> f64 {
        self.grace_s.as_f64().unwrap_or_default()
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let fields = [
            ("status", "ok".into()),
            ("alias", self.alias.as_str().into()),
            ("resume_token", self.resume_token.as_str().into()),
            ("keepalive_interval_s", Value::Number(self.keepalive_interval_s.clone())),
            ("grace_s", Value::Number(self.grace_s.clone())),
        ];
        envelope::write(Self::TYPE, &self.session_id, fields).into()
    }
}

impl fmt::Debug for SessionAck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionAck")
            .field("session_id", &self.session_id)
            .field("alias", &self.alias)
            .field("keepalive_interval_s", &self.keepalive_interval_s)
            .field("grace_s", &self.grace_s)
            .finish_non_exhaustive()
    }
}

fn number(fields: &Fields<'_>, key: &str, rule: Rule, fits: fn(f64) -> bool) -> Result<Number, FrameError> {
    match fields.any(key) {
        Some(Value::Number(number)) => {
            if !number.as_f64().is_some_and(fits) {
                fields.broken(rule, key, format!("this is {number}"))?;
            }
            Ok(number.clone())
        }
        Some(other) => fields.broken(rule, key, format!("this is {}", kind_of(other))).map(|()| 0.into()),
        None => fields.missing(rule, key).map(|()| 0.into()),
    }
}

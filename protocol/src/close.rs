//! How a daemon ends a WebSocket: close codes, reasons, and the pairs that the contract names.

use std::fmt;

/// A WebSocket close code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CloseCode(pub u16);

impl CloseCode {
    /// 1000: the purpose of the connection is fulfilled.
    pub const NORMAL: Self = Self(1000);
    /// 1001: the daemon goes away.
    pub const GOING_AWAY: Self = Self(1001);
    /// 1003: a kind of data that is not taken.
    pub const UNSUPPORTED_DATA: Self = Self(1003);
    /// 1007: text that is no UTF-8.
    pub const INVALID_PAYLOAD: Self = Self(1007);
    /// 1008: a rule was broken.
    pub const POLICY_VIOLATION: Self = Self(1008);
    /// 1009: a message over the limit.
    pub const MESSAGE_TOO_BIG: Self = Self(1009);
}

impl fmt::Display for CloseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// The reason text that travels with a close code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CloseReason {
            $($(#[$doc])* $variant,)+
        }

        impl CloseReason {
            /// Every reason, in the order of the contract.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The text on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The reason with this text, exactly as spelled on the wire.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|reason| reason.as_str() == text)
            }
        }
    };
}

reasons! {
    /// No text: the contract names the code only (1007, 1009).
    None = "",
    /// A binary frame (BRG-CON-01).
    BinaryFrameNotSupported = "binary_frame_not_supported",
    /// No JSON, no JSON object, or a key twice (BRG-CON-02, BRG-CON-13).
    InvalidJson = "invalid_json",
    /// The first frame is neither a valid claim nor a valid resume (BRG-CON-03, BRG-SES-02).
    ExpectedClaimOrResume = "expected_claim_or_resume",
    /// Nothing was claimed in time (BRG-CON-04).
    PreClaimTimeout = "pre_claim_timeout",
    /// A type that apps do not send (BRG-CON-05).
    UnknownMessageType = "unknown_message_type",
    /// Another session's id, or none (BRG-CON-06).
    SessionMismatch = "session_mismatch",
    /// A known type that breaks one of its rules (BRG-CON-07).
    InvalidMessage = "invalid_message",
    /// A registry frame that breaks one of its rules (BRG-CON-07).
    InvalidRegistry = "invalid_registry",
    /// The daemon stops (BRG-CON-14).
    DaemonShutdown = "daemon_shutdown",
    /// A claim with a wrong token (BRG-SES-03).
    InvalidToken = "invalid_token",
    /// The last wrong token a link bears (BRG-SES-03).
    ClaimAttemptsExceeded = "claim_attempts_exceeded",
    /// A claim for a session that lives already (BRG-SES-04).
    AlreadyClaimed = "already_claimed",
    /// No link or session of this id (BRG-SES-04, BRG-SES-08).
    UnknownSession = "unknown_session",
    /// The link's time is over (BRG-SES-04).
    LinkExpired = "link_expired",
    /// A resume with a wrong or used token (BRG-SES-06).
    InvalidResumeToken = "invalid_resume_token",
    /// A newer socket took the session over (BRG-SES-09).
    SessionReplaced = "session_replaced",
    /// The operator revoked the session (BRG-SES-10).
    Revoked = "revoked",
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A close as the contract names it: code and reason together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Close {
    /// The close code.
    pub code: CloseCode,
    /// The reason text.
    pub reason: CloseReason,
}

macro_rules! closes {
    ($($(#[$doc:meta])* $name:ident = $code:ident, $reason:ident;)+) => {
        impl Close {
            $($(#[$doc])* pub const $name: Self = Self { code: CloseCode::$code, reason: CloseReason::$reason };)+

            /// Every pair that the contract names.
            pub const ALL: &[Self] = &[$(Self::$name),+];
        }
    };
}

closes! {
    /// 1003 `binary_frame_not_supported` (BRG-CON-01).
    BINARY_FRAME_NOT_SUPPORTED = UNSUPPORTED_DATA, BinaryFrameNotSupported;
    /// 1007: invalid UTF-8 in a text frame (BRG-CON-12).
    INVALID_UTF8 = INVALID_PAYLOAD, None;
    /// 1009: a message over the limit (BRG-CON-08).
    MESSAGE_TOO_BIG = MESSAGE_TOO_BIG, None;
    /// 1008 `invalid_json` (BRG-CON-02).
    INVALID_JSON = POLICY_VIOLATION, InvalidJson;
    /// 1008 `expected_claim_or_resume` (BRG-CON-03).
    EXPECTED_CLAIM_OR_RESUME = POLICY_VIOLATION, ExpectedClaimOrResume;
    /// 1008 `pre_claim_timeout` (BRG-CON-04).
    PRE_CLAIM_TIMEOUT = POLICY_VIOLATION, PreClaimTimeout;
    /// 1008 `unknown_message_type` (BRG-CON-05).
    UNKNOWN_MESSAGE_TYPE = POLICY_VIOLATION, UnknownMessageType;
    /// 1008 `session_mismatch` (BRG-CON-06).
    SESSION_MISMATCH = POLICY_VIOLATION, SessionMismatch;
    /// 1008 `invalid_message` (BRG-CON-07).
    INVALID_MESSAGE = POLICY_VIOLATION, InvalidMessage;
    /// 1008 `invalid_registry` (BRG-CON-07).
    INVALID_REGISTRY = POLICY_VIOLATION, InvalidRegistry;
    /// 1001 `daemon_shutdown` (BRG-CON-14).
    DAEMON_SHUTDOWN = GOING_AWAY, DaemonShutdown;
    /// 1008 `invalid_token` (BRG-SES-03).
    INVALID_TOKEN = POLICY_VIOLATION, InvalidToken;
    /// 1008 `claim_attempts_exceeded` (BRG-SES-03).
    CLAIM_ATTEMPTS_EXCEEDED = POLICY_VIOLATION, ClaimAttemptsExceeded;
    /// 1008 `already_claimed` (BRG-SES-04).
    ALREADY_CLAIMED = POLICY_VIOLATION, AlreadyClaimed;
    /// 1008 `unknown_session` (BRG-SES-04).
    UNKNOWN_SESSION = POLICY_VIOLATION, UnknownSession;
    /// 1008 `link_expired` (BRG-SES-04).
    LINK_EXPIRED = POLICY_VIOLATION, LinkExpired;
    /// 1008 `invalid_resume_token` (BRG-SES-06).
    INVALID_RESUME_TOKEN = POLICY_VIOLATION, InvalidResumeToken;
    /// 1000 `session_replaced` (BRG-SES-09).
    SESSION_REPLACED = NORMAL, SessionReplaced;
    /// 1000 `revoked` (BRG-SES-10).
    REVOKED = NORMAL, Revoked;
}

impl fmt::Display for Close {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason {
            CloseReason::None => self.code.fmt(f),
            reason => write!(f, "{} {reason}", self.code),
        }
    }
}

crate::serialized_as_text!(CloseReason);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_survive_their_text() {
        for &reason in CloseReason::ALL {
            assert_eq!(CloseReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(CloseReason::parse("Revoked"), None);
    }

    #[test]
    fn pairs_are_distinct_and_cover_every_reason() {
        for (index, close) in Close::ALL.iter().enumerate() {
            assert!(!Close::ALL[..index].contains(close), "{close}");
        }
        for reason in CloseReason::ALL {
            assert!(Close::ALL.iter().any(|close| close.reason == *reason), "{reason}");
        }
    }
}

//! What can be seen on a socket: messages, control frames, violations of RFC 6455, and the end.

use std::fmt;

/// One thing the daemon did, in the order it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A whole text message, fragments joined.
    Text(String),
    /// A whole binary message, fragments joined.
    Binary(Vec<u8>),
    /// A ping and its payload.
    Ping(Vec<u8>),
    /// A pong and its payload.
    Pong(Vec<u8>),
    /// A close frame.
    Close {
        /// The code; absent when the frame had no body.
        code: Option<u16>,
        /// The reason; empty when there was none.
        reason: String,
    },
    /// Bytes on a connection that was never upgraded to a WebSocket.
    Raw(Vec<u8>),
    /// Something RFC 6455 forbids a server to send. Reading goes on behind it.
    Violation(Violation),
    /// The connection is over. Nothing comes after this.
    Ended(Ended),
}

impl Event {
    /// How much memory the event is charged with while nobody has taken it.
    pub(crate) fn weight(&self) -> usize {
        const OVERHEAD: usize = 64;
        OVERHEAD
            + match self {
                Self::Text(text) => text.len(),
                Self::Binary(bytes) | Self::Ping(bytes) | Self::Pong(bytes) | Self::Raw(bytes) => bytes.len(),
                Self::Close { reason, .. } => reason.len(),
                Self::Violation(_) | Self::Ended(_) => 0,
            }
    }
}

/// A rule of RFC 6455 that a frame broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A server masked its frame (§5.1).
    #[error("a server must not mask its frames")]
    Masked,
    /// A client did not mask its frame (§5.1).
    #[error("a client must mask its frames")]
    Unmasked,
    /// A reserved bit was set though no extension was agreed on (§5.2).
    #[error("reserved bits {rsv:03b} are set without an extension")]
    ReservedBits {
        /// The three bits, RSV1 highest.
        rsv: u8,
    },
    /// An opcode that means nothing (§5.2).
    #[error("opcode {opcode:#x} is reserved")]
    UnknownOpcode {
        /// The opcode.
        opcode: u8,
    },
    /// A payload length written in more bits than it needs (§5.2).
    #[error("the payload length is not written in its shortest form")]
    LongLengthForm,
    /// A control frame without FIN (§5.5).
    #[error("a control frame (opcode {opcode:#x}) is fragmented")]
    FragmentedControl {
        /// The opcode.
        opcode: u8,
    },
    /// A control frame with more than 125 bytes (§5.5).
    #[error("a control frame (opcode {opcode:#x}) holds {length} bytes, more than 125")]
    LongControl {
        /// The opcode.
        opcode: u8,
        /// The payload's length in bytes.
        length: usize,
    },
    /// A continuation without a message to continue (§5.4).
    #[error("a continuation frame continues no message")]
    LoneContinuation,
    /// A new message began before the fragmented one had ended (§5.4).
    #[error("a new message began inside a fragmented one")]
    InterruptedMessage,
    /// A text message that is no UTF-8 (§8.1).
    #[error("a text message is not UTF-8")]
    InvalidUtf8 {
        /// The message's bytes.
        bytes: Vec<u8>,
    },
    /// A close body of one byte (§5.5.1).
    #[error("a close frame's body is one byte long")]
    ShortCloseBody,
    /// A close code that must not travel (§7.4).
    #[error("close code {code} must not be sent")]
    ForbiddenCloseCode {
        /// The code.
        code: u16,
    },
    /// A close reason that is no UTF-8 (§5.5.1).
    #[error("a close reason is not UTF-8")]
    InvalidCloseReason,
    /// A frame behind a close frame (§5.5.1).
    #[error("a frame followed the close frame")]
    AfterClose,
    /// The connection ended inside a frame or a fragmented message.
    #[error("the connection ended in the middle of a message")]
    Truncated,
}

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The daemon closed its side in order.
    Eof {
        /// Whether TLS said goodbye (`close_notify`) before the TCP connection was closed.
        close_notify: bool,
    },
    /// The daemon reset the TCP connection.
    Reset,
    /// This side ended it.
    Local,
    /// More arrived than anybody took: reading stopped to bound memory.
    Flood {
        /// The bound, in bytes.
        limit: usize,
    },
    /// Anything else, in the operating system's or the TLS library's words.
    Error(String),
}

impl fmt::Display for Ended {
    /// The transcript's words: `eof`, `reset`, `local`, or a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Eof { .. } => f.write_str("eof"),
            Self::Reset => f.write_str("reset"),
            Self::Local => f.write_str("local"),
            Self::Flood { limit } => {
                write!(f, "flood: more than {limit} bytes arrived that nobody took")
            }
            Self::Error(text) => f.write_str(text),
        }
    }
}

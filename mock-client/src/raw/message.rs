//! What one line from a server turned out to be.

use crate::outcome::Outcome;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use tokio::time::Instant;

/// A place in the log of arrivals: behind its first `n` entries. [`START`](Self::START) stands before all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cursor(pub(super) u64);

impl Cursor {
    /// Before everything that ever arrived.
    pub const START: Self = Self(0);

    /// How many entries lie before this place.
    #[must_use]
    pub fn position(self) -> u64 {
        self.0
    }
}

/// One line that arrived, with what it was. Every line gets exactly one such entry.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The place directly behind this entry: waiting "after" it finds what came later.
    pub cursor: Cursor,
    /// When its last byte was read.
    pub when: Instant,
    /// The line as it travelled, without its newline.
    pub line: Line,
    /// What it was.
    pub message: Message,
}

/// The bytes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// They are UTF-8.
    Text(Arc<str>),
    /// They are not, or they are only the beginning of something overlong.
    Bytes(Arc<[u8]>),
}

impl Line {
    pub(super) fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(_) => Self::Bytes(bytes.into()),
        }
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// At most 200 characters, for error texts.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        let bytes = self.as_bytes();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * SHOWN)]);
        match text.char_indices().nth(SHOWN) {
            Some((at, _)) => write!(f, "{}… ({} bytes)", &text[..at], bytes.len()),
            None => f.write_str(&text),
        }
    }
}

/// What a line was.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The answer to a request.
    Response(Response),
    /// A message with a method and no id.
    Notification {
        /// `method`.
        method: String,
        /// `params`, absent when the member was missing. An object.
        params: Option<Value>,
    },
    /// A message with a method and an id: the server asks the client.
    Request {
        /// `id`: a string or an integer.
        id: Value,
        /// `method`.
        method: String,
        /// `params`, absent when the member was missing. An object.
        params: Option<Value>,
    },
    /// Nothing that may stand on the wire in any revision this crate knows.
    Violation(Violation),
}

/// A response and how it relates to what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// `id` exactly as it stood there; null also when the member was missing (then `outcome` is an error).
    pub id: Value,
    /// `result` or `error`.
    pub outcome: Outcome,
    /// Whether somebody had asked.
    pub relation: Relation,
}

/// How a response's id relates to the requests sent before it arrived.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// It answers a request that was open.
    Answer {
        /// The request's method.
        method: String,
    },
    /// Its id was asked, and answered already.
    Again {
        /// The request's method.
        method: String,
    },
    /// Its id was never asked, but the same characters in the other JSON type were: `"1"` for `1`.
    OtherType {
        /// The id that was asked.
        asked: Value,
    },
    /// Nothing like its id was ever asked.
    Unasked,
    /// An error without an id, or with a null one: the server could not tell what it answers.
    Uncorrelated,
}

/// Why a line is not a message, with what could still be read of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The rule it breaks.
    pub why: Why,
    /// Where and how, for people.
    pub detail: String,
    /// The ids it mentions where an id belongs (several in a batch): who waits for one of them can stop waiting.
    pub ids: Vec<Value>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.why)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// The rules of the wire that a line can break, whatever the revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Not UTF-8.
    NotUtf8,
    /// Not one JSON value: garbage, a fragment, two values, a byte order mark.
    NotJson,
    /// Strict JSON reading refuses it: duplicate keys, lone surrogates, too deep nesting.
    NotStrictJson,
    /// An empty line, or only white space.
    Blank,
    /// An array: batching exists in none of the revisions spoken here.
    Batch,
    /// JSON, but neither object nor array.
    NotAnObject,
    /// `jsonrpc` is missing or is not `"2.0"`.
    NotJsonRpc,
    /// An id that is no string and no integer (or a result without an id).
    BadId,
    /// `method` is no string, or is empty.
    BadMethod,
    /// `params` is no object.
    BadParams,
    /// `result` is no object.
    BadResult,
    /// `error` lacks an integer `code` or a string `message`.
    BadError,
    /// Both `result` and `error`, or one of them beside `method`.
    Ambiguous,
    /// Neither `method` nor `result` nor `error`.
    Empty,
    /// The stream ended before the line's newline came.
    Unterminated,
    /// The line grew past the lane's limit; nothing after it is read.
    TooLong,
}

/// The rule in words, in lower case.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotUtf8 => "the line is not UTF-8",
            Self::NotJson => "the line is not one JSON value",
            Self::NotStrictJson => "the line is not strict JSON",
            Self::Blank => "the line is blank",
            Self::Batch => "the line is a batch",
            Self::NotAnObject => "the line is no JSON object",
            Self::NotJsonRpc => "`jsonrpc` is not \"2.0\"",
            Self::BadId => "`id` is neither string nor integer",
            Self::BadMethod => "`method` is no name",
            Self::BadParams => "`params` is no object",
            Self::BadResult => "`result` is no object",
            Self::BadError => "`error` is no error object",
            Self::Ambiguous => "the message is two kinds at once",
            Self::Empty => "the message has neither method nor result nor error",
            Self::Unterminated => "the output ended without a newline",
            Self::TooLong => "the line is longer than this client reads",
        })
    }
}

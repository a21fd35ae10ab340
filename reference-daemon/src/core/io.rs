//! What goes into the state machine and what comes out of it: plain values, no clock, no sockets.

use super::audit::AuditRecord;
use super::policy::PolicyConfig;
use iolite_protocol::close::Close;
use std::net::IpAddr;

/// One WebSocket connection, numbered by the shell. A number is never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SocketId(pub u64);

/// One connection on the control socket, numbered by the shell. A number is never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

/// The moment an input is handled: milliseconds since the Unix epoch, never running backwards.
///
/// The one source of time. A shell with a manual clock makes it stand still and jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Now {
    /// Milliseconds since the Unix epoch.
    pub unix_ms: u64,
}

/// What a timer is for. Setting a timer that is already set moves it.
///
/// The shell treats it as an opaque key: at most one due time per value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// A socket must have claimed or resumed by now (`BRG-CON-04`).
    PreClaim(SocketId),
    /// The next keepalive ping of a bound socket (`BRG-CON-09`).
    Ping(SocketId),
    /// A pending link reaches its expiry (`BRG-SES-04`). The number is the session's serial.
    LinkExpiry(u64),
    /// A suspended session's grace ends (`BRG-SES-08`). The number is the session's serial.
    Grace(u64),
    /// A call or read in flight reaches its deadline (`BRG-TOL-09`). The number is the request's serial.
    Deadline(u64),
}

/// Something that happened outside.
///
/// Inputs about a socket or connection that the core has closed, or does not know, are ignored
/// (`BRG-CON-15`, `BRG-SES-15`): the shell need not filter them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The WebSocket handshake of a new socket is complete.
    SocketOpened {
        /// The socket.
        socket: SocketId,
    },
    /// A whole text message of valid UTF-8 arrived, fragments already joined.
    SocketText {
        /// The socket.
        socket: SocketId,
        /// The message.
        text: String,
    },
    /// What a message would say, read in each of these ways, if the one rule of the transport that it breaks did not
    /// exist. Only the measuring mode tells; the violation itself is told behind it.
    SocketWaived {
        /// The socket.
        socket: SocketId,
        /// The texts.
        readings: Vec<String>,
    },
    /// A binary message (or its first frame) arrived.
    SocketBinary {
        /// The socket.
        socket: SocketId,
    },
    /// A text message that is no UTF-8 arrived.
    SocketInvalidUtf8 {
        /// The socket.
        socket: SocketId,
    },
    /// A message over the transport's cap arrived, its content thrown away. The shell's cap is
    /// `rules.contract.limits.frame_bytes`; the core judges the size of texts again.
    SocketTooBig {
        /// The socket.
        socket: SocketId,
    },
    /// A pong arrived, asked for or not.
    SocketPong {
        /// The socket.
        socket: SocketId,
    },
    /// The socket is gone: closed by the peer, reset, or broken.
    SocketClosed {
        /// The socket.
        socket: SocketId,
    },
    /// A control connection was accepted.
    RpcOpened {
        /// The connection.
        connection: ConnectionId,
    },
    /// One line arrived, its newline taken off. Any bytes.
    RpcLine {
        /// The connection.
        connection: ConnectionId,
        /// The bytes before the newline.
        line: Vec<u8>,
    },
    /// A line over the limit (`rules.contract.limits.rpc_line_bytes`) is arriving (`BRG-RPC-08`).
    RpcLineTooLong {
        /// The connection.
        connection: ConnectionId,
    },
    /// The control connection is gone.
    RpcClosed {
        /// The connection.
        connection: ConnectionId,
    },
    /// A timer that was set is due. `now` is its due time, or later.
    TimerFired {
        /// The timer.
        timer: Timer,
    },
    /// SIGTERM, SIGINT or end of a manual clock's input: end in good order (`BRG-CON-14`).
    Shutdown,
}

/// Something the shell must do, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Send one text message.
    SendText {
        /// The socket.
        socket: SocketId,
        /// The message.
        text: String,
    },
    /// Send a WebSocket ping. Two that stay unanswered lose the socket (`BRG-CON-09`): a shell whose clock jumps over
    /// several intervals must pass on the pongs in between, or healthy peers are taken for dead.
    SendPing {
        /// The socket.
        socket: SocketId,
    },
    /// Send a close frame, then give the peer a moment to answer it, then drop the connection.
    /// The core has forgotten the socket already.
    Close {
        /// The socket.
        socket: SocketId,
        /// Code and reason.
        close: Close,
    },
    /// Drop the connection without a close handshake: the peer is taken for dead (`BRG-CON-09`).
    Drop {
        /// The socket.
        socket: SocketId,
    },
    /// Write one line and its newline. `line` holds no newline. Answers may exceed the request limit.
    RpcSend {
        /// The connection.
        connection: ConnectionId,
        /// The line without its newline.
        line: String,
    },
    /// Flush, then end the connection. The core has forgotten it already.
    RpcEnd {
        /// The connection.
        connection: ConnectionId,
    },
    /// Call back with [`Input::TimerFired`] at this time, forgetting an earlier due time of the same timer.
    SetTimer {
        /// The timer.
        timer: Timer,
        /// When it is due.
        at: Now,
    },
    /// Forget the timer. It may not be set.
    CancelTimer {
        /// The timer.
        timer: Timer,
    },
    /// Append one line to the audit file of the record's UTC date (`BRG-AUD-01`).
    Audit(Box<AuditRecord>),
    /// Something an operator may want to read on standard error. Never holds a token (`BRG-SES-12`).
    Log {
        /// How important it is.
        level: LogLevel,
        /// One line.
        message: String,
    },
    /// Everything was said: flush, close what is open, remove socket and pid file, exit with code 0.
    Stop,
}

/// How important a log line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Of interest when looking for a fault.
    Debug,
    /// The ordinary course of things.
    Info,
    /// A peer did something it should not.
    Warn,
}

/// What the daemon is told once, at its start.
#[derive(Clone, Debug, PartialEq)]
pub struct CoreConfig {
    /// Version text for `daemon.status`.
    pub version: String,
    /// Process id for `daemon.status`.
    pub pid: u32,
    /// Address written into links, unless `addressOverride` replaces it.
    pub advertised_ip: IpAddr,
    /// Port of the WebSocket listener, never 0.
    pub wss_port: u16,
    /// `sha256/<base64>` of the TLS leaf's public key (`BRG-LNK-04`).
    pub pin: String,
    /// All pins in use, for `daemon.status.pinnedKeys`. Contains `pin`.
    pub pinned_keys: Vec<String>,
    /// Scheme of deep links, without `://`.
    pub scheme: String,
    /// How long a suspended session can be resumed, in seconds. Default 60.
    pub grace_s: u64,
    /// Time between keepalive pings, in seconds, at least 1. Default 15.
    pub keepalive_interval_s: u64,
    /// Life of a link without `ttlSeconds`, in seconds. Default 300.
    pub link_ttl_s: u64,
    /// Events retained per session (`BRG-RPC-07`). Default 256.
    pub event_buffer_size: usize,
    /// Who may call and read what.
    pub policy: PolicyConfig,
    /// Whether another daemon has used the state folder before. Only a bent rule table cares.
    pub used_before: bool,
    /// Sessions of the daemon before this one. Only a bent rule table wants them.
    pub left_behind: Vec<String>,
}

impl Default for CoreConfig {
    /// Contract defaults, an endpoint on the loopback address, and an empty pin: for tests and as a base to edit.
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: 1,
            advertised_ip: IpAddr::from([127, 0, 0, 1]),
            wss_port: 1,
            pin: String::new(),
            pinned_keys: Vec::new(),
            scheme: "iolite".to_owned(),
            grace_s: 60,
            keepalive_interval_s: 15,
            link_ttl_s: 300,
            event_buffer_size: 256,
            policy: PolicyConfig::default(),
            used_before: false,
            left_behind: Vec::new(),
        }
    }
}

/// Where random bytes come from: the operating system in the shell, a counter in tests.
pub trait Entropy: Send {
    /// Fills the whole buffer.
    fn fill(&mut self, bytes: &mut [u8]);
}

//! What the process around the core decides: WebSocket framing, listeners, files and modes, its end.

/// What becomes of a message sent in several frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragments {
    /// They are one message.
    Join,
    /// The socket is closed with 1002.
    Refuse,
    /// Each frame is taken for a message of its own.
    DeliverEach,
}

/// Where the text of a message is checked for UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf8 {
    /// Over the whole message, so that a character may be split between fragments.
    WholeMessage,
    /// In every frame by itself.
    EachFragment,
    /// Nowhere: wrong bytes become U+FFFD.
    Repair,
}

/// How a message that cannot be served (too long, or no UTF-8) is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadMessage {
    /// With a close frame.
    CloseFrame,
    /// By cutting the connection.
    Cut,
    /// By the death of the whole daemon.
    Die,
}

/// What the pin in links is computed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinOver {
    /// The leaf's SubjectPublicKeyInfo.
    PublicKey,
    /// The leaf as a whole.
    Certificate,
}

/// How a record reaches its audit file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditWrite {
    /// Appended to the file of its UTC date.
    Append,
    /// Appended to the file of the first record's date.
    AppendToFirstDay,
    /// Written over what the file held.
    Overwrite,
    /// Appended to the file of the day after.
    AppendToNextDay,
    /// Appended, with line feeds between the records and none at the end.
    Separate,
}

/// Decisions of the shell.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellRules {
    /// Fragmented messages (`CON-10`).
    pub fragments: Fragments,
    /// Masks, reserved bits, opcodes and the order of fragments are judged (`CON-10`).
    pub strict_framing: bool,
    /// A binary message is served like text (`CON-01`: no).
    pub binary_is_text: bool,
    /// A control frame may stand between two fragments (`CON-10`).
    pub control_between_fragments: bool,
    /// A peer's ping gets a pong (`CON-10`).
    pub pings_are_answered: bool,
    /// Where UTF-8 is checked (`CON-10`, `CON-12`).
    pub utf8: Utf8,
    /// A grace that is longer, in seconds, keeps the daemon from starting (`LNK-07`: none does).
    pub longest_grace_s: Option<u64>,
    /// What becomes of a connection that asks for no WebSocket (`CON-19`).
    pub no_upgrade: NoUpgrade,
    /// The answer to text that is no UTF-8 (`CON-12`).
    pub invalid_utf8: BadMessage,
    /// The answer to a message over the limit (`CON-08`).
    pub oversized: BadMessage,
    /// The listener finishes one TLS and WebSocket handshake before it accepts the next (`CON-11`: no).
    pub handshakes_queue: bool,
    /// Everything stands still while one socket does not take what is written to it (`CON-11`: no).
    pub slow_reader_holds_all: bool,
    /// The close frame is the last that is sent on a socket (`SES-15`); otherwise a ping follows it.
    pub close_is_last: bool,
    /// New sockets are served while the peer of another one does not read (`CON-11`); otherwise they are ignored.
    pub accepts_while_behind: bool,
    /// Most sockets open at once; no cap when absent (`SES-11`).
    pub socket_cap: Option<usize>,
    /// A pid file says who runs (`RPC-10`).
    pub write_pid: bool,
    /// What a daemon left behind is no obstacle for the next (`CON-14`).
    pub replace_leftovers: bool,
    /// App sockets get their close frame at shutdown (`CON-14`).
    pub shutdown_closes_sockets: bool,
    /// The control socket's file is removed at shutdown (`CON-14`).
    pub shutdown_removes_socket: bool,
    /// The pid file is removed at shutdown (`CON-14`).
    pub shutdown_removes_pid: bool,
    /// Exit code after an orderly shutdown (`CON-14`).
    pub shutdown_exit_code: u8,
    /// SIGTERM ends the daemon in good order (`CON-14`); otherwise at once.
    pub obey_sigterm: bool,
    /// SIGINT ends the daemon in good order (`CON-14`); otherwise at once.
    pub obey_sigint: bool,
    /// What the pin is computed over (`LNK-04`).
    pub pin_over: PinOver,
    /// A line over the limit ends every control connection (`RPC-08`: only its own).
    pub long_line_ends_all: bool,
    /// The control socket lies in the state folder (`CLI-04`); otherwise only a link to it does.
    pub socket_in_folder: bool,
    /// The state folder's configuration is read (`CLI-04`).
    pub read_config: bool,
    /// Mode of the state folder and of the audit folder in it (`RPC-10`).
    pub state_dir_mode: u32,
    /// Mode of the control socket (`RPC-10`).
    pub control_socket_mode: u32,
    /// Mode of a new key file (`RPC-10`).
    pub key_mode: u32,
    /// Mode given to the configuration file (`RPC-10`).
    pub config_mode: u32,
    /// Mode of audit files (`RPC-10`).
    pub audit_mode: u32,
    /// The key that is there is used (`CLI-04`); otherwise each start makes another in its place.
    pub keep_key: bool,
    /// A key file readable by others is refused (`RPC-10`).
    pub refuse_open_key: bool,
    /// How records reach the audit files (`AUD-01`).
    pub audit_write: AuditWrite,
    /// Tokens are kept out of the log (`SES-12`); otherwise every text is logged.
    pub hide_tokens: bool,
}

/// What becomes of a connection that asks for no WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoUpgrade {
    /// It gets an error of HTTP, and ends.
    Refused,
    /// It ends without a word.
    Silent,
    /// It gets an error and is left open.
    LeftOpen,
    /// It is told that all is well, and ends.
    Welcomed,
}

impl Default for ShellRules {
    fn default() -> Self {
        Self {
            fragments: Fragments::Join,
            strict_framing: true,
            binary_is_text: false,
            control_between_fragments: true,
            pings_are_answered: true,
            utf8: Utf8::WholeMessage,
            longest_grace_s: None,
            no_upgrade: NoUpgrade::Refused,
            invalid_utf8: BadMessage::CloseFrame,
            oversized: BadMessage::CloseFrame,
            handshakes_queue: false,
            slow_reader_holds_all: false,
            close_is_last: true,
            accepts_while_behind: true,
            socket_cap: None,
            write_pid: true,
            replace_leftovers: true,
            shutdown_closes_sockets: true,
            shutdown_removes_socket: true,
            shutdown_removes_pid: true,
            shutdown_exit_code: 0,
            obey_sigterm: true,
            obey_sigint: true,
            pin_over: PinOver::PublicKey,
            long_line_ends_all: false,
            socket_in_folder: true,
            read_config: true,
            state_dir_mode: 0o700,
            control_socket_mode: 0o600,
            key_mode: 0o600,
            config_mode: 0o600,
            audit_mode: 0o600,
            keep_key: true,
            refuse_open_key: true,
            audit_write: AuditWrite::Append,
            hide_tokens: true,
        }
    }
}

//! Faults of the process around the core: framing, listeners, files and modes, its end.

use super::fault::{EVERYTHING, Fault};
use crate::rules::{AuditWrite, BadMessage, Fragments, NoUpgrade, PinOver, Utf8};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "con-no-upgrade-silent",
        promises: &["BRG-CON-19"],
        title: "What asks for no WebSocket is ended without an answer",
        bend: |rules| rules.shell.no_upgrade = NoUpgrade::Silent,
    },
    Fault {
        id: "con-no-upgrade-left-open",
        promises: &["BRG-CON-19"],
        title: "What asks for no WebSocket gets an error and is left open",
        bend: |rules| rules.shell.no_upgrade = NoUpgrade::LeftOpen,
    },
    Fault {
        id: "con-no-upgrade-welcomed",
        promises: &["BRG-CON-19"],
        title: "What asks for no WebSocket is told that all is well",
        bend: |rules| rules.shell.no_upgrade = NoUpgrade::Welcomed,
    },
    Fault {
        id: "con-fragments-refused",
        promises: &["BRG-CON-10"],
        title: "A fragmented message closes the socket",
        bend: |rules| rules.shell.fragments = Fragments::Refuse,
    },
    Fault {
        id: "con-fragments-served-apart",
        promises: &["BRG-CON-10"],
        title: "Each fragment is taken for a whole message",
        bend: |rules| rules.shell.fragments = Fragments::DeliverEach,
    },
    Fault {
        id: "con-framing-unchecked",
        promises: &["BRG-CON-10", "BRG-CON-11"],
        title: "Masks, reserved bits, opcodes and the order of fragments do not matter",
        bend: |rules| rules.shell.strict_framing = false,
    },
    Fault {
        id: "con-binary-served",
        promises: &["BRG-CON-01"],
        title: "A binary frame is served like text",
        bend: |rules| rules.shell.binary_is_text = true,
    },
    Fault {
        id: "con-control-breaks-fragments",
        promises: &["BRG-CON-10"],
        title: "A control frame between two fragments closes the socket",
        bend: |rules| rules.shell.control_between_fragments = false,
    },
    Fault {
        id: "con-pings-unanswered",
        promises: &["BRG-CON-10", "BRG-CON-04"],
        title: "An app's ping gets no pong",
        bend: |rules| rules.shell.pings_are_answered = false,
    },
    Fault {
        id: "con-utf8-per-fragment",
        promises: &["BRG-CON-10"],
        title: "A character split between two fragments closes the socket",
        bend: |rules| rules.shell.utf8 = Utf8::EachFragment,
    },
    Fault {
        id: "con-utf8-repaired",
        promises: &["BRG-CON-12"],
        title: "Invalid UTF-8 is repaired and served",
        bend: |rules| rules.shell.utf8 = Utf8::Repair,
    },
    Fault {
        id: "con-invalid-utf8-cut",
        promises: &["BRG-CON-12"],
        title: "Invalid UTF-8 cuts the connection without a close frame",
        bend: |rules| rules.shell.invalid_utf8 = BadMessage::Cut,
    },
    Fault {
        id: "con-invalid-utf8-kills",
        promises: &["BRG-CON-12", "BRG-CON-11"],
        title: "Invalid UTF-8 kills the daemon",
        bend: |rules| rules.shell.invalid_utf8 = BadMessage::Die,
    },
    Fault {
        id: "con-oversized-cut",
        promises: &["BRG-CON-08"],
        title: "A frame over 256 KiB cuts the connection without a close frame",
        bend: |rules| rules.shell.oversized = BadMessage::Cut,
    },
    Fault {
        id: "con-oversized-kills",
        promises: &["BRG-CON-08", "BRG-CON-11"],
        title: "A frame over 256 KiB kills the daemon",
        bend: |rules| rules.shell.oversized = BadMessage::Die,
    },
    Fault {
        id: "con-stalled-handshake-blocks",
        promises: &["BRG-CON-11"],
        title: "Nobody can connect while one peer has not finished its handshake",
        bend: |rules| rules.shell.handshakes_queue = true,
    },
    Fault {
        id: "con-slow-reader-blocks",
        promises: &["BRG-CON-11"],
        title: "An app that does not read holds up everybody",
        bend: |rules| rules.shell.slow_reader_holds_all = true,
    },
    Fault {
        id: "ses-ping-after-close",
        promises: &["BRG-SES-15", EVERYTHING],
        title: "A ping follows the close frame",
        bend: |rules| rules.shell.close_is_last = false,
    },
    Fault {
        id: "con-slow-reader-keeps-others-out",
        promises: &["BRG-CON-11"],
        title: "While one app does not read no other can come",
        bend: |rules| rules.shell.accepts_while_behind = false,
    },
    Fault {
        id: "ses-socket-cap",
        promises: &["BRG-SES-11"],
        title: "The listener takes 64 sockets and cuts every further one",
        bend: |rules| rules.shell.socket_cap = Some(64),
    },
    Fault {
        id: "con-shutdown-cuts-sockets",
        promises: &["BRG-CON-14"],
        title: "A shutdown cuts the app sockets without a close frame",
        bend: |rules| rules.shell.shutdown_closes_sockets = false,
    },
    Fault {
        id: "con-shutdown-leaves-socket-file",
        promises: &["BRG-CON-14"],
        title: "The control socket's file stays after the end",
        bend: |rules| rules.shell.shutdown_removes_socket = false,
    },
    Fault {
        id: "con-shutdown-leaves-pid-file",
        promises: &["BRG-CON-14"],
        title: "The pid file stays after the end",
        bend: |rules| rules.shell.shutdown_removes_pid = false,
    },
    Fault {
        id: "con-shutdown-exit-1",
        promises: &["BRG-CON-14", "BRG-CLI-04"],
        title: "An orderly shutdown ends with exit code 1",
        bend: |rules| rules.shell.shutdown_exit_code = 1,
    },
    Fault {
        id: "con-sigterm-kills",
        promises: &["BRG-CON-14"],
        title: "SIGTERM ends the daemon without closing anything",
        bend: |rules| rules.shell.obey_sigterm = false,
    },
    Fault {
        id: "con-sigint-kills",
        promises: &["BRG-CON-14"],
        title: "SIGINT ends the daemon without closing anything",
        bend: |rules| rules.shell.obey_sigint = false,
    },
    Fault {
        id: "lnk-pin-over-certificate",
        promises: &["BRG-LNK-04", "BRG-CLI-04"],
        title: "The pin is computed over the certificate instead of its public key",
        bend: |rules| rules.shell.pin_over = PinOver::Certificate,
    },
    Fault {
        id: "rpc-long-line-ends-all",
        promises: &["BRG-RPC-08"],
        title: "A line over the limit ends every control connection",
        bend: |rules| rules.shell.long_line_ends_all = true,
    },
    Fault {
        id: "rpc-long-line-served",
        promises: &["BRG-RPC-08"],
        title: "A line over the limit is served",
        bend: |rules| rules.contract.limits.rpc_line_bytes = 64 << 20,
    },
    Fault {
        id: "cli-socket-elsewhere",
        promises: &["BRG-CLI-04"],
        title: "The control socket lies outside the state folder, which has a link to it",
        bend: |rules| rules.shell.socket_in_folder = false,
    },
    Fault {
        id: "cli-config-ignored",
        promises: &["BRG-CLI-04"],
        title: "The state folder's configuration is ignored",
        bend: |rules| rules.shell.read_config = false,
    },
    Fault {
        id: "cli-key-made-anew",
        promises: &["BRG-CLI-04", "BRG-RPC-10"],
        title: "Each start makes another key in place of the one that is there",
        bend: |rules| rules.shell.keep_key = false,
    },
    Fault {
        id: "rpc-state-dir-open",
        promises: &["BRG-RPC-10"],
        title: "Others can look into the state folder",
        bend: |rules| rules.shell.state_dir_mode = 0o755,
    },
    Fault {
        id: "rpc-control-socket-open",
        promises: &["BRG-RPC-10"],
        title: "Others can write to the control socket",
        bend: |rules| rules.shell.control_socket_mode = 0o666,
    },
    Fault {
        id: "rpc-key-open",
        promises: &["BRG-RPC-10"],
        title: "A new key can be read by others",
        bend: |rules| {
            rules.shell.key_mode = 0o644;
            rules.shell.refuse_open_key = false;
        },
    },
    Fault {
        id: "rpc-open-key-accepted",
        promises: &["BRG-RPC-10"],
        title: "A key file readable by others is accepted",
        bend: |rules| rules.shell.refuse_open_key = false,
    },
    Fault {
        id: "rpc-config-open",
        promises: &["BRG-RPC-10"],
        title: "The configuration file is made readable by others",
        bend: |rules| rules.shell.config_mode = 0o644,
    },
    Fault {
        id: "rpc-audit-open",
        promises: &["BRG-RPC-10"],
        title: "Others can read the audit",
        bend: |rules| rules.shell.audit_mode = 0o644,
    },
    Fault {
        id: "aud-first-day-only",
        promises: &["BRG-AUD-01"],
        title: "All records go to the file of the first record's day",
        bend: |rules| rules.shell.audit_write = AuditWrite::AppendToFirstDay,
    },
    Fault {
        id: "aud-file-of-next-day",
        promises: &["BRG-AUD-01"],
        title: "Records go to the file of the day after",
        bend: |rules| rules.shell.audit_write = AuditWrite::AppendToNextDay,
    },
    Fault {
        id: "aud-last-line-unended",
        promises: &["BRG-AUD-01"],
        title: "Line feeds stand between the records of an audit file, and none at its end",
        bend: |rules| rules.shell.audit_write = AuditWrite::Separate,
    },
    Fault {
        id: "aud-overwritten",
        promises: &["BRG-AUD-01", "BRG-AUD-04", "BRG-AUD-02"],
        title: "Each record replaces what the audit file held",
        bend: |rules| rules.shell.audit_write = AuditWrite::Overwrite,
    },
    Fault {
        id: "ses-token-in-log",
        promises: &["BRG-SES-12"],
        title: "Frames with tokens are written to the log",
        bend: |rules| rules.shell.hide_tokens = false,
    },
    Fault {
        id: "con-pid-file-empty",
        promises: &["BRG-CON-14", "BRG-RPC-10"],
        title: "The pid file names nobody",
        bend: |rules| rules.shell.write_pid = false,
    },
    Fault {
        id: "con-leftovers-stop-the-next",
        promises: &["BRG-CON-14", "BRG-SES-13", "BRG-CLI-04"],
        title: "The control socket is left behind, and where one lies no daemon starts",
        bend: |rules| {
            rules.shell.shutdown_removes_socket = false;
            rules.shell.replace_leftovers = false;
        },
    },
];

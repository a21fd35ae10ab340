//! What the command line decides (`CLI`).

/// Decisions of the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct CliRules {
    /// Exit codes by kind of failure (`CLI-03`).
    pub exit: ExitCodes,
    /// `--json` prints failures as an envelope too (`CLI-03`); otherwise plain text.
    pub error_envelope: bool,
    /// Errors keep their type in the envelope (`CLI-03`); otherwise `error`.
    pub keep_error_type: bool,
    /// Errors keep their details in the envelope (`TOL-08`).
    pub keep_error_details: bool,
    /// `read` writes text items raw (`CLI-02`); otherwise as JSON.
    pub raw_text: bool,
    /// `read` ends raw text with a newline of its own (`CLI-02`: no).
    pub newline_after_text: bool,
    /// `read` writes blobs as bytes when stdout is no terminal (`CLI-02`); otherwise as base64.
    pub blob_bytes: bool,
    /// `read` prints every item (`CLI-01`); otherwise the first.
    pub all_items: bool,
    /// `resources` lists in registry order (`CLI-01`); otherwise sorted by name, backwards.
    pub registry_order: bool,
    /// `tools <selector> <name>` shows that tool only (`CLI-01`).
    pub obey_tool_name: bool,
    /// `invoke` shows the result (`CLI-01`); otherwise only that there was a call.
    pub show_result: bool,
    /// The selector is passed on (`CLI-01`).
    pub pass_selector: bool,
    /// `ls` shows all that the daemon tells of a session (`CLI-04`); otherwise alias and state.
    pub list_whole: bool,
    /// `ls` lists nobody where nobody is (`CLI-04`); otherwise it fails.
    pub list_nobody: bool,
    /// `events` shows all that the daemon tells (`CLI-04`); otherwise the last.
    pub all_events: bool,
    /// `link` puts the deep link together (`CLI-04`).
    pub deep_link: bool,
    /// `link --json` shows `deepLinkPayload` beside `deepLink` (left open).
    pub link_payload: bool,
    /// `daemon run` beside a daemon that runs fails (`CLI-04`); otherwise it ends as if all were well.
    pub refuse_second: bool,
    /// What it does beside that to the daemon that runs (`CLI-05`: nothing).
    pub second_start: SecondStart,
    /// A `keygen` that is refused leaves the key alone (`CLI-04`); otherwise it empties its file.
    pub spare_key: bool,
    /// `--state-dir` is obeyed (`CLI-04`).
    pub obey_state_dir: bool,
    /// `--timeout` is passed on (`CLI-04`).
    pub obey_timeout: bool,
    /// `link --ttl` is passed on (`CLI-04`).
    pub obey_ttl: bool,
    /// This command fails for no reason (`CLI-04`: none).
    pub failing_command: Option<&'static str>,
    /// Failures show a stack trace (`CLI-03`: no).
    pub stack_traces: bool,
}

/// Exit codes by kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExitCodes {
    /// Wrong usage.
    pub usage: u8,
    /// Input of the right shape and wrong content.
    pub validation: u8,
    /// No daemon answers.
    pub unreachable: u8,
    /// No, several, unknown or suspended session.
    pub session: u8,
    /// The tool or resource failed.
    pub tool: u8,
    /// Policy refused.
    pub permission: u8,
    /// Anything else.
    pub internal: u8,
}

/// What a daemon beside one that runs does before it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondStart {
    /// Nothing, but to say so.
    Harmless,
    /// Nothing, and it says nothing.
    Silent,
    /// It writes its process id into the pid file.
    OverwritesPid,
    /// It removes the pid file.
    RemovesPid,
    /// It removes the control socket.
    RemovesSocket,
    /// It takes over the folder and runs.
    TakesOver,
}

impl Default for CliRules {
    fn default() -> Self {
        Self {
            exit: ExitCodes {
                usage: 64,
                validation: 65,
                unreachable: 70,
                session: 71,
                tool: 72,
                permission: 77,
                internal: 1,
            },
            error_envelope: true,
            keep_error_type: true,
            keep_error_details: true,
            raw_text: true,
            newline_after_text: false,
            blob_bytes: true,
            all_items: true,
            registry_order: true,
            obey_tool_name: true,
            show_result: true,
            pass_selector: true,
            list_whole: true,
            list_nobody: true,
            all_events: true,
            deep_link: true,
            link_payload: true,
            refuse_second: true,
            second_start: SecondStart::Harmless,
            spare_key: true,
            obey_state_dir: true,
            obey_timeout: true,
            obey_ttl: true,
            failing_command: None,
            stack_traces: false,
        }
    }
}

//! What the command line decides (`CLI`).

use super::Fault;
use super::fault::beneath;

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
    /// `daemon run` beside a daemon that runs fails (`CLI-04`); otherwise it ends as if all were well.
    pub refuse_second: bool,
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
            refuse_second: true,
            spare_key: true,
            obey_state_dir: true,
            obey_timeout: true,
            obey_ttl: true,
            failing_command: None,
            stack_traces: false,
        }
    }
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "cli-resources-reversed",
        promises: &["BRG-CLI-01"],
        title: "The command lists resources in another order than the registry",
        bend: |rules| rules.cli.registry_order = false,
    },
    Fault {
        id: "cli-first-item-only",
        promises: &["BRG-CLI-01", "BRG-CLI-02"],
        title: "The command prints the first item of several",
        bend: |rules| rules.cli.all_items = false,
    },
    Fault {
        id: "cli-text-as-json",
        promises: &["BRG-CLI-02"],
        title: "The command prints text as a JSON string",
        bend: |rules| rules.cli.raw_text = false,
    },
    Fault {
        id: "cli-newline-added",
        promises: &["BRG-CLI-02"],
        title: "The command ends text with a newline of its own",
        bend: |rules| rules.cli.newline_after_text = true,
    },
    Fault {
        id: "cli-blob-as-base64",
        promises: &["BRG-CLI-02"],
        title: "The command writes blobs as base64 into a pipe",
        bend: |rules| rules.cli.blob_bytes = false,
    },
    Fault {
        id: "cli-usage-exit-2",
        promises: &["BRG-CLI-03"],
        title: "Wrong usage ends with exit code 2",
        bend: |rules| rules.cli.exit.usage = 2,
    },
    Fault {
        id: "cli-unreachable-exit-1",
        promises: &["BRG-CLI-03"],
        title: "An unreachable daemon ends with exit code 1",
        bend: |rules| rules.cli.exit.unreachable = 1,
    },
    Fault {
        id: "cli-session-exit-72",
        promises: &["BRG-CLI-03"],
        title: "A missing session ends with the exit code of a failed tool",
        bend: |rules| rules.cli.exit.session = 72,
    },
    Fault {
        id: "cli-tool-exit-0",
        promises: &["BRG-CLI-03"],
        title: "A failed tool ends with exit code 0",
        bend: |rules| rules.cli.exit.tool = 0,
    },
    Fault {
        id: "cli-denied-exit-72",
        promises: &["BRG-CLI-03"],
        title: "A denied call ends with the exit code of a failed tool",
        bend: |rules| rules.cli.exit.permission = 72,
    },
    Fault {
        id: "cli-validation-exit-64",
        promises: &["BRG-CLI-03"],
        title: "Invalid input ends with the exit code of wrong usage",
        bend: |rules| rules.cli.exit.validation = 64,
    },
    Fault {
        id: "cli-errors-without-envelope",
        promises: &["BRG-CLI-03", "BRG-CLI-04"],
        title: "With --json, failures are plain text",
        bend: |rules| rules.cli.error_envelope = false,
    },
    Fault {
        id: "cli-error-type-lost",
        promises: &["BRG-CLI-03", "BRG-TOL-08", "BRG-RES-10"],
        title: "Errors lose their type on the command line",
        bend: |rules| rules.cli.keep_error_type = false,
    },
    Fault {
        id: "cli-error-details-lost",
        promises: &["BRG-TOL-08", "BRG-CLI-03"],
        title: "Errors lose their details on the command line",
        bend: |rules| rules.cli.keep_error_details = false,
    },
    Fault {
        id: "cli-tool-name-ignored",
        promises: &["BRG-CLI-01"],
        title: "Asked for one tool, the command shows all",
        bend: |rules| rules.cli.obey_tool_name = false,
    },
    Fault {
        id: "cli-result-unshown",
        promises: &["BRG-CLI-01"],
        title: "The command calls a tool and does not show the result",
        bend: |rules| rules.cli.show_result = false,
    },
    Fault {
        id: "cli-selector-ignored",
        promises: &["BRG-CLI-01"],
        title: "The command does not pass the selector on",
        bend: |rules| rules.cli.pass_selector = false,
    },
    Fault {
        id: "cli-ls-without-ids",
        promises: &["BRG-CLI-04"],
        title: "ls shows nothing but aliases and states",
        bend: |rules| rules.cli.list_whole = false,
    },
    Fault {
        id: "cli-ls-fails-for-nobody",
        promises: &["BRG-CLI-04"],
        title: "ls fails where there is no session",
        bend: |rules| rules.cli.list_nobody = false,
    },
    Fault {
        id: "cli-last-event-only",
        promises: &["BRG-CLI-04"],
        title: "The command shows the last of several events",
        bend: |rules| rules.cli.all_events = false,
    },
    Fault {
        id: "cli-link-in-parts",
        promises: &["BRG-CLI-04"],
        title: "The command shows no deep link",
        bend: |rules| rules.cli.deep_link = false,
    },
    Fault {
        id: "cli-second-daemon-unrefused",
        promises: &["BRG-CLI-04"],
        title: "A daemon beside one that runs ends as if all were well",
        bend: |rules| rules.cli.refuse_second = false,
    },
    Fault {
        id: "cli-refused-keygen-empties-key",
        promises: &["BRG-CLI-04"],
        title: "A keygen that is refused empties the key there is",
        bend: |rules| rules.cli.spare_key = false,
    },
    Fault {
        id: "cli-state-dir-ignored",
        promises: &["BRG-CLI-04"],
        title: "--state-dir is ignored",
        bend: |rules| rules.cli.obey_state_dir = false,
    },
    Fault {
        id: "cli-timeout-ignored",
        promises: &["BRG-CLI-04"],
        title: "invoke --timeout is ignored",
        bend: |rules| rules.cli.obey_timeout = false,
    },
    Fault {
        id: "cli-ttl-ignored",
        promises: &["BRG-CLI-04"],
        title: "link --ttl is ignored",
        bend: |rules| rules.cli.obey_ttl = false,
    },
    beneath!("cli-stack-traces", "BRG-CLI-03", "Failures show a stack trace", cli.stack_traces = true),
    beneath!("cli-start-fails", "BRG-CLI-04", "`daemon start` fails", cli.failing_command = Some("daemon start")),
    beneath!("cli-stop-fails", "BRG-CLI-04", "`daemon stop` fails", cli.failing_command = Some("daemon stop")),
    beneath!("cli-status-fails", "BRG-CLI-04", "`daemon status` fails", cli.failing_command = Some("daemon status")),
    beneath!("cli-link-fails", "BRG-CLI-04", "`link` fails", cli.failing_command = Some("link")),
    beneath!("cli-ls-fails", "BRG-CLI-04", "`ls` fails", cli.failing_command = Some("ls")),
    beneath!("cli-tools-fails", "BRG-CLI-01", "`tools` fails", cli.failing_command = Some("tools")),
    beneath!("cli-invoke-fails", "BRG-CLI-04", "`invoke` fails", cli.failing_command = Some("invoke")),
    beneath!("cli-resources-fails", "BRG-CLI-01", "`resources` fails", cli.failing_command = Some("resources")),
    beneath!("cli-read-fails", "BRG-CLI-01", "`read` fails", cli.failing_command = Some("read")),
    beneath!("cli-events-fails", "BRG-CLI-04", "`events` fails", cli.failing_command = Some("events")),
    beneath!("cli-revoke-fails", "BRG-CLI-04", "`revoke` fails", cli.failing_command = Some("revoke")),
    beneath!("cli-keygen-fails", "BRG-CLI-04", "`keygen` fails", cli.failing_command = Some("keygen")),
];

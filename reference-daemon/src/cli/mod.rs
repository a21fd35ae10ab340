//! The command line over everything (section 10 of the contract).
//!
//! | question | file |
//! |---|---|
//! | what can be typed? | [`grammar`] |
//! | which control call is that? | [`request`] |
//! | how does the result look? | [`render`] |
//! | how does it end: envelope, exit code? | [`report`] |
//! | how are processes run, started and stopped? | [`process`] |

pub mod grammar;
pub mod process;
pub mod render;
pub mod report;
pub mod request;

use self::grammar::{Command, CommandLine, DaemonCommand, Parsed};
use self::report::{Failure, FailureClass, success_envelope};
use crate::rules::{NO_REASON, Rules};
use crate::shell::{Config, StateDir, rules_from_env};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Does what the arguments say, and gives the exit code. `program` is how the command calls itself: its first word is
/// the running executable, further words are put before the arguments when it starts itself in the background.
///
/// `IOLITE_FAULT` in the environment bends the rules, `IOLITE_STATE_DIR` chooses the state folder, `IOLITE_LOG` what is
/// logged to standard error. A bug ends in exit code 1 and one line, never in a stack trace (`BRG-CLI-03`).
pub fn main(program: &str, args: Vec<OsString>) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let _ = writeln!(std::io::stderr(), "error: internal_error: {panic}");
    }));
    let mut stdout = std::io::stdout();
    let mut stderr = std::io::stderr();
    let mut terminal = Terminal { is_terminal: stdout.is_terminal(), out: &mut stdout, err: &mut stderr };
    let run = catch_unwind(AssertUnwindSafe(|| run(program, &args, &mut terminal)));
    ExitCode::from(run.unwrap_or(1))
}

/// Where a command writes.
pub struct Terminal<'a> {
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Whether a person looks at standard output.
    pub is_terminal: bool,
}

/// [`main`] with streams of its own. `daemon run` and `mcp` use the process's.
pub fn run(program: &str, args: &[OsString], terminal: &mut Terminal<'_>) -> u8 {
    let as_json = grammar::asks_for_json(args);
    let (rules, unknown_fault) = match rules_from_env() {
        Ok(rules) => (rules, None),
        Err(error) => (Rules::default(), Some(Failure::from(error))),
    };
    let reporter = Reporter { as_json, rules: &rules };
    let line = match (grammar::parse(program, args), unknown_fault) {
        (Parsed::Text(text), _) => return reporter.text(&text, terminal),
        (Parsed::Mistake(text), _) => {
            return reporter.failure(&Failure::usage(text), "", terminal);
        }
        (Parsed::Command(_), Some(failure)) => return reporter.failure(&failure, "", terminal),
        (Parsed::Command(line), None) => line,
    };
    let name = name(&line.command);
    if rules.cli.failing_command == Some(name) {
        return reporter.failure(&Failure::internal(NO_REASON.to_owned()), name, terminal);
    }
    match carry_out(program, &line, &rules) {
        Ok(Outcome::Ended(code)) => code,
        Ok(Outcome::Data(data)) if as_json => reporter.data(&data, name, terminal),
        Ok(Outcome::Data(data)) => {
            let shown = render::render(&line.command, &data, terminal.is_terminal, &rules.cli);
            written(terminal.out.write_all(&shown).and_then(|()| terminal.out.flush()))
        }
        Err(failure) => reporter.failure(&failure, name, terminal),
    }
}

enum Outcome {
    /// A result to show.
    Data(Value),
    /// It said everything itself.
    Ended(u8),
}

fn carry_out(program: &str, line: &CommandLine, rules: &Rules) -> Result<Outcome, Failure> {
    let given = line.state_dir.clone().filter(|_| rules.cli.obey_state_dir);
    let dir = StateDir::choose(given);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("no runtime: {error}")))?;
    // The futures of the two that serve are large: boxed, they cost no other command anything.
    let outcome = runtime.block_on(async {
        let data = match &line.command {
            Command::Daemon(DaemonCommand::Run(options)) => {
                let code = Box::pin(process::run_daemon(dir, options, rules.clone())).await?;
                return Ok(Outcome::Ended(code));
            }
            Command::Mcp => {
                Box::pin(process::serve_mcp(&dir, rules.clone())).await?;
                return Ok(Outcome::Ended(0));
            }
            Command::Daemon(DaemonCommand::Start { port }) => {
                process::start_daemon(program, &dir, *port, rules).await?
            }
            Command::Daemon(DaemonCommand::Stop) => process::stop_daemon(&dir).await?,
            Command::Daemon(DaemonCommand::Status) => process::status(&dir).await?,
            Command::Keygen { force } => process::make_key(&dir, *force, rules)?,
            command => match request::control_request(command, rules)? {
                Some(request) => {
                    let config = Config::load(&dir.config())?;
                    let result = request::send(&dir.control_socket(), request).await?;
                    request::refine(command, result, &config, rules)?
                }
                None => json!({}),
            },
        };
        Ok(Outcome::Data(data))
    });
    // A read of standard input that nobody needs any more must not keep the process.
    runtime.shutdown_background();
    outcome
}

/// Says how a command ended.
struct Reporter<'a> {
    as_json: bool,
    rules: &'a Rules,
}

impl Reporter<'_> {
    fn text(&self, text: &str, terminal: &mut Terminal<'_>) -> u8 {
        match self.as_json {
            true => self.data(&json!({"text": text}), "help", terminal),
            false => written(terminal.out.write_all(text.as_bytes())),
        }
    }

    fn data(&self, data: &Value, command: &str, terminal: &mut Terminal<'_>) -> u8 {
        written(writeln!(terminal.out, "{}", success_envelope(data, command)))
    }

    fn failure(&self, failure: &Failure, command: &str, terminal: &mut Terminal<'_>) -> u8 {
        let cli = &self.rules.cli;
        if cli.stack_traces {
            let _ = writeln!(terminal.err, "thread 'main' panicked at main.rs:1:\nstack backtrace:");
        }
        let said = match self.as_json && cli.error_envelope {
            true => writeln!(terminal.out, "{}", failure.envelope(command, cli)),
            false if failure.class == FailureClass::Usage => {
                writeln!(terminal.err, "error: {}", failure.message)
            }
            false => writeln!(terminal.err, "{}", failure.in_words(cli)),
        };
        // Nobody reads the stream: the exit code still tells.
        let _ = said;
        failure.class.exit_code(cli)
    }
}

/// A reader that went away is no failure: `… | head` is a way to use a command.
fn written(result: std::io::Result<()>) -> u8 {
    match result {
        Ok(()) => 0,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => 0,
        Err(_) => 1,
    }
}

fn name(command: &Command) -> &'static str {
    match command {
        Command::Daemon(DaemonCommand::Run(_)) => "daemon run",
        Command::Daemon(DaemonCommand::Start { .. }) => "daemon start",
        Command::Daemon(DaemonCommand::Stop) => "daemon stop",
        Command::Daemon(DaemonCommand::Status) => "daemon status",
        Command::Link { .. } => "link",
        Command::Ls => "ls",
        Command::Tools { .. } => "tools",
        Command::Invoke { .. } => "invoke",
        Command::Resources { .. } => "resources",
        Command::Read { .. } => "read",
        Command::Events { .. } => "events",
        Command::Revoke { .. } => "revoke",
        Command::Mcp => "mcp",
        Command::Keygen { .. } => "keygen",
    }
}

#[cfg(test)]
mod tests;

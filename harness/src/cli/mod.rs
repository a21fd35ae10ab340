//! The `iolite` command line: arguments in, exit code out.

mod check;
mod coverage;
mod daemon;
mod doctor;
pub mod exit;
mod explain;
mod faults;
mod lint;
mod list;
mod output;
mod run;
mod select;

use clap::{Parser, Subcommand};
use output::print_json;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with these arguments, the program's name first.
pub fn main(args: Vec<OsString>) -> ExitCode {
    // The daemon's command line has a grammar and exit codes of its own.
    if args.get(1).is_some_and(|word| word == "daemon") {
        return daemon::main(args.into_iter().skip(2).collect());
    }
    let code = match Arguments::try_parse_from(args) {
        Ok(arguments) => dispatch(arguments.command),
        Err(error) => {
            let wrong = error.use_stderr();
            // Nothing more can be done when not even that can be printed.
            let _ = error.print();
            if wrong { exit::INPUT } else { exit::OK }
        }
    };
    ExitCode::from(code)
}

fn dispatch(command: Command) -> u8 {
    match command {
        Command::Run(options) => run::main(&options),
        Command::List(options) => list::main(&options),
        Command::Check(options) => check::main(&options),
        Command::Doctor(options) => doctor::main(&options),
        Command::Explain(options) => explain::main(&options),
        Command::Coverage(options) => coverage::main(&options),
        Command::Faults(options) => faults::main(&options),
        Command::Lint(options) => lint::main(&options),
        Command::Schema => {
            print_json(&crate::scenario::schema::schema());
            exit::OK
        }
        Command::Daemon { .. } => unreachable!("taken before the arguments are parsed"),
    }
}

/// Drives a bridge daemon through scenarios and says which promises it breaks, with proof from the wire.
#[derive(Debug, Parser)]
#[command(name = "iolite", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run scenarios against a daemon.
    Run(run::Options),
    /// List scenarios, checks or promises.
    List(list::Options),
    /// Check scenario files without running anything.
    Check(check::Options),
    /// Prove a target file step by step, before any verdict.
    Doctor(doctor::Options),
    /// Join promises with the checks that ran and the faults that were noticed.
    Coverage(coverage::Options),
    /// Measure the suite: which deliberate faults of the reference daemon it notices.
    Faults(faults::Options),
    /// Prove that every negative case is wrong in one way only: without that one rule, its input is served.
    Lint(lint::Options),
    /// Print the JSON Schema of scenario files, for editors.
    Schema,
    /// Say what a promise means and what proves it.
    Explain(explain::Options),
    /// The reference daemon: run, start, stop, status, and its whole command line.
    #[command(disable_help_flag = true)]
    Daemon {
        /// Arguments of the daemon's own command line.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
}

//! `iolite daemon …`: the reference daemon's own command line.

use std::ffi::OsString;
use std::process::ExitCode;

/// Commands that act on the daemon itself. `iolite daemon run` stands for the daemon's `daemon run`, while everything else,
/// such as `iolite daemon ls`, is passed on as it is.
const ON_THE_DAEMON: &[&str] = &["run", "start", "stop", "status"];

/// Runs it. Exit codes are the daemon's (0, 64, 65, 70, 71, 72, 77, 1).
pub(super) fn main(mut args: Vec<OsString>) -> ExitCode {
    let command = args.iter().position(|word| !is_option(word));
    let skipped = args.iter().take(command.unwrap_or(0)).any(|word| word == "--state-dir");
    // `--state-dir DIR` may stand before the command; its value is no command.
    let command =
        if skipped { args.iter().skip(2).position(|word| !is_option(word)).map(|at| at + 2) } else { command };
    if let Some(at) = command
        && ON_THE_DAEMON.iter().any(|name| args[at] == *name)
    {
        args.insert(at, "daemon".into());
    }
    iolite_reference_daemon::cli::main("iolite daemon", args)
}

fn is_option(word: &OsString) -> bool {
    word.to_string_lossy().starts_with('-')
}

//! The `iolite` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    iolite::cli::main(std::env::args_os().collect())
}

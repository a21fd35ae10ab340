//! The `iolite` command.

use std::process::ExitCode;

/// A run makes and drops a great many small JSON values, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    iolite::cli::main(std::env::args_os().collect())
}

//! Every embedded scenario against the reference daemon, as a test of its own.

fn main() -> std::process::ExitCode {
    iolite::cargo_test::Suite::of_reference(env!("CARGO_BIN_EXE_iolite")).main()
}

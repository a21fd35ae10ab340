//! How commands write: text for people, JSON for machines.

/// How output is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON document, and nothing else, on standard output.
    Json,
}

pub(super) fn print_json(value: &serde_json::Value) {
    print(&format!("{value:#}\n"));
}

/// Prints to standard output. A reader that has gone away is no fault of ours.
pub(super) fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

pub(super) fn complain(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().lock().write_all(format!("{}\n", text.trim_end()).as_bytes());
}

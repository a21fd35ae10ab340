//! Which arrows there may be. Whoever adds one says why; one that nothing uses any more is taken out.

/// `from` may use `to`.
pub struct Arrow {
    pub from: &'static str,
    pub to: &'static str,
    pub why: &'static str,
}

const fn arrow(from: &'static str, to: &'static str, why: &'static str) -> Arrow {
    Arrow { from, to, why }
}

/// Between the crates. The mocks and the reference daemon never use each other, or they would agree by accident.
pub const CRATES: &[Arrow] = &[
    arrow("mock-app", "protocol", "frames, links and the transcript's records"),
    arrow("mock-client", "protocol", "strict JSON and the transcript's records"),
    arrow("reference-daemon", "protocol", "frames, links and the control RPC"),
    arrow("harness", "protocol", "strict readers for the watchers, and records"),
    arrow("harness", "mock-app", "apps are actors"),
    arrow("harness", "mock-client", "MCP clients are actors"),
    arrow("harness", "reference-daemon", "its command line, its rules and their faults"),
];

/// Between the folders of a package. A file at the top counts as a folder.
pub const FOLDERS: &[(&str, &[Arrow])] = &[
    (
        "harness",
        &[
            arrow("requirements", "scenario", "promises have levels and are written in the same YAML"),
            arrow("target", "scenario", "target files are trees of values with their places, like scenarios"),
            arrow("vocabulary", "requirements", "promises that a scenario may name"),
            arrow("vocabulary", "scenario", "what scenario files are checked against"),
            arrow("vocabulary", "target", "features that a scenario may name"),
            arrow("judge", "scenario", "how binding a check is"),
            arrow("judge", "transcript", "what watchers look at"),
            arrow("engine", "scenario", "what is played"),
            arrow("engine", "target", "the daemon that it is played on"),
            arrow("engine", "transcript", "where everything is recorded"),
            arrow("engine", "judge", "verdicts; the watchers are handed in from above"),
            arrow("report", "judge", "verdicts are shown"),
            arrow("report", "requirements", "with the promises that they are about"),
            arrow("report", "scenario", "and the lines that state them"),
            arrow("report", "engine", "what happens while a run goes on"),
            arrow("faults", "engine", "each fault is met by scenarios"),
            arrow("faults", "judge", "and noticed by their checks and by watchers"),
            arrow("faults", "scenario", "the suite that is measured"),
            arrow("faults", "target", "the daemon that has the faults"),
            arrow("coverage", "engine", "ids of checks"),
            arrow("coverage", "faults", "which of them were noticed"),
            arrow("coverage", "judge", "which checks passed"),
            arrow("coverage", "requirements", "one row for each promise"),
            arrow("coverage", "scenario", "how binding a promise is"),
            arrow("coverage", "target", "what a target claims"),
            arrow("cargo_test", "engine", "runs each scenario as a test"),
            arrow("cargo_test", "judge", "with all watchers"),
            arrow("cargo_test", "vocabulary", "scenario files are checked before"),
            arrow("cargo_test", "report", "a failed test prints the report"),
            arrow("cargo_test", "requirements", "with the promises"),
            arrow("cargo_test", "scenario", "which scenarios"),
            arrow("cargo_test", "target", "which daemon"),
            arrow("cli", "coverage", "iolite coverage"),
            arrow("cli", "engine", "iolite run, iolite doctor"),
            arrow("cli", "faults", "iolite faults"),
            arrow("cli", "judge", "watchers, and verdicts as exit codes"),
            arrow("cli", "vocabulary", "scenario files are checked before anything runs"),
            arrow("cli", "report", "what a run prints"),
            arrow("cli", "requirements", "iolite explain, requirement sets"),
            arrow("cli", "scenario", "iolite check, iolite schema, choosing scenarios"),
            arrow("cli", "target", "which daemon"),
            arrow("main", "cli", "the command"),
        ],
    ),
    (
        "reference-daemon",
        &[
            arrow("core", "rules", "every decision is a rule"),
            arrow("core", "first_reading", "a bent rule reads the first of two equal members"),
            arrow("core", "wires", "a bent rule cuts lines where none ends"),
            arrow("mcp", "first_reading", "as in core"),
            arrow("mcp", "wires", "as in core"),
            arrow("wires", "rules", "how lines are cut and texts are changed"),
            arrow("shell", "core", "sockets and files around the state machine"),
            arrow("shell", "rules", "limits, and decisions about bytes"),
            arrow("shell", "faults", "the one that the environment asks for"),
            arrow("faults", "rules", "each takes a decision of theirs wrongly"),
            arrow("mcp", "rpc_client", "the MCP server is a client of the daemon"),
            arrow("mcp", "rules", "every decision is a rule"),
            arrow("cli", "rpc_client", "most commands ask a running daemon"),
            arrow("cli", "rules", "every decision is a rule"),
            arrow("cli", "shell", "starts the daemon"),
            arrow("cli", "mcp", "starts the MCP server"),
        ],
    ),
];

/// Where files may still be in a circle with each other: paths, or how they begin. Empty when all circles are cut.
pub const STILL_TIED: &[&str] = &[];

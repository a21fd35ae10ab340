//! What can be typed (`BRG-CLI-04`).

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::net::IpAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// A whole command line.
#[derive(Clone, Debug, PartialEq, Parser)]
#[command(about = "A conforming bridge daemon, and everything to operate it", version)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct CommandLine {
    /// Folder of socket, key and configuration [default: $IOLITE_STATE_DIR, else ~/.iolite]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub state_dir: Option<PathBuf>,
    /// Print one JSON object: {ok, data | error, meta}
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Clone, Debug, PartialEq, Subcommand)]
pub enum Command {
    /// Run, start, stop or look at the daemon
    #[command(subcommand)]
    Daemon(DaemonCommand),
    /// Mint a one-time link for an app
    Link {
        /// Life of the link, in seconds
        #[arg(long, value_name = "SECONDS")]
        ttl: Option<NonZeroU64>,
        /// Address to write into the link
        #[arg(long, value_name = "IP")]
        address: Option<IpAddr>,
    },
    /// List the sessions
    Ls,
    /// List an app's tools, or show one
    Tools {
        /// Session id or alias; not needed with one session
        selector: Option<String>,
        /// The tool to show
        name: Option<String>,
    },
    /// Call a tool
    #[command(override_usage = "invoke [OPTIONS] [SELECTOR] <TOOL> --input <JSON>")]
    Invoke {
        /// Session id or alias, not needed with one session; then the tool
        #[arg(num_args = 1..=2, required = true, value_name = "TARGET")]
        target: Vec<String>,
        /// The arguments, a JSON object
        #[arg(long, value_name = "JSON", default_value = "{}", allow_hyphen_values = true)]
        input: String,
        /// Deadline, in milliseconds
        #[arg(long, value_name = "MS")]
        timeout: Option<NonZeroU64>,
    },
    /// List an app's resources
    Resources {
        /// Session id or alias; not needed with one session
        selector: Option<String>,
    },
    /// Print what a resource holds
    #[command(override_usage = "read [OPTIONS] [SELECTOR] <NAME>")]
    Read {
        /// Session id or alias, not needed with one session; then the resource's name
        #[arg(num_args = 1..=2, required = true, value_name = "TARGET")]
        target: Vec<String>,
        /// Deadline, in milliseconds
        #[arg(long, value_name = "MS")]
        timeout: Option<NonZeroU64>,
    },
    /// Print what happened in a session
    Events {
        /// Session id or alias; not needed with one session
        selector: Option<String>,
        /// Only what came after this cursor
        #[arg(long, value_name = "N")]
        since: Option<u64>,
        /// At most this many
        #[arg(long, value_name = "N")]
        limit: Option<NonZeroU64>,
        /// Only this kind; may be given several times
        #[arg(long = "kind", value_name = "KIND")]
        kinds: Vec<String>,
    },
    /// End a session, or discard a link
    Revoke {
        /// Session id or alias; not needed with one session
        selector: Option<String>,
    },
    /// Serve MCP on standard input and output
    Mcp,
    /// Make the daemon's TLS key
    Keygen {
        /// Replace the key there is; links minted before stop working
        #[arg(long)]
        force: bool,
    },
}

/// What to do with the daemon.
#[derive(Clone, Debug, PartialEq, Subcommand)]
pub enum DaemonCommand {
    /// Run it in the foreground
    Run(RunOptions),
    /// Start it in the background and wait until it serves
    Start {
        /// Port of the WebSocket listener; 0 takes any free one
        #[arg(long, value_name = "PORT")]
        port: Option<u16>,
    },
    /// Stop it and wait until it is gone
    Stop,
    /// Say how it is
    Status,
}

/// How to run the daemon.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct RunOptions {
    /// Which time it lives by
    #[arg(long, value_enum, default_value_t = ClockName::System)]
    pub clock: ClockName,
    /// Port of the WebSocket listener; 0 takes any free one
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Leave the terminal's session
    #[arg(long, hide = true)]
    pub detached: bool,
}

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockName {
    /// The system's
    System,
    /// One that stands still until a line `advance <ms>` arrives on standard input
    Manual,
}

/// What came of reading a command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// A command.
    Command(CommandLine),
    /// A text that was asked for, such as the help.
    Text(String),
    /// A mistake, in words for people.
    Mistake(String),
}

/// Reads the arguments after the program's name. `program` is how the help calls it.
pub fn parse(program: &str, args: &[OsString]) -> Parsed {
    let command = CommandLine::command().name("iolite-daemon").bin_name(program);
    let words = std::iter::once(OsString::from(program)).chain(args.iter().cloned());
    let matches = command.try_get_matches_from(words);
    match matches.and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(line) => Parsed::Command(line),
        Err(error) => {
            let text = error.render().to_string();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Parsed::Text(text),
                _ => {
                    let text = text.trim_end();
                    Parsed::Mistake(text.strip_prefix("error: ").unwrap_or(text).to_owned())
                }
            }
        }
    }
}

/// Whether the arguments ask for JSON, also where they are wrong otherwise.
pub fn asks_for_json(args: &[OsString]) -> bool {
    args.iter().take_while(|arg| *arg != "--").any(|arg| arg == "--json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn command(text: &str) -> CommandLine {
        match parse("iolite daemon", &words(text)) {
            Parsed::Command(line) => line,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_grammar_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn every_command_of_the_contract_is_read() {
        for text in [
            "daemon run",
            "daemon run --clock manual --port 0",
            "daemon start",
            "daemon stop",
            "daemon status",
            "link",
            "link --ttl 5",
            "ls",
            "tools",
            "tools pixel",
            "tools pixel send",
            "invoke send --input {}",
            "invoke pixel send --input {} --timeout 500",
            "resources",
            "resources pixel",
            "read cart",
            "read pixel cart",
            "events",
            "events pixel --since 4",
            "revoke",
            "revoke pixel",
            "mcp",
            "keygen",
        ] {
            let line = command(text);
            assert!(!line.json);
            let line = command(&format!("{text} --json --state-dir /tmp/x"));
            assert!(line.json && line.state_dir == Some("/tmp/x".into()), "{text}");
            assert!(command(&format!("--json {text}")).json);
        }
    }

    #[test]
    fn one_word_is_the_tool_and_two_are_selector_and_tool() {
        let target = |text| match command(text).command {
            Command::Invoke { target, .. } | Command::Read { target, .. } => target,
            other => panic!("{other:?}"),
        };
        assert_eq!(target("invoke send"), ["send"]);
        assert_eq!(target("read pixel cart"), ["pixel", "cart"]);
    }

    #[test]
    fn mistakes_are_told_and_help_is_no_mistake() {
        for text in [
            "",
            "nonsense",
            "daemon",
            "daemon walk",
            "read",
            "read a b c",
            "invoke",
            "ls extra",
            "link --ttl 0",
            "link --ttl -5",
            "link --ttl soon",
            "link --address nowhere",
            "events --since -1",
            "invoke t --timeout 0",
            "daemon run --clock sundial",
            "daemon run --port 70000",
            "--unknown ls",
            "ls --state-dir",
        ] {
            let reading = parse("iolite daemon", &words(text));
            assert!(matches!(reading, Parsed::Mistake(_)), "{text}: {reading:?}");
        }
        assert!(matches!(parse("iolite daemon", &words("--help")), Parsed::Text(_)));
        assert!(matches!(parse("iolite daemon", &words("read --help")), Parsed::Text(_)));
        assert!(matches!(parse("iolite daemon", &words("--version")), Parsed::Text(_)));
    }

    #[test]
    fn json_is_recognised_in_wrong_lines_too() {
        assert!(asks_for_json(&words("nonsense --json")));
        assert!(!asks_for_json(&words("nonsense -- --json")));
    }
}

//! Reading target files, collecting every mistake on the way, and the one that is embedded.

use super::description::{
    CliByEnvironment, ClockKind, ConfigFile, DaemonCommand, FEATURES, Isolation, Knobs, LinkMint, Ready, Target,
    Timing, VERSION,
};
use super::mistakes::{Mistake, TargetMistakes};
use super::reader::Reader;
use super::stop_method::StopMethod;
use super::toml_tree;
use crate::scenario::node::{Node, Source, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Target {
    /// Reads a target file. A file that cannot be read is reported like a mistake at its beginning.
    pub fn load(path: &Path, own_binary: &Path) -> Result<Self, TargetMistakes> {
        let shown = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
                decode(&Source::new(shown, text), &folder, own_binary)
            }
            Err(error) => Err(TargetMistakes {
                source: Source::new(shown, ""),
                mistakes: vec![Mistake {
                    span: 0..0,
                    message: format!("this target file cannot be read: {error}"),
                    help: Some("name a TOML file as described in docs/targets.md".into()),
                }],
            }),
        }
    }

    /// The reference daemon inside this binary: the default target.
    pub fn reference(own_binary: &Path) -> Self {
        let source = Source::new("fixtures/targets/reference.toml (embedded)", REFERENCE);
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        match decode(&source, &here, own_binary) {
            Ok(target) => target,
            Err(mistakes) => unreachable!("the embedded target file is tested: {mistakes}"),
        }
    }
}

/// The embedded target file.
pub const REFERENCE: &str = include_str!("../../../fixtures/targets/reference.toml");

/// Decodes a whole target file.
pub(super) fn decode(source: &Arc<Source>, folder: &Path, own_binary: &Path) -> Result<Target, TargetMistakes> {
    let fail = |mistakes| TargetMistakes { source: source.clone(), mistakes };
    let root = toml_tree::parse(&source.text).map_err(fail)?;
    let mut reader = Reader::default();
    let target = reader.target(&root, folder, own_binary);
    if reader.mistakes.is_empty() {
        Ok(target)
    } else {
        reader.mistakes.sort_by_key(|mistake| mistake.span.start);
        Err(fail(reader.mistakes))
    }
}

impl Reader {
    fn target(&mut self, root: &Node, folder: &Path, own_binary: &Path) -> Target {
        let known = [
            "version",
            "name",
            "features",
            "revisions",
            "isolation",
            "setup",
            "config",
            "daemon",
            "link",
            "mcp",
            "cli",
            "knobs",
            "timing",
        ];
        self.keys(root, "a target file", &known);
        match root.member("version").map(|node| (node, &node.value)) {
            Some((_, Value::Number(number))) if number.as_u64() == Some(VERSION) => {}
            Some((node, _)) => self.mistake(
                node.span.clone(),
                format!("this iolite reads target files of version {VERSION}"),
                Some(format!("write version = {VERSION}")),
            ),
            None => self.mistake(0..0, "`version` is missing".into(), Some(format!("add version = {VERSION}"))),
        }
        let name = self.required_text(root, "name", "a short name for reports");
        let features = self.choices(root, "features", FEATURES);
        let revisions = self.texts(root, "revisions");
        let isolation = self.choice(root, "isolation", &["scenario", "worker", "run"]);
        let empty = Node::synthetic(serde_json::json!({}));
        let timing = root.member("timing").unwrap_or(&empty);
        let setup = root.member("setup");
        Target {
            name,
            features: features.into_iter().collect(),
            revisions: if revisions.is_empty() { vec!["2025-06-18".into(), "2025-11-25".into()] } else { revisions },
            isolation: match isolation.as_deref() {
                Some("worker") => Isolation::Worker,
                Some("run") => Isolation::Run,
                _ => Isolation::Scenario,
            },
            setup: setup.map(|node| self.commands(node)).unwrap_or_default(),
            config: root.member("config").map(|node| self.config(node)),
            daemon: self.daemon(root),
            link: root.member("link").map_or(LinkMint::Rpc, |node| self.link(node)),
            mcp: root.member("mcp").and_then(|node| self.command_table(node, "mcp", &["command"])),
            cli: root.member("cli").and_then(|node| self.command_table(node, "cli", &["command", "by_environment"])),
            cli_by_environment: root
                .member("cli")
                .and_then(|cli| cli.member("by_environment"))
                .and_then(|node| self.cli_by_environment(node)),
            knobs: root.member("knobs").map(|node| self.knobs(node)).unwrap_or_default(),
            timing: self.timing(timing),
            folder: folder.to_path_buf(),
            own_binary: own_binary.to_path_buf(),
        }
    }

    fn config(&mut self, node: &Node) -> ConfigFile {
        self.keys(node, "[config]", &["file", "values"]);
        let file = self.required_text(node, "file", "the path of the configuration file");
        let values = match node.member("values") {
            Some(values) => {
                self.check_placeholders(values);
                match values.to_json() {
                    serde_json::Value::Object(values) => values,
                    _ => {
                        self.mistake(values.span.clone(), "`values` must be a table".into(), None);
                        serde_json::Map::new()
                    }
                }
            }
            None => serde_json::Map::new(),
        };
        ConfigFile { file, values }
    }

    fn daemon(&mut self, root: &Node) -> DaemonCommand {
        let empty = Node::synthetic(serde_json::json!({}));
        let Some(node) = root.member("daemon") else {
            self.mistake(
                0..0,
                "the table [daemon] is missing".into(),
                Some("add [daemon] with command = [\"…\"] and [daemon.ready]".into()),
            );
            return self.daemon_of(&empty, false);
        };
        self.daemon_of(node, true)
    }

    fn daemon_of(&mut self, node: &Node, report: bool) -> DaemonCommand {
        self.keys(
            node,
            "[daemon]",
            &["command", "env", "ready", "ready_within_seconds", "stop", "stop_within_seconds", "socket"],
        );
        let command = self.texts(node, "command");
        if report && command.is_empty() {
            self.mistake(
                node.span.clone(),
                "[daemon] needs `command`, the program and its arguments".into(),
                Some("for example command = [\"my-daemon\", \"run\", \"--state-dir\", \"${state_dir}\"]".into()),
            );
        }
        let env = match node.member("env").map(|env| &env.value) {
            Some(Value::Map(members)) => {
                members.iter().filter_map(|(key, value)| Some((key.name.clone(), self.text(value)?))).collect()
            }
            Some(_) => {
                self.mistake(node.span.clone(), "`env` must be a table of strings".into(), None);
                Vec::new()
            }
            None => Vec::new(),
        };
        let stop = match self.choice(node, "stop", &["rpc", "sigterm", "sigint"]).as_deref() {
            Some("sigterm") => StopMethod::Sigterm,
            Some("sigint") => StopMethod::Sigint,
            _ => StopMethod::Rpc,
        };
        let socket = node.member("socket").and_then(|socket| self.text(socket));
        let ready = self.ready(node);
        if report && socket.is_none() && !matches!(ready, Ready::StdoutJson { .. }) {
            self.mistake(
                node.span.clone(),
                "nothing says where the control socket is".into(),
                Some("add socket = \"${state_dir}/control.sock\", or ready = { stdout_json = \"socket_path\" }".into()),
            );
        }
        DaemonCommand {
            command,
            env,
            ready,
            ready_within: self.seconds(node, "ready_within_seconds", 10.0),
            stop_within: self.seconds(node, "stop_within_seconds", 5.0),
            stop,
            socket,
        }
    }

    fn ready(&mut self, daemon: &Node) -> Ready {
        let Some(node) = daemon.member("ready") else { return Ready::Socket };
        self.keys(node, "[daemon.ready]", &["stdout_json", "stdout_line", "socket"]);
        if let Some(member) = node.member("stdout_json").and_then(|member| self.text(member)) {
            Ready::StdoutJson { member }
        } else if let Some(contains) = node.member("stdout_line").and_then(|line| self.text(line)) {
            Ready::StdoutLine { contains }
        } else {
            Ready::Socket
        }
    }

    fn link(&mut self, node: &Node) -> LinkMint {
        self.keys(node, "[link]", &["mint", "command"]);
        let mint = self.choice(node, "mint", &["rpc", "command"]);
        let command = self.texts(node, "command");
        match mint.as_deref() {
            Some("command") if command.is_empty() => {
                self.mistake(node.span.clone(), "mint = \"command\" needs `command`".into(), None);
                LinkMint::Rpc
            }
            Some("command") => LinkMint::Command(command),
            _ => LinkMint::Rpc,
        }
    }

    fn knobs(&mut self, node: &Node) -> Knobs {
        self.keys(
            node,
            "[knobs]",
            &[
                "tool_prefix",
                "uri_scheme",
                "resource_not_found",
                "own_types_are_unknown",
                "reads_follow_default",
                "unknown_tool_code",
            ],
        );
        let defaults = Knobs::default();
        let mut text = |name, default: String| {
            node.member(name).map_or(default.clone(), |value| self.text(value).unwrap_or(default))
        };
        let tool_prefix = text("tool_prefix", defaults.tool_prefix);
        let uri_scheme = text("uri_scheme", defaults.uri_scheme);
        let resource_not_found = text("resource_not_found", defaults.resource_not_found);
        Knobs {
            tool_prefix,
            uri_scheme,
            resource_not_found,
            own_types_are_unknown: self.flag(node, "own_types_are_unknown", defaults.own_types_are_unknown),
            reads_follow_default: self.flag(node, "reads_follow_default", defaults.reads_follow_default),
            unknown_tool_code: match node.member("unknown_tool_code").map(|node| (node, &node.value)) {
                Some((_, Value::Number(number))) if number.is_i64() => number.as_i64().unwrap_or_default(),
                Some((node, _)) => {
                    self.mistake(node.span.clone(), "`unknown_tool_code` must be a whole number".into(), None);
                    defaults.unknown_tool_code
                }
                None => defaults.unknown_tool_code,
            },
        }
    }

    fn timing(&mut self, node: &Node) -> Timing {
        self.keys(node, "[timing]", &["clock", "wait_max_seconds"]);
        let clock = match self.choice(node, "clock", &["stdin", "real"]).as_deref() {
            Some("stdin") => ClockKind::Stdin,
            _ => ClockKind::Real,
        };
        Timing { clock, wait_max: self.seconds(node, "wait_max_seconds", 12.0) }
    }

    fn cli_by_environment(&mut self, node: &Node) -> Option<CliByEnvironment> {
        let name = "cli.by_environment";
        let command = self.command_table(node, name, &["command", "variable"]);
        let variable = self.required_text(node, "variable", "the environment variable that chooses the state folder");
        Some(CliByEnvironment { command: command?, variable })
    }

    fn command_table(&mut self, node: &Node, name: &str, keys: &[&str]) -> Option<Vec<String>> {
        self.keys(node, &format!("[{name}]"), keys);
        let command = self.texts(node, "command");
        if command.is_empty() {
            self.mistake(node.span.clone(), format!("[{name}] needs `command`, the program and its arguments"), None);
            return None;
        }
        Some(command)
    }

    fn commands(&mut self, node: &Node) -> Vec<Vec<String>> {
        self.keys(node, "[setup]", &["commands"]);
        let Some(Value::List(items)) = node.member("commands").map(|node| &node.value) else {
            self.mistake(node.span.clone(), "[setup] needs `commands`, a list of commands".into(), None);
            return Vec::new();
        };
        items
            .iter()
            .map(|item| match &item.value {
                Value::List(words) if !words.is_empty() => words.iter().filter_map(|word| self.text(word)).collect(),
                _ => {
                    self.mistake(item.span.clone(), "a command is a list: program, then arguments".into(), None);
                    Vec::new()
                }
            })
            .collect()
    }
}

//! `config.json`: what an operator may set, with defaults, decoding and its errors.

use crate::core::policy::{Decision, PolicyConfig};
use iolite_protocol::strict::{self, Strictness};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};

/// The configuration. A missing file or key means the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `wssPort`: port of the WebSocket listener; 0 takes any free one. Default 0.
    pub wss_port: u16,
    /// `bindIp`: address to listen on. Default: the loopback address of `advertisedIp`'s family, or every address when
    /// what is advertised is no loopback address.
    pub bind_ip: Option<IpAddr>,
    /// `advertisedIp`: address written into links. Default 127.0.0.1.
    pub advertised_ip: IpAddr,
    /// `graceSeconds`: how long a suspended session can be resumed, in seconds, at most a hundred years. Default 60.
    pub grace_s: u64,
    /// `keepaliveIntervalSeconds`: time between pings, in seconds, 1..=3,600. Default 15.
    pub keepalive_interval_s: u64,
    /// `linkTtlSeconds`: life of a link, in seconds, at most a hundred years. Default 300.
    pub link_ttl_s: u64,
    /// `eventBufferSize`: events retained per session, 1..=100,000. Default 256 (BRG-RPC-07).
    pub event_buffer_size: usize,
    /// `policy`: who may call and read what (BRG-POL-01 … BRG-POL-03). Default: everything is allowed.
    pub policy: PolicyConfig,
    /// `scheme`: scheme of deep links. Default `iolite`.
    pub scheme: String,
    /// `toolPrefix`: prefix of the MCP server's own tools, 1..=32 characters of `[A-Za-z0-9_-]`. Default `cordierite`.
    pub tool_prefix: String,
    /// `uriScheme`: scheme of resource URIs shown to agents. Default `cordierite`.
    pub uri_scheme: String,
    /// `pageSize`: entries per page of the lists that agents see, 1..=10,000. Default: they come in one page.
    pub page_size: Option<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            wss_port: 0,
            bind_ip: None,
            advertised_ip: IpAddr::V4(Ipv4Addr::LOCALHOST),
            grace_s: 60,
            keepalive_interval_s: 15,
            link_ttl_s: 300,
            event_buffer_size: 256,
            policy: PolicyConfig::default(),
            scheme: "iolite".to_owned(),
            tool_prefix: "cordierite".to_owned(),
            uri_scheme: "cordierite".to_owned(),
            page_size: None,
        }
    }
}

/// A configuration file that cannot be understood. Exit code 65.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file is there but cannot be read.
    #[error("{}: cannot be read: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// The file is no JSON, or says a key twice.
    #[error("{}:{line}:{column}: {why}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
        /// What is wrong.
        why: String,
    },
    /// A key nobody reads.
    #[error("{}: unknown key \"{key}\"{}; known keys: {}", path.display(), hint(nearest), known.join(", "))]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key, with the keys it lies under.
        key: String,
        /// The most similar known key.
        nearest: Option<&'static str>,
        /// The keys that are known there.
        known: &'static [&'static str],
    },
    /// A value that cannot be used.
    #[error("{}: \"{key}\" must be {expected}, not {found}", path.display())]
    WrongValue {
        /// The file.
        path: PathBuf,
        /// The key, with the keys it lies under; empty for the whole file.
        key: String,
        /// What it must be.
        expected: String,
        /// What it is: its JSON text, shortened.
        found: String,
    },
}

impl Config {
    /// Reads the file; a missing one gives the default.
    ///
    /// # Errors
    /// The first mistake in it.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        match std::fs::read(path) {
            Ok(bytes) => Self::decode(&bytes, path),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(ConfigError::Unreadable { path: path.to_owned(), why: error.to_string() }),
        }
    }

    /// Decodes the file's bytes. `path` is for errors only.
    ///
    /// # Errors
    /// The first mistake in them.
    pub fn decode(bytes: &[u8], path: &Path) -> Result<Self, ConfigError> {
        let value = strict::read(bytes, Strictness::default()).map_err(|error| {
            let before = &bytes[..error.offset.min(bytes.len())];
            let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            ConfigError::NotJson {
                path: path.to_owned(),
                line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
                column: before.len() - line_start + 1,
                why: error.explanation,
            }
        })?;
        let top = Section { path, under: "", map: object(&value, path, "")? };
        top.only(KEYS)?;
        let default = Self::default();
        let page_size = match top.map.contains_key("pageSize") {
            true => Some(top.integer("pageSize", 1..=10_000, 1)? as usize),
            false => None,
        };
        Ok(Self {
            wss_port: top.integer("wssPort", 0..=65_535, default.wss_port.into())? as u16,
            bind_ip: top.ip("bindIp")?,
            advertised_ip: top.ip("advertisedIp")?.unwrap_or(default.advertised_ip),
            grace_s: top.integer("graceSeconds", 1..=LONGEST_S, default.grace_s)?,
            keepalive_interval_s: top.integer("keepaliveIntervalSeconds", 1..=3_600, default.keepalive_interval_s)?,
            link_ttl_s: top.integer("linkTtlSeconds", 1..=LONGEST_S, default.link_ttl_s)?,
            event_buffer_size: top.integer("eventBufferSize", 1..=100_000, default.event_buffer_size as u64)? as usize,
            policy: top.policy()?,
            scheme: top.text("scheme", SCHEME, is_scheme, default.scheme)?,
            tool_prefix: top.text("toolPrefix", PREFIX, is_prefix, default.tool_prefix)?,
            uri_scheme: top.text("uriScheme", SCHEME, is_scheme, default.uri_scheme)?,
            page_size,
        })
    }

    /// The address to listen on.
    pub fn listen_ip(&self) -> IpAddr {
        self.bind_ip.unwrap_or(match self.advertised_ip {
            loopback if loopback.is_loopback() => loopback,
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        })
    }
}

/// An object in the file, and where it lies.
struct Section<'a> {
    path: &'a Path,
    under: &'static str,
    map: &'a Map<String, Value>,
}

impl Section<'_> {
    fn only(&self, known: &'static [&'static str]) -> Result<(), ConfigError> {
        let Some(key) = self.map.keys().find(|key| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let nearest = known
            .iter()
            .map(|candidate| (strsim::jaro_winkler(candidate, key), *candidate))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, candidate)| candidate);
        Err(ConfigError::UnknownKey { path: self.path.to_owned(), key: self.full(key), nearest, known })
    }

    fn integer(&self, key: &str, range: std::ops::RangeInclusive<u64>, default: u64) -> Result<u64, ConfigError> {
        let Some(value) = self.map.get(key) else {
            return Ok(default);
        };
        value
            .as_u64()
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.wrong(key, format!("an integer from {} to {}", range.start(), range.end()), value))
    }

    fn ip(&self, key: &str) -> Result<Option<IpAddr>, ConfigError> {
        let Some(value) = self.map.get(key) else {
            return Ok(None);
        };
        let address = value.as_str().and_then(|text| text.parse().ok());
        address.map(Some).ok_or_else(|| self.wrong(key, "an IPv4 or IPv6 address in a string".to_owned(), value))
    }

    fn text(&self, key: &str, expected: &str, fits: fn(&str) -> bool, default: String) -> Result<String, ConfigError> {
        let Some(value) = self.map.get(key) else {
            return Ok(default);
        };
        let text = value.as_str().filter(|text| fits(text));
        text.map(str::to_owned).ok_or_else(|| self.wrong(key, expected.to_owned(), value))
    }

    fn policy(&self) -> Result<PolicyConfig, ConfigError> {
        let default = PolicyConfig::default();
        let Some(value) = self.map.get("policy") else {
            return Ok(default);
        };
        let section = Section { path: self.path, under: "policy.", map: object(value, self.path, "policy")? };
        section.only(POLICY_KEYS)?;
        Ok(PolicyConfig {
            default: section.decision("default")?.unwrap_or(default.default),
            destructive: section.decision("destructive")?.unwrap_or(default.destructive),
            resources: section.decision("resources")?,
            tools: section.tools()?,
        })
    }

    fn tools(&self) -> Result<BTreeMap<String, Decision>, ConfigError> {
        let Some(value) = self.map.get("tools") else {
            return Ok(BTreeMap::new());
        };
        let section =
            Section { path: self.path, under: "policy.tools.", map: object(value, self.path, "policy.tools")? };
        let decisions = section.map.keys().filter_map(|tool| {
            section.decision(tool).transpose().map(|decision| decision.map(|decision| (tool.clone(), decision)))
        });
        decisions.collect()
    }

    fn decision(&self, key: &str) -> Result<Option<Decision>, ConfigError> {
        let Some(value) = self.map.get(key) else {
            return Ok(None);
        };
        match value.as_str() {
            Some("allow") => Ok(Some(Decision::Allow)),
            Some("deny") => Ok(Some(Decision::Deny)),
            Some("prompt") => Ok(Some(Decision::Prompt)),
            _ => Err(self.wrong(key, "\"allow\", \"deny\" or \"prompt\"".to_owned(), value)),
        }
    }

    fn wrong(&self, key: &str, expected: String, found: &Value) -> ConfigError {
        wrong_value(self.path, self.full(key), expected, found)
    }

    fn full(&self, key: &str) -> String {
        format!("{}{key}", self.under)
    }
}

fn object<'a>(value: &'a Value, path: &Path, key: &str) -> Result<&'a Map<String, Value>, ConfigError> {
    value.as_object().ok_or_else(|| wrong_value(path, key.to_owned(), "an object".to_owned(), value))
}

fn wrong_value(path: &Path, key: String, expected: String, found: &Value) -> ConfigError {
    let mut found = found.to_string();
    if found.chars().count() > SHOWN {
        found = found.chars().take(SHOWN).chain(['…']).collect();
    }
    ConfigError::WrongValue { path: path.to_owned(), key, expected, found }
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map(|key| format!(", did you mean \"{key}\"?")).unwrap_or_default()
}

fn is_scheme(text: &str) -> bool {
    let rest_fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
    (1..=64).contains(&text.len()) && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(rest_fits)
}

fn is_prefix(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (1..=32).contains(&text.len()) && text.chars().all(fits)
}

const KEYS: &[&str] = &[
    "wssPort",
    "bindIp",
    "advertisedIp",
    "graceSeconds",
    "keepaliveIntervalSeconds",
    "linkTtlSeconds",
    "eventBufferSize",
    "policy",
    "scheme",
    "toolPrefix",
    "uriScheme",
    "pageSize",
];
/// The longest time that a configuration may ask for: a hundred years, so that every moment stays a date.
const LONGEST_S: u64 = 100 * 365 * 86_400;
const POLICY_KEYS: &[&str] = &["default", "destructive", "resources", "tools"];
const SCHEME: &str = "a URI scheme of lower-case letters, digits, \"+\", \"-\" and \".\"";
const PREFIX: &str = "1 to 32 characters of A-Z, a-z, 0-9, \"_\" and \"-\"";
const SHOWN: usize = 60;

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;

//! Commands that ask the daemon one thing.

use super::grammar::Command;
use super::report::Failure;
use crate::rpc_client::{PATIENT, QUICK, RpcClient};
use crate::rules::{CallDeadline, Rules};
use crate::shell::Config;
use iolite_protocol::bootstrap::deep_link;
use iolite_protocol::rpc::LinkCreated;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A control call that a command stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlRequest {
    /// The method.
    pub method: &'static str,
    /// Its params.
    pub params: Value,
    /// How long the daemon may take.
    pub patience: Duration,
}

/// The call that `command` stands for; `None` where it stands for more than that.
///
/// # Errors
///
/// Input that is no JSON.
pub fn control_request(command: &Command, rules: &Rules) -> Result<Option<ControlRequest>, Failure> {
    let cli = &rules.cli;
    let timeout = |timeout: Option<std::num::NonZeroU64>| {
        let timeout = timeout.filter(|_| cli.obey_timeout);
        ("timeoutMs", timeout.map(|ms| json!(ms)))
    };
    let caller = ("caller", Some(json!(CALLER)));
    let mut request = match command {
        Command::Daemon(_) | Command::Mcp | Command::Keygen { .. } => return Ok(None),
        Command::Link { ttl, address } => {
            let ttl = ttl.filter(|_| cli.obey_ttl);
            let address = address.map(|address| json!(address.to_string()));
            let params = [("ttlSeconds", ttl.map(|seconds| json!(seconds))), ("addressOverride", address)];
            quick("link.create", params)
        }
        Command::Ls => quick("sessions.list", []),
        Command::Tools { selector, .. } => quick("tools.list", [named("selector", selector)]),
        Command::Resources { selector } => quick("resources.list", [named("selector", selector)]),
        Command::Revoke { selector } => quick("sessions.revoke", [named("selector", selector)]),
        Command::Events { selector, since, limit, kinds } => quick(
            "events.since",
            [
                named("selector", selector),
                ("since", since.map(|since| json!(since))),
                ("limit", limit.map(|limit| json!(limit))),
                ("kinds", (!kinds.is_empty()).then(|| json!(kinds))),
            ],
        ),
        Command::Invoke { target, input, timeout: ms } => {
            let args: Value = serde_json::from_str(input)
                .map_err(|error| Failure::validation(format!("--input is no JSON: {error}")))?;
            let [selector, name] = split(target);
            let bent = match (rules.mcp_conduct.command_deadline, ms) {
                (CallDeadline::AtMost(most), Some(ms)) => Some(ms.get().min(most)),
                (CallDeadline::Always(bent), None) => Some(bent),
                _ => None,
            };
            let deadline = bent.map_or_else(|| timeout(*ms), |ms| ("timeoutMs", Some(json!(ms))));
            patient("tools.call", [selector, name, ("args", Some(args)), deadline, caller])
        }
        Command::Read { target, timeout: ms } => {
            let [selector, name] = split(target);
            patient("resources.read", [selector, name, timeout(*ms), caller])
        }
    };
    if !cli.pass_selector
        && let Some(params) = request.params.as_object_mut()
    {
        params.shift_remove("selector");
    }
    Ok(Some(request))
}

/// Sends a request to the daemon behind `socket`.
///
/// # Errors
///
/// Whatever the daemon, or its absence, answers.
pub async fn send(socket: &Path, request: ControlRequest) -> Result<Value, Failure> {
    let client = RpcClient::connect(socket, QUICK, Arc::new(|_| {})).await?;
    let result = client.call(request.method, request.params, request.patience);
    Ok(result.await?)
}

/// What is made of the daemon's answer before it is shown: the result as it is, but for the link put together, the one
/// tool that was asked for, and whatever bent rules do to it.
///
/// # Errors
///
/// There is no such tool.
pub fn refine(command: &Command, mut result: Value, config: &Config, rules: &Rules) -> Result<Value, Failure> {
    match command {
        Command::Link { .. } if rules.cli.deep_link => {
            if let Ok(link) = LinkCreated::decode(&result) {
                result["deepLink"] = deep_link(&config.scheme, &link.deep_link_payload, &link.pin).into();
                if let (false, Some(members)) = (rules.cli.link_payload, result.as_object_mut()) {
                    members.remove("deepLinkPayload");
                }
            }
        }
        Command::Tools { name: Some(name), .. } if rules.cli.obey_tool_name => {
            let tools = result["tools"].as_array_mut();
            let tools = tools.ok_or_else(|| Failure::internal("tools.list gave no tools"))?;
            tools.retain(|tool| tool["name"] == name.as_str());
            if tools.is_empty() {
                let message = format!("there is no tool {name:?}");
                return Err(Failure::new("tool_not_found", message));
            }
        }
        Command::Resources { .. } if !rules.cli.registry_order => {
            if let Some(resources) = result["resources"].as_array_mut() {
                resources.sort_by_key(|resource| resource["name"].to_string());
                resources.reverse();
            }
        }
        Command::Invoke { .. } if !rules.cli.show_result => {
            if let Some(answer) = result.as_object_mut() {
                answer.shift_remove("result");
            }
        }
        Command::Ls => {
            let sessions = result["sessions"].as_array_mut();
            let sessions = sessions.ok_or_else(|| Failure::internal("sessions.list gave no sessions"))?;
            if sessions.is_empty() && !rules.cli.list_nobody {
                return Err(Failure::new("no_session", "there is no live session"));
            }
            if !rules.cli.list_whole {
                for session in sessions.iter_mut().filter_map(Value::as_object_mut) {
                    session.retain(|member, _| member == "alias" || member == "state");
                }
            }
        }
        Command::Events { .. } if !rules.cli.all_events => {
            if let Some(events) = result["events"].as_array_mut() {
                events.drain(..events.len().saturating_sub(1));
            }
        }
        Command::Read { .. } if !rules.cli.all_items => {
            if let Some(contents) = result["contents"].as_array_mut() {
                contents.truncate(1);
            }
        }
        _ => {}
    }
    Ok(result)
}

fn quick<const N: usize>(method: &'static str, params: [(&str, Option<Value>); N]) -> ControlRequest {
    ControlRequest { method, params: present(params), patience: QUICK }
}

fn patient<const N: usize>(method: &'static str, params: [(&str, Option<Value>); N]) -> ControlRequest {
    ControlRequest { patience: PATIENT, ..quick(method, params) }
}

fn present<const N: usize>(params: [(&str, Option<Value>); N]) -> Value {
    let present: Map<String, Value> =
        params.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    Value::Object(present)
}

fn named<'a>(key: &'a str, value: &Option<String>) -> (&'a str, Option<Value>) {
    (key, value.as_deref().map(Value::from))
}

/// `[selector] <name>`
fn split(target: &[String]) -> [(&'static str, Option<Value>); 2] {
    let (selector, name) = match target {
        [selector, name] => (Some(selector), Some(name)),
        [name] => (None, Some(name)),
        _ => (None, None),
    };
    [("selector", selector), ("name", name)].map(|(key, text)| (key, text.map(|text| json!(text))))
}

/// Who asks, in the daemon's audit (`BRG-AUD-01`).
const CALLER: &str = "cli";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::grammar::{Parsed, parse};
    use std::ffi::OsString;

    fn command(words: &[&str]) -> Command {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        match parse("iolite", &words) {
            Parsed::Command(line) => line.command,
            other => panic!("{other:?}"),
        }
    }

    fn asked(words: &[&str], rules: &Rules) -> (&'static str, Value) {
        let request = control_request(&command(words), rules).unwrap().unwrap();
        (request.method, request.params)
    }

    #[test]
    fn commands_become_calls() {
        let rules = Rules::default();
        let asked = |words: &[&str]| asked(words, &rules);
        assert_eq!(asked(&["ls"]), ("sessions.list", json!({})));
        assert_eq!(asked(&["link", "--ttl", "5"]), ("link.create", json!({"ttlSeconds": 5})));
        assert_eq!(asked(&["resources", "a"]), ("resources.list", json!({"selector": "a"})));
        assert_eq!(
            asked(&["read", "a", "cart", "--timeout", "9"]),
            ("resources.read", json!({"selector": "a", "name": "cart", "timeoutMs": 9, "caller": "cli"}))
        );
        assert_eq!(
            asked(&["invoke", "t", "--input", r#"{"a":[1]}"#]),
            ("tools.call", json!({"name": "t", "args": {"a": [1]}, "caller": "cli"}))
        );
        assert_eq!(
            asked(&["events", "--since", "3", "--kind", "app_event"]),
            ("events.since", json!({"since": 3, "kinds": ["app_event"]}))
        );
        assert_eq!(control_request(&command(&["mcp"]), &rules), Ok(None));
    }

    #[test]
    fn input_that_is_no_json_is_refused_here_and_other_input_by_the_daemon() {
        let rules = Rules::default();
        let failure = control_request(&command(&["invoke", "t", "--input", "{a"]), &rules).unwrap_err();
        assert_eq!(failure.kind, "validation_error");
        assert_eq!(asked(&["invoke", "t", "--input", "[1]"], &rules).1["args"], json!([1]));
    }

    #[test]
    fn bent_rules_lose_options() {
        let mut rules = Rules::default();
        rules.cli.obey_ttl = false;
        rules.cli.obey_timeout = false;
        assert_eq!(asked(&["link", "--ttl", "5"], &rules).1, json!({}));
        assert!(asked(&["invoke", "t", "--timeout", "5"], &rules).1.get("timeoutMs").is_none());
    }

    #[test]
    fn one_tool_can_be_picked_and_a_link_is_put_together() {
        let (config, rules) = (Config::default(), Rules::default());
        let tools = json!({"tools": [{"name": "a"}, {"name": "b"}]});
        let picked = refine(&command(&["tools", "s", "b"]), tools.clone(), &config, &rules);
        assert_eq!(picked, Ok(json!({"tools": [{"name": "b"}]})));
        let none = refine(&command(&["tools", "s", "c"]), tools, &config, &rules).unwrap_err();
        assert_eq!(none.kind, "tool_not_found");
        let link = json!({
            "sessionId": "s", "deepLinkPayload": "AgQ", "expiresAt": "2025-01-01T00:00:00Z",
            "endpoint": {"family": "ipv4", "address": "127.0.0.1", "port": 7},
            "pin": format!("sha256/{}=", "A".repeat(43)),
        });
        let shown = refine(&command(&["link"]), link, &config, &rules).unwrap();
        assert!(shown["deepLink"].as_str().unwrap().starts_with("iolite:///?cordierite=AgQ&pin=sha256/"));
    }
}

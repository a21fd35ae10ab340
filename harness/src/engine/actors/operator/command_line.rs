//! Calls of the daemon's command line.

use super::Operator;
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepError, StepOutcome, StepResult};
use crate::target::{CliOutput, is_own_limit};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use iolite_protocol::transcript::{Direction, Payload, Record, Wire};
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::Instant;

/// How long one call may take, before patience: a process has to start, and it may wait for the daemon by itself.
const CALL_MAX: Duration = Duration::from_secs(20);

impl Operator {
    pub(super) async fn cli(&self, step: &StepContext<'_>) -> StepResult {
        let args = step.list("args")?.ok_or_else(|| step.wrong("args", "is missing"))?;
        let args: Vec<String> = args.iter().map(word).collect();
        let stage = step.stage;
        let mut command = match step.text("state")?.as_deref() {
            Some("environment") => stage.cli_command_by_environment(&args).await?,
            _ => stage.cli_command(&args).await?,
        };
        for (name, value) in step.map("env")?.into_iter().flatten() {
            command.env.push((name, word(&value)));
        }
        if matches!(args.as_slice(), [.., first, second] if first == "daemon" && second == "stop") {
            stage.expect_end();
        }
        let stdin = step.bytes("stdin")?.unwrap_or_default();
        let number = step.record.next_connection(&format!("{} cli", self.name));
        self.record(number, Direction::ToDaemon, Payload::Text { text: command.shown() });
        let usual = Instant::now() + stage.pace().scaled(CALL_MAX.as_secs_f64());
        let deadline = if step.action.within.is_some() { step.deadline } else { step.deadline.max(usual) };
        let output = match tokio::time::timeout_at(deadline, crate::target::run(&command, &stdin)).await {
            Ok(Ok(output)) => output,
            Ok(Err(error)) if is_own_limit(&error) => {
                return Err(StepError::Broken(format!("`{}`: {error}", command.shown())));
            }
            Ok(Err(error)) => return Err(StepError::Unmet(format!("`{}`: {error}", command.shown()))),
            Err(_) => {
                self.record(number, Direction::Local, Payload::Ended { how: "it did not end and was killed".into() });
                return Ok(StepOutcome::violated(format!("`{}` did not end", command.shown()), Vec::new()));
            }
        };
        self.record_output(number, &output);
        Ok(StepOutcome::of(outcome(&output)))
    }

    fn record_output(&self, number: u32, output: &CliOutput) {
        if !output.stdout.is_empty() {
            self.record(number, Direction::FromDaemon, payload(&output.stdout));
        }
        if !output.stderr.is_empty() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            self.record(number, Direction::FromDaemon, Payload::Stderr { text });
        }
        let exit = Payload::Exit { code: output.exit.code, signal: output.exit.signal };
        self.record(number, Direction::FromDaemon, exit);
    }

    fn record(&self, connection: u32, direction: Direction, payload: Payload) {
        self.tap.record(Record::seen(Wire::Cli, &self.name, connection, direction, payload));
    }
}

/// `{ exit, stdout, stderr, json? }`, and the exact bytes beside it when they are no text.
fn outcome(output: &CliOutput) -> Value {
    let mut members = Map::new();
    members.insert("exit".into(), output.exit.code.map_or(Value::Null, Value::from));
    if let Some(signal) = output.exit.signal {
        members.insert("signal".into(), signal.into());
    }
    members.insert("stdout".into(), String::from_utf8_lossy(&output.stdout).into_owned().into());
    members.insert("stdout_base64".into(), STANDARD.encode(&output.stdout).into());
    members.insert("stderr".into(), String::from_utf8_lossy(&output.stderr).into_owned().into());
    if let Ok(json) = serde_json::from_slice::<Value>(&output.stdout) {
        members.insert("json".into(), json);
    }
    Value::Object(members)
}

fn payload(bytes: &[u8]) -> Payload {
    match std::str::from_utf8(bytes) {
        Ok(text) => Payload::Text { text: text.to_owned() },
        Err(_) => Payload::Bytes { what: "stdout".into(), base64: STANDARD.encode(bytes) },
    }
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

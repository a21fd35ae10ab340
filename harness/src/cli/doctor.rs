//! `iolite doctor`: proves a target file step by step, before any verdict is given.

use super::output::{Format, complain, print, print_json};
use super::select::TargetOptions;
use super::{exit, run, select};
use crate::engine::{RunOptions, Runner};
use crate::judge::verdict::{CheckResult, Verdict};
use crate::requirements::Catalogue;
use crate::scenario::load::load;
use crate::scenario::node::Source;
use crate::target::Target;
use crate::vocabulary::Vocabulary;
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;

/// Arguments of `iolite doctor`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    #[command(flatten)]
    target: TargetOptions,
    /// How to write the findings.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// One thing that must work before the next is worth trying.
struct Stage {
    name: &'static str,
    text: &'static str,
    remedy: &'static str,
}

const STAGES: &[Stage] = &[
    Stage {
        name: "starts",
        text: include_str!("doctor/starts.yaml"),
        remedy: "look at [daemon] command, ready and socket in the target file",
    },
    Stage {
        name: "mints a link",
        text: include_str!("doctor/link.yaml"),
        remedy: "look at [link]; the control socket must answer link.create, or the command must print deepLinkPayload and pin",
    },
    Stage {
        name: "an app can claim",
        text: include_str!("doctor/claim.yaml"),
        remedy: "look at the advertised address and port in [config]; the app connects to where the link points",
    },
    Stage {
        name: "an MCP client can list",
        text: include_str!("doctor/mcp.yaml"),
        remedy: "look at [mcp] command and at what its process writes to standard error",
    },
    Stage { name: "the command line answers", text: include_str!("doctor/cli.yaml"), remedy: "look at [cli] command" },
    Stage {
        name: "stops without leftovers",
        text: include_str!("doctor/stops.yaml"),
        remedy: "look at [daemon] stop and stop_within_seconds",
    },
];

pub(super) fn main(options: &Options) -> u8 {
    let target = match select::target(&options.target) {
        Ok(target) => target,
        Err(code) => return code,
    };
    let mut text = format!("{}: {} features claimed\n", target.name, target.features.len());
    let mut document = Vec::new();
    let mut code = exit::OK;
    for stage in STAGES {
        let (stage_code, checks) = match examine(stage, &target) {
            Ok(outcome) => outcome,
            Err(code) => return code,
        };
        let verdict = checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::Broken);
        let mark = match verdict {
            Verdict::Pass => "ok  ",
            Verdict::NotApplicable => "n/a ",
            _ => "FAIL",
        };
        let _ = writeln!(text, "  {mark} {}", stage.name);
        let told = checks.iter().filter(|check| !matches!(check.verdict, Verdict::Pass | Verdict::NotApplicable));
        for check in told.clone() {
            let _ = writeln!(text, "         {}", check.message.replace('\n', "\n         "));
        }
        document.push(json!({ "stage": stage.name, "verdict": verdict, "remedy": stage.remedy, "checks": checks }));
        if told.count() > 0 {
            let _ = writeln!(text, "         remedy: {}", stage.remedy);
            code = stage_code;
            break;
        }
    }
    match options.format {
        Format::Json => print_json(&json!({ "target": target.name, "ok": code == exit::OK, "stages": document })),
        Format::Text => {
            text.push_str(if code == exit::OK {
                "ready: `iolite run` can give verdicts on it\n"
            } else {
                "not ready: mend this first, then run `iolite doctor` again\n"
            });
            print(&text);
        }
    }
    code
}

fn examine(stage: &Stage, target: &Arc<Target>) -> Result<(u8, Vec<CheckResult>), u8> {
    let vocabulary = Vocabulary::builtin();
    let source = Source::new(format!("doctor/{}", stage.name), stage.text);
    let scenario = load(&source, "doctor", &vocabulary.context()).map_err(|error| {
        complain(&format!("iolite: {error}"));
        exit::OWN_FAULT
    })?;
    let options = RunOptions { levels: Arc::new(Catalogue::builtin().levels()), ..RunOptions::default() };
    let cancel = options.cancel.clone();
    let runner = Runner::new(target.clone(), options);
    match run::block_on(&cancel, runner.run(vec![Arc::new(scenario)], |_| ()))? {
        Ok(result) => {
            for left in &result.left_behind {
                complain(&format!("iolite: {}: {left}", target.name));
            }
            let checks = result.scenarios.iter().flat_map(|scenario| scenario.checks.clone()).collect();
            Ok((run::exit_code(&result), checks))
        }
        Err(error) => {
            complain(&format!("iolite: {}: {error}", target.name));
            Err(exit::TARGET)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_scenarios_are_well_formed() {
        let vocabulary = Vocabulary::builtin();
        for stage in STAGES {
            let source = Source::new(stage.name, stage.text);
            if let Err(error) = load(&source, "doctor", &vocabulary.context()) {
                panic!("{error}");
            }
        }
    }
}

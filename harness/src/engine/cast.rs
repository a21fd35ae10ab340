//! Filling the stage: a fresh actor for every member of the cast.

use super::actors::app::{App, AppOptions};
use super::actors::client::Client;
use super::actors::operator::Operator;
use super::actors::{Actor, Daemon};
use super::ids::AxisValues;
use super::options::RunOptions;
use super::step_outcome::StepError;
use crate::scenario::model::{Case, CastMember, Role, Scenario};
use crate::scenario::node::Node;
use crate::scenario::template::{resolve_json, resolve_text};
use crate::target::Target;
use iolite_mock_client::revision::Revision;
use iolite_protocol::transcript::Tap;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What templates find before the first step: `target`, `each`, and `case` where there is a table.
pub(super) fn given(target: &Target, axes: &AxisValues, case: Option<&Case>) -> Map<String, Value> {
    let knobs = &target.knobs;
    let mut given = Map::new();
    given.insert(
        "target".into(),
        json!({
            "name": target.name,
            "scheme": knobs.uri_scheme,
            "prefix": knobs.tool_prefix,
            "revisions": target.revisions,
            "features": target.features,
            "knobs": {
                "tool_prefix": knobs.tool_prefix,
                "uri_scheme": knobs.uri_scheme,
                "resource_not_found": knobs.resource_not_found,
                "own_types_are_unknown": knobs.own_types_are_unknown,
                "reads_follow_default": knobs.reads_follow_default,
                "unknown_tool_code": knobs.unknown_tool_code,
            },
        }),
    );
    let each = axes.values.iter().map(|(axis, value)| (axis.clone(), Value::from(value.clone())));
    given.insert("each".into(), Value::Object(each.collect()));
    if let Some(case) = case {
        let mut row = case.row.to_json();
        if let Some(row) = row.as_object_mut() {
            row.entry("name").or_insert_with(|| case.name.clone().into());
        }
        given.insert("case".into(), row);
    }
    given
}

/// All actors of a case, fresh.
pub(super) fn fill(
    scenario: &Scenario,
    target: &Target,
    axes: &AxisValues,
    given: &Map<String, Value>,
    options: &RunOptions,
    tap: &Tap,
) -> Result<BTreeMap<String, Actor>, StepError> {
    let mut actors = BTreeMap::new();
    actors.insert("operator".to_owned(), Actor::Operator(Arc::new(Operator::new("operator", tap.clone()))));
    actors.insert("daemon".to_owned(), Actor::Daemon(Daemon));
    for member in &scenario.cast {
        actors.insert(member.name.clone(), actor(member, target, axes, given, options, tap)?);
    }
    Ok(actors)
}

fn actor(
    member: &CastMember,
    target: &Target,
    axes: &AxisValues,
    given: &Map<String, Value>,
    options: &RunOptions,
    tap: &Tap,
) -> Result<Actor, StepError> {
    let name = &member.name;
    let broken = |why: String| StepError::Broken(format!("cast member `{name}`: {why}"));
    let text = |text: &str| resolve_text(text, given).map_err(|error| broken(error.to_string()));
    Ok(match &member.role {
        Role::Operator => Actor::Operator(Arc::new(Operator::new(name, tap.clone()))),
        Role::App(node) => {
            let options = match node {
                Some(node) => app_options(node, given).map_err(broken)?,
                None => AppOptions::default(),
            };
            Actor::App(Arc::new(App::new(name, options, tap.clone())))
        }
        Role::Client { profile, revision } => {
            if !target.claims("mcp") {
                return Err(StepError::NotApplicable("the target does not claim `mcp`".into()));
            }
            let profile = text(profile)?;
            let profile =
                options.profile(&profile).ok_or_else(|| broken(format!("there is no profile `{profile}`")))?;
            let each = axes.values.iter().find(|(axis, _)| axis == "revision").map(|(_, value)| value.clone());
            let revision = match revision {
                Some(revision) => Some(text(revision)?),
                None => each.or_else(|| target.revisions.last().cloned()),
            };
            let revision = revision.unwrap_or_else(|| Revision::V2025_11_25.name().to_owned());
            if !target.revisions.is_empty() && !target.revisions.contains(&revision) {
                return Err(StepError::NotApplicable(format!("the target does not claim revision {revision}")));
            }
            let revision =
                Revision::parse(&revision).ok_or_else(|| broken(format!("there is no revision {revision}")))?;
            Actor::Client(Arc::new(Client::new(name, profile, revision, tap.clone())))
        }
    })
}

fn app_options(node: &Node, given: &Map<String, Value>) -> Result<AppOptions, String> {
    let value = resolve_json(node, given).map_err(|error| error.to_string())?;
    let mut options = AppOptions::default();
    for (name, value) in value.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("model" | "os" | "manufacturer", Value::Null) => {}
            ("model" | "os" | "manufacturer", value) => {
                options.device.insert(format!("device_{name}"), value.clone());
            }
            ("auto", Value::Bool(auto)) => options.manual = !auto,
            ("silent_pings", Value::Bool(silent)) => options.silent_pings = *silent,
            _ => return Err(format!("`{name}` cannot be {value}")),
        }
    }
    Ok(options)
}

//! JSON Schema of scenario files, for editors.
//!
//! It says as much as a schema can: every key, verb, parameter, matcher and generator, with its documentation. Names,
//! labels and templates are the loader's business.

use super::load::{APP_OPTIONS, AXES, CONTROL_STEPS};
use super::matcher::MATCHERS;
use super::model::ActorKind;
use super::template::GENERATORS;
use super::verbs::{self, COMMON, Param, ParamKind, Verb};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The schema, draft 2020-12.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "iolite scenario",
        "type": "object",
        "properties": {
            "scenario": text("Title: one sentence that says what is promised."),
            "about": text("Longer text."),
            "requires": list_of_ids("Promise ids that every check proves unless it says otherwise."),
            "bugs": list_of_ids("Field bugs that the scenario would show."),
            "features": list_of_ids("What the target must claim; otherwise the scenario is not applicable."),
            "daemon": {
                "description": "How the scenario's daemon is set up.",
                "type": ["object", "null"],
                "properties": {
                    "config": { "type": "object", "description": "Members merged into the configuration file." },
                    "none": { "type": "boolean", "description": "`true`: not started before the first step; `daemon.start` does." },
                },
                "additionalProperties": false,
            },
            "fresh_daemon": { "type": "boolean", "description": "`true`: every case gets a daemon of its own." },
            "cast": cast(),
            "each": each(),
            "cases": cases(),
            "once": { "$ref": "#/$defs/steps", "description": "What apps and clients do before the first case of each daemon. They stay for all its cases. No checks, no `case`." },
            "steps": { "$ref": "#/$defs/steps", "description": "The story." },
            "finally": { "$ref": "#/$defs/steps", "description": "Steps that run in any case, after the story; no checks." },
        },
        "required": ["scenario", "requires", "steps"],
        "additionalProperties": false,
        "$defs": definitions(),
    })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": description })
}

fn list_of_ids(description: &str) -> Value {
    json!({
        "type": "array",
        "items": { "type": "string", "minLength": 1 },
        "uniqueItems": true,
        "description": description,
    })
}

fn cast() -> Value {
    let options: Map<String, Value> = APP_OPTIONS
        .iter()
        .map(|(name, switch, doc)| {
            let kind = if *switch { json!({ "type": "boolean" }) } else { json!({ "type": "string" }) };
            ((*name).to_owned(), open(kind, doc))
        })
        .collect();
    json!({
        "description": "Who takes part. `operator` and `daemon` are always there.",
        "type": ["object", "null"],
        "propertyNames": { "pattern": NAME },
        "additionalProperties": {
            "type": "object",
            "oneOf": [
                {
                    "properties": { "app": { "type": ["object", "null"], "properties": options, "additionalProperties": false } },
                    "required": ["app"],
                    "additionalProperties": false,
                },
                {
                    "properties": {
                        "client": text("Client profile."),
                        "revision": text("Protocol revision to ask for. Default: the target's."),
                    },
                    "required": ["client"],
                    "additionalProperties": false,
                },
                {
                    "properties": { "operator": { "type": ["object", "null"], "maxProperties": 0 } },
                    "required": ["operator"],
                    "additionalProperties": false,
                },
            ],
        },
    })
}

fn each() -> Value {
    let axis = json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "uniqueItems": true });
    let axes: Map<String, Value> = AXES.iter().map(|name| ((*name).to_owned(), axis.clone())).collect();
    json!({
        "description": "The story is told once for every combination of these values, as far as the target claims them.",
        "type": ["object", "null"],
        "properties": axes,
        "additionalProperties": false,
    })
}

fn cases() -> Value {
    let row = |required: &[&str]| {
        json!({
            "type": "object",
            "properties": {
                "name": text("Name of the case; part of the ids of its checks."),
                "requires": list_of_ids("Promise ids of this case's checks, in place of the scenario's."),
                "never_served": text("Why the input of this case could not be served even without the rule that it breaks."),
                "needs": list_of_ids("Features this case takes beside the scenario's; on a target without them it is not applicable."),
            },
            "required": required,
        })
    };
    json!({
        "description": "Rows of a table; every row runs all steps, with `${case.…}` for its values.",
        "oneOf": [
            { "type": "array", "minItems": 1, "items": row(&["name"]) },
            {
                "type": "object",
                "properties": { "for": { "type": "array", "minItems": 1, "items": row(&[]) } },
                "required": ["for"],
                "additionalProperties": false,
            },
        ],
    })
}

fn definitions() -> Value {
    let generators: Vec<_> = GENERATORS.iter().map(|generator| generator.key).collect();
    let dollar_keys: Vec<_> = MATCHERS.iter().map(|matcher| matcher.key).chain(generators.iter().copied()).collect();
    let mut matcher_members: Map<String, Value> = MATCHERS
        .iter()
        .map(|matcher| (matcher.key.to_owned(), json!({ "description": matcher.summary, "$ref": "#/$defs/matcher" })))
        .collect();
    matcher_members.insert("$schema".into(), json!({ "type": ["object", "boolean", "string"] }));
    json!({
        "steps": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/step" } },
        "step": step(),
        "template": { "type": "string", "pattern": "\\$\\{" },
        "generator": {
            "type": "object",
            "properties": generators.iter().map(|key| ((*key).to_owned(), json!(true))).collect::<Map<_, _>>(),
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": false,
        },
        "matcher": {
            "if": { "type": "object" },
            "then": {
                "properties": matcher_members,
                "propertyNames": { "anyOf": [{ "not": { "pattern": "^\\$[^${]" } }, { "enum": dollar_keys }] },
                "additionalProperties": { "$ref": "#/$defs/matcher" },
            },
            "else": { "items": { "$ref": "#/$defs/matcher" } },
        },
    })
}

fn step() -> Value {
    let mut by_name: BTreeMap<&str, Vec<&Verb>> = BTreeMap::new();
    for verb in verbs::all() {
        by_name.entry(verb.name).or_default().push(verb);
    }
    let alternation: Vec<_> = by_name.keys().copied().collect();
    let patterns: Map<String, Value> = by_name
        .iter()
        .map(|(name, verbs)| (format!("^[a-z][a-z0-9_]*\\.{name}$"), any_of(verbs.iter().map(|verb| arguments(verb)))))
        .collect();
    json!({
        "anyOf": [
            { "type": "string", "pattern": format!("^[a-z][a-z0-9_]*\\.({})$", alternation.join("|")) },
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "properties": control_steps(),
                "patternProperties": patterns,
                "additionalProperties": false,
            },
        ],
    })
}

fn control_steps() -> Value {
    let steps = json!({ "$ref": "#/$defs/steps" });
    let common = |name: &str| COMMON.iter().find(|param| param.name == name).map_or(json!(true), parameter);
    let control = json!({
        "together": { "description": "All of these at the same moment; done when all are done.", "$ref": "#/$defs/steps" },
        "repeat": {
            "description": "The steps several times.",
            "type": "object",
            "properties": {
                "times": open(json!({ "type": "integer", "minimum": 0 }), "How often."),
                "as": text("Name of the counter, which starts at 0."),
                "steps": steps,
            },
            "required": ["times", "steps"],
            "additionalProperties": false,
        },
        "shuffle": {
            "description": "The steps in an order drawn from a seed.",
            "type": "object",
            "properties": { "seed": { "type": "integer", "minimum": 0 }, "steps": steps },
            "required": ["seed", "steps"],
            "additionalProperties": false,
        },
        "assert": {
            "description": "A statement about values seen before.",
            "type": "object",
            "properties": {
                "value": { "description": "What is looked at, usually a template." },
                "expect": common("expect"),
                "check": common("check"),
                "needs": common("needs"),
                "proves": common("proves"),
                "level": common("level"),
                "options": common("options"),
                "stop": common("stop"),
                "unless_waived": common("unless_waived"),
                "note": common("note"),
            },
            "required": ["value", "expect", "check"],
            "additionalProperties": false,
        },
    });
    debug_assert!(CONTROL_STEPS.iter().all(|name| control.get(name).is_some()), "every control step has a schema");
    control
}

/// What may stand behind `actor.verb:`.
fn arguments(verb: &Verb) -> Value {
    let mut members: Map<String, Value> =
        verb.params.iter().chain(COMMON).map(|param| (param.name.to_owned(), parameter(param))).collect();
    let description = format!("{}. {} Outcome: {}", actor(verb.actor), verb.summary, verb.outcome);
    let mut object = json!({ "type": "object" });
    match (verb.free_form, verb.main) {
        // Any key may stand in a body, even one with the name of the parameter that can hold it.
        (true, Some(main)) => {
            members.remove(main);
        }
        (true, None) => {
            object["patternProperties"] = json!({ "^\\$": true });
            object["additionalProperties"] = json!(false);
        }
        (false, _) => {
            let required: Vec<_> = verb.params.iter().filter(|param| param.required).map(|param| param.name).collect();
            object["required"] = json!(required);
            object["additionalProperties"] = json!(false);
            let choices: Vec<_> = verb
                .choices
                .iter()
                .filter(|choice| choice.required)
                .map(|choice| any_of(choice.of.iter().map(|name| json!({ "required": [name] }))))
                .collect();
            if !choices.is_empty() {
                object["allOf"] = json!(choices);
            }
        }
    }
    object["properties"] = Value::Object(members);
    let mut shapes = vec![object];
    let needs_something = verb.params.iter().any(|param| param.required) || verb.choices.iter().any(|c| c.required);
    if !needs_something {
        shapes.push(json!({ "type": "null" }));
    }
    if let Some(main) = verb.main.and_then(|main| verb.param(main)) {
        shapes.push(json!({ "not": { "type": ["object", "null"] }, "allOf": [parameter(main)] }));
        if !verb.free_form {
            shapes.push(json!({ "$ref": "#/$defs/generator" }));
        }
    }
    json!({ "description": description, "anyOf": shapes })
}

fn parameter(param: &Param) -> Value {
    let kind = match param.kind {
        ParamKind::Any => json!(true),
        ParamKind::Text | ParamKind::Bytes => json!({ "type": "string" }),
        ParamKind::Name | ParamKind::Actor(_) => return text(param.doc),
        ParamKind::Integer => json!({ "type": "integer", "minimum": 0 }),
        ParamKind::Number => json!({ "type": "number" }),
        ParamKind::Bool => json!({ "type": "boolean" }),
        ParamKind::Map => json!({ "type": "object" }),
        ParamKind::List => json!({ "type": "array" }),
        ParamKind::Choice(words) => json!({ "enum": words }),
        ParamKind::Matcher => return json!({ "description": param.doc, "$ref": "#/$defs/matcher" }),
    };
    open(kind, param.doc)
}

/// The kind, or a template or generator that stands for it.
fn open(kind: Value, description: &str) -> Value {
    json!({
        "description": description,
        "anyOf": [kind, { "$ref": "#/$defs/template" }, { "$ref": "#/$defs/generator" }],
    })
}

fn any_of(shapes: impl Iterator<Item = Value>) -> Value {
    json!({ "anyOf": shapes.collect::<Vec<_>>() })
}

fn actor(kind: ActorKind) -> &'static str {
    match kind {
        ActorKind::App => "App",
        ActorKind::Client => "Client",
        ActorKind::Operator => "Operator",
        ActorKind::Daemon => "Daemon",
    }
}

/// How actors are named.
const NAME: &str = "^[a-z][a-z0-9_]*$";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::node::Source;
    use crate::scenario::yaml;
    use include_dir::{Dir, DirEntry, include_dir};

    static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/scenario/samples");
    static WRONG: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/scenario/gallery");
    static SCENARIOS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../scenarios");

    fn validator() -> jsonschema::Validator {
        jsonschema::validator_for(&schema()).unwrap()
    }

    fn read(text: &str) -> Option<Value> {
        let mut problems = Vec::new();
        let node = yaml::read(&Source::new("x", text), &mut problems)?;
        problems.is_empty().then(|| node.to_json())
    }

    fn files<'a>(folder: &'a Dir<'a>) -> Vec<(String, &'a str)> {
        let mut files = Vec::new();
        for entry in folder.entries() {
            match entry {
                DirEntry::Dir(folder) => files.extend(self::files(folder)),
                DirEntry::File(file) if file.path().extension().is_some_and(|ending| ending == "yaml") => {
                    files.push((file.path().display().to_string(), file.contents_utf8().unwrap_or_default()));
                }
                DirEntry::File(_) => {}
            }
        }
        files
    }

    #[test]
    fn it_is_a_schema() {
        jsonschema::meta::validate(&schema()).unwrap();
    }

    #[test]
    fn what_loads_is_valid() {
        let validator = validator();
        for (name, text) in files(&SAMPLES).into_iter().chain(files(&SCENARIOS)) {
            let value = read(text).unwrap_or_else(|| panic!("{name} is no YAML"));
            if let Some(error) = validator.iter_errors(&value).next() {
                panic!("{name}: at {}: {error}", error.instance_path());
            }
        }
    }

    /// Mistakes that only the loader can see, because they are about names or values.
    #[test]
    fn most_of_what_does_not_load_is_invalid() {
        let validator = validator();
        let valid: Vec<_> = files(&WRONG)
            .into_iter()
            .filter(|(_, text)| read(text).is_some_and(|value| validator.is_valid(&value)))
            .map(|(name, _)| name)
            .collect();
        insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(valid.join("\n")) });
    }
}

//! The server's own tools: how they are listed and which arguments they take.

use super::naming::Naming;
use super::tool_results::Failure;
use crate::rules::{OddArguments, Rules};
use serde_json::{Map, Value, json};

/// One of the server's own tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// Mints a bootstrap link.
    Connect,
    /// Waits until a link was claimed.
    WaitForSession,
    /// Returns retained events.
    Events,
    /// Waits for an event of an app.
    WaitForEvent,
    /// The resource list, for clients that know tools only (`BRG-FBK-01`).
    ListResources,
    /// Reads a resource, for clients that know tools only (`BRG-FBK-01`).
    Read,
}

impl BuiltIn {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 6] =
        [Self::Connect, Self::WaitForSession, Self::Events, Self::WaitForEvent, Self::ListResources, Self::Read];

    /// The name it is listed under.
    pub fn name(self, naming: &Naming) -> String {
        let suffix = match self {
            Self::Connect => "connect",
            Self::WaitForSession => "wait_for_session",
            Self::Events => "events",
            Self::WaitForEvent => "wait_for_event",
            Self::ListResources => "list_resources",
            Self::Read => "read",
        };
        format!("{}_{suffix}", naming.tool_prefix)
    }

    /// Whether it is one of the two fallback tools.
    pub fn is_fallback(self) -> bool {
        matches!(self, Self::ListResources | Self::Read)
    }

    /// Its entry in `tools/list`.
    pub fn entry(self, naming: &Naming, rules: &Rules) -> Value {
        let fallback = &rules.fallback;
        let mut entry = json!({
            "name": self.name(naming),
            "title": self.title(),
            "description": self.description(naming),
            "inputSchema": match fallback.input_schemas || !self.is_fallback() {
                true => self.input_schema(),
                false => json!({"type": "object"}),
            },
        });
        if fallback.output_schemas || !self.is_fallback() {
            entry["outputSchema"] = self.output_schema();
        }
        if fallback.read_only_hint || !self.is_fallback() {
            entry["annotations"] = json!({
                "readOnlyHint": self != Self::Connect,
                "destructiveHint": false,
                "idempotentHint": self != Self::Connect,
                "openWorldHint": false,
            });
        }
        entry
    }

    /// The arguments, checked against the same table the input schema is made of.
    ///
    /// # Errors
    ///
    /// `invalid_request`, naming the argument.
    pub fn admit(self, arguments: &Map<String, Value>, odd: OddArguments) -> Result<Map<String, Value>, Failure> {
        let mut arguments = arguments.clone();
        if odd != OddArguments::Refused {
            for parameter in self.parameters() {
                let Some(value) = arguments.get(parameter.name).filter(|value| !parameter.kind.admits(value)) else {
                    continue;
                };
                let number = value.as_str().and_then(|text| text.parse::<u64>().ok());
                match number.filter(|_| odd == OddArguments::Mended) {
                    Some(number) => _ = arguments.insert(parameter.name.to_owned(), number.into()),
                    None => _ = arguments.shift_remove(parameter.name),
                }
            }
        }
        self.check(&arguments, true)?;
        Ok(arguments)
    }

    /// Checks arguments against the same table the input schema is made of.
    ///
    /// # Errors
    ///
    /// `invalid_request`, naming the argument.
    pub fn check(self, arguments: &Map<String, Value>, refuse_unknown: bool) -> Result<(), Failure> {
        let invalid = |message: String| Err(Failure::new("invalid_request", message));
        let parameters = self.parameters();
        let unknown = arguments.keys().find(|key| parameters.iter().all(|known| known.name != key.as_str()));
        if let (Some(key), true) = (unknown, refuse_unknown) {
            return invalid(format!("there is no argument {key:?}"));
        }
        for parameter in parameters {
            match arguments.get(parameter.name) {
                Some(value) if !parameter.kind.admits(value) => {
                    return invalid(format!("{} must be {}", parameter.name, parameter.kind.in_words()));
                }
                None if parameter.required => {
                    return invalid(format!("{} is missing", parameter.name));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn title(self) -> &'static str {
        match self {
            Self::Connect => "Connect an app",
            Self::WaitForSession => "Wait for an app",
            Self::Events => "Past events",
            Self::WaitForEvent => "Wait for an event",
            Self::ListResources => "List resources",
            Self::Read => "Read a resource",
        }
    }

    fn description(self, naming: &Naming) -> String {
        let prefix = &naming.tool_prefix;
        match self {
            Self::Connect => format!(
                "Mints a one-time link with which an app connects to this bridge. Open `deepLink` on the device, \
                 then call {prefix}_wait_for_session with the returned `sessionId`."
            ),
            Self::WaitForSession => format!(
                "Waits until the link minted by {prefix}_connect is claimed by an app and returns its alias. Fails \
                 with tool_timeout after `timeoutMs` (120000 unless given)."
            ),
            Self::Events => {
                "Returns what happened in an app's session, oldest first, after `since`. Pass the returned `cursor` \
                 as `since` to go on from there."
                    .to_owned()
            }
            Self::WaitForEvent => {
                "Waits for an event that the app posts under `name`, with every member of `match` in its payload. \
                 Events that are retained already count, from `since` on. Fails with tool_timeout after \
                 `timeoutMs` (120000 unless given)."
                    .to_owned()
            }
            Self::ListResources => format!(
                "Lists everything that can be read from the connected apps: state such as what is in a cart or who \
                 is logged in. Read one with {prefix}_read."
            ),
            Self::Read => format!(
                "Reads the current content of one resource. `uri` is one of those that {prefix}_list_resources \
                 lists, exactly as listed."
            ),
        }
    }

    fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Connect => &CONNECT,
            Self::WaitForSession => &WAIT_FOR_SESSION,
            Self::Events => &EVENTS,
            Self::WaitForEvent => &WAIT_FOR_EVENT,
            Self::ListResources => &[],
            Self::Read => &READ,
        }
    }

    fn input_schema(self) -> Value {
        let mut schema = json!({"type": "object"});
        let parameters = self.parameters();
        if !parameters.is_empty() {
            let properties: Map<String, Value> =
                parameters.iter().map(|parameter| (parameter.name.to_owned(), parameter.kind.schema())).collect();
            schema["properties"] = Value::Object(properties);
        }
        let required: Vec<&str> =
            parameters.iter().filter(|parameter| parameter.required).map(|parameter| parameter.name).collect();
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema["additionalProperties"] = false.into();
        schema
    }

    fn output_schema(self) -> Value {
        let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
        let text = || json!({"type": "string"});
        match self {
            Self::Connect => object(
                json!({
                    "sessionId": text(), "deepLink": text(), "deepLinkPayload": text(), "pin": text(),
                    "endpoint": {"type": "object"}, "expiresAt": {},
                }),
                json!(["sessionId", "deepLink", "expiresAt"]),
            ),
            Self::WaitForSession => object(
                json!({"sessionId": text(), "alias": text(), "claimed": {"type": "boolean"}}),
                json!(["sessionId", "alias", "claimed"]),
            ),
            Self::Events => object(
                json!({"events": {"type": "array", "items": {"type": "object"}}, "cursor": {"type": "integer"}}),
                json!(["events"]),
            ),
            Self::WaitForEvent => object(
                json!({"sessionId": text(), "alias": text(), "name": text(), "payload": {}, "ts": {}, "seq": {"type": "integer"}}),
                json!(["sessionId", "name"]),
            ),
            Self::ListResources => {
                let entry = object(json!({"uri": text(), "name": text()}), json!(["uri", "name"]));
                object(json!({"resources": {"type": "array", "items": entry}}), json!(["resources"]))
            }
            Self::Read => {
                let item =
                    object(json!({"uri": text(), "mimeType": text(), "text": text(), "blob": text()}), json!(["uri"]));
                object(json!({"contents": {"type": "array", "items": item}}), json!(["contents"]))
            }
        }
    }
}

#[derive(Debug)]
struct Parameter {
    name: &'static str,
    kind: Kind,
    required: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    Target,
    Positive,
    Count,
    Object,
    Texts,
}

impl Kind {
    fn admits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Target => TARGETS.iter().any(|target| value == target),
            Self::Positive => whole_number(value).is_some_and(|number| number > 0),
            Self::Count => whole_number(value).is_some(),
            Self::Object => value.is_object(),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Target => "one of \"android\", \"ios-sim\" and \"none\"",
            Self::Positive => "a positive integer",
            Self::Count => "an integer of at least 0",
            Self::Object => "an object",
            Self::Texts => "an array of strings",
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Target => json!({"type": "string", "enum": TARGETS}),
            Self::Positive => json!({"type": "integer", "minimum": 1}),
            Self::Count => json!({"type": "integer", "minimum": 0}),
            Self::Object => json!({"type": "object"}),
            Self::Texts => json!({"type": "array", "items": {"type": "string"}}),
        }
    }
}

/// A whole number of at least 0, however it is spelled: `2` and `2.0` are the same.
pub fn whole_number(value: &Value) -> Option<u64> {
    let spelled_as_fraction = || {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=LARGEST_EXACT).contains(number))?;
        format!("{number:.0}").parse().ok()
    };
    value.as_u64().or_else(spelled_as_fraction)
}

const fn optional(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, required: false }
}

const fn required(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, required: true }
}

/// Above it, not every whole number is a 64-bit fraction.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

const TARGETS: [&str; 3] = ["android", "ios-sim", "none"];

const CONNECT: [Parameter; 3] =
    [optional("target", Kind::Target), optional("device", Kind::Text), optional("ttlSeconds", Kind::Positive)];
const WAIT_FOR_SESSION: [Parameter; 2] = [required("sessionId", Kind::Text), optional("timeoutMs", Kind::Positive)];
const EVENTS: [Parameter; 4] = [
    optional("selector", Kind::Text),
    optional("since", Kind::Count),
    optional("kinds", Kind::Texts),
    optional("limit", Kind::Positive),
];
const WAIT_FOR_EVENT: [Parameter; 5] = [
    optional("selector", Kind::Text),
    required("name", Kind::Text),
    optional("match", Kind::Object),
    optional("since", Kind::Count),
    optional("timeoutMs", Kind::Positive),
];
const READ: [Parameter; 1] = [required("uri", Kind::Text)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::schema::{ListedSchemas, Listing, listing};
    use crate::rules::BadSchema;

    #[test]
    fn entries_have_schemas_that_mcp_can_take() {
        for tool in BuiltIn::ALL {
            let entry = tool.entry(&Naming::default(), &Rules::default());
            let (input, output) = (&entry["inputSchema"], &entry["outputSchema"]);
            let listed = listing(input.as_object(), output.as_object(), BadSchema::HideTool);
            let expected = ListedSchemas { input: input.clone(), output: Some(output.clone()) };
            assert_eq!(listed, Listing::Shown(expected), "{entry}");
        }
    }

    #[test]
    fn the_fallback_tools_only_read() {
        for tool in [BuiltIn::ListResources, BuiltIn::Read] {
            let entry = tool.entry(&Naming::default(), &Rules::default());
            assert_eq!(entry["annotations"]["readOnlyHint"], true);
            assert_eq!(entry["annotations"]["destructiveHint"], false);
        }
        let entry = BuiltIn::ListResources.entry(&Naming::default(), &Rules::default());
        assert_eq!(entry["inputSchema"], json!({"type": "object", "additionalProperties": false}));
    }

    #[test]
    fn arguments_are_checked_by_name_and_type() {
        let check = |tool: BuiltIn, arguments: Value| {
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            tool.check(&arguments, true).err().map(|failure| failure.message)
        };
        let says = |text: &str| Some(text.to_owned());
        assert_eq!(check(BuiltIn::Read, json!({"uri": "x"})), None);
        assert_eq!(check(BuiltIn::Read, json!({})), says("uri is missing"));
        assert_eq!(check(BuiltIn::Read, json!({"uri": null})), says("uri must be a string"));
        assert_eq!(check(BuiltIn::ListResources, json!({"cursor": "0"})), says("there is no argument \"cursor\""));
        assert_eq!(
            check(BuiltIn::WaitForSession, json!({"sessionId": "s", "timeoutMs": 0})),
            says("timeoutMs must be a positive integer")
        );
        assert_eq!(check(BuiltIn::Events, json!({"kinds": [1]})), says("kinds must be an array of strings"));
    }
}

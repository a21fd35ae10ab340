//! The tool descriptor (section 4 of the contract).

use crate::contract::{Contract, Rule};
use crate::fields::{Fields, child, integer};
use crate::frame::FrameError;
use crate::syntax::is_name;
use serde_json::{Map, Value, json};
use std::num::NonZeroU64;

/// A tool as an app registers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDescriptor {
    name: String,
    description: String,
    input_schema: Option<Map<String, Value>>,
    output_schema: Option<Map<String, Value>>,
    annotations: Option<ToolAnnotations>,
    timeout_ms: Option<u64>,
}

impl ToolDescriptor {
    /// A tool with the two fields that it must have.
    ///
    /// # Errors
    /// `name` is not 1 to 64 of `[a-zA-Z0-9_-]`, or `description` is not 1 to 4,096 characters long.
    pub fn new(name: &str, description: &str) -> Result<Self, FrameError> {
        Self::decode(&json!({ "name": name, "description": description }), &Contract::default())
    }

    /// The same tool with this schema of its arguments.
    #[must_use]
    pub fn with_input_schema(mut self, schema: Map<String, Value>) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// The same tool with this schema of its result.
    #[must_use]
    pub fn with_output_schema(mut self, schema: Map<String, Value>) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// The same tool with these hints.
    #[must_use]
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// The same tool with this deadline of its calls, in milliseconds.
    #[must_use]
    pub fn with_timeout_ms(mut self, timeout_ms: NonZeroU64) -> Self {
        self.timeout_ms = Some(timeout_ms.get());
        self
    }

    /// Reads a descriptor.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn decode(value: &Value, contract: &Contract) -> Result<Self, FrameError> {
        Self::decode_at(value, "", contract)
    }

    pub(crate) fn decode_at(value: &Value, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::of(value, pointer, contract, Rule::ToolObject)?;
        let name = fields.required_text("name", Rule::ToolNamePresent, Rule::ToolNameType)?;
        fields.length(&name, "name", Rule::ToolNameLength, 1, limits.tool_name_max)?;
        if !is_name(&name) {
            fields.broken(Rule::ToolNamePattern, "name", format!("this one is {name:?}"))?;
        }
        let description =
            fields.required_text("description", Rule::ToolDescriptionPresent, Rule::ToolDescriptionType)?;
        fields.length(&description, "description", Rule::ToolDescriptionLength, 1, limits.description_max)?;
        let input_schema = fields.optional_object("input_schema", Rule::ToolInputSchemaType)?.cloned();
        let output_schema = fields.optional_object("output_schema", Rule::ToolOutputSchemaType)?.cloned();
        let annotations = fields
            .optional_object("annotations", Rule::ToolAnnotationsType)?
            .map(|object| ToolAnnotations::decode_at(object, &child(pointer, "annotations"), contract))
            .transpose()?;
        let timeout_ms = timeout_ms(&fields)?;
        fields.nothing_else(&KEYS)?;
        Ok(Self { name, description, input_schema, output_schema, annotations, timeout_ms })
    }

    /// The name, unique within a session (BRG-TOL-05).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool does, for people and agents.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON schema of the arguments, as the app wrote it.
    pub fn input_schema(&self) -> Option<&Map<String, Value>> {
        self.input_schema.as_ref()
    }

    /// The JSON schema of the result, as the app wrote it.
    pub fn output_schema(&self) -> Option<&Map<String, Value>> {
        self.output_schema.as_ref()
    }

    /// The hints.
    pub fn annotations(&self) -> Option<ToolAnnotations> {
        self.annotations
    }

    /// Whether the app says that the tool may destroy something (BRG-POL-01).
    pub fn is_destructive(&self) -> bool {
        self.annotations.and_then(|hints| hints.destructive) == Some(true)
    }

    /// The deadline of calls, in milliseconds, before clamping (BRG-TOL-09).
    pub fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms
    }

    /// The wire form: the keys of the contract, in its order, absent ones left out.
    pub fn to_json(&self) -> Value {
        let mut object = json!({ "name": self.name, "description": self.description });
        if let Some(schema) = &self.input_schema {
            object["input_schema"] = Value::Object(schema.clone());
        }
        if let Some(schema) = &self.output_schema {
            object["output_schema"] = Value::Object(schema.clone());
        }
        if let Some(annotations) = &self.annotations {
            object["annotations"] = annotations.to_json();
        }
        if let Some(timeout_ms) = self.timeout_ms {
            object["timeout_ms"] = timeout_ms.into();
        }
        object
    }
}

/// The hints of a tool; `None` where the app says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// The tool changes nothing.
    pub read_only: Option<bool>,
    /// The tool may destroy something.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
}

impl ToolAnnotations {
    fn decode_at(object: &Map<String, Value>, pointer: &str, contract: &Contract) -> Result<Self, FrameError> {
        let fields = Fields::new(object, pointer, contract, Rule::ToolAnnotationsType);
        let annotations = Self {
            read_only: fields.optional_bool("readOnlyHint", Rule::ToolReadOnlyHintType)?,
            destructive: fields.optional_bool("destructiveHint", Rule::ToolDestructiveHintType)?,
            idempotent: fields.optional_bool("idempotentHint", Rule::ToolIdempotentHintType)?,
        };
        fields.only(&["readOnlyHint", "destructiveHint", "idempotentHint"], Rule::ToolAnnotationsUnknownKey)?;
        Ok(annotations)
    }

    /// The wire form, which is MCP's too.
    pub fn to_json(&self) -> Value {
        let hints = [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
        ];
        hints.into_iter().filter_map(|(key, hint)| Some((key.to_owned(), Value::Bool(hint?)))).collect()
    }
}

fn timeout_ms(fields: &Fields<'_>) -> Result<Option<u64>, FrameError> {
    let Some(value) = fields.any("timeout_ms") else {
        return Ok(None);
    };
    match integer(value) {
        Some(1..) => Ok(integer(value).map(|milliseconds| u64::try_from(milliseconds).unwrap_or(u64::MAX))),
        Some(_) => fields.broken(Rule::ToolTimeoutPositive, "timeout_ms", format!("this is {value}")).map(|()| None),
        None => fields.broken(Rule::ToolTimeoutType, "timeout_ms", format!("this is {value}")).map(|()| None),
    }
}

const KEYS: [&str; 6] = ["name", "description", "input_schema", "output_schema", "annotations", "timeout_ms"];

//! Faults of how schemas of tools are listed.

use super::fault::{Fault, bends};
use crate::rules::SchemaChange;

pub(super) const FAULTS: &[Fault] = &[
    bends!(
        "mcp-schema-unknown-keywords-lost",
        ["BRG-MCP-32"],
        "Unknown keywords are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutUnknownKeywords
    ),
    bends!(
        "mcp-schema-root-unions-lost",
        ["BRG-MCP-32"],
        "Unions at the root of schemas are left out",
        mcp_schemas.input = SchemaChange::WithoutUnionsAtRoot
    ),
    bends!(
        "mcp-schema-unions-lost",
        ["BRG-MCP-32"],
        "Unions are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutUnions
    ),
    bends!(
        "mcp-schema-references-lost",
        ["BRG-MCP-32"],
        "References are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutReferences
    ),
    bends!(
        "mcp-schema-one-type",
        ["BRG-MCP-32"],
        "Of several types in a schema the first is left",
        mcp_schemas.input = SchemaChange::OneType
    ),
    bends!(
        "mcp-schema-nulls-lost",
        ["BRG-MCP-32"],
        "Nulls are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutNulls
    ),
    bends!(
        "mcp-schema-closed",
        ["BRG-MCP-32"],
        "Objects in schemas take no further members",
        mcp_schemas.input = SchemaChange::Closed
    ),
    bends!(
        "mcp-schema-empties-lost",
        ["BRG-MCP-32"],
        "Empty lists and objects are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutEmpties
    ),
    bends!(
        "mcp-schema-deep-cut",
        ["BRG-MCP-32"],
        "Schemas are cut below ten levels",
        mcp_schemas.input = SchemaChange::CutBelow(10)
    ),
    bends!(
        "mcp-schema-dialect-named",
        ["BRG-MCP-32"],
        "Schemas name a dialect that the app did not",
        mcp_schemas.input = SchemaChange::DialectNamed
    ),
    bends!(
        "mcp-schema-dialect-lost",
        ["BRG-MCP-32"],
        "Schemas lose the name of their dialect",
        mcp_schemas.input = SchemaChange::DialectLost
    ),
    bends!(
        "mcp-schema-program-names-lost",
        ["BRG-MCP-32"],
        "Members called __proto__ or constructor are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutProgramNames
    ),
    bends!(
        "mcp-schema-member-taken-for-reference",
        ["BRG-MCP-32"],
        "A member called $ref is taken for a reference",
        mcp_schemas.input = SchemaChange::MistakenReferences
    ),
    bends!(
        "mcp-schema-annotations-lost",
        ["BRG-MCP-32"],
        "Titles, defaults and examples are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutAnnotations
    ),
    bends!(
        "mcp-schema-limits-lost",
        ["BRG-MCP-32"],
        "Limits are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutLimits
    ),
    bends!(
        "mcp-schema-formats-lost",
        ["BRG-MCP-32"],
        "Formats and patterns are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutFormats
    ),
    bends!(
        "mcp-schema-conditions-lost",
        ["BRG-MCP-32"],
        "Conditions are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutConditions
    ),
    bends!(
        "mcp-schema-constants-lost",
        ["BRG-MCP-32"],
        "Constants and enumerations are left out of schemas",
        mcp_schemas.input = SchemaChange::WithoutConstants
    ),
    bends!(
        "mcp-output-schema-references-lost",
        ["BRG-MCP-32"],
        "References are left out of output schemas",
        mcp_schemas.output = SchemaChange::WithoutReferences
    ),
    bends!(
        "mcp-output-schema-unions-lost",
        ["BRG-MCP-32"],
        "Unions are left out of output schemas",
        mcp_schemas.output = SchemaChange::WithoutUnions
    ),
    bends!(
        "mcp-output-schema-closed",
        ["BRG-MCP-32"],
        "Objects in output schemas take no further members",
        mcp_schemas.output = SchemaChange::Closed
    ),
];

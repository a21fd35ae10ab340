//! How the schemas of apps' tools are listed (`MCP-32`).

/// Decisions about schemas that MCP can take.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaRules {
    /// What becomes of an input schema (`MCP-32`: nothing).
    pub input: SchemaChange,
    /// What becomes of an output schema (`MCP-32`: nothing).
    pub output: SchemaChange,
}

/// What becomes of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaChange {
    /// Nothing.
    None,
    /// Keywords that JSON Schema does not have are left out.
    WithoutUnknownKeywords,
    /// `oneOf`, `anyOf` and `allOf` at its root are left out.
    WithoutUnionsAtRoot,
    /// The same, wherever they stand.
    WithoutUnions,
    /// References, and what they lead to, are left out.
    WithoutReferences,
    /// Of several types the first is left.
    OneType,
    /// Members that are null, and nulls in lists, are left out.
    WithoutNulls,
    /// Objects without a word about further members take none.
    Closed,
    /// Empty lists and objects are left out.
    WithoutEmpties,
    /// What is nested deeper than so many levels becomes an open schema.
    CutBelow(usize),
    /// It names the dialect.
    DialectNamed,
    /// It does not name its dialect.
    DialectLost,
    /// Names of members that programs have a use for are left out.
    WithoutProgramNames,
    /// One with a member called like a keyword of references counts as broken.
    MistakenReferences,
    /// Titles, descriptions, examples and defaults are left out.
    WithoutAnnotations,
    /// Limits of numbers, texts and lists are left out.
    WithoutLimits,
    /// What is said of the form of texts is left out.
    WithoutFormats,
    /// `if`, `then`, `else` and `not` are left out.
    WithoutConditions,
    /// `const` and `enum` are left out.
    WithoutConstants,
}

impl Default for SchemaRules {
    fn default() -> Self {
        Self { input: SchemaChange::None, output: SchemaChange::None }
    }
}

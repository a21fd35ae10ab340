//! The table of matchers: one source for the compiler, the loader, the editor schema and the reference.

/// A matcher, for the loader and the reference.
#[derive(Debug)]
pub struct MatcherSyntax {
    /// Its key, with the dollar.
    pub key: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it matches.
    pub summary: &'static str,
    pub(in crate::scenario) operand: Operand,
}

/// What an operand has to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scenario) enum Operand {
    /// A matcher.
    Matcher,
    /// A list of matchers.
    Matchers,
    /// A list of matchers, or a single one.
    OneOrMany,
    /// Named matchers, or a list.
    Alternatives,
    /// `true`.
    True,
    /// `true` or `false`.
    Flag,
    /// A whole number or a matcher on one.
    Count,
    /// A number.
    Number,
    /// Two numbers.
    Range,
    /// A string.
    Text,
    /// A regular expression.
    Regex,
    /// The name of a type.
    Type,
    /// Text or bytes.
    Bytes,
    /// A JSON Schema.
    Schema,
    /// A name, or `{ as, is }`.
    Capture,
}

/// The matcher with that key.
pub(in crate::scenario) fn find(key: &str) -> Option<&'static MatcherSyntax> {
    MATCHERS.iter().find(|matcher| matcher.key == key)
}

const fn matcher(key: &'static str, operand: Operand, usage: &'static str, summary: &'static str) -> MatcherSyntax {
    MatcherSyntax { key, usage, summary, operand }
}

/// Names that `$type` knows.
pub(in crate::scenario) const TYPES: &[&str] = &["string", "number", "integer", "object", "array", "boolean", "null"];

/// All matchers, in the order of the reference.
pub const MATCHERS: &[MatcherSyntax] = &[
    matcher("$any", Operand::True, "{ $any: true }", "Whatever is there, `null` included."),
    matcher(
        "$present",
        Operand::Flag,
        "{ $present: true }",
        "The member is there, `null` included; `false`: it is not.",
    ),
    matcher("$absent", Operand::Flag, "{ $absent: true }", "The member is not there; `false`: it is."),
    matcher(
        "$exactly",
        Operand::Matcher,
        "{ $exactly: value }",
        "As the value, and maps in it have no further members.",
    ),
    matcher("$not", Operand::Matcher, "{ $not: m }", "Something is there and does not match."),
    matcher("$all", Operand::Matchers, "{ $all: [m, …] }", "Every one of these holds."),
    matcher(
        "$one_of",
        Operand::Alternatives,
        "{ $one_of: { name: m, … } }",
        "One of these holds; the name of the first that does is recorded in the verdict. A list `[m, …]` works too.",
    ),
    matcher(
        "$contains",
        Operand::OneOrMany,
        "{ $contains: [m, …] }",
        "Each of these matches some item of the list, or occurs in the text.",
    ),
    matcher(
        "$lacks",
        Operand::OneOrMany,
        "{ $lacks: [m, …] }",
        "None of these matches any item of the list, or occurs in the text.",
    ),
    matcher(
        "$unordered",
        Operand::Matchers,
        "{ $unordered: [m, …] }",
        "The list has exactly these items, in any order.",
    ),
    matcher("$each", Operand::Matcher, "{ $each: m }", "Every item of the list matches. An empty list does."),
    matcher("$unique", Operand::True, "{ $unique: true }", "No item stands twice in the list."),
    matcher(
        "$length",
        Operand::Count,
        "{ $length: n }",
        "Number of items, members, or characters; `n` may be a matcher.",
    ),
    matcher("$bytes", Operand::Count, "{ $bytes: n }", "Length of the text in UTF-8; `n` may be a matcher."),
    matcher(
        "$matches",
        Operand::Regex,
        "{ $matches: \"^a+$\" }",
        "The regular expression finds something in the text.",
    ),
    matcher("$starts_with", Operand::Text, "{ $starts_with: text }", "The text starts so."),
    matcher("$ends_with", Operand::Text, "{ $ends_with: text }", "The text ends so."),
    matcher("$at_least", Operand::Number, "{ $at_least: n }", "The number is n or greater."),
    matcher("$at_most", Operand::Number, "{ $at_most: n }", "The number is n or smaller."),
    matcher("$between", Operand::Range, "{ $between: [a, b] }", "The number is a, b, or in between."),
    matcher(
        "$type",
        Operand::Type,
        "{ $type: string }",
        "`string`, `number`, `integer`, `object`, `array`, `boolean` or `null`.",
    ),
    matcher("$parsed", Operand::Matcher, "{ $parsed: m }", "The text is JSON, and its value matches."),
    matcher(
        "$decoded",
        Operand::Bytes,
        "{ $decoded: text }",
        "The text is base64 (standard alphabet, with padding) of this text or these bytes: `{ $decoded: { $bytes: \"ff 00\" } }`.",
    ),
    matcher(
        "$schema",
        Operand::Schema,
        "{ $schema: { … } }",
        "Valid against the JSON Schema (2020-12 unless it says otherwise).",
    ),
    matcher(
        "$capture",
        Operand::Capture,
        "{ $capture: name }",
        "Whatever is there; later steps find it as `${name}`. `{ $capture: { as: name, is: m } }` asks for more.",
    ),
];

//! What machines and people are told besides the mistake itself.

use super::kinds::{Mistake, Undeclared};
use crate::scenario::node::Span;

impl Mistake {
    /// Stable name for machines, e.g. `unknown-verb`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotUtf8 { .. } => "not-utf8",
            Self::Syntax { .. } => "syntax",
            Self::Empty => "empty",
            Self::SecondDocument => "second-document",
            Self::Anchor { .. } => "anchor",
            Self::Alias { .. } => "alias",
            Self::Tag { .. } => "tag",
            Self::MergeKey => "merge-key",
            Self::DuplicateKey { .. } => "duplicate-key",
            Self::KeyNotText => "key-not-text",
            Self::NumberOutOfRange { .. } => "number-out-of-range",
            Self::WrongType { .. } => "wrong-type",
            Self::MissingKey { .. } => "missing-key",
            Self::UnknownKey { .. } => "unknown-key",
            Self::TextCutByComma { .. } => "text-cut-by-comma",
            Self::EmptyValue { .. } => "empty-value",
            Self::NotAChoice { .. } => "not-a-choice",
            Self::DuplicateEntry { .. } => "duplicate-entry",
            Self::UnknownPromise { .. } => "unknown-promise",
            Self::UnknownBug { .. } => "unknown-bug",
            Self::UnknownFeature { .. } => "unknown-feature",
            Self::UndeclaredFeature { .. } => "undeclared-feature",
            Self::UnknownProfile { .. } => "unknown-profile",
            Self::BadName { .. } => "bad-name",
            Self::ReservedName { .. } => "reserved-name",
            Self::RoleCount { .. } => "role-count",
            Self::StepKeys { .. } => "step-keys",
            Self::EmptyStep => "empty-step",
            Self::NotAStep { .. } => "not-a-step",
            Self::UnknownActor { .. } => "unknown-actor",
            Self::WrongActor { .. } => "wrong-actor",
            Self::UnknownVerb { .. } => "unknown-verb",
            Self::UnknownParam { .. } => "unknown-param",
            Self::MissingParam { .. } => "missing-param",
            Self::ArgumentsByName { .. } => "arguments-by-name",
            Self::ParamChoice { .. } => "param-choice",
            Self::NeedsName { .. } => "needs-name",
            Self::ExpectWithoutCheck => "expect-without-check",
            Self::CheckWithoutExpect { .. } => "check-without-expect",
            Self::DuplicateLabel { .. } => "duplicate-label",
            Self::NoSlug { .. } => "no-slug",
            Self::CheckInFinally => "check-in-finally",
            Self::CheckInOnce => "check-in-once",
            Self::OnlyTheCastStays => "only-the-cast-stays",
            Self::CaseInOnce => "case-in-once",
            Self::OnceWithoutCases => "once-without-cases",
            Self::OnceOnFreshDaemons => "once-on-fresh-daemons",
            Self::DuplicateCase { .. } => "duplicate-case",
            Self::NoCaseHas { .. } => "no-case-has",
            Self::CaseLacks { .. } => "case-lacks",
            Self::NoTable { .. } => "no-table",
            Self::UnknownAxis { .. } => "unknown-axis",
            Self::Template { .. } => "template",
            Self::UnknownRoot { .. } => "unknown-root",
            Self::UsedTooEarly { .. } => "used-too-early",
            Self::UnknownGenerator { .. } => "unknown-generator",
            Self::Generator { .. } => "generator",
            Self::UnknownMatcher { .. } => "unknown-matcher",
            Self::UnknownDollarKey { .. } => "unknown-dollar-key",
            Self::MatcherOperand { .. } => "matcher-operand",
            Self::Unreadable { .. } => "unreadable",
        }
    }

    /// A way out, in one sentence, where there is one to tell.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Anchor { .. } | Self::Alias { .. } | Self::MergeKey => {
                Some("write the value out, put it in a case table, or build it with `{ $merge: [a, b] }`".into())
            }
            Self::Tag { .. } => Some("quote the value if it is meant as text".into()),
            Self::KeyNotText => Some("quote it if it is meant as text".into()),
            Self::NumberOutOfRange { .. } => Some("quote it, or send the JSON as text with `send_text`".into()),
            Self::Syntax { detail } => syntax_help(detail),
            Self::TextCutByComma { .. } => {
                Some("inside `{ … }` and `[ … ]` a comma ends a text without quotes: quote the whole text".into())
            }
            Self::WrongType { wanted, found: "a number" | "a boolean" | "`null`", .. } if wanted == "a string" => {
                Some("quote it if it is meant as text".into())
            }
            Self::MissingKey { why, .. } => Some(why.clone()),
            Self::UnknownKey { nearest, known, .. }
            | Self::UnknownFeature { nearest, known, .. }
            | Self::UnknownProfile { nearest, known, .. }
            | Self::UnknownActor { nearest, known, .. }
            | Self::UnknownParam { nearest, known, .. }
            | Self::NoCaseHas { nearest, known, .. }
            | Self::UnknownAxis { nearest, known, .. }
            | Self::UnknownMatcher { nearest, known, .. }
            | Self::UnknownDollarKey { nearest, known, .. } => meant_or_list(nearest.as_deref(), known),
            // Few words: all of them say more than the nearest alone.
            Self::NotAChoice { known, .. } => list(known),
            Self::UnknownPromise { nearest, .. }
            | Self::UnknownBug { nearest, .. }
            | Self::UnknownRoot { nearest, .. } => nearest.as_deref().map(meant),
            Self::NotAStep { nearest: Some(nearest), .. } => Some(meant(nearest)),
            Self::NotAStep { nearest: None, .. } => {
                Some("a step is `actor.verb`, or one of `together`, `repeat`, `shuffle`, `assert`".into())
            }
            Self::UnknownVerb { nearest, elsewhere, .. } => match (nearest, elsewhere) {
                (_, Some(kind)) => Some(format!("{kind} can")),
                (Some(nearest), None) => Some(meant(nearest)),
                (None, None) => None,
            },
            Self::StepKeys { .. } => {
                Some("indent the arguments below `actor.verb:`, or start a new step with `- `".into())
            }
            Self::MissingParam { param, doc, .. } => Some(format!("`{param}`: {doc}")),
            Self::ArgumentsByName { known, .. } => list(known),
            Self::ExpectWithoutCheck => Some(
                "add `check:` with a short label, unique in this scenario; it becomes part of the check's id".into(),
            ),
            Self::CheckWithoutExpect { key, .. } => {
                Some(format!("add `expect:`, or take `{key}` away (`note:` holds remarks)"))
            }
            Self::DuplicateLabel { default: true, .. } => {
                Some("this label came from the verb; give the step a `check:` of its own".into())
            }
            Self::DuplicateLabel { default: false, .. } => {
                Some("labels that differ only in case or punctuation count as the same".into())
            }
            Self::CheckInFinally => Some("move the check to the end of `steps`".into()),
            Self::CheckInOnce | Self::OnlyTheCastStays | Self::OnceWithoutCases => {
                Some("move the step to the beginning of `steps`".into())
            }
            Self::CaseInOnce => Some("move what differs from case to case to `steps`".into()),
            Self::OnceOnFreshDaemons => {
                Some("write the steps at the beginning of `steps`, or leave `fresh_daemon` out".into())
            }
            Self::NoTable { key, .. } => Some(format!("add `{key}:` at the top of the file")),
            Self::CaseLacks { .. } => Some("every row runs all steps, so it needs every value they use".into()),
            Self::UsedTooEarly { .. } => Some("move the step that gives the name up".into()),
            Self::UnknownGenerator { matcher: true, .. } => Some("that is a matcher; it belongs in `expect`".into()),
            Self::UnknownGenerator { nearest: Some(nearest), .. } => Some(meant(nearest)),
            Self::UnknownGenerator { known, .. } => {
                list(known).map(|known| format!("{known}; a `$` that means itself is written `$$`"))
            }
            Self::UndeclaredFeature { feature, place, .. } => Some(declare(feature, *place)),
            Self::DuplicateCase { .. } => {
                Some("names that differ only in case or punctuation count as the same".into())
            }
            _ => None,
        }
    }

    /// Another place that belongs to the mistake, and what it is.
    pub fn related(&self) -> Option<(&Span, &'static str)> {
        match self {
            Self::DuplicateKey { first, .. }
            | Self::DuplicateCase { first, .. }
            | Self::DuplicateLabel { first, .. } => Some((first, "first here")),
            Self::CaseLacks { used, .. } => Some((used, "used here")),
            Self::UsedTooEarly { given, .. } => Some((given, "given here")),
            _ => None,
        }
    }
}

fn declare(feature: &str, place: Undeclared) -> String {
    let whole = format!("add `features: [{feature}]` at the top of the file");
    let part = format!("`needs: [{feature}]`");
    match place {
        Undeclared::Step => {
            format!("{whole}; where the rest can be judged without it, write {part} in this step alone")
        }
        Undeclared::Case => {
            format!("{whole}; where the other cases can do without it, write {part} in this case alone")
        }
        Undeclared::Scenario => whole,
    }
}

fn syntax_help(detail: &str) -> Option<String> {
    let tab = detail.contains("tab");
    tab.then(|| "indent with spaces".into())
}

fn meant(nearest: &str) -> String {
    format!("did you mean `{nearest}`?")
}

fn list(known: &[String]) -> Option<String> {
    match known {
        [] => None,
        known => {
            let quoted: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            Some(format!("possible: {}", quoted.join(", ")))
        }
    }
}

fn meant_or_list(nearest: Option<&str>, known: &[String]) -> Option<String> {
    nearest.map(meant).or_else(|| list(known))
}
